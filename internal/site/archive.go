package site

import (
	"path"

	"github.com/sitewalk/sitewalk/internal/versions"
	"github.com/sitewalk/sitewalk/page"
)

// An Archive is what can be said of the pages of versions that are not listed.
type Archive struct {
	Pages  int
	Alone  []*Page // without a counterpart in the listed version
	Open   []*Page // that search engines may index
	Names  []Named // the canonical links to other pages of the site
	Folder string  // the URL path of the first version with open pages: "/v1.0/"
	Part   *Part   // that holds it
}

// A Named is the address that a page names as its canonical one.
type Named struct {
	*Page
	To string
}

// Archive looks at the pages of versions that are not listed, by the choice of the user.
func (r *Result) Archive() (a Archive) {
	w := r.World
	for i := range r.pages {
		p := &r.pages[i]
		if p.Out == nil || p.Out.Reason != page.Version || p.Said.Own != page.Listed {
			continue
		}
		s, name, below := w.VersionOf(p.Said.File)
		if _, preview := versions.IsPreview(p.Said.File); preview || s == nil || s.alias[name] != "" {
			continue
		}
		a.Pages++
		if w.instead(s, s.Latest, below) == "" {
			a.Alone = append(a.Alone, p)
		}
		switch to := w.Canonical(p); {
		case to != "" && to != p.Said.FileLoc:
			if w.Hosting(to) != nil {
				a.Names = append(a.Names, Named{p, to})
			}
		case headerCheck(w, p, nil) == nil:
			if a.Open = append(a.Open, p); a.Folder == "" {
				a.Part = w.PartOf(p)
				in, _ := a.Part.Below(path.Join(s.Parent, name))
				a.Folder = a.Part.Base.Prefix() + in + "/"
			}
		}
	}
	return a
}
