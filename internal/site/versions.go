package site

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/walker"
)

// A VersionChoice says which of a site's versions are listed: "latest", "all", or names. The
// zero value lists all.
type VersionChoice struct {
	Names []string
	Pos   diag.Pos
}

// lists reports whether a version is listed. Of a folder none of whose versions is named,
// all are.
func (c *VersionChoice) lists(s *VersionSet, name string) bool {
	if slices.Contains(c.Names, "all") {
		return true
	}
	named := false
	for _, n := range c.Names {
		switch {
		case n == "latest" && (len(c.Names) == 1 || s.Folder(n) == nil):
			n = s.Latest
		case s.Folder(n) == nil:
			continue
		}
		if named = true; s.Name(n) == name {
			return true
		}
	}
	return !named
}

// findVersions finds the versions that lie beside each other.
func (w *World) findVersions(ctx context.Context) {
	w.Versions = resolveVersionSets(&versionSource{
		Pages: w.files(), Canonicals: w.canonicals(), Read: func(file string) []byte { return w.readFile(ctx, file) },
		Link: w.linked, Refresh: func(file string) string { return w.refresh(ctx, file) },
	})
	w.versionsAt = versionsByParent(w.Versions)
}

// VersionOf returns the versions that a page is one of, the name of its own version, and its
// path below that. name is "" for a version that the folder above holds.
func (w *World) VersionOf(file string) (of *VersionSet, name, below string) {
	return versionOf(w.versionsAt, file)
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

// canonicals yields the files of pages and the canonical links that they have.
func (w *World) canonicals() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, p := range w.pages {
			if p.Rest != nil && p.Rest.Canonical != "" && !yield(p.File, p.Rest.Canonical) {
				return
			}
		}
	}
}

// readFile returns what a file of the publish directory holds, as far as pages are read; nil
// if it is not there.
func (w *World) readFile(ctx context.Context, file string) (src []byte) {
	w.Options.Pages.VisitFile(ctx, file, func(f *walker.File) {
		src, _ = io.ReadAll(io.LimitReader(f, page.MaxBytes))
	})
	return src
}

// linked returns where a folder leads that is a symbolic link, "" for another one.
func (w *World) linked(dir string) string {
	if w.Options.Pages.Dir == "" {
		return ""
	}
	to, _ := os.Readlink(w.Options.Pages.Path(dir))
	return to
}

// refresh returns where a page leads that refreshes to another one, "" for others.
func (w *World) refresh(ctx context.Context, file string) string {
	if i, ok := findFact(w.pages, file); !ok || w.pages[i].Own != page.Redirect {
		return ""
	}
	r, _ := w.Facts.Read(ctx, file)
	return r.Facts.Refresh
}

// findReturns finds the pages that are meant to redirect to the page that names them as its
// canonical one, as the home page of a documentation does.
func (w *World) findReturns(ctx context.Context) {
	redirects := map[string]int{} // pages by URL
	for i, f := range w.pages {
		if f.Own == page.Redirect {
			redirects[f.FileLoc] = i
		}
	}
	w.returns = map[string]string{}
	for _, f := range w.pages {
		if f.Rest == nil || f.Rest.Canonical == "" {
			continue
		}
		i, ok := redirects[f.Rest.Canonical]
		if !ok {
			continue
		}
		from := w.pages[i]
		to, err := w.Parts[from.Part].Base.Resolve(w.refresh(ctx, from.File), from.FileLoc, "")
		if err == nil && mapping.Spelling(to) == mapping.Spelling(f.FileLoc) {
			w.returns[f.File] = from.File
		}
	}
}

// redirectsTo reports whether a page that is left out redirects to r, by itself or by a rule of
// the host.
func (w *World) redirectsTo(from, r *Page) bool {
	if from.Reason() != page.Redirect {
		return false
	}
	if w.returns[r.Facts.File] == from.Facts.File {
		return true
	}
	v, ok := w.PartOf(from).Host.Redirect(w.address(from), w.PartOf(from).Exists)
	return ok && mapping.Spelling(v.To) == mapping.Spelling(w.address(r))
}

// versionVerdict leaves out a page under a name that is an alias, one of a version that is not
// listed, and one of a preview.
func versionVerdict(w *World, r *Page, _ *clock) *Verdict {
	if r.Facts.File == "" || w.Options.Pages == nil {
		return nil
	}
	if folder, ok := PreviewFolder(r.Facts.File); ok {
		return &Verdict{page.Version, w.Pos(r), folder + " is the preview of a pull request"}
	}
	s, name, below := w.VersionOf(r.Facts.File)
	if s == nil {
		return nil
	}
	listed := s.Name(name)
	switch {
	case listed != name:
		return &Verdict{page.Version, w.Pos(r), fmt.Sprintf("%s is another name of %s%s", name, listed, w.instead(s, listed, below))}
	case !w.Options.Versions.lists(s, name):
		return &Verdict{page.Version, w.Options.Versions.Pos, "versions: " + strings.Join(w.Options.Versions.Names, ", ") + w.instead(s, s.Latest, below)}
	}
	return nil
}

// InOtherVersion reports whether a page is in a preview, or in a version that is not listed.
func (w *World) InOtherVersion(r *Page) bool { return versionVerdict(w, r, nil) != nil }

// instead names the page of another version that stands for one, in a verdict.
func (w *World) instead(s *VersionSet, name, below string) string {
	if loc := w.Counterpart(s, name, below); loc != "" {
		return ": " + loc
	}
	return ""
}

// listedAlias returns the URL of the same page under the listed name of its version; "" if the
// file is under no alias.
func (w *World) listedAlias(file string) string {
	s, name, below := w.VersionOf(file)
	if s == nil || s.Name(name) == name {
		return ""
	}
	return w.Counterpart(s, s.Name(name), below)
}

// Counterpart returns the URL of the page that a version has at a path below its folder,
// "" if it has none.
func (w *World) Counterpart(s *VersionSet, name, below string) string {
	if i, ok := findFact(w.pages, path.Join(s.Parent, name, below)); ok {
		return w.pages[i].FileLoc
	}
	return ""
}

// reportVersions reports versions that the settings name and the site does not have, and adds
// one note if several are listed and the settings do not say which are wanted.
func (l *linter) reportVersions() {
	choice, sets := l.o.Versions, l.World.Versions
	if len(choice.Names) == 0 && len(sets) > 0 {
		l.unnamedVersions(sets)
	}
	if slices.Contains(choice.Names, "all") {
		return
	}
	for _, name := range choice.Names {
		if name != "latest" && !slices.ContainsFunc(sets, func(s *VersionSet) bool { return s.Folder(name) != nil }) {
			l.findings.Add(diag.Warnf(choice.Pos, "unknown-version", "the site has "+versionNames(sets), "versions names %q, but the site has no such version", name))
		}
	}
}

// versionNames names all versions, for people.
func versionNames(sets []*VersionSet) string {
	var all []string
	met := map[string]bool{}
	for _, s := range sets {
		for _, f := range s.Folders {
			if s.Name(f.Name) == f.Name && !met[f.Name] {
				met[f.Name] = true
				all = append(all, f.Name)
			}
		}
	}
	return joinVersions(all)
}

func joinVersions(all []string) string {
	const most = 8
	if len(all) > most {
		return strings.Join(all[:most], ", ") + fmt.Sprintf(" and %d more", len(all)-most)
	}
	if len(all) == 0 {
		return "no versions"
	}
	return strings.Join(all, ", ")
}

// unnamedVersions adds one note if several versions of one folder are listed.
func (l *linter) unnamedVersions(sets []*VersionSet) {
	listed := map[*VersionSet]map[string]bool{}
	for _, r := range l.List {
		if s, name, _ := l.World.VersionOf(r.File()); s != nil && r.File() != "" {
			if listed[s] == nil {
				listed[s] = map[string]bool{}
			}
			listed[s][name] = true
		}
	}
	for _, s := range sets {
		if len(listed[s]) > 1 {
			l.unnamedVersionsIn(s, listed[s])
			return
		}
	}
}

func (l *linter) unnamedVersionsIn(s *VersionSet, listed map[string]bool) {
	of, above := "of the site", cmp.Or(path.Join(l.o.Pages.Name, s.Parent), "the top of the site")
	if s.Parent != "" {
		of = "in " + above
	}
	var names []string
	for _, f := range s.Folders {
		if listed[f.Name] {
			names = append(names, f.Name)
		}
	}
	if listed[""] {
		names = append(names, "that in "+above)
	}
	l.findings.Add(diag.Notef(diag.Pos{}, "versions", fmt.Sprintf("versions: latest in sitemap.yaml lists %d of the %s; versions: all lists all, without this note", l.inLatest(), diag.Count(len(l.List), "page")),
		"%s %s are listed: %s", diag.Count(len(listed), "version"), of, joinVersions(names)))
}

// inLatest counts the listed pages that versions: latest would list.
func (l *linter) inLatest() (n int) {
	latest := VersionChoice{Names: []string{"latest"}}
	for _, r := range l.List {
		if s, name, _ := l.World.VersionOf(r.File()); s == nil || latest.lists(s, name) {
			n++
		}
	}
	return n
}
