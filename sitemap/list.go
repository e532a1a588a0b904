package sitemap

import "slices"

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
