package generator

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

var hexo = generator{
	name: "hexo", files: []string{"_config.yml", "_config.json"}, isOwn: (*reader).isHexoConfig, read: (*reader).readHexo,
	publish: namedFolder{"public_dir", "public"}, content: namedFolder{"source_dir", "source"}, static: namedFolder{"source_dir", "source"}, base: "url", basePath: "root", zone: "timezone",
	sitemapHint: "uninstall hexo-generator-sitemap",
	sitemaps:    []string{"sitemap.txt", "baidusitemap.xml"},
	archives:    []string{"/{archives,categories,tags}/**", "/page/*/"},
	front: frontmatter.Conventions{
		Fences: []string{"---", ";;;"}, NameDate: frontmatter.DateBeginsName, NameDateIn: "_posts", GeneratorKeys: []string{"categories", "id"}, TitleInURL: true,
	},
}

// isHexoConfig reports whether c, the content of _config.yml, is a configuration of Hexo. Jekyll
// uses the same file name. If c has no key that only Hexo knows, package.json decides: Hexo writes
// its version there.
func (r *reader) isHexoConfig(c config) bool {
	if c.hasAny("public_dir", "source_dir", "new_post_name", "post_asset_folder", "index_generator") {
		return true
	}
	quiet := reader{root: r.root} // a finding in package.json is of no use to a Jekyll project
	npm := quiet.readConfig("package.json")
	return npm.hasAny("hexo") || npm.at("dependencies").hasAny("hexo") || npm.at("devDependencies").hasAny("hexo")
}

// readHexo reads the settings of a Hexo project.
// See https://hexo.io/docs/configuration
func (r *reader) readHexo(p *Project, c config) {
	m := &p.Mapping
	m.Drafts, m.Future = c.at("render_drafts").isTrue(), !c.at("future").isFalse()
	include := r.limitRules(c.at("include")).stringList()
	p.Static.PageHint = "with skip_render: PATH in " + c.file
	if !anyMatchesFileOrParent(include, "_redirects") {
		p.Static.RedirectsHint = "with include: [_redirects] in " + c.file
	}
	m.rules = &hexoRules{
		plainRules:      plainRules{flat: true, ends: mapping.FileName},
		permalink:       cmp.Or(p.addSetting("permalink", c.at("permalink")), ":year/:month/:day/:title/"),
		postName:        cmp.Or(c.at("new_post_name").str(), ":title.md"),
		include:         include,
		defaultCategory: cmp.Or(c.at("default_category").str(), "uncategorized"),
		zone:            cmp.Or(p.Zone, time.UTC),
	}
}

type hexoRules struct {
	plainRules
	permalink       string   // template for the URLs of posts
	postName        string   // template for the file names of posts
	include         []string // globs and prefixes of files that are read although their name begins with "_" or "."
	defaultCategory string   // default category of posts
	zone            *time.Location
}

// whyNotRendered returns a reason if Hexo ignores the file, because the name of the file or of a
// folder begins with "_" or ".". Otherwise it returns "". Hexo does not ignore the top-level
// folders _posts and _drafts, and the files that match the setting "include".
func (h *hexoRules) whyNotRendered(_ *Mapping, s source) string {
	file := path.Join(s.dir, s.name+s.ext)
	if anyMatchesFileOrParent(h.include, file) {
		return ""
	}
	below := strings.TrimPrefix(strings.TrimPrefix(file, "_posts/"), "_drafts/")
	for part := range strings.SplitSeq(below, "/") {
		if beginsWithAny(part, "_.") {
			return "Hexo leaves out names like " + part
		}
	}
	return ""
}

// publishDate returns the date of a post. With the setting "future: false", Hexo does not write
// the post before this date. For any other file, publishDate returns the zero Date.
func (*hexoRules) publishDate(_ *Mapping, s source, f *page.Facts) sitemap.Date {
	if strings.HasPrefix(s.dir+"/", "_posts/") {
		return f.Date
	}
	return sitemap.Date{}
}

func (h *hexoRules) outputFile(_ *Mapping, s source, f *page.Facts) (out, whyUnknown string) {
	if f.Permalink != "" {
		return permalinkFile(f.Permalink), ""
	}
	for _, posts := range []string{"_posts", "_drafts"} {
		if below, ok := strings.CutPrefix(s.dir+"/", posts+"/"); ok {
			return h.postOutputFile(path.Join(below, s.name), f)
		}
	}
	if s.ext == ".txt" {
		return "", "Hexo copies " + s.ext + " files"
	}
	return h.outputPath(s.dir, s.name), ""
}

// postOutputFile returns the output file of a post. name is the path of the post below _posts or
// _drafts, without its extension. If the output file is unknown, whyUnknown is the reason.
// See https://hexo.io/docs/permalinks
func (h *hexoRules) postOutputFile(name string, f *page.Facts) (out, whyUnknown string) {
	if rest, ok := strings.CutPrefix(h.postName, ":year-:month-:day-:title"); ok && strings.HasPrefix(rest, ".") {
		if _, title, dated := cutDate(path.Base(name)); dated {
			name = path.Join(path.Dir(name), title)
		}
	}
	values := map[string]string{
		"title": name, "name": path.Base(name), "post_title": strings.ToLower(hexoSlug(f.Title)),
		"id": f.ID, "category": h.categoryPathOrDefault(f.Categories),
	}
	maps.DeleteFunc(values, func(_, text string) bool { return text == "" }) // a placeholder without a value is unknown
	out, whyUnknown = fillPlaceholders(h.permalink, f.Date, h.zone, values)
	return permalinkFile(out), whyUnknown
}

// categoryPathOrDefault returns the categories of a post as a path of slugs: "news/events". Without
// categories, it returns the default category unchanged.
func (h *hexoRules) categoryPathOrDefault(names []string) string {
	if len(names) == 0 {
		return h.defaultCategory
	}
	slugs := make([]string, len(names))
	for i, name := range names {
		slugs[i] = hexoSlug(name)
	}
	return strings.Join(slugs, "/")
}

// timeIn returns d as a time in zone. For a date without a time, it returns the beginning of that
// day in zone.
func timeIn(zone *time.Location, d sitemap.Date) time.Time {
	t := d.Time()
	if d.Precision() == sitemap.Day {
		return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, zone)
	}
	return t.In(zone)
}

// hexoSpecial matches characters that become one hyphen in a slug.
var hexoSpecial = regexp.MustCompile("[\\s~`!@#$%^&*()\\-_+=[\\]{}|\\\\;:\"'<>,.?/]+")

// hexoLetters spells out letters that stripAccents does not change.
var hexoLetters = strings.NewReplacer(
	"ß", "s", "æ", "ae", "Æ", "AE", "ø", "o", "Ø", "O", "œ", "oe", "Œ", "OE", "ł", "l", "Ł", "L", "đ", "d", "Đ", "D",
)

// hexoSlug converts name to a slug as the function slugize in hexo-util does: "Hello, World" gives
// "Hello-World".
func hexoSlug(name string) string {
	return strings.Trim(hexoSpecial.ReplaceAllString(hexoLetters.Replace(stripAccents(name)), "-"), "-")
}
