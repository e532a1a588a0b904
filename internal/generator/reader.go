package generator

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/strict"
)

// A reader reads the generators' files of one project.
type reader struct {
	root     fs.FS
	rootName string
	getenv   func(string) string
	diags    diag.List
}

// maxFile is the maximum size of a configuration file, in bytes.
const maxFile = 4 << 20

// read returns a file's bytes without a byte order mark, and its name in findings.
func (r *reader) read(file string) (src []byte, name string, ok bool) {
	name = path.Join(r.rootName, file)
	f, err := r.root.Open(file)
	if err == nil {
		defer f.Close()
		if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
			return nil, name, false
		}
		src, err = files.ReadAll(f, name, maxFile)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.diags.Warnf(diag.Pos{File: name}, "unreadable", "make the file readable",
			"the generator's configuration cannot be read: %v", diag.Cause(err))
	}
	return bytes.TrimPrefix(src, []byte("\ufeff")), name, err == nil
}

// readConfig reads a configuration file. It returns nil if the file is missing, broken or no table.
func (r *reader) readConfig(file string) *value {
	return r.readDocument(file, strict.Options{}).asTable()
}

// readDocument reads a file in the format of its extension. It returns nil if the file is missing or
// broken. Only the generator knows which values are right, so only broken syntax is a finding.
func (r *reader) readDocument(file string, o strict.Options) *value {
	src, name, ok := r.read(file)
	if !ok {
		return nil
	}
	n, diags := strict.Read(name, src)
	r.diags = append(r.diags, diags...)
	if len(diags) > 0 {
		return nil
	}
	if n == nil { // an empty file is a configuration without settings
		return newTable(diag.Pos{File: name})
	}
	v := new(value)
	o.Decode(name, n, v)
	return v
}

// existingFiles returns the existing files of a generator, and those that cannot be checked.
func (r *reader) existingFiles(files []string) (there []string) {
	for _, file := range files {
		names := []string{os.Expand(file, r.getenv)}
		if stem, isScript := strings.CutSuffix(file, ".*"); isScript {
			names = withScriptExts(stem)
		}
		for _, name := range names {
			if _, err := fs.Stat(r.root, name); fs.ValidPath(name) && !errors.Is(err, fs.ErrNotExist) {
				there = append(there, name)
			}
		}
	}
	return there
}

// withScriptExts returns names with each extension of a script.
func withScriptExts(stems ...string) (names []string) {
	for _, stem := range stems {
		for _, ext := range scriptExts {
			names = append(names, stem+ext)
		}
	}
	return names
}

var scriptExts = []string{".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"}

// readFirst reads the first readable configuration file that is the generator's own. A nil is
// accepts every file.
func (r *reader) readFirst(files []string, is func(config) bool) config {
	for _, file := range files {
		if c := r.openConfig(file); c != (config{}) && (is == nil || is(c)) {
			return c
		}
	}
	return config{}
}

// openConfig reads a configuration file in the format of its extension. For a Julia program, it
// sets only the source.
func (r *reader) openConfig(file string) config {
	switch ext := path.Ext(file); {
	case slices.Contains(scriptExts, ext):
		if p := r.readScript(file); p != nil {
			return config{value: p.result, file: file, script: p}
		}
	case ext == ".py":
		if p := r.readScript(file); p != nil {
			return config{value: p.names, file: file, source: p.src}
		}
	case ext == ".jl":
		if src, _, ok := r.read(file); ok {
			return config{file: file, source: string(src)}
		}
	default:
		if v := r.readConfig(file); v != nil {
			return config{value: v, file: file}
		}
	}
	return config{}
}

// readScript reads a program in JavaScript, TypeScript or Python; nil if it is
// missing or broken.
func (r *reader) readScript(file string) *program {
	src, name, ok := r.read(file)
	if !ok {
		return nil
	}
	p, broken := readProgram(src, name, path.Ext(file) == ".py")
	if p == nil { // perhaps a language feature that readProgram does not know
		r.diags.Notef(broken, "bad-generator-config", "set pages.dir and base_url in sitemap.yaml",
			"the generator's configuration cannot be read without running it: unterminated string")
	}
	return p
}

// isDir reports whether a folder is there.
func (r *reader) isDir(dir string) bool {
	info, err := fs.Stat(r.root, dir)
	return err == nil && info.IsDir()
}

// usualPublishDirs are the folders that generators publish to by default.
var usualPublishDirs = []string{
	"public", "_site", "dist", "build", "out", "site", "_build/html", "docs/_build/html", ".vitepress/dist", "docs/.vitepress/dist",
}

// usualProjects returns a project for each conventional publish folder that holds an HTML file.
func (r *reader) usualProjects() []Project {
	var all []Project
	for _, dir := range usualPublishDirs {
		if r.hasHTML(dir, 3) {
			pos := diag.Pos{File: path.Join(r.rootName, dir)}
			all = append(all, Project{Publish: []string{dir}, Settings: []Setting{{"publish folder", dir, pos}}})
		}
	}
	return all
}

// maxEntries is the maximum number of entries to look at in a folder.
const maxEntries = 200

// hasHTML reports whether a folder holds an HTML file, at most depth folders deep, among the
// first entries.
func (r *reader) hasHTML(dir string, depth int) bool {
	if info, err := fs.Stat(r.root, path.Join(dir, "index.html")); err == nil && info.Mode().IsRegular() {
		return true
	}
	f, err := r.root.Open(dir)
	if err != nil {
		return false
	}
	defer f.Close()
	d, ok := f.(fs.ReadDirFile)
	if !ok {
		return false
	}
	entries, _ := d.ReadDir(maxEntries)
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		if e.IsDir() {
			return depth > 1 && r.hasHTML(path.Join(dir, e.Name()), depth-1)
		}
		return e.Type().IsRegular() && slices.Contains([]string{".html", ".htm", ".xhtml"}, strings.ToLower(path.Ext(e.Name())))
	})
}

// publishDirs returns the existing folders of a list, or its first folder.
func (r *reader) publishDirs(dirs ...string) []string {
	var there []string
	for _, dir := range dirs {
		if r.isDir(dir) {
			there = append(there, dir)
		}
	}
	if there == nil {
		return dirs[:1]
	}
	return there
}
