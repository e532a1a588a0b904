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

// A Mapping maps content files to the output files of their pages: "posts/a.md" to
// "posts/a/index.html". The zero Mapping maps a file by its folder and name, and by the permalink
// and slug in its front matter. Its methods are safe for concurrent use.
type Mapping struct {
	// The methods accept file names relative to the folder Root. Root is a path below the root of
	// the project, such as "content".
	Root string
	// Trees are the content folders. A file outside of all trees is mapped as if Root were a
	// content folder.
	Trees []Tree

	Languages         []Language // languages of the site, in the generator's order
	DefaultLanguage   string
	DisabledLanguages []string // names of languages that the generator does not build, in lower case
	DefaultInSubdir   bool     // pages in the default language also have a language folder
	Multihost         bool     // each language has a folder that is served at a separate base URL

	// PublishedLanguage is the language whose folder is the publish directory. It is "" if the
	// publish directory contains the folders of all languages, or if Multihost is false.
	PublishedLanguage string

	// If Drafts is true, the generator builds drafts. If Future is true, it builds pages with a
	// date in the future.
	Drafts, Future bool

	// Defaults are the default values that the configuration sets for the front matter of files. A
	// later Default overrides an earlier one.
	Defaults []Default

	// AliasKey is the front matter key that lists former URLs of a page, such as "aliases". The
	// generator writes redirects from these URLs. AliasKey is "" if there is no such key.
	AliasKey string

	// RedirectMap names the setting that redirects the URLs of former content files, and its file:
	// "redirect_maps in mkdocs.yml". It is "" if the project has no such setting.
	RedirectMap string

	rules   pathRules
	indexes map[indexKey]bool // index files of the content; nil if they are unknown

	// cascades are the values of Hugo's key "cascade". Each value has settings for all pages of a
	// section. The values come from the configuration and from index files. Values of inner
	// sections come first.
	cascades []sectionCascade
}

// A pathRules contains the rules of one generator that map content files to output files. Most
// implementations embed plainRules, which contains common rules.
type pathRules interface {
	// outputFile returns the output file of a content file, such as "posts/a/index.html". If
	// whyUnknown is not "", the output file is unknown, and whyUnknown is the reason.
	outputFile(m *Mapping, s source, f *page.Facts) (out, whyUnknown string)
	// whyNotRendered returns the reason why the generator writes no page for a file with this
	// name, or "".
	whyNotRendered(m *Mapping, s source) string
	// linkEnding returns the ending of URLs in the generator's links to a page, such as
	// mapping.Bare. It is called only for a page with an output file such as "a.html", not for
	// "a/index.html".
	linkEnding(m *Mapping, s source, f *page.Facts) mapping.Ending
	// publishDate returns the date before which the generator does not write the page, or the zero
	// Date if there is none.
	publishDate(m *Mapping, s source, f *page.Facts) sitemap.Date
	// redirectFile returns the output file that redirects from an alias, a former URL of the page.
	// out is the output file of the page, or "" if it is unknown. The result is "" if the
	// redirecting file is unknown.
	redirectFile(m *Mapping, s source, alias, out string) string
	// defaultType returns the type of a content file, such as "posts". A Default with a Type
	// applies only to files of this type.
	defaultType(s source) string
	// translationPath returns the path that all translations of a page share. contentPath is the
	// folder and name of one translation, without its extension and language suffix: "/posts/a".
	translationPath(contentPath string) string
}

// rulesOrDefault returns m.rules, or the rules for an unknown generator if m.rules is nil.
func (m *Mapping) rulesOrDefault() pathRules {
	if m.rules == nil {
		return noGenerator
	}
	return m.rules
}

// noGenerator contains the rules for an unknown generator. Files called "index" and "_index" are
// the pages of their folders.
var noGenerator pathRules = genericRules{plainRules{indexes: []string{"_index"}}}

// A Tree is a content folder with all files below it.
type Tree struct {
	Dir    string // path relative to the root of the project, cleaned
	Prefix string // path that replaces Dir in output files: "blog"
	Lang   string // language of files without a language suffix in their name

	kind         string // type of its files, such as "docs" or "collection"; the values depend on the generator
	trimsNumbers bool   // remove leading numbers, which sort files, from URLs
}

// A Language is one language of a site.
type Language struct {
	Name string // name in file suffixes and folders, such as "de"; in lower case for Hugo
	Code string // language tag for hreflang: "de-DE"
}

// A Default contains default front matter values for all files that match Path and Type.
type Default struct {
	Path  string     // prefix or glob of paths below the root of the project; "" matches every file
	Type  string     // value of pathRules.defaultType, such as "posts"; "" matches every type
	Facts page.Facts // only Permalink, Categories and Skips are used
}

// An indexKey identifies an index file by its folder, its name and its language.
type indexKey struct{ dir, name, lang string }

// RelativeTo returns a copy of m whose Root is dir, a folder of the project.
func (m *Mapping) RelativeTo(dir string) *Mapping {
	d := *m
	d.Root = path.Clean(dir)
	return &d
}

// RelativeToParent returns a copy of m for file names that are relative to a folder above the
// project. project is the path of the project below that folder.
func (m *Mapping) RelativeToParent(project string) *Mapping {
	d := *m
	d.Root, d.Trees, d.Defaults = "", slices.Clone(m.Trees), slices.Clone(m.Defaults)
	for i := range d.Trees {
		d.Trees[i].Dir = path.Join(project, d.Trees[i].Dir)
	}
	for i := range d.Defaults {
		if p := &d.Defaults[i].Path; strings.HasSuffix(*p, "/") {
			*p = path.Join(project, *p) + "/"
		} else if *p != "" {
			*p = path.Join(project, *p)
		}
	}
	return &d
}

// WithIndexFiles returns a copy of m that also uses the index files among files, such as
// "posts/_index.md". Index files determine nested sections, page bundles and Hugo's cascades. files
// yields all content files with their facts.
func (m *Mapping) WithIndexFiles(files iter.Seq2[string, *page.Facts]) *Mapping {
	d := *m
	d.indexes, d.cascades = map[indexKey]bool{}, slices.Clone(m.cascades)
	for file, f := range files {
		if stem, _, _ := strings.Cut(path.Base(file), "."); stem != "index" && stem != "_index" {
			continue
		}
		s := m.parseSource(file)
		d.indexes[indexKey{s.dir, s.name, s.lang}] = true
		for _, cascade := range f.Cascades {
			cascade.Pos.File = m.projectPath(file)
			d.cascades = append(d.cascades, sectionCascade{s.dir, cascade})
		}
	}
	slices.SortStableFunc(d.cascades, func(a, b sectionCascade) int { return cmp.Compare(len(b.dir), len(a.dir)) })
	return &d
}

// OutputFile returns the output file of a content file, relative to the publish directory:
// "posts/a/index.html". If the output file is unknown, or the generator writes no page, ok is
// false, and whyUnknown is the reason.
func (m *Mapping) OutputFile(file string, f *page.Facts) (out, whyUnknown string, ok bool) {
	s := m.parseSource(file)
	if s.name == "" {
		return "", "the file has no name before its extension", false
	}
	if whyUnknown = cmp.Or(whyPermalinkIsNoPage(f), m.rulesOrDefault().whyNotRendered(m, s)); whyUnknown != "" {
		return "", whyUnknown, false
	}
	if out, whyUnknown = m.rulesOrDefault().outputFile(m, s, f); whyUnknown != "" {
		return "", whyUnknown, false
	}
	return out, "", true
}

// UndatedOutput returns the output file of a content file, with "0" in place of each part of the
// date: "0/0/0/a/index.html". The result is "" if the output file does not depend on the date in
// the front matter, or depends on another value that is unknown.
func (m *Mapping) UndatedOutput(file string, f *page.Facts) string {
	undated := *f
	undated.Date = sitemap.Date{}
	out, whyUnknown := m.rulesOrDefault().outputFile(m, m.parseSource(file), &undated)
	if whyUnknown != whyNoDate {
		return ""
	}
	return out
}

// whyNoDate is the reason that outputFile of Jekyll and Hexo returns if only the date of a page is
// unknown. The output file then contains noDate in place of each part of the date.
const (
	noDate    = "0"
	whyNoDate = "the permalink needs a date, and neither front matter nor name has one"
)

// GeneratorSkipReason returns the reason why the page of a content file is not listed, or
// page.Listed. It finds reasons in the generator's configuration, and in the file's name and
// permalink. It does not return the reasons in f.Skips. pos is the position of the setting that
// excludes the page, or the zero Pos if no setting does. note is the text of this setting, such as
// "sitemap: false", or an explanation.
func (m *Mapping) GeneratorSkipReason(file string, f *page.Facts) (r page.Reason, pos diag.Pos, note string) {
	if why := whyPermalinkIsNoPage(f); why != "" {
		return page.NotRendered, diag.Pos{}, why
	}
	s := m.parseSource(file)
	if !m.Drafts && strings.Contains("/"+s.dir+"/", "/_drafts/") {
		return page.Draft, diag.Pos{}, "the file is in _drafts"
	}
	if note := m.rulesOrDefault().whyNotRendered(m, s); note != "" {
		return page.NotRendered, diag.Pos{}, note
	}
	if h, ok := m.rules.(*hugoRules); ok {
		return h.skipReason(m, s, f)
	}
	d := m.defaultsFor(s)
	first := d.Skips.First()
	return first.Reason, first.Pos, first.Note
}

// whyPermalinkIsNoPage returns a reason if the permalink in f has an extension that no page has,
// such as ".xml". Otherwise it returns "".
func whyPermalinkIsNoPage(f *page.Facts) string {
	if f.Permalink != "" && slices.Contains(nonPageExts, path.Ext(f.Permalink)) {
		return f.Permalink + " is not a page"
	}
	return ""
}

// nonPageExts lists extensions of files that templates may write, but that are not pages.
var nonPageExts = []string{".xml", ".json", ".txt", ".css", ".js", ".webmanifest", ".ics", ".svg"}

// PublishDate returns the date before which the generator does not write a page for a content file.
// It returns the zero Date if there is none, or if the generator also builds pages with a date in
// the future.
func (m *Mapping) PublishDate(file string, f *page.Facts) sitemap.Date {
	if m.Future {
		return sitemap.Date{}
	}
	return m.rulesOrDefault().publishDate(m, m.parseSource(file), f)
}

// LinkEnding returns the ending of URLs in the generator's links to a page, such as
// mapping.FileName for ".html". out is the output file of the page. The result is mapping.NoEnding
// if the ending is unknown, if out is an index file, or if out does not end in ".html".
func (m *Mapping) LinkEnding(file, out string, f *page.Facts) mapping.Ending {
	if !isFlatPage(out) {
		return mapping.NoEnding
	}
	return m.rulesOrDefault().linkEnding(m, m.parseSource(file), f)
}

// PageEnding returns the ending of URLs in the generator's links to a page whose content file is
// unknown. out is the output file. Only VitePress has a setting that applies to all pages,
// cleanUrls. For other generators, the result is mapping.NoEnding.
func (m *Mapping) PageEnding(out string) mapping.Ending {
	if v, ok := m.rules.(vitepressRules); ok && isFlatPage(out) {
		return v.ends
	}
	return mapping.NoEnding
}

// isFlatPage reports whether an output file is a page such as "a.html", but not "a/index.html".
func isFlatPage(out string) bool {
	return strings.HasSuffix(out, ".html") && path.Base(out) != "index.html"
}

// AliasFiles returns the output files that redirect from the aliases in f, the former URLs of a
// page. It leaves out an empty alias, and an alias whose output file is unknown.
func (m *Mapping) AliasFiles(file string, f *page.Facts) []string {
	if len(f.Aliases) == 0 {
		return nil
	}
	out, _, _ := m.OutputFile(file, f)
	files := make([]string, 0, len(f.Aliases))
	for _, alias := range f.Aliases {
		if alias == "" {
			continue
		}
		if from := m.rulesOrDefault().redirectFile(m, m.parseSource(file), alias, out); from != "" {
			files = append(files, from)
		}
	}
	return files
}

// aliasFile returns the file of a page that redirects from alias, a former URL path: "/old" gives
// "old/index.html", and "/old.html" gives "old.html".
func aliasFile(alias string) string {
	if ext := path.Ext(alias); ext != ".html" && ext != ".htm" {
		alias += "/index.html"
	}
	return joinPath("", alias)
}

// Translation returns the language of a content file, and a key that is the same for all
// translations of the file. For a site without languages, lang is "", and key is the translation
// key in the front matter, or "".
func (m *Mapping) Translation(file string, f *page.Facts) (lang, key string) {
	if len(m.Languages) == 0 {
		return "", f.TranslationKey
	}
	s := m.parseSource(file)
	if f.TranslationKey != "" {
		return s.lang, f.TranslationKey
	}
	return s.lang, m.rulesOrDefault().translationPath(path.Join("/", s.dir, s.name))
}

// FirstPageOfList returns the output file of the first page of a list, if out is the output file of
// a further page: "posts/index.html" for "posts/page/2/index.html". It returns "" for other pages,
// and for all generators except Hugo.
func (m *Mapping) FirstPageOfList(out string) string {
	dir, isIndex := strings.CutSuffix(out, "/index.html")
	if h, ok := m.rules.(*hugoRules); ok && isIndex && h.isPagerDir(dir) {
		return path.Join(path.Dir(path.Dir(dir)), "index.html")
	}
	return ""
}

// PageTranslation returns the language and the translation key of a page without a content file,
// such as a home page or a list. out is the output file of the page. Both results are "" if the
// site does not have several languages, or if the generator is not Hugo. They are also "" if out is
// not an index page.
func (m *Mapping) PageTranslation(out string) (lang, key string) {
	if h, ok := m.rules.(*hugoRules); ok && len(m.Languages) > 1 {
		return h.pageTranslation(m, out)
	}
	return "", ""
}
