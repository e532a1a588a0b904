package sitemap

import "slices"

// obsolete returns the elements of a namespace that search engines do not read any
// more, and the prefix that people know it by. The schemas still have them.
// https://developers.google.com/search/blog/2022/05/spring-cleaning-sitemap-extensions
func obsolete(space string) (prefix string, names []string) {
	x := inNamespace(space)
	if x == nil {
		return "", nil
	}
	n := x.notation()
	return n.prefix, n.obsolete
}

// leave remembers an element, or an element@attribute, that says nothing to a
// Reader.
func (r *Reader) leave(name string) {
	u := Unknown{Name: r.xml.space + " " + name, Line: r.xml.tokenLine, Count: 1}
	if prefix, names := obsolete(r.xml.space); slices.Contains(names, name) {
		u.Name, u.Obsolete = prefix+":"+name, true
	}
	r.note(u)
}

// leaveObsolete remembers the attributes of the present start tag that are
// obsolete.
func (r *Reader) leaveObsolete() {
	_, names := obsolete(r.xml.space)
	for _, a := range r.xml.attrs {
		if name := string(r.xml.local) + "@" + string(a.name); slices.Contains(names, name) {
			r.leave(name)
		}
	}
}
