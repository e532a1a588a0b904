package walker

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// maxPath is the maximum length in bytes of a folder path relative to the tree. Walk skips folders
// with longer paths, because the URLs of their pages would be too long for a sitemap.
const maxPath = 3072

// A kind is the type of a folder entry, such as a regular file.
type kind uint8

const (
	unknown kind = iota // the file system does not report the type; call lstat
	regular
	directory
	link
	special // device, pipe or socket
)

// kindOfMode returns the kind of a file with the mode m.
func kindOfMode(m fs.FileMode) kind {
	switch m.Type() {
	case 0:
		return regular
	case fs.ModeDir:
		return directory
	case fs.ModeSymlink:
		return link
	default:
		return special
	}
}

// An entry is the name and kind of one file or folder in a folder.
type entry struct {
	name string
	kind kind
}

// A source opens the folders of a tree.
type source interface {
	// openFolderAt opens the folder at the path real, which contains no symbolic links. The path ""
	// is the root.
	openFolderAt(real string) (folder, error)
}

// A folder is an open folder. It is safe for concurrent use, except for readNextEntries.
type folder interface {
	// readNextEntries replaces buf.entries with the next entries of the folder. If there are no
	// more entries, buf.entries is empty.
	readNextEntries(buf *buffer) error
	// openFolder opens the folder called name, and openFile opens the file called name. A symbolic
	// link is an error for a linuxFolder. For an fsFolder, it is an error only in openFile, and
	// only on Unix with a tree of Dir.
	openFolder(name string) (folder, error)
	openFile(name string) (fs.File, error)
	// lstat returns the kind of the file or folder called name. It does not follow symbolic links.
	lstat(name string) (kind, error)
	close()
}

// A buffer is memory for folder entries. Each worker uses one buffer for all folders.
type buffer struct {
	entries []entry
	raw     []byte // entries in the format of the kernel, for linuxFolder
}

// errOutside is the error for a symbolic link whose target is not in the tree.
var errOutside = errors.New("leads out of the tree")

// resolveLinks resolves all symbolic links in path, which is relative to the folder dir. real is
// the resulting path relative to dir, with slashes, or "" for dir itself. k is the kind of the file
// or folder there. If the target is outside of dir, err is errOutside, and k is the kind of the
// target. If dir is "", err is errOutside, and k is unknown. A broken link is another error.
func resolveLinks(dir, path string) (real string, k kind, err error) {
	if dir == "" {
		return "", unknown, errOutside
	}
	full := filepath.Join(dir, filepath.FromSlash(path))
	info, err := os.Stat(full)
	if err != nil {
		return "", unknown, err
	}
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", unknown, err
	}
	target, err := filepath.EvalSymlinks(full)
	if err != nil {
		return "", unknown, err
	}
	rel, err := filepath.Rel(root, target)
	switch {
	case err != nil || !filepath.IsLocal(rel):
		return "", kindOfMode(info.Mode()), errOutside
	case rel == ".":
		rel = ""
	}
	return filepath.ToSlash(rel), kindOfMode(info.Mode()), nil
}
