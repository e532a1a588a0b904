package site

import (
	"fmt"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
)

// Gaps counts links of pages to translations or canonical pages that do not count. A site may
// have a million of one kind, usually with one cause, so only the first is kept.
type Gaps struct {
	kinds []*gapKind // in the order of their first gaps
}

// A gapKind is the gaps with the same problem.
type gapKind struct {
	name  string // the problem, and for an alternate its language
	links string // the links in words: "the canonicals"
	count int
	first diag.Diagnostic
}

// add counts a gap. It calls describe only for the first of a kind.
func (g *Gaps) add(name, links string, describe func() diag.Diagnostic) {
	i := slices.IndexFunc(g.kinds, func(k *gapKind) bool { return k.name == name })
	if i < 0 {
		i = len(g.kinds)
		g.kinds = append(g.kinds, &gapKind{name: name, links: links, first: describe()})
	}
	g.kinds[i].count++
}

// report reports the gaps except those of some kinds, one finding for each kind.
func (g *Gaps) report(findings *diag.Report, except ...string) {
	for _, k := range g.kinds {
		if slices.Contains(except, k.name) {
			continue
		}
		d := k.first
		if k.count > 1 {
			d.Subject = k.name
			d.Message += fmt.Sprintf("; so it is with %s of %s", k.links, diag.Count(k.count-1, "more page"))
		}
		findings.Add(d)
	}
}
