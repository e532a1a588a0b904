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

// CheckEnough returns an error if no page is listed, or if one cause excludes most of the site.
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

// noPage reports whether no page of the site is listed. URLs without a file count only if the
// configuration has no pages and no content.
func (b *Build) noPage() bool {
	if s := b.Settings; s.From != "" || s.Site.Pages == nil && s.Site.Content == nil {
		return len(b.Result.List) == 0
	}
	return b.Result.Paired+b.Result.Unpaired == 0
}

// allowsEmpty reports whether AllowEmpty permits an empty sitemap for a part that lists no page.
// part is an index as in site.Result.Part.
func (b *Build) allowsEmpty(part int) bool {
	return b.o.AllowEmpty && (b.noPage() || len(b.Result.PagesOf(part)) == 0)
}

// errNoPages reports that no page is listed, with the most likely cause.
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

// collapseError returns the error for one cause that affects most of the site. A finding
// contains the details.
func collapseError(c site.Collapse) error {
	what := "would be missing from the sitemap"
	if c.WrongBase {
		what = "would be listed at addresses that are not theirs"
	}
	return diag.Hintedf(c.Hint+"; if it is intended, --max-loss 100% writes the sitemap",
		"%d of %s %s, so the old sitemap stays", c.Pages, diag.Count(c.Of, "page"), what)
}

// fewLost is the number of URLs that may be lost without a setting. On a site of three pages,
// an afternoon of editing may remove more than half.
const fewLost = 2

// Guard returns an error if the new sitemap would lose most of the site. It calls CheckEnough, and
// compares the list with the last sitemap that sitewalk wrote. It also sets Since.
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
		quiet := &diag.Report{MaxKept: 1} // findings about the old file do not matter, because it will be replaced
		err := fetch.ReadList(ctx, file, fetch.ListOptions{Dir: b.o.Dir, Intern: since.intern}, quiet, func(e sitemap.Entry, _ diag.Pos) {
			since.add(&e.URL)
		})
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil: // the user has to know that the comparison is missing
			name := filepath.ToSlash(files.DisplayPath(b.o.Dir, file))
			b.Findings.Add(diag.Notef(diag.Pos{File: name}, "not-compared", "sitewalk diff compares with a list that you name",
				"the earlier sitemap cannot be read, so it is not known what is lost: %v", diag.Cause(err)))
			whole = false
			continue
		}
		b.Since = since
		lost, outside := b.lost(i, since.Removed[earlier:])
		if of = since.Of - of - outside; len(lost) > b.Settings.MaxLoss.Limit(of, max(fewLost, of/2)) && !b.allowsEmpty(i) {
			return b.lossError(file, lost, of)
		}
	}
	if !whole { // the URLs of an unreadable sitemap would count as new
		b.Since = nil
	}
	if b.Since == nil && b.o.Compare { // the generator has removed the last sitemap
		b.Since = b.sincePast(ctx)
	}
	return nil
}

// lossError returns the error for lost URLs, which the earlier sitemap in file lists. of is the
// number of URLs in that sitemap.
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

// listsAll reports whether the list has all URLs, with the base URL to instead of from.
func (b *Build) listsAll(urls []string, from, to string) bool {
	return !slices.ContainsFunc(urls, func(loc string) bool {
		_, listed := b.Result.List.Find(to + strings.TrimPrefix(loc, from))
		return !strings.HasPrefix(loc, from) || !listed
	})
}

// entryFile returns the path of the earlier sitemap, or of its compressed copy, if ok accepts
// the path. Otherwise it returns "".
func entryFile(o writer.Options, ok func(file string) bool) string {
	file := filepath.Join(o.Dir, filepath.FromSlash(cmp.Or(o.Name, writer.DefaultName)))
	for _, file := range []string{file, file + ".gz"} {
		if ok(file) {
			return file
		}
	}
	return ""
}

// Marked reports whether file is a sitemap that sitewalk wrote.
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

// lost returns the removed URLs of a part that are really lost: they are below the base URL of
// the part, have no other spelling in the new list, and are not redirected. outside counts
// removed URLs that are not below the base URL, as after a move of the site. part is an index
// as in site.Result.Part.
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
