// Package site decides which pages a sitemap lists, with their URLs and dates, and explains these
// decisions.
//
// Relate finds relations between the files of a site, such as the content file of each page.
// ListPages decides which pages are listed at a given time, with their URLs, dates and alternates.
// It has no side effects: the same arguments give the same result. Lint reports problems of the
// site as a whole.
package site

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/git"
	"github.com/sitewalk/sitewalk/mapping"
)

// A World contains the facts of a site and the relations between its files: the content file and
// the address of each page, the versions of the site, and the dates from git. It is immutable.
type World struct {
	Options      Options                // options of Relate, with defaults set
	Facts        *facts.Set             // facts of single files
	Parts        []Part                 // the site itself, then the folders that are separate sites
	ContentFiles []*ContentFile         // sorted by file
	Mapping      *generator.Mapping     // maps content files to page files
	Versions     []*VersionSet          // in the order of their pages
	Git          *git.Dates             // includes the dates in Options.Git.Known
	Edited       map[string]string      // from a page file to the operating system path of the source file that its edit link names
	Included     map[string]*facts.Page // from an included file to the first page that includes it

	linkStyles            []LinkStyle            // how links end, for each part and form of file for which links were counted
	pages                 []*facts.Page          // sorted by file, each with its final address
	pairs                 []*ContentFile         // the content file of each page, or nil
	fromIndex             map[string]int         // from a URL to its index in Options.From; nil without From
	redirectingCanonicals map[string]string      // from the file of a page to the file of its canonical page, if the canonical page redirects back
	copies                map[string]string      // from a copied file to its original
	versionsAt            map[string]*VersionSet // Versions by Parent
	findings              diag.List              // findings about content files and lists of versions
	whyNoMTime            string                 // the reason not to use modification times, or ""
	stale                 map[string]bool        // page files that an earlier build seems to have left behind
	stamps                buildStamps            // dates that builds printed into pages
	linkPrefix            linkPrefix             // folder that the base URL seems to lack
}

// Relate finds out how the files of a site relate to each other, such as the content file and the
// address of each page. It asks git for the dates of pages, except those with a date from a source
// that precedes git in o.LastMod; see filesForGit.
func Relate(ctx context.Context, s *facts.Set, o Options) (*World, error) {
	w := newWorld(s, o)
	if o.Content != nil {
		w.findOutputFiles()
	}
	if o.Pages == nil {
		w.makePagesFromContent()
	} else if err := w.relatePages(ctx); err != nil {
		return nil, err
	}
	w.chooseAddresses()
	w.findBuildStamps(ctx)
	if slices.Contains(o.LastMod, SourceGit) {
		w.Git = w.Git.Query(ctx, w.filesForGit(), w.gitOptions())
	}
	return w, ctx.Err()
}

// relatePages finds the relations of page files to content files and to other page files.
func (w *World) relatePages(ctx context.Context) error {
	if w.Options.Content != nil {
		w.pairContentFiles()
	}
	w.findIncludedFiles()
	w.findVersions(ctx)
	w.findCopiedPages(ctx)
	w.findRedirectingCanonicals(ctx)
	if w.Options.Page.EditLinks && w.Options.Content != nil && w.Options.Content.Dir != "" {
		if err := w.pairByEditLinks(ctx); err != nil {
			return err
		}
	}
	if w.Options.Content != nil {
		w.findStalePages(ctx)
	}
	if err := w.inferLinkStyles(ctx); err != nil {
		return err
	}
	return w.findLinkPrefix(ctx)
}

// newWorld returns a World with its options and parts, but without relations.
func newWorld(s *facts.Set, o Options) *World {
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	if o.Rules == nil {
		o.Rules = new(mapping.Rules)
	}
	w := &World{Options: o, Facts: s, pages: s.Pages, pairs: make([]*ContentFile, len(s.Pages)), Git: cmp.Or(o.Git.Known, new(git.Dates))}
	w.Mapping = &w.Options.Mapping
	w.addParts()
	return w
}

// ListPages decides which pages are listed at the time now, with their URLs, dates and alternates.
// It does not modify w, so several calls may run at once, and earlier results stay valid.
func ListPages(w *World, now time.Time) *Result {
	r := &Result{
		World: w, LinkStyles: w.linkStyles, Findings: &diag.Report{MaxKept: w.Options.MaxKept},
		now: now, pages: newPages(w),
	}
	c := &clock{now: now}
	r.addFactFindings()
	hasFile := r.matchSitemapEntries()
	r.matchRules()
	r.assignURLs()
	r.excludePages(c)
	r.addURLsWithoutFile(hasFile, c)
	r.excludeDuplicates()
	r.applyCanonicals()
	r.setAlternates()
	r.keepMutualAlternates()
	r.groupTranslations()
	r.updateLedger(c)
	r.datePages(c)
	r.checkEntries(c)
	r.countPages()
	r.Next = c.next
	return r
}

// newPages returns a new Page for each page file, with its content file. No page is excluded yet.
func newPages(w *World) []Page {
	pages := make([]Page, len(w.pages))
	for i, f := range w.pages {
		pages[i].Facts, pages[i].Content = f, w.pairs[i]
	}
	return pages
}

// addFactFindings adds the findings from reading the files, and the findings of Relate.
func (r *Result) addFactFindings() {
	w, report := r.World, r.Findings
	report.Merge(w.Facts.Findings)
	report.Add(w.Facts.ContentListing...)
	report.Add(w.Facts.PageListing...)
	report.Add(w.findings...)
	report.Add(w.Git.Trouble...)
	for _, f := range w.pages {
		report.Add(f.Rare().Diags...)
	}
	for _, src := range w.ContentFiles {
		if src.Facts != nil {
			report.Add(src.Facts.Diags...)
		}
	}
}
