package diff

import (
	"path"
	"strings"
)

// offer names for each lost URL the page that took its place, where there is one
// candidate and only one, and the line that leads there.
func (c *comparison) offer() {
	if c.Site == nil {
		return
	}
	f := c.finder()
	for i := range c.out.List {
		change := &c.out.List[i]
		if change.Class != Lost {
			continue
		}
		if to, how := f.find(change.URL); to != "" {
			change.To, change.Reason = to, change.Reason+"; "+how
			if c.Site.Fix != nil {
				change.Fix, change.In = c.Site.Fix(change.URL, to)
			}
		}
	}
}

// A finder knows what the new pages are like. Of each trait it holds the URLs
// that have it, and how many lost URLs do.
type finder struct {
	*comparison
	traits []trait
}

// A trait is something by which a page is known again.
type trait struct {
	of   func(*URL) string
	text string
	new  map[string][]string // added URLs by their trait
	lost map[string]int
}

func (c *comparison) finder() *finder {
	f := &finder{comparison: c}
	f.traits = []trait{
		{of: func(u *URL) string { return u.Fingerprint }, text: "the same content is new there"},
		{of: slug, text: "a new page has the same name"},
		{of: func(u *URL) string { return u.Title }, text: "a new page has the same title"},
	}
	for i := range f.traits {
		f.traits[i].count(f)
	}
	return f
}

func (t *trait) count(f *finder) {
	t.new, t.lost = map[string][]string{}, map[string]int{}
	for _, u := range f.lost {
		if k := t.of(u); k != "" {
			t.lost[k]++
		}
	}
	if len(t.lost) == 0 {
		return
	}
	for _, j := range f.added {
		if k := t.of(&f.New[j]); t.lost[k] > 0 {
			t.new[k] = append(t.new[k], f.New[j].Loc)
		}
	}
}

// find returns the one page that took the place of a URL. The strongest trait
// that any page shares decides; where it names several, none is offered.
func (f *finder) find(loc string) (to, how string) {
	if f.Site.Aliases != nil {
		switch all := f.Site.Aliases(loc); len(all) {
		case 0:
		case 1:
			return all[0], "a page names it as a further address of its own"
		default:
			return "", ""
		}
	}
	u := f.lost[loc]
	for _, t := range f.traits {
		k := t.of(u)
		all := t.new[k]
		if k == "" || len(all) == 0 {
			continue
		}
		if len(all) == 1 && t.lost[k] == 1 {
			return all[0], t.text
		}
		return "", ""
	}
	return "", ""
}

// slug is the last name of a URL's path, by which a page is known again in
// another section; "" when it says little: a number, a letter, none.
func slug(u *URL) string {
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
