package site

import (
	"fmt"
	"path"
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A gap is an alternate of a page that cannot be in the sitemap.
type gap struct {
	lang, target string
	finding      diag.Diagnostic
}

// alternate notes a gap, of which the fold says more when it knows all of them.
func (f *fold) alternate(r *record, a sitemap.Alternate, code, hint, format string, args ...any) {
	f.gaps = append(f.gaps, gap{a.Lang, a.Href, diag.Diagnostic{
		Pos: f.pos(r), Severity: diag.Warning, Code: code, Subject: a.Lang + " " + a.Href,
		Message: fmt.Sprintf(format, args...), Hint: hint,
	}})
}

// fewGaps is how many gaps of one kind and language are said one by one. More
// have one cause: a template that links pages which nobody has translated.
const fewGaps = 3

// sayGaps reports the gaps, once for all that name the same page, and once for
// many of the same language.
func (f *fold) sayGaps() {
	byTarget := gather(f.gaps, func(g gap) string { return g.finding.Code + g.target })
	var singles []gap
	for _, group := range byTarget {
		if len(group) == 1 {
			singles = append(singles, group[0])
			continue
		}
		d := group[0].finding
		d.Message += fmt.Sprintf("; the same holds for %s", diag.Count(len(group)-1, "more page"))
		f.found.Add(d)
	}
	for _, group := range gather(singles, func(g gap) string { return g.finding.Code + " " + g.lang }) {
		if len(group) > fewGaps {
			d := group[0].finding
			d.Subject = group[0].lang
			d.Message += fmt.Sprintf("; so it is with the alternates for %s of %s", group[0].lang, diag.Count(len(group)-1, "more page"))
			f.found.Add(d)
			continue
		}
		for _, g := range group {
			f.found.Add(g.finding)
		}
	}
}

// gather groups values by a key; groups and values stay in their order.
func gather[T any](values []T, key func(T) string) (groups [][]T) {
	at := map[string]int{}
	for _, v := range values {
		i, ok := at[key(v)]
		if !ok {
			i, at[key(v)] = len(groups), len(groups)
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], v)
	}
	return groups
}

// unwanted reports whether a page is out because the user has said so.
func unwanted(r *record) bool {
	switch r.reason {
	case page.Excluded, page.ByRule, page.OptedOut, page.Unlisted:
		return true
	}
	return false
}

// excludes reports whether the globs leave out what could stand at a URL:
// an exclude matches one of its files, or no include any.
func (s *view) excludes(p *Part, loc string) bool {
	urlPath, ok := p.Base.Path(p.Base.OwnScheme(loc))
	if !ok || s.o.Pages == nil || s.o.Pages.Filter == nil {
		return false
	}
	at := strings.Trim(path.Join(p.Dir, urlPath), "/")
	files := []string{path.Join(at, "index.html")}
	if at != "" {
		files = append(files, at, at+".html")
	}
	wanted := false
	for _, file := range files {
		in, glob := s.o.Pages.Filter.Why(file)
		if !in && glob != "" {
			return true
		}
		wanted = wanted || in
	}
	return !wanted
}

// gapsOf returns what is wrong with the alternates of a listed page.
func (s *explainer) gapsOf(r *record) (ds diag.List) {
	if r.reason != page.Listed {
		return nil
	}
	f := newFold(s.World, s.now)
	f.records, f.listed = s.res.records, s.res.List.records
	f.agreed(r)
	for _, g := range f.gaps {
		ds = append(ds, g.finding)
	}
	return ds
}
