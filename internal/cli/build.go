package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/writer"
	"github.com/spf13/cobra"
)

func newBuildCommand(env Env, p *Printer) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "build [DIR]",
		Short: "write the sitemap of the site built in DIR",
		Args:  limitArguments(0, 1),
		Long: `Reads the site built in DIR and writes its sitemap there. Without DIR it finds
the folder in sitemap.yaml or in the generator's own files.

Exit codes: 0 success; 1 with --strict, there are warnings or errors; 2 the
sitemap could not be built, and nothing was changed, or a report could not be
written.`,
		Example: `  sitewalk build public -b https://example.com/
  sitewalk build public -b https://example.com/ -o - --format txt
  sitewalk build --content content -o out -b https://example.com/`,
	}
	var f flags
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return f.runBuild(cmd.Context(), env, p, newInput(env, cmd, args))
	}
	f.addSiteFlags(cmd)
	f.addOutputFlags(cmd)
	flagSet := cmd.Flags()
	flagSet.String("from", "", "take the URLs from the sitemaps in `FILE`; - is stdin")
	flagSet.BoolVarP(&f.opts.DryRun, "dry-run", "n", false, "write nothing, print what would be written")
	flagSet.BoolVar(&f.strict, "strict", false, "exit with 1 for warnings and errors")
	flagSet.BoolVar(&f.opts.AllowEmpty, "allow-empty", false, "write a sitemap without URLs if no page is listed")
	flagSet.BoolVar(&f.opts.Force, "force", false, "replace an llms.txt that sitewalk did not write")
	f.addMaxLossFlag(cmd)
	f.addNoCacheFlag(cmd)
	f.addReportFlags(cmd)
	return cmd
}

func (f *flags) runBuild(ctx context.Context, env Env, p *Printer, in config.Input) error {
	o, err := f.prepareRun(ctx, env, p)
	if err != nil {
		return err
	}
	start, b := env.Now(), engine.New(o)
	in.SkipsPreviews = true
	err = b.Resolve(in)
	if err == nil && b.Settings.Stdout {
		err = f.requests.CheckStdout("-o -")
	}
	if err == nil {
		err = b.Run(ctx, f.endProgress)
	}
	b.Took = env.Now().Sub(start)
	out := &report.Report{Command: "build"}
	if f.strict {
		out.FailsAt = f.minFailingSeverity()
	}
	if len(f.requests) > 0 {
		out.Details, out.Pages = newBuildDetails(b, f.opts.DryRun), f.reportedPages(b.Result)
	}
	if out.Pages != nil && err == nil {
		out.Changes = newReportChanges(b.Since, out.Pages)
	}
	printSummary := func() { printBuild(p, b, f.opts.DryRun, f.verbose) }
	return f.finishRun(env, p, result{build: b, report: out, print: printSummary}, err)
}

// printBuild prints the summary of a build. With verbose, it also prints the URLs that are new, gone
// or changed.
func printBuild(p *Printer, b *engine.Build, dryRun, verbose bool) {
	if b.Settings.SkipReason != "" {
		p.Printf("nothing written: %s", b.Settings.SkipReason)
		return
	}
	if verbose {
		printChangesSince(p, b.Since)
	}
	files, parts := sortByNameLength(b.Files), []string{diag.Count(len(b.Result.List), "URL")}
	if left := engine.FormatLeftOut(b.Result); left != "" {
		parts = append(parts, left)
	}
	if !b.Settings.Stdout {
		parts = append(parts, formatFileStates(files, b.Dir, dryRun))
	}
	p.Printf("%s, in %s", strings.Join(parts, "; "), b.Took.Round(time.Millisecond))
	if len(b.Settings.Site.LastMod) > 0 && len(b.Result.List) > 0 {
		p.Printf("%s", summaryRow(b.Result.Dated, "dated", len(b.Result.List)-b.Result.Dated, "undated", formatDateSources(b)))
	}
	if s := b.Since; s != nil && !s.IsEmpty() {
		p.Printf("%s", summaryRow(len(s.AddedURLs()), "new", len(s.Removed), "gone", diag.Number(len(s.Redated))+" changed since "+s.Old))
	}
	for _, f := range files {
		if f.Words > 0 {
			p.Printf("%s: %s, %s, %s", f.Name, diag.Count(f.URLs, "page"), diag.Count(f.Words, "word"), diag.Count(int(f.Bytes), "byte"))
		}
	}
}

// summaryRow returns a line of the build summary in columns, such as "12 dated  3 undated  12 git"
// for n = 12, what = "dated", m = 3, other = "undated" and text = "12 git".
func summaryRow(n int, what string, m int, other, text string) string {
	return strings.TrimRight(fmt.Sprintf("%9s %-9s%9s %-11s%s", diag.Number(n), what, diag.Number(m), other, text), " ")
}

// formatDateSources returns the number of dates from each source, such as "12 git, 3 mtime". If
// both pages and content files are read, "; 14 of 15 with a content file" follows, the number of
// listed pages that have a content file.
func formatDateSources(b *engine.Build) string {
	var parts []string
	for _, name := range site.SourceNames() {
		if n := b.Result.Dates[name]; n > 0 {
			parts = append(parts, diag.Number(n)+" "+name)
		}
	}
	text := strings.Join(parts, ", ")
	if n := b.Result.Paired + b.Result.Unpaired; n > 0 && b.Settings.Site.Content != nil && b.Settings.Site.Pages != nil {
		text = strings.Join(nonEmpty(text, fmt.Sprintf("%s of %s with a content file", diag.Number(b.Result.Paired), diag.Number(n))), "; ")
	}
	return text
}

// printChangesSince prints the URLs that are new, gone or changed since the previous sitemap. It
// prints nothing if s is nil.
func printChangesSince(p *Printer, s *engine.ListDiff) {
	if s == nil {
		return
	}
	for _, url := range s.AddedURLs() {
		p.Printf("new: %s", url)
	}
	for _, e := range s.Removed {
		p.Printf("gone: %s", e.URL)
	}
	for _, e := range s.Redated {
		p.Printf("changed: %s  was %s", e.URL, cmp.Or(e.LastMod.String(), "without a date"))
	}
}

// sortByNameLength returns files sorted by the length of their names, so that a sitemap index comes
// before its children.
func sortByNameLength(files []writer.File) []writer.File {
	return slices.SortedStableFunc(slices.Values(files), func(a, b writer.File) int { return cmp.Compare(len(a.Name), len(b.Name)) })
}

// formatFileStates returns the names of the files, grouped by state, and the folder: "sitemap.xml
// written, feed.xml unchanged in public". With dryRun, it writes "would be written".
func formatFileStates(files []writer.File, dir string, dryRun bool) string {
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
		parts = append(parts, shortenNames(names)+" "+word)
	}
	return strings.Join(parts, ", ") + " in " + dir
}

// shortenNames returns the names, separated by spaces. Of more than four names, it returns the
// first three and the number of the others: "a.xml b.xml c.xml and 2 more files".
func shortenNames(names []string) string {
	const maxNames = 4
	if len(names) <= maxNames {
		return strings.Join(names, " ")
	}
	return fmt.Sprintf("%s and %d more files", strings.Join(names[:maxNames-1], " "), len(names)-maxNames+1)
}

// buildDetails contains the fields that the command build adds to the JSON report. docs/json.md
// describes them.
type buildDetails struct {
	DryRun   bool            `json:"dry_run"`
	Skipped  string          `json:"skipped,omitempty"` // the reason why nothing is written
	Sitemap  string          `json:"sitemap,omitempty"` // the file to submit
	URLs     int             `json:"urls"`
	LeftOut  map[string]int  `json:"left_out"` // number of pages by reason, with 0 for unused reasons
	Paired   int             `json:"paired"`
	Unpaired int             `json:"unpaired"`
	Dated    int             `json:"dated"`
	Dates    map[string]int  `json:"dates"` // number of dates by source
	Files    []writer.File   `json:"files"`
	Settings []config.Origin `json:"settings"`
	Seconds  float64         `json:"seconds"`
}

// newBuildDetails returns the fields of the JSON report about the build b, which may have failed.
// dryRun reports whether the user passed --dry-run.
func newBuildDetails(b *engine.Build, dryRun bool) buildDetails {
	d := buildDetails{
		DryRun: dryRun,
		URLs:   len(b.Result.List), LeftOut: map[string]int{},
		Paired: b.Result.Paired, Unpaired: b.Result.Unpaired,
		Dated: b.Result.Dated, Dates: b.Result.Dates,
		Files: append([]writer.File{}, b.Files...), Seconds: b.Took.Seconds(),
	}
	for i, why := range page.Reasons {
		if page.Reason(i) != page.Listed {
			d.LeftOut[why.Name] = b.Result.ReasonCounts[i]
		}
	}
	if b.Settings != nil {
		d.Settings, d.Skipped = b.Origins(), b.Settings.SkipReason
		if !b.Settings.Stdout {
			d.Sitemap = filepath.ToSlash(filepath.Join(b.Dir, b.Settings.Writer.EntryFile()))
		}
	}
	if d.Dates == nil {
		d.Dates = map[string]int{}
	}
	return d
}

// pageRows converts all pages of a site, listed or left out, to rows of a report.
func pageRows(res *site.Result) []report.Page {
	pages := []report.Page{}
	for p := range res.Pages() {
		pages = append(pages, pageRow(res, p))
	}
	return pages
}

// pageRow converts p to a row of a report. In the row, Pos is the position of the reason why the
// page is left out, such as a robots meta tag. If there is no such position and the URL has no
// file, Pos is the place that names the URL, such as a line of sitemap.yaml. File is "" for a URL
// without a file.
func pageRow(res *site.Result, p *site.Page) report.Page {
	out := report.Page{
		URL: p.Loc, Listed: p.Listed(), LastMod: p.LastMod.String(), By: p.DateBy,
		Lang: p.KnownLang(), Title: p.Title(), Source: res.World.ContentPos(p).File, Content: res.Fingerprint(p),
	}
	if !out.Listed {
		out.Reason, out.Why, out.Pos = p.Reason().String(), p.Exclusion.Text, p.Exclusion.Pos
	}
	if p.File() != "" {
		out.File = res.World.Pos(p).File
	} else if out.Pos == (diag.Pos{}) {
		out.Pos = res.World.Pos(p)
	}
	return out
}

// newReportChanges converts the changes since the previous sitemap for reports. pages are all pages
// of the site. It returns nil if there is no previous sitemap.
func newReportChanges(since *engine.ListDiff, pages []report.Page) *report.Changes {
	if since == nil {
		return nil
	}
	now := make(map[string]*report.Page, len(pages))
	for i := range pages { // a listed page takes precedence over a page that is left out and has the same URL
		if p := &pages[i]; p.Listed || now[p.URL] == nil {
			now[p.URL] = p
		}
	}
	c := &report.Changes{Old: since.Old, OldCount: since.Of, List: []report.Change{}}
	for _, was := range since.Removed {
		change := report.Change{
			Class: "no longer listed", Level: diag.Warning, URL: was.URL, OldDate: was.LastMod.String(), Reason: "no page is served there",
		}
		if p := now[was.URL]; p != nil {
			change.Reason, change.Pos = p.Reason, p.Pos
		}
		c.List = append(c.List, change)
	}
	added := since.AddedURLs()
	for _, url := range added {
		c.List = append(c.List, report.Change{Class: "added", URL: url, NewDate: now[url].LastMod})
	}
	for _, was := range since.Redated {
		c.List = append(c.List, report.Change{Class: "re-dated", URL: was.URL, OldDate: was.LastMod.String(), NewDate: now[was.URL].LastMod})
	}
	c.Unchanged = since.Of - len(since.Removed) - len(since.Redated)
	c.NewCount = since.Of - len(since.Removed) + len(added)
	slices.SortFunc(c.List, func(a, b report.Change) int {
		return cmp.Or(-cmp.Compare(a.Level, b.Level), cmp.Compare(a.Class, b.Class), cmp.Compare(a.URL, b.URL))
	})
	return c
}
