package engine

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
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
	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/sitewalk/sitewalk/writer"
)

// ReadLastSitemap reads the existing sitemap at the output path, whether sitewalk or another tool
// wrote it. If there is none, it reads the list of the last build on this machine. It calls visit
// for every entry, with the position of the entry. It does nothing if neither exists.
func (b *Build) ReadLastSitemap(ctx context.Context, visit func(sitemap.Entry, diag.Pos)) error {
	o := b.Settings.Writer
	if o.Dir == "" {
		return nil
	}
	name := cmp.Or(findSitemapFile(o, FileExists), b.lastListFile())
	if name == "" {
		return nil
	}
	return fetch.ReadList(ctx, name, fetch.ListOptions{}, &diag.Report{}, func(e sitemap.Entry, pos diag.Pos) {
		pos.File = filepath.ToSlash(files.DisplayPath(b.o.Dir, pos.File))
		visit(e, pos)
	})
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
	Redated []EarlierEntry // URLs in both lists with different dates, with the earlier date

	list   site.List // list of the build, sorted by URL
	before []bool    // by index in list: whether the earlier list has the page
	next   int       // index in list of the URL that the next call of addEarlier probably looks for
}

// newListDiff returns a ListDiff that compares the build's list with an earlier list. oldName
// describes the earlier list, such as "the last sitemap". The caller then calls addEarlier with
// each entry of the earlier list.
func (b *Build) newListDiff(oldName string) *ListDiff {
	return &ListDiff{Old: oldName, list: b.Result.List, before: make([]bool, len(b.Result.List))}
}

// diffWith returns the differences between the build's list and earlier, the list of an earlier
// build.
func (b *Build) diffWith(earlier site.List) *ListDiff {
	s := b.newListDiff("the last build")
	for _, p := range earlier {
		s.addEarlier(&p.Entry)
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
func (l *ListDiff) addEarlier(u *sitemap.URL) {
	l.Of++
	i, listed := l.list.FindNear(u.Loc, l.next)
	l.next = i + 1
	if !listed {
		l.Removed = append(l.Removed, EarlierEntry{u.Loc, u.LastMod})
		return
	}
	l.before[i] = true
	if now := l.list[i].Entry.LastMod; now != u.LastMod && now.String() != u.LastMod.String() {
		l.Redated = append(l.Redated, EarlierEntry{u.Loc, u.LastMod})
	}
}

// addFile calls addEarlier with each entry of the sitemap file. It drops findings about the file,
// which is an old sitemap of this site. dir is the working directory.
func (l *ListDiff) addFile(ctx context.Context, file, dir string) error {
	o := fetch.ListOptions{Dir: dir, Intern: l.reuseURL}
	return fetch.ReadList(ctx, file, o, &diag.Report{MaxKept: 1}, func(e sitemap.Entry, _ diag.Pos) { l.addEarlier(&e.URL) })
}

// reuseURL returns the string in the build's list that equals loc, so that the caller need not copy
// loc. It compares loc only with the URL that is probably next in the list, and returns "" if they
// differ.
func (l *ListDiff) reuseURL(loc []byte) string {
	if l.next < len(l.list) && l.list[l.next].Entry.Loc == string(loc) {
		return l.list[l.next].Entry.Loc
	}
	return ""
}

// AddedURLs returns the sorted URLs that are in the build's list but not in the earlier list.
func (l *ListDiff) AddedURLs() (urls []string) {
	for i, was := range l.before {
		if !was {
			urls = append(urls, l.list[i].Entry.Loc)
		}
	}
	return urls
}

// IsEmpty reports whether both lists have the same URLs and dates.
func (l *ListDiff) IsEmpty() bool {
	return len(l.Removed)+len(l.Redated) == 0 && !slices.Contains(l.before, false)
}

// maxLastList is the maximum size in bytes of the file that storeList writes, enough for about
// 500,000 URLs.
const maxLastList = 64 << 20

// lastListFile returns the path of a sitemap in the user's cache that contains the list of the last
// build on this machine. The output folder, the sitemap name and the base URL determine its name. It
// returns "" if there is no cache, or if the sitemap is printed.
func (b *Build) lastListFile() string {
	o := b.Settings.Writer
	dir, err := filepath.Abs(o.Dir)
	if b.o.Cache == "" || o.Dir == "" || b.Settings.Stdout || err != nil {
		return ""
	}
	key := sha256.Sum256([]byte(strings.Join([]string{dir, cmp.Or(o.Name, writer.DefaultName), b.Settings.Site.Base.String()}, "\x00")))
	return filepath.Join(b.o.Cache, "sitewalk", "lists", hex.EncodeToString(key[:16])+".xml")
}

// storeList writes the listed URLs and their dates to lastListFile. It ignores all errors, because
// a build also works without this file.
func (b *Build) storeList() {
	name := b.lastListFile()
	if name == "" || b.o.DryRun || os.MkdirAll(filepath.Dir(name), 0o700) != nil {
		return
	}
	_ = files.ReplaceWith(name, func(out io.Writer) error {
		w := sitemap.NewWriter(out, sitemap.FormatURLSet, sitemap.Frame{}, sitemap.Limits{URLs: math.MaxInt, Bytes: maxLastList})
		for _, p := range b.Result.List {
			if err := w.Write(&sitemap.Entry{URL: sitemap.URL{Loc: p.Entry.Loc, LastMod: p.Entry.LastMod}}); err != nil {
				return err
			}
		}
		return w.Close()
	})
}

// diffWithLastBuild compares the build's list with the list of the last build on this machine. It
// returns nil if that list is not available.
func (b *Build) diffWithLastBuild(ctx context.Context) *ListDiff {
	l, name := b.newListDiff("the last build"), b.lastListFile()
	if name == "" || l.addFile(ctx, name, b.o.Dir) != nil {
		return nil
	}
	return l
}
