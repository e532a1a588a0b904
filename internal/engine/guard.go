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
	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/sitewalk/sitewalk/writer"
)

// CheckEnough returns an error if no page is listed, or if one cause excludes most of the site,
// unless the options or settings permit that.
func (b *Build) CheckEnough() error {
	none := b.noPage()
	switch cs := b.Collapses; {
	case none && (b.o.AllowEmpty || b.Settings.MaxLoss.AllowsAll()):
		return nil
	case none:
		return b.errNoPages()
	case len(cs) > 0:
		return collapseError(cs[0])
	}
	return nil
}

// noPage reports whether the sitemap would list no page. If the site has pages or content files,
// URLs from other sources do not count as pages.
func (b *Build) noPage() bool {
	if s := b.Settings; s.From != "" || s.Site.Pages == nil && s.Site.Content == nil {
		return len(b.Result.List) == 0
	}
	return b.Result.Paired+b.Result.Unpaired == 0
}

// isAllowedEmpty reports whether the user permits an empty sitemap, and the site has no page or the
// given part lists none. Part 0 is the publish directory; the others are folders that other hosts
// serve.
func (b *Build) isAllowedEmpty(part int) bool {
	return b.o.AllowEmpty && (b.noPage() || len(b.Result.PagesOf(part)) == 0)
}

// errNoPages returns the error that no page is listed, with the most likely cause.
func (b *Build) errNoPages() error {
	left, allow := LeftOut(b.Result), "--allow-empty"
	if b.o.Watch {
		allow = "--max-loss 100%"
	}
	switch {
	case left != "":
		hint := "sitewalk explain FILE says why a page is out"
		if cs := b.Collapses; len(cs) > 0 {
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

// collapseError returns the error about c, a cause that affects most of the site. The build also
// has a finding with the details.
func collapseError(c site.Collapse) error {
	what := "would be missing from the sitemap"
	if c.WrongBase {
		what = "would be listed at addresses that are not theirs"
	}
	return diag.Hintedf(c.Hint+"; if it is intended, --max-loss 100% writes the sitemap",
		"%d of %s %s, so the old sitemap stays", c.Pages, diag.Count(c.Of, "page"), what)
}

// fewLost is the minimum number of URLs that may be lost without a setting. On a site of three
// pages, a normal edit may remove more than half.
const fewLost = 2

// Guard returns an error if the new sitemap would lose most of the URLs of the sitemap that
// sitewalk wrote last. Like CheckEnough, it also returns an error if most pages are excluded. It
// sets b.Since.
func (b *Build) Guard(ctx context.Context) error {
	b.Since = nil
	if err := b.CheckEnough(); err != nil || b.Settings.Stdout {
		return err
	}
	var since *Since
	whole := true
	for i, o := range append([]writer.Options{b.Settings.Writer}, b.Settings.Parts...) {
		file := entryFile(o, Marked)
		if file == "" {
			continue
		}
		if since == nil {
			since = b.newSince("the last sitemap")
		}
		earlier, of := len(since.Removed), since.Of
		quiet := &diag.Report{MaxKept: 1} // drops findings about the old sitemap, which will be replaced
		err := fetch.ReadList(ctx, file, fetch.ListOptions{Dir: b.o.Dir, Intern: since.intern}, quiet, func(e sitemap.Entry, _ diag.Pos) {
			since.add(&e.URL)
		})
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
		lost, outside := b.lost(i, since.Removed[earlier:])
		if of = since.Of - of - outside; len(lost) > b.Settings.MaxLoss.Limit(of, max(fewLost, of/2)) && !b.isAllowedEmpty(i) {
			return b.lossError(file, lost, of)
		}
	}
	if !whole { // the URLs of the unread sitemap would count as added
		b.Since = nil
	}
	if b.Since == nil && b.o.Compare { // for example because the generator has deleted the last sitemap
		b.Since = b.sincePast(ctx)
	}
	return nil
}

// lossError returns the error about the URLs lost, which the earlier sitemap in file lists. of is
// the number of URLs in that sitemap.
func (b *Build) lossError(file string, lost []string, of int) error {
	name := filepath.ToSlash(files.DisplayPath(b.o.Dir, file))
	left := LeftOut(b.Result)
	if left != "" {
		left = "; " + left
	}
	are, which := "is", lost[0]
	if more := len(lost) - 1; more > 0 {
		are, which = "are", lost[0]+" and "+diag.Number(more)+" more"
	}
	if base := b.Settings.Site.Base.String(); strings.HasSuffix(lost[0], "/") && b.listsAll(lost, lost[0], base) {
		return diag.Hintedf("correct base_url; if it is intended, --max-loss 100% writes the new sitemap",
			"%s is for %s and this build for %s, so it stays", name, lost[0], base)
	}
	return diag.Hintedf("is the whole site built? if it is intended, --max-loss 100% writes the new sitemap",
		"%s of the %s in %s %s gone, so it stays: %s%s", diag.Number(len(lost)), diag.Count(of, "URL"), name, are, which, left)
}

// listsAll reports whether all urls begin with from, and the new list contains each of them with to
// in place of from.
func (b *Build) listsAll(urls []string, from, to string) bool {
	return !slices.ContainsFunc(urls, func(loc string) bool {
		_, listed := b.Result.List.Find(to + strings.TrimPrefix(loc, from))
		return !strings.HasPrefix(loc, from) || !listed
	})
}

// entryFile returns the path of the sitemap that o describes, or of its copy with ".gz": the first
// for which ok returns true. It returns "" if there is none.
func entryFile(o writer.Options, ok func(file string) bool) string {
	file := filepath.Join(o.Dir, filepath.FromSlash(cmp.Or(o.Name, writer.DefaultName)))
	for _, file := range []string{file, file + ".gz"} {
		if ok(file) {
			return file
		}
	}
	return ""
}

// Marked reports whether file is a sitemap that sitewalk wrote. Sitewalk marks its files with a
// comment.
func Marked(file string) bool {
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

// lost returns the URLs in removed that visitors can no longer reach: they are below the base URL
// of the part, the new list has no other spelling of them, and the host does not redirect them.
// outside is the number of removed URLs that are not below the base URL, as after a move of the
// site. Part 0 is the publish directory.
func (b *Build) lost(part int, removed []Earlier) (lost []string, outside int) {
	p := &b.Result.World.Parts[part]
	var paths []string
	for _, e := range removed {
		urlPath, below := p.Base.Path(p.Base.OwnScheme(e.URL))
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
	for _, r := range b.Result.PagesOf(part) {
		here[mapping.Spelling(b.Result.World.Path(r))] = true
	}
	for r := range b.Result.FilePages() {
		if (r.Reason() == page.Redirect || r.Reason() == page.NotServed) && b.Result.World.PartOf(r) == p {
			here[mapping.Spelling(r.Facts.Path)] = true
		}
	}
	for _, urlPath := range paths {
		if here[mapping.Spelling(urlPath)] {
			continue
		}
		if loc, err := p.Base.Loc(urlPath); err == nil {
			lost = append(lost, loc)
		}
	}
	return lost, outside
}
