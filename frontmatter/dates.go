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

// dateKeys lists the keys of front matter for each kind of date, the most important key first, in
// lower case. The keys for "lastmod" do not include "date", because sitewalk treats the date of
// publication as a separate source of lastmod.
var dateKeys = map[string][]string{
	"lastmod": {
		"lastmod", "last_modified_at", "modified", "updated",
		"lastmodified", "lastupdated", "last_updated", "updateddate", "last_update.date", "date.updated",
	},
	"date":        {"date", "date.created", "publishdate", "pubdate", "published"},
	"publishdate": {"publishdate", "pubdate", "published"},
	"expirydate":  {"expirydate", "unpublishdate"},
}

// dateKeyOrder returns the keys for a kind of date such as "lastmod", the most important key first.
// The key "date.updated" is the key "updated" in the map "date". If the site sets the order,
// dateKeyOrder replaces the token :default by the default keys. For "lastmod", it also removes the
// keys of the publication date, and appends the default keys.
func (c *Conventions) dateKeyOrder(kind string) []string {
	set := c.DateOrder[kind]
	if set == nil {
		return dateKeys[kind]
	}
	out := slices.Clone(set)
	if i := slices.Index(out, ":default"); i >= 0 {
		out = slices.Replace(out, i, i+1, dateKeys[kind]...)
	}
	if kind == "lastmod" {
		out = slices.DeleteFunc(out, func(key string) bool { return slices.Contains(dateKeys["date"], key) })
		out = append(out, dateKeys[kind]...)
	}
	return out
}

// readDates reads the dates of modification, publication and expiry, and the date of the page, such
// as the key "date". For an invalid date, it adds a finding and tries the next key. A date of
// modification in the key "sitemap" takes precedence.
func (m *matter) readDates() {
	o := &m.r.o
	if m.f.URL.LastMod.IsZero() {
		m.f.URL.LastMod, m.f.LastModBy = m.firstDate(o.dateKeyOrder("lastmod"))
	}
	m.f.Publish, _ = m.firstDate(o.dateKeyOrder("publishdate"))
	m.f.Expiry, _ = m.firstDate(o.dateKeyOrder("expirydate"))
	if m.f.Date, m.f.DateBy = m.firstDate(o.dateKeyOrder("date")); !m.f.Date.IsZero() {
		return
	}
	m.f.DateBy = ""
	if d := m.dateByNameConvention(); !d.IsZero() {
		m.f.Date, m.f.DateBy = d, ":filename"
	}
}

// firstDate returns the first valid date among the values of keys. by is the key of this date. If
// there is no valid date, d is zero, and by is the first key with an invalid date, or "".
func (m *matter) firstDate(keys []string) (d sitemap.Date, by string) {
	for _, key := range keys {
		a := m.cachedDate(key)
		if !a.date.IsZero() {
			return a.date, key
		}
		if a.isInvalid && by == "" {
			by = key
		}
	}
	return sitemap.Date{}, by
}

// A parsedDate is the result of parsing the value of a date key. date is zero if the key is missing
// or its value is not a date. isInvalid means that the value is a text that is not a valid date,
// such as "2024-13-01".
type parsedDate struct {
	date      sitemap.Date
	isInvalid bool
}

// cachedDate returns the date of a key. It parses each key only once, so that each mistake is
// reported once.
func (m *matter) cachedDate(key string) parsedDate {
	a, ok := m.dates[key]
	if !ok {
		a = m.parseDateOfKey(key)
		m.dates[key] = a
	}
	return a
}

// parseDateOfKey parses the date of a key. For "last_update.date", it looks up "date" in the map
// "last_update", and for ":filename", it parses the file name. It returns no date and reports
// nothing for a boolean, a map, an empty value, and a word in NoDateWords.
func (m *matter) parseDateOfKey(key string) (a parsedDate) {
	if key == ":filename" {
		return parsedDate{date: m.dateFromFileName()}
	}
	outer, part, isNested := strings.Cut(key, ".")
	n := m.values[outer]
	if n != nil && isNested {
		n = mapValue(n, part)
	}
	if n == nil || strict.IsNull(n) || n.Kind == yaml.MappingNode || n.Value == "" && n.Kind == yaml.ScalarNode {
		return a
	}
	if _, isBool := parseBool(n); isBool && n.ShortTag() != "!!int" || slices.Contains(m.r.o.NoDateWords, strings.ToLower(n.Value)) {
		return a
	}
	m.d.WithKey(key, func() {
		var v strict.Value[string]
		if !m.d.Decode(n, &v) {
			return
		}
		var err error
		if a.date, err = sitemap.ParseDate(v.V, m.r.o.Zone); err != nil {
			a.isInvalid = true
			m.f.Diags.Errorf(v.Pos, "bad-date", "", "%v", err)
		}
	})
	return a
}

var anyDay = regexp.MustCompile(`\d{4}-\d{2}-\d{2}`)

// dateByNameConvention returns the date in the path of the file, at the position that
// Conventions.NameDate names. It returns the zero date if there is none, or if the file is not
// below a folder called Conventions.NameDateIn.
func (m *matter) dateByNameConvention() sitemap.Date {
	o := &m.r.o
	switch {
	case o.NameDateIn != "" && !strings.Contains("/"+m.name, "/"+o.NameDateIn+"/"):
		return sitemap.Date{}
	case o.NameDate == DateBeginsName:
		return m.dateFromFileName()
	case o.NameDate == DateAnywhereInPath:
		d, _ := sitemap.ParseDate(anyDay.FindString(m.name), nil)
		return d
	}
	return sitemap.Date{}
}

// dateFromFileName returns the date at the beginning of the file name or, for an index file, of the
// name of its folder. It returns the zero date if the name does not begin with a date.
func (m *matter) dateFromFileName() sitemap.Date {
	name := path.Base(m.name)
	if strings.HasPrefix(name, "index.") || strings.HasPrefix(name, "_index.") {
		name = path.Base(path.Dir(m.name))
	}
	date, _ := CutDate(name, m.r.o.Zone)
	return date
}

// CutDate splits a file name after the date at its beginning: "2024-01-02-a" into the day and "-a",
// and "2024-01-02-15-04-05-a" into the time and "-a". zone is the zone of the time. Without a date,
// CutDate returns the zero date and name.
func CutDate(name string, zone *time.Location) (date sitemap.Date, rest string) {
	const day, full = len(time.DateOnly), len(time.DateTime)
	if len(name) >= full {
		text := name[:day] + " " + strings.ReplaceAll(name[day+1:full], "-", ":")
		if _, err := time.Parse(time.DateTime, text); err == nil {
			date, _ = sitemap.ParseDate(text, zone)
			return date, name[full:]
		}
	}
	if len(name) < day {
		return date, name
	}
	t, err := time.Parse(time.DateOnly, name[:day])
	if err != nil {
		return date, name
	}
	return sitemap.DayOf(t), name[day:]
}
