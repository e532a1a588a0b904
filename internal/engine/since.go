package engine

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
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

// Last reads the existing sitemap at the output path, with its child sitemaps, and calls each
// with every URL. It does nothing if there is no sitemap. Any tool may have written the
// sitemap.
func (b *Build) Last(ctx context.Context, each func(sitemap.Entry, diag.Pos)) error {
	o := b.Settings.Writer
	if o.Dir == "" {
		return nil
	}
	name := entryFile(o, Exists)
	if name == "" {
		return nil
	}
	return fetch.ReadList(ctx, name, fetch.ListOptions{}, &diag.Report{}, func(e sitemap.Entry, pos diag.Pos) {
		pos.File = filepath.ToSlash(files.DisplayPath(b.o.Dir, pos.File))
		each(e, pos)
	})
}

// Exists reports whether a file or folder exists at a path.
func Exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// A Since compares the list with an earlier list.
type Since struct {
	Old     string    // name of the earlier list
	Of      int       // number of URLs in the earlier list
	Removed []Earlier // URLs that only the earlier list has
	Redated []Earlier // URLs with another date in the earlier list

	list   site.List
	before []bool // by index in list: the earlier list has the page
	next   int    // index in list at which the next URL is expected
}

func (b *Build) newSince(old string) *Since {
	return &Since{Old: old, list: b.Result.List, before: make([]bool, len(b.Result.List))}
}

// compare compares the list with the list of an earlier build.
func (b *Build) compare(earlier site.List) *Since {
	s := b.newSince("the last build")
	for _, p := range earlier {
		s.add(&p.Entry)
	}
	return s
}

// An Earlier is an entry of an earlier list.
type Earlier struct {
	URL     string
	LastMod sitemap.Date
}

// add adds one URL of the earlier list.
func (s *Since) add(u *sitemap.URL) {
	s.Of++
	i, listed := s.list.FindNear(u.Loc, s.next)
	s.next = i + 1
	if !listed {
		s.Removed = append(s.Removed, Earlier{u.Loc, u.LastMod})
		return
	}
	s.before[i] = true
	if now := s.list[i].Entry.LastMod; now != u.LastMod && now.String() != u.LastMod.String() {
		s.Redated = append(s.Redated, Earlier{u.Loc, u.LastMod})
	}
}

// intern returns the next expected URL if loc is equal to it, and otherwise "". Reusing the
// string saves memory.
func (s *Since) intern(loc []byte) string {
	if s.next < len(s.list) && s.list[s.next].Entry.Loc == string(loc) {
		return s.list[s.next].Entry.Loc
	}
	return ""
}

// Added returns the URLs that the earlier list lacks, sorted.
func (s *Since) Added() (urls []string) {
	for i, was := range s.before {
		if !was {
			urls = append(urls, s.list[i].Entry.Loc)
		}
	}
	return urls
}

// Same reports whether both lists have the same URLs and dates.
func (s *Since) Same() bool {
	return len(s.Removed)+len(s.Redated) == 0 && !slices.Contains(s.before, false)
}

// pastHead is the beginning of a list file. The time of the build follows.
const pastHead = "sitewalk list 1 "

const (
	pastDays    = 90       // days for which a removed URL is kept
	maxPast     = 10_000   // maximum number of removed URLs
	maxPastSize = 64 << 20 // maximum size of a list file in bytes, about 800,000 URLs
)

// A Bygone is a URL that an earlier build on this machine listed.
type Bygone struct {
	Earlier
	Until time.Time // time of the last build that listed the URL
	Last  bool      // the last build listed the URL
}

// pastFile returns the file in the user's cache with the URLs of earlier builds. The name
// depends on output folder, sitemap name and base URL. pastFile returns "" if the build keeps
// no list.
func (b *Build) pastFile() string {
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

// Past calls each with the URLs that earlier builds on this machine listed: first the URLs of
// the last build in order, then removed URLs. It returns an error if there is no readable list.
func (b *Build) Past(ctx context.Context, each func(Bygone)) error {
	name := b.pastFile()
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
	left := b.Result.List // sorted like the file
	for lines.Scan() && ctx.Err() == nil {
		loc, rest, _ := bytes.Cut(lines.Bytes(), []byte("\t"))
		date, until, gone := strings.Cut(string(rest), "\t")
		old := Bygone{Until: last, Last: !gone}
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
		each(old)
	}
	return lines.Err()
}

// KeepPast stores the listed URLs for later builds on this machine. It ignores all errors,
// because the list is optional.
func (b *Build) KeepPast(ctx context.Context) {
	name := b.pastFile()
	if name == "" || b.o.DryRun || b.Settings.SkipReason != "" {
		return
	}
	now, l := b.Settings.Site.Now.UTC(), b.Result.List
	size := 0
	for _, r := range l {
		size += len(r.Entry.Loc) + len(time.RFC3339) + len("\t\n")
	}
	out := append(slices.Grow([]byte(pastHead+now.Format(time.RFC3339)), size), '\n')
	for _, r := range l {
		out = append(append(out, r.Entry.Loc...), '\t')
		out = append(r.Entry.LastMod.AppendTo(out), '\n')
	}
	gone, near := 0, 0
	_ = b.Past(ctx, func(old Bygone) {
		i, listed := l.FindNear(old.URL, near)
		near = i + 1
		if listed || gone == maxPast || now.Sub(old.Until) > pastDays*24*time.Hour {
			return
		}
		gone++
		out = append(append(out, old.URL...), '\t')
		out = append(old.LastMod.AppendTo(out), '\t')
		out = append(old.Until.AppendFormat(out, time.RFC3339), '\n')
	})
	if len(out) > maxPastSize || os.MkdirAll(filepath.Dir(name), 0o700) != nil {
		return
	}
	_ = files.Replace(name, out)
}

// sincePast compares the list with the list of the last build on this machine. It returns nil
// if there is none.
func (b *Build) sincePast(ctx context.Context) *Since {
	s := b.newSince("the last build")
	err := b.Past(ctx, func(old Bygone) {
		if old.Last {
			s.add(&sitemap.URL{Loc: old.URL, LastMod: old.LastMod})
		}
	})
	if err != nil {
		return nil
	}
	return s
}
