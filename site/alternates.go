package site

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A group is the translations of pages as their entries name them. Pages that name
// the same ones share it.
type group struct {
	alts  []sitemap.Alternate
	right bool // nothing of them may not be written
	whole bool // each page that is named has this group, and is named as it is listed
}

func newGroup(alts []sitemap.Alternate) *group {
	g, u := &group{alts: alts, right: true}, sitemap.URL{Alternates: alts}
	u.Check(func(_, _, _ string) { g.right = false })
	return g
}

// translations returns those that the page's entry names.
func (r *record) translations() []sitemap.Alternate {
	if r.group == nil {
		return nil
	}
	return r.group.alts
}

// translate gives every listed page the alternates that it and the others
// agree on: those of the HTML heads, else those of the configured languages,
// else those of the content tree.
// See https://developers.google.com/search/docs/specialty/international/localized-versions.
func (f *fold) translate() {
	f.headGroups()
	if len(f.collapses) == 0 { // which are the cause
		f.gaps.say(f)
	}
	f.declaredGroups()
	f.sourceGroups()
}

// find returns the page that is listed at a URL, else the one that is mapped to it,
// or nil.
func (f *fold) find(loc string) *record {
	mapped := f.at(loc)
	if mapped != nil && mapped.reason == page.Listed && mapped.loc == loc {
		return mapped
	}
	if i, ok := findLoc(f.byURL, loc); ok {
		return f.byURL[i]
	}
	return mapped
}

// headGroups keeps of each page's own alternates those that link back.
func (f *fold) headGroups() {
	f.byURL = f.listed
	f.unmoved = len(f.parts) == 1 && !slices.ContainsFunc(f.listed, func(r *record) bool { return r.moved || r.File == "" })
	f.findNamings()
	stretches(f, f.listed, (*fold).agree)
	f.namings = nil
}

// unanswered is the group of a page whose own alternates nobody has agreed to: what it
// says alone is not for the sitemap.
var unanswered = &group{right: true}

// agree gives pages the alternates that others agree to.
func (f *fold) agree(pages []*record) {
	for _, r := range pages {
		if r.group != nil {
			continue // that of a whole group
		}
		n := f.naming(r)
		switch {
		case n == nil && len(f.alternates(r)) == 0:
			continue
		case n != nil && n.group != nil && n.has(r):
			r.group = n.group
			continue
		}
		alts := f.agreement(r)
		if r.group = unanswered; len(alts) > 1 || len(alts) == 1 && alts[0].Href != r.loc {
			r.group = newGroup(alts)
		}
	}
}

// alternates returns what is said of the page's alternates, before anybody has
// agreed to it.
func (f *fold) alternates(r *record) []sitemap.Alternate {
	if f.speaksAlone(r) {
		return r.Rest.Alternates
	}
	if !f.extended(r) {
		return nil
	}
	var u sitemap.URL
	f.url(r, &u)
	return u.Alternates
}

// alternatesMeant returns what is said of the page's alternates, and whom each stands for.
func (f *fold) alternatesMeant(r *record) ([]sitemap.Alternate, []meaning) {
	if n := f.naming(r); n != nil {
		return n.alts, n.to
	}
	alts := f.alternates(r)
	return alts, f.meanings(alts)
}

func (f *fold) agreement(r *record) []sitemap.Alternate {
	var alts []sitemap.Alternate
	self, named := false, ""
	all, meant := f.alternatesMeant(r)
	for i := range all {
		a, to := &all[i], &meant[i]
		if to.bad {
			f.alternate(r, a, "bad-alternate", "write a language like de or pt-BR, or x-default", func() string {
				return fmt.Sprintf("an alternate is ignored: %v", sitemap.CheckLang(a.Lang))
			})
			continue
		}
		if to.page == r {
			self = self || a.Lang != "x-default"
			alts = append(alts, sitemap.Alternate{Lang: a.Lang, Href: r.loc})
			continue
		}
		if other, back := f.partner(r, a, to); other != "" {
			alts = append(alts, sitemap.Alternate{Lang: a.Lang, Href: other})
			named = cmp.Or(named, back)
		}
	}
	if !self && len(alts) > 0 {
		named = cmp.Or(r.lang(), named)
		if named != "" {
			alts = append(alts, sitemap.Alternate{Lang: named, Href: r.loc})
		}
	}
	return sortAlternates(alts)
}

// partner returns the URL of the page that an alternate names, when that page
// is listed and names r in turn, and the language that it gives r; else "", and
// reports why.
func (f *fold) partner(r *record, a *sitemap.Alternate, to *meaning) (loc, back string) {
	other := to.page
	switch {
	case to.elsewhere && (r.set != nil && len(r.set.url.Alternates) > 0 || r.File == ""):
		return a.Href, "" // the user's own word
	case to.elsewhere:
		f.alternate(r, a, "alternate-elsewhere", "name the other site under sites, so that both can be held against each other", func() string {
			return fmt.Sprintf("its alternate for %s, %s, is on another host, where it cannot be seen whether it links back", a.Lang, a.Href)
		})
	case other == nil && r.File == "":
		return a.Href, "" // where one page has no file, the other need not have one
	case other != nil && unwanted(other), to.excluded: // on purpose
	case other == nil:
		f.alternate(r, a, "alternate-missing", "mend the link, or publish the page", func() string {
			return fmt.Sprintf("its alternate for %s, %s, is no page of the site", a.Lang, a.Href)
		})
	case other.reason != page.Listed:
		f.alternate(r, a, "alternate-out", "let both pages be indexable, or remove the link", func() string {
			return fmt.Sprintf("its alternate for %s, %s, is left out: %s", a.Lang, f.pos(other).File, other.reason)
		})
	default:
		if back = f.linksBack(other, r); back != "" {
			return other.loc, back
		}
		f.alternate(r, a, "alternate-one-way", "link back from there, or remove the link", func() string {
			return fmt.Sprintf("its alternate for %s, %s, does not link back", a.Lang, f.pos(other).File)
		})
	}
	return "", ""
}

// pageAt returns the page that an address on the host of a part stands for, in
// whatever spelling and scheme, or nil.
func (f *fold) pageAt(loc string, p *part) *record {
	loc = p.Base.OwnScheme(loc)
	urlPath, below := p.Base.Path(loc)
	if !below {
		return f.find(loc)
	}
	near := f.atSpelling(urlPath)
	switch {
	case f.unmoved && near == nil: // so has what is mapped to it that spelling
		return nil
	case f.unmoved && near.reason == page.Listed && near.loc == loc:
		return near
	}
	if r := f.find(loc); r != nil {
		return r
	}
	if near != nil && f.part(near) == p {
		return near
	}
	return nil
}

// linksBack returns the language under which other names r as its alternate, ""
// when it does not; "x-default" only when it says no other.
func (f *fold) linksBack(other, r *record) (lang string) {
	alts, to := f.alternatesMeant(other)
	for i := range alts {
		if l := alts[i].Lang; to[i].page == r && isLang(l) && (lang == "" || lang == "x-default") {
			lang = l
		}
	}
	return lang
}

// declaredGroups joins the pages of the configured language folders by the
// rest of their path.
func (f *fold) declaredGroups() {
	if len(f.o.Languages) == 0 {
		return
	}
	f.groupBy(func(r *record) (m member, key string) {
		l, key, _ := f.language(r.File)
		return member{r, l.Code, l.XDefault}, key
	})
	f.emptyLanguages()
}

// A member is a page as one of a group of translations.
type member struct {
	*record
	code     string // tag of its language
	xdefault bool   // it is for readers of no listed language, too
}

// groupBy makes groups of the pages that have none and share a key; "" is none.
func (f *fold) groupBy(keyed func(r *record) (m member, key string)) {
	byKey := map[string][]member{}
	for _, r := range f.listed {
		if r.translations() != nil {
			continue
		}
		if m, key := keyed(r); key != "" {
			byKey[key] = append(byKey[key], m)
		}
	}
	for _, ms := range byKey {
		makeGroup(ms)
	}
}

// emptyLanguages reports configured folders that hold no page at all.
func (f *fold) emptyLanguages() {
	used := map[string]bool{}
	for _, p := range f.pages {
		if l, _, ok := f.language(p.File); ok {
			used[l.Dir] = true
		}
	}
	for _, l := range f.o.Languages {
		if used[l.Dir] || l.Pos.File == "" {
			continue
		}
		f.report.Add(diag.Warnf(l.Pos, "empty-language", "name the folder below the publish directory that holds the language's pages",
			"the folder %q of the language %s holds no page", l.Dir, l.Code))
	}
}

// language returns the configured language of a file, the one with the longest
// folder, and the file's path below that folder.
func (f *fold) language(file string) (lang Language, key string, ok bool) {
	for _, l := range f.o.Languages {
		rest, in := file, true
		if l.Dir != "" {
			rest, in = strings.CutPrefix(file, path.Clean(l.Dir)+"/")
		}
		if in && (!ok || len(l.Dir) > len(lang.Dir)) {
			lang, key, ok = l, rest, true
		}
	}
	return lang, key, ok
}

// sourceGroups joins the pages whose content files share a translation key, and
// those that the generator makes without one.
func (f *fold) sourceGroups() {
	f.groupBy(func(r *record) (m member, key string) {
		code, key := f.translation(r)
		return member{record: r, code: code}, key
	})
}

// translation returns the page's language tag and the key that it shares with
// its translations, "" for none.
func (f *fold) translation(r *record) (code, key string) {
	name := ""
	switch {
	case r.src != nil:
		name, key = r.src.lang, r.src.key
	case f.mapping != nil && r.File != "":
		name, key = f.mapping.PageTranslation(r.File)
	}
	if key == "" {
		return "", ""
	}
	return cmp.Or(r.lang(), f.languageTag(name)), key
}

// languageTag returns the tag of a language that the generator calls name.
func (f *fold) languageTag(name string) string {
	for _, l := range f.o.Mapping.Languages {
		if l.Name == name {
			return cmp.Or(l.Code, name)
		}
	}
	return name
}

// makeGroup makes the pages alternates of each other, unless two share a language.
func makeGroup(ms []member) {
	if len(ms) < 2 {
		return
	}
	var alts []sitemap.Alternate
	for _, m := range ms {
		if !isLang(m.code) || slices.ContainsFunc(alts, func(a sitemap.Alternate) bool { return strings.EqualFold(a.Lang, m.code) }) {
			return
		}
		alts = append(alts, sitemap.Alternate{Lang: m.code, Href: m.loc})
	}
	if i := slices.IndexFunc(ms, func(m member) bool { return m.xdefault }); i >= 0 {
		alts = append(alts, sitemap.Alternate{Lang: "x-default", Href: ms[i].loc})
	}
	g := newGroup(sortAlternates(alts))
	for _, m := range ms {
		m.group = g
	}
}

// sortAlternates orders alternates by language, x-default last, each once. Two
// of one language stay in the order in which they are written.
func sortAlternates(alts []sitemap.Alternate) []sitemap.Alternate {
	slices.SortStableFunc(alts, func(a, b sitemap.Alternate) int {
		last := func(a sitemap.Alternate) int {
			if a.Lang == "x-default" {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(last(a), last(b)), cmp.Compare(a.Lang, b.Lang))
	})
	return slices.Compact(alts)
}

func isLang(lang string) bool { return lang != "" && sitemap.CheckLang(lang) == nil }
