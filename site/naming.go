package site

import (
	"slices"

	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A naming is alternates as all pages name them that share them in memory. Whom
// they stand for is found out once for all of these pages.
type naming struct {
	alts  []sitemap.Alternate
	to    []meaning
	group *group // what its own pages are given where all of them name just this; else nil
}

// A meaning is what an alternate stands for.
type meaning struct {
	page      *record // in whatever spelling; nil: no page of the site
	bad       bool    // the language is none
	elsewhere bool    // it is on no host of the site
	excluded  bool    // there is no page, and the globs leave out what could be there
}

func (f *fold) meaning(a *sitemap.Alternate) (m meaning) {
	if m.bad = sitemap.CheckLang(a.Lang) != nil; m.bad {
		return m
	}
	p := f.hosts(a.Href)
	if m.elsewhere = p == nil; !m.elsewhere {
		m.page = f.pageAt(a.Href, p)
		m.excluded = m.page == nil && f.excludes(p, a.Href)
	}
	return m
}

func (f *fold) meanings(alts []sitemap.Alternate) []meaning {
	var some [len(nobody)]meaning
	to := some[:0]
	for i := range alts {
		to = append(to, f.meaning(&alts[i]))
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
func (s *view) speaksAlone(r *record) bool {
	return r.File != "" && r.Rest != nil && len(r.Rest.Alternates) > 0 &&
		(r.set == nil || r.set.url.Alternates == nil) && (r.src == nil || r.src.says == nil) &&
		(r.from == 0 || s.givenAs(r).more == nil)
}

// naming returns what the page names, nil where others speak for it too.
func (f *fold) naming(r *record) *naming {
	if f.namings == nil || !f.speaksAlone(r) {
		return nil
	}
	return f.namings[&r.Rest.Alternates[0]]
}

// fewNamings is how many are found out at a time. Most of them are needed for no
// longer, and a site may have a million.
const fewNamings = 16 << 10

// findNamings finds out whom the alternates stand for that the listed pages name
// whose group is not known yet, and gives whole groups to their pages.
func (f *fold) findNamings() {
	f.namings = map[*sitemap.Alternate]*naming{}
	some := make([]*naming, 0, fewNamings)
	for _, r := range f.listed {
		if r.group == nil && f.speaksAlone(r) && f.naming(r) == nil {
			n := &naming{alts: r.Rest.Alternates}
			f.namings[&n.alts[0]], some = n, append(some, n)
		}
		if len(some) == fewNamings {
			f.mean(some)
			some = some[:0]
		}
	}
	f.mean(some)
}

// mean finds out whom namings stand for. What a whole group names needs no naming any
// more.
func (f *fold) mean(some []*naming) {
	inParts(len(some), func(from, to int) {
		for _, n := range some[from:to] {
			n.to = f.meanings(n.alts)
			n.group = f.closed(n)
		}
	})
	for _, n := range some {
		if n.group == nil || !n.group.whole {
			continue
		}
		for i := range n.to {
			n.to[i].page.group = n.group
		}
		delete(f.namings, &n.alts[0])
	}
}

// closed returns the group of the pages that are named, when all of them are
// listed and name just the same; else nil.
func (f *fold) closed(n *naming) *group {
	for i := range n.to {
		if to := n.to[i].page; to == nil || to.reason != page.Listed || !f.speaksAlone(to) || &to.Rest.Alternates[0] != &n.alts[0] {
			return nil
		}
	}
	alts, whole := make([]sitemap.Alternate, len(n.alts)), true
	for i := range alts {
		alts[i] = sitemap.Alternate{Lang: n.alts[i].Lang, Href: n.to[i].page.loc}
		whole = whole && alts[i] == n.alts[i] && n.has(n.to[i].page)
	}
	switch alts = sortAlternates(alts); {
	case len(alts) == 1:
		return unanswered
	case slices.Equal(alts, n.alts):
		alts = n.alts // one copy is enough
	}
	g := newGroup(alts)
	g.whole = whole
	return g
}

// has reports whether a page is named in a language.
func (n *naming) has(r *record) bool {
	for i := range n.to {
		if n.to[i].page == r && n.alts[i].Lang != "x-default" {
			return true
		}
	}
	return false
}
