package generator

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// PairKey returns a key that is equal for different spellings of an output file, such as
// "a.html", "A.html" and "a/index.html". Composed and decomposed letters are also equal.
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

// unpaired is the index that means "no output file".
const unpaired = -1

// Pair matches the built files pages with outputs, the expected output files of content files. It
// returns the index in outputs for each page, or -1. An output of "" means that it is unknown.
// First, Pair matches equal paths, then paths with the same PairKey. A key that occurs twice
// matches nothing.
func Pair(pages, outputs []string) []int32 {
	pairs, isPaired := slices.Repeat([]int32{unpaired}, len(pages)), make([]bool, len(outputs))
	pairBy(func(name string) string { return name }, pages, outputs, pairs, isPaired)
	pairBy(PairKey, pages, outputs, pairs, isPaired)
	return pairs
}

// pairBy matches the remaining pages and outputs that have equal keys, and updates pairs and
// isPaired.
func pairBy(key func(string) string, pages, outputs []string, pairs []int32, isPaired []bool) {
	type fit struct{ output, page int32 } // indexes; page is unpaired until a page matches
	fits := map[string]fit{}
	for i, out := range outputs {
		if out == "" || isPaired[i] {
			continue
		}
		k := key(out)
		f := fit{int32(i), unpaired}
		if _, twice := fits[k]; twice {
			f.output = unpaired
		}
		fits[k] = f
	}
	for i, file := range pages {
		if len(fits) == 0 || pairs[i] != unpaired {
			continue
		}
		k := key(file)
		f, ok := fits[k]
		switch {
		case !ok || f.output == unpaired:
		case f.page != unpaired: // the key matches a second page, so it matches none
			pairs[f.page], isPaired[f.output] = unpaired, false
		default:
			pairs[i], isPaired[f.output] = f.output, true
			fits[k] = fit{f.output, int32(i)}
		}
	}
}
