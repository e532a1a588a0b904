package engine

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/sitewalk/sitewalk/writer"
)

// ReadLastSitemap reads the existing sitemap at the output path, whether sitewalk or another tool
// wrote it. It calls visit for every entry, with the position of the entry. It does nothing if
// there is no sitemap.
func (b *Build) ReadLastSitemap(ctx context.Context, visit func(sitemap.Entry, diag.Pos)) error {
	o := b.Settings.Writer
	if o.Dir == "" {
		return nil
	}
	name := findSitemapFile(o, FileExists)
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

// pastHead is the beginning of a file in the cache that contains the URLs of earlier builds. The
// time of the last build follows in RFC 3339 format.
const pastHead = "sitewalk list 1 "

const (
	pastDays    = 90       // number of days for which a removed URL stays in the file
	maxPast     = 10_000   // maximum number of removed URLs in the file
	maxPastSize = 64 << 20 // maximum size of the file in bytes, enough for about 800,000 URLs
)

// A PastURL is a URL that an earlier build on this machine listed, with its date in that build.
type PastURL struct {
	EarlierEntry
	Until time.Time // time of the last build that listed the URL
	Last  bool      // the last build listed the URL, so it was not removed before
}

// pastURLsFile returns the path of a file in the user's cache that contains the URLs of earlier
// builds. The output folder, the sitemap name and the base URL determine its name. It returns "" if
// there is no cache, or if the sitemap is printed.
func (b *Build) pastURLsFile() string {
	o := b.Settings.Writer
	if b.o.Cache == "" || o.Dir == "" || b.Settings.Stdout {
		return ""
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return ""
	}
	key := sha256.Sum256([]byte(strings.Join([]string{dir, cmp.Or(o.Name, writer.DefaultName), b.Settings.Site.Base.String()}, "\x00")))
	return filepath.Join(b.o.Cache, "sitewalk", "lists", hex.EncodeToString(key[:16]))
}

// ReadPastURLs calls visit with each URL that an earlier build on this machine listed. First come
// the URLs of the last build, sorted, and then URLs that were removed before. It returns an error
// if the file with these URLs is missing or cannot be read.
func (b *Build) ReadPastURLs(ctx context.Context, visit func(PastURL)) error {
	name := b.pastURLsFile()
	if name == "" {
		return os.ErrNotExist
	}
	f, err := files.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() > maxPastSize {
		return errors.New("the list of an earlier build is too large")
	}
	lines := bufio.NewScanner(io.LimitReader(f, maxPastSize))
	lines.Scan()
	at, ok := strings.CutPrefix(lines.Text(), pastHead)
	last, err := time.Parse(time.RFC3339, at)
	if !ok || err != nil {
		return errors.New("no list of an earlier build")
	}
	left := b.Result.List // sorted by URL like the file, so its strings can be reused
	for lines.Scan() && ctx.Err() == nil {
		loc, rest, _ := bytes.Cut(lines.Bytes(), []byte("\t"))
		date, until, gone := strings.Cut(string(rest), "\t")
		old := PastURL{Until: last, Last: !gone}
		for len(left) > 0 && left[0].Entry.Loc < string(loc) {
			left = left[1:]
		}
		if len(left) > 0 && left[0].Entry.Loc == string(loc) {
			old.URL = left[0].Entry.Loc
		} else {
			old.URL = string(loc)
		}
		if date != "" {
			old.LastMod, _ = sitemap.ParseDate(date, time.UTC)
		}
		if gone {
			old.Until, _ = time.Parse(time.RFC3339, until)
		}
		visit(old)
	}
	return lines.Err()
}

// StorePastURLs stores the listed URLs so that ReadPastURLs in a later build can read them. It
// ignores all errors, because a build also works without this file.
func (b *Build) StorePastURLs(ctx context.Context) {
	name := b.pastURLsFile()
	if name == "" || b.o.DryRun || b.Settings.SkipReason != "" {
		return
	}
	size := 0
	for _, r := range b.Result.List {
		size += len(r.Entry.Loc) + len(time.RFC3339) + len("\t\n")
	}
	if size > maxPastSize || os.MkdirAll(filepath.Dir(name), 0o700) != nil {
		return
	}
	_ = files.ReplaceWith(name, func(w io.Writer) error { return b.writePastURLs(ctx, w) })
}

// writePastURLs writes the listed URLs to w. Then it writes up to maxPast URLs that are no longer
// listed, but that a build of the last pastDays days listed.
func (b *Build) writePastURLs(ctx context.Context, w io.Writer) error {
	out := bufio.NewWriter(w)
	now, l := b.Settings.Site.Now.UTC(), b.Result.List
	fmt.Fprintln(out, pastHead+now.Format(time.RFC3339))
	for _, r := range l {
		line := append(append(out.AvailableBuffer(), r.Entry.Loc...), '\t')
		_, _ = out.Write(append(r.Entry.LastMod.AppendTo(line), '\n'))
	}
	gone, near := 0, 0
	_ = b.ReadPastURLs(ctx, func(old PastURL) {
		i, listed := l.FindNear(old.URL, near)
		near = i + 1
		if listed || gone == maxPast || now.Sub(old.Until) > pastDays*24*time.Hour {
			return
		}
		gone++
		fmt.Fprintf(out, "%s\t%s\t%s\n", old.URL, old.LastMod, old.Until.Format(time.RFC3339))
	})
	return out.Flush()
}

// diffWithLastBuild compares the build's list with the list of the last build on this machine. It
// returns nil if that list is not available.
func (b *Build) diffWithLastBuild(ctx context.Context) *ListDiff {
	s := b.newListDiff("the last build")
	err := b.ReadPastURLs(ctx, func(old PastURL) {
		if old.Last {
			s.addEarlier(&sitemap.URL{Loc: old.URL, LastMod: old.LastMod})
		}
	})
	if err != nil {
		return nil
	}
	return s
}
