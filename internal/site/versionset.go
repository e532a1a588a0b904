package site

import (
	"cmp"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxVersionDepth is the maximum number of folders in a page's path that are checked for the name
// of a version.
const maxVersionDepth = 6

// maxNeighbors is the maximum number of releases with which one release is compared. A folder may
// contain thousands of releases, and neighboring releases have the most pages in common.
const maxNeighbors = 8

// A VersionFolder contains the pages of one version.
type VersionFolder struct {
	Name  string
	Pages []string // page files relative to the folder, sorted

	numbers  []int // numbers in the name of the release: 1, 2 for "1.2"
	rank     int   // 0 for a prerelease, 1 for a release
	outdated bool  // a script in the pages of the version adds noindex
}

func newVersionFolder(name string) *VersionFolder {
	return &VersionFolder{Name: name, numbers: releaseNumbers(name), rank: releaseRank(name)}
}

// compare orders versions from the oldest release to the newest. It returns a negative number if f
// is older than other.
func (v *VersionFolder) compare(other *VersionFolder) int {
	return cmp.Or(slices.Compare(v.numbers, other.numbers), cmp.Compare(v.rank, other.rank), cmp.Compare(v.Name, other.Name))
}

// A VersionSet contains the versions of a site that are in one parent folder.
type VersionSet struct {
	Parent  string           // path below the publish directory; "" is the publish directory itself
	Folders []*VersionFolder // folders of the versions, the newest release first
	// Own reports whether the parent folder is itself a version: it has its own pages, and one of
	// the newest versions has at least a third of them.
	Own bool
	// Latest is the name of the version that visitors see first. It is "" for the parent folder.
	Latest string

	redirect string            // the version to which the parent folder redirects, or ""
	alias    map[string]string // from the name of a version to the name under which it is listed, if they differ
	byName   map[string]*VersionFolder
	own      []string // pages of the parent folder that are in no version, relative to that folder
}

// Folder returns the folder of a version, or nil if the set has no version of that name.
func (v *VersionSet) Folder(name string) *VersionFolder { return v.byName[name] }

// findVersionSets finds the versions of a site. pages are the files of its pages, sorted. named
// returns the version folders that a manifest in the folder parent lists. findVersionSets calls
// named for the publish directory, where such folders may have any name, and for each folder whose
// subfolders have unambiguous names such as v1.2.
func findVersionSets(pages iter.Seq[string], named func(parent string) []string) []*VersionSet {
	top := map[string]bool{}
	for _, name := range named("") {
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
	for page := range pages {
		addToParents(sets, page)
	}
	var found []*VersionSet
	for _, s := range order {
		slices.SortFunc(s.Folders, func(a, b *VersionFolder) int { return -a.compare(b) })
		s.Own = sharesPages(s.own, s.Folders[:min(maxNeighbors, len(s.Folders))], 2)
		listed := len(top) > 0
		if s.Parent != "" {
			listed = !s.isAmbiguous() && len(named(s.Parent)) > 0
		}
		if s.isVersionSet(listed) {
			found = append(found, s)
		}
	}
	return found
}

// splitVersion splits the path of a page at its first folder that may be a version. parent is the
// path of the folder above the version, name is the version, and below is the path in the version.
// name is "" if there is no such folder. In the publish directory itself, folders in top are
// versions too.
func splitVersion(page string, top map[string]bool) (parent, name, below string) {
	at := 0
	for range maxVersionDepth {
		folder, rest, ok := strings.Cut(page[at:], "/")
		if !ok {
			break
		}
		if isVersion(folder) || at == 0 && top[folder] {
			return strings.TrimSuffix(page[:at], "/"), folder, rest
		}
		at += len(folder) + 1
	}
	return "", "", ""
}

// addPage adds a page to the version name, which it creates if necessary. below is the path of the
// page in the version.
func (v *VersionSet) addPage(name, below string) {
	f := v.byName[name]
	if f == nil {
		f = newVersionFolder(name)
		v.byName[name] = f
		v.Folders = append(v.Folders, f)
	}
	f.Pages = append(f.Pages, below)
}

// addToParents adds a page to the sets of the folders above it, as a page outside of their
// versions. It stops at the folder of a version.
func addToParents(sets map[string]*VersionSet, page string) {
	for at, n := 0, 0; n <= maxVersionDepth; n++ {
		below := page[at:]
		first, _, deep := strings.Cut(below, "/")
		if s := sets[strings.TrimSuffix(page[:at], "/")]; s != nil {
			if s.byName[first] != nil {
				return
			}
			s.own = append(s.own, below)
		}
		if !deep {
			return
		}
		at += len(first) + 1
	}
}

// isAmbiguous reports whether every name in the set may also be a year, a month or a page number.
func (v *VersionSet) isAmbiguous() bool {
	return !slices.ContainsFunc(v.Folders, func(f *VersionFolder) bool { return !isPlainNumber(f.Name) })
}

// isVersionSet reports whether the folders of the set are really versions. isListed reports whether
// a manifest lists the folders.
func (v *VersionSet) isVersionSet(isListed bool) bool {
	if isListed {
		return len(v.Folders) > 1 || v.Own
	}
	releases, movingNames, published, sure := 0, 0, false, false
	for _, f := range v.Folders {
		if isRelease(f.Name) {
			releases++
			sure = sure || !isPlainNumber(f.Name)
		} else {
			movingNames++
			published = published || slices.Contains([]string{"stable", "latest", "current"}, strings.ToLower(f.Name))
			sure = true
		}
	}
	switch {
	case !sure:
		return false
	case releases > 0:
		return v.Own || len(v.Folders) > 1 && v.hasCommonPages()
	case v.Own && v.byName["next"] != nil: // Docusaurus, before its first release
		return true
	}
	return movingNames > 1 && published && v.hasCommonPages()
}

// hasCommonPages reports whether two of the folders have pages with the same paths.
func (v *VersionSet) hasCommonPages() bool {
	for i, f := range v.Folders {
		if i > 0 && sharesPages(f.Pages, v.Folders[max(0, i-maxNeighbors):i], 1) {
			return true
		}
	}
	return false
}

// sharesPages reports whether one of the folders contains at least minCount of the pages, and at
// least a third of the smaller of the two lists.
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
// "previews/PR12". ok is false if the page is in no preview.
func previewFolder(page string) (folder string, ok bool) {
	if !strings.Contains(page, "preview") { // the regular expression is slow, and few pages match
		return "", false
	}
	m := previewPath.FindStringSubmatch(page)
	if m == nil {
		return "", false
	}
	return m[1], true
}

// releaseName matches the name of a release, such as 1.2, v1.2.3, 2.x, 1.0.0-beta.2 or 2.1rc1.
var releaseName = regexp.MustCompile(`^[vV]?(\d+)((?:[._](?:\d+|[xX]))*)(?:[-._+]?((?:a|b|c|rc|alpha|beta|pre|preview|dev|snapshot|m)[-._]?\d*(?:[-._+].*)?)|[-+][0-9A-Za-z.+-]+)?$`)

// movingNames lists names of versions whose content changes with each build.
var movingNames = []string{
	"latest", "stable", "current", "dev", "devel", "develop", "development", "main", "master", "next", "nightly", "unstable", "canary", "edge", "trunk", "head",
}

// trimReleasePrefix returns name in lower case without the prefix "release-". It returns a name
// without the prefix unchanged.
func trimReleasePrefix(name string) string {
	if rest, ok := strings.CutPrefix(strings.ToLower(name), "release-"); ok {
		return rest
	}
	return name
}

// isRelease reports whether a folder has a name like a release, such as 1.2, v3 or release-0.9.
func isRelease(name string) bool {
	if len(name) >= 40 {
		return false
	}
	name = trimReleasePrefix(name)
	m := releaseName.FindStringSubmatch(strings.ToLower(name))
	// A number before words, as in 9-lives, is part of a title. A release has a dot or a v before
	// the words.
	return m != nil && (m[2] != "" || m[3] != "" || len(m[0]) == len(m[1]) || m[0][0] == 'v' || isPlainNumber(name))
}

// isMoving reports whether a folder has a name such as latest or dev, for a version whose content
// changes with each build.
func isMoving(name string) bool {
	return len(name) <= len("development") && slices.Contains(movingNames, strings.ToLower(name))
}

// isVersion reports whether a folder may be a version by its name: a release, or a name such as
// latest. It is called for every folder of every page, so it checks the first bytes before the
// regular expression.
func isVersion(name string) bool {
	if name == "" || len(name) > 40 {
		return false
	}
	digit := func(at int) bool { return at < len(name) && name[at] >= '0' && name[at] <= '9' }
	return (digit(0) || digit(1) || strings.Contains(name, ".")) && isRelease(name) || isMoving(name)
}

// isPlainNumber reports whether a name has only digits and hyphens, so that it may also be a year,
// a date or a page number.
func isPlainNumber(name string) bool {
	_, err := strconv.Atoi(strings.ReplaceAll(name, "-", ""))
	return err == nil
}

// isPrerelease reports whether a version is a prerelease such as 1.0-beta, or not a release at all.
func isPrerelease(name string) bool {
	name = trimReleasePrefix(name)
	m := releaseName.FindStringSubmatch(strings.ToLower(name))
	return m == nil || m[3] != "" || strings.Contains(name, "-")
}

func releaseRank(name string) int {
	if isPrerelease(name) {
		return 0
	}
	return 1
}

// releaseNumbers returns the numbers in the name of a release, such as 1, 2 for "v1.2". An x
// becomes the highest number.
func releaseNumbers(name string) (all []int) {
	m := releaseName.FindStringSubmatch(strings.ToLower(trimReleasePrefix(name)))
	if m == nil {
		return nil
	}
	for part := range strings.FieldsFuncSeq(m[1]+m[2], func(r rune) bool { return r == '.' || r == '_' }) {
		n, err := strconv.Atoi(part)
		if err != nil {
			n = 1 << 30
		}
		all = append(all, n)
	}
	return all
}
