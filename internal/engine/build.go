// Package engine builds the sitemap of a site, once or after every change.
//
// Its input is resolved settings, and its output is files on disk. The package does not print. A
// Build contains the findings and the result, and a Teller receives the events of a watch.
package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/writer"
)

// Options are the options of a build that are not part of the settings.
type Options struct {
	DryRun          bool                  // do not change files
	AllowEmpty      bool                  // write a sitemap even if it lists no URL
	Watch           bool                  // the build is part of sitewalk watch, so hints must not name flags of build
	Force           bool                  // replace an llms.txt that another tool or the user wrote
	Titles          bool                  // read the titles of pages even if no output format needs them
	Timeout         time.Duration         // time limit for all requests together; 0 means the default
	MaxKept         int                   // number of findings kept for each code, as diag.Report.MaxKept
	Cache           string                // cache folder of the user; "" disables the cache
	Dir             string                // working directory, against which relative names are resolved
	Stdin           io.Reader             // contains the list called "-"
	Stdout          io.Writer             // receives the sitemap if the settings print it
	Progress        func(files int)       // called with the number of files read so far; may be nil
	RequestProgress func(done, total int) // called with the numbers of requested and planned URLs of a live site; may be nil
}

// A Build is one build of a site. Call Resolve, ReadSite, CheckLosses and Write in this order, or
// call Run after Resolve. Each step sets the fields that it computes.
type Build struct {
	Settings *config.Settings
	Findings *diag.Report
	Result   *site.Result
	Files    []writer.File  // output files; none after an error
	Ledger   *ledger.Ledger // ledger of the last build; ReadSite reads it unless it is set
	Dir      string         // output folder as the user would type it
	Took     time.Duration  // duration of the build
	Since    *ListDiff      // changes since the last sitemap, or since the last build on this machine; nil before CheckLosses or if neither exists

	MassProblems []site.MassProblem // single mistakes that each affect most of the site's pages

	o           Options
	dirsBefore  map[string]fs.FileInfo // publish directory and folder of the ledger when ReadSite began
	emptyGroups []writer.Group         // configured sitemaps without a page in the parts drafted so far
}

// New returns a build with the options o. No step of the build has run yet.
func New(o Options) *Build {
	return &Build{o: o, Findings: &diag.Report{MaxKept: o.MaxKept}, Result: &site.Result{}}
}

// NextBuild returns a new build with the settings and the ledger of b. Its first step is ReadSite.
func (b *Build) NextBuild() *Build {
	next := New(b.o)
	next.Settings, next.Ledger, next.Dir = b.Settings, b.Ledger, b.Dir
	next.Findings.Levels = b.Findings.Levels
	return next
}

// Resolve sets b.Settings from input, which contains or names the flags, environment variables and
// files. It adds the findings about them to b.Findings. It sets b.Settings even if it returns an
// error.
func (b *Build) Resolve(input config.Input) error {
	settings, ds, err := config.Resolve(input)
	if err == nil { // the severities that the user configured do not apply to an error
		b.Findings.Levels = settings.Findings
	}
	b.Findings.Add(ds...)
	b.Settings = settings
	b.Dir = files.DisplayPath(b.o.Dir, settings.Writer.Dir)
	return err
}

// Run reads the site and writes its sitemap. It does nothing if the settings say to skip the build.
// It returns an error if the settings name no place to write to. Otherwise it calls readDone after
// reading and before writing, even if reading fails. After an error, b contains the results that
// were computed before the error.
func (b *Build) Run(ctx context.Context, readDone func()) error {
	if b.Settings.SkipReason != "" {
		return nil
	}
	if b.Settings.Writer.Dir == "" && !b.Settings.Stdout {
		return diag.Hintedf("name a folder with -o, or print the sitemap with -o -",
			"there is no publish directory to write into")
	}
	err := b.ReadSite(ctx)
	if err == nil {
		b.reportUnusedGlobs(ctx)
		err = b.CheckLosses(ctx)
	}
	readDone()
	if err == nil {
		err = b.Write(ctx)
	}
	if err == nil {
		b.storeList()
	}
	return err
}

// ResolvePath returns name as a path in the folder wd if name is relative. It returns absolute
// names and URLs unchanged.
func ResolvePath(wd, name string) string {
	if filepath.IsAbs(name) || fetch.IsURL(name) {
		return name
	}
	return filepath.Join(wd, name)
}

// ReadSite reads the files of the site, decides which pages are listed, and sets b.Result. It also
// reads the ledger, unless b.Ledger is set.
func (b *Build) ReadSite(ctx context.Context) error {
	b.dirsBefore = map[string]fs.FileInfo{}
	for _, dir := range []string{b.Settings.Writer.Publish, filepath.Dir(b.Settings.LedgerTo)} {
		b.dirsBefore[dir], _ = os.Stat(dir)
	}
	o, err := b.siteOptions(ctx)
	if err != nil {
		return err
	}
	set, err := facts.Learn(ctx, o.FactsOptions())
	if err != nil {
		return err
	}
	world, err := site.Relate(ctx, set, o)
	if err != nil {
		return err
	}
	b.computeResult(world, o.Now)
	return nil
}

// reportUnusedGlobs adds a note about each glob of the settings that matches no file of the site.
func (b *Build) reportUnusedGlobs(ctx context.Context) {
	tree := cmp.Or(b.Settings.Site.Pages, b.Settings.Site.Content)
	if tree == nil {
		return
	}
	var patterns []string
	for _, g := range b.Settings.Globs {
		patterns = append(patterns, g.Pattern)
	}
	for _, i := range tree.UnusedGlobs(ctx, patterns) {
		g, hint := b.Settings.Globs[i], "globs match the paths of files below "+tree.DisplayName("")
		if slashed := strings.ReplaceAll(g.Pattern, `\`, "/"); slashed != g.Pattern {
			hint = fmt.Sprintf("write it with slashes: %q", slashed)
		}
		b.Findings.Add(diag.Notef(g.Pos, "unused-rule", hint, "%s %q matches no file", g.Who, g.Pattern).About(g.Pattern))
	}
}

// computeResult decides which pages of w are listed at the time now. It sets b.Result and
// b.MassProblems, and adds findings about the site.
func (b *Build) computeResult(w *site.World, now time.Time) {
	b.Result = site.ListPages(w, now)
	var all *diag.Report // findings of site.ListPages and site.Lint
	all, b.MassProblems = site.Lint(b.Result, b.Settings.MaxLoss)
	b.Findings.Merge(all)
}

// siteOptions returns the options for reading the site. It reads the ledger, unless b.Ledger is
// set, and the sitemaps in --from. It moves the URLs in these sitemaps below the base URL; see
// site.MoveToBase.
func (b *Build) siteOptions(ctx context.Context) (site.Options, error) {
	o := b.Settings.Site
	o.MaxKept, o.Progress = b.o.MaxKept, b.o.Progress
	o.Page.Titles = o.Page.Titles || b.o.Titles
	if from := b.Settings.LedgerFrom; from != "" {
		if b.Ledger == nil {
			lo := b.Settings.LedgerOptions
			lo.Dir, lo.Timeout, lo.Named = b.o.Dir, b.o.Timeout, b.Settings.BaseURLs()
			var err error
			if b.Ledger, err = ledger.Read(ctx, from, lo, b.Findings); err != nil {
				return o, err
			}
		}
		o.Ledger = b.Ledger
	}
	name := b.Settings.From
	if name == "" {
		return o, nil
	}
	if name != "-" {
		name = ResolvePath(b.o.Dir, name)
	}
	o.From = []*site.SitemapEntry{} // not nil even without entries, because nil means no --from
	err := fetch.ReadList(ctx, name, fetch.ListOptions{Stdin: b.o.Stdin, Dir: b.o.Dir, Flag: "--from ", Typed: true, Rewrites: true}, b.Findings, func(e fetch.Entry) {
		e.Pos.Col = 0 // the line is enough to find a URL
		o.From = append(o.From, &site.SitemapEntry{URL: site.MoveToBase(e.URL, o.Base), Pos: e.Pos})
	})
	return o, err
}

// Write writes the sitemaps, the other output files and the ledger. If a sitemap cannot be written,
// the ledger stays unchanged, because it must not contain dates that no sitemap has. If
// b.Settings.Stdout is set, Write only prints the sitemap.
func (b *Build) Write(ctx context.Context) (err error) {
	b.emptyGroups = slices.Clone(b.Settings.Writer.Groups)
	b.Result.ReportUndatedByImport(b.Findings)
	if b.Settings.Stdout {
		o := b.Settings.Writer
		if b.Settings.Site.Page.Titles {
			b.setSiteTitleAndLLMS(ctx, &o, 0, b.Result.List)
		}
		report, err := writer.Print(b.o.Stdout, b.Result.Entries(b.Result.List), o)
		b.Findings.Add(report.Diags...)
		return err
	}
	t := writer.Transaction{Seen: b.dirsBefore}
	defer t.Close()
	defer func() {
		if err != nil {
			b.Files = nil
		}
	}()
	for i, o := range b.Settings.Outputs() {
		if err := b.draftPart(ctx, &t, i, o); err != nil {
			return b.withDisplayName(err)
		}
	}
	if b.Settings.LedgerTo != "" && b.Result.Ledger != nil && !b.o.DryRun {
		if err := b.draftLedger(ctx, &t); err != nil {
			return err
		}
	}
	for _, g := range b.emptyGroups {
		b.Findings.Add(diag.Warnf(g.Pos, "empty-sitemap", `urls is the path of an address below the base URL, as in "/blog/**"`, "no page is listed in the sitemap %q", g.Name))
	}
	if b.o.DryRun {
		return nil
	}
	return b.withDisplayName(t.Commit())
}

// draftLedger adds the ledger to the files that t will write. If the ledger's folder does not
// exist, it creates the folder.
func (b *Build) draftLedger(ctx context.Context, t *writer.Transaction) error {
	to := b.Settings.LedgerTo
	err := files.MakeFolder(filepath.Dir(to), b.Settings.Writer.Publish)
	if err == nil {
		err = t.AddFile(ctx, to, b.Result.Ledger.AppendTo(nil))
	}
	if err != nil {
		return fmt.Errorf("ledger: %w", b.withDisplayName(err))
	}
	return nil
}

// draftPart adds the sitemap of one part of the site to the files that t will write. Part 0 is the
// publish directory; the others are folders that other hosts serve. If the folder of another part
// has no listed page, draftPart keeps its old sitemap, unless --allow-empty is set. If all pages
// are in the other parts, part 0 gets a sitemap only if sitewalk has already written one there, or
// if o.Index names further sitemaps.
func (b *Build) draftPart(ctx context.Context, t *writer.Transaction, part int, o writer.Options) error {
	list, dir, hasOtherParts := b.Result.ListedPagesOf(part), b.Result.World.Parts[part].Dir, len(b.Result.World.Parts) > 1
	o.DryRun, o.LLMS.Force = b.o.DryRun, b.o.Force
	if hasOtherParts {
		o.Leftovers = nil // an old sitemap in a language folder may be the sitemap of another part
	}
	if part == 0 && len(list) == 0 && hasOtherParts && len(o.Index) == 0 && findSitemapFile(o, IsSitewalkSitemap) == "" {
		return nil // all pages are in the other parts
	}
	if part > 0 && len(list) == 0 && !b.o.AllowEmpty {
		b.Findings.Add(diag.Warnf(diag.Pos{File: path.Join(filepath.ToSlash(b.Dir), dir)}, "empty-site",
			"does sites.dir name the folder that the other host serves?", "no page of the site %s is listed, so its sitemap stays unchanged", o.Base))
		return nil
	}
	o.IsPage = func(file string) bool { return b.Result.World.HasPageFile(path.Join(dir, file)) }
	o.IsReferenced = func(file string) bool { return b.homeRefersTo(o.Publish, file) }
	if b.Settings.Site.Page.Titles {
		b.setSiteTitleAndLLMS(ctx, &o, part, list)
	}
	b.reportOutOfScope(o, list)
	report, err := t.Draft(ctx, b.Result.Entries(list), o)
	for _, f := range report.Files {
		f.Name = path.Join(dir, f.Name)
		b.Files = append(b.Files, f)
	}
	b.emptyGroups = slices.DeleteFunc(b.emptyGroups, func(g writer.Group) bool { return !slices.Contains(report.Empty, g) })
	for _, d := range report.Diags {
		d.Pos.File = path.Join(filepath.ToSlash(b.Dir), dir, d.Pos.File)
		b.Findings.Add(d)
	}
	return err
}

// withDisplayName returns an error with the file name and the cause of the fs.PathError in err. The
// file name is as the user would type it. If err contains no fs.PathError, withDisplayName returns
// err unchanged.
func (b *Build) withDisplayName(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", filepath.ToSlash(files.DisplayPath(b.o.Dir, pe.Path)), pe.Err)
	}
	return err
}

// FormatLeftOut returns text that counts the excluded pages by reason, such as "3 pages left out (2
// noindex, 1 draft)". It returns "" if no page is excluded.
func FormatLeftOut(res *site.Result) string {
	total := 0
	var whys []string
	for i, n := range res.ReasonCounts {
		if reason := page.Reason(i); reason != page.Listed && n > 0 {
			total += n
			whys = append(whys, diag.Number(n)+" "+reason.String())
		}
	}
	if total == 0 {
		return ""
	}
	return fmt.Sprintf("%s left out (%s)", diag.Count(total, "page"), strings.Join(whys, ", "))
}

// Origins returns where the value of each setting comes from. It includes link styles that were
// detected in the pages. It returns nil before Resolve.
func (b *Build) Origins() []config.Origin {
	if b.Settings == nil {
		return nil
	}
	all := slices.Clone(b.Settings.Origins)
	for i := range all {
		all[i].Value = fetch.WithoutPassword(all[i].Value)
	}
	for _, l := range b.Result.LinkStyles {
		key, value := l.Setting()
		o := config.Origin{Key: key, Value: value, By: "detected", Why: l.String()}
		if l.Dir != "" {
			o.Key = "sites " + l.Dir + " " + o.Key
		}
		all = append(all, o)
	}
	return all
}
