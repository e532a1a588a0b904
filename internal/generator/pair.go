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

// Pair joins the files of a built tree, sorted and each once, with the outputs
// of content files and returns, for each page, the index of its output, or -1.
// An empty output is none. Equal names are a pair; of the rest, names with the
// same PairKey are. Where two on either side could be meant there is no pair.
func Pair(pages, outputs []string) []int32 {
	p := pairing{pairs: make([]int32, len(pages)), taken: make([]bool, len(outputs))}
	for i := range p.pairs {
		p.pairs[i] = -1
	}
	p.matchEqual(pages, outputs)
	p.matchKeys(pages, outputs)
	for i, out := range p.pairs {
		p.pairs[i] = max(out, -1)
	}
	return p.pairs
}

type pairing struct {
	pairs []int32
	taken []bool // outputs that are paired
}

// ambiguous marks a key that two outputs or two pages have.
const ambiguous = -2

// matchEqual pairs equal names. Content files come in an order much like that
// of their pages, so that the next name is seldom far from the last.
func (p *pairing) matchEqual(pages, outputs []string) {
	at, ok := 0, false
	for i, out := range outputs {
		if out == "" {
			continue
		}
		if at, ok = seek(pages, out, at); !ok {
			continue
		}
		switch first := p.pairs[at]; first {
		case -1:
			p.pairs[at], p.taken[i] = int32(i), true
		case ambiguous:
		default:
			p.pairs[at], p.taken[first] = ambiguous, false
		}
	}
}

// seek returns where a name is in a sorted list, or belongs, searching from at.
func seek(list []string, name string, at int) (i int, ok bool) {
	from, to := 0, at
	if at < len(list) && list[at] <= name {
		step := 1
		for from = at; from+step < len(list) && list[from+step] <= name; step *= 2 {
			from += step
		}
		to = min(from+step, len(list))
	}
	i, ok = slices.BinarySearch(list[from:to], name)
	return from + i, ok
}

// matchKeys pairs what is left over by its key.
func (p *pairing) matchKeys(pages, outputs []string) {
	byKey := map[string]int32{}
	for i, out := range outputs {
		if out == "" || p.taken[i] {
			continue
		}
		k := PairKey(out)
		if _, twice := byKey[k]; twice {
			byKey[k] = ambiguous
			continue
		}
		byKey[k] = int32(i)
	}
	if len(byKey) > 0 {
		p.claim(pages, byKey)
	}
}

// claim gives each page left over the output of its key, and takes it back when
// a second page wants it.
func (p *pairing) claim(pages []string, byKey map[string]int32) {
	owner := make(map[int32]int, len(byKey))
	for i, file := range pages {
		if p.pairs[i] != -1 {
			continue
		}
		out, ok := byKey[PairKey(file)]
		switch {
		case !ok:
		case out == ambiguous:
			p.pairs[i] = ambiguous
		default:
			if first, twice := owner[out]; twice {
				p.pairs[first], p.pairs[i] = ambiguous, ambiguous
				continue
			}
			owner[out], p.pairs[i] = i, out
		}
	}
}
