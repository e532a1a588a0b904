package mapping

import (
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Content says at which output file a generator writes the page of a content
// file. The zero Content maps by what most generators have in common: the
// file's own folder and name, its url, permalink and slug.
//
// Its methods depend on their arguments only and are safe for concurrent use.
type Content struct {
	Generator string // "hugo", "jekyll", "mkdocs", …; "" is none that is known

	// Root is the folder that the file names given to the methods are relative
	// to, itself relative to the project. See At.
	Root string
	// Trees are the project's content folders. A file below none of them lies
	// in a single one at Root.
	Trees []Tree

	Languages       []Language // in the order of the generator's weights
	DefaultLanguage string
	Disabled        []string // languages that the generator leaves out, lower case
	DefaultInSubdir bool     // pages in the default language lie in a folder too
	Multihost       bool     // every language has its own base URL, and its own folder

	// Drafts, Future and Expired say that the generator builds such pages too.
	Drafts, Future, Expired bool

	// Defaults are what the generator's configuration says of files that do not
	// say it themselves; a later one wins over an earlier.
	Defaults []Default

	Hugo   Hugo
	Jekyll Jekyll
	Plain  Plain

	folders map[folder]index // nil when they are not known
}

// A Tree is one content folder.
type Tree struct {
	Dir    string // relative to the project's root, clean
	Prefix string // folder below the content's root, or of the output, that it stands for
	Lang   string // language of the files without a suffix of their own

	// In Docusaurus.
	Kind    string // "docs", "blog" or "pages"
	Numbers bool   // numbers that sort are left out of addresses
}

// A Language is one language of a site.
type Language struct {
	Name    string // as in file suffixes and folders, lower case: "de"
	Code    string // the tag for hreflang: "de-DE"
	BaseURL string // "" for the site's own
	Pos     diag.Pos
}

// A Default is what the generator's configuration says of all files of a scope.
type Default struct {
	Path  string     // beginning of a path, or a glob, below the project's root; "" is every file
	Type  string     // Jekyll's "posts", "pages", "drafts" or a collection; "" is every type
	Facts page.Facts // Permalink, Categories, Skip, URL.ChangeFreq and URL.Priority
	Pos   diag.Pos
}

// A folder names the index files of one folder in one language.
type folder struct{ dir, name, lang string }

// An index is what an index file says of its folder.
type index struct{ slug, title string }

// At returns c for file names that are relative to dir, a folder of the
// project.
func (c *Content) At(dir string) *Content {
	d := *c
	d.Root = path.Clean(dir)
	return &d
}

// Around returns c for file names that are relative to a folder around the
// project, whose own folder is called project there.
func (c *Content) Around(project string) *Content {
	d := *c
	d.Root, d.Trees = "", slices.Clone(c.Trees)
	for i := range d.Trees {
		d.Trees[i].Dir = path.Join(project, d.Trees[i].Dir)
	}
	return &d
}

// With returns c knowing the index files among a tree's content files. Without
// them Hugo's nested sections, and the files that belong to a leaf bundle, are
// not known. It keeps none of the facts.
func (c *Content) With(files iter.Seq2[string, *page.Facts]) *Content {
	d := *c
	d.folders = map[folder]index{}
	for file, f := range files {
		if IsIndex(file) {
			s := c.source(file)
			d.folders[folder{s.dir, s.name, s.lang}] = index{f.Slug, f.Title}
		}
	}
	return &d
}

// IsIndex reports whether a content file speaks for its folder, so that what it
// says may place others.
func IsIndex(file string) bool {
	stem, _, _ := strings.Cut(path.Base(file), ".")
	return stem == "index" || stem == "_index"
}

// Output returns the file that the generator writes for a content file, below
// the publish folder: "posts/a/index.html". It is false, with the reason, when
// that cannot be known.
func (c *Content) Output(file string, f *page.Facts) (out, note string, ok bool) {
	s := c.source(file)
	if s.name == "" {
		return "", "the file has no name before its extension", false
	}
	switch c.Generator {
	case "hugo":
		out, note = c.hugoOutput(s, f)
	case "jekyll":
		out, note = c.jekyllOutput(s, f)
	case "zola":
		out, note = c.zolaOutput(s, f)
	case "docusaurus":
		out, note = c.docusaurusOutput(s, f)
	default:
		out, note = c.plainOutput(s, f)
	}
	return out, note, note == ""
}

// NotRendered returns why the generator writes no page for a content file, by
// its name or where it lies, or false when it writes one.
func (c *Content) NotRendered(file string, f *page.Facts) (note string, no bool) {
	note = c.notRendered(c.source(file))
	return note, note != ""
}

func (c *Content) notRendered(s source) string {
	switch c.Generator {
	case "hugo":
		return c.hugoNotRendered(s)
	case "jekyll":
		return c.jekyllNotRendered(s)
	case "astro", "docusaurus":
		return underscored(s)
	}
	return ""
}

// Skip returns why the generator's conventions or its configuration leave a
// content file's page out, with the place or the words that say so; Listed when
// they do not. What the file says itself stands in its facts.
func (c *Content) Skip(file string, f *page.Facts) (r page.Reason, pos diag.Pos, note string) {
	s := c.source(file)
	if note := c.notRendered(s); note != "" {
		return page.NotRendered, diag.Pos{}, note
	}
	if !c.Drafts && strings.Contains("/"+s.dir+"/", "/_drafts/") {
		return page.Draft, diag.Pos{}, "the file lies in _drafts"
	}
	d := c.defaults(s)
	return d.Skip, d.SkipPos, d.SkipNote
}

// Given returns the change frequency and the priority that the generator's
// configuration gives to a file that has none itself.
func (c *Content) Given(file string) sitemap.URL {
	if len(c.Defaults) == 0 {
		return sitemap.URL{}
	}
	return c.defaults(c.source(file)).URL
}

// Since returns the date before which the generator writes no page for a
// content file, or the zero Date when it does not wait.
func (c *Content) Since(file string, f *page.Facts) sitemap.Date {
	switch {
	case c.Future:
		return sitemap.Date{}
	case c.Generator == "jekyll":
		return c.jekyllSince(c.source(file), f)
	case c.Generator == "hugo" && f.Publish.IsZero():
		return f.Date
	}
	return f.Publish
}

// defaults folds what the configuration says of a file.
func (c *Content) defaults(s source) page.Facts {
	if len(c.Defaults) == 0 {
		return page.Facts{}
	}
	kind := ""
	if c.Generator == "jekyll" {
		kind = c.jekyllDoc(s).kind
	}
	return c.defaultsOf(s, kind)
}
