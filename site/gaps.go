package site

import (
	"fmt"
	"path"
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A gap is a link of a page that leads nowhere, so to say: a translation that is
// none, a canonical that does not count. Many of one kind have one cause.
type gap struct {
	r            *record
	kind, target string
	others       string // what those of other targets are: "the canonicals"
	finding      diag.Diagnostic
}

// alternate notes a gap, of which the fold says more when it knows all of them.
func (f *fold) alternate(r *record, a sitemap.Alternate, code, hint, format string, args ...any) {
	f.gaps = append(f.gaps, gap{r, code + " " + a.Lang, a.Href, "the alternates for " + a.Lang, diag.Diagnostic{
		Pos: f.pos(r), Severity: diag.Warning, Code: code, Subject: a.Lang + " " + a.Href,
		Message: fmt.Sprintf(format, args...), Hint: hint,
	}})
}

// ignored notes a canonical link that does not count. The kind is why, in a word.
func (f *fold) ignored(r *record, kind, target, why string) {
	to := f.canonicalOf(r)
	f.without = append(f.without, gap{r, kind, target, "the canonicals", diag.Diagnostic{
		Pos: f.pos(r), Severity: diag.Warning, Code: "canonical-ignored", Subject: to,
		Message: fmt.Sprintf("canonical %s is ignored: %s", to, why),
		Hint:    "let the page name its own address, or that of the page it copies",
	}})
}

// fewTargets is of how many targets the gaps of one kind are said one by one.
// More have one cause: a template that links what is not there.
const fewTargets = 3

// sayGaps reports gaps, once for all that name the same page, and once for all of
// a kind that name many.
func (f *fold) sayGaps(gaps []gap) {
	for _, same := range gather(gaps, func(g gap) string { return g.kind }) {
		byTarget := gather(same, func(g gap) string { return g.target })
		if len(byTarget) > fewTargets {
			d := same[0].finding
			d.Subject = same[0].kind
			d.Message += fmt.Sprintf("; so it is with %s of %s", same[0].others, diag.Count(len(same)-1, "more page"))
			f.found.Add(d)
			continue
		}
		for _, group := range byTarget {
			d := group[0].finding
			if n := len(group) - 1; n > 0 {
				d.Message += "; the same holds for " + diag.Count(n, "more page")
			}
			f.found.Add(d)
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
func (s *view) excludes(p *part, loc string) bool {
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
