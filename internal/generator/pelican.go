package generator

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

var pelican = generator{
	name: "pelican", files: []string{"pelicanconf.py"}, open: (*reader).openPelican, read: (*reader).readPelican,
	publish: namedFolder{"OUTPUT_PATH", "output"}, content: namedFolder{"PATH", "content"}, base: "SITEURL", zone: "TIMEZONE",
	sitemapHint: "remove the sitemap plugin",
	sitemaps:    []string{"sitemap.txt"},
	archives:    []string{"/{author,category,tag}/**", "/{archives,authors,categories,tags}.html", "/index[0-9]*.html"},
	front: frontmatter.Conventions{
		Fences: nodeFront.Fences, AllowsHeaders: true, TitleInURL: true, LangInURL: true, GeneratorKeys: []string{"status", "save_as"}, NameDate: frontmatter.DateBeginsName,
	},
}

// openPelican reads pelicanconf.py. The settings in publishconf.py override the settings in
// pelicanconf.py.
// See https://docs.getpelican.com/en/stable/settings.html
func (r *reader) openPelican([]string) config {
	return config{value: r.openConfig("pelicanconf.py").merge(r.openConfig("publishconf.py").value)}
}

// readPelican reads the settings of a Pelican project.
func (r *reader) readPelican(p *Project, c config) {
	rules := &pelicanRules{
		plainRules: plainRules{ends: mapping.FileName},
		settings:   c.value,
		lang:       c.at("DEFAULT_LANG").str(),
		pageDirs:   []string{"pages"},
	}
	for _, key := range []string{"SLUG_REGEX_SUBSTITUTIONS", "SLUGIFY_USE_UNICODE", "SLUGIFY_PRESERVE_CASE"} {
		if v := c.at(key); v != nil && !v.isFalse() {
			rules.slugSetting = key
		}
	}
	if v := c.at("PAGE_PATHS"); v != nil {
		rules.pageDirs = v.stringList()
	}
	p.Mapping.rules = rules
}

// pelicanPatterns maps each setting for output files to its default pattern.
var pelicanPatterns = map[string]string{
	"ARTICLE_SAVE_AS": "{slug}.html", "ARTICLE_LANG_SAVE_AS": "{slug}-{lang}.html",
	"DRAFT_SAVE_AS": "drafts/{slug}.html", "DRAFT_LANG_SAVE_AS": "drafts/{slug}-{lang}.html",
	"DRAFT_PAGE_SAVE_AS": "drafts/pages/{slug}.html", "DRAFT_PAGE_LANG_SAVE_AS": "drafts/pages/{slug}-{lang}.html",
	"PAGE_SAVE_AS": "pages/{slug}.html", "PAGE_LANG_SAVE_AS": "pages/{slug}-{lang}.html",
}

type pelicanRules struct {
	plainRules
	settings    *value
	lang        string   // setting DEFAULT_LANG
	pageDirs    []string // folders of pages; all other files are articles
	slugSetting string   // setting that changes how slugs are made, or ""
}

func (p *pelicanRules) whyNotRendered(_ *Mapping, s source) string {
	if s.ext == ".txt" || s.ext == ".adoc" || s.ext == ".org" || s.ext == ".mdx" {
		return "Pelican reads no " + s.ext + " files"
	}
	return ""
}

func (p *pelicanRules) outputFile(_ *Mapping, s source, f *page.Facts) (out, whyUnknown string) {
	if f.Permalink != "" { // value of the front matter key "save_as"
		return joinPath("", f.Permalink), ""
	}
	isPage := slices.ContainsFunc(p.pageDirs, func(dir string) bool { return strings.HasPrefix(s.dir+"/", strings.Trim(dir, "/")+"/") })
	isDraft := f.Skips.First().Note == "status: draft"
	lang := cmp.Or(f.Lang, p.lang)
	key := ""
	if isDraft {
		key = "DRAFT_"
	}
	if isPage {
		key += "PAGE_"
	} else if !isDraft {
		key = "ARTICLE_"
	}
	if lang != p.lang {
		key += "LANG_"
	}
	key += "SAVE_AS"
	pattern := p.settings.at(key)
	if pattern.isComputed() {
		return "", key + " cannot be known without running the settings; pages.dir alone has all pages"
	}
	return p.expandPattern(cmp.Or(pattern.str(), pelicanPatterns[key]), s, lang, f)
}

// pelicanToken matches a placeholder such as "{slug}" or "{date:%Y}". Group 1 is its name, and
// group 2 its format.
var pelicanToken = regexp.MustCompile(`\{(\w+)(?::([^}]*))?\}`)

// expandPattern fills in a pattern of an output file, such as "{slug}-{lang}.html" or
// "{date:%Y}/{slug}.html". If a value is unknown, whyUnknown is the reason.
// See https://docs.getpelican.com/en/stable/settings.html#url-settings
func (p *pelicanRules) expandPattern(pattern string, s source, lang string, f *page.Facts) (out, whyUnknown string) {
	take := func(slug, why string) string {
		whyUnknown = cmp.Or(whyUnknown, why)
		return slug
	}
	out = pelicanToken.ReplaceAllStringFunc(pattern, func(token string) string {
		m := pelicanToken.FindStringSubmatch(token)
		switch m[1] {
		case "slug":
			return take(p.slug(s, f))
		case "lang":
			return lang
		case "category":
			if len(f.Categories) > 0 {
				return take(p.slugify(f.Categories[0]))
			} else if s.dir != "" && !p.settings.at("USE_FOLDER_AS_CATEGORY").isFalse() {
				return take(p.slugify(path.Base(s.dir)))
			}
		case "date":
			if layout := strftime.Replace(m[2]); !f.Date.IsZero() && !strings.Contains(layout, "%") {
				return f.Date.Time().Format(layout)
			}
		}
		whyUnknown = "the settings put " + token + " into addresses, and the file does not contain it"
		return ""
	})
	return joinPath("", out), whyUnknown
}

// strftime converts a date format such as "%Y-%m" to a layout of package time.
var strftime = strings.NewReplacer("%Y", "2006", "%m", "01", "%d", "02", "%b", "Jan", "%B", "January", "%y", "06", "%H", "15", "%M", "04", "%S", "05")

// slug returns the slug in the front matter. Without one, it returns the slug of the title if
// SLUGIFY_SOURCE is "title", the default, and there is a title. Otherwise, it returns the slug of
// the file name. If the slug is unknown, whyUnknown is the reason.
func (p *pelicanRules) slug(s source, f *page.Facts) (slug, whyUnknown string) {
	switch {
	case f.Slug != "":
		return f.Slug, ""
	case f.Title != "" && cmp.Or(p.settings.at("SLUGIFY_SOURCE").str(), "title") == "title":
		return p.slugify(f.Title)
	}
	return p.slugify(s.name)
}

// The patterns in the default value of the setting SLUG_REGEX_SUBSTITUTIONS: pelicanDrop matches
// characters that Pelican removes, and pelicanJoin those that become one hyphen.
var (
	pelicanDrop = regexp.MustCompile(`[^\pL\pN_\s-]`)
	pelicanJoin = regexp.MustCompile(`[-\s]+`)
)

// slugify converts text to a slug as Pelican does. If the slug is unknown, for example because text
// is not in Latin letters, whyUnknown is the reason.
// See https://docs.getpelican.com/en/stable/settings.html#basic-settings
func (p *pelicanRules) slugify(text string) (slug, whyUnknown string) {
	if p.slugSetting != "" {
		return "", "the slug depends on " + p.slugSetting + ", which is not followed; write a slug"
	}
	slug = zolaLetters.Replace(stripAccents(norm.NFKC.String(text)))
	if !isASCII(slug) {
		return "", "the slug depends on how Pelican spells other than Latin letters; write a slug"
	}
	slug = strings.TrimSpace(pelicanDrop.ReplaceAllString(slug, ""))
	return strings.ToLower(pelicanJoin.ReplaceAllString(slug, "-")), ""
}
