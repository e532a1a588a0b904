package engine

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"os"
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

// CheckMassProblems returns an error if no page is listed, or if b.MassProblems is not empty: a
// single mistake then affects most of the site's pages. It accepts a site without listed pages if
// --allow-empty or --max-loss 100% is set.
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

// hasNoPages reports whether the site has no listed page with a page file or content file. With
// --from, or on a site without such files, it reports whether no URL is listed.
func (b *Build) hasNoPages() bool {
	if s := b.Settings; s.From != "" || s.Site.Pages == nil && s.Site.Content == nil {
		return len(b.Result.List) == 0
	}
	return b.Result.Paired+b.Result.Unpaired == 0
}

// mayPartBeEmpty reports whether the sitemap of the given part may lose all its URLs. It returns
// true if --allow-empty is set, and the part or the whole site has no listed page. Part 0 is the
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
		hint := "sitewalk explain FILE shows why a page is left out"
		if cs := b.MassProblems; len(cs) > 0 {
			hint = cs[0].Hint
		}
		return diag.Hintedf(hint+"; "+allow+" writes a sitemap without pages",
			"no page is listed, so the old sitemap stays; %s", left)
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
	isComplete := true // all earlier sitemaps could be read
	for i, o := range b.Settings.Outputs() {
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
			isComplete = false
			continue
		}
		b.Since = since
		lost, outside := b.lostURLs(i, since.Removed[earlier:])
		if of = since.Of - of - outside; len(lost) > b.Settings.MaxLoss.Limit(of, max(fewLost, of/2)) && !b.mayPartBeEmpty(i) {
			return b.newLossError(file, lost, of)
		}
	}
	if !isComplete { // the URLs of the unread sitemap would count as added
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

// IsSitewalkSitemap reports whether file begins with the comment that marks the files of sitewalk.
// The file may be compressed. A text sitemap has no mark, so the result is false for it.
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

// lostURLs returns the URLs in removed that visitors can probably no longer reach. It leaves out
// URLs for which the host has a rule. It also leaves out the URLs of pages that are listed,
// redirected or not served by the host, in any spelling. outside is the number of URLs in removed
// that are not below the base URL of the part, for example after a move of the site. lost does
// not contain these URLs. Part 0 is the publish directory.
func (b *Build) lostURLs(part int, removed []EarlierEntry) (lost []string, outside int) {
	p := &b.Result.World.Parts[part]
	var paths []string
	for _, e := range removed {
		urlPath, below := p.Base.Path(p.Base.WithOwnScheme(e.URL))
		if !below {
			outside++
		} else if _, overridden := p.Hosting.OverridingRule(urlPath, p.Exists); !overridden {
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

// ReadPastLists calls visit for every entry of three earlier lists, with the position of the entry:
//
//   - The existing sitemap at the output path, whether sitewalk or another tool wrote it.
//   - The list of the last build on this machine.
//   - The list before the last build on this machine that removed URLs.
//
// It skips files that cannot be read, and does nothing if there is no output folder.
func (b *Build) ReadPastLists(ctx context.Context, visit func(sitemap.Entry, diag.Pos)) {
	if b.Settings.Writer.Dir == "" {
		return
	}
	for _, name := range []string{findSitemapFile(b.Settings.Writer, FileExists), b.lastListFile(""), b.lastListFile(beforeRemoval)} {
		if name != "" {
			_ = fetch.ReadList(ctx, name, fetch.ListOptions{}, &diag.Report{}, func(e fetch.Entry) {
				e.Pos.File = filepath.ToSlash(files.DisplayPath(b.o.Dir, e.Pos.File))
				visit(e.Entry, e.Pos)
			})
		}
	}
}

// FileExists reports whether there is a file or folder called name.
func FileExists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// A ListDiff contains the differences between the list of a build and an earlier list.
type ListDiff struct {
	Old     string         // what the earlier list is: "the last sitemap" or "the last build"
	Of      int            // number of URLs in the earlier list
	Removed []EarlierEntry // URLs that only the earlier list has
	Redated []EarlierEntry // URLs whose dates differ between the lists, with the dates of the earlier list

	list      site.List // list of the build, sorted by URL
	inEarlier []bool    // by index in list: whether the earlier list contains the URL
}

// newListDiff returns a ListDiff for comparing the build's list with an earlier list. oldName
// describes the earlier list, such as "the last sitemap". The caller must then call addEarlier with
// each entry of the earlier list.
func (b *Build) newListDiff(oldName string) *ListDiff {
	return &ListDiff{Old: oldName, list: b.Result.List, inEarlier: make([]bool, len(b.Result.List))}
}

// diffWith returns the differences between the build's list and earlier, the list of an earlier
// build.
func (b *Build) diffWith(earlier site.List) *ListDiff {
	s := b.newListDiff("the last build")
	for _, p := range earlier {
		s.addEarlier(EarlierEntry{p.Loc, p.LastMod})
	}
	return s
}

// An EarlierEntry is an entry of an earlier list: a URL and its date.
type EarlierEntry struct {
	URL     string
	LastMod sitemap.Date
}

// addEarlier compares u, an entry of the earlier list, with the build's list. It records a removed
// URL or a different date.
func (l *ListDiff) addEarlier(u EarlierEntry) {
	l.Of++
	i, listed := l.list.Find(u.URL)
	if !listed {
		l.Removed = append(l.Removed, u)
		return
	}
	l.inEarlier[i] = true
	if now := l.list[i].LastMod; now != u.LastMod && now.String() != u.LastMod.String() {
		l.Redated = append(l.Redated, u)
	}
}

// addFile calls addEarlier with each entry of the sitemap file. It ignores findings about this
// file, because the file is an old sitemap of the site. dir is the working directory.
func (l *ListDiff) addFile(ctx context.Context, file, dir string) error {
	o := fetch.ListOptions{Dir: dir, Brief: true}
	return fetch.ReadList(ctx, file, o, &diag.Report{MaxKept: 1}, func(e fetch.Entry) { l.addEarlier(EarlierEntry{e.Loc, e.LastMod}) })
}

// AddedURLs returns the sorted URLs that are in the build's list but not in the earlier list.
func (l *ListDiff) AddedURLs() (urls []string) {
	for i, inEarlier := range l.inEarlier {
		if !inEarlier {
			urls = append(urls, l.list[i].Loc)
		}
	}
	return urls
}

// IsEmpty reports whether both lists have the same URLs and dates.
func (l *ListDiff) IsEmpty() bool {
	return len(l.Removed)+len(l.Redated) == 0 && !slices.Contains(l.inEarlier, false)
}

// maxLastList is the maximum size in bytes of the file that storeList writes, enough for about
// 500,000 URLs.
const maxLastList = 64 << 20

// beforeRemoval is a suffix for lastListFile. It selects the list before the last build that
// removed URLs.
const beforeRemoval = "-before"

// lastListFile returns the path of a sitemap in the user's cache. With the suffix "", this sitemap
// contains the list of the last build on this machine. With the suffix beforeRemoval, it contains
// the list before the last build that removed URLs. The file need not exist. Its name depends on
// the output folder, the name of the sitemap and the base URL. lastListFile returns "" if there is
// no cache or no output folder, or if the sitemap is printed.
func (b *Build) lastListFile(suffix string) string {
	o := b.Settings.Writer
	dir, err := filepath.Abs(o.Dir)
	if b.o.Cache == "" || o.Dir == "" || b.Settings.Stdout || err != nil {
		return ""
	}
	key := sha256.Sum256([]byte(strings.Join([]string{dir, cmp.Or(o.Name, writer.DefaultName), b.Settings.Site.Base.String()}, "\x00")))
	return filepath.Join(b.o.Cache, "sitewalk", "lists", hex.EncodeToString(key[:16])+suffix+".xml")
}

// storeList writes the listed URLs and their dates to the file from lastListFile. If this build
// removed URLs, storeList first renames the previous file, with the suffix beforeRemoval. It
// ignores all errors, because a build does not need these files. It does nothing in a dry run.
func (b *Build) storeList() {
	name := b.lastListFile("")
	if name == "" || b.o.DryRun || os.MkdirAll(filepath.Dir(name), 0o700) != nil {
		return
	}
	if b.Since != nil && len(b.Since.Removed) > 0 {
		_ = os.Rename(name, b.lastListFile(beforeRemoval))
	}
	_ = files.ReplaceWith(name, func(out io.Writer) error {
		w := sitemap.NewWriter(out, sitemap.FormatURLSet, sitemap.Frame{}, sitemap.Limits{URLs: math.MaxInt, Bytes: maxLastList})
		var e sitemap.Entry
		for _, p := range b.Result.List {
			e.Loc, e.LastMod = p.Loc, p.LastMod
			if err := w.Write(&e); err != nil {
				return err
			}
		}
		return w.Close()
	})
}

// diffWithLastBuild compares the build's list with the list that storeList wrote after the last
// build on this machine. It returns nil if that list cannot be read.
func (b *Build) diffWithLastBuild(ctx context.Context) *ListDiff {
	l, name := b.newListDiff("the last build"), b.lastListFile("")
	if name == "" || l.addFile(ctx, name, b.o.Dir) != nil {
		return nil
	}
	return l
}
