package glob

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

const (
	maxChoices     = 256     // patterns that the braces of one pattern may leave
	maxChoiceBytes = 1 << 20 // bytes written to find them
)

// Choices returns a pattern for each choice of the braces in pattern, or nil if there are
// more than maxChoices or if braces are not closed.
func Choices(pattern string) []string {
	all, left := []string{pattern}, maxChoiceBytes
	for i := 0; i < len(all); {
		from, end := firstBraces(all[i])
		if from == end {
			i++
			continue
		}
		choices := choicesOf(all[i], from, end, &left)
		all = slices.Replace(all, i, i+1, choices...)
		if len(choices) == 0 || len(all) > maxChoices || left < 0 {
			return nil
		}
	}
	return all
}

// firstBraces returns where the first braces of a pattern begin and end.
func firstBraces(pattern string) (from, end int) {
	for from < len(pattern) && pattern[from] != '{' {
		from += unitLen(pattern[from:])
	}
	return from, from + unitLen(pattern[from:])
}

// choicesOf replaces the braces pattern[from:end] by each of their choices. It returns nil if
// the braces are not closed. It takes the bytes that it writes from left.
func choicesOf(pattern string, from, end int, left *int) (all []string) {
	begin := from + 1
	for at := begin; at < end && *left >= 0; at += unitLen(pattern[at:]) {
		if c := pattern[at]; c == ',' || c == '}' {
			all = append(all, pattern[:from]+pattern[begin:at]+pattern[end:])
			*left -= len(pattern)
			begin = at + 1
		}
	}
	if begin < end {
		return nil
	}
	return all
}

// unitLen returns the length of the first unit of a pattern: a byte, an escape, a class, or
// braces with their content.
func unitLen(pattern string) int {
	var s scanner
	for i := 0; i < len(pattern); {
		if i = s.next(pattern, i); s.braces <= 0 && !s.inClass {
			return min(i, len(pattern))
		}
	}
	return len(pattern)
}

// A scanner counts the braces and classes that are open while a pattern is read.
type scanner struct {
	braces  int
	inClass bool
}

// next reads the byte or the escape at pattern[i] and returns the offset behind it.
func (s *scanner) next(pattern string, i int) int {
	switch c := pattern[i]; {
	case c == '\\':
		i++
	case s.inClass:
		s.inClass = c != ']'
	case c == '[':
		s.inClass = true
	case c == '{':
		s.braces++
	case c == '}':
		s.braces--
	}
	return i + 1
}

// problemOf returns why doublestar rejects a pattern, with the correction, or "".
func problemOf(pattern string) string {
	switch {
	case pattern == "":
		return `is empty; write "**" for everything`
	case doublestar.ValidatePattern(pattern):
		return ""
	case strings.HasSuffix(pattern, `\`) && !strings.HasSuffix(pattern, `\\`):
		return `ends in "\"; write "\\" for a backslash`
	}
	var s scanner
	for i := 0; i < len(pattern); {
		if i = s.next(pattern, i); s.braces < 0 {
			return `has a "}" without "{"; write "\}" for the character itself`
		}
	}
	switch {
	case s.inClass:
		return `has a "[" without "]"; write "\[" for the character itself`
	case s.braces > 0:
		return `has a "{" without "}"; write "\{" for the character itself`
	}
	return `has an empty or impossible class such as "[]" or "[z-a]"`
}
