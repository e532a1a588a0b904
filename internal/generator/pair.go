package generator

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// PairKey returns a key for comparing output files. It is equal for files that probably belong to
// the same page, such as "a.html", "A.html" and "a/index.html". Composed and decomposed letters are
// equal.
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

// unpaired is the index that means "no match".
const unpaired = -1

// PairPages finds for each of pages, which are built files, the matching element of outputs, which
// are the expected output files of content files. It returns the indexes in outputs, or -1 for a
// page without a match. Equal paths match first, and then paths with the same PairKey. A key that
// occurs twice in pages or outputs matches nothing. An output of "" is unknown and matches nothing.
func PairPages(pages, outputs []string) (indexes []int32) {
	pairs, isPaired := slices.Repeat([]int32{unpaired}, len(pages)), make([]bool, len(outputs))
	pairByKey(func(name string) string { return name }, pages, outputs, pairs, isPaired)
	pairByKey(PairKey, pages, outputs, pairs, isPaired)
	return pairs
}

// pairByKey matches the pages and outputs that are not yet paired and have the same key. It updates
// pairs and isPaired.
func pairByKey(key func(string) string, pages, outputs []string, pairs []int32, isPaired []bool) {
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
