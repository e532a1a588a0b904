package glob

import (
	"slices"

	"github.com/bmatcuk/doublestar/v4"
)

const (
	maxChoices     = 256     // maximum number of patterns that one pattern with braces expands to
	maxChoiceBytes = 1 << 20 // maximum number of bytes written while one pattern is expanded, including intermediate patterns
)

// ExpandBraces expands every "{a,b}" in pattern. For example, "x{1,2}" gives "x1" and "x2". It
// returns nil if a brace is not closed, or if the expansion exceeds maxChoices or maxChoiceBytes.
func ExpandBraces(pattern string) []string {
	all, left := []string{pattern}, maxChoiceBytes
	for i := 0; i < len(all); {
		from, end := findFirstBraces(all[i])
		if from == end {
			i++
			continue
		}
		choices := expandBracesAt(all[i], from, end, &left)
		all = slices.Replace(all, i, i+1, choices...)
		if len(choices) == 0 || len(all) > maxChoices || left < 0 {
			return nil
		}
	}
	return all
}

// findFirstBraces returns the offsets of the first braces in pattern. pattern[from] is "{", and
// pattern[end-1] is the matching "}". If the braces are not closed, end is the length of pattern.
// If there are no braces, both offsets are the length of pattern.
func findFirstBraces(pattern string) (from, end int) {
	for from < len(pattern) && pattern[from] != '{' {
		from += lengthOfFirstUnit(pattern[from:])
	}
	return from, from + lengthOfFirstUnit(pattern[from:])
}

// expandBracesAt returns one pattern for each choice in the braces pattern[from:end]. *left is the
// number of bytes that may still be written; each choice costs the length of pattern. The result is
// nil if the braces are not closed, or if *left becomes negative before the last choice.
func expandBracesAt(pattern string, from, end int, left *int) (all []string) {
	begin := from + 1
	for at := begin; at < end && *left >= 0; at += lengthOfFirstUnit(pattern[at:]) {
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

// lengthOfFirstUnit returns the length in bytes of the first unit of pattern. A unit is a single
// byte, an escape such as "\*", a class such as "[a-z]", or braces with their content.
func lengthOfFirstUnit(pattern string) int {
	var s scanner
	for i := 0; i < len(pattern); {
		if i = s.readByteOrEscape(pattern, i); s.braces <= 0 && !s.inClass {
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

// readByteOrEscape reads the byte or the escape at pattern[i], and updates s. It returns the offset
// of the next byte.
func (s *scanner) readByteOrEscape(pattern string, i int) int {
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

// whyInvalid returns why pattern is invalid, and the correction, such as `ends in "\"; write "\\"
// for a backslash`. It returns "" for a valid pattern. In addition to the patterns that doublestar
// rejects, the empty pattern is invalid.
func whyInvalid(pattern string) string {
	switch {
	case pattern == "":
		return `is empty; write "**" for everything`
	case doublestar.ValidatePattern(pattern):
		return ""
	}
	var s scanner
	i := 0
	for i < len(pattern) {
		if i = s.readByteOrEscape(pattern, i); s.braces < 0 {
			return `has a "}" without "{"; write "\}" for the character itself`
		}
	}
	switch {
	case i > len(pattern): // the last byte is a backslash that escapes nothing
		return `ends in "\"; write "\\" for a backslash`
	case s.inClass:
		return `has a "[" without "]"; write "\[" for the character itself`
	case s.braces > 0:
		return `has a "{" without "}"; write "\{" for the character itself`
	}
	return `has an empty or impossible class such as "[]" or "[z-a]"; write "\[" for the character itself`
}
