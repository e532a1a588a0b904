package generator

import (
	"cmp"
	"path"
	"regexp"
	"strings"

	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

type eleventyRules struct {
	plain
	parts []string // folders of what is no page: layouts, parts and data, below the input
}

func (e eleventyRules) notRendered(_ *Content, s source) string {
	for _, dir := range e.parts {
		if strings.HasPrefix(s.dir+"/", dir+"/") {
			return "layouts, parts and data are no pages"
		}
	}
	return ""
}

// output takes a permalink, of the file or of the data of its folder;
// "posts/posts.md" is the page of its folder.
// https://www.11ty.dev/docs/permalinks/
func (e eleventyRules) output(c *Content, s source, f *page.Facts) (out, note string) {
	link := cmp.Or(f.Permalink, c.defaults(s).Permalink)
	switch {
	case link != "":
		if link, note = fillPermalink(link, s, f); note != "" {
			return "", note
		}
		return linkFile(link), ""
	case s.name == path.Base(s.dir):
		return e.file(s.dir, "index"), ""
	}
	return e.file(s.dir, s.name), ""
}

func (eleventyRules) ending(c *Content, s source, f *page.Facts) mapping.Ending {
	return endingOf(cmp.Or(f.Permalink, c.defaults(s).Permalink))
}

// A permalink may be a template, of which the usual values and filters are
// followed.
// https://www.11ty.dev/docs/data-eleventy-supplied/#page-variable
var (
	eleventyToken = regexp.MustCompile(`\{\{-?\s*([^{}]*?)\s*-?\}\}`)
	eleventyDate  = regexp.MustCompile(`^date:?\s*\(?["']([^"']*)["']\)?$`)
)

// fillPermalink fills a permalink's template.
func fillPermalink(link string, s source, f *page.Facts) (filled, note string) {
	filled = eleventyToken.ReplaceAllStringFunc(link, func(token string) string {
		parts := strings.Split(eleventyToken.FindStringSubmatch(token)[1], "|")
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		text, ok := eleventyValue(parts[0], parts[1:], s, f)
		if !ok {
			note = "the permalink is a template, and " + token + " is known only to who runs it; write one without"
		}
		return text
	})
	if note == "" && strings.Contains(filled, "{%") || strings.Contains(filled, "${") {
		note = "the permalink is a template with statements, which are not run; write one without"
	}
	return filled, note
}

// eleventyValue returns a value of a permalink's template, filtered.
func eleventyValue(name string, filters []string, s source, f *page.Facts) (text string, ok bool) {
	switch name {
	case "page.fileSlug":
		text = fileSlug(s)
	case "page.filePathStem":
		text = "/" + path.Join(s.dir, undated(s.name))
	case "title":
		text = f.Title
	case "slug":
		text = f.Slug
	case "page.date", "date":
		if len(filters) == 0 || f.Date.IsZero() {
			return "", false
		}
		text, ok = eleventyFormat(filters[0], f.Date)
		filters = filters[1:]
		if !ok {
			return "", false
		}
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
			return "", false
		}
	}
	return text, text != "" || name == "page.fileSlug"
}

// eleventyFormat formats a date as Liquid's filter does.
func eleventyFormat(filter string, date sitemap.Date) (text string, ok bool) {
	m := eleventyDate.FindStringSubmatch(filter)
	if m == nil {
		return "", false
	}
	layout := strftime.Replace(m[1])
	return date.Time().UTC().Format(layout), !strings.Contains(layout, "%")
}

// undated cuts the date off that begins a name.
func undated(name string) string {
	if _, rest, ok := cutDate(name); ok {
		return rest
	}
	return name
}

// fileSlug is a file's name without its date, or that of its folder for an index.
func fileSlug(s source) string {
	if s.name != "index" {
		return undated(s.name)
	}
	if s.dir == "" {
		return ""
	}
	return undated(path.Base(s.dir))
}

// eleventySlug is the filter of that name, for texts without other than ASCII
// letters and without what it spells out.
func eleventySlug(text string) (slug string, ok bool) {
	if !isASCII(text) || strings.ContainsAny(text, "&'\\") {
		return "", false
	}
	return slugify(text, "", false), true
}
