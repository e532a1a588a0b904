package site

import (
	"slices"

	"github.com/sitewalk/sitewalk/sitemap"
)

// absolute returns what a configuration or front matter says of a page, with
// its addresses as at resolves them. One that cannot be resolved stays as it
// is, for the entry's check to report. Nothing that u holds is changed in place.
func absolute(u sitemap.URL, at func(ref string) (string, error)) sitemap.URL {
	if u.Alternates == nil && u.Images == nil && u.Videos == nil {
		return u
	}
	resolve := func(refs ...*string) {
		for _, ref := range refs {
			if *ref == "" {
				continue
			}
			if loc, err := at(*ref); err == nil {
				*ref = loc
			}
		}
	}
	u.Alternates, u.Images, u.Videos = slices.Clone(u.Alternates), slices.Clone(u.Images), slices.Clone(u.Videos)
	for i := range u.Alternates {
		resolve(&u.Alternates[i].Href)
	}
	for i := range u.Images {
		resolve(&u.Images[i].Loc)
	}
	for i := range u.Videos {
		v := &u.Videos[i]
		resolve(&v.ThumbnailLoc, &v.ContentLoc, &v.PlayerLoc, &v.UploaderInfo)
		v.Segments = slices.Clone(v.Segments)
		for j := range v.Segments {
			resolve(&v.Segments[j].Loc)
		}
	}
	return u
}

// configured resolves the addresses of a rule, or of an extra URL, as all
// addresses of the configuration: absolute, or below the base URL.
func (s *view) configured(r *record, u sitemap.URL) sitemap.URL {
	return absolute(u, s.part(r).resolve)
}

// written resolves the addresses of a page's front matter as a browser would
// resolve them on the page.
func (s *view) written(r *record, u sitemap.URL) sitemap.URL {
	return absolute(u, func(ref string) (string, error) { return s.part(r).Base.Resolve(ref, r.loc, "") })
}
