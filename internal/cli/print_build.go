package cli

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/writer"
)

// printBuild says in a few lines what a build did, and with verbose which pages
// are out and what is new.
func printBuild(p *Printer, r *engine.Build, dryRun, verbose bool) {
	if r.Settings.Skip != "" {
		p.Say("nothing written: %s", r.Settings.Skip)
		return
	}
	if verbose {
		leftOut(p, r.Result)
		news(p, r.Since)
	}
	files, parts := entryFirst(r.Files.Files), []string{diag.Count(r.URLs(), "URL")}
	if left := engine.LeftOut(r.Result); left != "" {
		parts = append(parts, left)
	}
	if !r.Settings.Stdout {
		parts = append(parts, filesDone(files, r.Dir, dryRun))
	}
	p.Say("%s, in %s", strings.Join(parts, "; "), r.Took.Round(time.Millisecond))
	if line := sourcesOf(r); line != "" {
		p.Say("%s", line)
	}
	for _, f := range files {
		if f.Words > 0 {
			p.Say("%s: %s, %s, %s", f.Name, diag.Count(f.URLs, "page"), diag.Count(f.Words, "word"), diag.Count(int(f.Bytes), "byte"))
		}
	}
	if s := r.Since; s != nil && !s.Same() {
		p.Say("since %s: %s", s.Old, changeCounts(len(s.Added()), len(s.Removed), len(s.Redated)))
	}
}

// sourcesOf says how many pages have a date, by source, and a content file.
func sourcesOf(r *engine.Build) string {
	var parts, by []string
	for _, name := range site.SourceNames() {
		if n := r.Result.Dates[name]; n > 0 {
			by = append(by, diag.Number(n)+" "+name)
		}
	}
	if len(r.Settings.Site.LastMod) > 0 && r.URLs() > 0 {
		parts = append(parts, share(r.Result.Dated, r.URLs()-r.Result.Dated, "a date", parens(strings.Join(by, ", "))))
	}
	if n := r.Result.Paired + r.Result.Unpaired; n > 0 && r.Settings.Site.Content != nil && r.Settings.Site.Pages != nil {
		parts = append(parts, share(r.Result.Paired, r.Result.Unpaired, "a content file", ""))
	}
	return strings.Join(parts, "; ")
}

// share says how many pages have something and how many have not.
func share(with, without int, what, detail string) string {
	what = strings.Join(nonEmpty(what, detail), " ")
	switch {
	case with == 0:
		return "no page has " + what
	case without == 0:
		return "all have " + what
	}
	return fmt.Sprintf("%s %s, %s none", have(with), what, have(without))
}

func have(n int) string {
	if n == 1 {
		return "1 has"
	}
	return diag.Number(n) + " have"
}

// changeCounts says how many URLs of the list changed, and how.
func changeCounts(added, removed, redated int) string {
	return fmt.Sprintf("%s added, %s removed, %s re-dated", diag.Number(added), diag.Number(removed), diag.Number(redated))
}

// leftOut names the pages that are out.
func leftOut(p *Printer, res *site.Result) {
	for row := range res.Pages() {
		if out := pageRow(res, row); !out.Listed {
			p.Say("out: %s", strings.Join(nonEmpty(out.Reason, out.URL, out.Why, parens(cmp.Or(out.Pos.String(), out.File))), "  "))
		}
	}
}

// news names what changed since the last sitemap.
func news(p *Printer, s *engine.Since) {
	if s == nil {
		return
	}
	for _, url := range s.Added() {
		p.Say("added: %s", url)
	}
	for _, e := range s.Removed {
		p.Say("removed: %s", e.URL)
	}
	for _, e := range s.Redated {
		p.Say("re-dated: %s  was %s", e.URL, cmp.Or(e.LastMod.String(), "without a date"))
	}
}

// entryFirst sorts files, short names before long ones: the entry before its children.
func entryFirst(files []writer.File) []writer.File {
	return slices.SortedStableFunc(slices.Values(files), func(a, b writer.File) int { return cmp.Compare(len(a.Name), len(b.Name)) })
}

// filesDone names the files by what became of them.
func filesDone(files []writer.File, dir string, dryRun bool) string {
	var parts []string
	for _, state := range []writer.State{writer.Written, writer.Unchanged, writer.Removed} {
		var names []string
		for _, f := range files {
			if f.State == state {
				names = append(names, f.Name)
			}
		}
		if len(names) == 0 {
			continue
		}
		word := state.String()
		if dryRun && state != writer.Unchanged {
			word = "would be " + word
		}
		parts = append(parts, fewer(names)+" "+word)
	}
	return strings.Join(parts, ", ") + " in " + dir
}

// fewer names a few files and counts the others.
func fewer(names []string) string {
	const most = 4
	if len(names) <= most {
		return strings.Join(names, " ")
	}
	return fmt.Sprintf("%s and %d more files", strings.Join(names[:most-1], " "), len(names)-most+1)
}

// A buildDetails is what only build says in JSON; docs/json.md describes it.
type buildDetails struct {
	DryRun   bool            `json:"dry_run"`
	Skipped  string          `json:"skipped,omitempty"` // why nothing was to be written
	Sitemap  string          `json:"sitemap,omitempty"` // the file that search engines are told of
	URLs     int             `json:"urls"`
	LeftOut  map[string]int  `json:"left_out"` // pages by reason, every reason named
	Paired   int             `json:"paired"`
	Unpaired int             `json:"unpaired"`
	Dated    int             `json:"dated"`
	Dates    map[string]int  `json:"dates"` // dates by source
	Files    []writer.File   `json:"files"`
	Settings []config.Origin `json:"settings"`
	Seconds  float64         `json:"seconds"`
}

// newBuildDetails are what a report says of a build alone, as docs/json.md describes it.
func newBuildDetails(r *engine.Build, dryRun bool) any {
	d := buildDetails{
		DryRun: dryRun,
		URLs:   r.URLs(), LeftOut: map[string]int{},
		Paired: r.Result.Paired, Unpaired: r.Result.Unpaired,
		Dated: r.Result.Dated, Dates: r.Result.Dates,
		Files: append([]writer.File{}, r.Files.Files...), Seconds: r.Took.Seconds(),
	}
	for i, why := range page.Reasons {
		if page.Reason(i) != page.Listed {
			d.LeftOut[why.Name] = r.Result.ReasonCounts[i]
		}
	}
	if r.Settings != nil {
		d.Settings, d.Skipped = r.Origins(), r.Settings.Skip
		if !r.Settings.Stdout {
			d.Sitemap = filepath.ToSlash(filepath.Join(r.Dir, r.Settings.Writer.Entry()))
		}
	}
	if d.Dates == nil {
		d.Dates = map[string]int{}
	}
	return d
}
