package site

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/sitemap"
)

// groupTranslations makes the listed pages alternates of each other that no page has said
// any of: by the configured languages, else by the content tree.
func groupTranslations(w *World, listed []*Page) {
	if len(w.Options.Languages) > 0 {
		groupBy(listed, func(r *Page) (Language, string) {
			lang, key, _ := w.Language(r.Facts.File)
			return lang, key
		})
	}
	groupBy(listed, w.translation)
}

// groupBy makes groups of the pages that have no alternates and share a key; "" is
// none.
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

// translation returns the page's language and the key that it shares with
// its translations, "" for none.
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
	others := "" // the address of the first page that is for readers of no listed language
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
