package versions

import (
	"iter"
	"path"
	"slices"
	"strings"
)

// maxDepth is how many folders may lie above those of versions.
const maxDepth = 4

// A Folder is that of one version.
type Folder struct {
	Name  string
	Pages []string // below the folder, sorted
}

// A Set is the versions that lie beside each other in one folder.
type Set struct {
	Parent  string // "" at the top of the site
	Folders []*Folder
	// Own says that the folder above holds a version, too: pages of its own, most of which
	// the others have.
	Own bool
}

// Find finds the versions of a site from the paths of its pages, sorted. named are the
// folders that a manifest in a folder names; it is asked for the top of the site, where they
// are versions whatever they are called, and for the folders that hold any.
func Find(pages iter.Seq[string], named func(parent string) []string) []Set {
	parents := map[string]map[string]*Folder{}
	own := map[string][]string{}
	var order []string
	top := named("")
	for page := range pages {
		rest, at := page, 0
		for range maxDepth {
			name, below, ok := strings.Cut(rest, "/")
			if !ok {
				break
			}
			parent := strings.TrimSuffix(page[:at], "/")
			if !isVersion(name) && (parent != "" || !slices.Contains(top, name)) {
				rest, at = below, at+len(name)+1
				continue
			}
			folders := parents[parent]
			if folders == nil {
				folders = map[string]*Folder{}
				parents[parent] = folders
				order = append(order, parent)
			}
			if folders[name] == nil {
				folders[name] = &Folder{Name: name}
			}
			folders[name].Pages = append(folders[name].Pages, below)
			break // a version within a version is a part of it
		}
	}
	var sets []Set
	for _, parent := range order {
		s := Set{Parent: parent}
		for _, f := range parents[parent] {
			s.Folders = append(s.Folders, f)
		}
		slices.SortFunc(s.Folders, func(a, b *Folder) int { return -Compare(a.Name, b.Name) })
		sets = append(sets, s)
	}
	for page := range pages { // those of the folders above
		for i := range sets {
			if below, ok := cutFolder(page, sets[i].Parent); ok {
				first, _, _ := strings.Cut(below, "/")
				if parents[sets[i].Parent][first] == nil {
					own[sets[i].Parent] = append(own[sets[i].Parent], below)
				}
			}
		}
	}
	for i := range sets {
		sets[i].Own = shares(own[sets[i].Parent], sets[i].Folders, 2)
	}
	return slices.DeleteFunc(sets, func(s Set) bool { return !s.holds(named(s.Parent)) })
}

func cutFolder(page, folder string) (below string, ok bool) {
	if folder == "" {
		return page, true
	}
	return strings.CutPrefix(page, folder+"/")
}

// holds reports whether folders that are called like versions are some.
func (s *Set) holds(named []string) bool {
	releases, moving, published, sure := 0, 0, false, len(named) > 0
	for _, f := range s.Folders {
		if IsRelease(f.Name) {
			releases++
			sure = sure || !doubtful(f.Name)
		} else {
			moving++
			published = published || slices.Contains([]string{"stable", "latest", "current"}, strings.ToLower(f.Name))
			sure = sure || IsMoving(f.Name)
		}
	}
	if releases == 0 && (moving < 2 || !published) && len(named) == 0 || !sure || len(s.Folders) < 2 && !s.Own {
		return false
	}
	return len(named) > 0 || s.Own || s.alike()
}

// alike reports whether at least two of the folders have pages of the same names.
func (s *Set) alike() bool {
	for i, f := range s.Folders {
		if i > 0 && shares(f.Pages, s.Folders[:i], 1) {
			return true
		}
	}
	return false
}

// shares reports whether a third of some pages, and so many at least, are in one of the
// folders, too.
func shares(pages []string, folders []*Folder, least int) bool {
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

// IsPreview returns the folder of the preview of a pull request that a page is in, which
// a deploy keeps below the site.
func IsPreview(page string) (folder string, ok bool) {
	at := 0
	for rest := page; ; {
		name, below, ok := strings.Cut(rest, "/")
		if !ok {
			return "", false
		}
		number, inner, _ := strings.Cut(below, "/")
		if slices.Contains([]string{"previews", "preview", "pr-preview", "pr-previews"}, strings.ToLower(name)) && inner != "" && isPull(number) {
			return path.Join(page[:at], name, number), true
		}
		rest, at = below, at+len(name)+1
	}
}

func isPull(name string) bool {
	digits := strings.TrimLeft(strings.TrimPrefix(strings.ToLower(name), "pr"), "-_")
	return strings.HasPrefix(strings.ToLower(name), "pr") && digits != "" && strings.Trim(digits, "0123456789") == ""
}
