package walker

import (
	"iter"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// mistake says what is wrong with a pattern and what would be right, or "".
// Besides what doublestar refuses, these are patterns that would match nothing,
// or not what their author meant.
func mistake(pattern string) string {
	switch {
	case pattern == "":
		return `is empty; write "**" for all files`
	case strings.HasPrefix(pattern, "!"):
		return `begins with "!"; write it under exclude without the "!", or "\\!" for a name that begins so`
	case strings.HasPrefix(pattern, "/"):
		return `begins with "/"; write the path relative to the folder that is walked`
	case strings.HasSuffix(pattern, "/"):
		return `ends in "/" and so matches no file; write "` + pattern + `**" for all files below the folder`
	}
	for part := range strings.SplitSeq(pattern, "/") {
		switch {
		case part == "." || part == ".." || part == "":
			return `has an empty, "." or ".." part; write the path as it is below the folder that is walked`
		case part != "**" && strings.Contains(part, "**") && !strings.ContainsAny(part, `{}[]\`):
			return `has "**" beside other characters, which matches like "*"; write "**/` + strings.ReplaceAll(part, "**", "*") + `"`
		}
	}
	return badSyntax(pattern)
}

// badSyntax says why doublestar refuses a pattern, or "".
func badSyntax(pattern string) string {
	if doublestar.ValidatePattern(pattern) {
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
