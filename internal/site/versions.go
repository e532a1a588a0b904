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
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/walker"
)

// A VersionChoice selects the versions of a site to list: "latest", "all", or names such as "v2".
// The zero VersionChoice selects all versions.
type VersionChoice struct {
	Names []string
	Pos   diag.Pos
}

// listsVersion reports whether the choice lists the version called name of the set s. The chosen
// name "latest" usually means the default version of s. However, it means the version called latest
// if s has such a version and further names are chosen. If s contains none of the chosen versions,
// the choice lists all versions of s.
func (v *VersionChoice) listsVersion(s *VersionSet, name string) bool {
	if slices.Contains(v.Names, "all") {
		return true
	}
	named := false
	for _, n := range v.Names {
		switch {
		case n == "latest" && (len(v.Names) == 1 || s.Folder(n) == nil):
			n = s.Default
		case s.Folder(n) == nil:
			continue
		}
		if named = true; s.listedName(n) == name {
			return true
		}
	}
	return !named
}

// findVersions sets w.Versions: the versions of the site, such as the folders v1/ and v2/ of
// documentation. For the versions in each parent folder, it also finds the names under which they
// are listed, and the default version.
func (w *World) findVersions(ctx context.Context) {
	w.Versions = findVersionSets(w.pageFiles(), w.pageFiles(page.Redirect), func(parent string) []string { return w.manifestFolders(ctx, parent) })
	w.versionsAt = make(map[string]*VersionSet, len(w.Versions))
	for _, s := range w.Versions {
		w.versionsAt[s.Parent] = s
	}
	for _, s := range w.Versions {
		s.redirect = s.versionOfRedirect(w.redirectTargetOf(ctx, path.Join(s.Parent, "index.html")))
		w.findAliases(ctx, s)
		s.Default = s.listedName(s.defaultVersion())
		w.markReleasesHiddenByScript(ctx, s)
	}
}

// pageFiles returns an iterator over the paths of the page files, sorted. It skips files that are not
// HTML, files that are only a part of a page, and files whose own reason is in others.
func (w *World) pageFiles(others ...page.Reason) iter.Seq[string] {
	skipped := append(others, page.Fragment, page.NotHTML)
	return func(yield func(string) bool) {
		for _, f := range w.pages {
			if f.File != "" && !slices.Contains(skipped, f.OwnReason) && !yield(f.File) {
				return
			}
		}
	}
}

// markReleasesHiddenByScript sets hiddenByScript of the old releases in s whose home page contains
// the script of Documenter.jl for outdated releases. This script adds noindex to the pages of the
// release.
func (w *World) markReleasesHiddenByScript(ctx context.Context, s *VersionSet) {
	newest := ""
	for _, f := range s.Folders { // the newest first
		if f.kind == unnumbered || f.kind == prerelease && newest == "" {
			continue
		}
		newest = cmp.Or(newest, f.Name)
		home := w.readFile(ctx, path.Join(s.Parent, f.Name, "index.html"))
		f.hiddenByScript = f.Name != newest && bytes.Contains(home, []byte("data-outdated-warner"))
	}
}

// versionOf returns the set of versions that contains the page file, the name of its version, and
// its path in that version. name is "" if the version is the parent folder; see
// VersionSet.ParentIsVersion. set is nil if the page is in no version.
func (w *World) versionOf(file string) (set *VersionSet, name, below string) {
	if len(w.versionsAt) == 0 {
		return nil, "", ""
	}
	for at := 0; ; {
		rest := file[at:]
		first, inner, deep := strings.Cut(rest, "/")
		if s := w.versionsAt[strings.TrimSuffix(file[:at], "/")]; s != nil {
			if deep && s.Folder(first) != nil {
				return s, first, inner
			}
			if s.ParentIsVersion {
				set, name, below = s, "", rest
			}
		}
		if !deep {
			return set, name, below
		}
		at += len(first) + 1
	}
}

// readFile returns the content of a file in the publish directory, but at most the first
// page.MaxBytes bytes. It returns nil if the file cannot be read.
func (w *World) readFile(ctx context.Context, file string) []byte {
	return w.readFileHead(ctx, file, page.MaxBytes)
}

// readFileHead is like readFile, but returns at most the first maxBytes bytes.
func (w *World) readFileHead(ctx context.Context, file string, maxBytes int64) (src []byte) {
	w.Options.Pages.VisitFile(ctx, file, func(f *walker.File) {
		src, _ = io.ReadAll(io.LimitReader(f, maxBytes))
	})
	return src
}

// maxVersionList is the maximum number of bytes of a file that lists versions.
const maxVersionList = 1 << 20

// readVersionList returns the content of a file that lists versions. It returns nil if the file
// cannot be read. If the file is larger than maxVersionList, it reports the file and returns nil.
func (w *World) readVersionList(ctx context.Context, file string) []byte {
	src := w.readFileHead(ctx, file, maxVersionList+1)
	if len(src) <= maxVersionList {
		return src
	}
	w.findings.Warnf(diag.Pos{File: w.Options.Pages.DisplayName(file)}, "oversized", "keep it shorter", "it is not read, because it is larger than %d MiB", maxVersionList>>20)
	return nil
}

// readSymlink returns the target of dir, a symbolic link in the publish directory. The target is as
// written in the link. readSymlink returns "" if dir is not a symbolic link.
func (w *World) readSymlink(dir string) string {
	if w.Options.Pages.Dir == "" {
		return ""
	}
	to, _ := os.Readlink(w.Options.Pages.Path(dir))
	return to
}

// redirectTargetOf returns the address to which the page file redirects, as written in the page,
// such as "latest/". It returns "" if the page does not redirect.
func (w *World) redirectTargetOf(ctx context.Context, file string) string {
	i, ok := findPageFacts(w.pages, file)
	if !ok || w.pages[i].OwnReason != page.Redirect {
		return ""
	}
	r, _ := w.Facts.ReadDetails(ctx, file)
	return r.Facts.Refresh
}

// linksOutsideVersions returns the URL paths in the links of pages outside the folders of s. It
// reads at most maxSample such pages, and only pages that their own files do not exclude. It stops
// if the pages tree cannot be searched, or if ctx has ended.
func (w *World) linksOutsideVersions(ctx context.Context, s *VersionSet) (paths []string) {
	sampled := 0
	for _, f := range w.pages {
		if set, name, _ := w.versionOf(f.File); f.OwnReason != page.Listed || set == s && name != "" {
			continue
		}
		if sampled++; sampled > maxSample {
			break
		}
		links, err := w.Facts.LinkPaths(ctx, f)
		if err != nil {
			break
		}
		paths = append(paths, links...)
	}
	return paths
}

// findRedirectingCanonicals sets w.redirectingCanonicals: the pages whose canonical link names a
// page that redirects back to them. An example is the home page of documentation, which redirects
// to the latest version.
func (w *World) findRedirectingCanonicals(ctx context.Context) {
	redirects := map[string]int{} // by URL: the index of the page in w.pages
	for i, f := range w.pages {
		if f.OwnReason == page.Redirect {
			redirects[f.FileLoc] = i
		}
	}
	w.redirectingCanonicals = map[string]string{}
	for _, f := range w.pages {
		if f.Rare().Canonical == "" {
			continue
		}
		i, ok := redirects[f.Rare().Canonical]
		if !ok {
			continue
		}
		from := w.pages[i]
		to, err := w.Parts[from.Part].Base.Resolve(w.redirectTargetOf(ctx, from.File), from.FileLoc, "")
		if err == nil && mapping.SpellingKey(to) == mapping.SpellingKey(f.FileLoc) {
			w.redirectingCanonicals[f.File] = from.File
		}
	}
}

// redirectsTo reports whether the page p is left out because it redirects to the page to. Either p
// itself or a rule of the host redirects.
func (w *World) redirectsTo(p, to *Page) bool {
	if p.Reason() != page.Redirect {
		return false
	}
	if w.redirectingCanonicals[to.Facts.File] == p.Facts.File {
		return true
	}
	v, ok := w.PartOf(p).Hosting.OverridingRule(w.URLPath(p), w.PartOf(p).Exists)
	return ok && mapping.SpellingKey(v.To) == mapping.SpellingKey(w.URLPath(to))
}

// versionExclusion returns the exclusion of a page in the preview of a pull request, in a version
// that is not listed, or in a version that is listed under another name. It also excludes the empty
// page of an application in the preview of a branch, and an old release in which a script adds
// noindex. It returns nil for other pages.
func versionExclusion(w *World, p *Page, _ *clock) *Exclusion {
	if p.Facts.File == "" || w.Options.Pages == nil {
		return nil
	}
	if folder := previewFolder(p.Facts.File); folder != "" {
		return &Exclusion{page.Version, w.Pos(p), folder + " is the preview of a pull request"}
	}
	if p.Facts.Rare().Shell && page.IsInPreview(p.Facts.File) {
		return &Exclusion{page.Version, w.Pos(p), "the page is the empty page of an application in a preview"}
	}
	s, name, below := w.versionOf(p.Facts.File)
	if s == nil {
		return nil
	}
	listed := s.listedName(name)
	switch {
	case listed != name:
		return &Exclusion{page.Version, w.Pos(p), w.appendURLInVersion(name+" is another name of "+listed, s, listed, below)}
	case s.Folder(name) != nil && s.Folder(name).hiddenByScript:
		return &Exclusion{page.NoIndex, w.Pos(p), "a script adds noindex to the pages of old versions"}
	case !w.Options.Versions.listsVersion(s, name):
		return &Exclusion{page.Version, w.Options.Versions.Pos, w.appendURLInVersion("versions: "+strings.Join(w.Options.Versions.Names, ", "), s, s.Default, below)}
	}
	return nil
}

// appendURLInVersion returns text, a colon and the URL of a page in the given version of s, such as
// "v2 is another name of stable: https://example.com/stable/a/". below is the path of the page's
// file in the folder of the version. appendURLInVersion returns text unchanged if that version has
// no such page.
func (w *World) appendURLInVersion(text string, s *VersionSet, version, below string) string {
	if loc := w.urlInVersion(s, version, below); loc != "" {
		return text + ": " + loc
	}
	return text
}

// urlUnderListedName returns the URL of the same page in the version folder that is listed instead,
// such as /stable/a/ for the page file v2/a/index.html. It returns "" if the page is in no version,
// if its version is listed under its own name, or if the listed folder has no such page.
func (w *World) urlUnderListedName(file string) string {
	s, name, below := w.versionOf(file)
	if s == nil || s.listedName(name) == name {
		return ""
	}
	return w.urlInVersion(s, s.listedName(name), below)
}

// urlInVersion returns the URL of a page in one of the versions of s. version is the name of its
// folder, and below is the path of the page's file in that folder. The result is "" if there is no
// such page, or if the page has no valid URL.
func (w *World) urlInVersion(s *VersionSet, version, below string) string {
	if i, ok := findPageFacts(w.pages, path.Join(s.Parent, version, below)); ok {
		return w.pages[i].FileLoc
	}
	return ""
}

// maxNamedVersions is the maximum number of versions that a finding lists by name.
const maxNamedVersions = 8

// formatVersions returns a list of versions for a message, such as "1.0, 2.0" or "no versions".
func formatVersions(names []string) string {
	switch {
	case len(names) == 0:
		return "no versions"
	case len(names) > maxNamedVersions:
		return strings.Join(names[:maxNamedVersions], ", ") + fmt.Sprintf(" and %d more", len(names)-maxNamedVersions)
	}
	return strings.Join(names, ", ")
}

// reportVersions reports names in the setting "versions" that are not versions of the site. If the
// setting is missing, it calls reportListedVersions.
func (l *linter) reportVersions() {
	choice, sets := l.o.Versions, l.World.Versions
	if len(choice.Names) == 0 {
		l.reportListedVersions(sets)
		return
	}
	var known []string
	for _, s := range sets {
		for _, f := range s.Folders {
			if s.listedName(f.Name) == f.Name && len(known) <= maxNamedVersions && !slices.Contains(known, f.Name) {
				known = append(known, f.Name)
			}
		}
	}
	for _, name := range choice.Names {
		if name != "latest" && name != "all" && !slices.ContainsFunc(sets, func(s *VersionSet) bool { return s.Folder(name) != nil }) {
			l.findings.Add(diag.Warnf(choice.Pos, "unknown-version", "the site has "+formatVersions(known), "versions names %q, but the site has no such version", name))
		}
	}
}

// reportListedVersions adds a note if several versions in one folder are listed. Its advice tells
// how many pages the setting "versions: latest" would list.
func (l *linter) reportListedVersions(sets []*VersionSet) {
	latest, inLatest := VersionChoice{Names: []string{"latest"}}, 0
	listed := map[*VersionSet]map[string]bool{}
	for _, p := range l.List {
		s, name, _ := l.World.versionOf(p.File())
		if s == nil || latest.listsVersion(s, name) {
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
		"%s %s are listed: %s", diag.Count(len(names), "version"), of, formatVersions(names)))
}
