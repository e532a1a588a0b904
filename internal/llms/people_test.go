package llms

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/sitemap"
)

const base = "https://example.com/"

// An entryList implements Entries in memory.
type entryList []sitemap.Entry

func (s entryList) Len() int { return len(s) }

func (s entryList) Entry(i int, e *sitemap.Entry) { *e = s[i] }

// entriesWithDates returns entries with the same date for paths below the base URL.
func entriesWithDates(paths ...string) entryList {
	s := make(entryList, len(paths))
	for i, p := range paths {
		s[i].Loc, s[i].LastMod = base+p, sitemap.DayOf(time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC))
	}
	slices.SortFunc(s, func(a, b sitemap.Entry) int { return strings.Compare(a.Loc, b.Loc) })
	return s
}

// pagePaths returns the paths of n pages in a section.
func pagePaths(section string, n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("%s/page-%d/", section, i))
	}
	return out
}

// newSite returns a Site with the given entries and title.
func newSite(s entryList, title string) Site {
	return Site{Entries: s, Base: base, Title: cmp.Or(title, "example.com"), ListFile: "sitemap.xml", ListURL: base + "sitemap.xml", Mark: "<!-- mark -->"}
}

// peoplePage returns the page for people of s as text.
func peoplePage(t *testing.T, s Site) string {
	t.Helper()
	page, err := s.PageForPeople(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

func TestPageForPeople(t *testing.T) {
	s := entriesWithDates("", "about/", "blog/", "blog/a&b/", "blog/c%C3%BC.html", "x/y")
	s[0].Title, s[1].Title = "Home", "About <script>alert(1)</script>"
	s[2].Title = "Our \"blog\""
	s[5].LastMod = sitemap.Date{}
	all := newSite(s, "Tom & Co")
	all.Lang = "de-AT"
	got := peoplePage(t, all)
	for _, want := range []string{
		"<html lang=\"de-AT\">",
		"<title>Tom &amp; Co – Sitemap</title>",
		"<h1><a dir=\"auto\" href=\"https://example.com/\">Tom &amp; Co</a></h1>",
		"<details open><summary><h2 dir=\"auto\">Tom &amp; Co</h2> <span>3</span></summary>", // includes pages that are alone in their folder
		"<h2 dir=\"auto\">Our &#34;blog&#34;</h2> <span>3</span>",
		">About &lt;script&gt;alert(1)&lt;/script&gt;</a> <time datetime=\"2024-05-01\">2024-05-01</time></li>",
		"href=\"https://example.com/blog/a&amp;b/\">blog/a&amp;b/</a>",
		">blog/cü.html</a>",
		">x/y</a></li>",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got no %s in the page", want)
		}
	}
	if strings.Contains(got, "<script") {
		t.Error("got a script, want none")
	}
	if !strings.Contains(got, "<!-- mark -->") {
		t.Error("got no mark, want one")
	}
}

// TestPageDistinguishesSectionsOfSameTitle checks that sections with the same title get the folder
// added to their names.
func TestPageDistinguishesSectionsOfSameTitle(t *testing.T) {
	s := entriesWithDates("", "de/", "de/a/", "en/", "en/a/", "news/", "news/a/", "old/", "old/a/")
	for i, title := range map[int]string{1: "Lakes", 3: "Lakes", 5: "News", 7: "Lakes"} {
		s[i].Title = title
	}
	got := peoplePage(t, newSite(s, ""))
	for _, want := range []string{">Lakes (en)</h2>", ">Lakes (de)</h2>", ">Lakes (old)</h2>", ">News</h2>"} {
		if !strings.Contains(got, want) {
			t.Errorf("got no %s in the page\n%s", want, got)
		}
	}
}

// TestPageRemovesBidiControls checks that characters in a title that reverse the direction of text
// are removed.
func TestPageRemovesBidiControls(t *testing.T) {
	s := entriesWithDates("", "a/", "a/b/")
	s[1].Title, s[2].Title = "safe\u202egnp.exe\u0085", "\u2066\u05d0\u200f"
	got := peoplePage(t, newSite(s, "Tom\u202e"))
	if strings.ContainsAny(got, "\u202e\u2066\u0085") || !strings.Contains(got, ">safegnp.exe</a>") || !strings.Contains(got, ">\u05d0\u200f</a>") {
		t.Error(got)
	}
}

// TestPageOfLargeSite checks that the page for people of a large site stays small, and shows the
// number of pages without a link.
func TestPageOfLargeSite(t *testing.T) {
	paths := append(pagePaths("blog", 9000), pagePaths("docs", 10)...)
	got := peoplePage(t, newSite(entriesWithDates(append(paths, "")...), ""))
	if n := strings.Count(got, "<li>"); n > maxLinks || n < maxLinks-100 {
		t.Errorf("got %d links, want about %d", n, maxLinks)
	}
	for _, want := range []string{
		"<html>", "<span>9\u202f000</span>", "<span>10</span>",
		"<p>+ 4\u202f011: <a href=\"https://example.com/sitemap.xml\">sitemap.xml</a>",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got no %s in the page", want)
		}
	}
	if strings.Contains(got, "<details open>") {
		t.Error("got open sections, want closed ones")
	}
}
