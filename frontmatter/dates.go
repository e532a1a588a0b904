package frontmatter

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/internal/values"
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

// order returns the keys to ask for a date.
func (o *Conventions) order(date string) []string {
	set := o.DateOrder[date]
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

// orders are the keys to ask for each date.
type orders struct{ lastmod, date, publish, expiry []dateKey }

func (o *Conventions) orders() orders {
	return orders{
		dateKeysOf(o.order("lastmod")), dateKeysOf(o.order("date")),
		dateKeysOf(o.order("publishdate")), dateKeysOf(o.order("expirydate")),
	}
}

// A dateKey is a key or, with a dot, a key of a map.
type dateKey struct {
	name, outer, part string // part is "" without a dot
}

func dateKeysOf(names []string) []dateKey {
	keys := make([]dateKey, len(names))
	for i, name := range names {
		outer, part, _ := strings.Cut(name, ".")
		keys[i] = dateKey{name, outer, part}
	}
	return keys
}

// dates reads the page's dates. A date that cannot be read is a finding, once,
// and the next key is asked.
func (m *matter) dates() {
	orders := &m.r.orders
	if m.f.URL.LastMod.IsZero() {
		m.f.URL.LastMod, m.f.LastModBy = m.first(orders.lastmod)
	}
	m.f.Date, m.f.DateBy = m.first(orders.date)
	m.f.Publish, _ = m.first(orders.publish)
	m.f.Expiry, _ = m.first(orders.expiry)
	if !m.f.Date.IsZero() {
		return
	}
	m.f.DateBy = ""
	if d := m.conventional(); !d.IsZero() {
		m.f.Date, m.f.DateBy = d, ":filename"
	}
}

var anyDay = regexp.MustCompile(`\d{4}-\d{2}-\d{2}`)

// conventional returns the date that the generator reads from the file's name
// by default.
func (m *matter) conventional() sitemap.Date {
	o := &m.r.o
	switch {
	case o.NameDateIn != "" && !strings.Contains("/"+m.name, "/"+o.NameDateIn+"/"):
		return sitemap.Date{}
	case o.NameDate == NameBegins:
		return m.fromName()
	case o.NameDate == NameHolds:
		d, _ := sitemap.ParseDate(anyDay.FindString(m.name), nil)
		return d
	}
	return sitemap.Date{}
}

// An answer is the date under a key, once that was read.
type answer struct {
	key  string
	date sitemap.Date
}

// first returns the first date under one of the keys, and its key. When there
// is none, it returns the first key whose value should be a date and is not.
func (m *matter) first(keys []dateKey) (d sitemap.Date, by string) {
	for i := range keys {
		k := &keys[i]
		if k.name == ":filename" {
			d = m.fromName()
		} else if n := m.value(k.outer); n != nil {
			before := m.wrong
			if d = m.ask(k, n); m.wrong > before && by == "" {
				by = k.name
			}
		}
		if !d.IsZero() {
			return d, k.name
		}
	}
	return sitemap.Date{}, by
}

// ask reads the date under a key once.
func (m *matter) ask(k *dateKey, n *yaml.Node) sitemap.Date {
	for _, a := range m.answers {
		if a.key == k.name {
			return a.date
		}
	}
	d := m.dateAt(k, n)
	m.answers = append(m.answers, answer{k.name, d})
	return d
}

// fromName returns the date that the file's name, or that of its bundle, begins
// with.
func (m *matter) fromName() sitemap.Date {
	name := path.Base(m.name)
	if strings.HasPrefix(name, "index.") || strings.HasPrefix(name, "_index.") {
		name = path.Base(path.Dir(m.name))
	}
	date, _ := values.CutDate(name, m.r.o.Zone)
	return date
}

// dateAt reads the date under a key whose value, or whose map's, is n: the
// last_update of Docusaurus and the date of Material for MkDocs are maps. What
// is no date on purpose says nothing: true, false, a map, nothing at all, and
// words that stand for another source.
func (m *matter) dateAt(k *dateKey, n *yaml.Node) (d sitemap.Date) {
	if k.part != "" {
		n = inner(n, k.part)
	}
	if n == nil || n.Kind == yaml.MappingNode && k.part == "" {
		return d
	}
	if _, isBool := truth(n); isBool && n.ShortTag() != "!!int" || strict.Null(n) || n.Value == "" && n.Kind == yaml.ScalarNode {
		return d
	}
	if slices.Contains(m.r.o.NoDates, strings.ToLower(n.Value)) {
		return d
	}
	m.d.Under(k.name, func() {
		v := m.d.Text(n)
		d = values.Date(v.V, m.r.o.Zone, func(err error) { m.notDate(v.Pos, err) })
	})
	return d
}

func (m *matter) notDate(pos diag.Pos, err error) {
	m.wrong++
	m.f.Diags.Errorf(pos, "bad-date", "", "%v", err)
}
