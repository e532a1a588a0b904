package writer

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/llms"
	"github.com/sitewalk/sitewalk/sitemap"
)

// titled returns a site whose pages have titles, that of the home page first.
func titled(titles ...string) Slice {
	var out Slice
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

func TestLLMSTitles(t *testing.T) {
	tests := []struct {
		name   string
		titles []string
		site   string // as og:site_name says
		want   string // the title and those of the pages
	}{
		{"behind a bar", []string{"Home | Acme", "A | Acme", "B | Acme", "C | Acme"}, "Home | Acme", "Acme: Acme, A, B, C"},
		{"two names", []string{"Acme", "A - Docs | Acme", "B - Docs | Acme", "C - Docs | Acme"}, "Acme", "Acme: Acme, A, B, C"},
		{"the name of the site", []string{"", "A – Acme"}, "Acme", "Acme: Acme, A"},
		{"too few", []string{"Home", "A – Acme", "B"}, "", "example.com: example.com, A – Acme, B"},
		{"before a colon", []string{"Acme: Main Page", "Acme: A", "Acme: B", "Acme: C"}, "Acme: Main Page", "Acme: Acme, A, B, C"},
		{"a colon of their own", []string{"Acme", "git: A", "git: B", "git: C"}, "Acme", "Acme: Acme, git: A, git: B, git: C"},
		{"nothing but the name", []string{"Acme", "A | Acme", "B | Acme", "C | Acme", " | Acme"}, "Acme", "Acme: Acme, A, B, C, | Acme"},
		{"no title", []string{"Acme", "", "A"}, "Acme", "Acme: Acme, p1.html, A"},
		{"one title twice", []string{"Acme", "A", "A"}, "Acme", "Acme: Acme, A (p1.html), A (p2.html)"},
		{"a long one", []string{"Acme", strings.Repeat("ä ", 400)}, "Acme", "Acme: Acme, " + strings.TrimSpace(strings.Repeat("ä ", 150)) + "…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := read(t, titled(tt.titles...), Options{Title: tt.site})
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

// TestLLMSLanguageTitles makes sure that the file of a language is called as the site's own
// file names it.
func TestLLMSLanguageTitles(t *testing.T) {
	var s Slice
	for i, title := range []string{"Handbuch | Acme", "A | Acme", "B | Acme", "C | Acme"} {
		loc := fmt.Sprintf("%sde/p%d.html", base, i)
		if i == 0 {
			loc = base + "de/"
		}
		s = append(s, sitemap.Entry{URL: sitemap.URL{Loc: loc}, Title: title})
	}
	dir := t.TempDir()
	write(t, s, Options{Dir: dir, Base: base, Formats: []string{"llms"}, LLMS: LLMS{Languages: []Language{{"de", "de"}}}})
	own := llms.Parse(must(os.ReadFile(filepath.Join(dir, llms.Name))))
	de := llms.Parse(must(os.ReadFile(filepath.Join(dir, "de", llms.Name))))
	if a, b, c := own.Sections[0].Links[0].Text, de.Title, de.Sections[0].Links[0].Text; a != "Acme" || b != a || c != a {
		t.Errorf("the language is called %q, its file %q, and its home page %q", a, b, c)
	}
}

// TestLLMSLimit lists no more pages than a reader takes in, those near the top first,
// and names the sitemap, if there is one, for the others.
func TestLLMSLimit(t *testing.T) {
	var s Slice
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
	f := read(t, s, Options{})
	if a, b := f.Sections[0], f.Sections[1]; len(f.Sections) != 2 || len(a.Links) != maxListed-2 || len(b.Links) != 2 ||
		slices.ContainsFunc(a.Links, func(l llms.Link) bool { return strings.HasSuffix(l.URL, "deep.html") }) {
		t.Errorf("%d sections, of which the first has %d links", len(f.Sections), len(a.Links))
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
