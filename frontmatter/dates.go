package frontmatter

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/sitemap"
	"gopkg.in/yaml.v3"
)

// dateKeys are the keys asked for each date, in order, in lower case. Those of
// lastmod leave out when a page was written: that is a source of its own.
var dateKeys = map[string][]string{
	"lastmod": {
		"lastmod", "last_modified_at", "modified", "updated",
		"lastmodified", "lastupdated", "last_updated", "updateddate", "last_update.date", "date.updated",
	},
	"date":        {"date", "date.created", "publishdate", "pubdate", "published"},
	"publishdate": {"publishdate", "pubdate", "published"},
	"expirydate":  {"expirydate", "unpublishdate"},
}

// hugoAliases are further spellings that Hugo asks after a key.
// https://gohugo.io/configuration/front-matter/
var hugoAliases = map[string][]string{
	"lastmod":     {"modified"},
	"publishdate": {"pubdate", "published"},
	"expirydate":  {"unpublishdate"},
}

// order returns the keys to ask for a date.
func (o *Options) order(date string) []string {
	var set []string
	for key, list := range o.DateOrder {
		if strings.EqualFold(key, date) {
			set = list
		}
	}
	if set == nil {
		return dateKeys[date]
	}
	var out []string
	for _, key := range set {
		key = strings.ToLower(key)
		if key == ":default" {
			out = append(out, dateKeys[date]...)
			continue
		}
		out = append(append(out, key), hugoAliases[key]...)
	}
	if date == "lastmod" {
		out = slices.DeleteFunc(out, func(key string) bool { return slices.Contains(dateKeys["date"], key) })
		out = append(out, dateKeys[date]...)
	}
	return out
}

// dates reads the page's dates. A date that cannot be read is a finding, once,
// and the next key is asked.
func (m *matter) dates() {
	read := map[string]sitemap.Date{}
	if m.f.URL.LastMod.IsZero() {
		m.f.URL.LastMod, m.f.LastModBy = m.first("lastmod", read)
	}
	m.f.Date, m.f.DateBy = m.first("date", read)
	m.f.Publish, _ = m.first("publishdate", read)
	m.f.Expiry, _ = m.first("expirydate", read)
	if !m.f.Date.IsZero() {
		return
	}
	if d := m.conventional(); !d.IsZero() {
		m.f.Date, m.f.DateBy = d, ":filename"
	}
}

var anyDay = regexp.MustCompile(`\d{4}-\d{2}-\d{2}`)

// conventional returns the date that the generator finds in the file's name
// without being told to.
func (m *matter) conventional() sitemap.Date {
	switch {
	case m.o.Generator == "jekyll" && strings.Contains("/"+m.name, "/_posts/"), m.o.Generator == "zola":
		return m.fromName()
	case m.o.Generator == "eleventy":
		d, _ := sitemap.ParseDate(anyDay.FindString(m.name), nil)
		return d
	}
	return sitemap.Date{}
}

// first returns the first date that one of the keys says, and its key.
func (m *matter) first(date string, read map[string]sitemap.Date) (d sitemap.Date, by string) {
	for _, key := range m.o.order(date) {
		if key == ":filename" {
			d = m.fromName()
		} else if known, ok := read[key]; ok {
			d = known
		} else {
			d = m.date(key)
			read[key] = d
		}
		if !d.IsZero() {
			return d, key
		}
	}
	return sitemap.Date{}, ""
}

// fromName returns the date that the file's name, or that of its bundle, begins
// with.
func (m *matter) fromName() sitemap.Date {
	name := path.Base(m.name)
	if strings.HasPrefix(name, "index.") || strings.HasPrefix(name, "_index.") {
		name = path.Base(path.Dir(m.name))
	}
	if len(name) >= 19 {
		day, clock := name[:10], strings.ReplaceAll(name[11:19], "-", ":")
		if _, err := time.Parse(time.DateTime, day+" "+clock); err == nil {
			d, _ := sitemap.ParseDate(day+" "+clock, m.o.Zone)
			return d
		}
	}
	if len(name) < len(time.DateOnly) {
		return sitemap.Date{}
	}
	t, err := time.Parse(time.DateOnly, name[:10])
	if err != nil {
		return sitemap.Date{}
	}
	return sitemap.DayOf(t)
}

// date reads the date under a key, or, with a dot, under a key of a map: the
// last_update of Docusaurus and the date of Material for MkDocs. What is no date
// on purpose says nothing: true, false, a map, nothing at all, and the words for
// which Eleventy asks git or the file system.
func (m *matter) date(key string) (d sitemap.Date) {
	outer, part, dotted := strings.Cut(key, ".")
	top, ok := m.keys[outer]
	n := &top
	if dotted {
		n = inner(n, part)
	}
	if !ok || n == nil || n.Kind == yaml.MappingNode && !dotted {
		return d
	}
	if _, isBool := strict.Bool(n); isBool || n.ShortTag() == "!!null" || n.Value == "" && n.Kind == yaml.ScalarNode {
		return d
	}
	if m.o.Generator == "eleventy" && eleventyDates[strings.ToLower(n.Value)] {
		return d
	}
	var v strict.Value[string]
	m.d.Under(key, func() { m.d.Decode(n, &v) })
	return converter{m.o.Zone, &m.f.Diags}.date(v)
}

// eleventyDates are the words that are a date in Eleventy.
// https://www.11ty.dev/docs/dates/
var eleventyDates = map[string]bool{"last modified": true, "created": true, "git last modified": true, "git created": true}
