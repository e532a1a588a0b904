package generator

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/strict"
)

// A reader reads the configuration files of one project, and collects findings about them.
type reader struct {
	root     fs.FS
	rootName string
	getenv   func(string) string
	diags    diag.List
}

// maxFile is the maximum size of a configuration file in bytes.
const maxFile = 4 << 20

// readFile returns the content of a file without a byte order mark, and the name of the file for
// findings. ok is false if the file is missing, is not a regular file, is larger than maxFile, or
// cannot be read. readFile adds a finding in the last two cases.
func (r *reader) readFile(file string) (src []byte, name string, ok bool) {
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

// readConfig parses a configuration file like readDocument. It also returns nil if the file does
// not contain a table of keys.
func (r *reader) readConfig(file string) *value {
	return r.readDocument(file, strict.Options{}).asTable()
}

// readDocument parses a file in the format of its extension. It returns nil if the file is missing,
// unreadable or invalid, and an empty table if the file is empty. It adds a finding for an
// unreadable file and for invalid syntax. It adds none for an unexpected value, because sitewalk
// does not know which values the generator accepts.
func (r *reader) readDocument(file string, o strict.Options) *value {
	src, name, ok := r.readFile(file)
	if !ok {
		return nil
	}
	n, diags := strict.Read(name, src)
	r.diags = append(r.diags, diags...)
	if len(diags) > 0 {
		return nil
	}
	if n == nil { // an empty file is valid and contains no settings
		return newTable(diag.Pos{File: name})
	}
	v := new(value)
	o.Decode(name, n, v)
	return v
}

// maxRules is the maximum number of rules of one kind. Each rule is compared with each content
// file.
const maxRules = 2_048

// limitRules returns v, a list or table of rules. If v has more than maxRules items or entries, it
// adds a finding, and returns a copy with the first maxRules.
func (r *reader) limitRules(v *value) *value {
	if v == nil || max(len(v.list), len(v.keys)) <= maxRules {
		return v
	}
	r.diags.Warnf(v.pos, "oversized", "remove rules, or join them by wildcards", "only the first %d rules are read", maxRules)
	w := *v
	w.list, w.keys = v.list[:min(len(v.list), maxRules)], v.keys[:min(len(v.keys), maxRules)]
	return &w
}

// existingFiles returns the names in patterns for which a file or folder exists. A pattern that
// ends in ".*", such as "config.*", means the name with each extension in scriptExts. A file that
// cannot be checked counts as existing.
func (r *reader) existingFiles(patterns []string) (existing []string) {
	for _, pattern := range patterns {
		names := []string{pattern}
		if stem, isScript := strings.CutSuffix(pattern, ".*"); isScript {
			names = nil
			for _, ext := range scriptExts {
				names = append(names, stem+ext)
			}
		}
		for _, name := range names {
			if _, err := fs.Stat(r.root, name); fs.ValidPath(name) && !errors.Is(err, fs.ErrNotExist) {
				existing = append(existing, name)
			}
		}
	}
	return existing
}

// scriptExts lists the extensions of JavaScript and TypeScript files.
var scriptExts = []string{".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"}

// readFirstConfig returns the content of the first file that can be parsed and for which isOwn
// returns true. If isOwn is nil, every file is accepted. If there is no such file, the result is
// the zero config.
func (r *reader) readFirstConfig(files []string, isOwn func(*reader, config) bool) config {
	for _, file := range files {
		if c := r.openConfig(file); c != (config{}) && (isOwn == nil || isOwn(r, c)) {
			return c
		}
	}
	return config{}
}

// openConfig parses a configuration file in the format of its extension. It does not parse a
// program in Julia, and returns only its text as source. If the file cannot be parsed, the result
// is the zero config.
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
		if src, _, ok := r.readFile(file); ok {
			return config{file: file, source: string(src)}
		}
	default:
		if v := r.readConfig(file); v != nil {
			return config{value: v, file: file}
		}
	}
	return config{}
}

// readScript parses a program in JavaScript, TypeScript or Python. It returns nil if the file is
// missing or unreadable, or has an unterminated string. It adds a finding for an unreadable file
// and for an unterminated string.
func (r *reader) readScript(file string) *program {
	src, name, ok := r.readFile(file)
	if !ok {
		return nil
	}
	p, unterminated := parseProgram(src, name, path.Ext(file) == ".py")
	if p == nil { // perhaps the program uses syntax that parseProgram does not know
		r.diags.Notef(unterminated, "bad-generator-config", "set pages.dir and base_url in sitemap.yaml",
			"the generator's configuration cannot be read without running it: unterminated string")
	}
	return p
}

// isDir reports whether dir is an existing folder.
func (r *reader) isDir(dir string) bool {
	info, err := fs.Stat(r.root, dir)
	return err == nil && info.IsDir()
}

// usualPublishDirs lists the folders to which generators publish by default.
var usualPublishDirs = []string{
	"public", "_site", "dist", "build", "out", "site", "_build/html", "docs/_build/html", ".vitepress/dist", "docs/.vitepress/dist",
}

// publishDirProjects returns a project without a name for each folder in usualPublishDirs that
// contains HTML. The publish directory is the folder itself, or a folder in it; see findBrowserDir.
func (r *reader) publishDirProjects() []Project {
	var all []Project
	for _, dir := range usualPublishDirs {
		if r.hasHTML(dir, 3) {
			dir = r.findBrowserDir(dir)
			pos := diag.Pos{File: path.Join(r.rootName, dir)}
			all = append(all, Project{Publish: []string{dir}, Settings: []Setting{{"publish directory", dir, pos}}})
		}
	}
	return all
}

// findBrowserDir returns the folder in dir whose files a JavaScript framework builds for browsers:
// "client" of React Router and TanStack Start, or "browser" of Angular. It returns dir itself
// unless exactly one such folder has a home page. The folder of an Angular app may be between dir
// and "browser". findBrowserDir also returns dir if any other file or folder in dir is or contains
// HTML. The folder "server" does not count, because its pages are templates.
func (r *reader) findBrowserDir(dir string) string {
	entries, _ := fs.ReadDir(r.root, dir)
	var found []string
	for _, e := range entries {
		if e.Type().IsRegular() {
			continue
		}
		folders := []string{path.Join(dir, e.Name(), "browser")}
		if e.Name() == "client" || e.Name() == "browser" {
			folders = append(folders, path.Join(dir, e.Name()))
		}
		for _, folder := range folders {
			if _, err := fs.Stat(r.root, path.Join(folder, "index.html")); err == nil {
				found = append(found, folder)
			}
		}
	}
	if len(found) != 1 {
		return dir
	}
	browserDir := found[0]
	app, _, _ := strings.Cut(strings.TrimPrefix(browserDir, dir+"/"), "/")
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() != app && e.Name() != "server" && r.isOrHasHTML(dir, e, 3) }) {
		return dir
	}
	return browserDir
}

// isHTML reports whether name has the extension of an HTML file, such as ".html".
func isHTML(name string) bool {
	return slices.Contains([]string{".html", ".htm", ".xhtml"}, strings.ToLower(path.Ext(name)))
}

// hasHTML reports whether dir or its subfolders contain an HTML file. depth is the number of
// folder levels, including dir, in which it looks for any HTML file. In the folders one level
// deeper, it only looks for index.html.
func (r *reader) hasHTML(dir string, depth int) bool {
	if info, err := fs.Stat(r.root, path.Join(dir, "index.html")); err == nil && info.Mode().IsRegular() {
		return true // checked by name, so that a watch also notices when this file is created later
	}
	entries, _ := fs.ReadDir(r.root, dir)
	return depth > 0 && slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return r.isOrHasHTML(dir, e, depth-1) })
}

// isOrHasHTML reports whether e, an entry of the folder dir, is an HTML file, or a folder for which
// hasHTML with the given depth returns true.
func (r *reader) isOrHasHTML(dir string, e fs.DirEntry, depth int) bool {
	return e.Type().IsRegular() && isHTML(e.Name()) || e.IsDir() && r.hasHTML(path.Join(dir, e.Name()), depth)
}

// existingOrFirst returns the folders in dirs that exist. If none exists, it returns only the first
// folder.
func (r *reader) existingOrFirst(dirs ...string) []string {
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
