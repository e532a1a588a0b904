package site

import (
	"bytes"
	"context"
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/mapping"
)

// listedVersions matches the list of versions in a script by Documenter.jl: DOC_VERSIONS =
// ["stable", "v1.2"]. quotedString matches one version in the list.
var (
	listedVersions = regexp.MustCompile(`DOC_VERSIONS\s*=\s*\[([^\]]*)\]`)
	quotedString   = regexp.MustCompile(`"([^"]+)"`)
)

// manifestFolders returns the names of version folders from the manifests in the folder parent. It
// reads the manifests of mike and Documenter.jl, and the switcher.json of Sphinx themes, whose
// entries may be URLs.
func (w *World) manifestFolders(ctx context.Context, parent string) (names []string) {
	var mike []struct {
		Version string
		Aliases []string
	}
	if json.Unmarshal(w.readVersionList(ctx, path.Join(parent, "versions.json")), &mike) == nil {
		for _, v := range mike {
			names = append(append(names, v.Version), v.Aliases...)
		}
	}
	for _, file := range []string{"switcher.json", "_static/switcher.json"} {
		var switcher []struct{ Version, URL string }
		if json.Unmarshal(w.readVersionList(ctx, path.Join(parent, file)), &switcher) == nil {
			for _, v := range switcher {
				names = append(names, v.Version, path.Base(mapping.PathOf(v.URL)))
			}
		}
	}
	if m := listedVersions.FindSubmatch(w.readVersionList(ctx, path.Join(parent, "versions.js"))); m != nil {
		for _, name := range quotedString.FindAllSubmatch(m[1], -1) {
			names = append(names, string(name[1]))
		}
	}
	return names
}

// versionOfRedirect returns the name of the version to which the home page of the parent folder
// redirects, or "". to is the address as written in the page, such as "latest/".
func (v *VersionSet) versionOfRedirect(to string) string {
	to = strings.TrimPrefix(to, "./")
	if name, _, _ := strings.Cut(to, "/"); v.Folder(name) != nil {
		return name
	}
	return v.versionInURL(to)
}

// defaultVersion returns the name of the version that visitors see first, or "" for the parent
// folder. It is the version to which the parent folder redirects, or else the parent folder if that
// is a version. Otherwise it is the version called stable, latest or current, or the newest release
// without prereleases, or the newest folder, in this order.
func (v *VersionSet) defaultVersion() string {
	if v.redirect != "" || v.ParentIsVersion {
		return v.redirect
	}
	if name := v.publishedName(); name != "" {
		return name
	}
	for _, f := range v.Folders { // the newest first
		if f.kind == release {
			return f.Name
		}
	}
	return v.Folders[0].Name
}

// findAliases sets v.alias for versions with the same pages, such as v2 and stable. It lists
// them under the name that is used most in canonical links and in links from pages outside of the
// versions. If the links do not decide, it uses the name to which the parent folder redirects.
func (w *World) findAliases(ctx context.Context, v *VersionSet) {
	same := w.findDuplicateFolders(ctx, v)
	if len(same) == 0 {
		return
	}
	original := func(name string) string {
		for n := 0; same[name] != "" && n < len(v.Folders); n++ {
			name = same[name]
		}
		return name
	}
	votes := map[[2]string]int{{original(v.redirect), v.redirect}: 1} // by original and name
	for _, f := range w.pages {
		if f.Rare().Canonical == "" {
			continue
		}
		if s, name, _ := w.versionOf(f.File); s == v {
			votes[[2]string{original(name), v.versionInURL(f.Rare().Canonical)}] += 2
		}
	}
	for _, urlPath := range w.linksOutsideVersions(ctx, v) {
		name := v.versionInURL(urlPath)
		votes[[2]string{original(name), name}] += 2
	}
	best := map[string]string{} // by original
	for _, f := range v.Folders {
		of := original(f.Name)
		if best[of] == "" {
			best[of] = of
		}
		if votes[[2]string{of, f.Name}] > votes[[2]string{of, best[of]}] {
			best[of] = f.Name
		}
	}
	v.alias = map[string]string{}
	for _, f := range v.Folders {
		if name := best[original(f.Name)]; name != f.Name {
			v.alias[f.Name] = name
		}
	}
}

// findDuplicateFolders returns the folders that are a symbolic link to another version, or a copy
// of it. It looks for copies only if one of the two folders has a moving name such as latest. The
// result maps the name of each folder to the name of the other version.
func (w *World) findDuplicateFolders(ctx context.Context, v *VersionSet) map[string]string {
	same := map[string]string{}
	for _, f := range v.Folders {
		to := path.Clean(strings.ReplaceAll(w.readSymlink(path.Join(v.Parent, f.Name)), `\`, "/"))
		if v.Folder(to) != nil {
			same[f.Name] = to
		}
	}
	for i, moving := range v.Folders {
		if !isMovingName(moving.Name) {
			continue
		}
		for j := range v.Folders {
			first, later := v.Folders[min(i, j)], v.Folders[max(i, j)]
			if i != j && same[later.Name] == "" && same[first.Name] != later.Name && w.areCopies(ctx, v.Parent, later, first) {
				same[later.Name] = first.Name
			}
		}
	}
	return same
}

// areCopies reports whether two folders in parent contain the same pages with the same bytes.
func (w *World) areCopies(ctx context.Context, parent string, a, b *VersionFolder) bool {
	return slices.Equal(a.Pages, b.Pages) && !slices.ContainsFunc(a.Pages, func(page string) bool {
		one := w.readFile(ctx, path.Join(parent, a.Name, page))
		return one == nil || !bytes.Equal(one, w.readFile(ctx, path.Join(parent, b.Name, page)))
	})
}

// versionInURL returns the name of the version in the path of loc, a URL or a URL path, such as
// "v2" in /project/docs/v2/a.html for the parent folder docs. It returns "" if there is none. The
// parent folder may be anywhere in the path, because the base URL is unknown here.
func (v *VersionSet) versionInURL(loc string) string {
	urlPath, _, _ := strings.Cut(loc, "?")
	if strings.Contains(urlPath, "://") {
		urlPath = mapping.PathOf(urlPath)
	}
	if v.Parent != "" {
		_, rest, ok := strings.Cut("/"+urlPath, "/"+v.Parent+"/")
		name, _, _ := strings.Cut(rest, "/")
		if !ok || v.Folder(name) == nil {
			return ""
		}
		return name
	}
	for name := range strings.SplitSeq(urlPath, "/") {
		if v.Folder(name) != nil {
			return name
		}
	}
	return ""
}

// listedName returns the name under which the version called name is listed. This is usually name
// itself. If several folders contain the same pages, such as v2 and stable, only one of their names
// is listed; see findAliases.
func (v *VersionSet) listedName(name string) string {
	if to, ok := v.alias[name]; ok {
		return to
	}
	return name
}
