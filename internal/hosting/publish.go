package hosting

import (
	"cmp"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// A Publication is the publish directory that a platform's own file names.
type Publication struct {
	Host string
	Dir  string // relative to the folder that holds the file, slash-separated
	Pos  diag.Pos
}

// EnvPublishDir returns the folder that the build machine's host publishes, and the variable that
// names it. Both are "" without one.
func EnvPublishDir(getenv func(string) string) (dir, why string) {
	if dir := getenv("READTHEDOCS_OUTPUT"); dir != "" && isSet(getenv, "READTHEDOCS") {
		return filepath.Join(dir, "html"), "$READTHEDOCS_OUTPUT/html"
	}
	return "", ""
}

// Publications returns the publish directories that the files of a folder name, at most one
// for each platform.
func Publications(root fs.FS, rootName string, getenv func(string) string) (all []Publication) {
	l := newLoader(Input{Root: root, RootName: rootName, Getenv: getenv})
	for _, p := range publishers {
		dir := p.dir(l)
		if name := cmp.Or(relPath(dir.V), "."); dir.V != "" && fs.ValidPath(name) {
			all = append(all, Publication{p.host, name, dir.Pos})
		}
	}
	return all
}

// NetlifyBase returns the folder in which the build runs by netlify.toml, or "" for the folder
// of the file. It returns false without a netlify.toml.
func NetlifyBase(root fs.FS) (base string, ok bool) {
	if !isFile(root, netlifyName) {
		return "", false
	}
	_, c := newLoader(Input{Root: root}).netlifyFile()
	return c.base(), true
}

// relPath returns a path relative to a folder, or "" for the folder itself.
func relPath(p string) string {
	if p = strings.TrimPrefix(path.Clean("/"+p), "/"); p == "." {
		return ""
	}
	return p
}
