package glob

import (
	"iter"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// mistake says why doublestar refuses a pattern and what would be right, or "".
func mistake(pattern string) string {
	switch {
	case pattern == "":
		return `is empty; write "**" for everything`
	case doublestar.ValidatePattern(pattern):
		return ""
	}
	if strings.HasSuffix(pattern, `\`) && !strings.HasSuffix(pattern, `\\`) {
		return `ends in "\"; write "\\" for a backslash`
	}
	open, class := 0, false
	for d := range depths(pattern) {
		if open, class = d.braces, d.class; open < 0 {
			return `has a "}" without "{"; write "\}" for the character itself`
		}
	}
	switch {
	case class:
		return `has a "[" without "]"; write "\[" for the character itself`
	case open > 0:
		return `has a "{" without "}"; write "\{" for the character itself`
	default:
		return `has an empty or impossible class such as "[]" or "[z-a]"`
	}
}

// A depth says what is open behind a byte of a pattern.
type depth struct {
	c      byte // an escape stands for its backslash
	braces int
	class  bool
}

// depths yields each byte of a pattern, an escape as one, and what is open then.
func depths(pattern string) iter.Seq[depth] {
	return func(yield func(depth) bool) {
		var d depth
		for i := 0; i < len(pattern); i++ {
			switch d.c = pattern[i]; {
			case d.c == '\\':
				i++
			case d.class:
				d.class = d.c != ']'
			case d.c == '[':
				d.class = true
			case d.c == '{':
				d.braces++
			case d.c == '}':
				d.braces--
			}
			if !yield(d) {
				return
			}
		}
	}
}
