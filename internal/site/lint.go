package site

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/page"
)

// A linter adds the findings about a site as a whole to the findings of a Result.
type linter struct {
	*Result
	o        *Options
	findings *diag.Report
}

// Lint returns the findings of r, and findings about the site as a whole. Each element of causes is
// one mistake that leaves most pages out of the sitemap, or lists most pages under a wrong base
// URL. Mistakes that affect no more pages than limit allows are not in causes. If causes is not
// empty, Lint adds no findings about alternates.
func Lint(r *Result, limit MaxLoss) (findings *diag.Report, causes []MassProblem) {
	o := &r.World.Options
	l := &linter{r, o, &diag.Report{MaxKept: o.MaxKept}}
	l.findings.Merge(r.Findings)
	l.reportFileProblems()
	l.reportStalePages()
	l.reportForbiddenEngines()
	if o.Pages != nil && len(o.Versions.Names)+len(r.World.Versions) > 0 {
		l.reportVersions()
	}
	causes = l.findMassProblems(limit)
	if len(causes) == 0 {
		r.AlternateProblems.addFindings(l.findings)
	}
	if slices.Contains(r.Hits, 0) {
		l.reportUnusedRules()
	}
	if len(o.Languages) > 0 {
		l.reportEmptyLanguages()
	}
	if o.Pages != nil && o.Content != nil {
		l.setFindingSources()
	}
	return l.findings, causes
}

// setFindingSources sets Source of each finding about a page file to the position of the page's
// content file. It does not change a finding if the page has no content file, or if the finding is
// about a content file itself.
func (l *linter) setFindingSources() {
	l.findings.Each(func(d *diag.Diagnostic) {
		file, in := l.o.Pages.FindByDisplayName(d.Pos.File)
		if p := l.Page(file); in && p != nil && p.Content != nil {
			d.Source = l.World.ContentPos(p)
		}
	})
}

// maxShellPages is the maximum number of listed pages in a single-page application: its only page,
// a copy of it for unknown addresses, and perhaps one more page.
const maxShellPages = 3

// A pageCount counts the pages with one problem, and keeps the first of them.
type pageCount struct {
	first *Page
	more  int // pages after the first
}

func (c *pageCount) add(p *Page) {
	if c.first == nil {
		c.first = p
		return
	}
	c.more++
}

// othersText returns text about the counted pages after the first, such as ", and so are 4 other
// pages". It returns "" if there is only one page. kind is the noun in the singular, such as "other
// page".
func (c *pageCount) othersText(kind string) string {
	switch c.more {
	case 0:
		return ""
	case 1:
		return ", and so is 1 " + kind
	}
	return ", and so are " + diag.Count(c.more, kind)
}

// reportFileProblems reports pages that name a local server, files that are only a part of a page,
// and broken pages. Each kind gets one finding about all its files. It also reports a site that is
// a single-page application.
func (l *linter) reportFileProblems() {
	var local, part, broken pageCount
	for p := range l.FilePages() {
		own, rare := p.Facts.OwnReason, p.Facts.Rare()
		if rare.Local != "" {
			local.add(p)
		}
		switch {
		case own == page.Broken:
			broken.add(p)
		case own == page.Fragment && l.World.Included[p.File()] == nil && !rare.IsFragmentByName:
			part.add(p)
		case rare.Shell && p.Listed() && len(l.List) <= maxShellPages:
			l.findings.Add(diag.Notef(l.World.Pos(p), "single-page", "render the pages when the site is built; URLs that differ only after # are one page for crawlers",
				"the page has neither text nor links: a script adds its content, which crawlers may not find"))
		}
	}
	if local.first != nil {
		more := ""
		if local.more > 0 {
			more = "; so do " + diag.Count(local.more, "more page")
		}
		address := local.first.Facts.Rare().Local
		l.findings.Add(diag.Warnf(l.World.Pos(local.first), "local-address", "build the site for production before you publish it",
			"it names %s, as a development server writes addresses%s; they are read as %s", address, more, l.World.PartOf(local.first).Base).About(address))
	}
	if part.first != nil {
		l.findings.Add(diag.Notef(l.World.Pos(part.first), "page-fragment", "give pages a layout; exclude other files, or keep them out of the publish directory",
			"the file has no html, head, body or title and is left out as a part of a page%s", part.othersText("other file")))
	}
	if broken.first != nil {
		l.findings.Add(diag.Warnf(l.World.Pos(broken.first), "broken-page", "build the site again; was the disk full, or the build stopped?",
			"%s; the page is left out%s", broken.first.Facts.Rare().Note, broken.othersText("other broken page")))
	}
}

// reportStalePages adds one note about all listed pages that seem to remain from an earlier build.
func (l *linter) reportStalePages() {
	var stale pageCount
	for _, p := range l.List {
		if l.World.IsFromEarlierBuild(p) {
			stale.add(p)
		}
	}
	if stale.first == nil {
		return
	}
	l.findings.Add(diag.Notef(l.World.Pos(stale.first), "stale-page", "delete the publish directory before the next build",
		"an earlier build seems to have left the page: it has no content file and is older than the other pages%s", stale.othersText("other page")))
}

// reportForbiddenEngines adds one note for each major search engine that may not fetch some listed
// URLs because of robots.txt. Other search engines may fetch them.
func (l *linter) reportForbiddenEngines() {
	type forbidden struct {
		pos   diag.Pos
		first string
		urls  int
	}
	byEngine := map[string]forbidden{}
	for _, p := range l.List {
		for engine, pos := range l.World.PartOf(p).Hosting.ForbiddenEngines(p.Loc) {
			f, known := byEngine[engine]
			if !known {
				f = forbidden{pos: pos, first: p.Loc}
			}
			f.urls++
			byEngine[engine] = f
		}
	}
	for _, engine := range slices.Sorted(maps.Keys(byEngine)) {
		f := byEngine[engine]
		l.findings.Add(diag.Notef(f.pos, "robots-engine", "remove the line if "+engine+" may list them",
			"%s may not fetch %d of %s, first %s; they are listed for other search engines", engine, f.urls, diag.Count(len(l.List), "listed URL"), f.first).About(engine))
	}
}

// reportUnusedRules reports each rule that matches no page. As advice, the finding contains the URL
// path and the file of a listed page, in the form that rules match.
func (l *linter) reportUnusedRules() {
	hint := "urls matches the path of the URL below the base URL, files matches the path of the built file or of its content file"
	if len(l.List) > 0 {
		p := l.List[len(l.List)-1]
		hint = fmt.Sprintf("a page of the site has urls: %q and files: %q", cmp.Or(p.Facts.Path, l.World.URLPath(p)), p.File())
		if name := p.contentName(); name != "" && name != p.File() {
			hint += fmt.Sprintf(" or %q", name)
		}
	}
	for i, n := range l.Hits {
		if n == 0 {
			rule := l.o.Rules.At(i)
			l.findings.Add(diag.Warnf(rule.Pos, "unused-rule", hint, "rule %q matches no page", rule.Match).About(rule.Match))
		}
	}
}

// reportEmptyLanguages reports each language folder from the user's configuration that contains no
// page.
func (l *linter) reportEmptyLanguages() {
	used := map[string]bool{}
	for p := range l.FilePages() {
		if lang, _, ok := l.World.findLanguage(p.File()); ok {
			used[lang.Dir] = true
		}
	}
	for _, lang := range l.o.Languages {
		if used[lang.Dir] || lang.Pos.File == "" {
			continue
		}
		l.findings.Add(diag.Warnf(lang.Pos, "empty-language", "name the folder below the publish directory that contains the language's pages",
			"the folder %q of the language %s has no page", lang.Dir, lang.Code))
	}
}

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
			d.Message += fmt.Sprintf("; the same applies to %s of %s", links, diag.Count(k.count-1, "more page"))
		}
		findings.Add(d)
	}
}
