package site

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/sitemap"
)

// A member is a page as one of a group of translations.
type member struct {
	*Page
	code     string // tag of its language
	xdefault bool   // it is for readers of no listed language, too
}

// groupTranslations makes the listed pages alternates of each other that no page has said
// any of: by the configured languages, else by the content tree.
func groupTranslations(w *World, listed []*Page) {
	if len(w.Options.Languages) > 0 {
		groupBy(listed, func(r *Page) (m member, key string) {
			l, key, _ := w.Language(r.Said.File)
			return member{r, l.Code, l.XDefault}, key
		})
	}
	groupBy(listed, func(r *Page) (m member, key string) {
		code, key := w.translation(r)
		return member{Page: r, code: code}, key
	})
}

// groupBy makes groups of the pages that have no alternates and share a key; "" is
// none.
func groupBy(listed []*Page, keyed func(r *Page) (m member, key string)) {
	byKey := map[string][]member{}
	for _, r := range listed {
		if r.Entry.Alternates != nil {
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

// translation returns the page's language tag and the key that it shares with
// its translations, "" for none.
func (w *World) translation(r *Page) (code, key string) {
	name := ""
	switch {
	case r.Content != nil:
		name, key = r.Content.lang, r.Content.key
	case r.Said.File != "":
		name, key = w.Mapping.PageTranslation(r.Said.File)
	}
	if key == "" {
		return "", ""
	}
	return cmp.Or(r.Lang(), w.languageTag(name)), key
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
func makeGroup(ms []member) {
	if len(ms) < 2 {
		return
	}
	var alts []sitemap.Alternate
	for _, m := range ms {
		if !isLang(m.code) || slices.ContainsFunc(alts, func(a sitemap.Alternate) bool { return strings.EqualFold(a.Lang, m.code) }) {
			return
		}
		alts = append(alts, sitemap.Alternate{Lang: m.code, Href: m.Entry.Loc})
	}
	if i := slices.IndexFunc(ms, func(m member) bool { return m.xdefault }); i >= 0 {
		alts = append(alts, sitemap.Alternate{Lang: "x-default", Href: ms[i].Entry.Loc})
	}
	alts = sortAlternates(alts)
	for _, m := range ms {
		m.Entry.Alternates = alts
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
