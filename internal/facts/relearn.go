package facts

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/walker"
)

// A Change lists the paths that must be read again. These are the paths of created, changed and
// deleted files, and of deleted folders.
type Change struct {
	Pages   []string // relative to the pages tree
	Content []string // relative to the content tree
}

// Relearn reads the changed paths again, and returns the Set that Learn would return now. The
// result shares the facts of unchanged files with s, which stays valid. Relearn requires
// Options.Remember. It returns an error in the same cases as Learn.
func (s *Set) Relearn(ctx context.Context, c Change) (*Set, error) {
	next := *s
	var err error
	if s.o.Pages != nil {
		if next.Pages, err = relearnTree(ctx, &next, next.pageReader(), s.Pages, c.Pages); err != nil {
			return nil, err
		}
	}
	if s.o.Content != nil {
		if next.Contents, err = relearnTree(ctx, &next, next.contentReader(), s.Contents, c.Content); err != nil {
			return nil, err
		}
	}
	return &next, nil
}

// manyPaths is the number of changed paths above which relearnTree may walk the whole tree instead
// of reading single files. A walk uses several workers: for 10,000 paths it takes a third of the
// time.
const manyPaths = 1000

// relearnTree returns the facts of all files in a tree. It reads only the files in paths, and
// copies the facts of other files from old. It drops the facts of files below a path, because such
// a path is a deleted folder. It reads the whole tree if paths contains more than manyPaths paths
// and more paths than a quarter of len(old), or if haveCaseVariants is true.
func relearnTree[T any](ctx context.Context, s *Set, reader treeReader[T], old []*T, paths []string) ([]*T, error) {
	if len(paths) > manyPaths && len(paths) > len(old)/4 || haveCaseVariants(paths) {
		reader.dropListingFindings([]string{"."})
		return learnTree(ctx, s, reader)
	}
	reader.dropListingFindings(paths)
	var added []*T
	read := reader.newRead()
	visit := func(f *walker.File) {
		if v := read(f); v != nil {
			added = append(added, v)
		}
	}
	for _, p := range slices.Compact(slices.Sorted(slices.Values(paths))) {
		_, ds, err := reader.VisitSelectedFile(ctx, p, visit)
		if err != nil {
			return nil, newWalkError(reader.Tree, err)
		}
		*reader.listing = append(*reader.listing, setDisplayNames(reader.Tree, "", ds)...)
	}
	return replaceElements(slices.Clone(old), added, paths, reader.name), nil
}

// haveCaseVariants reports whether two paths differ only in upper and lower case, as after a rename
// on macOS or Windows. There, a file can be opened by either name. Only a walk of the tree finds
// the current name.
func haveCaseVariants(paths []string) bool {
	first := make(map[string]string, len(paths))
	for _, p := range paths {
		lower := strings.ToLower(p)
		if first[lower] == "" {
			first[lower] = p
		}
		if first[lower] != p {
			return true
		}
	}
	return false
}

// dropListingFindings removes the findings about files at or below paths from reader.listing, the
// findings from listing the tree. All other findings are stored with the facts of their files.
func (reader *treeReader[T]) dropListingFindings(paths []string) {
	gone := pathMatcher(paths)
	*reader.listing = slices.DeleteFunc(slices.Clone(*reader.listing), func(d diag.Diagnostic) bool {
		file, in := reader.FindByDisplayName(d.Pos.File)
		return in && gone(file)
	})
}

// replaceElements removes the elements of old whose names are at or below paths, and adds the
// elements of added. It modifies old, and returns the result, sorted by name. If several elements
// have the same name, it keeps one of them.
func replaceElements[T any](old, added []T, paths []string, name func(T) string) []T {
	isGone := pathMatcher(paths)
	out := append(slices.DeleteFunc(old, func(v T) bool { return isGone(name(v)) }), added...)
	slices.SortFunc(out, func(a, b T) int { return strings.Compare(name(a), name(b)) })
	return slices.CompactFunc(out, func(a, b T) bool { return name(a) == name(b) })
}

// pathMatcher returns a function that reports whether a name is in paths, or below a folder in
// paths. The folder "." contains all names.
func pathMatcher(paths []string) func(string) bool {
	set := make(map[string]bool, len(paths))
	for _, p := range paths {
		set[p] = true
	}
	return func(name string) bool {
		for at := len(name); at > 0; at = strings.LastIndexByte(name[:at], '/') {
			if set[name[:at]] {
				return true
			}
		}
		return set["."]
	}
}

// IsAffectedBy reports whether the change c may change the set. It is true if c contains a path
// that the filter of its tree selects, or the path of a file in the set or of a folder above such a
// file.
func (s *Set) IsAffectedBy(c Change) bool {
	return s.o.Pages != nil && slices.ContainsFunc(c.Pages, func(p string) bool { return s.o.Pages.Filter.Match(p) || containsPath(s.Pages, p, filePathOfPage) }) ||
		s.o.Content != nil && slices.ContainsFunc(c.Content, func(p string) bool {
			return s.o.Content.Filter.Match(p) || containsPath(s.Contents, p, filePathOfContent)
		})
}

// containsPath reports whether list contains an element whose name is p, or is below the folder p.
// list is sorted by name.
func containsPath[T any](list []T, p string, name func(T) string) bool {
	order := func(v T, p string) int { return cmp.Compare(name(v), p) }
	_, is := slices.BinarySearchFunc(list, p, order)
	below, _ := slices.BinarySearchFunc(list, p+"/", order)
	return is || below < len(list) && strings.HasPrefix(name(list[below]), p+"/")
}

// ChangedFiles returns the operating system paths of the files and folders in c.
func (s *Set) ChangedFiles(c Change) (files []string) {
	add := func(tree *Tree, names []string) {
		for i := 0; tree != nil && i < len(names); i++ {
			files = append(files, tree.Path(names[i]))
		}
	}
	add(s.o.Pages, c.Pages)
	add(s.o.Content, c.Content)
	return files
}
