package site

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// translate gives every listed page the alternates that it and the others
// agree on: those of the HTML heads, else those of the configured languages,
// else those of the content tree.
// See https://developers.google.com/search/docs/specialty/international/localized-versions.
func (f *fold) translate() {
	f.groups = map[*record][]sitemap.Alternate{}
	f.headGroups()
	if len(f.collapses) == 0 { // which are the cause
		f.sayGaps(f.gaps)
	}
	f.declaredGroups()
	f.sourceGroups()
}

func (f *fold) find(loc string) *record {
	i, ok := slices.BinarySearchFunc(f.listed, loc, func(r *record, loc string) int { return cmp.Compare(r.loc, loc) })
	if !ok {
		return nil
	}
	return f.listed[i]
}

// headGroups keeps of each page's own alternates those that link back.
func (f *fold) headGroups() {
	for _, r := range f.listed {
		if len(f.alternates(r)) == 0 {
			continue
		}
		alts := f.agreed(r)
		if len(alts) > 1 || (len(alts) == 1 && alts[0].Href != r.loc) {
			f.groups[r] = alts
		} else {
			f.groups[r] = nil // what the page says alone is not for the sitemap
		}
	}
}

// alternates returns what is said of the page's alternates, before anybody has
// agreed to it.
func (f *fold) alternates(r *record) []sitemap.Alternate {
	if !f.extended(r) {
		return nil
	}
	var u sitemap.URL
	f.url(r, &u)
	return u.Alternates
}

func (f *fold) agreed(r *record) []sitemap.Alternate {
	var alts []sitemap.Alternate
	self, named := false, ""
	for _, a := range f.alternates(r) {
		if err := sitemap.CheckLang(a.Lang); err != nil {
			f.alternate(r, a, "bad-alternate", "write a language like de or pt-BR, or x-default", "an alternate is ignored: %v", err)
			continue
		}
		if f.names(a.Href, r) {
			self = self || a.Lang != "x-default"
			alts = append(alts, sitemap.Alternate{Lang: a.Lang, Href: r.loc})
			continue
		}
		if other, back := f.partner(r, a); other != "" {
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
func (f *fold) partner(r *record, a sitemap.Alternate) (loc, back string) {
	p := f.hosts(a.Href)
	if p == nil {
		if r.set != nil && len(r.set.url.Alternates) > 0 || r.File == "" {
			return a.Href, "" // the user's own word
		}
		f.alternate(r, a, "alternate-elsewhere", "name the other site under sites, so that both can be held against each other",
			"its alternate for %s, %s, is on another host, where it cannot be seen whether it links back", a.Lang, a.Href)
		return "", ""
	}
	switch other := f.named(a.Href, p); {
	case other == nil && r.File == "":
		return a.Href, "" // where one page has no file, the other need not have one
	case other != nil && unwanted(other), other == nil && f.excludes(p, a.Href): // on purpose
	case other == nil:
		f.alternate(r, a, "alternate-missing", "mend the link, or publish the page",
			"its alternate for %s, %s, is no page of the site", a.Lang, a.Href)
	case other.reason != page.Listed:
		f.alternate(r, a, "alternate-out", "let both pages be indexable, or remove the link",
			"its alternate for %s, %s, is left out: %s", a.Lang, f.pos(other).File, other.reason)
	default:
		if back = f.linksBack(other, r); back != "" {
			return other.loc, back
		}
		f.alternate(r, a, "alternate-one-way", "link back from there, or remove the link",
			"its alternate for %s, %s, does not link back", a.Lang, f.pos(other).File)
	}
	return "", ""
}

// named returns the page that an address on the host of a part stands for, in
// whatever spelling and scheme, or nil.
func (f *fold) named(loc string, p *part) *record {
	loc = p.Base.OwnScheme(loc)
	if r := f.find(loc); r != nil {
		return r
	}
	if r := f.at(loc); r != nil {
		return r
	}
	urlPath, ok := p.Base.Path(loc)
	if !ok {
		return nil
	}
	if r := f.spelled(urlPath); r != nil && f.part(r) == p {
		return r
	}
	return nil
}

// linksBack returns the language under which other names r as its alternate, ""
// when it does not; "x-default" only when it says no other.
func (f *fold) linksBack(other, r *record) (lang string) {
	for _, b := range f.alternates(other) {
		if isLang(b.Lang) && f.names(b.Href, r) && (lang == "" || lang == "x-default") {
			lang = b.Lang
		}
	}
	return lang
}

// names reports whether an address is the page's, in whatever spelling.
func (f *fold) names(loc string, r *record) bool {
	if loc == r.loc {
		return true
	}
	p := f.hosts(loc)
	return p != nil && f.named(loc, p) == r
}

// declaredGroups joins the pages of the configured language folders by the
// rest of their path.
func (f *fold) declaredGroups() {
	if len(f.o.Languages) == 0 {
		return
	}
	byKey := map[string][]*record{}
	lang := map[*record]Language{}
	for _, r := range f.listed {
		if r.File == "" || f.groups[r] != nil {
			continue
		}
		if l, key, ok := f.language(r.File); ok {
			byKey[key] = append(byKey[key], r)
			lang[r] = l
		}
	}
	f.emptyLanguages()
	for _, rs := range byKey {
		f.group(rs, func(r *record) string { return lang[r].Code }, func(r *record) bool { return lang[r].XDefault })
	}
}

// emptyLanguages reports configured folders that hold no page at all.
func (f *fold) emptyLanguages() {
	used := map[string]bool{}
	for _, known := range f.pages {
		if l, _, ok := f.language(known.File); ok {
			used[l.Dir] = true
		}
	}
	for _, l := range f.o.Languages {
		if used[l.Dir] || l.Pos.File == "" {
			continue
		}
		var ds diag.List
		ds.Warnf(l.Pos, "empty-language", "name the folder below the publish directory that holds the language's pages",
			"the folder %q of the language %s holds no page", l.Dir, l.Code)
		f.found.Add(ds...)
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
	byKey := map[string][]*record{}
	lang := map[*record]string{}
	for _, r := range f.listed {
		if f.groups[r] != nil {
			continue
		}
		if code, key := f.translation(r); key != "" {
			byKey[key] = append(byKey[key], r)
			lang[r] = code
		}
	}
	for _, rs := range byKey {
		f.group(rs, func(r *record) string { return lang[r] }, func(*record) bool { return false })
	}
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

// group makes the pages alternates of each other, unless two share a language.
func (f *fold) group(rs []*record, lang func(*record) string, xdefault func(*record) bool) {
	if len(rs) < 2 {
		return
	}
	var alts []sitemap.Alternate
	for _, r := range rs {
		code := lang(r)
		if !isLang(code) || slices.ContainsFunc(alts, func(a sitemap.Alternate) bool { return strings.EqualFold(a.Lang, code) }) {
			return
		}
		alts = append(alts, sitemap.Alternate{Lang: code, Href: r.loc})
	}
	for _, r := range rs {
		if xdefault(r) {
			alts = append(alts, sitemap.Alternate{Lang: "x-default", Href: r.loc})
			break
		}
	}
	alts = sortAlternates(alts)
	for _, r := range rs {
		f.groups[r] = alts
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
