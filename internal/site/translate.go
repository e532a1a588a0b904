package site

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// translate keeps the alternates of listed pages that link back, and returns the others as gaps.
// See https://developers.google.com/search/docs/specialty/international/localized-versions.
func translate(w *World, pages *index, listed []*Page) Gaps {
	t := newTranslator(w, pages, listed, func(r *Page) []sitemap.Alternate { return r.Entry.Alternates })
	agreed, gaps := t.agreeAll()
	for i, alts := range agreed {
		listed[i].Entry.Alternates = alts
	}
	return gaps
}

// A translator finds the alternates that link back. It does not change pages, so their order makes no
// difference.
type translator struct {
	world            *World
	index            *index
	listed           List
	statedAlternates func(r *Page) []sitemap.Alternate // the alternates that sources give a page
	targets          map[*sitemap.Alternate][]target   // the targets of alternates, by the first alternate: pages share the slices
}

// A target is the page that an alternate names.
type target struct {
	page      *Page // nil if the site has no such page
	bad       bool  // the language is not valid
	elsewhere bool  // the address is on no host of the site
	excluded  bool  // pages.include or pages.exclude leaves the page out
}

func newTranslator(w *World, pages *index, listed []*Page, said func(r *Page) []sitemap.Alternate) *translator {
	return &translator{world: w, index: pages, listed: listed, statedAlternates: said, targets: map[*sitemap.Alternate][]target{}}
}

// agreeAll returns for each listed page the alternates that link back, and the gaps. agreed is nil if
// no page has alternates.
func (t *translator) agreeAll() (agreed [][]sitemap.Alternate, g Gaps) {
	shared := map[*sitemap.Alternate][]sitemap.Alternate{}
	var buf []sitemap.Alternate
	for i, r := range t.listed {
		said := t.statedAlternates(r)
		if len(said) == 0 {
			continue
		}
		if agreed == nil {
			agreed = make([][]sitemap.Alternate, len(t.listed))
		}
		buf = t.mutualAlternates(buf, r, &g)
		if len(buf) == 0 {
			continue
		}
		known := shared[&said[0]]
		switch { // pages share one copy
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

// alternateTargets returns the alternates of a page and their targets.
func (t *translator) alternateTargets(r *Page) ([]sitemap.Alternate, []target) {
	alts := t.statedAlternates(r)
	if len(alts) == 0 {
		return nil, nil
	}
	if meant, known := t.targets[&alts[0]]; known {
		return alts, meant
	}
	meant, pages := make([]target, len(alts)), 0
	for i := range alts {
		meant[i] = t.findTarget(&alts[i])
		if meant[i].page != nil {
			pages++
		}
	}
	if pages > 1 { // the other pages of the group use the targets too
		t.targets[&alts[0]] = meant
	}
	return alts, meant
}

func (t *translator) findTarget(a *sitemap.Alternate) (to target) {
	if sitemap.CheckLang(a.Lang) != nil {
		return target{bad: true}
	}
	p := t.world.PartOnHost(a.Href)
	if p == nil {
		return target{elsewhere: true}
	}
	to.page = t.index.find(t.listed, p.Base.OwnScheme(a.Href))
	to.excluded = to.page == nil && t.world.excludes(p, a.Href)
	return to
}

// mutualAlternates returns the alternates of a page that link back, in the memory of alts.
func (t *translator) mutualAlternates(alts []sitemap.Alternate, r *Page, g *Gaps) []sitemap.Alternate {
	self, named := false, ""
	all, meant := t.alternateTargets(r)
	alts = slices.Grow(alts[:0], len(all)+1)
	for i := range all {
		a, to := &all[i], &meant[i]
		if to.bad {
			t.addGap(g, r, a, "bad-alternate", "write a language like de or pt-BR, or x-default", func() string {
				return fmt.Sprintf("an alternate is ignored: %v", sitemap.CheckLang(a.Lang))
			})
			continue
		}
		if to.page == r {
			self = self || a.Lang != "x-default"
			alts = append(alts, sitemap.Alternate{Lang: a.Lang, Href: r.Entry.Loc})
			continue
		}
		if other, back := t.findPartner(g, r, a, to); other != "" {
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
	if len(alts) == 1 && alts[0].Href == r.Entry.Loc {
		return alts[:0]
	}
	return facts.SortAlternates(alts)
}

// findPartner returns the URL of the page that an alternate names if that page is listed and links back,
// and the language that it gives r. Otherwise it returns "" and counts a gap.
func (t *translator) findPartner(g *Gaps, r *Page, a *sitemap.Alternate, to *target) (loc, back string) {
	other := to.page
	switch {
	case to.elsewhere && (r.Rules != nil && len(r.Rules.URL.Alternates) > 0 || r.Facts.File == ""):
		return a.Href, "" // the user wrote the alternate
	case to.elsewhere:
		g.add("alternate-elsewhere", a.Lang, func() diag.Diagnostic {
			return diag.Notef(t.world.Pos(r), "alternate-elsewhere", "name the folder of the other site under sites, so that both are checked together",
				"its alternate for %s, %s, is on another host: it is listed, but sitewalk cannot see whether it links back", a.Lang, a.Href).About(a.Lang + " " + a.Href)
		})
		return a.Href, ""
	case other == nil && r.Facts.File == "":
		return a.Href, "" // an extra URL may name other URLs without a file
	case other != nil && page.Reasons[other.Reason()].Meant, to.excluded: // left out on purpose
	case other == nil:
		t.addGap(g, r, a, "alternate-missing", "fix the link, or publish the page", func() string {
			return fmt.Sprintf("its alternate for %s, %s, is not a page of the site", a.Lang, a.Href)
		})
	case other.Reason() != page.Listed:
		t.addGap(g, r, a, "alternate-out", "let both pages be indexable, or remove the link", func() string {
			return fmt.Sprintf("its alternate for %s, %s, is left out: %s", a.Lang, t.world.Pos(other).File, other.Reason())
		})
	default:
		if back = t.linksBack(other, r); back != "" {
			return other.Entry.Loc, back
		}
		t.addGap(g, r, a, "alternate-one-way", "link back from there, or remove the link", func() string {
			return fmt.Sprintf("its alternate for %s, %s, does not link back", a.Lang, t.world.Pos(other).File)
		})
	}
	return "", ""
}

// linksBack returns the language under which other names r as its alternate, or "". It returns
// "x-default" only if there is no other language.
func (t *translator) linksBack(other, r *Page) (lang string) {
	alts, to := t.alternateTargets(other)
	for i := range alts {
		if l := alts[i].Lang; to[i].page == r && !to[i].bad && (lang == "" || lang == "x-default") {
			lang = l
		}
	}
	return lang
}

// addGap counts an alternate that is not listed.
func (t *translator) addGap(g *Gaps, r *Page, a *sitemap.Alternate, code, hint string, message func() string) {
	g.add(code, a.Lang, func() diag.Diagnostic {
		return diag.Warnf(t.world.Pos(r), code, hint, "%s", message()).About(a.Lang + " " + a.Href)
	})
}

// GapsOf returns findings about the alternates of a listed page.
func (r *Result) GapsOf(p *Page) (all diag.List) {
	if !p.Listed() {
		return nil
	}
	var g Gaps
	said := func(p *Page) []sitemap.Alternate { return r.World.FullEntry(p).Alternates }
	newTranslator(r.World, &index{world: r.World, pages: r.pages}, r.List, said).mutualAlternates(nil, p, &g)
	for _, k := range g.kinds {
		all = append(all, k.first)
	}
	return all
}

// groupTranslations makes listed pages without alternates alternates of each other, by the configured
// languages or by the content tree.
func groupTranslations(w *World, listed []*Page) {
	if len(w.Options.Languages) > 0 {
		groupBy(listed, func(r *Page) (Language, string) {
			lang, key, _ := w.Language(r.Facts.File)
			return lang, key
		})
	}
	groupBy(listed, w.translation)
}

// groupBy groups pages without alternates that share a key. Pages with the key "" are in no group.
func groupBy(listed []*Page, keyed func(r *Page) (lang Language, key string)) {
	byKey := map[string][]*Page{}
	for _, r := range listed {
		if r.Entry.Alternates != nil {
			continue
		}
		if _, key := keyed(r); key != "" {
			byKey[key] = append(byKey[key], r)
		}
	}
	for _, pages := range byKey {
		if len(pages) > 1 {
			makeGroup(pages, keyed)
		}
	}
}

// Language returns the configured language of a file, the one with the longest
// folder, and the file's path below that folder.
func (w *World) Language(file string) (lang Language, key string, ok bool) {
	for _, l := range w.Options.Languages {
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

// translation returns the page's language and the key that it shares with its translations, or "".
func (w *World) translation(r *Page) (lang Language, key string) {
	name := ""
	switch {
	case r.Content != nil:
		name, key = r.Content.lang, r.Content.key
	case r.Facts.File != "":
		name, key = w.Mapping.PageTranslation(r.Facts.File)
	}
	if key == "" {
		return lang, ""
	}
	return Language{Code: cmp.Or(r.Lang(), w.languageTag(name))}, key
}

// languageTag returns the tag of a language that the generator calls name.
func (w *World) languageTag(name string) string {
	for _, l := range w.Options.Mapping.Languages {
		if l.Name == name {
			return cmp.Or(l.Code, name)
		}
	}
	return name
}

// makeGroup makes the pages alternates of each other, unless two share a language.
func makeGroup(pages []*Page, keyed func(r *Page) (lang Language, key string)) {
	var alts []sitemap.Alternate
	others := "" // the address for readers of other languages
	for _, r := range pages {
		lang, _ := keyed(r)
		if !isLang(lang.Code) || slices.ContainsFunc(alts, func(a sitemap.Alternate) bool { return strings.EqualFold(a.Lang, lang.Code) }) {
			return
		}
		alts = append(alts, sitemap.Alternate{Lang: lang.Code, Href: r.Entry.Loc})
		if lang.XDefault {
			others = cmp.Or(others, r.Entry.Loc)
		}
	}
	if others != "" {
		alts = append(alts, sitemap.Alternate{Lang: "x-default", Href: others})
	}
	alts = facts.SortAlternates(alts)
	for _, r := range pages {
		r.Entry.Alternates = alts
	}
}

func isLang(lang string) bool { return lang != "" && sitemap.CheckLang(lang) == nil }
