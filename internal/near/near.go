// Package near finds the word that a misspelled one most likely means.
package near

import "strings"

// longest is how many bytes of a word are worth comparing.
const longest = 200

// Word returns the word of a list that a misspelled one most likely means, or "".
// Case, dashes, underscores and blanks make no difference.
func Word(word string, words []string) string {
	word = skeleton(word)
	best, least := "", 1+max(1, len(word)/3)
	for _, other := range words {
		if n := Distance(word, skeleton(other), least); n < least {
			best, least = other, n
		}
	}
	return best
}

func skeleton(s string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "").Replace(s))
}

// Distance is how many bytes are to be put in, taken away, changed, or swapped with
// the next to make one word of the other, or more than most. A word of more than 200
// bytes is like no other.
// https://en.wikipedia.org/wiki/Damerau%E2%80%93Levenshtein_distance, the restricted one.
func Distance(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most || len(a) > longest {
		return most + 1
	}
	n := len(b) + 1
	rows := make([]int, 3*n)
	last, row, next := rows[:n], rows[n:2*n], rows[2*n:]
	for i := range row {
		row[i] = i
	}
	for i := range len(a) {
		next[0] = i + 1
		for k := range len(b) {
			d := row[k]
			if a[i] != b[k] {
				d++
			}
			if i > 0 && k > 0 && a[i] == b[k-1] && a[i-1] == b[k] {
				d = min(d, last[k-1]+1)
			}
			next[k+1] = min(d, row[k+1]+1, next[k]+1)
		}
		last, row, next = row, next, last
	}
	return row[n-1]
}
