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

// A Content says at which output file a generator writes the page of a content
// file. The zero Content maps by what most generators have in common: the
// file's own folder and name, its url, permalink and slug.
//
// Its methods depend on their arguments only and are safe for concurrent use.
type Content struct {
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

	// Drafts and Future say that the generator builds such pages too.
	Drafts, Future bool

	// Defaults are what the generator's configuration says of files that do not
	// say it themselves; a later one wins over an earlier.
	Defaults []Default

	// AliasKey is the key of front matter under which the generator takes a page's
	// former addresses and writes pages that lead to it; "" is none.
	AliasKey string

	by      placer
	indexes map[folder]bool // the index files; nil when they are not known

	// cascades are those of Hugo's configuration and index files, the deepest sections
	// first.
	cascades []sectionCascade
}

// A placer is what one generator does with content files. Each one embeds
// plain, which does what most of them have in common.
type placer interface {
	// output returns the file that is written for a content file; with a note, which
	// says why that cannot be known, it may be any.
	output(c *Content, s source, f *page.Facts) (out, note string)
	// notRendered returns why no page is written for a content file, by its name
	// or where it lies; "" when one is.
	notRendered(c *Content, s source) string
	// ending returns how the address of a content file's page ends, where its
	// output is not an index file.
	ending(c *Content, s source, f *page.Facts) mapping.Ending
	// since returns the date before which the page is not written.
	since(c *Content, s source, f *page.Facts) sitemap.Date
	// alias returns the file that leads to the page whose output is out; "" when
	// that cannot be known.
	alias(c *Content, s source, alias, out string) string
	// kind returns the type of a content file in the words of Defaults.
	kind(s source) string
	// logical returns a part of a path as it counts where translations are found.
	logical(part string) string
}

// places returns what the generator does, or what is done by none that is known.
func (c *Content) places() placer {
	if c.by == nil {
		return noGenerator
	}
	return c.by
}

// noGenerator is made once: each page asks.
var noGenerator placer = generic{plain{indexes: []string{"_index"}}}

// A Tree is one content folder.
type Tree struct {
	Dir    string // relative to the project's root, clean
	Prefix string // folder below the content's root, or of the output, that it stands for
	Lang   string // language of the files without a suffix of their own

	kind    string // what the generator makes of its files: "docs", "blog", "pages"
	numbers bool   // numbers that sort are left out of addresses
}

// A Language is one language of a site.
type Language struct {
	Name string // as in file suffixes and folders, lower case: "de"
	Code string // the tag for hreflang: "de-DE"
}

// A Default is what the generator's configuration says of all files of a scope.
type Default struct {
	Path  string     // beginning of a path, or a glob, below the project's root; "" is every file
	Type  string     // what kind returns; "" is every type
	Facts page.Facts // Permalink, Categories, Skip, URL.ChangeFreq and URL.Priority
	Pos   diag.Pos
}

// A folder names the index files of one folder in one language.
type folder struct{ dir, name, lang string }

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

// WithIndexFiles returns a copy of c that knows the index files among a tree's content
// files: nested sections and page bundles depend on them, and what Hugo's cascade passes
// down. Nothing else of the facts is kept.
func (c *Content) WithIndexFiles(files iter.Seq2[string, *page.Facts]) *Content {
	d := *c
	d.indexes = map[folder]bool{}
	for file, f := range files {
		if !IsIndex(file) {
			continue
		}
		s := c.source(file)
		d.indexes[folder{s.dir, s.name, s.lang}] = true
		for _, cascade := range f.Cascades {
			cascade.Pos.File = c.path(file)
			d.cascades = append(d.cascades, sectionCascade{s.dir, cascade})
		}
	}
	slices.SortStableFunc(d.cascades, func(a, b sectionCascade) int { return cmp.Compare(len(b.dir), len(a.dir)) })
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
	if note = cmp.Or(noPage(f), c.places().notRendered(c, s)); note != "" {
		return "", note, false
	}
	if out, note = c.places().output(c, s, f); note != "" {
		return "", note, false
	}
	return out, "", true
}

// Skip returns why the generator's conventions or its configuration leave a
// content file's page out, with the place or the words that say so; Listed when
// they do not. What the file says itself stands in its facts.
func (c *Content) Skip(file string, f *page.Facts) (r page.Reason, pos diag.Pos, note string) {
	if why := noPage(f); why != "" {
		return page.NotRendered, diag.Pos{}, why
	}
	s := c.source(file)
	if !c.Drafts && strings.Contains("/"+s.dir+"/", "/_drafts/") {
		return page.Draft, diag.Pos{}, "the file lies in _drafts"
	}
	if note := c.places().notRendered(c, s); note != "" {
		return page.NotRendered, diag.Pos{}, note
	}
	if h, ok := c.by.(*hugoRules); ok {
		return h.skip(c, s, f)
	}
	d := c.defaults(s)
	return d.Skip, d.SkipPos, d.SkipNote
}

// noPage says of a file that its front matter makes no page of it; "" otherwise.
func noPage(f *page.Facts) string {
	if f.Permalink != "" && slices.Contains(noPages, path.Ext(f.Permalink)) {
		return f.Permalink + " is not a page"
	}
	return ""
}

// noPages are what the names of files end in that templates make beside pages.
var noPages = []string{".xml", ".json", ".txt", ".css", ".js", ".webmanifest", ".ics", ".svg"}

// Given returns the change frequency and the priority that the generator's
// configuration gives to a file that has none itself.
func (c *Content) Given(file string) sitemap.URL {
	return c.defaults(c.source(file)).URL
}

// Since returns the date before which the generator writes no page for a
// content file, or the zero Date when it does not wait.
func (c *Content) Since(file string, f *page.Facts) sitemap.Date {
	if c.Future {
		return sitemap.Date{}
	}
	return c.places().since(c, c.source(file), f)
}

// Ending returns how the generator itself writes the address of a content
// file's page, whose output is not an index file: with .html or without. It is
// AnyEnding where the generator leaves that to the site.
func (c *Content) Ending(file, out string, f *page.Facts) mapping.Ending {
	name, ok := strings.CutSuffix(out, ".html")
	if !ok || name == "index" || strings.HasSuffix(name, "/index") {
		return mapping.AnyEnding
	}
	return c.places().ending(c, c.source(file), f)
}

// Aliases returns the files that the generator writes to lead to the page of a
// content file from its further addresses.
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
		if from := c.places().alias(c, c.source(file), alias, out); from != "" {
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
	return rooted("", alias)
}

// Translation returns the language that a content file is written in, by its
// suffix or its folder, and the key that it shares with its translations. When
// the site has no languages, the first is "" and the second what front matter
// says.
func (c *Content) Translation(file string, f *page.Facts) (lang, key string) {
	if len(c.Languages) == 0 {
		return "", f.TranslationKey
	}
	s := c.source(file)
	if f.TranslationKey != "" {
		return s.lang, f.TranslationKey
	}
	return s.lang, c.places().logical(path.Join("/", s.dir, s.name))
}

// PageTranslation returns the language and the key of a page that no content
// file speaks for: a generator may make homes, sections and lists without one,
// and those of one path are translations of each other. The key is "" for what
// cannot be one of them, as the further pages of a list.
func (c *Content) PageTranslation(out string) (lang, key string) {
	if h, ok := c.by.(*hugoRules); ok && len(c.Languages) > 1 {
		return h.translation(c, out)
	}
	return "", ""
}
