package site

import (
	"bytes"
	"context"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/versions"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// findAliases finds the names of one version: links to its folder, and copies of it. The
// pages are listed under the name that the site prefers.
func (s *VersionSet) findAliases(ctx context.Context, w *World) {
	target := map[string]string{}
	for _, f := range s.Folders {
		if to := w.linked(path.Join(s.Parent, f.Name)); s.Folder(to) != nil {
			target[f.Name] = to
		}
	}
	for i, f := range s.Folders {
		for _, other := range s.Folders[:i] {
			if target[f.Name] == "" && target[other.Name] != f.Name && (versions.IsMoving(f.Name) || versions.IsMoving(other.Name)) && w.same(ctx, s, f, other) {
				target[f.Name] = other.Name
			}
		}
	}
	if len(target) == 0 {
		return
	}
	groups := map[string][]string{} // by what is no alias itself
	for _, f := range s.Folders {
		last := f.Name
		for n := 0; target[last] != "" && n < len(s.Folders); n++ {
			last = target[last]
		}
		groups[last] = append(groups[last], f.Name)
	}
	s.alias = map[string]string{}
	prefers := w.prefers(ctx, s)
	for real, names := range groups {
		best := real
		for _, name := range names {
			if prefers(names, name) > prefers(names, best) {
				best = name
			}
		}
		for _, name := range names {
			if name != best {
				s.alias[name] = best
			}
		}
	}
}

// linked returns the name of the folder beside it to which a folder is a symbolic link.
func (w *World) linked(dir string) string {
	if w.o.Pages.Dir == "" {
		return ""
	}
	to, err := os.Readlink(w.o.Pages.Path(dir))
	if to = path.Clean(strings.ReplaceAll(to, `\`, "/")); err != nil || strings.Contains(to, "/") {
		return ""
	}
	return to
}

// same reports whether two folders hold the same pages, byte for byte. That most differ
// the first page tells.
func (w *World) same(ctx context.Context, s *VersionSet, a, b *versions.Folder) bool {
	if !slices.Equal(a.Pages, b.Pages) {
		return false
	}
	for _, p := range a.Pages {
		one := w.readFile(ctx, path.Join(s.Parent, a.Name, p), page.MaxBytes)
		if two := w.readFile(ctx, path.Join(s.Parent, b.Name, p), page.MaxBytes); one == nil || !bytes.Equal(one, two) {
			return false
		}
	}
	return true
}

// prefers counts, for each name of a version, how many canonical links name it, of the pages
// under each of its names; where the folder above leads counts as well, but less.
func (w *World) prefers(ctx context.Context, s *VersionSet) func(group []string, name string) int {
	votes := map[[2]string]int{}
	for _, p := range w.pages {
		if p.Rest == nil || p.Rest.Canonical == "" {
			continue
		}
		if of, name, _ := w.versionIn(p.File, []*VersionSet{s}); of != nil {
			votes[[2]string{name, s.namedIn(p.Rest.Canonical)}]++
		}
	}
	leads := w.leadsTo(ctx, s)
	return func(group []string, name string) (n int) {
		for _, other := range group {
			n += 2 * votes[[2]string{other, name}]
		}
		if name == leads {
			n++
		}
		return n
	}
}

// namedIn returns the version that an address names first, "" for none.
func (s *VersionSet) namedIn(loc string) string {
	urlPath, _, _ := strings.Cut(mapping.PathOf(loc), "?")
	if _, rest, ok := strings.Cut(urlPath, "/"+s.Parent+"/"); ok && s.Parent != "" {
		urlPath = "/" + rest
	}
	for name := range strings.SplitSeq(strings.Trim(urlPath, "/"), "/") {
		if s.Folder(name) != nil {
			return name
		}
	}
	return ""
}

// listedAlias returns the URL of the same page under the listed name of its version; "" if the
// file is under no alias.
func (w *World) listedAlias(file string) string {
	s, name, below := w.VersionOf(file)
	if s == nil || s.alias[name] == "" {
		return ""
	}
	return w.Counterpart(s, s.alias[name], below)
}
