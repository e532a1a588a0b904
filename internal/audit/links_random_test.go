package audit

import (
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"path"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// TestLinksOfRandomSitesMatchOracle compares the links of random sites with the oracle. The sites
// have file names that need encoding, many forms of references, base elements, folders without an
// index page, and missing fragments.
func TestLinksOfRandomSitesMatchOracle(t *testing.T) {
	for seed := range testsite.Repeat(60, 2000) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := randomLinkedSite{rand.New(rand.NewPCG(uint64(seed), 1)), nil, nil}
			requireOracleAgrees(t, newTree(t, r.files()), "https://example.com/docs/")
		})
	}
}

// A randomLinkedSite generates the files of one site.
type randomLinkedSite struct {
	*rand.Rand
	names []string
	ids   []string
}

// pick returns a random choice.
func (r *randomLinkedSite) pick(choices ...string) string { return choices[r.IntN(len(choices))] }

// files returns the contents of the site's files, by path.
func (r *randomLinkedSite) files() map[string]string {
	r.ids = []string{"a", "b c", "ü", "x%79", "top"}
	r.names = []string{"index.html"}
	folders := []string{"", "sub/", "sub/in ner/", "ümlaut/", "a+b&c/"}
	for range 3 + r.IntN(12) {
		name := r.pick("index.html", "page.html", "two words.html", "50%25.html", "Ärger.html", "x.htm", "pic.png", "a;b=c.css", "d.e.html")
		r.names = append(r.names, r.pick(folders...)+name)
	}
	files := map[string]string{}
	for _, name := range r.names {
		files[name] = "no page"
		if isPage(name) {
			files[name] = r.page(name)
		}
	}
	return files
}

// page returns the HTML of the page in the file name.
func (r *randomLinkedSite) page(name string) string {
	var b strings.Builder
	b.WriteString("<!doctype html><meta charset=utf-8><title>x</title>")
	at := "/docs/" + name
	if r.IntN(6) == 0 {
		at = "/docs/" + r.pick("sub/", "ümlaut/x", "", "no/where/")
		fmt.Fprintf(&b, `<base href="%s">`, r.escapeAttribute(r.encodePath(at)))
	}
	for range r.IntN(3) {
		fmt.Fprintf(&b, "<p id=%q>", r.pick(r.ids...))
	}
	for range r.IntN(8) {
		b.WriteString(r.element(r.reference(at)))
	}
	return b.String()
}

// element returns a random HTML element that refers to the URL to.
func (r *randomLinkedSite) element(to string) string {
	form := r.pick(`<a href="%s">x</a>`, `<A HREF='%s'>x</a>`, `<img alt=x src="%s">`, `<link rel=stylesheet href="%s">`, `<area href="%s">`,
		`<iframe src="%s"></iframe>`, `<form action="%s"></form>`, `<video poster="%s"></video>`, `<a name=b href="%s">y</a>`,
		`<script src="%s"></script>`, `<noscript><img src="%s"></noscript>`, `<object data="%s"></object>`, `<svg><a href="%s"></a></svg>`,
		`<template><a href="%s"></a></template>`, `<!-- <a href="%s"> -->`, `<textarea><a href="%s"></textarea>`)
	return fmt.Sprintf(form, r.escapeAttribute(to)) + "\n"
}

// escapeAttribute escapes s for an attribute value, sometimes with a character reference or extra
// white space.
func (r *randomLinkedSite) escapeAttribute(s string) string {
	s = html.EscapeString(s)
	if r.IntN(4) == 0 {
		s = strings.Replace(s, "e", "&#x65;", 1)
	}
	if r.IntN(8) == 0 {
		s = "\n " + s + " "
	}
	return s
}

// reference returns a random reference from the page at the path from. Most references lead to a
// file of the site, some to a missing one.
func (r *randomLinkedSite) reference(from string) string {
	to := r.pick(r.names...)
	switch r.IntN(8) {
	case 0:
		to = r.pick("gone.html", "sub/gone/", "sub", "ümlaut", "ind ex.html", "no/where/")
	case 1:
		to = path.Dir(to) + "/"
	case 2:
		to = strings.TrimSuffix(to, "index.html")
	case 3:
		to = strings.TrimSuffix(to, ".html")
	}
	to = r.encodePath("/docs/" + strings.TrimPrefix(to, "./"))
	switch r.IntN(5) {
	case 0:
		to = "https://example.com" + to
	case 1:
		to = r.pick("//example.com", "HTTPS://EXAMPLE.com:443", "https://other.example", "http://example.com") + to
	case 2, 3:
		up := strings.Count(from, "/") - 1
		to = r.pick("", "./") + strings.Repeat("../", up) + to[1:]
	}
	to += r.pick("", "", "", "?x=1", "?a/b&c")
	if r.IntN(3) == 0 {
		to += "#" + r.pick("", "top", "a", "b%20c", "b c", "%C3%BC", "x%79", "nothing", "/route", ":~:text=x", "q=lakes&page=2", "q%3Dlakes", "a<q=lakes>")
	}
	return r.pick(to, to, to, to, to, "#a", "?", "mailto:a@b.example", "tel:1", "javascript:x", "data:,x")
}

// encodePath returns the path p with percent-encoding, which may also encode characters that do
// not need it.
func (r *randomLinkedSite) encodePath(p string) string {
	if r.IntN(3) > 0 {
		return (&url.URL{Path: p}).EscapedPath()
	}
	var b strings.Builder
	for i := range len(p) {
		c := p[i]
		if c == '%' || c == '?' || c == '#' || c == ';' || c >= 0x80 || c != '/' && r.IntN(5) == 0 {
			fmt.Fprintf(&b, "%%%02x", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
