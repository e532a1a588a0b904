package site

import (
	"fmt"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
)

// Gaps counts alternates and canonical links that have a problem, such as links to a missing page.
// It keeps only the first finding for each problem and language, because one mistake may cause a
// million such links.
type Gaps struct {
	kinds []*gapKind // in the order of their first links
}

// A gapKind counts the links that have the same problem and language.
type gapKind struct {
	problem string // "alternate-missing"
	lang    string // language of the alternates, "de"; "" for canonical links
	count   int
	first   diag.Diagnostic // finding about the first link
}

// countLink counts one link with the given problem. lang is the language of an alternate, or "" for
// a canonical link. countLink calls describe only for the first link with this problem and
// language.
func (g *Gaps) countLink(problem, lang string, describe func() diag.Diagnostic) {
	i := slices.IndexFunc(g.kinds, func(k *gapKind) bool { return k.problem == problem && k.lang == lang })
	if i < 0 {
		i = len(g.kinds)
		g.kinds = append(g.kinds, &gapKind{problem: problem, lang: lang, first: describe()})
	}
	g.kinds[i].count++
}

// addFindings adds one finding for each problem and language to findings. It leaves out the
// problems in skippedProblems.
func (g *Gaps) addFindings(findings *diag.Report, skippedProblems ...string) {
	for _, k := range g.kinds {
		if slices.Contains(skippedProblems, k.problem) {
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
