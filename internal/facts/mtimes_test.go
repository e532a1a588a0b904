package facts

import (
	"fmt"
	"testing"
	"testing/fstest"
	"time"

	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/walker"
)

// Of many pages with a clock's date all are asked when they were written, or none, by
// what the pages say that are in the sample.
func TestMTimes(t *testing.T) {
	written := time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)
	for _, c := range []struct {
		name  string
		pages int
		o     Options
		built func(file string) bool // at the time that the page names
		asked bool
	}{
		{"few", fewMTimes, Options{}, func(string) bool { return false }, true},
		{"many", fewMTimes + 300, Options{}, func(string) bool { return false }, false},
		{"many, built", fewMTimes + 300, Options{}, func(string) bool { return true }, true},
		{"many, one of the sample built", fewMTimes + 300, Options{}, sampled, true},
		{"many, others built", fewMTimes + 300, Options{}, func(file string) bool { return !sampled(file) }, false},
		{"many in watch", fewMTimes + 300, Options{Remember: true}, func(string) bool { return false }, true},
		{"many, mtime speaks", fewMTimes + 300, Options{LastMod: []string{"html", "mtime"}}, func(string) bool { return false }, true},
	} {
		tree := fstest.MapFS{}
		for i := range c.pages {
			file, date := fmt.Sprintf("p%d.html", i), written.AddDate(-1, 0, 0)
			if c.built(file) {
				date = written.Add(time.Minute)
			}
			text := fmt.Sprintf("<title>A</title><meta property=\"article:modified_time\" content=%q>", date.Format(time.RFC3339))
			tree[file] = &fstest.MapFile{Data: []byte(text), ModTime: written}
		}
		if c.o.LastMod == nil {
			c.o.LastMod = []string{"html"}
		}
		c.o.Base, _ = mapping.ParseBase("https://example.com/")
		c.o.Pages = &Tree{Files: walker.FS(tree)}
		s, err := Learn(t.Context(), c.o)
		if err != nil {
			t.Fatal(err)
		}
		asked := 0
		for _, p := range s.Pages {
			if p.MTime != 0 {
				asked++
			}
		}
		if want := map[bool]int{true: c.pages}[c.asked]; asked != want {
			t.Errorf("%s: %d of %d pages were asked, want %d", c.name, asked, c.pages, want)
		}
	}
}
