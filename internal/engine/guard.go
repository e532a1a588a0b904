package engine

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/writer"
)

// CheckMassProblems returns an error if no page is listed, or if a single mistake affects most of the
// site's pages, as in b.MassProblems. It accepts a site without listed pages if --allow-empty or
// --max-loss 100% is set.
func (b *Build) CheckMassProblems() error {
	none := b.hasNoPages()
	switch cs := b.MassProblems; {
	case none && (b.o.AllowEmpty || b.Settings.MaxLoss.AllowsAll()):
		return nil
	case none:
		return b.errNoPages()
	case len(cs) > 0:
		return newMassProblemError(cs[0])
	}
	return nil
}

// hasNoPages reports whether no listed page has a page file or content file. With --from, or if the
// site has neither kind of file, it reports whether no URL is listed.
func (b *Build) hasNoPages() bool {
	if s := b.Settings; s.From != "" || s.Site.Pages == nil && s.Site.Content == nil {
		return len(b.Result.List) == 0
	}
	return b.Result.Paired+b.Result.Unpaired == 0
}

// mayPartBeEmpty reports whether the sitemap of the given part may lose all its URLs. That is the
// case if --allow-empty is set, and the part or the whole site has no listed page. Part 0 is the
// publish directory; the others are folders that other hosts serve.
func (b *Build) mayPartBeEmpty(part int) bool {
	return b.o.AllowEmpty && (b.hasNoPages() || len(b.Result.ListedPagesOf(part)) == 0)
}

// errNoPages returns the error for a site without listed pages. It names the most likely cause.
func (b *Build) errNoPages() error {
	left, allow := FormatLeftOut(b.Result), "--allow-empty"
	if b.o.Watch {
		allow = "--max-loss 100%"
	}
	switch {
	case left != "":
		hint := "sitewalk explain FILE says why a page is out"
		if cs := b.MassProblems; len(cs) > 0 {
			hint = cs[0].Hint
		}
		return diag.Hintedf(hint+"; "+allow+" writes a sitemap without pages",
			"no page is in, so the old sitemap stays; %s", left)
	case b.Settings.From != "":
		return diag.Hintedf(allow+" writes a sitemap without URLs",
			"the sitemaps that --from names list no URL, so the old sitemap stays")
	}
	tree := "."
	if p := b.Settings.Site.Pages; p != nil {
		tree = cmp.Or(p.Name, ".")
	}
	return diag.Hintedf("is the site built, and is this its publish directory? --include selects other files, "+allow+" writes a sitemap without pages",
		"no page was found in %s; nothing was written", tree)
}

// newMassProblemError returns the error for c, a single mistake that affects most of the site's
// pages. A finding of the build describes the details.
func newMassProblemError(c site.MassProblem) error {
	what := "would be missing from the sitemap"
	if c.WrongBase {
		what = "would be listed at addresses that are not theirs"
	}
	return diag.Hintedf(c.Hint+"; if it is intended, --max-loss 100% writes the sitemap",
		"%d of %s %s, so the old sitemap stays", c.Pages, diag.Count(c.Of, "page"), what)
}

// fewLost is the number of URLs that may always be lost if no limit is set. On a site of three
// pages, a normal edit may remove more than half.
const fewLost = 2

// CheckLosses returns an error if too many URLs of the last sitemap are lost; see lostURLs.
// --max-loss sets the limit. Without --max-loss, the limit is half of the URLs, but at least
// fewLost. CheckLosses compares only with sitemaps that sitewalk wrote. It also returns the errors
// of CheckMassProblems, and sets b.Since.
func (b *Build) CheckLosses(ctx context.Context) error {
	b.Since = nil
	if err := b.CheckMassProblems(); err != nil || b.Settings.Stdout {
		return err
	}
	var since *ListDiff
	whole := true
	for i, o := range append([]writer.Options{b.Settings.Writer}, b.Settings.Parts...) {
		file := findSitemapFile(o, IsSitewalkSitemap)
		if file == "" {
			continue
		}
		if since == nil {
			since = b.newListDiff("the last sitemap")
		}
		earlier, of := len(since.Removed), since.Of
		err := since.addFile(ctx, file, b.o.Dir)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil: // continue, but report that this sitemap is not compared
			name := filepath.ToSlash(files.DisplayPath(b.o.Dir, file))
			b.Findings.Add(diag.Notef(diag.Pos{File: name}, "not-compared", "sitewalk diff compares with a list that you name",
				"the earlier sitemap cannot be read, so it is not known what is lost: %v", diag.Cause(err)))
			whole = false
			continue
		}
		b.Since = since
		lost, outside := b.lostURLs(i, since.Removed[earlier:])
		if of = since.Of - of - outside; len(lost) > b.Settings.MaxLoss.Limit(of, max(fewLost, of/2)) && !b.mayPartBeEmpty(i) {
			return b.newLossError(file, lost, of)
		}
	}
	if !whole { // the URLs of the unread sitemap would count as added
		b.Since = nil
	}
	if b.Since == nil { // for example because the generator has deleted the last sitemap
		b.Since = b.diffWithLastBuild(ctx)
	}
	return nil
}

// newLossError returns the error for lost, the URLs that are missing from the new sitemap. file is
// the earlier sitemap, and urlCount is the number of its URLs that belong to the site.
func (b *Build) newLossError(file string, lost []string, urlCount int) error {
	name := filepath.ToSlash(files.DisplayPath(b.o.Dir, file))
	left := FormatLeftOut(b.Result)
	if left != "" {
		left = "; " + left
	}
	are, which := "is", lost[0]
	if more := len(lost) - 1; more > 0 {
		are, which = "are", lost[0]+" and "+diag.Number(more)+" more"
	}
	if base := b.Settings.Site.Base.String(); strings.HasSuffix(lost[0], "/") && b.listsAllMoved(lost, lost[0], base) {
		return diag.Hintedf("correct base_url; if it is intended, --max-loss 100% writes the new sitemap",
			"%s is for %s and this build for %s, so it stays", name, lost[0], base)
	}
	return diag.Hintedf("is the whole site built? if it is intended, --max-loss 100% writes the new sitemap",
		"%s of the %s in %s %s gone, so it stays: %s%s", diag.Number(len(lost)), diag.Count(urlCount, "URL"), name, are, which, left)
}

// listsAllMoved reports whether all urls are below oldBase, and the new list contains each of them
// below newBase instead. Then only the address of the site has changed.
func (b *Build) listsAllMoved(urls []string, oldBase, newBase string) bool {
	return !slices.ContainsFunc(urls, func(loc string) bool {
		_, listed := b.Result.List.Find(newBase + strings.TrimPrefix(loc, oldBase))
		return !strings.HasPrefix(loc, oldBase) || !listed
	})
}

// findSitemapFile returns the path of an existing sitemap with the settings o: the plain file or
// the file with ".gz". It returns the first of these two for which accepts returns true, or "".
func findSitemapFile(o writer.Options, accepts func(file string) bool) string {
	file := filepath.Join(o.Dir, filepath.FromSlash(cmp.Or(o.Name, writer.DefaultName)))
	for _, file := range []string{file, file + ".gz"} {
		if accepts(file) {
			return file
		}
	}
	return ""
}

// IsSitewalkSitemap reports whether file is a sitemap that sitewalk wrote. Such a sitemap contains
// a comment as a mark.
func IsSitewalkSitemap(file string) bool {
	f, err := files.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	plain, err := fetch.Unpack(f, 0, errors.ErrUnsupported)
	if err != nil {
		return false
	}
	head, _ := bufio.NewReaderSize(plain, writer.MarkSize).Peek(writer.MarkSize)
	return writer.IsMarked(head)
}

// lostURLs returns the URLs in removed that visitors can probably no longer reach: they are below
// the base URL of the part, the host has no rule for them, and no page with this URL or another
// spelling of it is listed or redirected. outside is the number of removed URLs that are not below
// the base URL, for example after a move of the site. Part 0 is the publish directory.
func (b *Build) lostURLs(part int, removed []EarlierEntry) (lost []string, outside int) {
	p := &b.Result.World.Parts[part]
	var paths []string
	for _, e := range removed {
		urlPath, below := p.Base.Path(p.Base.WithOwnScheme(e.URL))
		if !below {
			outside++
		} else if _, leads := p.Host.RuleAnswer(urlPath, p.Exists); !leads {
			paths = append(paths, urlPath)
		}
	}
	if len(paths) == 0 {
		return nil, outside
	}
	here := map[string]bool{}
	for _, r := range b.Result.ListedPagesOf(part) {
		here[mapping.SpellingKey(b.Result.World.URLPath(r))] = true
	}
	for r := range b.Result.FilePages() {
		if (r.Listed() || r.Reason() == page.Redirect || r.Reason() == page.NotServed) && b.Result.World.PartOf(r) == p {
			here[mapping.SpellingKey(r.Facts.Path)] = true
		}
	}
	for _, urlPath := range paths {
		if here[mapping.SpellingKey(urlPath)] {
			continue
		}
		if loc, err := p.Base.Loc(urlPath); err == nil {
			lost = append(lost, loc)
		}
	}
	return lost, outside
}
