package site

import (
	"cmp"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxVersionDepth is the maximum number of folders in a page's path that splitVersion checks for
// the name of a version.
const maxVersionDepth = 6

// maxNeighbors is the maximum number of other releases with which a release is compared. A folder
// may contain thousands of releases, and neighboring releases have the most pages in common.
const maxNeighbors = 8

// A VersionFolder contains the pages of one version.
type VersionFolder struct {
	Name  string
	Pages []string // page files relative to the folder, sorted

	kind           versionKind
	numbers        []int // numbers in the name of the release: 1, 2 for "1.2"
	hiddenByScript bool  // a script in the pages of the version adds noindex
}

// A versionKind classifies the names of versions. Of two versions with the same numbers, the
// version with the higher kind is newer.
type versionKind int

const (
	unnumbered versionKind = iota // a name that is not a release number, such as latest
	prerelease                    // also a release with a suffix after a hyphen, such as 2.8-lts
	release
)

func newVersionFolder(name string) *VersionFolder {
	kind, numbers := parseVersionName(name)
	return &VersionFolder{Name: name, kind: kind, numbers: numbers}
}

// compareAge orders versions by age. It returns a negative number if v is older than other.
func (v *VersionFolder) compareAge(other *VersionFolder) int {
	return cmp.Or(slices.Compare(v.numbers, other.numbers), cmp.Compare(v.kind, other.kind), cmp.Compare(v.Name, other.Name))
}

// A VersionSet contains the versions of a site that are in the same parent folder.
type VersionSet struct {
	Parent  string           // path below the publish directory; "" is the publish directory itself
	Folders []*VersionFolder // folders of the versions, the newest release first
	// ParentIsVersion reports whether the parent folder is itself a version, as in Docusaurus. One
	// of the newest versions must have pages in common with it; see sharesPages.
	ParentIsVersion bool
	// Default is the name of the version that visitors see first. It is "" for the parent folder.
	Default string

	redirect    string            // the version to which the parent folder redirects, or ""
	alias       map[string]string // from the name of a version to the name under which it is listed, if they differ
	byName      map[string]*VersionFolder
	parentPages []string // pages of the parent folder that are in no version, relative to that folder
}

// Folder returns the folder of a version, or nil if the set has no version of that name.
func (v *VersionSet) Folder(name string) *VersionFolder { return v.byName[name] }

// findVersionSets finds the versions of a site. pages yields its page files, sorted. nonRedirects
// yields those that do not redirect: a page that redirects into a version does not make the parent
// folder a version. manifestFolders(parent) returns the version folders that a manifest such as
// versions.json in the folder parent lists. A manifest at the top of the site can list folders of
// any name. In another folder, a manifest only confirms that the folders with names such as v1.2 are
// versions.
func findVersionSets(pages, nonRedirects iter.Seq[string], manifestFolders func(parent string) []string) []*VersionSet {
	top := map[string]bool{}
	for _, name := range manifestFolders("") {
		top[name] = true
	}
	sets := map[string]*VersionSet{}
	var order []*VersionSet
	for page := range pages {
		parent, name, below := splitVersion(page, top)
		if name == "" {
			continue
		}
		s := sets[parent]
		if s == nil {
			s = &VersionSet{Parent: parent, byName: map[string]*VersionFolder{}}
			sets[parent] = s
			order = append(order, s)
		}
		s.addPage(name, below)
	}
	if len(order) == 0 {
		return nil
	}
	for _, s := range order {
		slices.SortFunc(s.Folders, func(a, b *VersionFolder) int { return -a.compareAge(b) })
		if len(top) == 0 {
			s.removeUnrelatedNumbers()
		}
	}
	for page := range nonRedirects {
		addPageToParents(sets, page)
	}
	var found []*VersionSet
	for _, s := range order {
		s.ParentIsVersion = sharesPages(s.parentPages, s.Folders[:min(maxNeighbors, len(s.Folders))], 2)
		listed := len(top) > 0
		if s.Parent != "" {
			listed = !s.isAmbiguous() && len(manifestFolders(s.Parent)) > 0
		}
		if s.hasRealVersions(listed) {
			found = append(found, s)
		}
	}
	return found
}

// splitVersion splits the path of a page at its first folder that may be a version:
// "docs/v1.2/a.html" into the parent folder "docs", the name "v1.2" and the path "a.html" below it.
// name is "" if there is no such folder. top contains folders at the top of the site that are
// versions whatever their names are.
func splitVersion(page string, top map[string]bool) (parent, name, below string) {
	at := 0
	for range maxVersionDepth {
		folder, rest, ok := strings.Cut(page[at:], "/")
		if !ok {
			break
		}
		if mayBeVersionName(folder) || at == 0 && top[folder] {
			return strings.TrimSuffix(page[:at], "/"), folder, rest
		}
		at += len(folder) + 1
	}
	return "", "", ""
}

// addPage adds a page to the version called name, and creates the version if necessary. below is
// the path of the page in the version.
func (v *VersionSet) addPage(name, below string) {
	f := v.byName[name]
	if f == nil {
		f = newVersionFolder(name)
		v.byName[name] = f
		v.Folders = append(v.Folders, f)
	}
	f.Pages = append(f.Pages, below)
}

// addPageToParents adds a page to the set of each folder that contains the page. In each set, it
// becomes a page outside of the versions. addPageToParents stops at the folder of a version,
// because all pages in that folder belong to the version.
func addPageToParents(sets map[string]*VersionSet, page string) {
	for at, n := 0, 0; n <= maxVersionDepth; n++ {
		below := page[at:]
		first, _, deep := strings.Cut(below, "/")
		if s := sets[strings.TrimSuffix(page[:at], "/")]; s != nil {
			if s.byName[first] != nil {
				return
			}
			s.parentPages = append(s.parentPages, below)
		}
		if !deep {
			return
		}
		at += len(first) + 1
	}
}

// removeUnrelatedNumbers removes the folders whose names are ambiguous, such as "2024", and that have
// no pages in common with a folder whose name is not ambiguous, such as v2: they are probably years
// of a blog beside the versions. It compares each folder with at most 2*maxNeighbors others.
func (v *VersionSet) removeUnrelatedNumbers() {
	others := slices.DeleteFunc(slices.Clone(v.Folders), func(f *VersionFolder) bool { return hasOnlyDigitsAndHyphens(f.Name) })
	if len(others) == 0 {
		return
	}
	v.Folders = slices.DeleteFunc(v.Folders, func(f *VersionFolder) bool {
		at, _ := slices.BinarySearchFunc(others, f, func(a, b *VersionFolder) int { return -a.compareAge(b) })
		near := others[max(0, at-maxNeighbors):min(len(others), at+maxNeighbors)]
		if !hasOnlyDigitsAndHyphens(f.Name) || sharesPages(f.Pages, near, 1) {
			return false
		}
		delete(v.byName, f.Name)
		return true
	})
}

// isAmbiguous reports whether every name in the set may also be a year, a month or a page number,
// such as "2024".
func (v *VersionSet) isAmbiguous() bool {
	return !slices.ContainsFunc(v.Folders, func(f *VersionFolder) bool { return !hasOnlyDigitsAndHyphens(f.Name) })
}

// hasRealVersions reports whether the folders of the set are really versions of the same pages. For
// example, folders called 2023 and 2024 may be years of a blog. inManifest tells that a manifest
// lists the folders.
func (v *VersionSet) hasRealVersions(inManifest bool) bool {
	if inManifest {
		return len(v.Folders) > 1 || v.ParentIsVersion
	}
	hasRelease := slices.ContainsFunc(v.Folders, func(f *VersionFolder) bool { return f.kind != unnumbered })
	switch {
	case v.isAmbiguous():
		return false
	case !hasRelease && v.publishedName() == "":
		return v.ParentIsVersion && v.Folder("next") != nil // Docusaurus, before its first release
	}
	return v.ParentIsVersion || len(v.Folders) > 1 && v.hasCommonPages()
}

// publishedName returns the first of the names stable, latest and current that is a version in the
// set. It returns "" if there is none.
func (v *VersionSet) publishedName() string {
	for _, name := range []string{"stable", "latest", "current"} {
		if v.Folder(name) != nil {
			return name
		}
	}
	return ""
}

// hasCommonPages reports whether a folder in the set has pages in common with one of the
// maxNeighbors folders before it; see sharesPages.
func (v *VersionSet) hasCommonPages() bool {
	for i, f := range v.Folders {
		if i > 0 && sharesPages(f.Pages, v.Folders[max(0, i-maxNeighbors):i], 1) {
			return true
		}
	}
	return false
}

// sharesPages reports whether one of the folders has pages in common with the list pages. Common
// pages have the same path. There must be at least minCount of them. They must also be at least a
// third of the shorter list: pages, or the pages of the folder.
func sharesPages(pages []string, folders []*VersionFolder, minCount int) bool {
	for _, f := range folders {
		n := 0
		for _, p := range pages {
			if _, ok := slices.BinarySearch(f.Pages, p); ok {
				n++
			}
		}
		if n >= minCount && 3*n >= min(len(pages), len(f.Pages)) {
			return true
		}
	}
	return false
}

// previewPath matches the path of a page in the preview of a pull request, such as
// previews/PR12/index.html or pr-preview/pr-12/index.html.
var previewPath = regexp.MustCompile(`^((?:.*?/)??(?:pr-)?previews?/(?i:pr)[-_]*[0-9]+)/.`)

// previewFolder returns the folder of the pull request preview that contains a page, such as
// "previews/PR12". It returns "" if the page is in no preview.
func previewFolder(page string) string {
	if !strings.Contains(page, "preview") { // the regular expression is slow, and few pages match
		return ""
	}
	if m := previewPath.FindStringSubmatch(page); m != nil {
		return m[1]
	}
	return ""
}

// releaseName matches the name of a release, such as 1.2, v1.2.3, 2.x, 1.0.0-beta.2, 2.1rc1 or
// 2.8-lts. It does not match titles such as 3.16-announcement.
var releaseName = regexp.MustCompile(`^[vV]?(\d+)((?:[._](?:\d+|[xX]))*)(?:[-._+]?((?:a|b|c|rc|alpha|beta|pre|preview|dev|snapshot|m)[-._]?\d*(?:[-._+].*)?)|\+[0-9A-Za-z.+-]+|-(?:[\d.-]+(?:-g[0-9a-f]+)?|final|ga|lts|stable|legacy|incubating))?$`)

// movingNames lists names of versions whose pages are replaced from time to time.
var movingNames = []string{
	"latest", "stable", "current", "dev", "devel", "develop", "development", "main", "master", "next", "nightly", "pre-release", "unstable", "canary", "edge", "trunk", "head",
}

// parseVersionName returns the kind of the version called name, and the numbers in the name of a
// release, such as 1 and 2 for "v1.2". Release names may begin with "release-". The letter x, as in
// "2.x", counts as a very high number. For other names, kind is unnumbered, and numbers is nil.
func parseVersionName(name string) (kind versionKind, numbers []int) {
	name = strings.TrimPrefix(strings.ToLower(name), "release-")
	if at := strings.IndexAny(name, "0123456789"); at < 0 || at > 1 { // names of most folders, which would be slow to match
		return unnumbered, nil
	}
	m := releaseName.FindStringSubmatch(name)
	if m == nil {
		return unnumbered, nil
	}
	for part := range strings.FieldsFuncSeq(m[1]+m[2], func(r rune) bool { return r == '.' || r == '_' }) {
		n, err := strconv.Atoi(part)
		if err != nil {
			n = 1 << 30
		}
		numbers = append(numbers, n)
	}
	if m[3] != "" || strings.Contains(name, "-") {
		return prerelease, numbers
	}
	return release, numbers
}

// isMovingName reports whether name, in any case, is one of movingNames, such as latest or dev.
func isMovingName(name string) bool {
	return slices.Contains(movingNames, strings.ToLower(name))
}

// mayBeVersionName reports whether a folder called name may be a version: a release, such as v1.2 or
// release-1, or a name such as latest.
func mayBeVersionName(name string) bool {
	kind, _ := parseVersionName(name)
	return len(name) <= 40 && (kind != unnumbered || isMovingName(name))
}

// IsVersionName reports whether name is the name of a version, such as v1.2, release-1 or latest.
// It returns false for a number or a date, which may also be a year or a page number.
func IsVersionName(name string) bool {
	return mayBeVersionName(name) && !hasOnlyDigitsAndHyphens(name)
}

// hasOnlyDigitsAndHyphens reports whether name consists of digits and hyphens, such as 2024 or
// 2024-05. Such a name may be a year, a date or a page number instead of a version.
func hasOnlyDigitsAndHyphens(name string) bool {
	_, err := strconv.Atoi(strings.ReplaceAll(name, "-", ""))
	return err == nil
}
