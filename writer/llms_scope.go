package writer

import (
	"cmp"
	"context"
	"strings"

	"github.com/sitewalk/sitewalk/internal/llms"
	"github.com/sitewalk/sitewalk/internal/split"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A scope is the pages of one llms.txt.
type scope struct {
	Language
	base  string
	lang  bool   // it is that of a language
	name  string // what its pages are called together; "" before they are cleaned
	home  sitemap.Entry
	pages []llmsPage
	subs  []*scope // those of languages
}

// An llmsPage is what an llms.txt says of a page, and where.
type llmsPage struct {
	loc, title, note string
	key              string // of its section
	priority         float64
	date             sitemap.Date
	place            Place
}

// scopes returns the pages of each file that is to be written, the site's own first.
func (r *job) scopes(ctx context.Context) ([]*scope, error) {
	base := cmp.Or(r.LLMS.Base, r.Base)
	root := &scope{base: base}
	all := []*scope{root}
	for _, l := range r.LLMS.Languages {
		if l.Dir != "" {
			all = append(all, &scope{Language: l, base: base + escapePath(l.Dir) + "/", lang: true})
		}
	}
	err := split.Each(ctx, r.entries, func(i int, e *sitemap.Entry) {
		s := root
		for _, l := range all[1:] {
			if strings.HasPrefix(e.Loc, l.base) && len(l.base) > len(s.base) {
				s = l
			}
		}
		s.add(e, r.placeOf(i), r.groupOf(e.Loc))
	})
	if err != nil {
		return nil, err
	}
	out := all[:1]
	for _, s := range all[1:] {
		if len(s.pages) > 0 {
			out = append(out, s)
			root.subs = append(root.subs, s)
		}
	}
	return out, nil
}

// groupOf returns the section of the group that takes a URL, "" if none does.
func (r *job) groupOf(loc string) string {
	if len(r.Groups) > 0 {
		if i := r.Group(loc); i >= 0 {
			return ":" + r.Groups[i].Name
		}
	}
	return ""
}

func (r *job) placeOf(i int) Place {
	if r.LLMS.Place == nil {
		return Place{}
	}
	return r.LLMS.Place(i)
}

// isHome reports whether a URL is that of the page of a folder.
func isHome(loc, folder string) bool {
	return strings.TrimSuffix(strings.TrimSuffix(loc, "index.html"), "/") == strings.TrimSuffix(folder, "/")
}

func (s *scope) add(e *sitemap.Entry, p Place, key string) {
	date := e.Published
	if date.IsZero() {
		date = e.LastMod
	}
	if isHome(e.Loc, s.base) {
		s.home = *e
	}
	if key == "" {
		key = split.Section(s.base, e.Loc)
	}
	switch {
	case p.Optional, p.Section == llms.Optional:
		p.Section, key = "", llms.Optional
	case p.Section == rootSection:
		p.Section, key = "", ""
	case p.Section != "":
		key = ":" + p.Section
	}
	s.pages = append(s.pages, llmsPage{
		loc: e.Loc, title: strings.TrimSpace(e.Title), note: strings.TrimSpace(e.Summary), key: key,
		priority: e.Priority.Float64(), date: date, place: p,
	})
}
