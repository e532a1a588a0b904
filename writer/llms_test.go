package writer

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sitewalk/sitewalk/internal/llms"
	"github.com/sitewalk/sitewalk/sitemap"
)

// siteWithTitles returns pages with the given titles. The first page is the home page.
func siteWithTitles(titles ...string) entryList {
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

// writeLLMS writes an llms.txt and returns its content.
func writeLLMS(t *testing.T, entries Entries, o Options) *llms.File {
	t.Helper()
	o.Dir, o.Base, o.Formats = t.TempDir(), base, []string{"llms"}
	mustWrite(t, entries, o)
	return llms.Parse([]byte(must(os.ReadFile(filepath.Join(o.Dir, llms.Name)))))
}

// TestLLMSLanguageTitles checks that the llms.txt of a language has the same title as the link to
// its home page in the llms.txt of the site.
func TestLLMSLanguageTitles(t *testing.T) {
	var s entryList
	for i, title := range []string{"Handbuch | Acme", "A | Acme", "B | Acme", "C | Acme"} {
		loc := fmt.Sprintf("%sde/p%d.html", base, i)
		if i == 0 {
			loc = base + "de/"
		}
		s = append(s, sitemap.Entry{URL: sitemap.URL{Loc: loc}, Title: title})
	}
	dir := t.TempDir()
	mustWrite(t, s, Options{Dir: dir, Base: base, Formats: []string{"llms"}, LLMS: LLMS{Languages: []Language{{Dir: "de", Code: "de"}}}})
	own := llms.Parse(must(os.ReadFile(filepath.Join(dir, llms.Name))))
	de := llms.Parse(must(os.ReadFile(filepath.Join(dir, "de", llms.Name))))
	if a, b, c := own.Sections[0].Links[0].Text, de.Title, de.Sections[0].Links[0].Text; a != "Acme" || b != a || c != a {
		t.Errorf("got link text %q, title %q and text of the home page %q, want Acme", a, b, c)
	}
}

// TestLLMSUsesPlaces checks that Options.LLMS.Place determines the section and the order of the
// pages.
func TestLLMSUsesPlaces(t *testing.T) {
	places := []Place{{}, {Section: "Second", Rank: 2}, {Section: "First", Rank: 1, Limit: 1, By: 1}, {Section: "First", Rank: 1, Limit: 1, By: 1}, {Optional: true, Section: "First", Rank: 1}}
	f := writeLLMS(t, siteWithTitles("Acme", "a", "b", "c", "d"), Options{LLMS: LLMS{Place: func(i int) Place { return places[i] }}})
	var got []string
	for _, s := range f.Sections {
		for _, l := range s.Links {
			got = append(got, s.Name+" "+l.Text)
		}
	}
	if want := []string{"First b", "Second a", "Pages example.com", "Optional d"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
