package generator

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// PairKey returns what the name of an output file has in common with its other
// spellings: case, "a/index.html" and "a.html", composed and decomposed letters.
func PairKey(file string) string {
	key := strings.ToLower(norm.NFC.String(file))
	for _, ext := range []string{".html", ".htm", ".xhtml"} {
		if cut, ok := strings.CutSuffix(key, ext); ok {
			key = cut
			break
		}
	}
	if key == "index" {
		return ""
	}
	return strings.TrimSuffix(key, "/index")
}

const (
	none      = -1
	ambiguous = -2 // two on the other side could be meant
)

// Pair joins the files of a built tree, sorted and each once, with the outputs
// of content files and returns, for each page, the index of its output, or -1.
// An empty output is none. Equal names are a pair; of the rest, names with the
// same PairKey are. Where two on either side could be meant there is no pair.
func Pair(pages, outputs []string) []int32 {
	pairs, taken := slices.Repeat([]int32{none}, len(pages)), make([]bool, len(outputs))
	for i, out := range outputs {
		at, ok := slices.BinarySearch(pages, out)
		if !ok || out == "" {
			continue
		}
		switch first := pairs[at]; first {
		case none:
			pairs[at], taken[i] = int32(i), true
		case ambiguous:
		default:
			pairs[at], taken[first] = ambiguous, false
		}
	}
	pairKeys(pages, outputs, pairs, taken)
	for i, out := range pairs {
		pairs[i] = max(out, none)
	}
	return pairs
}

// pairKeys pairs what is left over by its key.
func pairKeys(pages, outputs []string, pairs []int32, taken []bool) {
	type pair struct{ output, page int32 }
	byKey := map[string]pair{}
	for i, out := range outputs {
		if out == "" || taken[i] {
			continue
		}
		k, left := PairKey(out), pair{int32(i), none}
		if _, twice := byKey[k]; twice {
			left.output = ambiguous
		}
		byKey[k] = left
	}
	for i, file := range pages {
		if len(byKey) == 0 || pairs[i] != none {
			continue
		}
		k := PairKey(file)
		switch p, ok := byKey[k]; {
		case !ok:
		case p.page != none: // a second page wants it
			pairs[p.page] = none
		default:
			pairs[i] = p.output
			byKey[k] = pair{p.output, int32(i)}
		}
	}
}
