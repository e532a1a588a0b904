package walker

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/glob"
)

// HTMLFiles and ContentFiles are the files that are selected without include
// globs, in a built tree and in a content tree: by their extension, in any
// case.
var (
	HTMLFiles    = AnyCase("html", "htm", "xhtml")
	ContentFiles = AnyCase("md", "markdown", "mdx", "html", "adoc", "org", "rst", "txt")
)

// Globs that stand for what no walk ever enters.
const (
	dotFiles    = "**/.*"
	dotFolders  = "**/.*/**"
	nodeModules = "**/node_modules/**"
)

// AnyCase returns a glob for each extension that matches it in any case.
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

// Narrow returns globs that select, of what those given do, only files of the kinds that
// HTMLFiles or ContentFiles are. A glob whose end names an extension, or one file, stays
// as it is: it selects other files, too.
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

// A Filter says which files of a tree are wanted: those that an include glob
// matches and no exclude glob. Globs are those of doublestar, matched against
// the whole path. Names that begin with a dot, other than folders called
// .well-known, and folders called node_modules are never wanted.
type Filter struct {
	include, exclude glob.List
}

// NewFilter returns the filter of these globs; without include globs it
// includes HTMLFiles. The error quotes the first bad glob and says what is
// wrong with it.
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

// mistake says what is wrong with a pattern that is one, and what would be right,
// or "": it would match nothing, or not what its author meant.
func mistake(pattern string) string {
	switch {
	case pattern == "": // as the glob itself says
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

// Match reports whether Walk delivers a file of that path. It is safe for
// concurrent use.
func (f *Filter) Match(path string) bool {
	return neverGlob(path) == "" && f.file(path)
}

// Excludes reports whether the filter has globs of its own that leave files out.
func (f *Filter) Excludes() bool { return len(f.exclude) > 0 }

// Why says whether Walk delivers a file of that path, and by which glob: the
// include that matches, or the exclude that does, or "" when no include
// matches.
func (f *Filter) Why(path string) (in bool, by string) {
	if never := neverGlob(path); never != "" {
		return false, never
	}
	if i := f.exclude.First(path); i >= 0 {
		return false, f.exclude[i].Pattern
	}
	if i := f.include.First(path); i >= 0 {
		return true, f.include[i].Pattern
	}
	return false, ""
}

// neverGlob returns the glob by which the path is never walked, or "".
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

// walkable reports whether folders of that name are walked.
func walkable(name string) bool {
	return !strings.HasPrefix(name, ".") && name != "node_modules" || name == ".well-known"
}

// file reports whether a file in a folder that is walked is wanted.
func (f *Filter) file(path string) bool {
	return f.exclude.First(path) < 0 && f.include.First(path) >= 0 && !strings.HasPrefix(base(path), ".")
}

// below reports whether a folder, in a folder that is walked, can hold files
// that are wanted.
func (f *Filter) below(folder string) bool {
	return !f.exclude.MatchesTree(folder) && f.include.CanMatchBelow(folder)
}

// Enters reports whether a walk reads the folder of that path.
func (f *Filter) Enters(folder string) bool {
	above, name := path.Split(folder)
	return (above == "" || f.Enters(strings.TrimSuffix(above, "/"))) && walkable(name) && f.below(folder)
}
