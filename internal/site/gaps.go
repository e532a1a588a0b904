package site

import (
	"fmt"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
)

// Gaps counts ignored links of pages to translations or canonical pages. A site may have a million
// gaps of one kind, usually with one cause, so Gaps keeps only the first of each kind.
type Gaps struct {
	kinds []*gapKind // in the order of their first gaps
}

// A gapKind contains the gaps with the same problem.
type gapKind struct {
	problem string
	lang    string // of the alternates; "" for canonicals
	count   int
	first   diag.Diagnostic
}

// add counts a gap. It calls describe only for the first of a kind.
func (g *Gaps) add(problem, lang string, describe func() diag.Diagnostic) {
	i := slices.IndexFunc(g.kinds, func(k *gapKind) bool { return k.problem == problem && k.lang == lang })
	if i < 0 {
		i = len(g.kinds)
		g.kinds = append(g.kinds, &gapKind{problem: problem, lang: lang, first: describe()})
	}
	g.kinds[i].count++
}

// report reports the gaps except those with some problems, one finding for each kind.
func (g *Gaps) report(findings *diag.Report, except ...string) {
	for _, k := range g.kinds {
		if slices.Contains(except, k.problem) {
			continue
		}
		d, subject, links := k.first, k.problem, "the canonicals"
		if k.lang != "" {
			subject, links = k.problem+" "+k.lang, "the alternates for "+k.lang
		}
		if k.count > 1 {
			d.Subject = subject
			d.Message += fmt.Sprintf("; so it is with %s of %s", links, diag.Count(k.count-1, "more page"))
		}
		findings.Add(d)
	}
}
