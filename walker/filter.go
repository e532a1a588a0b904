package walker

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/glob"
)

// HTMLFiles are the include globs for the pages of a built site. ContentFiles are the include globs
// for content files such as Markdown. Both match files by their extension, in upper or lower case.
var (
	HTMLFiles    = ExtensionGlobs("html", "htm", "xhtml")
	ContentFiles = ExtensionGlobs("md", "markdown", "mdx", "html", "adoc", "org", "rst", "txt")
)

// Globs that describe which files every walk leaves out; see BuiltInExclude. A folder called
// .well-known is an exception to dotFolders.
const (
	dotFiles    = "**/.*"
	dotFolders  = "**/.*/**"
	nodeModules = "**/node_modules/**"
)

// ExtensionGlobs returns one glob for each extension, which must be in lower case. The glob matches
// all files with that extension, in upper or lower case: "**/*.[mM][dD]" for "md".
func ExtensionGlobs(extensions ...string) []string {
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

// RestrictToExtensions adds the extensions of kinds to each glob whose last segment has a wildcard
// and no dot. kinds is HTMLFiles or ContentFiles. With HTMLFiles, "blog/**" becomes the globs for
// the HTML files in blog and below. Any other glob stays unchanged, such as "blog/*.php" or
// "blog/about", and also a glob with a slash inside of braces, such as "{blog/**,news}".
func RestrictToExtensions(globs, kinds []string) (narrow []string) {
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
// syntax of package doublestar. They match the whole path relative to the tree, such as
// "blog/a.html".
//
// A Filter never selects a file whose name begins with a dot. It also never selects a file in a
// folder called node_modules, or in a folder whose name begins with a dot. The folder .well-known
// is an exception.
type Filter struct {
	include, exclude glob.List
}

// NewFilter returns a Filter with the given globs. Without include globs, the Filter includes
// HTMLFiles. NewFilter returns an error for the first glob that is not valid, or that cannot match
// a path as it is written, such as "/blog/**". The error quotes the glob and contains the reason.
func NewFilter(include, exclude []string) (*Filter, error) {
	if len(include) == 0 {
		include = HTMLFiles
	}
	f := new(Filter)
	for i, pattern := range slices.Concat(include, exclude) {
		if wrong := findGlobMistake(pattern); wrong != "" {
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

// findGlobMistake returns the reason why pattern does not match the files that the user probably
// means, with a correction. For "/blog/**" it returns a text such as `begins with "/"; write …`. It
// returns "" if there is no mistake.
func findGlobMistake(pattern string) string {
	switch {
	case pattern == "": // glob.New returns an error for it
		return ""
	case strings.HasPrefix(pattern, "!"):
		return `begins with "!", which excludes nothing here; write files to leave out under exclude, with globs as narrow as needed, or "\\!" for a name that begins with "!"`
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

// Match reports whether f selects the file at path, which is relative to the tree. Walk visits only
// such files. Match is safe for concurrent use.
func (f *Filter) Match(path string) bool {
	return BuiltInExclude(path) == "" && f.selectsFile(path)
}

// Decide is like Match, and also returns the glob that decides: an include glob, an exclude glob,
// or a built-in glob such as "**/.*". If no glob matches, selected is false and glob is "".
func (f *Filter) Decide(path string) (selected bool, glob string) {
	if never := BuiltInExclude(path); never != "" {
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

// BuiltInExclude returns the built-in glob, such as "**/.*", that excludes the file at path from
// every walk. It returns "" if no built-in glob matches.
func BuiltInExclude(path string) string {
	for {
		name, rest, more := strings.Cut(path, "/")
		switch {
		case more && name == "node_modules":
			return nodeModules
		case more && !isWalkableName(name):
			return dotFolders
		case !more && strings.HasPrefix(name, "."):
			return dotFiles
		case !more:
			return ""
		}
		path = rest
	}
}

// isWalkableName reports whether a walk may enter folders with this name.
func isWalkableName(name string) bool {
	return !strings.HasPrefix(name, ".") && name != "node_modules" || name == ".well-known"
}

// selectsFile is like Match for a file whose folder is already known to be walkable. It does not
// check the names of the folders on the path.
func (f *Filter) selectsFile(path string) bool {
	return f.exclude.FirstMatch(path) < 0 && f.include.FirstMatch(path) >= 0 && !strings.HasPrefix(baseName(path), ".")
}

// canSelectBelow reports whether the globs can select a file in the folder or below. It does not
// check whether the names on the path are walkable.
func (f *Filter) canSelectBelow(folder string) bool {
	return !f.exclude.MatchesTree(folder) && f.include.CanMatchBelow(folder)
}

// Enters reports whether a walk with f reads the folder at the path folder, which is relative to
// the tree and not "".
func (f *Filter) Enters(folder string) bool {
	above, name := path.Split(folder)
	return (above == "" || f.Enters(strings.TrimSuffix(above, "/"))) && isWalkableName(name) && f.canSelectBelow(folder)
}
