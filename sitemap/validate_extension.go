package sitemap

import (
	"slices"
	"strings"
)

// extension validates an element of another namespace in a url, as far as it is of
// an extension that is known. What its elements say [URL.Check] judges.
func (v *Validator) extension() error {
	x := v.xml
	known := inNamespace(x.space)
	if known == nil || known.notation().root == "" {
		v.namespace()
		return x.skip()
	}
	s := known.notation()
	if x.local != s.root {
		v.offSchema("<%s> is not an element of the extension, but <%s> is", x.local, s.root)
		return x.skip()
	}
	space, before := x.space, map[string]bool{}
	return v.children(s.root, func() error {
		name := x.local
		switch {
		case x.space != space || slices.Contains(s.many, name):
		case !known.has(name) && !slices.Contains(s.obsolete, name):
			v.offSchema("<%s> is not an element of <%s>", name, s.root)
		case before[name]:
			v.doubt(x.tokenLine, x.tokenCol, "duplicate-element", "keep one", "<%s> has more than one %s", s.root, name)
		}
		before[name] = true
		return x.skip()
	})
}

// namespace reports, once a file, a namespace that is meant to be one of an
// extension and is not, and a prefix that stands for none.
func (v *Validator) namespace() {
	x := v.xml
	if v.namespaces[x.space] {
		return
	}
	if v.namespaces == nil {
		v.namespaces = map[string]bool{}
	}
	v.namespaces[x.space] = true
	switch meant := meantNamespace(x.space); {
	case x.space == "":
		v.offSchema("<%s> is in no namespace", x.local)
	case x.isUnbound():
		v.fault(x.tokenLine, x.tokenCol, "wrong-namespace", "name it in the first element, as xmlns:"+x.space+`="…"`,
			"nothing says which namespace the prefix of <%s:%s> stands for", x.space, x.local)
	case meant != "":
		v.doubt(x.tokenLine, x.tokenCol, "wrong-namespace", `write "`+meant+`"`,
			"<%s> is in the namespace %q, so crawlers do not read it", x.local, x.space)
	}
}

// meantNamespace returns the namespace of an extension that differs from a
// misspelt one in its scheme, its version or its end, "" for none.
func meantNamespace(space string) string {
	for _, x := range extensions {
		ours := x.notation().space
		if space == ours {
			return ""
		}
		if strings.HasPrefix(stem(space), stem(ours)) {
			return ours
		}
	}
	return ""
}

// stem is a namespace without scheme and version.
func stem(space string) string {
	_, rest, _ := strings.Cut(strings.ToLower(space), "://")
	return strings.TrimRight(strings.TrimPrefix(rest, "www."), "/#.0123456789")
}
