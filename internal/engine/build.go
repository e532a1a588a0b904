// Package engine builds the sitemap of a site, once or after every change.
//
// Its input are resolved settings, and its output are files on disk. The package does not
// print: a Build contains the findings and the result, and a Teller receives the events of a
// watch. The package may change.
package engine

import (
	"context"
	"fmt"
	"io"
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
	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/sitewalk/sitewalk/writer"
)

// Options configure a build, in addition to the settings.
type Options struct {
	DryRun     bool                  // write nothing
	AllowEmpty bool                  // write a sitemap even if it lists no URL
	Watch      bool                  // the build is part of a watch, which has no flag --allow-empty
	Force      bool                  // replace an llms.txt that sitewalk did not write
	Titles     bool                  // read the titles of pages, even if no format needs them
	Compare    bool                  // without an earlier sitemap, compare with the last build on this machine
	Online     time.Duration         // time limit for all requests; see fetch.WithTimeout
	Keep       int                   // number of findings kept for each code, as in diag.Report
	Cache      string                // the user's cache folder; "" disables the cache
	Dir        string                // working directory
	Stdin      io.Reader             // source of a list called "-"
	Stdout     io.Writer             // destination of a printed sitemap
	Progress   func(files int)       // as in facts.Options
	Asking     func(done, total int) // called with the numbers of requested and planned URLs of a live site; may be nil
}

// A Build is the state of one build. A field is set after the step that computes it.
type Build struct {
	Settings *config.Settings
	Findings *diag.Report
	Result   *site.Result
	Files    writer.Report
	TooLarge int            // number of pages that fit in no file
	Ledger   *ledger.Ledger // of the last build; read by ReadSite unless it is set
	Dir      string         // output folder as the user would type it
	Took     time.Duration
	Since    *Since // changes since the last sitemap, or since the last build on this machine; nil before Guard, or if both are missing

	Collapses []site.Collapse // causes that exclude most of the site

	o     Options
	empty []writer.Group // configured sitemaps that have had no page in any drafted part
}

// New returns a build that has done nothing yet.
func New(o Options) *Build {
	return &Build{o: o, Findings: &diag.Report{MaxKept: o.Keep}, Result: &site.Result{}}
}

// Again returns a new build with the same settings and ledger.
func (b *Build) Again() *Build {
	next := New(b.o)
	next.Settings, next.Ledger, next.Dir = b.Settings, b.Ledger, b.Dir
	next.Findings.Levels = b.Findings.Levels
	return next
}

// Resolve resolves the settings.
func (b *Build) Resolve(in config.Input) error {
	settings, ds, err := config.Resolve(in)
	if err == nil { // levels do not apply to an error that stops the command
		b.Findings.Levels = settings.Findings
	}
	b.Findings.Add(ds...)
	b.Settings = settings
	b.Dir = files.DisplayPath(b.o.Dir, settings.Writer.Dir)
	return err
}

// ResolvePath returns name as a path, resolved against wd. A URL and an absolute path stay unchanged.
func ResolvePath(wd, name string) string {
	if filepath.IsAbs(name) || fetch.IsURL(name) {
		return name
	}
	return filepath.Join(wd, name)
}

// ReadSite reads the site and decides which pages are listed.
func (b *Build) ReadSite(ctx context.Context) error {
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
	b.Fold(ctx, world, o.Now)
	return nil
}

// Fold decides which pages are listed at the time now, and adds the findings.
func (b *Build) Fold(ctx context.Context, w *site.World, now time.Time) {
	b.Result = site.Fold(w, now)
	var all *diag.Report // includes the findings of the fold
	all, b.Collapses = site.Lint(b.Result, b.Settings.MaxLoss)
	b.Findings.Merge(all)
}

// siteOptions returns the options of the settings. It reads the ledger and the sitemaps named
// by --from.
func (b *Build) siteOptions(ctx context.Context) (site.Options, error) {
	o := b.Settings.Site
	o.Findings, o.Progress = b.o.Keep, b.o.Progress
	o.Page.Titles = o.Page.Titles || b.o.Titles
	if from := b.Settings.LedgerFrom; from != "" {
		if b.Ledger == nil {
			lo := b.Settings.LedgerOptions
			lo.Dir, lo.Timeout, lo.Named = b.o.Dir, b.o.Online, b.Settings.BaseURLs()
			var err error
			if b.Ledger, err = ledger.Read(ctx, from, lo, b.Findings); err != nil {
				return o, err
			}
		}
		o.Ledger = b.Ledger
	}
	if b.Settings.From == "" {
		return o, nil
	}
	err := b.readFrom(ctx, &o)
	return o, err
}

// readFrom reads the URLs of another tool's sitemap, and moves them below the base URL.
func (b *Build) readFrom(ctx context.Context, o *site.Options) error {
	o.From = []*site.SitemapEntry{} // not nil, so that only these URLs are pages
	name := b.Settings.From
	if name != "-" {
		name = ResolvePath(b.o.Dir, name)
	}
	return fetch.ReadList(ctx, name, fetch.ListOptions{Stdin: b.o.Stdin, Dir: b.o.Dir, Flag: "--from ", Typed: true, Rewrites: true}, b.Findings, func(e sitemap.Entry, pos diag.Pos) {
		pos.Col = 0 // the line is enough to find a URL
		o.From = append(o.From, &site.SitemapEntry{URL: site.MoveToBase(e.URL, o.Base), Pos: pos})
	})
}

// URLs returns the number of listed URLs.
func (b *Build) URLs() int { return len(b.Result.List) - b.TooLarge }

// LeftOut returns a text with the number of excluded pages by reason, or "" if there are none.
func LeftOut(res *site.Result) string {
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

// Origins returns the origin of each setting, including link styles detected from the pages.
func (b *Build) Origins() []config.Origin {
	if b.Settings == nil {
		return nil
	}
	all := slices.Clip(b.Settings.Origins)
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
