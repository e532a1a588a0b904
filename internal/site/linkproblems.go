package site

import (
	"fmt"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
)

// LinkProblems counts alternates and canonical links that have a problem, such as links to a
// missing page. It keeps only the first finding for each problem and language, because one mistake
// may cause a million such links.
type LinkProblems struct {
	counts []*problemCount // in the order of their first links
}

// A problemCount counts the links with one problem and language, such as "alternate-missing" and
// "de".
type problemCount struct {
	problem string // "alternate-missing"
	lang    string // language of the alternates, "de"; "" for canonical links
	count   int
	first   diag.Diagnostic // finding about the first link
}

// countLink counts one link with the given problem. lang is the language of an alternate, or "" for
// a canonical link. countLink calls describe only for the first link with this problem and
// language.
func (l *LinkProblems) countLink(problem, lang string, describe func() diag.Diagnostic) {
	i := slices.IndexFunc(l.counts, func(k *problemCount) bool { return k.problem == problem && k.lang == lang })
	if i < 0 {
		i = len(l.counts)
		l.counts = append(l.counts, &problemCount{problem: problem, lang: lang, first: describe()})
	}
	l.counts[i].count++
}

// addFindings adds one finding for each problem and language to findings. It leaves out the
// problems in skippedProblems.
func (l *LinkProblems) addFindings(findings *diag.Report, skippedProblems ...string) {
	for _, k := range l.counts {
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
