package sitemap

import (
	"slices"
	"strings"
)

// An extension is what is known of one extension of the protocol. Each has a
// file of its own.
type extension interface {
	// notation returns how the extension is written.
	notation() *notation
	// has reports whether an element of that name stands in its root.
	has(local string) bool
	// values returns what u says of it, in words.
	values(u *URL) []string
	// addresses calls edit for each address in what u says of it, in a copy.
	addresses(u *URL, edit func(*string))
	// appendTo appends what u says of it.
	appendTo(b []byte, u *URL) []byte
	// read reads the element at hand, which is in the extension's namespace.
	read(r *Reader) error
	// check drops from u what may not be written.
	check(c *checker, u *URL)
}

// A notation is how an extension is written. Its schema's order is not judged: no
// crawler minds it, and well-kept tools write another.
type notation struct {
	name     string   // of the field, as in explanations
	prefix   string   // that people know the extension by
	space    string   // its namespace
	root     string   // the element in an entry; "": it is not judged
	obsolete []string // elements that search engines do not read any more, and @attributes
	many     []string // of both, those that may stand again and again
}

// inNamespace returns the extension of a namespace, or nil.
func inNamespace(space string) extension {
	for _, x := range extensions {
		if x.notation().space == space {
			return x
		}
	}
	return nil
}

// ExtensionFields are the fields of a URL that extensions of the protocol hold.
func ExtensionFields() []ExtensionField {
	all := make([]ExtensionField, len(extensions))
	for i, x := range extensions {
		all[i] = ExtensionField{1 << i, x.notation().name, x.values}
	}
	return all
}

// An ExtensionField is the field of one extension.
type ExtensionField struct {
	Extension Extensions
	Name      string              // as in explanations
	Values    func(*URL) []string // what a URL says in it, in words
}

// EditAddresses calls edit for each address that u holds beside Loc. What u held
// before is not changed in place.
func (u *URL) EditAddresses(edit func(*string)) {
	uses := u.Extensions()
	for i, x := range extensions {
		if uses&(1<<i) != 0 {
			x.addresses(u, edit)
		}
	}
}

func (e Extensions) appendNamespaces(b []byte) []byte {
	for i, x := range extensions {
		if n := x.notation(); e&(1<<i) != 0 {
			b = appendAttr(b, "xmlns:"+n.prefix, n.space)
		}
	}
	return b
}

// String names the extensions, as in "image, news".
func (e Extensions) String() string {
	var names []string
	for i, x := range extensions {
		if e&(1<<i) != 0 {
			names = append(names, x.notation().name)
		}
	}
	return strings.Join(names, ", ")
}

// A list is an extension of which an entry holds any number of elements, each of
// them a T.
type list[T any] struct {
	form     notation
	elements []element[T]
	of       func(*URL) *[]T
	word     func(*T) string                // what it is called in explanations
	edit     func(v *T, edit func(*string)) // calls edit for each address
	judge    func(c *checker, of *URL)      // drops what may not be written
}

func (x *list[T]) notation() *notation      { return &x.form }
func (x *list[T]) has(local string) bool    { return find(x.elements, local) >= 0 }
func (x *list[T]) check(c *checker, u *URL) { x.judge(c, u) }

func (x *list[T]) values(u *URL) (all []string) {
	for _, v := range *x.of(u) {
		all = append(all, x.word(&v))
	}
	return all
}

func (x *list[T]) addresses(u *URL, edit func(*string)) {
	all := x.of(u)
	*all = slices.Clone(*all)
	for i := range *all {
		x.edit(&(*all)[i], edit)
	}
}

func (x *list[T]) appendTo(b []byte, u *URL) []byte {
	all, name := *x.of(u), x.form.prefix+":"+x.form.root
	for i := range all {
		b = appendTag(b, name)
		b = appendElements(b, x.elements, &all[i])
		b = appendEndTag(b, name)
	}
	return b
}

func (x *list[T]) read(r *Reader) error {
	all := x.of(&r.item.URL)
	*all = append(*all, *new(T))
	return r.children(func(r *Reader) error {
		return readElement(r, x.form.space, x.elements, &(*all)[len(*all)-1])
	})
}

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
		if name := r.xml.local + "@" + a.Name.Local; slices.Contains(names, name) {
			r.leave(name)
		}
	}
}
