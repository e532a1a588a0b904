package site

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/walker"
)

// A VersionChoice selects the versions of a site that are listed: "latest", "all", or names. The
// zero value lists all versions.
type VersionChoice struct {
	Names []string
	Pos   diag.Pos
}

// lists reports whether a version is listed. If a folder has none of the named versions, all of
// its versions are listed.
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

// findVersions finds the versions of the site.
func (w *World) findVersions(ctx context.Context) {
	w.Versions = resolveVersionSets(&versionSource{
		Pages: w.files(), Canonicals: w.canonicals(), Read: func(file string) []byte { return w.readFile(ctx, file) },
		Symlink: w.symlink, Redirect: func(file string) string { return w.redirectOf(ctx, file) },
		Links: func(s *VersionSet) []string { return w.linksAround(ctx, s) },
	})
	w.versionsAt = versionsByParent(w.Versions)
	w.scriptRedirects = map[string]string{}
	for _, s := range w.Versions {
		w.findOutdated(ctx, s)
		home := path.Join(s.Parent, "index.html")
		if i, ok := findFact(w.pages, home); ok && s.redirect != "" && w.pages[i].Own == page.Listed {
			w.scriptRedirects[home] = s.redirect
		}
	}
}

// findOutdated finds old releases of Documenter.jl sites. A script in their pages adds noindex.
func (w *World) findOutdated(ctx context.Context, s *VersionSet) {
	newest := ""
	for _, f := range s.Folders { // the newest first
		if !isRelease(f.Name) || newest == "" && isPrerelease(f.Name) {
			continue
		}
		newest = cmp.Or(newest, f.Name)
		home := w.readFile(ctx, path.Join(s.Parent, f.Name, "index.html"))
		f.outdated = f.Name != newest && bytes.Contains(home, []byte("data-outdated-warner"))
	}
}

// VersionOf returns the set of versions that a page belongs to, the name of its version, and its
// path in that version. name is "" for a page of the parent folder.
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

// canonicals yields the file and the canonical link of each page with a link.
func (w *World) canonicals() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, p := range w.pages {
			if p.Rest != nil && p.Rest.Canonical != "" && !yield(p.File, p.Rest.Canonical) {
				return
			}
		}
	}
}

// readFile returns the content of a file of the publish directory, up to the size limit of pages.
// It returns nil if the file does not exist.
func (w *World) readFile(ctx context.Context, file string) (src []byte) {
	w.Options.Pages.VisitFile(ctx, file, func(f *walker.File) {
		src, _ = io.ReadAll(io.LimitReader(f, page.MaxBytes))
	})
	return src
}

// symlink returns the target of a folder that is a symbolic link, or "".
func (w *World) symlink(dir string) string {
	if w.Options.Pages.Dir == "" {
		return ""
	}
	to, _ := os.Readlink(w.Options.Pages.Path(dir))
	return to
}

// scriptRedirect matches the statement of a script that replaces the page by another one.
var scriptRedirect = regexp.MustCompile(`\blocation(?:\.replace\(|(?:\.href)?\s*=)\s*["']([^"'?#]+)["']`)

// maxScriptRedirect is the maximum size of a page that only redirects by a script.
const maxScriptRedirect = 2048

// redirectOf returns the target of a page that consists of a refresh or of a redirecting script,
// as the home pages of mike before version 0.5. It returns "" for other pages.
func (w *World) redirectOf(ctx context.Context, file string) string {
	i, ok := findFact(w.pages, file)
	if !ok {
		return ""
	}
	if w.pages[i].Own == page.Redirect {
		r, _ := w.Facts.Read(ctx, file)
		return r.Facts.Refresh
	}
	src := w.readFile(ctx, file)
	if m := scriptRedirect.FindSubmatch(src); m != nil && len(src) <= maxScriptRedirect {
		return string(m[1])
	}
	return ""
}

// linksAround returns the URL paths that a sample of the pages outside of the versions link to.
func (w *World) linksAround(ctx context.Context, s *VersionSet) (paths []string) {
	sampled := 0
	for _, f := range w.pages {
		rest, _ := strings.CutPrefix(f.File, s.Parent+"/")
		name, _, _ := strings.Cut(rest, "/")
		if f.Own != page.Listed || s.Folder(name) != nil {
			continue
		}
		links, err := w.Facts.LinkPaths(ctx, f)
		if sampled++; err != nil || sampled > maxSample {
			break
		}
		paths = append(paths, links...)
	}
	return paths
}

// findBackRedirects finds pages that redirect to the page that names them as its canonical, as the
// home page of documentation does.
func (w *World) findBackRedirects(ctx context.Context) {
	redirects := map[string]int{} // pages by URL
	for i, f := range w.pages {
		if f.Own == page.Redirect {
			redirects[f.FileLoc] = i
		}
	}
	w.backRedirects = map[string]string{}
	for _, f := range w.pages {
		if f.Rest == nil || f.Rest.Canonical == "" {
			continue
		}
		i, ok := redirects[f.Rest.Canonical]
		if !ok {
			continue
		}
		from := w.pages[i]
		to, err := w.Parts[from.Part].Base.Resolve(w.redirectOf(ctx, from.File), from.FileLoc, "")
		if err == nil && mapping.Spelling(to) == mapping.Spelling(f.FileLoc) {
			w.backRedirects[f.File] = from.File
		}
	}
}

// redirectsTo reports whether a page that is left out redirects to r, by itself or by a rule of
// the host.
func (w *World) redirectsTo(from, r *Page) bool {
	if from.Reason() != page.Redirect {
		return false
	}
	if w.backRedirects[r.Facts.File] == from.Facts.File {
		return true
	}
	v, ok := w.PartOf(from).Host.Redirect(w.address(from), w.PartOf(from).Exists)
	return ok && mapping.Spelling(v.To) == mapping.Spelling(w.address(r))
}

// versionVerdict leaves out a page of an alias, of a version that is not listed, or of a preview.
func versionVerdict(w *World, r *Page, _ *clock) *Verdict {
	if r.Facts.File == "" || w.Options.Pages == nil {
		return nil
	}
	if folder, ok := previewFolder(r.Facts.File); ok {
		return &Verdict{page.Version, w.Pos(r), folder + " is the preview of a pull request"}
	}
	if r.rest().Shell && page.InPreview(r.Facts.File) {
		return &Verdict{page.Version, w.Pos(r), "the page is the empty page of an application in a preview"}
	}
	if to := w.scriptRedirects[r.Facts.File]; to != "" {
		return &Verdict{page.Redirect, w.Pos(r), "a script leads to " + to}
	}
	s, name, below := w.VersionOf(r.Facts.File)
	if s == nil {
		return nil
	}
	listed := s.Name(name)
	switch {
	case listed != name:
		return &Verdict{page.Version, w.Pos(r), fmt.Sprintf("%s is another name of %s%s", name, listed, w.instead(s, listed, below))}
	case s.Folder(name) != nil && s.Folder(name).outdated:
		return &Verdict{page.NoIndex, w.Pos(r), "a script adds noindex to the pages of old versions"}
	case !w.Options.Versions.lists(s, name):
		return &Verdict{page.Version, w.Options.Versions.Pos, "versions: " + strings.Join(w.Options.Versions.Names, ", ") + w.instead(s, s.Latest, below)}
	}
	return nil
}

// InOtherVersion reports whether a page is in a preview, or in a version that is not listed.
func (w *World) InOtherVersion(r *Page) bool { return versionVerdict(w, r, nil) != nil }

// instead returns the text of a verdict that names the listed page of another version.
func (w *World) instead(s *VersionSet, name, below string) string {
	if loc := w.URLOf(s, name, below); loc != "" {
		return ": " + loc
	}
	return ""
}

// listedAlias returns the URL of the same page under the listed name of its version, or "" if the
// version has no other name.
func (w *World) listedAlias(file string) string {
	s, name, below := w.VersionOf(file)
	if s == nil || s.Name(name) == name {
		return ""
	}
	return w.URLOf(s, s.Name(name), below)
}

// URLOf returns the URL of the page at a path in a version, or "" if the version has no such page.
func (w *World) URLOf(s *VersionSet, name, below string) string {
	if i, ok := findFact(w.pages, path.Join(s.Parent, name, below)); ok {
		return w.pages[i].FileLoc
	}
	return ""
}

// maxNamedVersions is the maximum number of versions that a finding names.
const maxNamedVersions = 8

// joinVersions joins the names of versions for a message.
func joinVersions(names []string) string {
	switch {
	case len(names) == 0:
		return "no versions"
	case len(names) > maxNamedVersions:
		return strings.Join(names[:maxNamedVersions], ", ") + fmt.Sprintf(" and %d more", len(names)-maxNamedVersions)
	}
	return strings.Join(names, ", ")
}

// reportVersions reports versions that the settings name and the site does not have. It adds a
// note if the settings name none and several versions of one folder are listed.
func (l *linter) reportVersions() {
	choice, sets := l.o.Versions, l.World.Versions
	if len(choice.Names) == 0 {
		l.reportListedVersions(sets)
		return
	}
	var known []string
	for _, s := range sets {
		for _, f := range s.Folders {
			if s.Name(f.Name) == f.Name && len(known) <= maxNamedVersions && !slices.Contains(known, f.Name) {
				known = append(known, f.Name)
			}
		}
	}
	for _, name := range choice.Names {
		if name != "latest" && name != "all" && !slices.ContainsFunc(sets, func(s *VersionSet) bool { return s.Folder(name) != nil }) {
			l.findings.Add(diag.Warnf(choice.Pos, "unknown-version", "the site has "+joinVersions(known), "versions names %q, but the site has no such version", name))
		}
	}
}

// reportListedVersions adds a note about the first folder with several listed versions. The note
// counts the pages that the setting versions: latest lists.
func (l *linter) reportListedVersions(sets []*VersionSet) {
	latest, inLatest := VersionChoice{Names: []string{"latest"}}, 0
	listed := map[*VersionSet]map[string]bool{}
	for _, r := range l.List {
		s, name, _ := l.World.VersionOf(r.File())
		if s == nil || latest.lists(s, name) {
			inLatest++
		}
		if s == nil {
			continue
		}
		if listed[s] == nil {
			listed[s] = map[string]bool{}
		}
		listed[s][name] = true
	}
	i := slices.IndexFunc(sets, func(s *VersionSet) bool { return len(listed[s]) > 1 })
	if i < 0 {
		return
	}
	s := sets[i]
	var names []string
	for _, f := range s.Folders {
		if listed[s][f.Name] {
			names = append(names, f.Name)
		}
	}
	of, above := "of the site", "the top of the site"
	if s.Parent != "" {
		above = path.Join(l.o.Pages.Name, s.Parent)
		of = "in " + above
	}
	if listed[s][""] {
		names = append(names, "that in "+above)
	}
	l.findings.Add(diag.Notef(diag.Pos{}, "versions", fmt.Sprintf("versions: latest in sitemap.yaml lists %d of the %s; versions: all lists all, without this note", inLatest, diag.Count(len(l.List), "page")),
		"%s %s are listed: %s", diag.Count(len(names), "version"), of, joinVersions(names)))
}
