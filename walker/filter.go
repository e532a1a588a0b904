package walker

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/glob"
)

// HTMLFiles and ContentFiles are the default include globs of a built tree and of a content
// tree. They match file extensions in any case.
var (
	HTMLFiles    = AnyCase("html", "htm", "xhtml")
	ContentFiles = AnyCase("md", "markdown", "mdx", "html", "adoc", "org", "rst", "txt")
)

// Globs for the names that no walk enters.
const (
	dotFiles    = "**/.*"
	dotFolders  = "**/.*/**"
	nodeModules = "**/node_modules/**"
)

// AnyCase returns one glob for each extension. Each glob matches its extension in any case.
func AnyCase(extensions ...string) []string {
	globs := make([]string, len(extensions))
	for i, ext := range extensions {
		var b strings.Builder
		b.WriteString("**/*.")
		for _, c := range ext {
			b.WriteString("[" + string(c) + strings.ToUpper(string(c)) + "]")
		}
		globs[i] = b.String()
	}
	return globs
}

// Narrow restricts globs to the extensions of kinds, which is HTMLFiles or ContentFiles. A glob
// whose last part names an extension or a single file stays unchanged.
func Narrow(globs, kinds []string) (narrow []string) {
	for _, g := range globs {
		last := g[strings.LastIndexByte(g, '/')+1:]
		if !strings.ContainsAny(last, "*?[") || strings.Contains(last, ".") || strings.Count(last, "{") != strings.Count(last, "}") {
			narrow = append(narrow, g)
			continue
		}
		if last == "**" {
			g += "/*"
		}
		for _, kind := range kinds {
			narrow = append(narrow, g+strings.TrimPrefix(kind, "**/*"))
		}
	}
	return narrow
}

// A Filter selects files: a file must match an include glob and no exclude glob. The globs
// have the syntax of package doublestar and match the whole path. A Filter never selects
// files whose name begins with a dot, or files in node_modules and in folders whose name
// begins with a dot. It does select files in folders called .well-known.
type Filter struct {
	include, exclude glob.List
}

// NewFilter returns a filter for the globs. Without include globs, it uses HTMLFiles. The error
// quotes the first invalid glob and gives the reason.
func NewFilter(include, exclude []string) (*Filter, error) {
	if len(include) == 0 {
		include = HTMLFiles
	}
	f := new(Filter)
	for i, pattern := range slices.Concat(include, exclude) {
		if wrong := mistake(pattern); wrong != "" {
			return nil, fmt.Errorf("glob %q %s", pattern, wrong)
		}
		g, err := glob.New(pattern)
		if err != nil {
			return nil, fmt.Errorf("glob %w", err)
		}
		if i < len(include) {
			f.include = append(f.include, g)
		} else {
			f.exclude = append(f.exclude, g)
		}
	}
	return f, nil
}

// mistake returns why a pattern matches nothing or not the intended files, with a correction.
// It returns "" if it finds no mistake.
func mistake(pattern string) string {
	switch {
	case pattern == "": // glob.New reports it
		return ""
	case strings.HasPrefix(pattern, "!"):
		return `begins with "!"; write it under exclude without the "!", or "\\!" for a name that begins so`
	case strings.HasPrefix(pattern, "/"):
		return `begins with "/"; write the path relative to the folder that is walked`
	case strings.HasSuffix(pattern, "/"):
		return `ends in "/" and so matches no file; write "` + pattern + `**" for all files below the folder`
	}
	for part := range strings.SplitSeq(pattern, "/") {
		switch {
		case part == "." || part == ".." || part == "":
			return `has an empty, "." or ".." part; write the path as it is below the folder that is walked`
		case part != "**" && strings.Contains(part, "**") && !strings.ContainsAny(part, `{}[]\`):
			return `has "**" beside other characters, which matches like "*"; write "**/` + strings.ReplaceAll(part, "**", "*") + `"`
		}
	}
	return ""
}

// Match reports whether Walk visits the file at path. It is safe for concurrent use.
func (f *Filter) Match(path string) bool {
	return neverGlob(path) == "" && f.file(path)
}

// Excludes reports whether the filter has exclude globs.
func (f *Filter) Excludes() bool { return len(f.exclude) > 0 }

// Why reports whether Walk visits the file at path, and the glob that decides. by is "" if no
// include glob matches.
func (f *Filter) Why(path string) (in bool, by string) {
	if never := neverGlob(path); never != "" {
		return false, never
	}
	if i := f.exclude.FirstMatch(path); i >= 0 {
		return false, f.exclude[i].Pattern
	}
	if i := f.include.FirstMatch(path); i >= 0 {
		return true, f.include[i].Pattern
	}
	return false, ""
}

// neverGlob returns the built-in glob that excludes path from every walk, or "".
func neverGlob(path string) string {
	for {
		name, rest, more := strings.Cut(path, "/")
		switch {
		case more && name == "node_modules":
			return nodeModules
		case more && !walkable(name):
			return dotFolders
		case !more && strings.HasPrefix(name, "."):
			return dotFiles
		case !more:
			return ""
		}
		path = rest
	}
}

// walkable reports whether a walk enters folders with this name.
func walkable(name string) bool {
	return !strings.HasPrefix(name, ".") && name != "node_modules" || name == ".well-known"
}

// file reports whether the filter selects a file. The folder of the file must be one that a
// walk enters.
func (f *Filter) file(path string) bool {
	return f.exclude.FirstMatch(path) < 0 && f.include.FirstMatch(path) >= 0 && !strings.HasPrefix(base(path), ".")
}

// below reports whether a folder may contain selected files. The parent folder must be one that
// a walk enters.
func (f *Filter) below(folder string) bool {
	return !f.exclude.MatchesTree(folder) && f.include.CanMatchBelow(folder)
}

// Enters reports whether a walk reads the folder at the path.
func (f *Filter) Enters(folder string) bool {
	above, name := path.Split(folder)
	return (above == "" || f.Enters(strings.TrimSuffix(above, "/"))) && walkable(name) && f.below(folder)
}
