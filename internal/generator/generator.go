// Package generator reads the configuration files of site generators such as Hugo and Jekyll. It
// finds the folders of a project, its base URL and its languages, and predicts the output file of
// each content file. It does not run configuration programs, so computed settings are unknown.
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

// A Project is a site that a generator builds, or a folder with a built site. All folders are
// relative to the root of the project, with slashes.
type Project struct {
	Name    string   // "hugo", "jekyll", …; "" if only the publish directory is known
	Publish []string // possible publish directories; only one if the configuration names it
	Content []string // content folders, except folders inside other content folders; nil if sitewalk knows none

	Static StaticFolder // where to put files such as _redirects, and redirect pages

	// Templates are additional file extensions of content files, without a dot: "njk", "qmd".
	Templates []string

	BaseURL   string // base URL; "" if the configuration contains no public URL
	WhyNoBase string // why the base URL is unknown: beginning of an error that ends in "give it with -b …"; or ""

	// BasePath is the path of the base URL, such as "/docs/", if the configuration sets it apart
	// from the host. Otherwise it is "".
	BasePath string

	// Fallback is the file in the publish directory that the host should serve for all URLs without
	// a file, such as "app.html". It is "" if the configuration names none.
	Fallback string

	// NextEnding is the ending of the URLs in a static export of Next.js: mapping.Bare or
	// mapping.Slashed. It is mapping.NoEnding for other generators.
	NextEnding mapping.Ending

	Zone    *time.Location // time zone of dates; nil if not configured
	Front   frontmatter.Conventions
	Sources []string // sources of lastmod that the generator uses, such as "git", the most important first; nil if unknown

	// SitemapHint tells the user how to turn off the generator's own sitemap. Sitemaps are the file
	// names of that sitemap, in addition to sitemap.xml. SitemapDirs are the folders that may
	// contain the sitemap of one language.
	SitemapHint           string
	Sitemaps, SitemapDirs []string

	// Archives are globs for URL paths below the base URL, such as "/tags/**". They match the pages
	// that list other pages, for example by tag, category or author. They also match the second and
	// further pages of a list.
	Archives []string

	Locales []Locale // output folders that contain the same pages in different languages

	// Sites are the folders below the publish directory with separate base URLs, such as one for
	// each language. If there are any, the generator writes all pages into these folders.
	Sites []Site

	Mapping  Mapping   // mapping from content files to output files
	Settings []Setting // settings that were read from the configuration
}

// A StaticFolder is a folder whose files the generator copies to the publish directory. The hints
// name settings for files that the generator otherwise does not copy unchanged.
type StaticFolder struct {
	Dir           string // such as "static"; "" if there is no such folder
	RedirectsHint string // setting without which the generator does not copy the file _redirects; or ""
	PageHint      string // setting without which the generator changes the HTML page PATH; or ""
}

// A Locale is an output folder with the pages of one language, such as Dir "de" and Code "de-DE".
// Dir is "" for a language whose pages are at the top of the publish directory.
type Locale struct{ Dir, Code string }

// A Site is a folder below the publish directory that is served at a separate base URL.
type Site struct {
	Dir     string
	BaseURL string   // "" if the configuration contains no public URL
	Pos     diag.Pos // position of the base URL, or of the language without one
}

// A Setting is a value that the generator's configuration sets, with its position.
type Setting struct {
	Key, Value string
	Pos        diag.Pos
}

// A config is the content of a configuration file. The zero config means that the file is missing
// or cannot be parsed.
type config struct {
	*value          // settings, or the exported value of a script; nil for a script without exports and for Julia
	file   string   // path below the root of the project
	source string   // text of a program in Python or Julia
	script *program // parsed script; nil if the file is not a script
}

// getKey returns the value for key, or nil if there is none. Dots in key separate nested keys:
// "build.format".
func (c config) getKey(key string) *value { return c.at(strings.Split(key, ".")...) }

// firstStringKey returns the first key whose value is a non-empty string, and this value. keys is a
// list of keys, separated by spaces, such as "site.url i18n.baseUrl". If no value is a non-empty
// string, firstStringKey returns the last key that is set. If no key is set, the results are "" and
// nil.
func (c config) firstStringKey(keys string) (key string, v *value) {
	for name := range strings.FieldsSeq(keys) {
		if w := c.getKey(name); w != nil {
			key, v = name, w
		}
		if v.str() != "" {
			break
		}
	}
	return key, v
}

// Names returns the names of all supported generators, in the order of detection.
func Names() []string {
	names := make([]string, len(generators))
	for i, g := range generators {
		names[i] = g.name
	}
	return names
}

// Detect returns the projects in the folder root, and findings about their configuration files. It
// recognizes a project by the configuration file of its generator, or else by package.json. If it
// finds none, it returns a project without a name for each common publish directory that contains
// HTML. rootName is the path of root in findings. getenv returns environment variables.
func Detect(root fs.FS, rootName string, getenv func(string) string) ([]Project, diag.List) {
	r := &reader{root: root, rootName: rootName, getenv: getenv}
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
			c = r.readFirstConfig(there, g.isOwn)
		}
		if c != (config{}) {
			all = append(all, r.newProject(g, c))
		}
	}
	if all == nil {
		all = r.npmProjects()
	}
	if all == nil {
		all = r.publishDirProjects()
	}
	return all, r.diags.Sorted()
}

// DetectFolders returns a project without a name for each common publish directory in root that
// contains HTML, such as "public".
func DetectFolders(root fs.FS) []Project { return (&reader{root: root}).publishDirProjects() }

// npmProjects returns a project for each package in package.json that belongs to a generator. It
// finds only generators that work without a configuration file.
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
			none, _ := parseProgram(nil, "package.json", false)
			p := r.newProject(g, config{script: none})
			p.addSetting(name, dep)
			all = append(all, p)
		}
	}
	return all
}

// addSetting adds v to p.Settings under key, and returns v as a string. v is a string or the
// boolean true, which becomes the string "true". For any other value, and for "", addSetting adds
// nothing and returns "".
func (p *Project) addSetting(key string, v *value) (text string) {
	s := v.str()
	if s == "" && v.isTrue() {
		s = "true"
	}
	if s != "" {
		p.Settings = append(p.Settings, Setting{key, s, v.pos})
	}
	return s
}

// resolveNamedFolder returns the folder that the configuration c sets for f, or the default folder
// of f.
func (p *Project) resolveNamedFolder(c config, f namedFolder) string {
	key, v := c.firstStringKey(f.keys)
	return p.resolveFolder(key, v, f.defaultDir)
}

// resolveFolder returns the cleaned path of the folder v, and adds v to p.Settings under key. If
// addSetting returns "", resolveFolder returns defaultDir.
func (p *Project) resolveFolder(key string, v *value, defaultDir string) string {
	return cleanFolder(p.addSetting(key, v), defaultDir)
}

func cleanFolder(dir, defaultDir string) string {
	if dir == "" {
		return defaultDir
	}
	return strings.TrimPrefix(path.Clean(strings.ReplaceAll(dir, `\`, "/")), "./")
}

// addLocale adds l, the output folder of one language, to p.Locales. v is the setting that contains
// l. A Locale with an invalid language code, or with the code of an earlier Locale, is ignored.
func (p *Project) addLocale(l Locale, v *value) {
	twice := slices.ContainsFunc(p.Locales, func(o Locale) bool { return strings.EqualFold(o.Code, l.Code) })
	if sitemap.CheckLang(l.Code) == nil && !twice {
		p.Locales = append(p.Locales, l)
		p.Settings = append(p.Settings, Setting{"language", l.Code, v.position()})
	}
}

// addLanguage adds a language to p.Mapping.Languages. v is the setting that names the language. If
// tag is "", the name is also the language code.
func (p *Project) addLanguage(name, tag string, v *value) {
	p.Mapping.Languages = append(p.Mapping.Languages, Language{name, cmp.Or(tag, name)})
	p.Settings = append(p.Settings, Setting{"language", name, v.position()})
}

// setBaseURLFromKeys calls setBaseURL with subpath, and with the key and the value that
// firstStringKey finds for keys, a list of keys separated by spaces. If this value is neither a
// string nor computed, p.WhyNoBase asks the user to set the first of keys. It does not ask if keys
// is empty or c has no file.
func (r *reader) setBaseURLFromKeys(p *Project, c config, keys, subpath string) {
	key, v := c.firstStringKey(keys)
	r.setBaseURL(p, key, v, subpath)
	if keys != "" && v.str() == "" && !v.isComputed() && c.file != "" {
		first, _, _ := strings.Cut(keys, " ")
		p.WhyNoBase = fmt.Sprintf("the address of the site is not known; write it as %s into %s, or", first, c.file)
	}
}

// setBaseURL sets p.BaseURL to the URL v, followed by the path subpath, and p.BasePath to subpath.
// If v already ends with subpath, p.BaseURL is v. If v is only a path, setBaseURL uses v as the
// subpath, and does not set p.BaseURL. If v is computed, a placeholder or a local URL, it sets
// p.WhyNoBase instead of p.BaseURL. If v is any other text without http:// or https://, it sets
// neither. key is the key of v.
func (r *reader) setBaseURL(p *Project, key string, v *value, subpath string) {
	u := p.addSetting(key, v)
	if strings.HasPrefix(u, "/") {
		subpath = u
	}
	subpath = "/" + strings.Trim(subpath, "/")
	if subpath != "/" && !strings.Contains(subpath, "://") {
		p.BasePath = subpath + "/"
	}
	switch {
	case !strings.HasPrefix(u, "http://") && !strings.HasPrefix(u, "https://"):
		if v.isComputed() {
			p.WhyNoBase = fmt.Sprintf("the address of the site is not known: %s in %s is computed;", key, v.pos)
		}
	case IsPlaceholder(u), mapping.IsLocalHost(strings.ToLower(u)):
		p.WhyNoBase = fmt.Sprintf("the address of the site is not known: %s in %s is the placeholder %s; write the true address there, or", key, v.pos, u)
	case subpath != "/" && !strings.HasSuffix(strings.TrimSuffix(u, "/"), subpath):
		p.BaseURL = strings.TrimSuffix(u, "/") + subpath + "/"
	default:
		p.BaseURL = u
	}
}

// IsPlaceholder reports whether the host of a URL is reserved for examples, such as
// "example.com", or is a default value in a starter template.
// See RFC 2606 and RFC 6761.
func IsPlaceholder(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host := "." + strings.ToLower(u.Hostname())
	return slices.ContainsFunc(placeholders, func(domain string) bool { return strings.HasSuffix(host, "."+domain) })
}

// placeholders lists the domains for which IsPlaceholder returns true, with their subdomains.
var placeholders = []string{
	"example", "test", "invalid", "example.com", "example.net", "example.org",
	"yourdomain.tld", "quartz.jzhao.xyz", "gatsbystarterblogsource.gatsbyjs.io",
}

// setZone sets the time zone of p to the IANA time zone named by v, such as "Europe/Berlin". An
// unknown name is a finding. If v is not a string, setZone does nothing.
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
