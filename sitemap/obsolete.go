package sitemap

import "slices"

// obsolete are the elements of extensions that search engines do not read any
// more, and @attributes: those of images and videos since August 2022, those of
// news by the documentation of today. The schemas still have them.
// https://developers.google.com/search/blog/2022/05/spring-cleaning-sitemap-extensions
var obsolete = map[string]struct {
	prefix string // that people know the extension by
	names  []string
}{
	NamespaceImage: {"image", []string{"caption", "geo_location", "title", "license"}},
	NamespaceVideo: {"video", []string{"category", "gallery_loc", "player_loc@allow_embed", "player_loc@autoplay", "price", "tvshow"}},
	NamespaceNews:  {"news", []string{"access", "genres", "keywords", "stock_tickers"}},
}

// leave remembers an element, or an element@attribute, that says nothing to a
// Reader.
func (r *Reader) leave(name string) {
	u := Unknown{Name: r.xml.space + " " + name, Line: r.xml.tokenLine, Count: 1}
	if o := obsolete[r.xml.space]; slices.Contains(o.names, name) {
		u.Name, u.Obsolete = o.prefix+":"+name, true
	}
	r.note(u)
}

// leaveObsolete remembers the attributes of the present start tag that are
// obsolete.
func (r *Reader) leaveObsolete() {
	for _, a := range r.xml.attrs {
		if name := string(r.xml.local) + "@" + string(a.name); slices.Contains(obsolete[r.xml.space].names, name) {
			r.leave(name)
		}
	}
}
