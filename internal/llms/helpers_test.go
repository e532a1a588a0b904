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

// A slice implements Entries in memory.
type slice []sitemap.Entry

func (s slice) Len() int { return len(s) }

func (s slice) Entry(i int, e *sitemap.Entry) { *e = s[i] }

// dated returns entries with the same date for paths below the base URL.
func dated(paths ...string) slice {
	s := make(slice, len(paths))
	for i, p := range paths {
		s[i].Loc, s[i].LastMod = base+p, sitemap.DayOf(time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC))
	}
	slices.SortFunc(s, func(a, b sitemap.Entry) int { return strings.Compare(a.Loc, b.Loc) })
	return s
}

// many returns the paths of n pages in a section.
func many(section string, n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("%s/page-%d/", section, i))
	}
	return out
}

// siteOf returns a Site with the given entries and title.
func siteOf(s slice, title string) Site {
	return Site{Entries: s, Base: base, Title: cmp.Or(title, "example.com"), ListFile: "sitemap.xml", ListURL: base + "sitemap.xml"}
}

// TestSectionsOfLanguages checks that sections with the same title get the language or the folder added
// to their names.
func TestSectionsOfLanguages(t *testing.T) {
	s := dated("", "de/", "de/a/", "en/", "en/a/", "news/", "news/a/", "old/", "old/a/")
	for i, title := range map[int]string{1: "Lakes", 3: "Lakes", 5: "News", 7: "Lakes"} {
		s[i].Title = title
	}
	for _, i := range []int{1, 3} {
		s[i].Alternates = []sitemap.Alternate{{Lang: "x-default", Href: s[3].Loc}, {Lang: "en", Href: s[3].Loc}, {Lang: "de-AT", Href: s[1].Loc}}
	}
	var names []string
	for _, section := range llmsOf(t, s, "").Sections {
		names = append(names, section.Name)
	}
	if got := strings.Join(names, ", "); got != "Pages, Lakes (de-AT), Lakes (en), News, Lakes (old)" {
		t.Errorf("sections %s", got)
	}
}
