package generator

import (
	"cmp"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Content maps content files to the output files of their pages. The zero Content uses the
// rules that most generators share: the file's folder and name, its url, permalink and slug.
//
// Its methods are safe for concurrent use.
type Content struct {
	// Root is the base of the file names given to the methods, relative to the project. See At.
	Root string
	// Trees are the project's content folders. Any other file belongs to a tree at Root.
	Trees []Tree

	Languages       []Language // in the order of the generator's weights
	DefaultLanguage string
	Disabled        []string // languages that the generator leaves out, lower case
	DefaultInSubdir bool     // pages in the default language lie in a folder too
	Multihost       bool     // every language has its own base URL, and its own folder

	// Drafts and Future report that the generator builds such pages.
	Drafts, Future bool

	// Defaults are the configuration's defaults for files. Later ones take precedence.
	Defaults []Default

	// AliasKey is the front matter key of former addresses, at which the generator writes
	// redirects.
	AliasKey string

	rules   pathRules
	indexes map[folder]bool // the index files; nil if unknown

	// cascades are Hugo's, from its configuration and index files, the deepest sections first.
	cascades []sectionCascade
}

// A pathRules has the rules of one generator for content files. Each embeds plain, which has the
// common rules.
type pathRules interface {
	// outputFile returns the output file of a content file, or a note on why it is unknown.
	outputFile(c *Content, s source, f *page.Facts) (out, note string)
	// whyNotRendered returns why a content file of that name has no page, or "".
	whyNotRendered(c *Content, s source) string
	// ending returns the ending of a page's address whose output is not an index file.
	ending(c *Content, s source, f *page.Facts) mapping.Ending
	// publishDate returns the date before which the page is not written.
	publishDate(c *Content, s source, f *page.Facts) sitemap.Date
	// alias returns the redirect file of an alias of the page out, or "" if it is unknown.
	alias(c *Content, s source, alias, out string) string
	// defaultType returns the type of a content file in the words of Defaults.
	defaultType(s source) string
	// translationPath returns the part of a path that translations share.
	translationPath(part string) string
}

// rulesOrDefault returns the rules of the generator, or those for an unknown one.
func (c *Content) rulesOrDefault() pathRules {
	if c.rules == nil {
		return noGenerator
	}
	return c.rules
}

// noGenerator has the rules for an unknown generator.
var noGenerator pathRules = genericRules{plainRules{indexes: []string{"_index"}}}

// A Tree is one content folder.
type Tree struct {
	Dir    string // relative to the project's root, clean
	Prefix string // its folder below the content's root, or in the output
	Lang   string // language of the files without a suffix of their own

	kind    string // of its files: "docs", "blog", "pages"
	numbers bool   // numbers that sort are left out of addresses
}

// A Language is one language of a site.
type Language struct {
	Name string // as in file suffixes and folders, lower case: "de"
	Code string // the tag for hreflang: "de-DE"
}

// A Default has the configuration's defaults for the files of a scope.
type Default struct {
	Path  string     // beginning of a path, or a glob, below the project's root; "" is every file
	Type  string     // what kind returns; "" is every type
	Facts page.Facts // Permalink, Categories and Skip
	Pos   diag.Pos
}

// A folder names the index files of one folder in one language.
type folder struct{ dir, name, lang string }

// At returns c for file names relative to dir, a folder of the project.
func (c *Content) At(dir string) *Content {
	d := *c
	d.Root = path.Clean(dir)
	return &d
}

// Around returns c for file names relative to a folder around the project. project is the name
// of the project's folder there.
func (c *Content) Around(project string) *Content {
	d := *c
	d.Root, d.Trees = "", slices.Clone(c.Trees)
	for i := range d.Trees {
		d.Trees[i].Dir = path.Join(project, d.Trees[i].Dir)
	}
	return &d
}

// WithIndexFiles returns a copy of c with the index files of a tree, which decide nested
// sections, page bundles and Hugo's cascades.
func (c *Content) WithIndexFiles(files iter.Seq2[string, *page.Facts]) *Content {
	d := *c
	d.indexes = map[folder]bool{}
	for file, f := range files {
		if !IsIndex(file) {
			continue
		}
		s := c.parseSource(file)
		d.indexes[folder{s.dir, s.name, s.lang}] = true
		for _, cascade := range f.Cascades {
			cascade.Pos.File = c.projectPath(file)
			d.cascades = append(d.cascades, sectionCascade{s.dir, cascade})
		}
	}
	slices.SortStableFunc(d.cascades, func(a, b sectionCascade) int { return cmp.Compare(len(b.dir), len(a.dir)) })
	return &d
}

// IsIndex reports whether a content file is the index of its folder, which may place other files.
func IsIndex(file string) bool {
	stem, _, _ := strings.Cut(path.Base(file), ".")
	return stem == "index" || stem == "_index"
}

// Output returns the output file of a content file, below the publish folder:
// "posts/a/index.html". If it is unknown, ok is false, and note is the reason.
func (c *Content) Output(file string, f *page.Facts) (out, note string, ok bool) {
	s := c.parseSource(file)
	if s.name == "" {
		return "", "the file has no name before its extension", false
	}
	if note = cmp.Or(whyNoPage(f), c.rulesOrDefault().whyNotRendered(c, s)); note != "" {
		return "", note, false
	}
	if out, note = c.rulesOrDefault().outputFile(c, s, f); note != "" {
		return "", note, false
	}
	return out, "", true
}

// Skip returns why the generator's conventions or configuration leave out the page of a content
// file. The file's own front matter is in its facts.
func (c *Content) Skip(file string, f *page.Facts) (r page.Reason, pos diag.Pos, note string) {
	if why := whyNoPage(f); why != "" {
		return page.NotRendered, diag.Pos{}, why
	}
	s := c.parseSource(file)
	if !c.Drafts && strings.Contains("/"+s.dir+"/", "/_drafts/") {
		return page.Draft, diag.Pos{}, "the file lies in _drafts"
	}
	if note := c.rulesOrDefault().whyNotRendered(c, s); note != "" {
		return page.NotRendered, diag.Pos{}, note
	}
	if h, ok := c.rules.(*hugoRules); ok {
		return h.skip(c, s, f)
	}
	d := c.defaultsFor(s)
	return d.Skip, d.SkipPos, d.SkipNote
}

// whyNoPage returns why a permalink is not a page's, or "".
func whyNoPage(f *page.Facts) string {
	if f.Permalink != "" && slices.Contains(nonPageExts, path.Ext(f.Permalink)) {
		return f.Permalink + " is not a page"
	}
	return ""
}

// nonPageExts are extensions of files that templates write, but that are not pages.
var nonPageExts = []string{".xml", ".json", ".txt", ".css", ".js", ".webmanifest", ".ics", ".svg"}

// Since returns the date before which the generator writes no page for a content file, or the
// zero Date.
func (c *Content) Since(file string, f *page.Facts) sitemap.Date {
	if c.Future {
		return sitemap.Date{}
	}
	return c.rulesOrDefault().publishDate(c, c.parseSource(file), f)
}

// Ending returns how the generator's links to a page end: with .html or without. It returns
// AnyEnding for an index file, and if the site decides.
func (c *Content) Ending(file, out string, f *page.Facts) mapping.Ending {
	name, ok := strings.CutSuffix(out, ".html")
	if !ok || name == "index" || strings.HasSuffix(name, "/index") {
		return mapping.AnyEnding
	}
	return c.rulesOrDefault().ending(c, c.parseSource(file), f)
}

// Aliases returns the redirect files that the generator writes for the aliases of a content file.
func (c *Content) Aliases(file string, f *page.Facts) []string {
	if len(f.Aliases) == 0 {
		return nil
	}
	out, _, _ := c.Output(file, f)
	files := make([]string, 0, len(f.Aliases))
	for _, alias := range f.Aliases {
		if alias == "" {
			continue
		}
		if from := c.rulesOrDefault().alias(c, c.parseSource(file), alias, out); from != "" {
			files = append(files, from)
		}
	}
	return files
}

// aliasFile returns the file at a former address.
func aliasFile(alias string) string {
	if ext := path.Ext(alias); ext != ".html" && ext != ".htm" {
		alias += "/index.html"
	}
	return cleanPath("", alias)
}

// Translation returns the language of a content file, by its suffix or folder, and the key that
// it shares with its translations. Without languages, only front matter has a key.
func (c *Content) Translation(file string, f *page.Facts) (lang, key string) {
	if len(c.Languages) == 0 {
		return "", f.TranslationKey
	}
	s := c.parseSource(file)
	if f.TranslationKey != "" {
		return s.lang, f.TranslationKey
	}
	return s.lang, c.rulesOrDefault().translationPath(path.Join("/", s.dir, s.name))
}

// PageTranslation returns the language and the key of a page without a content file, such as a
// home, a section or a list. The key is "" if the page has no translations.
func (c *Content) PageTranslation(out string) (lang, key string) {
	if h, ok := c.rules.(*hugoRules); ok && len(c.Languages) > 1 {
		return h.translation(c, out)
	}
	return "", ""
}
