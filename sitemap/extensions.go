package sitemap

import "iter"

// An extension is what is known of one extension of the protocol. Each has a
// file of its own.
type extension interface {
	// notation returns how the extension is written.
	notation() *notation
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
	elements []string // in it
	obsolete []string // elements that search engines do not read any more, and @attributes
	many     []string // of both, those that may stand again and again
}

// extensions returns the extensions that u uses.
func (u *URL) extensions() iter.Seq[extension] {
	uses := u.Extensions()
	return func(yield func(extension) bool) {
		for i, x := range extensions {
			if uses&(1<<i) != 0 && !yield(x) {
				return
			}
		}
	}
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
	for x := range u.extensions() {
		x.addresses(u, edit)
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
