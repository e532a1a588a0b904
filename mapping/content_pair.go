package mapping

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// PairKey returns what the name of an output file has in common with its other
// spellings: case, "a/index.html" and "a.html", composed and decomposed letters.
func PairKey(file string) string {
	key := file
	for i := range len(file) {
		if file[i] >= utf8.RuneSelf {
			key = norm.NFC.String(file)
			break
		}
	}
	key = strings.ToLower(key)
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

// Pair joins the files of a built tree with the outputs of content files and
// returns, for each page, the index of its output, or -1. An empty output is
// none. Equal names are a pair; of the rest, names with the same PairKey are.
// Where two on either side could be meant there is no pair.
func Pair(pages, outputs []string) []int32 {
	p := pairing{pairs: make([]int32, len(pages)), taken: make([]bool, len(outputs))}
	for i := range p.pairs {
		p.pairs[i] = -1
	}
	p.match(pages, outputs, func(s string) string { return s })
	p.match(pages, outputs, PairKey)
	for i, out := range p.pairs {
		p.pairs[i] = max(out, -1)
	}
	return p.pairs
}

type pairing struct {
	pairs []int32
	taken []bool // outputs that are paired, or ambiguous
}

// ambiguous marks a key that two outputs or two pages have.
const ambiguous = -2

// match pairs what is left over by a key.
func (p *pairing) match(pages, outputs []string, key func(string) string) {
	byKey := make(map[string]int32, len(outputs))
	for i, out := range outputs {
		if out == "" || p.taken[i] {
			continue
		}
		k := key(out)
		if _, twice := byKey[k]; twice {
			byKey[k] = ambiguous
			continue
		}
		byKey[k] = int32(i)
	}
	if len(byKey) > 0 {
		p.claim(pages, byKey, key)
	}
}

// claim gives each page left over the output of its key, and takes it back when
// a second page wants it.
func (p *pairing) claim(pages []string, byKey map[string]int32, key func(string) string) {
	owner := make(map[int32]int, len(byKey))
	for i, file := range pages {
		if p.pairs[i] != -1 {
			continue
		}
		out, ok := byKey[key(file)]
		switch {
		case !ok:
		case out == ambiguous:
			p.pairs[i] = ambiguous
		default:
			if first, twice := owner[out]; twice {
				p.pairs[first], p.pairs[i] = ambiguous, ambiguous
				continue
			}
			owner[out], p.pairs[i], p.taken[out] = i, out, true
		}
	}
}
