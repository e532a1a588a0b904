package generator

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// PairKey returns a key for comparing output files. Files that probably belong to the same page
// have the same key, such as "a.html", "A.html" and "a/index.html". The key does not depend on the
// Unicode normalization form of the file name.
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

// unpaired is the index of a built page or an expected path without a match.
const unpaired = -1

// PairPages matches built pages with content files. expected contains the output file that each
// content file should have, or "" if unknown. For each built page, indexes contains the index of
// the matching path in expected, or -1 if there is none.
//
// There are three steps. First, equal paths match, then paths with the same PairKey, then paths
// with the same undatedKey. Each step compares only pages and paths without a match. If several
// pages or several paths have the same key, none of them matches in this step.
//
// In the last step, undated(i) replaces expected[i]. It is the result of Mapping.UndatedOutput for
// the same content file. Jekyll and Hexo need this step. They give a draft without a date the time
// of its file. With some time zones, Hexo writes a post into the folder of a neighboring day.
func PairPages(built, expected []string, undated func(i int) string) (indexes []int32) {
	pairs, isPaired := slices.Repeat([]int32{unpaired}, len(built)), make([]bool, len(expected))
	pairByKey(func(name string) string { return name }, built, expected, pairs, isPaired)
	pairByKey(PairKey, built, expected, pairs, isPaired)
	rest := make([]string, len(expected))
	for i := range rest {
		if !isPaired[i] {
			rest[i] = undated(i)
		}
	}
	pairByKey(undatedKey, built, rest, pairs, isPaired)
	return pairs
}

// undatedKey returns a key for comparing output files. Files have the same key if they differ only
// in the numbers or dates at the beginning of folder and file names: "0/0/0/a" for
// "2024/01/02/a.html" and "0/0/0/a.html".
func undatedKey(file string) string {
	parts := strings.Split(PairKey(file), "/")
	for i, part := range parts {
		if rest := strings.TrimLeft(part, "0123456789-_."); rest != part {
			parts[i] = "0" + rest
		}
	}
	return strings.Join(parts, "/")
}

// pairByKey matches built pages with expected paths that have the same key. It skips pages and
// paths that already have a match. It updates pairs, the index in expected for each built page, and
// isPaired, which is true for each expected path with a match.
func pairByKey(key func(string) string, built, expected []string, pairs []int32, isPaired []bool) {
	type fit struct{ expected, built int32 } // indexes; built is unpaired until a page matches
	fits := map[string]fit{}
	for i, out := range expected {
		if out == "" || isPaired[i] {
			continue
		}
		k := key(out)
		f := fit{int32(i), unpaired}
		if _, twice := fits[k]; twice {
			f.expected = unpaired
		}
		fits[k] = f
	}
	for i, file := range built {
		if len(fits) == 0 || pairs[i] != unpaired {
			continue
		}
		k := key(file)
		f, ok := fits[k]
		switch {
		case !ok || f.expected == unpaired:
		case f.built != unpaired: // the key matches a second page, so it matches none
			pairs[f.built], isPaired[f.expected] = unpaired, false
		default:
			pairs[i], isPaired[f.expected] = f.expected, true
			fits[k] = fit{f.expected, int32(i)}
		}
	}
}
