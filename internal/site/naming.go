package site

import (
	"slices"

	"github.com/sitewalk/sitewalk/sitemap"
)

// A naming is alternates as all pages name them that share them in memory. Whom
// they stand for is found out once for all of these pages.
type naming struct {
	alts   []sitemap.Alternate
	to     []meaning
	closed bool                // all pages that are named are listed, and name just this
	agreed []sitemap.Alternate // what these agree on, then
}

// A meaning is what an alternate stands for.
type meaning struct {
	page      *Page // in whatever spelling; nil: no page of the site
	bad       bool  // the language is none
	elsewhere bool  // it is on no host of the site
	excluded  bool  // there is no page, and the globs leave out what could be there
}

func (t *translator) meaning(a *sitemap.Alternate) (m meaning) {
	if m.bad = sitemap.CheckLang(a.Lang) != nil; m.bad {
		return m
	}
	p := t.world.Hosting(a.Href)
	if m.elsewhere = p == nil; !m.elsewhere {
		m.page = t.pageAt(a.Href, p)
		m.excluded = m.page == nil && t.world.excludes(p, a.Href)
	}
	return m
}

func (t *translator) meanings(alts []sitemap.Alternate) []meaning {
	var some [len(nobody)]meaning
	to := some[:0]
	for i := range alts {
		to = append(to, t.meaning(&alts[i]))
	}
	if len(to) <= len(nobody) && slices.Equal(to, nobody[:len(to)]) {
		return nobody[:len(to)]
	}
	return slices.Clone(to)
}

// nobody is what alternates stand for that name no page of the site: the same for
// all, as a site may have a million.
var nobody [16]meaning

// speaksAlone reports whether nobody but the page itself says what its alternates
// are.
func (t *translator) speaksAlone(r *Page) bool {
	said := t.said(r)
	return len(said) > 0 && r.Said.File != "" && len(r.rest().Alternates) > 0 && &said[0] == &r.Said.Rest.Alternates[0]
}

// naming returns what the page names, nil where others speak for it too.
func (t *translator) naming(r *Page) *naming {
	if t.namings == nil || !t.speaksAlone(r) {
		return nil
	}
	return t.namings[&r.Said.Rest.Alternates[0]]
}

// findNamings finds out whom the alternates stand for that listed pages name.
func (t *translator) findNamings() {
	t.namings = map[*sitemap.Alternate]*naming{}
	var all []*naming
	for _, r := range t.listed {
		if t.speaksAlone(r) && t.naming(r) == nil {
			n := &naming{alts: r.Said.Rest.Alternates}
			t.namings[&n.alts[0]], all = n, append(all, n)
		}
	}
	inParts(len(all), func(from, to int) (_ struct{}) {
		for _, n := range all[from:to] {
			n.to = t.meanings(n.alts)
			n.agreed, n.closed = t.closedGroup(n)
		}
		return
	})
}

// closedGroup returns what the pages that are named agree on, when all of them are
// listed and name just the same.
func (t *translator) closedGroup(n *naming) (alts []sitemap.Alternate, closed bool) {
	for i := range n.to {
		if to := n.to[i].page; to == nil || !to.Listed() || !t.speaksAlone(to) || &to.Said.Rest.Alternates[0] != &n.alts[0] {
			return nil, false
		}
	}
	alts = make([]sitemap.Alternate, len(n.alts))
	for i := range alts {
		alts[i] = sitemap.Alternate{Lang: n.alts[i].Lang, Href: n.to[i].page.Entry.Loc}
	}
	switch alts = sortAlternates(alts); {
	case len(alts) == 1:
		return nil, true
	case slices.Equal(alts, n.alts):
		return n.alts, true // one copy is enough
	}
	return alts, true
}

// has reports whether a page is named in a language.
func (n *naming) has(r *Page) bool {
	for i := range n.to {
		if n.to[i].page == r && n.alts[i].Lang != "x-default" {
			return true
		}
	}
	return false
}
