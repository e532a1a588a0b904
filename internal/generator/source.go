package generator

import (
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/glob"
	"github.com/sitewalk/sitewalk/page"
)

// A source is the parsed name of a content file.
type source struct {
	file string // below the content's root
	tree Tree
	dir  string // below the content's root, "" at the top
	name string // without extension and language
	ext  string // with its dot
	lang string // "" when the site has no languages
}

// parseSource parses the name of a content file.
func (c *Content) parseSource(file string) source {
	file = path.Clean("/" + file)[1:]
	s := source{file: file, lang: c.DefaultLanguage}
	rest := file
	if t, below, ok := c.treeOf(file); ok {
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
	if stem, suffix := cutExt(s.name); suffix != "" && c.isLanguage(suffix[1:]) {
		s.name, s.lang = stem, strings.ToLower(suffix[1:])
	}
	return s
}

// pageExts are the extensions of files that generators run or render.
var pageExts = []string{
	".astro", ".vue", ".svelte", ".jsx", ".tsx", ".njk", ".liquid", ".hbs", ".mustache", ".ejs", ".pug", ".haml", ".webc", ".html", ".md", ".mdx", ".qmd", ".ipynb",
}

// MakesPage reports whether generators make pages of files with this extension.
func MakesPage(file string) bool { return slices.Contains(pageExts, path.Ext(file)) }

// projectPath returns the path of a file below the project's root.
func (c *Content) projectPath(file string) string {
	if c.Root == "" || c.Root == "." {
		return file
	}
	return c.Root + "/" + file
}

// treeOf returns the innermost content folder around a file, and the path below it.
func (c *Content) treeOf(file string) (t Tree, below string, ok bool) {
	depth := -1
	for i := range c.Trees {
		dir := c.Trees[i].Dir
		rest, in := file, dir == c.Root
		if !in {
			rest, in = cutDir(c.projectPath(file), dir)
		}
		if in && len(dir) > depth {
			t, below, ok, depth = c.Trees[i], rest, true, len(dir)
		}
	}
	return t, below, ok
}

// cutDir returns the path below a folder.
func cutDir(file, dir string) (rest string, ok bool) {
	if dir == "." {
		return file, true
	}
	if len(file) > len(dir) && file[len(dir)] == '/' && file[:len(dir)] == dir {
		return file[len(dir)+1:], true
	}
	return "", false
}

// isLanguage reports whether a suffix is one of the site's languages.
func (c *Content) isLanguage(suffix string) bool {
	return slices.ContainsFunc(c.Languages, func(l Language) bool { return strings.EqualFold(l.Name, suffix) })
}

// langDir returns the folder of a language's pages.
func (c *Content) langDir(lang string) string {
	if c.Multihost {
		return lang
	}
	if lang == c.DefaultLanguage && !c.DefaultInSubdir || len(c.Languages) < 2 {
		return ""
	}
	return lang
}

// defaultsFor merges the defaults of the configuration for a file.
func (c *Content) defaultsFor(s source) (f page.Facts) {
	for i := range c.Defaults {
		d := &c.Defaults[i]
		if (d.Type == "" || d.Type == c.rulesOrDefault().defaultType(s)) && matchesStart(c.projectPath(s.file), d.Path) {
			f = mergeDefault(d, f)
		}
	}
	return f
}

// matchesStart reports whether a path begins with a pattern or glob, as Jekyll and Hexo compare them.
func matchesStart(file, pattern string) bool {
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

// mergeDefault merges a default into earlier ones.
func mergeDefault(d *Default, f page.Facts) page.Facts {
	if d.Facts.Permalink != "" {
		f.Permalink = d.Facts.Permalink
	}
	if d.Facts.Categories != nil {
		f.Categories = d.Facts.Categories
	}
	if d.Facts.Skip != page.Listed {
		f.Skip, f.SkipPos, f.SkipNote = d.Facts.Skip, d.Pos, d.Facts.SkipNote
	}
	return f
}

// cutExt cuts a name before its extension.
func cutExt(name string) (stem, ext string) {
	ext = path.Ext(name)
	return strings.TrimSuffix(name, ext), ext
}

// beginsWithAny reports whether a name begins with one of the characters.
func beginsWithAny(name, chars string) bool { return strings.IndexAny(name, chars) == 0 }

// underscoreNote returns the reason of generators that leave out names with an underscore.
func underscoreNote(s source) string {
	for part := range strings.SplitSeq(s.dir+"/"+s.name, "/") {
		if strings.HasPrefix(part, "_") {
			return "names that begin with an underscore are no pages"
		}
	}
	return ""
}
