package site

import (
	"cmp"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// translate leaves every listed page the alternates that it and the others agree on, of
// those that are said of the pages, and returns what does not agree.
// See https://developers.google.com/search/docs/specialty/international/localized-versions.
func translate(w *World, pages *index, listed []*Page) *Gaps {
	t := newTranslator(w, pages, listed, func(r *Page) []sitemap.Alternate { return r.Entry.Alternates })
	agreed, gaps := t.agreeAll()
	for i, r := range listed {
		r.Entry.Alternates = agreed[i]
	}
	t.noteAbroad(&gaps)
	return &gaps
}

// A translator finds out which pages agree to be translations of each other. It
// writes to no page, so the order of pages makes no difference.
type translator struct {
	world     *World
	index     *index
	listed    List
	said      func(r *Page) []sitemap.Alternate // of the page's alternates, before anybody has agreed to it
	meant     map[*sitemap.Alternate][]meaning  // of alternates by the first one: pages share them in memory
	countries map[string]*country               // by language; nil until abroad is asked
}

// A meaning is what an alternate stands for.
type meaning struct {
	page      *Page // in any spelling; nil: no page of the site
	bad       bool  // the language is none
	elsewhere bool  // it is on no host of the site
	excluded  bool  // there is no page, and the globs leave out what could be there
}

func newTranslator(w *World, pages *index, listed []*Page, said func(r *Page) []sitemap.Alternate) *translator {
	return &translator{world: w, index: pages, listed: listed, said: said, meant: map[*sitemap.Alternate][]meaning{}}
}

// agreeAll returns for each listed page the alternates that others agree to, and what
// is wrong with the others.
func (t *translator) agreeAll() (agreed [][]sitemap.Alternate, g Gaps) {
	agreed = make([][]sitemap.Alternate, len(t.listed))
	shared := map[*sitemap.Alternate][]sitemap.Alternate{}
	var buf []sitemap.Alternate
	for i, r := range t.listed {
		said := t.said(r)
		if len(said) == 0 {
			continue
		}
		buf = t.agreement(buf, r, &g)
		if len(buf) == 0 {
			continue
		}
		known := shared[&said[0]]
		switch { // one copy is enough
		case slices.Equal(buf, said):
			agreed[i] = said
		case slices.Equal(buf, known):
			agreed[i] = known
		default:
			agreed[i] = slices.Clone(buf)
			shared[&said[0]] = agreed[i]
		}
	}
	return agreed, g
}

// alternatesMeant returns what is said of the page's alternates, and what each stands for.
func (t *translator) alternatesMeant(r *Page) ([]sitemap.Alternate, []meaning) {
	alts := t.said(r)
	if len(alts) == 0 {
		return nil, nil
	}
	if meant, known := t.meant[&alts[0]]; known {
		return alts, meant
	}
	meant, pages := make([]meaning, len(alts)), 0
	for i := range alts {
		meant[i] = t.meaningOf(&alts[i])
		if meant[i].page != nil {
			pages++
		}
	}
	if pages > 1 { // the other pages of the group need it again
		t.meant[&alts[0]] = meant
	}
	return alts, meant
}

func (t *translator) meaningOf(a *sitemap.Alternate) (m meaning) {
	if sitemap.CheckLang(a.Lang) != nil {
		return meaning{bad: true}
	}
	p := t.world.Hosting(a.Href)
	if p == nil {
		return meaning{elsewhere: true}
	}
	m.page = t.pageAt(a.Href, p)
	m.excluded = m.page == nil && t.world.excludes(p, a.Href)
	return m
}

// agreement returns the alternates of a page that others agree to. What it says alone
// is not for the sitemap. They take the place of those in alts.
func (t *translator) agreement(alts []sitemap.Alternate, r *Page, g *Gaps) []sitemap.Alternate {
	self, named := false, ""
	all, meant := t.alternatesMeant(r)
	alts = slices.Grow(alts[:0], len(all)+1)
	for i := range all {
		a, to := &all[i], &meant[i]
		if to.bad {
			t.gap(g, r, a, "bad-alternate", "write a language like de or pt-BR, or x-default", "an alternate is ignored: %v", sitemap.CheckLang(a.Lang))
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
	if len(alts) == 0 || len(alts) == 1 && alts[0].Href == r.Entry.Loc {
		return nil
	}
	return facts.SortAlternates(alts)
}

// partner returns the URL of the page that an alternate names, when that page
// is listed and names r in turn, and the language that it gives r; else "", and
// reports why.
func (t *translator) partner(g *Gaps, r *Page, a *sitemap.Alternate, to *meaning) (loc, back string) {
	other := to.page
	switch {
	case to.elsewhere && (r.Rules != nil && len(r.Rules.URL.Alternates) > 0 || r.Facts.File == ""):
		return a.Href, "" // the user's own word
	case to.elsewhere && t.abroad()[a.Lang].agreed():
		return a.Href, ""
	case to.elsewhere:
		t.gap(g, r, a, "alternate-elsewhere", "name the other site under sites, so that both are checked together", "its alternate for %s, %s, is on another host, so sitewalk cannot see whether it links back", a.Lang, a.Href)
	case other == nil && r.Facts.File == "":
		return a.Href, "" // where one page has no file, the other need not have one
	case other != nil && page.Reasons[other.Reason()].Meant, to.excluded: // on purpose
	case other == nil:
		t.gap(g, r, a, "alternate-missing", "fix the link, or publish the page", "its alternate for %s, %s, is not a page of the site", a.Lang, a.Href)
	case other.Reason() != page.Listed:
		t.gap(g, r, a, "alternate-out", "let both pages be indexable, or remove the link", "its alternate for %s, %s, is left out: %s", a.Lang, t.world.Pos(other).File, other.Reason())
	default:
		if back = t.linksBack(other, r); back != "" {
			return other.Entry.Loc, back
		}
		t.gap(g, r, a, "alternate-one-way", "link back from there, or remove the link", "its alternate for %s, %s, does not link back", a.Lang, t.world.Pos(other).File)
	}
	return "", ""
}

// pageAt returns the page at an address on the host of a part, in any spelling and scheme,
// or nil.
func (t *translator) pageAt(loc string, p *Part) *Page {
	return t.index.find(t.listed, p.Base.OwnScheme(loc))
}

// linksBack returns the language under which other names r as its alternate, ""
// when it does not; "x-default" only when it says no other.
func (t *translator) linksBack(other, r *Page) (lang string) {
	alts, to := t.alternatesMeant(other)
	for i := range alts {
		if l := alts[i].Lang; to[i].page == r && !to[i].bad && (lang == "" || lang == "x-default") {
			lang = l
		}
	}
	return lang
}

// gap notes an alternate of a page that does not count.
func (t *translator) gap(g *Gaps, r *Page, a *sitemap.Alternate, code, hint, format string, args ...any) {
	g.add(gapName{code, true, a.Lang}, a.Href, func() diag.Diagnostic {
		return diag.Warnf(t.world.Pos(r), code, hint, format, args...).About(a.Lang + " " + a.Href)
	})
}

// GapsOf returns what is wrong with the alternates of a listed page, of many in one language
// the first few.
func (r *Result) GapsOf(p *Page) (all diag.List) {
	if !p.Listed() {
		return nil
	}
	var g Gaps
	said := func(p *Page) []sitemap.Alternate { return r.World.FullEntry(p).Alternates }
	newTranslator(r.World, &index{world: r.World, pages: r.pages}, r.List, said).agreement(nil, p, &g)
	for _, k := range g.kinds {
		for _, t := range k.targets {
			all = append(all, t.finding)
		}
	}
	return all
}
