package page

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/sitewalk/sitewalk/sitemap"
)

// Alternates are those of one page as they were written, before they are made
// strings.
type Alternates struct {
	text []byte // languages and addresses in turn
	ends []int  // where each ends
}

// Len returns how many there are.
func (a *Alternates) Len() int { return len(a.ends) / 2 }

// At returns the language and the address of one, which are valid as long as the
// page is read.
func (a *Alternates) At(i int) (lang, href []byte) {
	from := 0
	if i > 0 {
		from = a.ends[2*i-1]
	}
	return a.text[from:a.ends[2*i]], a.text[a.ends[2*i]:a.ends[2*i+1]]
}

// Set makes them those of a list.
func (a *Alternates) Set(list []sitemap.Alternate) {
	a.text, a.ends = a.text[:0], a.ends[:0]
	for i := range list {
		a.text = append(a.text, list[i].Lang...)
		a.ends = append(a.ends, len(a.text))
		a.text = append(a.text, list[i].Href...)
		a.ends = append(a.ends, len(a.text))
	}
}

// add adds the next language or address, as valid UTF-8.
func (a *Alternates) add(b []byte) {
	if !utf8.Valid(b) {
		b = bytes.ToValidUTF8(b, []byte("\ufffd"))
	}
	a.text = append(a.text, b...)
	a.ends = append(a.ends, len(a.text))
}

// List returns all of them, whose texts are one piece of memory. An address is not in
// it a second time that x-default has, too, or that is own, the page's.
func (a *Alternates) List(own string) []sitemap.Alternate {
	size := 0
	for i := range a.Len() {
		lang, href := a.At(i)
		if size += len(lang); string(href) != own && a.repeated(i) < 0 {
			size += len(href)
		}
	}
	var text strings.Builder
	text.Grow(size)
	cut := func(b []byte) string {
		text.Write(b)
		return text.String()[text.Len()-len(b):]
	}
	all := make([]sitemap.Alternate, a.Len())
	for i := range all {
		lang, href := a.At(i)
		all[i].Lang = cut(lang)
		if j := a.repeated(i); string(href) == own {
			all[i].Href = own
		} else if j >= 0 {
			all[i].Href = all[j].Href
		} else {
			all[i].Href = cut(href)
		}
	}
	return all
}

// repeated returns the number of an earlier alternate with the address of the one at
// i, -1 without one. Only x-default is one of the others as a rule.
func (a *Alternates) repeated(i int) int {
	lang, href := a.At(i)
	if string(lang) != "x-default" {
		return -1
	}
	for j := range i {
		if _, other := a.At(j); string(other) == string(href) {
			return j
		}
	}
	return -1
}
