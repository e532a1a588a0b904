package site

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// versions reports versions that the settings name and the site does not have, and adds
// one note if several are listed and the settings do not say which are wanted.
func (l *linter) versions() {
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
