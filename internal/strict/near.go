package strict

import "strings"

// maxWordLen is the maximum length in bytes of the word a in EditDistance.
const maxWordLen = 200

// NearestWord returns the element of words that a misspelled word probably means. It returns "" if
// no element is similar enough. It ignores case, dashes, underscores and spaces.
func NearestWord(word string, words []string) string {
	word = normalizeWord(word)
	best, least := "", 1+max(1, len(word)/3)
	for _, other := range words {
		if n := EditDistance(word, normalizeWord(other), least); n < least {
			best, least = other, n
		}
	}
	return best
}

// normalizeWord returns s in lower case without dashes, underscores and spaces.
func normalizeWord(s string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "").Replace(s))
}

// EditDistance returns the number of edits that turn a into b. An edit inserts, deletes or changes
// one byte, or swaps two neighbouring bytes. If more than limit edits are needed, or if a is longer
// than 200 bytes, the result is some number greater than limit.
// See the restricted distance in https://en.wikipedia.org/wiki/Damerau%E2%80%93Levenshtein_distance
func EditDistance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit || len(a) > maxWordLen {
		return limit + 1
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
