package audit

import (
	"cmp"
	"path"
	"strings"
)

// offer names for each lost URL the page that took its place, where there is one
// candidate and only one, and the line that leads there.
func (c *comparison) offer() {
	if c.Site == nil {
		return
	}
	traits := c.traits()
	for i := range c.out.List {
		change := &c.out.List[i]
		if change.Class != Lost {
			continue
		}
		if to, how := c.find(change.URL, traits); to != "" {
			change.To, change.Reason = to, change.Reason+"; "+how
			change.Fix, change.In = c.Site.Fix(change.URL, to)
		}
	}
}

// A trait is something by which a page is known again.
type trait struct {
	of   func(*datedURL) string
	text string
	new  map[string]candidates // by their trait
	lost map[string]int        // how many lost URLs have it, of those that an added one has
}

// candidates are the added URLs that share a trait.
type candidates struct {
	first string
	n     int
}

// traits returns those of the new pages.
func (c *comparison) traits() []trait {
	all := []trait{
		{of: func(u *datedURL) string { return u.Fingerprint }, text: "the same content is new there"},
		{of: slug, text: "a new page has the same name"},
		{of: func(u *datedURL) string { return u.Title }, text: "a new page has the same title"},
		{of: func(u *datedURL) string { return u.LastMod.String() }, text: "probably renamed: one new page has the same date"},
		{of: folderOf, text: "perhaps renamed: there is one new page in the same folder"},
	}
	for i := range all {
		all[i].count(c)
	}
	return all
}

// count remembers no more traits than the shorter of both lists has.
func (t *trait) count(c *comparison) {
	t.new, t.lost = map[string]candidates{}, map[string]int{}
	lost := map[string]bool{}
	fewLost := len(c.lost) < len(c.added)
	if fewLost {
		for _, u := range c.lost {
			lost[t.of(u)] = true
		}
	}
	for _, j := range c.added {
		u := &c.New[j]
		if k := t.of(u); k != "" && (lost[k] || !fewLost) {
			t.new[k] = candidates{cmp.Or(t.new[k].first, u.Loc), t.new[k].n + 1}
		}
	}
	for _, u := range c.lost {
		if k := t.of(u); t.new[k].n > 0 {
			t.lost[k]++
		}
	}
}

// find returns the one page that took the place of a URL. The strongest trait
// that any page shares decides; where it names several, none is offered.
func (c *comparison) find(loc string, traits []trait) (to, how string) {
	switch all := c.Site.Aliases(loc); len(all) {
	case 0:
	case 1:
		return all[0], "a page names it as a further address of its own"
	default:
		return "", ""
	}
	u := c.lost[loc]
	for _, t := range traits {
		k := t.of(u)
		all := t.new[k]
		if all.n == 0 {
			continue
		}
		if all.n == 1 && t.lost[k] == 1 {
			return all.first, t.text
		}
		return "", ""
	}
	return "", ""
}

// folderOf returns the folder of a URL below the root of its host, or "".
func folderOf(u *datedURL) string {
	dir := folder(strings.TrimSuffix(u.Loc, "/"))
	if strings.Count(dir, "/") <= 3 { // of https://example.com/
		return ""
	}
	return dir
}

// slug is the last name of a URL's path, by which a page is known again in
// another section; "" when it says little: a number, a letter, none.
func slug(u *datedURL) string {
	_, rest, _ := strings.Cut(u.Loc, "://")
	rest, _, _ = strings.Cut(rest, "?")
	_, rest, _ = strings.Cut(rest, "/")
	name := path.Base("/" + strings.TrimSuffix(rest, "/"))
	name = strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(name), ".html"), ".htm")
	if len(name) < 3 || name == "index" || strings.Trim(name, "0123456789-_.") == "" {
		return ""
	}
	return name
}
