// Package generator reads the configuration files of site generators: the folders of a project,
// its base URL, its languages, and the rules by which the generator names its output.
//
// It runs no file. A computed value is unknown.
package generator

import (
	"cmp"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Project is a site that a generator builds, or a folder with a built site. Folders are
// relative to the project's root, slash-separated.
type Project struct {
	Name    string   // "hugo", "jekyll", …; "" when only the publish folder is known
	Publish []string // folders that the generator publishes to, more than one when the files leave it open
	Content []string // folders of its sources, those of Mapping.Trees that lie in no other; none for a generator whose pages are programs

	// Templates are further extensions of content files.
	Templates []string

	BaseURL string // "" if the files name no public one
	NoBase  string // why the base URL in the files is unknown, or ""

	// BasePath is the path of the base URL, if the files have no host.
	BasePath string

	Zone    *time.Location // nil when the files name none
	Front   frontmatter.Conventions
	Sources []string // of dates, those that the generator asks for the last change, in its order; nil when it has none

	// Server is advice for watching, if the generator's development server writes no files.
	Server string

	// Sitemap is advice on turning the generator's own sitemap off. Sitemaps are its files
	// beside sitemap.xml, and SitemapDirs the folders with a sitemap for each language.
	Sitemap               string
	Sitemaps, SitemapDirs []string

	// Archives are globs of the generator's lists of pages by tag, category, author, date
	// and number. They are below the base URL.
	Archives []string

	Locales []Locale // folders of the output that hold the same pages in several languages

	Mapping  Content // its Languages are the site's
	Settings []Setting
}

// A Locale is the folder of one language in the output, "" for the rest of it.
type Locale struct{ Dir, Code string }

// A Setting is one value of a generator's files, and its place.
type Setting struct {
	Key, Value string
	Pos        diag.Pos
}

// A config is a generator's configuration. The zero config is a missing file.
type config struct {
	*value          // its settings, or the export of a script; nil if computed
	file   string   // below the project's root
	source string   // of a program in Python or Julia
	script *program // nil if it is not a script
}

// get returns the value below a path of keys such as "build.format".
func (c config) get(key string) *value { return c.at(strings.Split(key, ".")...) }

// firstKey returns the first of some keys, separated by spaces, whose value is a string. Without a
// string it returns the last key with a value.
func (c config) firstKey(keys string) (key string, v *value) {
	for name := range strings.FieldsSeq(keys) {
		if w := c.get(name); w != nil {
			key, v = name, w
		}
		if v.str() != "" {
			break
		}
	}
	return key, v
}

// Names returns the names of all generators, in the order of detection.
func Names() []string {
	names := make([]string, len(generators))
	for i, g := range generators {
		names[i] = g.name
	}
	return names
}

// Detect returns the projects whose files are in root. rootName is the prefix of file names in
// findings. Without a generator's files, each conventional publish folder with an HTML file is a
// project without a name.
func Detect(root fs.FS, rootName string, getenv func(string) string) ([]Project, diag.List) {
	r := &reader{root: root, rootName: rootName, getenv: getenv}
	if getenv == nil {
		r.getenv = func(string) string { return "" }
	}
	var all []Project
	for _, g := range generators {
		there := r.existingFiles(g.files)
		if len(there) == 0 {
			continue
		}
		var c config
		if g.open != nil {
			c = g.open(r, there)
		} else {
			c = r.readFirst(there, g.is)
		}
		if c != (config{}) {
			all = append(all, r.project(g, c))
		}
	}
	if all == nil {
		all = r.npmProjects()
	}
	if all == nil {
		all = r.usualProjects()
	}
	return all, r.diags.Sorted()
}

// Folders returns a project without a name for each conventional publish folder with an HTML
// file.
func Folders(root fs.FS) []Project { return (&reader{root: root}).usualProjects() }

// npmProjects returns a project for each generator that package.json depends on. It is for
// projects without a configuration file.
func (r *reader) npmProjects() (all []Project) {
	if len(r.existingFiles([]string{"package.json"})) == 0 {
		return nil
	}
	v := r.readConfig("package.json")
	for _, g := range generators {
		for name := range strings.FieldsSeq(g.npm) {
			dep := firstString(v.at("dependencies", name), v.at("devDependencies", name))
			if dep == nil {
				continue
			}
			none, _ := readProgram(nil, "package.json", false)
			p := r.project(g, config{script: none})
			p.addSetting(name, dep)
			all = append(all, p)
		}
	}
	return all
}

// addSetting records a value of the generator's files, if any, and returns it.
func (p *Project) addSetting(key string, v *value) string {
	s := v.str()
	if s == "" && v.isTrue() {
		s = "true"
	}
	if s != "" {
		p.Settings = append(p.Settings, Setting{key, s, v.pos})
	}
	return s
}

// folderOf returns the folder that the configuration names, or the usual one.
func (p *Project) folderOf(c config, f namedFolder) string {
	key, v := c.firstKey(f.keys)
	return p.resolveFolder(key, v, f.usual)
}

// resolveFolder returns the folder v, cleaned, or the usual one. It records v under key.
func (p *Project) resolveFolder(key string, v *value, usual string) string {
	return cleanFolder(p.addSetting(key, v), usual)
}

func cleanFolder(dir, usual string) string {
	if dir == "" {
		return usual
	}
	return strings.TrimPrefix(path.Clean(strings.ReplaceAll(dir, `\`, "/")), "./")
}

// addLocale records an output folder with the pages of one language. It ignores an invalid language
// and a second folder of a language.
func (p *Project) addLocale(l Locale, v *value) {
	twice := slices.ContainsFunc(p.Locales, func(o Locale) bool { return strings.EqualFold(o.Code, l.Code) })
	if sitemap.CheckLang(l.Code) == nil && !twice {
		p.Locales = append(p.Locales, l)
		p.Settings = append(p.Settings, Setting{"language", l.Code, v.position()})
	}
}

// addLanguage records a language of the site.
func (p *Project) addLanguage(name, code string, v *value) {
	p.Mapping.Languages = append(p.Mapping.Languages, Language{name, cmp.Or(code, name)})
	p.Settings = append(p.Settings, Setting{"language", name, v.position()})
}

// setBase sets the base URL from the first of some keys that is a string, and a path below it.
func (r *reader) setBase(p *Project, c config, keys, below string) {
	key, v := c.firstKey(keys)
	r.setBaseURL(p, key, v, below)
}

// setBaseURL sets the project's base URL from an address and a path below it. The
// address may include the path, or be a path itself.
func (r *reader) setBaseURL(p *Project, key string, v *value, below string) {
	u := p.addSetting(key, v)
	if strings.HasPrefix(u, "/") {
		below = u
	}
	below = "/" + strings.Trim(below, "/")
	switch {
	case !strings.HasPrefix(u, "http://") && !strings.HasPrefix(u, "https://"):
		if below != "/" && !strings.Contains(below, "://") {
			p.BasePath = below + "/"
		}
		if v.isComputed() {
			p.NoBase = fmt.Sprintf("the address of the site is not known: %s in %s is computed", key, v.pos)
		}
	case IsPlaceholder(u):
		p.NoBase = fmt.Sprintf("the address of the site is not known: %s in %s is the placeholder %s", key, v.pos, u)
	case mapping.LocalHost(strings.ToLower(u)):
		r.diags.Notef(v.pos, "local-base-url", "set base_url in sitemap.yaml or give --base-url",
			"%s %q is a local address and is not used", key, u)
	case below != "/" && !strings.HasSuffix(strings.TrimSuffix(u, "/"), below):
		p.BaseURL = strings.TrimSuffix(u, "/") + below + "/"
	default:
		p.BaseURL = u
	}
}

// IsPlaceholder reports whether an address has a domain reserved by RFC 2606 or RFC 6761, or a
// domain that a starter writes for the user to replace.
func IsPlaceholder(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host := "." + strings.ToLower(u.Hostname())
	return slices.ContainsFunc(placeholders, func(domain string) bool { return strings.HasSuffix(host, "."+domain) })
}

var placeholders = []string{
	"example", "test", "invalid", "example.com", "example.net", "example.org",
	"yourdomain.tld", "quartz.jzhao.xyz", "gatsbystarterblogsource.gatsbyjs.io",
}

// setZone sets the project's time zone.
func (r *reader) setZone(p *Project, key string, v *value) {
	name := p.addSetting(key, v)
	if name == "" {
		return
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		r.diags.Warnf(v.pos, "bad-time-zone", "use a name of the IANA time zone database, such as Europe/Berlin",
			"time zone %q is not known", name)
		return
	}
	p.Zone = zone
}
