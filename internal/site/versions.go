package site

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/versions"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/walker"
)

// A VersionChoice says which of a site's versions are listed: "latest", or names. The zero
// choice lists all.
type VersionChoice struct {
	Names []string
	Pos   diag.Pos
}

// A VersionSet is the versions in one folder of the site.
type VersionSet struct {
	versions.Set
	Latest string            // the name of the latest; "" is the folder above
	alias  map[string]string // of a name, the one under which the same pages are listed
	listed map[string]bool   // which names are; nil: all
}

// findVersions finds the versions that lie beside each other, which names mean the same, and
// which are listed.
func findVersions(ctx context.Context, w *World) error {
	named := func(parent string) []string { return w.manifest(ctx, parent) }
	for _, set := range versions.Find(w.files(), named) {
		s := &VersionSet{Set: set}
		s.findAliases(ctx, w)
		s.Latest = s.findLatest(ctx, w)
		w.versions = append(w.versions, s)
	}
	w.chooseVersions()
	return ctx.Err()
}

// files yields the files of the pages.
func (w *World) files() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, p := range w.pages {
			if p.File != "" && p.Own != page.Fragment && p.Own != page.NotHTML && !yield(p.File) {
				return
			}
		}
	}
}

// maxManifest is how much of a manifest of versions is read.
const maxManifest = 1 << 20

// docVersions finds the list of versions in the script that Documenter.jl writes.
var (
	docVersions = regexp.MustCompile(`DOC_VERSIONS\s*=\s*\[([^\]]*)\]`)
	quoted      = regexp.MustCompile(`"([^"]+)"`)
)

// manifest returns the folders that the manifest in a folder names: mike's, Documenter.jl's,
// or the switcher of a theme for Sphinx, whose entries are addresses.
func (w *World) manifest(ctx context.Context, parent string) (names []string) {
	var mike []struct {
		Version string
		Aliases []string
	}
	if json.Unmarshal(w.readFile(ctx, path.Join(parent, "versions.json"), maxManifest), &mike) == nil {
		for _, v := range mike {
			names = append(append(names, v.Version), v.Aliases...)
		}
	}
	for _, file := range []string{"switcher.json", "_static/switcher.json"} {
		var switcher []struct{ Version, URL string }
		if json.Unmarshal(w.readFile(ctx, path.Join(parent, file), maxManifest), &switcher) == nil {
			for _, v := range switcher {
				names = append(names, v.Version, path.Base(mapping.PathOf(v.URL)))
			}
		}
	}
	if m := docVersions.FindSubmatch(w.readFile(ctx, path.Join(parent, "versions.js"), maxManifest)); m != nil {
		for _, name := range quoted.FindAllSubmatch(m[1], -1) {
			names = append(names, string(name[1]))
		}
	}
	return names
}

// readFile returns at most limit bytes of a file of the publish directory, nil if it is not
// there.
func (w *World) readFile(ctx context.Context, file string, limit int64) (src []byte) {
	w.o.Pages.VisitFile(ctx, file, func(f *walker.File) {
		src, _ = io.ReadAll(io.LimitReader(f, limit))
	})
	return src
}

// leadsTo returns the version to which the home page of the folder above refreshes.
func (w *World) leadsTo(ctx context.Context, s *VersionSet) string {
	home := path.Join(s.Parent, "index.html")
	if i, ok := findFact(w.pages, home); !ok || w.pages[i].Own != page.Redirect {
		return ""
	}
	r, ok := w.facts.Read(ctx, home)
	if !ok {
		return ""
	}
	to := strings.Trim(strings.TrimPrefix(r.Facts.Refresh, "./"), "/")
	for _, f := range s.Folders {
		if to == f.Name || strings.HasPrefix(to, f.Name+"/") || strings.HasSuffix(to, "/"+path.Join(s.Parent, f.Name)) {
			return f.Name
		}
	}
	return ""
}

// findLatest returns the version that stands for all: that to which the folder above leads,
// or which it holds, what is called stable or latest, or else the highest release.
func (s *VersionSet) findLatest(ctx context.Context, w *World) string {
	if to := w.leadsTo(ctx, s); to != "" {
		return s.Name(to)
	}
	if s.Own {
		return ""
	}
	for _, name := range []string{"stable", "latest", "current"} {
		if s.Folder(name) != nil {
			return s.Name(name)
		}
	}
	for _, f := range s.Folders { // the newest first
		if versions.IsRelease(f.Name) && !versions.IsPrerelease(f.Name) {
			return s.Name(f.Name)
		}
	}
	return s.Name(s.Folders[0].Name)
}

// Name returns the name under which a version is listed.
func (s *VersionSet) Name(of string) string {
	if to, ok := s.alias[of]; ok {
		return to
	}
	return of
}

// chooseVersions settles which versions are listed.
func (w *World) chooseVersions() {
	choice := w.o.Versions
	if len(choice.Names) == 0 || slices.Contains(choice.Names, "all") {
		return
	}
	for _, s := range w.versions {
		s.listed = map[string]bool{}
		for _, name := range choice.Names {
			if name == "latest" && s.Folder(name) == nil || len(choice.Names) == 1 && name == "latest" {
				s.listed[s.Latest] = true
			} else if s.Folder(name) != nil {
				s.listed[s.Name(name)] = true
			}
		}
		if len(s.listed) == 0 { // of this folder none is named
			s.listed = nil
		}
	}
}

// Versions returns the versions of the site, by the path of their folder.
func (w *World) Versions() []*VersionSet { return w.versions }

// VersionOf returns the versions of a file, the name of its own, and its path below that;
// name is "" for a version that the folder above holds.
func (w *World) VersionOf(file string) (of *VersionSet, name, below string) {
	return w.versionIn(file, w.versions)
}

func (*World) versionIn(file string, sets []*VersionSet) (of *VersionSet, name, below string) {
	for _, s := range sets {
		rest, ok := file, true
		if s.Parent != "" {
			rest, ok = strings.CutPrefix(file, s.Parent+"/")
		}
		if !ok {
			continue
		}
		first, inner, deep := strings.Cut(rest, "/")
		if deep && s.Folder(first) != nil {
			return s, first, inner
		}
		if s.Own {
			of, name, below = s, "", rest
		}
	}
	return of, name, below
}

// versionCheck leaves out a page under a name that is an alias, one of a version that is not
// listed, and one of a preview.
func versionCheck(w *World, r *Page, _ *clock) *Verdict {
	if r.Said.File == "" {
		return nil
	}
	if folder, ok := versions.IsPreview(r.Said.File); ok {
		return &Verdict{page.Version, w.Pos(r), folder + " is the preview of a pull request"}
	}
	s, name, below := w.VersionOf(r.Said.File)
	switch {
	case s == nil:
		return nil
	case s.alias[name] != "":
		return &Verdict{page.Version, w.Pos(r), fmt.Sprintf("%s is another name of %s%s", name, s.alias[name], w.instead(s, s.alias[name], below))}
	case s.listed != nil && !s.listed[name]:
		return &Verdict{page.Version, w.o.Versions.Pos, "versions: " + strings.Join(w.o.Versions.Names, ", ") + w.instead(s, s.Latest, below)}
	}
	return nil
}

// InOtherVersion reports whether a page is in a preview, or in a version that is not listed.
func (w *World) InOtherVersion(r *Page) bool { return hasVersions(w) && versionCheck(w, r, nil) != nil }

// instead names the page of another version that stands for one, in a verdict.
func (w *World) instead(s *VersionSet, name, below string) string {
	if loc := w.Counterpart(s, name, below); loc != "" {
		return ": " + loc
	}
	return ""
}

// Counterpart returns the URL of the page that a version has at a path below its folder,
// "" if it has none.
func (w *World) Counterpart(s *VersionSet, name, below string) string {
	if i, ok := findFact(w.pages, path.Join(s.Parent, name, below)); ok {
		return w.pages[i].FileLoc
	}
	return ""
}

// hasVersions reports whether a site may have versions, previews or copies.
func hasVersions(w *World) bool { return w.o.Pages != nil && len(w.pages) > 1 }
