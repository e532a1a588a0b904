package generator

import (
	"cmp"
	"net/url"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/sitewalk/sitewalk/internal/glob"
	"github.com/sitewalk/sitewalk/page"
)

// appliesTo reports whether the page p meets the conditions of the permalink.
func (l *permalink) appliesTo(p *hugoPage) bool {
	return matchesGlob(l.path, p.path) && matchesGlob(l.kind, p.kind) && matchesGlob(l.lang, p.lang)
}

// matchesGlob reports whether the glob pattern matches s. An empty pattern matches every string.
func matchesGlob(pattern, s string) bool { return pattern == "" || glob.Match(pattern, s) }

// hugoToken matches a token in a URL pattern, such as ":title" or ":sections[1:]".
var hugoToken = regexp.MustCompile(`:\w+(\[.+?\])?`)

// escapedColon temporarily replaces an escaped colon `\:` in a pattern.
const escapedColon = "\x00"

// expandPattern replaces the tokens in a URL pattern, such as ":title", by their values for the
// page p. The pattern comes from the setting "permalinks" or the front matter key "url". If a value
// is unknown, or the result has an invalid percent-encoding, whyUnknown is the reason, and expanded
// is "".
// See https://gohugo.io/configuration/permalinks/#tokens
func (h *hugoRules) expandPattern(m *Mapping, pattern string, p *hugoPage) (expanded, whyUnknown string) {
	s := strings.ReplaceAll(pattern, `\:`, escapedColon)
	s = hugoToken.ReplaceAllStringFunc(s, func(token string) string {
		value, why := h.tokenValue(m, token[1:], p)
		whyUnknown = cmp.Or(whyUnknown, why)
		return value
	})
	if whyUnknown != "" {
		return "", whyUnknown
	}
	s, err := url.QueryUnescape(strings.ReplaceAll(s, escapedColon, ":")) // as in Hugo, a plus sign becomes a space
	if err != nil {
		return "", "the permalink " + strconv.Quote(pattern) + " has a broken percent escape"
	}
	if strings.HasSuffix(s, "/") && p.facts.Permalink != "" {
		return path.Clean(s) + "/", ""
	}
	return path.Clean(s), ""
}

// tokenValue returns the value of a permalink token such as "title" for the page p. If the value is
// unknown, whyUnknown is the reason.
func (h *hugoRules) tokenValue(m *Mapping, token string, p *hugoPage) (value, whyUnknown string) {
	switch token {
	case "section":
		return topFolder(p.source), ""
	case "sections":
		return h.innermostSection(m, p)
	case "title":
		return h.titleSlug(p)
	case "slug":
		if p.slug != "" {
			return h.urlize(p.slug), ""
		}
		return h.titleSlug(p)
	case "slugorfilename", "slugorcontentbasename":
		return h.urlize(cmp.Or(p.slug, p.base)), ""
	case "filename", "contentbasename":
		return h.urlize(p.base), ""
	}
	return hugoDateValue(token, p.facts)
}

// titleSlug returns the slug of the page's title. If the slug is unknown, whyUnknown is the reason.
func (h *hugoRules) titleSlug(p *hugoPage) (value, whyUnknown string) {
	title := p.facts.Title
	if title == "" {
		return "", "the permalink needs a title, and the front matter has none"
	}
	if strings.ContainsAny(title, `/\`) && p.kind != "taxonomy" && p.kind != "term" {
		return "", "how a title with a slash becomes an address depends on Hugo's version"
	}
	return h.urlize(title), ""
}

// innermostSection returns the folder of the innermost section that contains the page. A section is
// a top-level folder, or a folder with a file "_index". For the page of a section, the result is
// the folder of this section. If the section is unknown, whyUnknown is the reason.
func (h *hugoRules) innermostSection(m *Mapping, p *hugoPage) (dir, whyUnknown string) {
	dir = p.dir
	if m.indexes == nil && p.kind == "page" && strings.Contains(dir, "/") {
		return "", "the permalink needs the sections, and the tree's _index files are not known"
	}
	if p.kind == "page" {
		for strings.Contains(dir, "/") {
			if m.indexes[indexKey{dir, "_index", p.lang}] {
				break
			}
			dir = path.Dir(dir)
		}
	}
	return dir, ""
}

// hugoDateValue returns the part of the page's date that a token such as "year" means. A page
// without a date has the date of its publication or of its last change. A token may also be a
// layout of package time, such as "2006-01". If the token or the date is unknown, whyUnknown is the
// reason.
func hugoDateValue(token string, f *page.Facts) (value, whyUnknown string) {
	d := cmp.Or(f.Date, f.Publish, f.URL.LastMod)
	switch {
	case strings.Contains(token, "[") || strings.HasPrefix(token, "sectionslug"):
		return "", "the permalink token :" + token + " is not followed; write a url"
	case d.IsZero():
		return "", "the permalink needs a date, and the front matter has none"
	case token == "weekday":
		return strconv.Itoa(int(d.Time().Weekday())), ""
	case token == "yearday":
		return strconv.Itoa(d.Time().YearDay()), ""
	}
	if value = d.Time().Format(cmp.Or(hugoLayouts[token], token)); value == token {
		return "", "the permalink token :" + token + " is not known"
	}
	return value, ""
}

// hugoLayouts maps date tokens of Hugo permalinks, such as "year", to layouts of package time.
var hugoLayouts = map[string]string{"year": "2006", "month": "01", "monthname": "January", "day": "02", "weekdayname": "Monday"}
