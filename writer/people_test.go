package writer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/mark"
	"github.com/sitewalk/sitewalk/sitemap"
)

// peoplePage returns the page for people of a site.
func peoplePage(t *testing.T, s Slice, o Options) string {
	t.Helper()
	o.Dir, o.Page = t.TempDir(), "sitemap.html"
	if r := write(t, s, o); len(r.Diags) > 0 {
		t.Fatal(r.Diags)
	}
	return tree(t, o.Dir)["sitemap.html"]
}

func TestPage(t *testing.T) {
	s := dated("", "about/", "blog/", "blog/a&b/", "blog/c%C3%BC.html", "x/y")
	s[0].Title = "Home <script>alert(1)</script>"
	s[2].Title = "Our \"blog\""
	s[5].LastMod = sitemap.Date{}
	got := peoplePage(t, s, Options{Title: "Tom & Co", Lang: "de-AT"})
	for _, want := range []string{
		"<html lang=\"de-AT\">",
		"<title>Tom &amp; Co – Sitemap</title>",
		"<h1><a dir=\"auto\" href=\"https://example.com/\">Tom &amp; Co</a></h1>",
		"<details open><summary><h2 dir=\"auto\">Tom &amp; Co</h2> <span>3</span></summary>", // with the sections of one page
		"<h2 dir=\"auto\">Our &#34;blog&#34;</h2> <span>3</span>",
		">Home &lt;script&gt;alert(1)&lt;/script&gt;</a> <time datetime=\"2024-05-01\">2024-05-01</time></li>",
		"href=\"https://example.com/blog/a&amp;b/\">/a&amp;b/</a>",
		">/cü.html</a>",
		">/x/y</a></li>",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page does not contain %s", want)
		}
	}
	if strings.Contains(got, "<script") {
		t.Error("the page has a script")
	}
	if !mark.In([]byte(got)) {
		t.Error("the page has no mark")
	}
}

// Sections of languages that have one title name the language, others their folder.
func TestPageOfLanguages(t *testing.T) {
	s := dated("", "de/", "de/a/", "en/", "en/a/", "news/", "news/a/", "old/", "old/a/")
	for i, title := range map[int]string{1: "Lakes", 3: "Lakes", 5: "News", 7: "Lakes"} {
		s[i].Title = title
	}
	for _, i := range []int{1, 3} {
		s[i].Alternates = []sitemap.Alternate{{Lang: "x-default", Href: s[3].Loc}, {Lang: "en", Href: s[3].Loc}, {Lang: "de-AT", Href: s[1].Loc}}
	}
	got := peoplePage(t, s, Options{})
	for _, want := range []string{">Lakes (en)</h2>", ">Lakes (de-AT)</h2>", ">Lakes (old)</h2>", ">News</h2>"} {
		if !strings.Contains(got, want) {
			t.Errorf("the page does not contain %s\n%s", want, got)
		}
	}
}

// What a page is called does not turn the order of the text around it.
func TestPageKeepsItsOrder(t *testing.T) {
	s := dated("", "a/", "a/b/")
	s[1].Title, s[2].Title = "safe\u202egnp.exe\u0085", "\u2066\u05d0\u200f"
	got := peoplePage(t, s, Options{Title: "Tom\u202e"})
	if strings.ContainsAny(got, "\u202e\u2066\u0085") || !strings.Contains(got, ">safegnp.exe</a>") || !strings.Contains(got, ">\u05d0\u200f</a>") {
		t.Error(got)
	}
}

// A page for people stays light, and says what it leaves out.
func TestPageOfLargeSite(t *testing.T) {
	paths := append(many("blog", 9000), many("docs", 10)...)
	got := peoplePage(t, site(append(paths, "")...), Options{})
	if n := strings.Count(got, "<li>"); n > maxLinks || n < maxLinks-100 {
		t.Errorf("%d links", n)
	}
	for _, want := range []string{
		"<html>", "<span>9\u202f000</span>", "<span>10</span>",
		"<p>+ 4\u202f011: <a href=\"https://example.com/sitemap.xml\">sitemap.xml</a>",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page does not contain %s", want)
		}
	}
	if strings.Contains(got, "<details open>") {
		t.Error("its sections are open")
	}
	var small []string
	for i := range 1200 {
		small = append(small, many(fmt.Sprintf("s%04d", i), 2)...)
	}
	got = peoplePage(t, site(small...), Options{})
	if n := strings.Count(got, "<details"); n != maxTopics || !strings.Contains(got, "<p>+ 400: <a ") {
		t.Errorf("%d sections", n)
	}
}

func TestStylesheet(t *testing.T) {
	dir := t.TempDir()
	o := Options{Dir: dir, Name: "maps/my map.xml", Stylesheet: true, MaxURLs: 2, Formats: []string{"txt", "xml"}}
	write(t, site("a", "b", "c"), o)
	files := tree(t, dir)
	if _, ok := files["maps/my map.css"]; !ok {
		t.Fatalf("files: %s", namesIn(files))
	}
	for _, name := range []string{"maps/my map.xml", "maps/my map-pages.xml"} {
		if !strings.Contains(files[name], `<?xml-stylesheet type="text/css" href="my%20map.css"?>`) {
			t.Errorf("%s does not name its stylesheet:\n%s", name, files[name])
		}
	}
	if !strings.Contains(files["maps/my map.xml"], "<loc>https://example.com/maps/my%20map-pages.xml</loc>") {
		t.Errorf("the index names\n%s", files["maps/my map.xml"])
	}
	validate(t, dir)
}
