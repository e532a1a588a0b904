package generator

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

var eleventy = generator{
	name: "eleventy", files: []string{".eleventy.*", "eleventy.config.*", "buildawesome.config.*"}, read: (*reader).readEleventy, templates: []string{"njk", "liquid"}, npm: "@11ty/eleventy @awesome.me/buildawesome",
	sitemapHint: "remove the sitemap plugin or template",
	archives:    []string{"/tags/**"},
	front: frontmatter.Conventions{
		Fences: nodeFront.Fences, NameDate: frontmatter.DateAnywhereInPath, TitleInURL: true, AllowsScripts: true,
		// These values of the key "date" are not dates, but tell Eleventy where to find the date.
		// See https://www.11ty.dev/docs/dates/
		NoDateWords: []string{"last modified", "created", "git last modified", "git created"},
	},
}

// readEleventy reads the folders of an Eleventy project. The configuration returns or exports their
// names, or sets them with methods such as setInputDirectory.
// See https://www.11ty.dev/docs/config/
func (r *reader) readEleventy(p *Project, c config) {
	s := c.script
	dir := c.at("dir").merge(s.names.at("config").at("dir"))
	folder := func(key, defaultDir string) string {
		method := "set" + strings.ToUpper(key[:1]) + key[1:] + "Directory"
		return p.resolveFolder("dir."+key, firstString(s.onlyCallArgument(method), dir.at(key)), defaultDir)
	}
	in := folder("input", ".")
	p.Publish = []string{folder("output", "_site")}
	p.Mapping.Trees = []Tree{{Dir: in}}
	r.setBaseURL(p, "", nil, p.addSetting("pathPrefix", firstString(c.at("pathPrefix"), s.names.at("config").at("pathPrefix"))))
	nonPageDirs := []string{folder("includes", "_includes"), folder("data", "_data")}
	if layouts := folder("layouts", ""); layouts != "" {
		nonPageDirs = append(nonPageDirs, layouts)
	}
	p.Mapping.rules = eleventyRules{nonPageDirs: nonPageDirs}
	r.readEleventyData(p, in, in, nonPageDirs)
	p.Static = eleventyStaticFolder(in, c)
}

// eleventyStaticFolder returns the folder that Eleventy copies to the top of the publish directory:
// "public" for addPassthroughCopy({"public": "/"}). The last such call counts. If there is none, it
// returns the input folder.
func eleventyStaticFolder(input string, c config) StaticFolder {
	copies := c.script.callArguments("addPassthroughCopy")
	folder := StaticFolder{Dir: input, RedirectsHint: fmt.Sprintf("with addPassthroughCopy(%q) in %s", path.Join(input, "_redirects"), cmp.Or(c.file, "eleventy.config.js"))}
	for _, arguments := range copies {
		for _, v := range arguments {
			v.eachEntry(func(from string, to *value) {
				if strings.Trim(to.str(), "./") == "" {
					folder = StaticFolder{Dir: cleanFolder(from, input)}
				}
			})
		}
	}
	return folder
}

// readEleventyData reads the data files of dir and its subfolders, and adds their values to p as
// defaults. A data file "posts/posts.json" contains default front matter values for all files below
// "posts". input is the input folder of the project. readEleventyData skips the subfolders in
// nonPageDirs, the publish directory, node_modules and hidden folders.
// See https://www.11ty.dev/docs/data-template-dir/
func (r *reader) readEleventyData(p *Project, input, dir string, nonPageDirs []string) {
	entries, _ := fs.ReadDir(r.root, dir)
	for _, e := range slices.Backward(entries) { // read files with a higher priority last
		if rest, own := strings.CutPrefix(e.Name(), path.Base(dir)+"."); own && dir != "." {
			p.addEleventyDefault(dir, r.readEleventyDataFile(path.Join(dir, e.Name()), rest))
		}
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		below, _ := cutDir(name, input)
		if e.IsDir() && e.Name()[0] != '.' && e.Name() != "node_modules" && name != p.Publish[0] && !slices.Contains(nonPageDirs, below) {
			r.readEleventyData(p, input, name, nonPageDirs)
		}
	}
}

// readEleventyDataFile parses a data file such as "posts/posts.11tydata.js". ending is the part of
// its name after the name of the folder, here "11tydata.js". The result is nil if the file is not a
// data file, cannot be parsed, or is a JSON file of maxFile bytes or more.
func (r *reader) readEleventyDataFile(name, ending string) *value {
	switch ending {
	case "json", "11tydata.json":
		if info, err := fs.Stat(r.root, name); err == nil && info.Size() < maxFile { // a larger file contains other data
			return r.readConfig(name)
		}
	case "11tydata.js", "11tydata.mjs", "11tydata.cjs":
		return r.openConfig(name).value
	}
	return nil
}

// addEleventyDefault adds default front matter values for the files below the folder dir. c
// contains the data of this folder. Only its keys eleventyComputed.permalink, permalink and
// eleventyExcludeFromCollections are used. Call addEleventyDefault for outer folders first, because
// later values override earlier ones.
func (p *Project) addEleventyDefault(dir string, c *value) {
	d := Default{Path: dir + "/"}
	d.Facts.Permalink = p.addSetting("permalink", firstString(c.at("eleventyComputed", "permalink"), c.at("permalink")))
	if c.at("eleventyComputed", "permalink").isComputed() || c.at("permalink").isComputed() {
		d.Facts.Permalink = "{{ " + path.Base(c.position().File) + " }}" // a template that fillPermalink cannot fill
	}
	if c.at("permalink").isFalse() {
		d.Facts.Skips.Add(page.NotRendered, c.position(), "permalink: false")
	} else if c.at("eleventyExcludeFromCollections").isTrue() {
		d.Facts.Skips.Add(page.OptedOut, c.position(), "eleventyExcludeFromCollections: true")
	}
	if d.Facts.Permalink != "" || len(d.Facts.Skips) > 0 {
		p.Mapping.Defaults = append(p.Mapping.Defaults, d)
	}
}

type eleventyRules struct {
	plainRules
	nonPageDirs []string // folders of layouts, includes and data below the input folder
}

func (e eleventyRules) whyNotRendered(_ *Mapping, s source) string {
	for _, dir := range e.nonPageDirs {
		if strings.HasPrefix(s.dir+"/", dir+"/") {
			return "layouts, parts and data are not pages"
		}
	}
	return ""
}

// outputFile returns the output file for the permalink in the front matter or in a data file.
// Without a permalink, it uses the name of the file. The files "posts/index.md" and
// "posts/posts.md" are index pages of their folder.
// See https://www.11ty.dev/docs/permalinks/
func (e eleventyRules) outputFile(m *Mapping, s source, f *page.Facts) (out, whyUnknown string) {
	if link := cmp.Or(f.Permalink, m.defaultsFor(s).Permalink); link != "" {
		link, whyUnknown = fillPermalink(link, s, f)
		return permalinkFile(link), whyUnknown
	}
	name := strings.TrimSuffix(s.name, ".11ty") // for a file "a.11ty.js"
	if name == path.Base(s.dir) {
		name = "index"
	}
	return e.outputPath(s.dir, name), ""
}

// eleventyToken matches "{{ … }}" in a permalink template. eleventyDate matches a filter that
// formats a date, such as `date: "%Y"`.
// See https://www.11ty.dev/docs/data-eleventy-supplied/#page-variable
var (
	eleventyToken = regexp.MustCompile(`\{\{-?\s*([^{}]*?)\s*-?\}\}`)
	eleventyDate  = regexp.MustCompile(`^date:?\s*\(?["']([^"']*)["']\)?$`)
)

// fillPermalink replaces each "{{ … }}" in link, a permalink template, by its value. If a value is
// unknown, or if link contains a statement such as "{% if %}" or a "${", whyUnknown is the reason.
func fillPermalink(link string, s source, f *page.Facts) (filled, whyUnknown string) {
	filled = eleventyToken.ReplaceAllStringFunc(link, func(token string) string {
		parts := strings.Split(eleventyToken.FindStringSubmatch(token)[1], "|")
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		text, ok := eleventyVariable(parts[0], parts[1:], s, f)
		if !ok {
			whyUnknown = "the permalink is a template, and " + token + " is known only to the generator"
		}
		return text
	})
	if whyUnknown == "" && strings.Contains(filled, "{%") || strings.Contains(filled, "${") {
		whyUnknown = "the permalink is a template with statements, which are not run"
	}
	return filled, whyUnknown
}

// eleventyVariable returns the value of a variable such as "page.fileSlug" after the filters are
// applied. ok is false if the value is unknown.
func eleventyVariable(name string, filters []string, s source, f *page.Facts) (text string, ok bool) {
	switch name {
	case "page.fileSlug":
		text = eleventyFileSlug(s)
	case "page.filePathStem":
		text = "/" + path.Join(s.dir, trimLeadingDate(s.name))
	case "title":
		text = f.Title
	case "slug":
		text = f.Slug
	}
	for _, filter := range filters {
		switch filter {
		case "slugify", "slug":
			if text, ok = eleventySlug(text); !ok {
				return "", false
			}
		case "downcase", "lower":
			text = strings.ToLower(text)
		default:
			if text, ok = formatEleventyDate(filter, f.Date); !ok || name != "page.date" && name != "date" {
				return "", false
			}
		}
	}
	return text, text != "" || name == "page.fileSlug"
}

// formatEleventyDate formats date with a filter such as `date: "%Y"`. ok is false if filter does
// not format dates, if its format is not supported, or if date is zero.
func formatEleventyDate(filter string, date sitemap.Date) (text string, ok bool) {
	m := eleventyDate.FindStringSubmatch(filter)
	if m == nil || date.IsZero() {
		return "", false
	}
	layout := strftime.Replace(m[1])
	return date.Time().UTC().Format(layout), !strings.Contains(layout, "%")
}

// trimLeadingDate returns name without a date at its beginning: "2024-01-02-a" gives "a".
func trimLeadingDate(name string) string {
	if _, rest, ok := cutDate(name); ok {
		return rest
	}
	return name
}

// eleventyFileSlug returns the value of Eleventy's variable page.fileSlug: the file name without
// its date. For an index file, it is the name of the folder without its date, or "" at the top.
func eleventyFileSlug(s source) string {
	if s.name != "index" {
		return trimLeadingDate(s.name)
	}
	if s.dir == "" {
		return ""
	}
	return trimLeadingDate(path.Base(s.dir))
}

// eleventySlug converts text to a slug as Eleventy's filter slugify does: "My Post" gives
// "my-post". ok is false if text contains a character that sitewalk cannot convert in the same way,
// such as "é".
func eleventySlug(text string) (slug string, ok bool) {
	if !isASCII(text) || strings.ContainsAny(text, "&'\\") {
		return "", false
	}
	return lowerSlug(text), true
}
