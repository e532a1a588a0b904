package page

import (
	"bytes"
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

func (a *Alternates) reset() { a.text, a.ends = a.text[:0], a.ends[:0] }

// add adds the next language or address, as valid UTF-8.
func (a *Alternates) add(b []byte) {
	if !utf8.Valid(b) {
		b = bytes.ToValidUTF8(b, []byte("\ufffd"))
	}
	a.text = append(a.text, b...)
	a.ends = append(a.ends, len(a.text))
}

// list returns all of them, whose texts are one piece of memory.
func (a *Alternates) list() []sitemap.Alternate {
	all := make([]sitemap.Alternate, 0, a.Len())
	text, from := string(a.text), 0
	for i := 0; i < len(a.ends); i += 2 {
		all = append(all, sitemap.Alternate{Lang: text[from:a.ends[i]], Href: text[a.ends[i]:a.ends[i+1]]})
		from = a.ends[i+1]
	}
	return all
}
