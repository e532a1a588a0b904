package files

import "path/filepath"

// Abs returns the path of a name, slash-separated or not, that is relative to a folder
// unless it is absolute.
func Abs(dir, name string) string {
	if name = filepath.FromSlash(name); filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

// Below returns the path by which a folder has what is below it, "." for the folder
// itself. It is not ok for what lies elsewhere; "" is no folder.
func Below(dir, name string) (rel string, ok bool) {
	rel, err := filepath.Rel(dir, name)
	return rel, dir != "" && err == nil && filepath.IsLocal(rel)
}

// Within reports whether a path is that of a folder or of what is below it.
func Within(dir, name string) bool {
	_, ok := Below(dir, name)
	return ok
}
