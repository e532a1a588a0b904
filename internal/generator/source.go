package generator

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/glob"
	"github.com/sitewalk/sitewalk/page"
)

// A source is a content file, with its path split into parts.
type source struct {
	file string // path relative to Mapping.Root
	tree Tree   // innermost content folder that contains the file
	dir  string // Tree.Prefix, followed by the folder in the tree: "blog/2024"; "" at the top
	name string // file name without extension and language suffix
	ext  string // extension with its dot: ".md"
	lang string // language of the file; "" if the site has no languages
}

// parseSource splits the path of a content file: "posts/a.de.md" into the folder "posts", the name
// "a", the extension ".md" and, if the site has the language "de", this language.
func (m *Mapping) parseSource(file string) source {
	file = path.Clean("/" + file)[1:]
	s := source{file: file, lang: m.DefaultLanguage}
	rest := file
	if t, below, ok := m.innermostTree(file); ok {
		s.tree, rest = t, below
		if t.Prefix != "" {
			rest = t.Prefix + "/" + below
		}
		if t.Lang != "" {
			s.lang = t.Lang
		}
	}
	s.dir, rest = path.Split(rest)
	s.dir = strings.TrimSuffix(s.dir, "/")
	s.name, s.ext = cutExt(rest)
	if stem, suffix := cutExt(s.name); suffix != "" && m.isLanguage(suffix[1:]) {
		s.name, s.lang = stem, strings.ToLower(suffix[1:])
	}
	return s
}

// pageExts lists extensions that some generators convert to pages. The list is not complete:
// walker.ContentFiles has further extensions, such as .rst.
var pageExts = []string{
	".astro", ".vue", ".svelte", ".jsx", ".tsx", ".njk", ".liquid", ".hbs", ".mustache", ".ejs", ".pug", ".haml", ".webc", ".html", ".md", ".mdx", ".qmd", ".ipynb",
}

// HasPageExt reports whether the extension of file is in pageExts, such as ".md".
func HasPageExt(file string) bool { return slices.Contains(pageExts, path.Ext(file)) }

// projectPath returns the path of a content file relative to the root of the project.
func (m *Mapping) projectPath(file string) string {
	if m.Root == "" || m.Root == "." {
		return file
	}
	return m.Root + "/" + file
}

// innermostTree returns the innermost content folder that contains file, and the path of file
// relative to that folder. ok is false if no content folder contains file.
func (m *Mapping) innermostTree(file string) (t Tree, below string, ok bool) {
	depth := -1
	for i := range m.Trees {
		dir := m.Trees[i].Dir
		rest, in := file, dir == m.Root
		if !in {
			rest, in = cutDir(m.projectPath(file), dir)
		}
		if in && len(dir) > depth {
			t, below, ok, depth = m.Trees[i], rest, true, len(dir)
		}
	}
	return t, below, ok
}

// cutDir returns the path of file relative to the folder dir: "a.md" for "docs/a.md" and "docs". ok
// is false if file is not in dir.
func cutDir(file, dir string) (rest string, ok bool) {
	if dir == "." {
		return file, true
	}
	if len(file) > len(dir) && file[len(dir)] == '/' && file[:len(dir)] == dir {
		return file[len(dir)+1:], true
	}
	return "", false
}

// isLanguage reports whether suffix is the name of one of the site's languages. Case does not
// matter.
func (m *Mapping) isLanguage(suffix string) bool {
	return slices.ContainsFunc(m.Languages, func(l Language) bool { return strings.EqualFold(l.Name, suffix) })
}

// langDir returns the output folder for the pages in lang, or "" if these pages have no language
// folder.
func (m *Mapping) langDir(lang string) string {
	if m.Multihost {
		if lang == m.PublishedLanguage {
			return ""
		}
		return lang
	}
	if lang == m.DefaultLanguage && !m.DefaultInSubdir || len(m.Languages) < 2 {
		return ""
	}
	return lang
}

// defaultsFor returns the default front matter values for a file, merged from all Defaults that
// match the file.
func (m *Mapping) defaultsFor(s source) (f page.Facts) {
	for i := range m.Defaults {
		d := &m.Defaults[i]
		if (d.Type == "" || d.Type == m.rulesOrDefault().defaultType(s)) && matchesFileOrParent(m.projectPath(s.file), d.Path) {
			f.Permalink = cmp.Or(d.Facts.Permalink, f.Permalink)
			if d.Facts.Categories != nil {
				f.Categories = d.Facts.Categories
			}
			if len(d.Facts.Skips) > 0 {
				f.Skips = d.Facts.Skips
			}
		}
	}
	return f
}

// matchesFileOrParent reports whether pattern, without its leading slash, matches the path file or
// one of its parent folders. A pattern without wildcards matches every path that begins with the
// pattern. Jekyll compares paths in this way.
func matchesFileOrParent(file, pattern string) bool {
	pattern = strings.TrimPrefix(pattern, "/")
	if !strings.ContainsAny(pattern, `*?[{\`) {
		return strings.HasPrefix(file, pattern)
	}
	for ; file != "."; file = path.Dir(file) {
		if glob.Match(pattern, file) {
			return true
		}
	}
	return false
}

// cutExt splits a file name before its extension: "a.md" into "a" and ".md".
func cutExt(name string) (stem, ext string) {
	ext = path.Ext(name)
	return strings.TrimSuffix(name, ext), ext
}

// beginsWithAny reports whether the first character of name is one of chars.
func beginsWithAny(name, chars string) bool { return strings.IndexAny(name, chars) == 0 }

// underscoreReason returns a reason if the name of the file or of a folder on its path begins with
// an underscore, because some generators ignore such names. Otherwise it returns "".
func underscoreReason(s source) string {
	for part := range strings.SplitSeq(s.dir+"/"+s.name, "/") {
		if strings.HasPrefix(part, "_") {
			return "files whose names begin with an underscore are not pages"
		}
	}
	return ""
}
