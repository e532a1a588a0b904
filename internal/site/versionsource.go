package site

import (
	"bytes"
	"encoding/json"
	"iter"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/mapping"
)

// A versionSource reads the files of a site in order to find its versions. Paths are relative to
// the publish directory.
type versionSource struct {
	Pages      iter.Seq[string]             // yields the files of pages, sorted
	Canonicals iter.Seq2[string, string]    // yields the file and the canonical link of each page that has one
	Read       func(file string) []byte     // returns the content of a file, or nil
	List       func(file string) []byte     // returns the content of a file that lists versions, or nil
	Symlink    func(folder string) string   // returns the target of a folder that is a symbolic link, or ""
	Redirect   func(page string) string     // returns the address to which a page redirects, or ""
	Links      func(s *VersionSet) []string // returns the URL paths to which pages outside of the versions link
}

// A versionLink is the canonical link loc of a page in the version called name.
type versionLink struct{ name, loc string }

func versionsByParent(sets []*VersionSet) map[string]*VersionSet {
	byParent := make(map[string]*VersionSet, len(sets))
	for _, s := range sets {
		byParent[s.Parent] = s
	}
	return byParent
}

// resolveVersionSets finds the versions of a site. For the versions in each parent folder, it also
// finds the names under which they are listed, and the default version.
func resolveVersionSets(src *versionSource) []*VersionSet {
	sets := findVersionSets(src.Pages, src.manifestFolders)
	byParent := versionsByParent(sets)
	canonicals := map[*VersionSet][]versionLink{}
	for page, loc := range src.Canonicals {
		if s, name, _ := versionOf(byParent, page); s != nil {
			canonicals[s] = append(canonicals[s], versionLink{name, loc})
		}
	}
	for _, s := range sets {
		s.redirect = s.redirectTargetVersion(src)
		s.findAliases(src, canonicals[s])
		s.Default = s.ListedName(s.findDefaultFolder())
	}
	return sets
}

// listedVersions matches the list of versions in a script by Documenter.jl: DOC_VERSIONS =
// ["stable", "v1.2"]. quotedString matches one version in the list.
var (
	listedVersions = regexp.MustCompile(`DOC_VERSIONS\s*=\s*\[([^\]]*)\]`)
	quotedString   = regexp.MustCompile(`"([^"]+)"`)
)

// manifestFolders returns the names of version folders from the manifests in the folder parent. It
// reads the manifests of mike and Documenter.jl, and the switcher.json of Sphinx themes, whose
// entries may be URLs.
func (src *versionSource) manifestFolders(parent string) (names []string) {
	var mike []struct {
		Version string
		Aliases []string
	}
	if json.Unmarshal(src.List(path.Join(parent, "versions.json")), &mike) == nil {
		for _, v := range mike {
			names = append(append(names, v.Version), v.Aliases...)
		}
	}
	for _, file := range []string{"switcher.json", "_static/switcher.json"} {
		var switcher []struct{ Version, URL string }
		if json.Unmarshal(src.List(path.Join(parent, file)), &switcher) == nil {
			for _, v := range switcher {
				names = append(names, v.Version, path.Base(mapping.PathOf(v.URL)))
			}
		}
	}
	if m := listedVersions.FindSubmatch(src.List(path.Join(parent, "versions.js"))); m != nil {
		for _, name := range quotedString.FindAllSubmatch(m[1], -1) {
			names = append(names, string(name[1]))
		}
	}
	return names
}

// redirectTargetVersion returns the name of the version to which the home page of the parent folder
// redirects, or "".
func (v *VersionSet) redirectTargetVersion(src *versionSource) string {
	to := strings.TrimPrefix(src.Redirect(path.Join(v.Parent, "index.html")), "./")
	if name, _, _ := strings.Cut(to, "/"); v.Folder(name) != nil {
		return name
	}
	return v.versionInURL(to)
}

// findDefaultFolder returns the name of the version that visitors see first, or "" for the parent
// folder. It is the version to which the parent folder redirects, or else the parent folder if that
// is a version. Otherwise it is the version called stable, latest or current, or the newest release
// without prereleases, or the newest folder, in this order.
func (v *VersionSet) findDefaultFolder() string {
	if v.redirect != "" || v.Own {
		return v.redirect
	}
	for _, name := range []string{"stable", "latest", "current"} {
		if v.Folder(name) != nil {
			return name
		}
	}
	for _, f := range v.Folders { // the newest first
		if isReleaseName(f.Name) && !isPrereleaseName(f.Name) {
			return f.Name
		}
	}
	return v.Folders[0].Name
}

// findAliases sets v.alias for versions with the same pages, such as v2 and stable. It chooses the
// name that is used most in canonical links and in links from pages outside of the versions. If the
// links do not decide, it chooses the name to which the parent folder redirects.
func (v *VersionSet) findAliases(src *versionSource, canonicals []versionLink) {
	same := v.findDuplicateFolders(src)
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
	for _, c := range canonicals {
		votes[[2]string{original(c.name), v.versionInURL(c.loc)}] += 2
	}
	for _, urlPath := range src.Links(v) {
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
func (v *VersionSet) findDuplicateFolders(src *versionSource) map[string]string {
	same := map[string]string{}
	for _, f := range v.Folders {
		to := path.Clean(strings.ReplaceAll(src.Symlink(path.Join(v.Parent, f.Name)), `\`, "/"))
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
			if i != j && same[later.Name] == "" && same[first.Name] != later.Name && v.areCopies(src, later, first) {
				same[later.Name] = first.Name
			}
		}
	}
	return same
}

// areCopies reports whether two folders contain the same pages with the same bytes.
func (v *VersionSet) areCopies(src *versionSource, a, b *VersionFolder) bool {
	return slices.Equal(a.Pages, b.Pages) && !slices.ContainsFunc(a.Pages, func(page string) bool {
		one := src.Read(path.Join(v.Parent, a.Name, page))
		return one == nil || !bytes.Equal(one, src.Read(path.Join(v.Parent, b.Name, page)))
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

// ListedName returns the name under which the version called name is listed. This is name itself,
// unless folders with other names contain the same pages.
func (v *VersionSet) ListedName(name string) string {
	if to, ok := v.alias[name]; ok {
		return to
	}
	return name
}

// versionOf returns the set of versions that contains a page, the name of its version, and its path
// in that version. sets contains the version sets by their parent folders. name is "" for a page of
// the parent folder. set is nil if the page is in no version.
func versionOf(sets map[string]*VersionSet, page string) (set *VersionSet, name, below string) {
	if len(sets) == 0 {
		return nil, "", ""
	}
	for at := 0; ; {
		rest := page[at:]
		first, inner, deep := strings.Cut(rest, "/")
		if s := sets[strings.TrimSuffix(page[:at], "/")]; s != nil {
			if deep && s.Folder(first) != nil {
				return s, first, inner
			}
			if s.Own {
				set, name, below = s, "", rest
			}
		}
		if !deep {
			return set, name, below
		}
		at += len(first) + 1
	}
}
