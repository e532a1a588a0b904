package site

import (
	"cmp"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxVersionDepth is the maximum number of folders above the folders of versions.
const maxVersionDepth = 6

// maxNeighbors is the maximum number of releases that the pages of a release are compared with.
// Neighbouring releases share the most pages, and a folder may have thousands of releases.
const maxNeighbors = 8

// A VersionFolder holds the pages of one version.
type VersionFolder struct {
	Name  string
	Pages []string // below the folder, sorted

	numbers  []int // of the release
	rank     int   // a release ranks above its prereleases
	outdated bool  // a script in the pages adds noindex
}

func newVersionFolder(name string) *VersionFolder {
	return &VersionFolder{Name: name, numbers: releaseNumbers(name), rank: releaseRank(name)}
}

// compare orders releases from old to new.
func (f *VersionFolder) compare(other *VersionFolder) int {
	return cmp.Or(slices.Compare(f.numbers, other.numbers), cmp.Compare(f.rank, other.rank), cmp.Compare(f.Name, other.Name))
}

// A VersionSet contains the versions in one parent folder.
type VersionSet struct {
	Parent  string           // "" at the top of the site
	Folders []*VersionFolder // the newest release first
	// Own reports whether the parent folder is itself a version: it has its own pages, and the
	// other versions have most of these pages.
	Own bool
	// Latest is the name of the version that visitors find first. "" means the parent folder.
	Latest string

	redirect string            // the version to which the parent folder redirects, or ""
	alias    map[string]string // the name under which the pages of another name are listed
	byName   map[string]*VersionFolder
	own      []string // the pages of the parent folder that are in no version, below it
}

// Folder returns the folder of a version, or nil if the set has no version of that name.
func (s *VersionSet) Folder(name string) *VersionFolder { return s.byName[name] }

// findVersionSets finds the versions of a site from the sorted paths of its pages. named returns
// the folders that a manifest in the parent folder names. At the top of the site, such a version
// may have any name. findVersionSets calls named for the top, and for each folder with names that
// can only be versions.
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
		s.add(name, below)
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

// splitVersion finds the first folder of a page's path that may be a version, the folder above it
// and the path below it. name is "" if there is none. A version inside a version is a part
// of it.
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

func (s *VersionSet) add(name, below string) {
	f := s.byName[name]
	if f == nil {
		f = newVersionFolder(name)
		s.byName[name] = f
		s.Folders = append(s.Folders, f)
	}
	f.Pages = append(f.Pages, below)
}

// addToParents adds a page to the folders above it that hold versions, up to the version that the
// page is in itself.
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

// isAmbiguous reports whether all names may also be years, months or page numbers.
func (s *VersionSet) isAmbiguous() bool {
	return !slices.ContainsFunc(s.Folders, func(f *VersionFolder) bool { return !isPlainNumber(f.Name) })
}

// isVersionSet reports whether the folders are really versions. listed reports whether a manifest
// lists the folders.
func (s *VersionSet) isVersionSet(listed bool) bool {
	if listed {
		return len(s.Folders) > 1 || s.Own
	}
	releases, movingNames, published, sure := 0, 0, false, false
	for _, f := range s.Folders {
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
		return s.Own || len(s.Folders) > 1 && s.haveCommonPages()
	case s.Own && s.byName["next"] != nil: // Docusaurus, before its first release
		return true
	}
	return movingNames > 1 && published && s.haveCommonPages()
}

// haveCommonPages reports whether at least two of the folders have pages with the same names.
func (s *VersionSet) haveCommonPages() bool {
	for i, f := range s.Folders {
		if i > 0 && sharesPages(f.Pages, s.Folders[max(0, i-maxNeighbors):i], 1) {
			return true
		}
	}
	return false
}

// sharesPages reports whether one of the folders has a third of the pages, and at least least
// pages.
func sharesPages(pages []string, folders []*VersionFolder, least int) bool {
	for _, f := range folders {
		n := 0
		for _, p := range pages {
			if _, ok := slices.BinarySearch(f.Pages, p); ok {
				n++
			}
		}
		if n >= least && 3*n >= min(len(pages), len(f.Pages)) {
			return true
		}
	}
	return false
}

// previewPath matches a page in the preview of a pull request: previews/PR12, pr-preview/pr-12.
var previewPath = regexp.MustCompile(`^((?:.*?/)??(?:pr-)?previews?/(?i:pr)[-_]*[0-9]+)/.`)

// previewFolder returns the preview of a pull request that contains a page.
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

// releaseName matches the name of a release: 1.2, v1.2.3, 2.x, 1.0.0-beta.2, 2.1rc1.
var releaseName = regexp.MustCompile(`^[vV]?(\d+)((?:[._](?:\d+|[xX]))*)(?:[-._+]?((?:a|b|c|rc|alpha|beta|pre|preview|dev|snapshot|m)[-._]?\d*(?:[-._+].*)?)|[-+][0-9A-Za-z.+-]+)?$`)

// movingNames are the names of versions that change with each build.
var movingNames = []string{
	"latest", "stable", "current", "dev", "devel", "develop", "development", "main", "master", "next", "nightly", "unstable", "canary", "edge", "trunk", "head",
}

// bareRelease returns the name of a release without the word "release" before the number.
func bareRelease(name string) string {
	if rest, ok := strings.CutPrefix(strings.ToLower(name), "release-"); ok {
		return rest
	}
	return name
}

// isRelease reports whether a folder has a name like a release: 1.2, v3, release-0.9.
func isRelease(name string) bool {
	if len(name) >= 40 {
		return false
	}
	name = bareRelease(name)
	m := releaseName.FindStringSubmatch(strings.ToLower(name))
	// A number and words, as in 9-lives, is a title. A release has a point or a v before the
	// words.
	return m != nil && (m[2] != "" || m[3] != "" || len(m[0]) == len(m[1]) || m[0][0] == 'v' || isPlainNumber(name))
}

// isMoving reports whether a folder has a name such as latest or dev, whose content changes
// with each build.
func isMoving(name string) bool {
	return len(name) <= len("development") && slices.Contains(movingNames, strings.ToLower(name))
}

// isVersion reports whether a name is the name of a release or a moving version. It checks the
// first letters before the regular expression, because it is called for every folder of every
// path.
func isVersion(name string) bool {
	if name == "" || len(name) > 40 {
		return false
	}
	digit := func(at int) bool { return at < len(name) && name[at] >= '0' && name[at] <= '9' }
	return (digit(0) || digit(1) || strings.Contains(name, ".")) && isRelease(name) || isMoving(name)
}

// isPlainNumber reports whether a name may also be a year, a month or a page number.
func isPlainNumber(name string) bool {
	_, err := strconv.Atoi(strings.ReplaceAll(name, "-", ""))
	return err == nil
}

// isPrerelease reports whether a name is the name of a prerelease.
func isPrerelease(name string) bool {
	name = bareRelease(name)
	m := releaseName.FindStringSubmatch(strings.ToLower(name))
	return m == nil || m[3] != "" || strings.Contains(name, "-")
}

func releaseRank(name string) int {
	if isPrerelease(name) {
		return 0
	}
	return 1
}

// releaseNumbers returns the numbers of a release. An x counts as the highest number.
func releaseNumbers(name string) (all []int) {
	m := releaseName.FindStringSubmatch(strings.ToLower(bareRelease(name)))
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
