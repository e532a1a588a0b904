package generator

import (
	"cmp"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

var hexo = generator{
	name: "hexo", files: []string{"_config.yml", "_config.json"}, is: isHexo, read: (*reader).readHexo,
	publish: namedFolder{"public_dir", "public"}, content: namedFolder{"source_dir", "source"}, base: "url", basePath: "root", zone: "timezone",
	server:   `"hexo server" writes no pages; run "hexo generate" after a change`,
	sitemap:  "uninstall hexo-generator-sitemap",
	sitemaps: []string{"sitemap.txt", "baidusitemap.xml"},
	archives: []string{"/{archives,categories,tags}/**", "/page/*/"},
	front: frontmatter.Conventions{
		Fences: []string{"---", ";;;"}, NameDate: frontmatter.NameBegins, NameDateIn: "_posts", Keys: []string{"categories", "id"}, Titles: true,
	},
}

// isHexo reports whether a _config.yml is Hexo's and not Jekyll's.
func isHexo(c config) bool {
	return c.hasAny("public_dir", "source_dir", "new_post_name", "post_asset_folder", "index_generator")
}

// readHexo reads a Hexo project.
// https://hexo.io/docs/configuration
func (r *reader) readHexo(p *Project, c config) {
	m := &p.Mapping
	m.Drafts, m.Future = c.at("render_drafts").isTrue(), !c.at("future").isFalse()
	m.rules = &hexoRules{
		plainRules: plainRules{flat: true, ends: mapping.FileName},
		permalink:  cmp.Or(p.addSetting("permalink", c.at("permalink")), ":year/:month/:day/:title/"),
		name:       cmp.Or(c.at("new_post_name").str(), ":title.md"),
		include:    c.at("include").strs(),
		category:   cmp.Or(c.at("default_category").str(), "uncategorized"),
		zone:       cmp.Or(p.Zone, time.UTC),
	}
}

type hexoRules struct {
	plainRules
	permalink string // template of posts
	name      string // template of their files' names
	include   []string
	category  string // of a post that has none
	zone      *time.Location
}

// whyNotRendered returns why Hexo does not read a file: names begin with an underscore or a dot,
// other than the folders of posts and drafts.
func (h *hexoRules) whyNotRendered(c *Content, s source) string {
	if matchesAnyStart(h.include, s.file) {
		return ""
	}
	for i, part := range strings.Split(s.file, "/") {
		if i == 0 && (part == "_posts" || part == "_drafts" && c.Drafts) {
			continue
		}
		if beginsWithAny(part, "_.") {
			return "Hexo leaves out names like " + part
		}
	}
	return ""
}

// publishDate returns a post's date, for future: false.
func (*hexoRules) publishDate(_ *Content, s source, f *page.Facts) sitemap.Date {
	if strings.HasPrefix(s.dir+"/", "_posts/") {
		return f.Date
	}
	return sitemap.Date{}
}

func (h *hexoRules) outputFile(_ *Content, s source, f *page.Facts) (out, note string) {
	if f.Permalink != "" {
		return linkFile(f.Permalink), ""
	}
	for _, posts := range []string{"_posts", "_drafts"} {
		if below, ok := strings.CutPrefix(s.dir+"/", posts+"/"); ok {
			return h.post(path.Join(below, s.name), f)
		}
	}
	if s.ext == ".txt" {
		return "", "Hexo copies " + s.ext + " files"
	}
	return h.joinOutput(s.dir, s.name), ""
}

// post fills the template of a post's address.
// https://hexo.io/docs/permalinks
func (h *hexoRules) post(name string, f *page.Facts) (out, note string) {
	if rest, ok := strings.CutPrefix(h.name, ":year-:month-:day-:title"); ok && strings.HasPrefix(rest, ".") {
		if _, title, dated := cutDate(path.Base(name)); dated {
			name = path.Join(path.Dir(name), title)
		}
	}
	out = placeholder.ReplaceAllStringFunc(h.permalink, func(token string) string {
		text := h.value(token, name, f)
		if layout := dateLayouts[token[1:]]; layout != "" && !f.Date.IsZero() {
			text = timeIn(h.zone, f.Date).Format(layout)
		}
		if text == "" {
			note = "the permalink needs " + strconv.Quote(token) + ", which is not known"
		}
		return text
	})
	return linkFile(out), note
}

// value returns the value of a token that is no part of a date.
func (h *hexoRules) value(token, name string, f *page.Facts) string {
	switch token {
	case ":title":
		return name
	case ":name":
		return path.Base(name)
	case ":post_title":
		return strings.ToLower(hexoSlug(f.Title))
	case ":id":
		return f.ID
	case ":category":
		return h.categories(f.Categories)
	}
	return ""
}

// categories returns the folders of a post's categories, each below the one before.
func (h *hexoRules) categories(names []string) string {
	if len(names) == 0 {
		return h.category
	}
	slugs := make([]string, len(names))
	for i, name := range names {
		if slugs[i] = hexoSlug(name); slugs[i] == "" {
			return ""
		}
	}
	return strings.Join(slugs, "/")
}

// timeIn returns the time of a date in a zone. A day is its beginning.
func timeIn(zone *time.Location, d sitemap.Date) time.Time {
	t := d.Time()
	if d.Precision() == sitemap.Day {
		return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, zone)
	}
	return t.In(zone)
}

var hexoSpecial = regexp.MustCompile("[\\s~`!@#$%^&*()\\-_+=[\\]{}|\\\\;:\"'<>,.?/]+")

var hexoLetters = strings.NewReplacer(
	"ß", "s", "æ", "ae", "Æ", "AE", "ø", "o", "Ø", "O", "œ", "oe", "Œ", "OE", "ł", "l", "Ł", "L", "đ", "d", "Đ", "D",
)

// hexoSlug follows slugize of hexo-util.
func hexoSlug(name string) string {
	return strings.Trim(hexoSpecial.ReplaceAllString(hexoLetters.Replace(plainLetters(name)), "-"), "-")
}
