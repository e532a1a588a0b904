package mapping

import (
	"path"
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
	DefaultInSubdir bool // pages in the default language lie in a folder too
	Multihost       bool // every language has its own base URL, and its own folder

	// Defaults are fields that the generator's configuration gives to files
	// that do not have them, the later one wins.
	Defaults []Default

	// Section returns the facts of the _index file of a folder, whose path is
	// relative to its tree, or nil when it has none. A nil Section knows of no
	// folder whether it has one.
	Section func(dir string) *page.Facts

	Hugo   Hugo
	Jekyll Jekyll
	Plain  Plain
}

// A Tree is one content folder.
type Tree struct {
	Dir        string // relative to the project's root
	Prefix     string // folder below the content's root that it stands for
	Lang       string // language of the files without a suffix of their own
	Collection string // Jekyll collection, Docusaurus "blog"
}

// A Language is one language of a site.
type Language struct {
	Name    string // as in file suffixes and folders: "de"
	Code    string // the tag for hreflang: "de-DE"
	BaseURL string // "" for the site's own
	Pos     diag.Pos
}

// A Default is what the generator's configuration says of all files of a scope.
type Default struct {
	Path      string // folder, file or glob, relative to the project's root; "" is every file
	Type      string // Jekyll: "posts", "pages", "drafts" or a collection; "" is every type
	Permalink string
	Facts     page.Facts // URL.ChangeFreq, URL.Priority, Skip, Lang
	Pos       diag.Pos
}

// At returns c for file names that are relative to dir, a folder of the
// project.
func (c *Content) At(dir string) *Content {
	d := *c
	d.Root = path.Clean(dir)
	return &d
}

// Output returns the file that the generator writes for a content file, below
// the publish folder: "posts/a/index.html". It is false, with the reason, when
// that cannot be known.
func (c *Content) Output(file string, f *page.Facts) (out, note string, ok bool) {
	return strings.TrimSuffix(file, path.Ext(file)) + "/index.html", "", true
}

// Aliases returns the files that the generator writes to lead to the page of a
// content file from its former addresses.
func (c *Content) Aliases(file string, f *page.Facts) []string { return nil }

// NotRendered returns why the generator writes no page for a content file, by
// its name or its front matter, or false when it writes one.
func (c *Content) NotRendered(file string, f *page.Facts) (note string, no bool) { return "", false }

// Skip returns why the generator's conventions leave a content file's page
// out: Draft for a file in _drafts, NotRendered, or what a Default says, and
// the place or the words that say so. Listed is none of them.
func (c *Content) Skip(file string, f *page.Facts) (r page.Reason, pos diag.Pos, note string) {
	return page.Listed, diag.Pos{}, ""
}

// Given returns what the generator's configuration says of a file that does
// not say it itself: change frequency and priority.
func (c *Content) Given(file string) sitemap.URL { return sitemap.URL{} }

// Translation returns the language that a content file is written in and the
// key that it shares with its translations; "" when the site has no languages.
func (c *Content) Translation(file string, f *page.Facts) (lang, key string) { return "", "" }
