package site

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// translate gives every listed page the alternates that it and the others
// agree on: those of the HTML heads, else those of the configured languages,
// else those of the content tree.
// See https://developers.google.com/search/docs/specialty/international/localized-versions.
func (f *fold) translate() {
	f.groups = map[*record][]sitemap.Alternate{}
	f.headGroups()
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
		if r.rest == nil || len(r.rest.url.Alternates) == 0 {
			continue
		}
		alts := f.agreed(r)
		if len(alts) > 1 || (len(alts) == 1 && alts[0].Href != r.loc) {
			f.groups[r] = alts
		}
	}
}

func (f *fold) agreed(r *record) []sitemap.Alternate {
	var alts []sitemap.Alternate
	self := false
	for _, a := range r.rest.url.Alternates {
		if err := sitemap.CheckLang(a.Lang); err != nil {
			f.alternate(r, "bad-alternate", "write a language like de or pt-BR, or x-default", "an alternate is ignored: %v", err)
			continue
		}
		if a.Href == r.loc {
			self = self || a.Lang != "x-default"
			alts = append(alts, a)
			continue
		}
		if other := f.partner(r, a); other != nil {
			alts = append(alts, sitemap.Alternate{Lang: a.Lang, Href: other.loc})
		}
	}
	if !self && len(alts) > 0 && isLang(r.rest.lang) {
		alts = append(alts, sitemap.Alternate{Lang: r.rest.lang, Href: r.loc})
	}
	return sortAlternates(alts)
}

// partner returns the page that an alternate names when that page is listed and
// names r in turn, else nil, and reports why.
func (f *fold) partner(r *record, a sitemap.Alternate) *record {
	other := f.find(a.Href)
	switch {
	case other == nil && f.at(a.Href) != nil:
		out := f.at(a.Href)
		if out.loc != "" && out != r {
			if listed := f.find(out.loc); listed == out {
				return f.returned(r, out, a)
			}
		}
		f.alternate(r, "alternate-out", "let both pages be indexable, or remove the link",
			"its alternate for %s, %s, is left out: %s", a.Lang, f.pos(out).File, out.reason)
		return nil
	case other == nil && f.hosts(a.Href) == nil:
		f.alternate(r, "alternate-elsewhere", "name the other site under sites, so that both can be held against each other",
			"its alternate for %s, %s, is on another host, where it cannot be seen whether it links back", a.Lang, a.Href)
		return nil
	case other == nil:
		f.alternate(r, "alternate-missing", "mend the link, or publish the page",
			"its alternate for %s, %s, is no page of the site", a.Lang, a.Href)
		return nil
	}
	return f.returned(r, other, a)
}

func (f *fold) returned(r, other *record, a sitemap.Alternate) *record {
	if other.rest != nil && slices.ContainsFunc(other.rest.url.Alternates, func(b sitemap.Alternate) bool { return f.names(b.Href, r) }) {
		return other
	}
	f.alternate(r, "alternate-one-way", "link back from there, or remove the link",
		"its alternate for %s, %s, does not link back", a.Lang, f.pos(other).File)
	return nil
}

// names reports whether an address is the page's, by its URL or by the one
// that its file is mapped to.
func (f *fold) names(loc string, r *record) bool {
	return loc == r.loc || f.at(loc) == r
}

func (f *fold) alternate(r *record, code, hint, format string, args ...any) {
	var ds diag.List
	ds.Warnf(f.pos(r), code, hint, format, args...)
	f.found.Add(ds...)
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
		if r.file == "" || f.groups[r] != nil {
			continue
		}
		if l, key, ok := f.language(r.file); ok {
			byKey[key] = append(byKey[key], r)
			lang[r] = l
		}
	}
	for _, rs := range byKey {
		f.group(rs, func(r *record) string { return lang[r].Code }, func(r *record) bool { return lang[r].XDefault })
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

// sourceGroups joins the pages whose content files share a translation key.
func (f *fold) sourceGroups() {
	byKey := map[string][]*record{}
	for _, r := range f.listed {
		if r.src != nil && r.src.key != "" && f.groups[r] == nil {
			byKey[r.src.key] = append(byKey[r.src.key], r)
		}
	}
	for _, rs := range byKey {
		f.group(rs, f.sourceLang, func(*record) bool { return false })
	}
}

// sourceLang returns the page's language tag: what its html element says, else
// the tag of its content file's language.
func (f *fold) sourceLang(r *record) string {
	if r.rest != nil && isLang(r.rest.lang) {
		return r.rest.lang
	}
	for _, l := range f.o.Mapping.Languages {
		if l.Name == r.src.lang {
			return cmp.Or(l.Code, l.Name)
		}
	}
	return r.src.lang
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

// sortAlternates orders alternates by language, x-default last, each once.
func sortAlternates(alts []sitemap.Alternate) []sitemap.Alternate {
	slices.SortFunc(alts, func(a, b sitemap.Alternate) int {
		last := func(a sitemap.Alternate) int {
			if a.Lang == "x-default" {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(last(a), last(b)), cmp.Compare(a.Lang, b.Lang), cmp.Compare(a.Href, b.Href))
	})
	return slices.Compact(alts)
}

func isLang(lang string) bool { return lang != "" && sitemap.CheckLang(lang) == nil }
