package llms

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/sitemap"
)

// entriesWithTitles returns entries with the given titles. The first is the home page.
func entriesWithTitles(titles ...string) entryList {
	var out entryList
	for i, t := range titles {
		loc := base
		if i > 0 {
			loc += fmt.Sprintf("p%d.html", i)
		}
		out = append(out, sitemap.Entry{URL: sitemap.URL{Loc: loc}, Title: t})
	}
	return out
}

// newLLMSFile returns the llms.txt of a site with the site name own.
func newLLMSFile(t *testing.T, s entryList, own string) *File {
	t.Helper()
	l := newSite(s, own)
	l.HomeTitle = own
	files, err := l.NewListings(t.Context())
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	return files[0].File
}

// TestListingTitles checks that the name of the site is removed from the titles of links.
func TestListingTitles(t *testing.T) {
	tests := []struct {
		name   string
		titles []string
		site   string // value of og:site_name
		want   string // title of the file and texts of its links
	}{
		{"name after bar", []string{"Home | Acme", "A | Acme", "B | Acme", "C | Acme"}, "Home | Acme", "Acme: Acme, A, B, C"},
		{"two suffixes", []string{"Acme", "A - Docs | Acme", "B - Docs | Acme", "C - Docs | Acme"}, "Acme", "Acme: Acme, A, B, C"},
		{"site name", []string{"", "A – Acme"}, "Acme", "Acme: Acme, A"},
		{"too few titles", []string{"Home", "A – Acme", "B"}, "", "example.com: example.com, A – Acme, B"},
		{"name before colon", []string{"Acme: Main Page", "Acme: A", "Acme: B", "Acme: C"}, "Acme: Main Page", "Acme: Acme, A, B, C"},
		{"other prefix before colon", []string{"Acme", "git: A", "git: B", "git: C"}, "Acme", "Acme: Acme, git: A, git: B, git: C"},
		{"only the name", []string{"Acme", "A | Acme", "B | Acme", "C | Acme", " | Acme"}, "Acme", "Acme: Acme, A, B, C, | Acme"},
		{"no title", []string{"Acme", "", "A"}, "Acme", "Acme: Acme, p1.html, A"},
		{"duplicate title", []string{"Acme", "A", "A"}, "Acme", "Acme: Acme, A (p1.html), A (p2.html)"},
		{"long title", []string{"Acme", strings.Repeat("ä ", 400)}, "Acme", "Acme: Acme, " + strings.TrimSpace(strings.Repeat("ä ", 150)) + "…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newLLMSFile(t, entriesWithTitles(tt.titles...), tt.site)
			var titles []string
			for _, l := range f.Sections[0].Links {
				titles = append(titles, l.Text)
			}
			if got := f.Title + ": " + strings.Join(titles, ", "); got != tt.want {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestListingLimitsPages checks that an llms.txt has at most maxListed pages and a link to the
// sitemap. Pages near the root have priority.
func TestListingLimitsPages(t *testing.T) {
	var s entryList
	for i := range 2 * maxListed {
		loc := fmt.Sprintf("%sa/%04d/deep.html", base, i)
		if i%2 == 1 {
			loc = fmt.Sprintf("%sa/%04d.html", base, i)
		}
		s = append(s, sitemap.Entry{URL: sitemap.URL{Loc: loc}, Title: fmt.Sprint(i)})
	}
	for _, loc := range []string{"b/1", "b/2"} {
		s = append(s, sitemap.Entry{URL: sitemap.URL{Loc: base + loc}, Title: loc})
	}
	f := newLLMSFile(t, s, "")
	if a, b := f.Sections[0], f.Sections[1]; len(f.Sections) != 3 || f.Sections[2].Links[0].URL != base+"sitemap.xml" || len(a.Links) != maxListed-2 || len(b.Links) != 2 ||
		slices.ContainsFunc(a.Links, func(l Link) bool { return strings.HasSuffix(l.URL, "deep.html") }) {
		t.Errorf("got %d sections, the first with %d links, want 3 sections and %d links", len(f.Sections), len(a.Links), maxListed-2)
	}
}
