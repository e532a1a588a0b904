package site

import (
	"github.com/sitewalk/sitewalk/sitemap"
)

// absolute returns what a configuration or front matter says of a page, with
// its addresses as at resolves them. One that cannot be resolved stays as it
// is, for the entry's check to report. Nothing that u holds is changed in place.
func absolute(u sitemap.URL, at func(ref string) (string, error)) sitemap.URL {
	if u.Extensions() == 0 {
		return u
	}
	v := u
	v.EditAddresses(func(ref *string) {
		if *ref == "" {
			return
		}
		if loc, err := at(*ref); err == nil {
			*ref = loc
		}
	})
	return v
}

// belowBase resolves the addresses of a rule, or of an extra URL, as all
// addresses of the configuration: absolute, or below the base URL.
func (s *view) belowBase(r *record, u sitemap.URL) sitemap.URL {
	return absolute(u, s.part(r).resolve)
}

// onPage resolves the addresses of a page's front matter as a browser would
// resolve them on the page.
func (s *view) onPage(r *record, u sitemap.URL) sitemap.URL {
	return absolute(u, func(ref string) (string, error) { return s.part(r).Base.Resolve(ref, r.loc, "") })
}
