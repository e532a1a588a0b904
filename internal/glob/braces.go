package glob

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

const (
	maxChoices     = 256     // maximum number of patterns that one pattern with braces expands to
	maxChoiceBytes = 1 << 20 // maximum number of bytes written while one pattern is expanded
)

// ExpandBraces expands every "{a,b}" in pattern, so "x{1,2}" gives "x1" and "x2". It returns nil
// if a brace is not closed, or if there are more than maxChoices results.
func ExpandBraces(pattern string) []string {
	all, left := []string{pattern}, maxChoiceBytes
	for i := 0; i < len(all); {
		from, end := firstBraces(all[i])
		if from == end {
			i++
			continue
		}
		choices := expandFirst(all[i], from, end, &left)
		all = slices.Replace(all, i, i+1, choices...)
		if len(choices) == 0 || len(all) > maxChoices || left < 0 {
			return nil
		}
	}
	return all
}

// firstBraces returns the offsets of the first braces in pattern: pattern[from] is "{" and end is
// behind the matching "}". Without braces, both offsets are the length of pattern.
func firstBraces(pattern string) (from, end int) {
	for from < len(pattern) && pattern[from] != '{' {
		from += unitLen(pattern[from:])
	}
	return from, from + unitLen(pattern[from:])
}

// expandFirst returns one pattern for each choice in the braces pattern[from:end], or nil if the
// braces are not closed. It subtracts the bytes that it writes from left, and stops below 0.
func expandFirst(pattern string, from, end int, left *int) (all []string) {
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

// unitLen returns the length in bytes of the first unit of pattern. A unit is a byte, an escape
// such as "\*", a class such as "[a-z]", or braces with their content.
func unitLen(pattern string) int {
	var s scanner
	for i := 0; i < len(pattern); {
		if i = s.next(pattern, i); s.braces <= 0 && !s.inClass {
			return min(i, len(pattern))
		}
	}
	return len(pattern)
}

// A scanner reads a pattern from left to right. It counts the open braces and records whether it
// is inside a class such as "[a-z]".
type scanner struct {
	braces  int
	inClass bool
}

// next reads the byte or the escape at pattern[i] and returns the offset of the next unread byte.
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

// problemOf returns why doublestar rejects pattern, together with the correction, such as `ends
// in "\"; write "\\" for a backslash`. It returns "" for a valid pattern.
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
