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

// Last reads the sitemap that an earlier build, or another tool, has left where
// this one is to be, and the sitemaps that it names. Without one there is none.
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

// Exists reports whether there is anything at a path.
func Exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// A Since compares a list with the one that was written before it.
type Since struct {
	Old     string    // what it is compared with
	Of      int       // URLs that were listed
	Removed []Earlier // of them, those that are listed no more
	Redated []Earlier // and those with another date

	list   site.List
	before []bool // for each page of the list: the earlier one had it
	next   int    // where the URL after the last one is expected
}

func (b *Build) newSince(old string) *Since {
	return &Since{Old: old, list: b.Result.List, before: make([]bool, len(b.Result.List))}
}

// Against compares the list with one of an earlier build.
func (b *Build) Against(earlier site.List) *Since {
	s := b.newSince("the last build")
	for _, p := range earlier {
		s.was(&p.Entry)
	}
	return s
}

// An Earlier is what was listed.
type Earlier struct {
	URL     string
	LastMod sitemap.Date
}

// was takes a URL of the earlier list into account.
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

// intern returns the URL that is expected next, if it is the one that is written.
func (s *Since) intern(loc []byte) string {
	if s.next < len(s.list) && s.list[s.next].Entry.Loc == string(loc) {
		return s.list[s.next].Entry.Loc
	}
	return ""
}

// Added returns the URLs that were not listed, sorted.
func (s *Since) Added() (urls []string) {
	for i, was := range s.before {
		if !was {
			urls = append(urls, s.list[i].Entry.Loc)
		}
	}
	return urls
}

// Same reports whether nothing changed.
func (s *Since) Same() bool {
	return len(s.Removed)+len(s.Redated) == 0 && !slices.Contains(s.before, false)
}
