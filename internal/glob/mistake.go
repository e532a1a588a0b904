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
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '{':
			open++
		case c == '}':
			open--
		}
		if open < 0 {
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

// depths yields each byte of a pattern and whether it stands inside of braces
// or a class.
func depths(pattern string) iter.Seq2[bool, byte] {
	return func(yield func(bool, byte) bool) {
		open, class := 0, false
		for i := 0; i < len(pattern); i++ {
			c := pattern[i]
			switch {
			case c == '\\':
				i++
			case class:
				class = c != ']'
			case c == '[':
				class = true
			case c == '{':
				open++
			case c == '}':
				open--
			}
			if !yield(class || open > 0, c) {
				return
			}
		}
	}
}
