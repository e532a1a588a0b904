package site

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// translate gives every listed page the alternates that it and the others
// agree on: those that are said of the pages, else those of the configured languages,
// else those of the content tree. What does not agree is reported where that is asked.
// See https://developers.google.com/search/docs/specialty/international/localized-versions.
func translate(w *World, pages []Page, listed []*Page, reports bool, report *diag.Report) {
	t := newTranslator(w, pages, listed)
	t.said = func(r *Page) []sitemap.Alternate { return r.Entry.Alternates }
	agreed, gaps := t.agreeAll()
	for i, r := range listed {
		r.Entry.Alternates = agreed[i]
	}
	if reports {
		reportGaps(gaps.kinds, report)
	}
	if len(w.o.Languages) > 0 {
		groupBy(listed, func(r *Page) (m member, key string) {
			l, key, _ := w.language(r.Said.File)
			return member{r, l.Code, l.XDefault}, key
		})
		reportEmptyLanguages(w, report)
	}
	groupBy(listed, func(r *Page) (m member, key string) {
		code, key := w.translation(r)
		return member{Page: r, code: code}, key
	})
}

// A translator finds out which pages agree to be translations of each other. It
// writes to no page, so the order of pages makes no difference.
type translator struct {
	world             *World
	listed            []*Page
	said              func(r *Page) []sitemap.Alternate // of the page's alternates, before anybody has agreed to it
	byLoc, bySpelling *index
	unmoved           bool                           // there is one part, and each page is listed where its file is mapped
	namings           map[*sitemap.Alternate]*naming // by the first alternate
}

func newTranslator(w *World, pages []Page, listed []*Page) *translator {
	return &translator{
		world: w, listed: listed, byLoc: w.indexLocs(pages), bySpelling: w.indexSpellings(pages),
		unmoved: len(w.parts) == 1 && !slices.ContainsFunc(listed, (*Page).moved),
	}
}

// agreeAll returns for each listed page the alternates that others agree to, and what
// is wrong with the others.
func (t *translator) agreeAll() (agreed [][]sitemap.Alternate, all gaps) {
	t.findNamings()
	agreed = make([][]sitemap.Alternate, len(t.listed))
	for _, part := range inParts(len(t.listed), func(from, to int) *gaps {
		g := new(gaps)
		for i := from; i < to; i++ {
			agreed[i] = t.agree(t.listed[i], g)
		}
		return g
	}) {
		all.join(part)
	}
	return agreed, all
}

// agree returns the alternates of a page that others agree to. What it says alone is
// not for the sitemap.
func (t *translator) agree(r *Page, g *gaps) []sitemap.Alternate {
	n := t.naming(r)
	switch {
	case n == nil && len(t.said(r)) == 0:
		return nil
	case n != nil && n.closed && n.has(r):
		return n.agreed
	}
	alts := t.agreement(r, g)
	if len(alts) == 1 && alts[0].Href == r.Entry.Loc {
		return nil
	}
	return alts
}

// find returns the page that is listed at a URL, else the one that is mapped to it,
// or nil.
func (t *translator) find(loc string) *Page {
	mapped := t.byLoc.find(loc)
	if mapped != nil && mapped.Listed() && mapped.Entry.Loc == loc {
		return mapped
	}
	if i, ok := findLoc(t.listed, loc); ok {
		return t.listed[i]
	}
	return mapped
}

// alternatesMeant returns what is said of the page's alternates, and whom each stands for.
func (t *translator) alternatesMeant(r *Page) ([]sitemap.Alternate, []meaning) {
	if n := t.naming(r); n != nil {
		return n.alts, n.to
	}
	alts := t.said(r)
	return alts, t.meanings(alts)
}

func (t *translator) agreement(r *Page, g *gaps) []sitemap.Alternate {
	var alts []sitemap.Alternate
	self, named := false, ""
	all, meant := t.alternatesMeant(r)
	for i := range all {
		a, to := &all[i], &meant[i]
		if to.bad {
			t.gap(g, r, a, "bad-alternate", "write a language like de or pt-BR, or x-default", func() string {
				return fmt.Sprintf("an alternate is ignored: %v", sitemap.CheckLang(a.Lang))
			})
			continue
		}
		if to.page == r {
			self = self || a.Lang != "x-default"
			alts = append(alts, sitemap.Alternate{Lang: a.Lang, Href: r.Entry.Loc})
			continue
		}
		if other, back := t.partner(g, r, a, to); other != "" {
			alts = append(alts, sitemap.Alternate{Lang: a.Lang, Href: other})
			named = cmp.Or(named, back)
		}
	}
	if !self && len(alts) > 0 {
		named = cmp.Or(r.Lang(), named)
		if named != "" {
			alts = append(alts, sitemap.Alternate{Lang: named, Href: r.Entry.Loc})
		}
	}
	return sortAlternates(alts)
}

// partner returns the URL of the page that an alternate names, when that page
// is listed and names r in turn, and the language that it gives r; else "", and
// reports why.
func (t *translator) partner(g *gaps, r *Page, a *sitemap.Alternate, to *meaning) (loc, back string) {
	other := to.page
	switch {
	case to.elsewhere && (r.Rules != nil && len(r.Rules.URL.Alternates) > 0 || r.Said.File == ""):
		return a.Href, "" // the user's own word
	case to.elsewhere:
		t.gap(g, r, a, "alternate-elsewhere", "name the other site under sites, so that both can be held against each other", func() string {
			return fmt.Sprintf("its alternate for %s, %s, is on another host, where it cannot be seen whether it links back", a.Lang, a.Href)
		})
	case other == nil && r.Said.File == "":
		return a.Href, "" // where one page has no file, the other need not have one
	case other != nil && unwanted(other), to.excluded: // on purpose
	case other == nil:
		t.gap(g, r, a, "alternate-missing", "mend the link, or publish the page", func() string {
			return fmt.Sprintf("its alternate for %s, %s, is no page of the site", a.Lang, a.Href)
		})
	case other.Reason() != page.Listed:
		t.gap(g, r, a, "alternate-out", "let both pages be indexable, or remove the link", func() string {
			return fmt.Sprintf("its alternate for %s, %s, is left out: %s", a.Lang, t.world.Pos(other).File, other.Reason())
		})
	default:
		if back = t.linksBack(other, r); back != "" {
			return other.Entry.Loc, back
		}
		t.gap(g, r, a, "alternate-one-way", "link back from there, or remove the link", func() string {
			return fmt.Sprintf("its alternate for %s, %s, does not link back", a.Lang, t.world.Pos(other).File)
		})
	}
	return "", ""
}

// pageAt returns the page that an address on the host of a part stands for, in
// whatever spelling and scheme, or nil.
func (t *translator) pageAt(loc string, p *Part) *Page {
	loc = p.Base.OwnScheme(loc)
	urlPath, below := p.Base.Path(loc)
	if !below {
		return t.find(loc)
	}
	near := t.bySpelling.find(mapping.Spelling(urlPath))
	switch {
	case t.unmoved && near == nil: // so has what is mapped to it that spelling
		return nil
	case t.unmoved && near.Reason() == page.Listed && near.Entry.Loc == loc:
		return near
	}
	if r := t.find(loc); r != nil {
		return r
	}
	if near != nil && t.world.PartOf(near) == p {
		return near
	}
	return nil
}

// linksBack returns the language under which other names r as its alternate, ""
// when it does not; "x-default" only when it says no other.
func (t *translator) linksBack(other, r *Page) (lang string) {
	alts, to := t.alternatesMeant(other)
	for i := range alts {
		if l := alts[i].Lang; to[i].page == r && isLang(l) && (lang == "" || lang == "x-default") {
			lang = l
		}
	}
	return lang
}

// gap notes an alternate of a page that does not count.
func (t *translator) gap(g *gaps, r *Page, a *sitemap.Alternate, code, hint string, message func() string) {
	g.add(gapName{code, true, a.Lang}, a.Href, func() diag.Diagnostic {
		return diag.Diagnostic{
			Pos: t.world.Pos(r), Severity: diag.Warning, Code: code, Subject: a.Lang + " " + a.Href, Message: message(), Hint: hint,
		}
	})
}

// translator returns one that asks what was said of the alternates of the pages of a
// result.
func (r *Result) translator() *translator {
	t := newTranslator(r.World, r.pages, r.List.pages)
	t.said = func(p *Page) []sitemap.Alternate { return r.World.Said(p).Alternates }
	return t
}

// Gaps returns what is wrong with the alternates of a listed page.
func (r *Result) Gaps(p *Page) diag.List {
	if !p.Listed() {
		return nil
	}
	g := gaps{each: true}
	r.translator().agreement(p, &g)
	return g.all
}
