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

// dateKeys are the keys of each date by priority, in lower case. The list of lastmod has no key
// for the date on which a page was written, because that date is a source of its own.
var dateKeys = map[string][]string{
	"lastmod": {
		"lastmod", "last_modified_at", "modified", "updated",
		"lastmodified", "lastupdated", "last_updated", "updateddate", "last_update.date", "date.updated",
	},
	"date":        {"date", "date.created", "publishdate", "pubdate", "published"},
	"publishdate": {"publishdate", "pubdate", "published"},
	"expirydate":  {"expirydate", "unpublishdate"},
}

// dateKeyOrder returns the keys of a date by priority. A key with a dot is the key of a map.
func (c *Conventions) dateKeyOrder(date string) []string {
	set := c.DateOrder[date]
	if set == nil {
		return dateKeys[date]
	}
	out := slices.Clone(set)
	if i := slices.Index(out, ":default"); i >= 0 {
		out = slices.Replace(out, i, i+1, dateKeys[date]...)
	}
	if date == "lastmod" {
		out = slices.DeleteFunc(out, func(key string) bool { return slices.Contains(dateKeys["date"], key) })
		out = append(out, dateKeys[date]...)
	}
	return out
}

// readDates reads the page's dates. An invalid date is a finding, and the next key is read.
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
	if d := m.conventionalDate(); !d.IsZero() {
		m.f.Date, m.f.DateBy = d, ":filename"
	}
}

// firstDate returns the first date of some keys, and its key. Without a date it returns the first
// key with an invalid date.
func (m *matter) firstDate(keys []string) (d sitemap.Date, by string) {
	for _, key := range keys {
		a := m.date(key)
		if !a.date.IsZero() {
			return a.date, key
		}
		if a.isInvalid && by == "" {
			by = key
		}
	}
	return sitemap.Date{}, by
}

// An answer is the date of a key.
type answer struct {
	date      sitemap.Date
	isInvalid bool
}

// date returns the date of a key. It reads each key once, to report its mistakes once.
func (m *matter) date(key string) answer {
	a, ok := m.dates[key]
	if !ok {
		a = m.readDate(key)
		m.dates[key] = a
	}
	return a
}

// readDate reads the date of a key, or of a key of a map: last_update of Docusaurus and date of
// Material for MkDocs are maps. A switch, a map, an empty value and the words of NoDates are no
// dates, and no mistakes.
func (m *matter) readDate(key string) (a answer) {
	if key == ":filename" {
		return answer{date: m.dateOfName()}
	}
	outer, part, isNested := strings.Cut(key, ".")
	n := m.values[outer]
	if n != nil && isNested {
		n = inner(n, part)
	}
	if n == nil || strict.IsNull(n) || n.Kind == yaml.MappingNode || n.Value == "" && n.Kind == yaml.ScalarNode {
		return a
	}
	if _, isSwitch := parseSwitch(n); isSwitch && n.ShortTag() != "!!int" || slices.Contains(m.r.o.NoDates, strings.ToLower(n.Value)) {
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

// conventionalDate returns the date that the generator reads from the file's name by default.
func (m *matter) conventionalDate() sitemap.Date {
	o := &m.r.o
	switch {
	case o.NameDateIn != "" && !strings.Contains("/"+m.name, "/"+o.NameDateIn+"/"):
		return sitemap.Date{}
	case o.NameDate == NameBegins:
		return m.dateOfName()
	case o.NameDate == NameHolds:
		d, _ := sitemap.ParseDate(anyDay.FindString(m.name), nil)
		return d
	}
	return sitemap.Date{}
}

// dateOfName returns the date at the beginning of the file's name, or of its folder's name for an
// index file.
func (m *matter) dateOfName() sitemap.Date {
	name := path.Base(m.name)
	if strings.HasPrefix(name, "index.") || strings.HasPrefix(name, "_index.") {
		name = path.Base(path.Dir(m.name))
	}
	date, _ := CutDate(name, m.r.o.Zone)
	return date
}

// CutDate cuts the day, or the day and the time, off the beginning of a file's name: "2024-01-02-a",
// "2024-01-02-15-04-05-a". The date is zero if there is none.
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
