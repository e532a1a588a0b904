package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
)

// Findings prints the first of each code, or all, and how many more there are;
// a quiet printer prints errors only. What is wrong with the lines of one file
// comes in their order.
func (p *Printer) Findings(kinds []diag.Kind, all bool) {
	kinds = slices.Clone(kinds)
	more := map[string]int{}
	for i, k := range kinds {
		if more[k.Code] = k.Count - len(k.List); !all {
			kinds[i].List, more[k.Code] = fold(k)
		}
	}
	files, kinds := splitMixed(kinds)
	for _, l := range files {
		p.list(l)
	}
	for _, k := range kinds {
		p.list(k.List)
		if n := more[k.Code]; n > 0 && (!p.Quiet || k.Severity == diag.Error) {
			p.line(fmt.Sprintf("%s%s more of [%s]; -v prints all", prefix, diag.Number(n), diag.Plain(k.Code)))
		}
	}
}

// fewAlike is how many findings of one cause, or with the same message, are printed one by
// one.
const fewAlike = 3

// fold returns the findings of one code that are printed, and how many more there are. Of
// many that have one cause or say the same it returns the first, and of more warnings than a
// report keeps a few.
func fold(k diag.Kind) (out diag.List, more int) {
	same := map[string]int{}
	for _, d := range k.List {
		same[cmp.Or(d.Cause, d.Message)]++
	}
	most := diag.Kept
	if k.Count > diag.Kept && k.Severity < diag.Error {
		most = fewAlike
	}
	told := 0
	for _, d := range k.List {
		cause := cmp.Or(d.Cause, d.Message)
		n := same[cause]
		if n == 0 || len(out) == most {
			continue
		}
		if told++; n > fewAlike {
			n = max(n, k.Alike(d.Cause))
			d.Message += "; the same in " + diag.Count(n-1, "more place")
			same[cause], told = 0, told+n-1
		}
		out = append(out, d)
	}
	return out, k.Count - told
}

// list prints findings, and what to do about them below the last of those that
// share it.
func (p *Printer) list(l diag.List) {
	if p.Quiet {
		l = slices.DeleteFunc(slices.Clone(l), func(d diag.Diagnostic) bool { return d.Severity < diag.Error })
	}
	for i, d := range l {
		p.finding(d)
		if d.Hint != "" && (i+1 == len(l) || l[i+1].Hint != d.Hint) {
			p.line("    hint: " + diag.Plain(d.Hint))
		}
	}
}

// splitMixed takes the findings about lines of files that have several kinds of them
// out of the kinds.
func splitMixed(kinds []diag.Kind) (files []diag.List, rest []diag.Kind) {
	first, mixed := map[string]string{}, map[string]bool{} // the kind of the first, by file; files that have others
	lined := func(d diag.Diagnostic) bool { return d.Pos.File != "" && d.Pos.Line > 0 }
	for _, k := range kinds {
		for _, d := range k.List {
			if lined(d) {
				first[d.Pos.File] = cmp.Or(first[d.Pos.File], k.Code)
				mixed[d.Pos.File] = first[d.Pos.File] != k.Code
			}
		}
	}
	byFile := map[string]diag.List{}
	for _, k := range kinds {
		before := len(k.List)
		k.List = slices.DeleteFunc(slices.Clone(k.List), func(d diag.Diagnostic) bool {
			apart := lined(d) && mixed[d.Pos.File]
			if apart {
				byFile[d.Pos.File] = append(byFile[d.Pos.File], d)
			}
			return apart
		})
		if k.Count -= before - len(k.List); k.Count > 0 {
			rest = append(rest, k)
		}
	}
	for _, file := range slices.Sorted(maps.Keys(byFile)) {
		files = append(files, byFile[file].Sorted())
	}
	return files, rest
}
