package site

import (
	"maps"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A country is what the pages say of their translations into one language, on hosts whose
// pages are not at hand.
type country struct {
	host  string
	pages int
	doubt bool // they do not agree
}

// fewAgree is how many pages have to agree at least: one cannot.
const fewAgree = 2

func (c *country) agreed() bool { return !c.doubt && c.pages >= fewAgree }

// abroad returns what the pages say of the translations on other hosts, by language. They
// agree where all name one host, each its own page there, and where each names itself, too.
func (t *translator) abroad() map[string]*country {
	if t.countries != nil {
		return t.countries
	}
	t.countries = map[string]*country{}
	named := map[[3]string]bool{}
	for _, r := range t.listed {
		alts, meant := t.alternatesMeant(r)
		own := slices.IndexFunc(meant, func(m meaning) bool { return m.page == r && !m.bad })
		for i, m := range meant {
			if !m.elsewhere || m.bad {
				continue
			}
			a := alts[i]
			c, host := t.countries[a.Lang], sitemap.HostOf(a.Href)
			if c == nil {
				c = &country{host: host}
				t.countries[a.Lang] = c
			}
			c.pages++
			if own < 0 || c.host != host {
				c.doubt = true
				continue
			}
			key := [3]string{a.Lang, a.Href, alts[own].Lang}
			c.doubt = c.doubt || named[key]
			named[key] = true
		}
	}
	return t.countries
}

// noteAbroad notes on which hosts the translations are that are printed unseen.
func (t *translator) noteAbroad(g *Gaps) {
	var said []string
	for _, lang := range slices.Sorted(maps.Keys(t.countries)) {
		if c := t.countries[lang]; c.agreed() {
			said = append(said, lang+" on "+c.host)
		}
	}
	if len(said) > 0 {
		g.add(gapName{what: "abroad"}, "", func() diag.Diagnostic {
			return diag.Notef(diag.Pos{}, "alternate-elsewhere", "name the folder of the other site under sites, so that both are checked together",
				"translations on other hosts are printed as the pages name them (%s); sitewalk cannot see whether they link back", strings.Join(said, ", "))
		})
	}
}
