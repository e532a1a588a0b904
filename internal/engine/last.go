package engine

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/sitemap"
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
		pos.File = filepath.ToSlash(files.Shown(b.o.Dir, pos.File))
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

// Against compares the list with the list of an earlier build.
func (b *Build) Against(earlier site.List) *Since {
	s := b.newSince("the last build")
	for _, p := range earlier {
		s.was(&p.Entry)
	}
	return s
}

// An Earlier is an entry of an earlier list.
type Earlier struct {
	URL     string
	LastMod sitemap.Date
}

// was records one URL of the earlier list.
func (s *Since) was(u *sitemap.URL) {
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
