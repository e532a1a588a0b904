package hosting

import (
	"cmp"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// A Publication is a publish directory that a host's configuration file names.
type Publication struct {
	Host string   // name of the host: "netlify"
	Dir  string   // publish directory, relative to the folder of the file, with slashes
	Pos  diag.Pos // position of the setting in the file
}

// EnvPublishDir returns the folder that Read the Docs publishes after this build. variable
// describes the environment variable with the folder: "$READTHEDOCS_OUTPUT/html". Both results are
// "" if the variable is not set, or if the build machine is not Read the Docs.
func EnvPublishDir(getenv func(string) string) (dir, variable string) {
	if dir := getenv("READTHEDOCS_OUTPUT"); dir != "" && isEnvSet(getenv, "READTHEDOCS") {
		return filepath.Join(dir, "html"), "$READTHEDOCS_OUTPUT/html"
	}
	return "", ""
}

// ConfiguredPublishDirs returns the publish directories that are set in configuration files of
// hosts in the folder root. It returns at most one for each host. rootName is the path of root as
// the user would type it.
func ConfiguredPublishDirs(root fs.FS, rootName string, getenv func(string) string) (all []Publication) {
	l := newLoader(Input{Root: root, RootName: rootName, Getenv: getenv})
	for _, p := range publishers {
		dir := p.dir(l)
		if name := cmp.Or(cleanRelPath(dir.V), "."); dir.V != "" && fs.ValidPath(name) {
			all = append(all, Publication{p.host, name, dir.Pos})
		}
	}
	return all
}

// NetlifyBase returns the base directory in netlify.toml, the folder in which Netlify runs the
// build. base is relative to root, and "" means root. hasNetlifyTOML is false if root contains no
// netlify.toml.
func NetlifyBase(root fs.FS) (base string, hasNetlifyTOML bool) {
	if !isFile(root, netlifyName) {
		return "", false
	}
	_, c := newLoader(Input{Root: root}).readNetlifyTOML()
	return c.baseDir(), true
}

// cleanRelPath cleans p, and removes a leading slash and "..": "/a/./b/" becomes "a/b", and "../a"
// becomes "a". It returns "" for "." and "/".
func cleanRelPath(p string) string {
	return strings.TrimPrefix(path.Clean("/"+p), "/")
}
