package site

import (
	"fmt"
	"testing"
	"testing/fstest"
	"time"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/walker"
)

// A dateField contains the date of a page, and the claims of the date sources about it.
type dateField struct {
	Value  string
	Claims []Claim
}

// explainDates builds a site. pages maps each page to the time in its HTML and the modification
// time of its file. It returns the explained date of each page.
func explainDates(t *testing.T, pages map[string][2]time.Time) map[string]dateField {
	t.Helper()
	base, err := mapping.ParseBase("https://example.com/")
	if err != nil {
		t.Fatal(err)
	}
	fsys := fstest.MapFS{}
	for name, p := range pages {
		text := `<meta property="article:modified_time" content="` + p[0].Format(time.RFC3339Nano) + `">`
		fsys[name] = &fstest.MapFile{Data: []byte(text), ModTime: p[1]}
	}
	filter, err := walker.NewFilter(walker.HTMLFiles, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := known(t, Options{Options: facts.Options{Base: base, Pages: &facts.Tree{Files: walker.FS(fsys), Filter: filter}}, LastMod: []string{"html"}, Now: noon})
	res, fields := ListPages(s, noon), map[string]dateField{}
	for name := range pages {
		p := res.Page(name)
		fields[name] = dateField{p.LastMod.String(), res.DateClaims(p)}
	}
	return fields
}

// TestDateOfTheBuild checks that a time in HTML is ignored if the page's file was written about
// then, or if it is about the current time. A round time is used.
func TestDateOfTheBuild(t *testing.T) {
	then := time.Date(2025, 3, 4, 5, 6, 7, 0, time.UTC)
	for name, tt := range map[string]struct {
		named, written time.Time
		printed        bool
	}{
		"when it was written":     {then, then.Add(2 * time.Minute), false},
		"another time":            {then, then.Add(time.Hour), true},
		"now":                     {noon.Add(-5 * time.Minute).Add(time.Second), then, false},
		"not quite now":           {noon.Add(-11 * time.Minute), then, true},
		"a day, in its zone":      {time.Date(2025, 3, 4, 0, 0, 0, 0, time.FixedZone("", 19800)), time.Date(2025, 3, 3, 18, 31, 0, 0, time.UTC), true},
		"a file without a time":   {then, time.Time{}, true},
		"a moment of a file 1970": {then, time.Unix(0, 0), true},
	} {
		t.Run(name, func(t *testing.T) {
			f := explainDates(t, map[string][2]time.Time{"a.html": {tt.named, tt.written}})["a.html"]
			if (f.Value != "") != tt.printed {
				t.Errorf("%q is printed: %+v", f.Value, f.Claims)
			}
		})
	}
}

// TestDatesOfAnEditor checks that times in HTML are used if each file was written when its page
// changed.
func TestDatesOfAnEditor(t *testing.T) {
	pages := map[string][2]time.Time{}
	for i := range 5 {
		then := time.Date(2025, 3, 4+i, 5, 6, 7, 0, time.UTC)
		pages[fmt.Sprintf("%d.html", i)] = [2]time.Time{then, then.Add(time.Second)}
	}
	for name, f := range explainDates(t, pages) {
		if f.Value == "" {
			t.Errorf("%s has no date: %+v", name, f.Claims)
		}
	}
}

// TestSharedSeconds checks that a second that several pages share is ignored as the time of a
// build. It is used if only a few of many pages share it and other pages are newer.
func TestSharedSeconds(t *testing.T) {
	second := time.Date(2025, 3, 4, 5, 6, 7, 0, time.UTC)
	for name, tt := range map[string]struct {
		share, newer, older int
		printed             bool
	}{
		"two":                        {share: 2, printed: true},
		"three":                      {share: 3},
		"three of many, the newest":  {share: 3, older: 100},
		"three of many, a while ago": {share: 3, newer: 100, printed: true},
		"a tenth, a while ago":       {share: 12, newer: 100},
	} {
		t.Run(name, func(t *testing.T) {
			pages := map[string][2]time.Time{}
			for i := range tt.share {
				pages[fmt.Sprintf("s%d.html", i)] = [2]time.Time{second.Add(time.Duration(i) * time.Millisecond)}
			}
			for i := range tt.newer {
				pages[fmt.Sprintf("n%d.html", i)] = [2]time.Time{second.AddDate(0, 0, i+1).Add(time.Second)}
			}
			for i := range tt.older {
				pages[fmt.Sprintf("o%d.html", i)] = [2]time.Time{second.AddDate(0, 0, -i-1)}
			}
			for name, f := range explainDates(t, pages) {
				if printed := tt.printed || name[0] != 's'; (f.Value != "") != printed {
					t.Errorf("%s: %q is printed: %+v", name, f.Value, f.Claims)
				}
			}
		})
	}
}
