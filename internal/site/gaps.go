package site

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// Gaps are links of pages to a translation or a canonical page that do not count. Those of
// one kind usually have one cause. Each kind is counted, and only its first targets are
// kept: a site may have a million.
type Gaps struct {
	kinds []*gapKind // in the order in which they were met
}

// A gapName tells kinds apart: what is wrong, and the language that it is about.
type gapName struct {
	what      string
	alternate bool
	lang      string // of an alternate
}

// String is what a baseline knows the kind by.
func (n gapName) String() string { return strings.TrimSuffix(n.what+" "+n.lang, " ") }

// A gapKind is all gaps of one kind.
type gapKind struct {
	name    gapName
	count   int
	targets []gapTarget // the first ones
	more    bool        // there are others
}

// A gapTarget is all gaps of one kind that name the same page, told as the first.
type gapTarget struct {
	to      string
	count   int
	finding diag.Diagnostic
}

// fewTargets is of how many targets the gaps of one kind are said one by one.
// More have one cause: a template that links what is not there.
const fewTargets = 3

// add notes a gap. It calls tell for those that are to be told.
func (g *Gaps) add(name gapName, to string, tell func() diag.Diagnostic) {
	i := slices.IndexFunc(g.kinds, func(k *gapKind) bool { return k.name == name })
	if i < 0 {
		i, g.kinds = len(g.kinds), append(g.kinds, &gapKind{name: name})
	}
	k := g.kinds[i]
	k.count++
	at := slices.IndexFunc(k.targets, func(t gapTarget) bool { return t.to == to })
	switch {
	case at >= 0:
		k.targets[at].count++
	case len(k.targets) < fewTargets:
		k.targets = append(k.targets, gapTarget{to, 1, tell()})
	default:
		k.more = true
	}
}

// Report reports gaps but for those of some kinds, once for all that name the same page,
// and once for all of a kind that name many.
func (g *Gaps) Report(report *diag.Report, but ...string) {
	for _, k := range g.kinds {
		if slices.Contains(but, k.name.what) {
			continue
		}
		if k.more {
			d := k.targets[0].finding
			d.Subject = k.name.String()
			d.Message += fmt.Sprintf("; so it is with %s of %s", k.others(), diag.Count(k.count-1, "more page"))
			report.Add(d)
			continue
		}
		for _, t := range k.targets {
			d := t.finding
			if n := t.count - 1; n > 0 {
				d.Message += "; the same holds for " + diag.Count(n, "more page")
			}
			report.Add(d)
		}
	}
}

// others names what those of other pages are.
func (k *gapKind) others() string {
	if k.name.alternate {
		return "the alternates for " + k.name.lang
	}
	return "the canonicals"
}

// Why a canonical link does not count: it names no page of the site. Many such
// ones mean another base URL.
const (
	Outside = "outside"
	Nowhere = "missing"
)

// drop notes a canonical link that does not count. The kind is why, in a word.
func (c *canonicalFinder) drop(r *Page, kind, target, why string) {
	c.Ignored.add(gapName{what: kind}, target, func() diag.Diagnostic {
		to := c.world.Canonical(r)
		return diag.Warnf(c.world.Pos(r), "canonical-ignored", "let the page name its own address, or that of the page it copies",
			"canonical %s is ignored: %s", to, why).About(to)
	})
}

// excludes reports whether pages.include and pages.exclude leave out the file that a URL most
// likely names.
func (w *World) excludes(p *Part, loc string) bool {
	file, ok := p.Base.Path(p.Base.OwnScheme(loc))
	if !ok || w.Options.Pages == nil || w.Options.Pages.Filter == nil {
		return false
	}
	switch file = file[1:]; {
	case file == "" || strings.HasSuffix(file, "/"):
		file += "index.html"
	case path.Ext(file) == "":
		file += ".html"
	}
	in, _ := w.Options.Pages.Filter.Why(p.inSite(file))
	return !in
}
