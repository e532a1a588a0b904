// Package engine builds a site's sitemap, once or again on every change.
//
// It takes resolved settings to files on disk. It prints nothing: a Build carries
// the findings and the result, and a Teller receives the events of a watch.
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
	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/sitewalk/sitewalk/walker"
	"github.com/sitewalk/sitewalk/writer"
)

// Options say how to build, beside the settings.
type Options struct {
	DryRun     bool                   // write nothing
	AllowEmpty bool                   // write a sitemap without URLs, too
	Watch      bool                   // it is one of a watch, which has no flag --allow-empty
	Force      bool                   // replace an llms.txt that has no marks
	Titles     bool                   // read the pages' titles, even if no format needs them
	Compare    bool                   // find what is new since the last build, if no earlier sitemap says it
	Online     time.Duration          // how long the network may take in all; see fetch.Within
	Keep       int                    // findings of one code, as in diag.Report
	Cache      string                 // folder of what the user's programs remember; "" remembers nothing
	Dir        string                 // working directory
	Stdin      io.Reader              // where From may be read
	Stdout     io.Writer              // where a sitemap may be printed
	Progress   func(files, total int) // as in facts.Options
	Asking     func(done, total int)  // is told how many addresses of a live site were asked for; may be nil
}

// A Build is what one build did so far.
type Build struct {
	Settings *config.Settings
	Findings *diag.Report
	Result   *site.Result
	Files    writer.Report
	TooLarge int    // pages that no file can hold
	Memory   Memory // Options reads it when it has no ledger
	Dir      string // where the files are written, as the user would type it
	Took     time.Duration
	Since    *Since // what is new since the last sitemap of ours, else since the last build on this machine; nil without either, and before Guard

	Collapses []site.Collapse // causes that take most of the site out

	// Still is asked, when all is ready to be put in its place, whether it may
	// be; nil is yes.
	Still func() error

	o     Options
	empty []writer.Group // sitemaps of the configuration that no part drafted so far has a page for
}

// New returns a build of which nothing is known yet.
func New(o Options) *Build {
	return &Build{o: o, Findings: &diag.Report{Keep: o.Keep}, Result: &site.Result{}}
}

// Again returns a build with the same settings and ledger that has done nothing
// yet.
func (b *Build) Again() *Build {
	next := New(b.o)
	next.Settings, next.Memory, next.Dir = b.Settings, b.Memory, b.Dir
	next.Findings.Levels = b.Findings.Levels
	return next
}

// Resolve finds the settings.
func (b *Build) Resolve(in config.Input) error {
	settings, ds, err := config.Resolve(in)
	if err == nil { // what stops the command is said as it is
		b.Findings.Levels = settings.Findings
	}
	b.Findings.Add(ds...)
	b.Settings = settings
	b.Dir = files.Shown(b.o.Dir, settings.Writer.Dir)
	return err
}

// Path returns the path of what the user typed in the working directory; a URL stays
// one.
func Path(wd, name string) string {
	if filepath.IsAbs(name) || fetch.IsURL(name) {
		return name
	}
	return filepath.Join(wd, name)
}

// Learn reads the site and decides what is listed.
func (b *Build) Learn(ctx context.Context) error {
	set, o, err := b.Read(ctx)
	if err != nil {
		return err
	}
	return b.Decide(ctx, set, o)
}

// Read is the first half of Learn: it reads the site.
func (b *Build) Read(ctx context.Context) (*facts.Set, site.Options, error) {
	o, err := b.Options(ctx)
	if err != nil {
		return nil, o, err
	}
	set, err := facts.Learn(ctx, o.Options)
	return set, o, err
}

// Decide is the other half of Learn: it decides what is listed of what was read.
func (b *Build) Decide(ctx context.Context, set *facts.Set, o site.Options) error {
	world, err := site.Relate(ctx, set, o)
	if err != nil {
		return err
	}
	b.Fold(ctx, world, o.Now)
	return nil
}

// Fold decides what is listed at a time.
func (b *Build) Fold(ctx context.Context, w *site.World, now time.Time) {
	b.Result = site.Fold(w, now)
	var all *diag.Report // those of the fold, too
	all, b.Collapses = site.Lint(b.Result, b.Settings.MaxLoss)
	b.Findings.Merge(all)
	b.LocateInContent(ctx)
}

// Options returns the options of the settings. It reads the ledger and the sitemaps that
// they name.
func (b *Build) Options(ctx context.Context) (site.Options, error) {
	o := b.Settings.Site
	o.Findings, o.Progress = b.o.Keep, b.o.Progress
	o.Page.Titles = o.Page.Titles || b.o.Titles
	if b.Settings.LedgerFrom != "" {
		if err := b.recall(ctx); err != nil {
			return o, err
		}
		o.Ledger = b.Memory.Ledger
	}
	if b.Settings.From != "" {
		if err := b.from(ctx, &o); err != nil {
			return o, err
		}
	}
	return o, nil
}

// recall reads the ledger, unless it was read before.
func (b *Build) recall(ctx context.Context) (err error) {
	if b.Memory.Ledger != nil {
		return nil
	}
	b.leaveLedger()
	o := b.Settings.LedgerOptions
	o.Dir, o.Timeout, o.Named = b.o.Dir, b.o.Online, b.Settings.BaseURLs()
	b.Memory.Ledger, err = ledger.Read(ctx, b.Settings.LedgerFrom, o, b.Findings)
	return err
}

// from reads the URLs that a sitemap of another tool names, and moves them below the
// base URL.
func (b *Build) from(ctx context.Context, o *site.Options) error {
	o.From = []*site.Given{} // no others are pages
	name := b.Settings.From
	if name != "-" {
		name = Path(b.o.Dir, name)
	}
	return fetch.ReadList(ctx, name, fetch.ListOptions{Stdin: b.o.Stdin, Dir: b.o.Dir, Flag: "--from ", Typed: true, Carry: true}, b.Findings, func(e sitemap.Entry, pos diag.Pos) {
		pos.Col = 0 // a line is enough to find a URL
		o.From = append(o.From, &site.Given{URL: site.Moved(e.URL, o.Base), Pos: pos})
	})
}

// URLs is how many are listed.
func (b *Build) URLs() int { return len(b.Result.List) - b.TooLarge }

// LeftOut counts the pages that are out, by reason; "" when none is.
func LeftOut(res *site.Result) string {
	total := 0
	var whys []string
	for i, n := range res.Left {
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

// maxSources is the maximum number of content files read to find the lines of findings.
const maxSources = 1000

// A quotation is what a finding on a built page says of a content file.
type quotation struct{ file, code, message string }

// LocateInContent finds the lines of content files from which findings on their built pages
// come. A line counts only if it is a key of the front matter with the text that the
// finding quotes.
func (b *Build) LocateInContent(ctx context.Context) {
	tree := b.Settings.Site.Content
	if tree == nil {
		return
	}
	places := map[quotation]diag.Pos{}
	var asked []quotation
	b.Findings.Each(func(d *diag.Diagnostic) {
		q := quotation{d.Source.File, d.Code, d.Message}
		_, twice := places[q]
		if !twice && len(asked) < maxSources && frontmatter.MayBeFrontMatter(d.Code) && d.Source.Line == 0 {
			places[q] = d.Source
			asked = append(asked, q)
		}
	})
	r := frontmatter.NewReader(b.Settings.Site.Front)
	for _, q := range asked {
		if file, ok := tree.FileOf(q.file); ok {
			_, _, _ = tree.Visit(ctx, file, func(f *walker.File) {
				line, col := r.Cause(f, q.code, q.message)
				places[q] = diag.Pos{File: q.file, Line: line, Col: col}
			})
		}
	}
	b.Findings.Each(func(d *diag.Diagnostic) {
		if at, ok := places[quotation{d.Source.File, d.Code, d.Message}]; ok && d.Source.Line == 0 {
			d.Source = at
		}
	})
}

// Origins say who decided each setting, and what the pages themselves decided.
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
