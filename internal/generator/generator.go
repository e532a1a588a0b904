// Package generator reads what a site generator's own files say of a project:
// its folders, its base URL, its languages and how it names what it writes.
//
// It refuses to run them: a value that only running a file would tell is not
// known.
package generator

import (
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/mapping"
)

// A Project is one site that a generator builds, or a folder that holds a built
// one. Folders are relative to the project's root, slash-separated.
type Project struct {
	Name    string   // "hugo", "jekyll", …; "" when only the publish folder is known
	Publish []string // folders that the generator publishes to, more than one when the files leave it open
	Content []string // folders of its sources; none for a generator whose pages are programs
	BaseURL string   // "" when the files name none, or only a local one

	Zone      *time.Location      // nil when the files name none
	DateOrder map[string][]string // Hugo's [frontmatter], nil for its default
	GitInfo   bool                // Hugo's enableGitInfo: its dates are git's

	// Server says what the generator's own development server does not write, and
	// what to run instead; "" when it writes what it builds.
	Server string

	// Sitemap says how the generator is kept from writing a sitemap of its own;
	// SitemapDirs are the folders of the output in which it writes one for each
	// language.
	Sitemap     string
	SitemapDirs []string

	Locales []Locale // folders of the output that hold the same pages in several languages

	Mapping mapping.Content // its Languages are the site's
	Found   []Found
}

// A Locale is the folder of one language in the output, "" for the rest of it.
type Locale struct{ Dir, Code string }

// A Found is one value and the place it was read from.
type Found struct {
	Key, Value string
	Pos        diag.Pos
}

// generators are asked in this order. Each returns nil when its files are not
// there.
var generators = []struct {
	name    string
	detect  func(*reader) *Project
	sitemap string
}{
	{"hugo", (*reader).hugo, `disableKinds = ["sitemap"] in Hugo's configuration turns its own off`},
	{"jekyll", (*reader).jekyll, "Jekyll writes none without jekyll-sitemap among its plugins"},
	{"mkdocs", (*reader).mkdocs, "MkDocs has no switch for its own, but writes none where theme.custom_dir has an empty sitemap.xml"},
	{"zola", (*reader).zola, "generate_sitemap = false in Zola's configuration turns its own off"},
	{"sphinx", (*reader).sphinx, "Sphinx writes none without sphinx_sitemap among its extensions"},
	{"eleventy", (*reader).eleventy, "Eleventy writes none without a sitemap plugin or template"},
	{"astro", (*reader).astro, "Astro writes none without @astrojs/sitemap among its integrations"},
	{"vitepress", (*reader).vitepress, "VitePress writes none without sitemap in its configuration"},
	{"docusaurus", (*reader).docusaurus, "sitemap: false among the options of the classic preset turns that of Docusaurus off"},
	{"next", (*reader).next, "Next.js writes none without app/sitemap or next-sitemap"},
}

// Detect returns the projects whose files lie in root; rootName stands before
// the names of files in findings, "" for none. More than one is the caller's to
// ask about. A local base URL is left out, and so is every value that only
// running a file would tell. Without a generator's files, each conventional
// publish folder that holds an HTML file is a project without a name.
func Detect(root fs.FS, rootName string, getenv func(string) string) ([]Project, diag.List) {
	r := &reader{root: root, rootName: rootName, getenv: getenv}
	if getenv == nil {
		r.getenv = func(string) string { return "" }
	}
	var all []Project
	for _, g := range generators {
		if p := g.detect(r); p != nil {
			p.Name, p.Mapping.Generator, p.Sitemap = g.name, g.name, g.sitemap
			all = append(all, *p)
		}
	}
	if all == nil {
		all = r.folders()
	}
	return all, r.diags.Sorted()
}

// found adds a value to what the project was told, if it is there, and returns
// it.
func (p *Project) found(key string, v *value) string {
	s := v.str()
	if s == "" {
		if b, ok := v.bool(); ok && b {
			s = "true"
		}
	}
	if s != "" {
		p.Found = append(p.Found, Found{key, s, v.pos})
	}
	return s
}

// folder returns a folder that the files name, cleaned, or the generator's
// usual one.
func (p *Project) folder(key string, v *value, usual string) string {
	return cleanFolder(p.found(key, v), usual)
}

func cleanFolder(dir, usual string) string {
	if dir == "" {
		return usual
	}
	return strings.TrimPrefix(path.Clean(strings.ReplaceAll(dir, `\`, "/")), "./")
}

// baseURL sets the project's base URL from a full address and a path below it.
func (r *reader) baseURL(p *Project, key string, v *value, below string) {
	u := p.found(key, v)
	switch {
	case !strings.HasPrefix(u, "http://") && !strings.HasPrefix(u, "https://"):
	case local(u):
		r.diags.Notef(v.pos, "local-base-url", "set base_url in sitemap.yaml or give --base-url",
			"%s %q is a local address and is not used", key, u)
	case strings.Trim(below, "/") != "":
		p.BaseURL = strings.TrimSuffix(u, "/") + "/" + strings.Trim(below, "/") + "/"
	default:
		p.BaseURL = u
	}
}

// local reports whether an address names the machine that builds the site.
func local(u string) bool {
	_, host, _ := strings.Cut(u, "://")
	host = host[:strings.IndexAny(host+"/", "/?#")]
	if strings.HasPrefix(host, "[::1]") {
		return true
	}
	host, _, _ = strings.Cut(strings.ToLower(host), ":")
	return host == "localhost" || strings.HasSuffix(host, ".localhost") ||
		strings.HasPrefix(host, "127.") || host == "0.0.0.0"
}

// zone sets the project's time zone.
func (r *reader) zone(p *Project, key string, v *value) {
	name := p.found(key, v)
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
