package audit

import (
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// A listing is what one sitemap, or an index with all that it names, lists.
type listing struct {
	name string
	urls map[string]*listedURL
}

// twins reports URLs that a list lacks and the same list in another form has:
// sitemap.xml, sitemap.xml.gz and sitemap.txt are for the same URLs, and crawlers
// read one of them.
func (c *Checker) twins() {
	for i := range c.lists {
		for j := range c.lists {
			if i != j && formless(c.lists[i].name) == formless(c.lists[j].name) {
				c.lacks(&c.lists[i], &c.lists[j])
			}
		}
	}
}

// formless is the name of a file without what tells of its form.
func formless(name string) string {
	name = strings.TrimSuffix(name, ".gz")
	return strings.TrimSuffix(strings.TrimSuffix(name, ".txt"), ".xml")
}

// lacks reports what l does not list, and its twin does.
func (c *Checker) lacks(l, twin *listing) {
	n, first := 0, ""
	for loc := range twin.urls {
		if _, ok := l.urls[loc]; ok {
			continue
		}
		if n++; n == 1 || loc < first {
			first = loc
		}
	}
	if n == 0 {
		return
	}
	c.Findings.Add(diag.Warnf(diag.Pos{File: l.name}, "not-listed", "write both again, or keep one",
		"it lacks %s that %s lists; the first is %s", diag.Count(n, "URL"), twin.name, first).About(twin.name))
}
