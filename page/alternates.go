package page

import (
	"bytes"
	"iter"
	"slices"
	"unicode/utf8"

	"github.com/sitewalk/sitewalk/sitemap"
)

// Alternates are those of one page as they were written, before they are made
// strings.
type Alternates struct {
	text  []byte // languages and addresses in turn, each with a NUL behind it, which no page can write
	texts int
}

// Text returns what tells them from others, which is valid as long as the page is read.
func (a *Alternates) Text() []byte { return a.text }

// Set makes them those of a list.
func (a *Alternates) Set(list []sitemap.Alternate) {
	*a = Alternates{text: a.text[:0]}
	for i := range list {
		a.add([]byte(list[i].Lang))
		a.add([]byte(list[i].Href))
	}
}

// add adds the next language or address, as valid UTF-8.
func (a *Alternates) add(b []byte) {
	if !utf8.Valid(b) {
		b = bytes.ToValidUTF8(b, []byte("\ufffd"))
	}
	a.text = append(append(a.text, b...), 0)
	a.texts++
}

func (a *Alternates) each() iter.Seq2[[]byte, []byte] {
	return func(yield func(lang, href []byte) bool) {
		for rest := a.text; len(rest) > 0; {
			var lang, href []byte
			lang, rest, _ = bytes.Cut(rest, []byte{0})
			href, rest, _ = bytes.Cut(rest, []byte{0})
			if !yield(lang, href) {
				return
			}
		}
	}
}

// List returns all of them. An address is not in memory a second time that x-default
// has, too, or that is own, the page's.
func (a *Alternates) List(own string) []sitemap.Alternate {
	list := make([]sitemap.Alternate, 0, a.texts/2)
	for lang, href := range a.each() {
		earlier := -1
		if string(lang) == "x-default" { // only that is one of the others as a rule
			earlier = slices.IndexFunc(list, func(b sitemap.Alternate) bool { return b.Href == string(href) })
		}
		to := own
		switch {
		case string(href) == own:
		case earlier >= 0:
			to = list[earlier].Href
		default:
			to = string(href)
		}
		list = append(list, sitemap.Alternate{Lang: string(lang), Href: to})
	}
	return list
}
