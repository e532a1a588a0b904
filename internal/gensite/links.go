package gensite

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// links returns the addresses that page p links to: two in five are those that each
// page has, two in five lead to the pages next to it, by relative paths, and of the
// others half lead anywhere, and half are that of an image.
func (s Site) links(p Page) []string {
	r := rand.New(rand.NewPCG(s.Seed+3, uint64(p.Number)))
	up := strings.Repeat("../", strings.Count(p.loc, "/"))
	out := make([]string, s.Links)
	for i := range out {
		switch i % 5 {
		case 0, 1:
			out[i] = "/" + s.linked(i)
		case 2, 3:
			out[i] = up + s.linked(p.Number+1+i)
		default:
			out[i] = "/" + s.linked(r.IntN(s.Pages))
		}
	}
	return out
}

// linked returns the path of a page's URL, or of what it redirects to.
func (s Site) linked(i int) string {
	i %= s.Pages
	if subject, _ := s.subject(i); s.kind(subject) == Redirect {
		i -= s.languages()
	}
	return s.urlPath(i)
}

// appendLinks appends the page's links, each with a few words around it.
func (s Site) appendLinks(b []byte, p Page) []byte {
	for i, to := range s.links(p) {
		word := words[(p.Number+i)%len(words)]
		if i%10 == 9 {
			b = fmt.Appendf(b, "<img src=\"/style.css\" alt=\"%s\"> ", word)
			continue
		}
		b = fmt.Appendf(b, "See <a class=\"link\" href=\"%s\">%s</a> for more.\n", to, word)
	}
	return b
}
