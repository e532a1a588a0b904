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

// keepMutualAlternates sets the alternates of each listed page to the result of mutualAlternatesOf:
// it removes alternates that do not link back. It also sets r.AlternateProblems.
// See https://developers.google.com/search/docs/specialty/international/localized-versions
func (r *Result) keepMutualAlternates() {
	t := newTranslator(r, func(p *Page) []sitemap.Alternate { return p.Alternates })
	mutual, problems := t.mutualAlternates()
	for i, alts := range mutual {
		r.List[i].Alternates = alts
	}
	r.AlternateProblems = problems
}

// A translator finds the alternates that link back to their pages. It does not modify pages, so its
// methods may be called in any order.
type translator struct {
	result           *Result
	statedAlternates func(p *Page) []sitemap.Alternate // returns the alternates that the sources give a page
	targets          map[*sitemap.Alternate][]target   // the targets of each list of alternates, by the first element of the list; pages share the lists
}

// A target is the page that an alternate names, or the reason why the alternate names no page of
// the site.
type target struct {
	page        *Page // nil if the site has no such page
	invalidLang bool  // the language of the alternate is not valid
	onOtherHost bool  // the address is on a host that is not the site's
	excluded    bool  // pages.include or pages.exclude leaves the page out
}

func newTranslator(r *Result, alternatesOf func(p *Page) []sitemap.Alternate) *translator {
	return &translator{result: r, statedAlternates: alternatesOf, targets: map[*sitemap.Alternate][]target{}}
}

// mutualAlternates returns the result of mutualAlternatesOf for each listed page: alts[i] for
// t.result.List[i]. alts is nil if no page has alternates. problems counts the alternates with a
// problem, for all pages together.
func (t *translator) mutualAlternates() (alts [][]sitemap.Alternate, problems LinkProblems) {
	shared := map[*sitemap.Alternate][]sitemap.Alternate{}
	var buf []sitemap.Alternate
	for i, p := range t.result.List {
		stated := t.statedAlternates(p)
		if len(stated) == 0 {
			continue
		}
		if alts == nil {
			alts = make([][]sitemap.Alternate, len(t.result.List))
		}
		buf = t.mutualAlternatesOf(buf, p, &problems)
		if len(buf) == 0 {
			continue
		}
		known := shared[&stated[0]]
		switch { // pages of a group share one list
		case slices.Equal(buf, stated):
			alts[i] = stated
		case slices.Equal(buf, known):
			alts[i] = known
		default:
			alts[i] = slices.Clone(buf)
			shared[&stated[0]] = alts[i]
		}
	}
	return alts, problems
}

// alternateTargets returns the alternates that the sources give a page, and the target of each.
func (t *translator) alternateTargets(p *Page) ([]sitemap.Alternate, []target) {
	alts := t.statedAlternates(p)
	if len(alts) == 0 {
		return nil, nil
	}
	if targets, known := t.targets[&alts[0]]; known {
		return alts, targets
	}
	targets, pages := make([]target, len(alts)), 0
	for i := range alts {
		targets[i] = t.findTarget(&alts[i])
		if targets[i].page != nil {
			pages++
		}
	}
	if pages > 1 { // the other pages of the translation group use these targets too
		t.targets[&alts[0]] = targets
	}
	return alts, targets
}

func (t *translator) findTarget(a *sitemap.Alternate) (to target) {
	if sitemap.CheckLang(a.Lang) != nil {
		return target{invalidLang: true}
	}
	part := t.result.World.PartOnHost(a.Href)
	if part == nil {
		return target{onOtherHost: true}
	}
	to.page = t.result.findListedFirst(part.Base.WithOwnScheme(a.Href))
	to.excluded = to.page == nil && t.result.World.isExcludedURL(part, a.Href)
	return to
}

// mutualAlternatesOf returns the alternates with which the page p is listed: those that link back,
// and a few others; see checkAlternate. It counts each alternate that has a problem, and stores the
// count in problems. If only x-default or no alternate names p itself, it adds p to the result,
// with the language of p or else the language of a link back. It does not add p if both are
// unknown. If only p would remain, the result is empty. The result reuses the memory of buf.
func (t *translator) mutualAlternatesOf(buf []sitemap.Alternate, p *Page, problems *LinkProblems) []sitemap.Alternate {
	self, named := false, ""
	all, targets := t.alternateTargets(p)
	alts := slices.Grow(buf[:0], len(all)+1)
	for i := range all {
		a, to := &all[i], &targets[i]
		if to.invalidLang {
			t.countUnlistedAlternate(problems, p, a, "bad-alternate", "write a language like de or pt-BR, or x-default", func() string {
				return fmt.Sprintf("an alternate is ignored: %v", sitemap.CheckLang(a.Lang))
			})
			continue
		}
		if to.page == p {
			self = self || a.Lang != "x-default"
			alts = append(alts, sitemap.Alternate{Lang: a.Lang, Href: p.Loc})
			continue
		}
		if other, back := t.checkAlternate(problems, p, a, to); other != "" {
			alts = append(alts, sitemap.Alternate{Lang: a.Lang, Href: other})
			named = cmp.Or(named, back)
		}
	}
	if !self && len(alts) > 0 {
		named = cmp.Or(p.KnownLang(), named)
		if named != "" {
			alts = append(alts, sitemap.Alternate{Lang: named, Href: p.Loc})
		}
	}
	if len(alts) == 1 && alts[0].Href == p.Loc {
		return alts[:0]
	}
	return facts.SortUniqueAlternates(alts)
}

// checkAlternate decides whether the page p is listed with its alternate a. to is the target of a.
// If a is listed, loc is the URL of the alternate, and backLang is the language under which the
// target names p. Otherwise loc is "": the target is missing, is left out, or does not link back.
// problems then counts the alternate, unless the target was left out on purpose.
//
// Two kinds of alternates are listed without a link back: URLs on other hosts, and, if p has no
// file, URLs that no page of the site has. backLang is then "". problems counts a URL on another
// host unless a rule sets the alternates of p, or p has no file.
func (t *translator) checkAlternate(problems *LinkProblems, p *Page, a *sitemap.Alternate, to *target) (loc, backLang string) {
	other := to.page
	switch {
	case to.onOtherHost && (p.Rules != nil && len(p.Rules.URL.Alternates) > 0 || p.Facts.File == ""):
		return a.Href, "" // the user configured the alternate, or another tool's sitemap contains it
	case to.onOtherHost:
		problems.countLink("alternate-elsewhere", a.Lang, func() diag.Diagnostic {
			return diag.Notef(t.result.World.Pos(p), "alternate-elsewhere", "name the folder of the other site under sites, so that both are checked together",
				"its alternate for %s, %s, is on another host: it is listed, but sitewalk cannot see whether it links back", a.Lang, a.Href).About(a.Lang + " " + a.Href)
		})
		return a.Href, ""
	case other == nil && p.Facts.File == "":
		return a.Href, "" // an extra URL may name URLs that are no known page
	case other != nil && other.Reason().Has(page.Deliberate), to.excluded: // left out on purpose
	case other == nil:
		t.countUnlistedAlternate(problems, p, a, "alternate-missing", "fix the link, or publish the page", func() string {
			return fmt.Sprintf("its alternate for %s, %s, is not a page of the site", a.Lang, a.Href)
		})
	case other.Reason() != page.Listed:
		t.countUnlistedAlternate(problems, p, a, "alternate-out", "let both pages be indexable, or remove the link", func() string {
			return fmt.Sprintf("its alternate for %s, %s, is left out: %s", a.Lang, t.result.World.Pos(other).File, other.Reason())
		})
	default:
		if backLang = t.backLinkLanguage(other, p); backLang != "" {
			return other.Loc, backLang
		}
		t.countUnlistedAlternate(problems, p, a, "alternate-one-way", "link back from there, or remove the link", func() string {
			return fmt.Sprintf("its alternate for %s, %s, does not link back", a.Lang, t.result.World.Pos(other).File)
		})
	}
	return "", ""
}

// backLinkLanguage returns the language under which the page other names p as its alternate, or ""
// if other does not name p. It returns "x-default" only if other names p under no other language.
func (t *translator) backLinkLanguage(other, p *Page) (lang string) {
	alts, to := t.alternateTargets(other)
	for i := range alts {
		if l := alts[i].Lang; to[i].page == p && !to[i].invalidLang && (lang == "" || lang == "x-default") {
			lang = l
		}
	}
	return lang
}

// countUnlistedAlternate counts in problems the alternate a, which the sitemap entry of the page p
// leaves out. code names the problem, such as "alternate-missing". message returns the text of the
// finding.
func (t *translator) countUnlistedAlternate(problems *LinkProblems, p *Page, a *sitemap.Alternate, code, hint string, message func() string) {
	problems.countLink(code, a.Lang, func() diag.Diagnostic {
		return diag.Warnf(t.result.World.Pos(p), code, hint, "%s", message()).About(a.Lang + " " + a.Href)
	})
}

// AlternateFindings returns the findings about alternates of the listed page p, for example about
// an alternate that is missing. It returns nil for a page that is left out.
func (r *Result) AlternateFindings(p *Page) (all diag.List) {
	if !p.Listed() {
		return nil
	}
	var problems LinkProblems
	stated := func(p *Page) []sitemap.Alternate { return r.World.EntryFromSources(p).Alternates }
	newTranslator(r, stated).mutualAlternatesOf(nil, p, &problems)
	for _, k := range problems.counts {
		all = append(all, k.first)
	}
	return all
}

// groupTranslations finds listed pages that are translations of each other, first by the language
// folders, then by translationKey. The pages become alternates of each other. It skips pages that
// already have alternates.
func (r *Result) groupTranslations() {
	w := r.World
	if len(w.Options.Languages) > 0 {
		setAlternatesByKey(r.List, func(p *Page) (Language, string) {
			lang, key, _ := w.findLanguage(p.Facts.File)
			return lang, key
		})
	}
	setAlternatesByKey(r.List, w.translationKey)
}

// setAlternatesByKey makes pages with the same key alternates of each other. keyOf returns the
// language and the key of a page. Pages with the key "" and pages that already have alternates are
// skipped.
func setAlternatesByKey(listed []*Page, keyOf func(p *Page) (lang Language, key string)) {
	byKey := map[string][]*Page{}
	for _, p := range listed {
		if p.Alternates != nil {
			continue
		}
		if _, key := keyOf(p); key != "" {
			byKey[key] = append(byKey[key], p)
		}
	}
	for _, pages := range byKey {
		if len(pages) > 1 {
			setMutualAlternates(pages, func(p *Page) Language {
				lang, _ := keyOf(p)
				return lang
			})
		}
	}
}

// findLanguage returns the configured language whose folder contains file, and the path of file
// below this folder. Translations have the same path below their folders. If several language
// folders contain file, the longest folder name wins. ok is false if no language folder contains
// file.
func (w *World) findLanguage(file string) (lang Language, below string, ok bool) {
	for _, l := range w.Options.Languages {
		rest, in := file, true
		if l.Dir != "" {
			rest, in = strings.CutPrefix(file, path.Clean(l.Dir)+"/")
		}
		if in && (!ok || len(l.Dir) > len(lang.Dir)) {
			lang, below, ok = l, rest, true
		}
	}
	return lang, below, ok
}

// translationKey returns the language of a page, and a key that the page shares only with its
// translations. key is "" if the generator does not relate the page to translations.
func (w *World) translationKey(p *Page) (lang Language, key string) {
	name := ""
	switch {
	case p.Content != nil:
		name, key = p.Content.lang, p.Content.key
	case p.Facts.File != "":
		name, key = w.Mapping.PageTranslation(p.Facts.File)
	}
	if key == "" {
		return lang, ""
	}
	return Language{Code: cmp.Or(p.KnownLang(), w.languageTag(name))}, key
}

// languageTag returns the BCP 47 tag of the language called name in the generator's settings. It
// returns name if the settings contain no tag for it.
func (w *World) languageTag(name string) string {
	for _, l := range w.Options.Mapping.Languages {
		if l.Name == name {
			return cmp.Or(l.Code, name)
		}
	}
	return name
}

// setMutualAlternates makes pages alternates of each other. The first of them with
// Language.XDefault also becomes the x-default alternate. setMutualAlternates does nothing if two
// pages have the same language, or if a language is not valid. langOf returns the language of a
// page.
func setMutualAlternates(pages []*Page, langOf func(p *Page) Language) {
	var alts []sitemap.Alternate
	others := "" // URL of the x-default alternate
	for _, p := range pages {
		lang := langOf(p)
		if !isValidLang(lang.Code) || slices.ContainsFunc(alts, func(a sitemap.Alternate) bool { return strings.EqualFold(a.Lang, lang.Code) }) {
			return
		}
		alts = append(alts, sitemap.Alternate{Lang: lang.Code, Href: p.Loc})
		if lang.XDefault {
			others = cmp.Or(others, p.Loc)
		}
	}
	if others != "" {
		alts = append(alts, sitemap.Alternate{Lang: "x-default", Href: others})
	}
	alts = facts.SortUniqueAlternates(alts)
	for _, p := range pages {
		p.Alternates = alts
	}
}

func isValidLang(lang string) bool { return lang != "" && sitemap.CheckLang(lang) == nil }
