package glob

import (
	"bytes"
	"slices"
	"strings"
)

// mostChoices is how many choices the braces of a pattern may leave, and mostOpened how
// many bytes may be written on the way to these patterns.
const (
	mostChoices = 256
	mostOpened  = 1 << 20
)

// Choices returns a pattern for each choice that the braces of a pattern leave, or nil if
// there are more than 256 of them, or if braces are not closed.
func Choices(pattern string) []string {
	all, left := []string{pattern}, mostOpened
	for i := 0; i < len(all); {
		from, end := braces(all[i])
		if from == end {
			i++
			continue
		}
		choices := choicesOf(all[i], from, end, &left)
		if all = slices.Replace(all, i, i+1, choices...); len(choices) == 0 || len(all) > mostChoices || left < 0 {
			return nil
		}
	}
	return all
}

// braces returns where the first braces of a pattern begin and end.
func braces(pattern string) (from, end int) {
	for from < len(pattern) && pattern[from] != '{' {
		from += part(pattern[from:])
	}
	return from, from + part(pattern[from:])
}

// choicesOf returns a pattern with each choice of some braces in their place; none if
// they are not closed, or if no bytes are left.
func choicesOf(pattern string, from, end int, left *int) (all []string) {
	begin := from + 1
	for at := begin; at < end && *left >= 0; at += part(pattern[at:]) {
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

// texts returns what every match of a pattern without braces has in this order, with any
// bytes between, the first at its beginning.
func texts(pattern string) (all []string) {
	var text []byte
	for i := 0; i < len(pattern); {
		end := i + part(pattern[i:])
		switch c := pattern[i]; {
		case c == '\\':
			text = append(text, pattern[i+1:end]...)
		case strings.IndexByte("*?[", c) < 0:
			text = append(text, c)
		default:
			if strings.HasPrefix(pattern[i:], "**") {
				text = bytes.TrimSuffix(text, []byte("/")) // a/** matches a, too
			}
			all, text = append(all, string(text)), text[:0]
			if strings.HasPrefix(pattern[end:], "/") {
				end++ // **/a matches a, too
			}
		}
		i = end
	}
	return append(all, string(text))
}

// part returns how long the first part of a pattern is: a byte, an escape, a star, a
// class, or braces with all within.
func part(pattern string) (n int) {
	for d := range depths(pattern) {
		if n++; d.c == '\\' {
			n++
		}
		if d.braces == 0 && !d.class {
			break
		}
	}
	return n
}
