package generator

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// PairKey returns the common part of the spellings of an output file: without case, as
// "a/index.html" and "a.html", with composed or decomposed letters.
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

// unpaired is the index for a page without an output.
const unpaired = -1

// Pair joins the files of a built tree with the outputs of content files. It returns the index
// of the output of each page, or -1. An empty output has no page. Equal names are a pair, and
// then names with the same PairKey. If two outputs or two pages fit, there is no pair.
func Pair(pages, outputs []string) []int32 {
	pairs, isPaired := slices.Repeat([]int32{unpaired}, len(pages)), make([]bool, len(outputs))
	pairBy(func(name string) string { return name }, pages, outputs, pairs, isPaired)
	pairBy(PairKey, pages, outputs, pairs, isPaired)
	return pairs
}

// pairBy pairs the remaining pages and outputs with equal keys.
func pairBy(key func(string) string, pages, outputs []string, pairs []int32, isPaired []bool) {
	type fit struct{ output, page int32 } // none: no page so far
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
		case f.page != unpaired: // a second page
			pairs[f.page], isPaired[f.output] = unpaired, false
		default:
			pairs[i], isPaired[f.output] = f.output, true
			fits[k] = fit{f.output, int32(i)}
		}
	}
}
