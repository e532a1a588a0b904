package config

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/sitewalk/sitewalk/writer"
)

// resolveOutput sets which files sitewalk writes, their names and their formats. Each kind of key has
// a function that resolves the value, and records its origin:
//
//   - resolveText, for a text, which a flag or a variable may set too
//   - resolveWord, for one of the words in keySettings
//   - resolveList, for a list of texts
//   - resolveFileName, for the name of an output file
//   - resolveFileValue, for a boolean or a number, which only the settings file can set
//   - resolveLimits, for a number with limits
//
// A key that needs more checks, such as output.formats, has a function of its own, which calls one
// of these. A key that has no effect without the format xml has a case in reportXMLSettings.
func (r *resolver) resolveOutput() {
	f, w := r.file.Output, &r.settings.Writer
	w.Name = r.resolveFileName("output.name", f.Name, writer.CheckEntry)
	w.Page = r.resolveFileName("output.page", f.Page, writer.CheckPage)
	r.settings.Site.SitewalkPage, r.settings.Site.IsSitewalkPage = w.Page, writer.IsMarked
	w.Formats = r.resolveFormats()
	w.Gzip = r.resolveGzip()
	w.Split = r.resolveWord("output.split", f.Split)
	if len(f.Sitemaps) > 0 {
		w.Groups, w.Group = r.resolveGroups(), r.groupFinder(r.settings.Site.Base)
	}
	r.resolveLimits()
	w.Feed.Title = r.resolveText("output.feed.title", f.Feed.Title).V
	w.Robots = resolveFileValue(r, "output.robots", f.Robots)
	w.Stylesheet = resolveFileValue(r, "output.stylesheet", f.Stylesheet)
	w.Index = r.resolveIndexedSitemaps()
	if len(w.Formats) > 0 && !slices.Contains(w.Formats, "xml") {
		r.reportXMLSettings()
	}
	r.settings.Site.Page.Titles = r.settings.Site.Page.Titles || w.NeedsTitles()
}

// resolveLLMS sets the options of llms.txt, such as its title and the language folders that get an
// llms.txt of their own. It does nothing if output.formats does not contain llms.
func (r *resolver) resolveLLMS() {
	f, w := r.file.Output.LLMS, &r.settings.Writer
	if !slices.Contains(w.Formats, "llms") {
		return
	}
	r.settings.Site.Page.Lead = resolveFileValue(r, "output.llms.first_sentence", f.FirstSentence)
	w.LLMS.Base = r.settings.Site.Base.String()
	w.LLMS.Title = r.resolveText("output.llms.title", f.Title).V
	w.LLMS.Summary = r.resolveText("output.llms.summary", f.Summary).V
	w.LLMS.LinksHTML = r.resolveWord("output.llms.copies", f.Copies) == "off"
	for _, l := range r.settings.Site.Languages {
		w.LLMS.Languages = append(w.LLMS.Languages, writer.Language{Dir: strings.Trim(path.Clean("/"+l.Dir), "/"), Code: l.Code})
	}
	top := w.Dir
	if files.Contains(w.Publish, w.Dir) {
		top = w.Publish
	}
	for _, l := range append([]writer.Language{{}}, w.LLMS.Languages...) {
		r.recordLookup(filepath.Join(top, filepath.FromSlash(l.Dir), "llms.txt")) // the writer keeps text that the user added to the file
	}
}

// resolveGeneratorSettings sets the languages that the generator's files name, if the settings file
// names none. If sitewalk writes to the publish directory of a site with one host, it also sets the
// paths of the sitemaps that the generator itself writes: the writer removes or reports them.
func (r *resolver) resolveGeneratorSettings() {
	w, o := &r.settings.Writer, &r.settings.Site
	if len(r.file.Languages) == 0 {
		for _, l := range r.project.Locales {
			o.Languages = append(o.Languages, site.Language{Dir: l.Dir, Code: l.Code})
		}
	}
	w.TurnOff = r.project.SitemapHint
	if w.Dir != w.Publish || r.project.Mapping.Multihost {
		return
	}
	w.Leftovers = append(w.Leftovers, r.project.Sitemaps...)
	for _, dir := range r.project.SitemapDirs {
		w.Leftovers = append(w.Leftovers, path.Join(dir, cmp.Or(w.Name, writer.DefaultName)))
	}
}

// hasRuleWithIncompleteNews reports whether a rule adds news without a title, a date or a language.
// sitewalk then reads the missing values from the pages.
func (r *resolver) hasRuleWithIncompleteNews() bool {
	for i := range r.settings.Site.Rules.Len() {
		n := r.settings.Site.Rules.At(i).Set.News
		if n != nil && (n.Title == "" || n.PublicationDate.IsZero() || n.Publication.Language == "") {
			return true
		}
	}
	return false
}

// reportXMLSettings warns if output.index or output.stylesheet is set, because they have no effect
// without the format xml. Call it only if output.formats lacks xml.
func (r *resolver) reportXMLSettings() {
	f, w := r.file.Output, r.settings.Writer
	const hint = "add xml to output.formats, or remove the key"
	if len(w.Index) > 0 {
		r.diags.Warnf(f.Index.V[0].Pos, "without-xml", hint, "output.index needs the format xml, whose index names other sitemaps")
	}
	if w.Stylesheet {
		r.diags.Warnf(f.Stylesheet.Pos, "without-xml", hint, "output.stylesheet needs the format xml")
	}
}

// resolveOutputFolder sets the folder that sitewalk writes to, and the URL at which the site serves
// this folder. For a folder outside of the publish directory, the URL is the base URL of the site.
// If the output is "-", resolveOutputFolder sets Settings.Stdout.
func (r *resolver) resolveOutputFolder() {
	w := &r.settings.Writer
	if r.settings.Site.Pages != nil {
		w.Publish = r.settings.Site.Pages.Dir
	}
	w.Dir, w.Base = w.Publish, r.settings.Site.Base.String()
	c := r.resolveText("output", text{})
	switch {
	case c.by == "":
	case c.V == "-":
		r.settings.Stdout = true
	case c.V == "":
		r.rejectValue(c, "bad-path", "is empty; name a folder, or - for standard output")
	default:
		w.Dir = r.outputFolder(c)
	}
	rel, inside := files.RelBelow(w.Publish, w.Dir)
	if !inside || rel == "." {
		return // the user copies the files of an outside folder to the top of the site
	}
	if loc, err := r.settings.Site.Base.Loc("/" + filepath.ToSlash(rel) + "/"); err == nil {
		w.Base = loc
	}
}

// outputFolder returns the absolute path of the output folder that c names. It rejects c if the
// path is a file, or does not exist and ends in .xml, .txt or .gz.
func (r *resolver) outputFolder(c choice) string {
	dir := r.choicePath(c)
	info, err := os.Stat(dir)
	switch ext := strings.ToLower(path.Ext(c.V)); {
	case err == nil && !info.IsDir():
		r.rejectValue(c, "bad-path", "%q is a file; name a folder, or - for standard output", c.V)
	case err != nil && (ext == ".xml" || ext == ".txt" || ext == ".gz"):
		r.rejectValue(c, "bad-path", "%q is the name of a file; name its folder, and the file with output.name in sitemap.yaml", c.V)
	}
	return dir
}

// resolveFileName returns the cleaned value of a setting that names an output file, or "" if it is
// not set. If check returns an error, resolveFileName rejects the value and returns "".
func (r *resolver) resolveFileName(key string, fileValue text, check func(name string) error) string {
	c := r.resolveText(key, fileValue)
	if c.V == "" {
		return ""
	}
	name := path.Clean(c.V)
	if err := check(name); err != nil {
		r.rejectValue(c, "bad-path", "%v", err)
		return ""
	}
	return name
}

// resolveFormats returns the formats of output.formats, such as "xml" and "rss". It returns nil if
// the setting is not set.
func (r *resolver) resolveFormats() []string {
	items, c := r.resolveList("output.formats", r.file.Output.Formats)
	if c.by == "" {
		return nil
	}
	if len(items) == 0 {
		r.rejectValue(c, "bad-value", "is empty; the formats are %s", strings.Join(writer.Formats, ", "))
	}
	return r.checkWords(items, c, writer.Formats)
}

// resolveGzip returns "also" if compressed files are written beside the plain files, "only" if they
// replace the plain files, and "" for no compression.
func (r *resolver) resolveGzip() string {
	v := r.file.Output.Gzip
	switch word := r.resolveWord("output.gzip", text{V: string(v.V), Pos: v.Pos}); word {
	case "false":
		return ""
	case "true":
		return "also"
	default:
		return word
	}
}

// resolveLimits sets the maximum number of URLs and bytes of a sitemap file, and the maximum number
// of items of a feed.
func (r *resolver) resolveLimits() {
	f, w := r.file.Output, &r.settings.Writer
	for _, l := range []struct {
		key       string
		fileValue number
		limit     writer.Limit
		to        *int
	}{
		{"output.max_urls", f.MaxURLs, writer.URLLimit, &w.MaxURLs},
		{"output.max_bytes", f.MaxBytes, writer.ByteLimit, &w.MaxBytes},
		{"output.feed.items", f.Feed.Items, writer.ItemLimit, &w.Feed.Items},
	} {
		n := resolveFileValue(r, l.key, l.fileValue)
		if !l.fileValue.IsSet() {
			continue
		}
		if err := l.limit.Check(n); err != nil {
			r.diags.Errorf(l.fileValue.Pos, "bad-value", "", "%s %v", l.key, err)
			continue
		}
		*l.to = n
	}
}

// groupNamePattern matches names of sitemaps that need no escapes in a file name or a URL.
var groupNamePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]*$`)

// resolveGroups returns the named sitemaps in output.sitemaps. It sets r.groupRules to the globs
// that select their URLs.
func (r *resolver) resolveGroups() (out []writer.Group) {
	names := map[string]bool{}
	var rules []mapping.Rule
	for i, v := range r.file.Output.Sitemaps {
		key := fmt.Sprintf("output.sitemaps[%d]", i+1)
		name := fileChoice(key+".name", v.V.Name)
		urls := fileChoice(key+".urls", v.V.URLs)
		switch lower := strings.ToLower(name.V); {
		case name.V == "" || urls.V == "":
			r.rejectValue(fileChoice(key, text{Pos: v.Pos}), "bad-value", `needs a name and urls; write {name: posts, urls: "/blog/**"}`)
			continue
		case !groupNamePattern.MatchString(name.V):
			r.rejectValue(name, "bad-value", "%q cannot be the name of a file; begin with a letter or digit, then use letters, digits, -, _ and .", name.V)
		case strings.HasSuffix(lower, ".xml"):
			prefix := strings.TrimSuffix(path.Base(cmp.Or(r.settings.Writer.Name, writer.DefaultName)), ".xml") + "-"
			stem := strings.TrimPrefix(name.V[:len(name.V)-len(".xml")], prefix)
			r.rejectValue(name, "bad-value", "%q is a file name; write %s; the file is %s%[2]s.xml", name.V, stem, prefix)
		case names[lower]:
			r.rejectValue(name, "bad-value", "%q is used twice", name.V)
		}
		names[strings.ToLower(name.V)] = true
		if match, ok := r.checkURLGlob(urls); ok {
			rules = append(rules, mapping.Rule{Match: match})
		}
		out = append(out, writer.Group{Name: name.V, Pos: urls.Pos})
	}
	r.groupRules, _ = mapping.NewRules(rules) // checkURLGlob has checked each glob
	return out
}

// groupFinder returns a function that finds the named sitemap for a URL below base. The function
// returns an index in writer.Options.Groups, or -1 if no named sitemap contains the URL.
func (r *resolver) groupFinder(base mapping.Base) func(loc string) int {
	return func(loc string) int {
		if p, ok := base.Path(loc); ok {
			return r.groupRules.FirstMatch(p)
		}
		return -1
	}
}

// resolveIndexedSitemaps returns the valid URLs in output.index. They are sitemaps of other tools,
// which sitewalk lists in its sitemap index. It rejects invalid URLs.
func (r *resolver) resolveIndexedSitemaps() (out []string) {
	urls, _ := r.resolveList("output.index", r.file.Output.Index)
	for i, u := range urls {
		if err := sitemap.CheckLoc(u.V); err != nil {
			r.rejectValue(fileChoice(fmt.Sprintf("output.index[%d]", i+1), u), "bad-url", "%v", err)
			continue
		}
		out = append(out, u.V)
	}
	return out
}
