package strict

import "strings"

// maxWordLen is the length of a word in bytes up to which words are compared.
const maxWordLen = 200

// NearestWord returns the word of a list that a misspelled one probably means, or "". It
// ignores case, dashes, underscores and blanks.
func NearestWord(word string, words []string) string {
	word = simplify(word)
	best, least := "", 1+max(1, len(word)/3)
	for _, other := range words {
		if n := EditDistance(word, simplify(other), least); n < least {
			best, least = other, n
		}
	}
	return best
}

func simplify(s string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "").Replace(s))
}

// EditDistance returns the number of edits that turn a into b. An edit inserts, deletes or changes
// a byte, or swaps two neighbouring bytes. If the number exceeds most, or a is longer than 200
// bytes, the result is greater than most. See the restricted distance in
// https://en.wikipedia.org/wiki/Damerau%E2%80%93Levenshtein_distance.
func EditDistance(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most || len(a) > maxWordLen {
		return most + 1
	}
	n := len(b) + 1
	last, row, next := make([]int, n), make([]int, n), make([]int, n)
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
