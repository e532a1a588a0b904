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

// titled returns a site whose pages have titles, that of the home page first.
func titled(titles ...string) slice {
	var out slice
	for i, t := range titles {
		loc := base
		if i > 0 {
			loc += fmt.Sprintf("p%d.html", i)
		}
		out = append(out, sitemap.Entry{URL: sitemap.URL{Loc: loc}, Title: t})
	}
	return out
}

// read returns the llms.txt that is written.
func read(t *testing.T, entries Entries, o Options) *llms.File {
	t.Helper()
	o.Dir, o.Base, o.Formats = t.TempDir(), base, []string{"llms"}
	write(t, entries, o)
	return llms.Parse([]byte(must(os.ReadFile(filepath.Join(o.Dir, llms.Name)))))
}

// TestLLMSLanguageTitles makes sure that the file of a language is called as the site's own
// file names it.
func TestLLMSLanguageTitles(t *testing.T) {
	var s slice
	for i, title := range []string{"Handbuch | Acme", "A | Acme", "B | Acme", "C | Acme"} {
		loc := fmt.Sprintf("%sde/p%d.html", base, i)
		if i == 0 {
			loc = base + "de/"
		}
		s = append(s, sitemap.Entry{URL: sitemap.URL{Loc: loc}, Title: title})
	}
	dir := t.TempDir()
	write(t, s, Options{Dir: dir, Base: base, Formats: []string{"llms"}, LLMS: LLMS{Languages: []Language{{Dir: "de", Code: "de"}}}})
	own := llms.Parse(must(os.ReadFile(filepath.Join(dir, llms.Name))))
	de := llms.Parse(must(os.ReadFile(filepath.Join(dir, "de", llms.Name))))
	if a, b, c := own.Sections[0].Links[0].Text, de.Title, de.Sections[0].Links[0].Text; a != "Acme" || b != a || c != a {
		t.Errorf("the language is called %q, its file %q, and its home page %q", a, b, c)
	}
}

// TestLLMSPlaces is asked of each page where it stands.
func TestLLMSPlaces(t *testing.T) {
	places := []Place{{}, {Section: "Second", Rank: 2}, {Section: "First", Rank: 1, Limit: 1, By: 1}, {Section: "First", Rank: 1, Limit: 1, By: 1}, {Optional: true, Section: "First", Rank: 1}}
	f := read(t, titled("Acme", "a", "b", "c", "d"), Options{LLMS: LLMS{Place: func(i int) Place { return places[i] }}})
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
