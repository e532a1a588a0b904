package walker

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/glob"
)

// HTMLFiles are the default include globs of a built site, and ContentFiles of content files. They
// match files by extension, in upper or lower case.
var (
	HTMLFiles    = AnyCase("html", "htm", "xhtml")
	ContentFiles = AnyCase("md", "markdown", "mdx", "html", "adoc", "org", "rst", "txt")
)

// Globs of the files and folders that every walk skips.
const (
	dotFiles    = "**/.*"
	dotFolders  = "**/.*/**"
	nodeModules = "**/node_modules/**"
)

// AnyCase returns one glob for each extension that matches all files with that extension, in upper
// or lower case: "**/*.[mM][dD]" for "md".
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

// Narrow restricts globs to the extensions of kinds, which is HTMLFiles or ContentFiles: "blog/**"
// with HTMLFiles matches only the HTML files in blog. A glob whose last segment has an extension,
// or no wildcard, stays unchanged.
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

// A Filter selects the files that match an include glob and no exclude glob. The globs have the
// syntax of package doublestar, and match the whole path relative to the tree.
//
// A Filter never selects a file whose name begins with a dot, or a file in a folder called
// node_modules or with a name that begins with a dot. Folders called .well-known are an exception.
type Filter struct {
	include, exclude glob.List
}

// NewFilter returns a Filter with the given globs. Without include globs, it includes HTMLFiles. If
// a glob is not valid, the error quotes the glob and gives the reason.
func NewFilter(include, exclude []string) (*Filter, error) {
	if len(include) == 0 {
		include = HTMLFiles
	}
	f := new(Filter)
	for i, pattern := range slices.Concat(include, exclude) {
		if wrong := findMistake(pattern); wrong != "" {
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

// findMistake returns why pattern does not match the intended files, and a correction, as the end
// of a sentence: `begins with "/"; write …`. It returns "" if it finds no mistake.
func findMistake(pattern string) string {
	switch {
	case pattern == "": // glob.New returns an error for it
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

// Match reports whether Walk with f visits the file at path. It is safe for concurrent use.
func (f *Filter) Match(path string) bool {
	return neverGlob(path) == "" && f.selectsFile(path)
}

// HasExcludes reports whether f has exclude globs.
func (f *Filter) HasExcludes() bool { return len(f.exclude) > 0 }

// Decide reports whether Walk with f visits the file at path, and returns the include or exclude
// glob that decides. The glob is "" if no include glob matches.
func (f *Filter) Decide(path string) (selected bool, by string) {
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

// neverGlob returns the built-in glob, such as "**/.*", that excludes path from every walk. It
// returns "" if no built-in glob matches.
func neverGlob(path string) string {
	for {
		name, rest, more := strings.Cut(path, "/")
		switch {
		case more && name == "node_modules":
			return nodeModules
		case more && !isWalkable(name):
			return dotFolders
		case !more && strings.HasPrefix(name, "."):
			return dotFiles
		case !more:
			return ""
		}
		path = rest
	}
}

// isWalkable reports whether a walk enters folders called name.
func isWalkable(name string) bool {
	return !strings.HasPrefix(name, ".") && name != "node_modules" || name == ".well-known"
}

// selectsFile is like Match for a file in a folder that a walk enters, which it does not check.
func (f *Filter) selectsFile(path string) bool {
	return f.exclude.FirstMatch(path) < 0 && f.include.FirstMatch(path) >= 0 && !strings.HasPrefix(base(path), ".")
}

// canSelectBelow reports whether the globs may select files below a folder. It does not check the
// names of the folder and the folders above.
func (f *Filter) canSelectBelow(folder string) bool {
	return !f.exclude.MatchesTree(folder) && f.include.CanMatchBelow(folder)
}

// Enters reports whether a walk with f reads the folder at the path folder, relative to the tree.
func (f *Filter) Enters(folder string) bool {
	above, name := path.Split(folder)
	return (above == "" || f.Enters(strings.TrimSuffix(above, "/"))) && isWalkable(name) && f.canSelectBelow(folder)
}
