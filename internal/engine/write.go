package engine

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/robots"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/writer"
)

// Write writes the sitemaps, the other output files and the ledger. If a sitemap cannot be written,
// the ledger stays unchanged, because it must not contain dates that no sitemap has. If
// b.Settings.Stdout is set, Write only prints the sitemap.
func (b *Build) Write(ctx context.Context) (err error) {
	b.empty = slices.Clone(b.Settings.Writer.Groups)
	b.Result.ReportUndatedImports(b.Findings)
	if b.Settings.Stdout {
		o := b.Settings.Writer
		if b.Settings.Site.Page.Titles {
			b.setSiteTitleAndLLMS(ctx, &o, 0, b.Result.List)
		}
		report, err := writer.Print(b.o.Stdout, b.Result.World.Entries(b.Result.List), o)
		b.Findings.Add(report.Diags...)
		return err
	}
	t := writer.Transaction{Seen: b.seen}
	defer t.Close()
	defer func() {
		if err != nil {
			b.Files.Files = nil
		}
	}()
	for i, o := range append([]writer.Options{b.Settings.Writer}, b.Settings.Parts...) {
		if err := b.draftPart(ctx, &t, i, o); err != nil {
			return b.withDisplayName(err)
		}
	}
	if b.Settings.LedgerTo != "" && b.Result.Ledger != nil && !b.o.DryRun {
		if err := b.draftLedger(ctx, &t); err != nil {
			return err
		}
	}
	for _, g := range b.empty {
		b.Findings.Add(diag.Warnf(g.Pos, "empty-sitemap", `urls is the path of an address below the base URL, as in "/blog/**"`, "no page is in the sitemap %q", g.Name))
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
// publish directory; the others are folders that other hosts serve. The old sitemap of such a
// folder stays if the folder has no listed page, unless --allow-empty is set. If all pages are in
// the other parts, part 0 gets a sitemap only if it has an old one, or if o.Index names further
// sitemaps.
func (b *Build) draftPart(ctx context.Context, t *writer.Transaction, part int, o writer.Options) error {
	list, dir := b.Result.List, ""
	o.DryRun, o.LLMS.Force = b.o.DryRun, b.o.Force
	if part > 0 {
		dir = b.Settings.Site.Sites[part-1].Dir
	}
	if len(b.Settings.Parts) > 0 {
		list = b.Result.ListedPagesOf(part)
		o.Leftovers = nil // an old sitemap in a language folder may be the sitemap of another part
	}
	if part == 0 && len(list) == 0 && len(b.Settings.Parts) > 0 && len(o.Index) == 0 && findSitemapFile(o, IsSitewalkSitemap) == "" {
		return t.RemoveTemporaryFiles(ctx, o) // all pages are in the other parts
	}
	if part > 0 && len(list) == 0 && !b.o.AllowEmpty {
		b.Findings.Add(diag.Warnf(diag.Pos{File: path.Join(filepath.ToSlash(b.Dir), dir)}, "empty-site",
			"does sites.dir name the folder that the other host serves?", "no page of the site %s is in, so its sitemap stays as it is", o.Base))
		return t.RemoveTemporaryFiles(ctx, o)
	}
	o.Protect = func(file string) bool { return b.Result.World.HasPageFile(path.Join(dir, file)) }
	o.Names = func(file string) bool { return b.homeRefersTo(o.Publish, file) }
	if b.Settings.Site.Page.Titles {
		b.setSiteTitleAndLLMS(ctx, &o, part, list)
	}
	b.reportOutOfScope(o, list)
	report, err := t.Draft(ctx, b.Result.World.Entries(list), o)
	for _, f := range report.Files {
		f.Name = path.Join(dir, f.Name)
		b.Files.Files = append(b.Files.Files, f)
	}
	b.empty = slices.DeleteFunc(b.empty, func(g writer.Group) bool { return !slices.Contains(report.Empty, g) })
	for _, d := range report.Diags {
		d.Pos.File = path.Join(filepath.ToSlash(b.Dir), dir, d.Pos.File)
		b.Findings.Add(d)
	}
	return err
}

// ScopeHint is the advice about a sitemap that lists URLs outside of its own folder.
const ScopeHint = "put the sitemap at the top of the URLs that it lists, or name it in the robots.txt of the host"

// reportOutOfScope warns if the sitemap that o describes lists URLs outside of its own folder. A
// sitemap that robots.txt names may list all URLs of the host.
// See https://www.sitemaps.org/protocol.html#location.
func (b *Build) reportOutOfScope(o writer.Options, list site.List) {
	loc := b.Settings.SitemapURL(&o)
	folder := loc[:strings.LastIndexByte(loc, '/')+1]
	outside := 0
	for _, r := range list {
		if !strings.HasPrefix(r.Entry.Loc, folder) {
			outside++
		}
	}
	if outside == 0 || o.Robots || isNamedInRobots(loc, cmp.Or(o.Publish, o.Dir)) {
		return
	}
	file := filepath.Join(o.Dir, filepath.FromSlash(o.EntryFile()))
	b.Findings.Add(diag.Warnf(diag.Pos{File: filepath.ToSlash(files.DisplayPath(b.o.Dir, file))}, "out-of-scope", ScopeHint,
		"it lists %s outside of %s, its own folder, which crawlers may ignore", diag.Count(outside, "URL"), folder).About(folder))
}

// isNamedInRobots reports whether robots.txt in the folder dir names the sitemap loc.
func isNamedInRobots(loc, dir string) bool {
	src, _ := files.ReadHead(dir, "robots.txt", robots.MaxBytes)
	return slices.ContainsFunc(robots.SitemapLines(src), func(l robots.SitemapLine) bool { return l.Value == loc })
}

// setSiteTitleAndLLMS sets the title and the language of the given part in o. In o.LLMS, it sets
// the functions that decide where llms.txt lists the pages of list, and which copies it links to.
func (b *Build) setSiteTitleAndLLMS(ctx context.Context, o *writer.Options, part int, list site.List) {
	n := b.Result.NameOf(part)
	o.Title, o.Lang, o.LLMS.Place = n.Title, n.Lang, b.llmsPlaceFinder(list)
	if !o.LLMS.LinksHTML {
		o.LLMS.Copy = b.markdownCopyFinder(ctx, list)
	}
}

// llmsPlaceFinder returns a function that returns the Place of list[i] in llms.txt, such as its
// section. The rules of the user that match the page determine the Place.
func (b *Build) llmsPlaceFinder(list site.List) func(i int) writer.Place {
	rules, rank := b.Settings.Site.Rules, map[*mapping.Rule]int{}
	for i := range rules.Len() {
		rank[rules.At(i)] = i + 1
	}
	return func(i int) (p writer.Place) {
		set := list[i].Rules
		if set == nil {
			return p
		}
		for _, r := range set.Matching {
			l := r.Listing
			if l.Section != "" {
				p.Section, p.Rank = l.Section, rank[r]
			}
			if l.Limit > 0 {
				p.Limit, p.By = l.Limit, rank[r]
			}
			p.Optional = p.Optional || l.Optional
		}
		return p
	}
}

// withDisplayName replaces the file name in err by the name as the user would type it.
func (b *Build) withDisplayName(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", filepath.ToSlash(files.DisplayPath(b.o.Dir, pe.Path)), pe.Err)
	}
	return err
}

// maxHome is the maximum number of bytes of a home page that homeRefersTo searches.
const maxHome = 1 << 20

// homeRefersTo reports whether a home page refers to file, the sitemap of another tool, for example
// with <link rel="sitemap">. It searches the home page of the publish directory, and the home page
// in the folder of file. If a home page cannot be read, it returns true. With --from, it always
// returns true, because the user may read URLs from that sitemap.
func (b *Build) homeRefersTo(publishDir, file string) bool {
	if b.Settings.From != "" {
		return true
	}
	for _, dir := range []string{".", path.Dir(file)} {
		text, err := files.ReadHead(filepath.Join(publishDir, filepath.FromSlash(dir)), "index.html", maxHome)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil || bytes.Contains(text, []byte(file)) || dir == path.Dir(file) && hasRelativeReference(text, path.Base(file)) {
			return true
		}
	}
	return false
}

// hasRelativeReference reports whether text, an HTML page, probably contains a relative reference
// to name, a file in the folder of the page. It looks for the name after a quote, "=" or "./".
func hasRelativeReference(text []byte, name string) bool {
	for _, before := range []string{`"`, `'`, "=", "./"} {
		if bytes.Contains(text, []byte(before+name)) {
			return true
		}
	}
	return false
}
