package report

import (
	"cmp"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/page"
)

// A node is a section of the site: a folder of URL paths.
type node struct {
	Name, Query, Shown string
	Nodes              []*node
	More               string // sections that are not shown, in words
	Open               bool

	prefix        string
	listed, total int
	large         bool // it is shown
	below         map[string]*node
}

// bars are how the pages fall into parts.
type bars struct {
	Name, Column string
	Rows         []bar
}

type bar struct {
	Name, Text, Query, Shown string
	N                        int
	In, Left                 float64 // how much of 100 is drawn as listed, and as left out
}

// site fills in what is told of the pages.
func (v *view) site(r *Report) error {
	pages := slices.Clone(r.Pages)
	for i := range pages {
		pages[i].plain()
	}
	slices.SortStableFunc(pages, func(a, b Page) int {
		return cmp.Or(cmp.Compare(a.URL, b.URL), cmp.Compare(a.File, b.File))
	})
	v.Total, v.Count = len(pages), diag.Count(len(pages), "page")
	v.Tree, v.Reasons = treeOf(pages, r.Base), reasonTexts()
	v.Bars = append(sectionBars(v.Tree), barsOf(pages)...)
	var more string
	v.Pages, more = few(pages, mostPages)
	if more != "" {
		v.Count += ", of which the first " + diag.Number(mostPages) + " are shown without scripts"
	}
	var err error
	v.Data, err = pack(siteData{r.Base, v.Reasons, pages, r.byFile()})
	return err
}

func (p *Page) plain() {
	for _, s := range []*string{&p.URL, &p.Why, &p.Pos.File, &p.Lang, &p.Title, &p.File, &p.Source} {
		*s = diag.Plain(*s)
	}
}

// Sections are shown so deep, and the largest of them.
const (
	mostDepth    = 4
	mostSections = 400
)

// treeOf returns the sections of a site, the largest first.
func treeOf(pages []Page, base string) *node {
	root := &node{prefix: base}
	for i := range pages {
		rest, in := strings.CutPrefix(pages[i].URL, base)
		if !in || base == "" {
			continue
		}
		n := root
		for depth := 0; ; depth++ {
			n.total++
			if pages[i].Listed {
				n.listed++
			}
			name, after, deeper := strings.Cut(rest, "/")
			if !deeper || depth == mostDepth {
				break
			}
			n, rest = n.child(name), after
		}
	}
	all := root.sections(nil)
	slices.SortFunc(all, func(a, b *node) int { // a section comes before those within it
		return cmp.Or(-cmp.Compare(a.total, b.total), cmp.Compare(a.prefix, b.prefix))
	})
	some, _ := few(all, mostSections)
	for _, n := range some {
		n.large = true
	}
	root.finish("/")
	root.Open = true
	return root
}

func (n *node) child(name string) *node {
	c := n.below[name]
	if c == nil {
		if n.below == nil {
			n.below = map[string]*node{}
		}
		c = &node{prefix: n.prefix + name + "/"}
		n.below[name] = c
	}
	return c
}

// sections appends all sections below. A folder of a single page is that page,
// and no section.
func (n *node) sections(all []*node) []*node {
	for _, c := range n.below {
		if c.total > 1 {
			all = c.sections(append(all, c))
		}
	}
	return all
}

// finish names a section and sorts what it shows.
func (n *node) finish(name string) {
	n.Name, n.Query = name, query("section", n.prefix)
	n.Shown = diag.Number(n.total)
	if n.listed < n.total {
		n.Shown = diag.Number(n.listed) + " of " + n.Shown
	}
	more := 0
	for name, c := range n.below {
		switch {
		case c.large:
			c.finish(name + "/")
			n.Nodes = append(n.Nodes, c)
		case c.total > 1:
			more++
		}
	}
	if more > 0 {
		n.More = diag.Number(more)
	}
	slices.SortFunc(n.Nodes, func(a, b *node) int {
		return cmp.Or(-cmp.Compare(a.total, b.total), cmp.Compare(a.Name, b.Name))
	})
}

// mostBars is how many sections the picture of the site has.
const mostBars = 12

// sectionBars are the sections at the top of the site, the largest first, each as long as
// it is large beside the largest.
func sectionBars(root *node) []bars {
	all := slices.Clone(root.Nodes)
	if len(all) == 0 {
		return nil
	}
	if len(all) > mostBars {
		all = all[:mostBars]
	}
	b := bars{Name: "Sections by size", Column: "Section"}
	for _, n := range all {
		share := 100 / float64(all[0].total)
		b.Rows = append(b.Rows, bar{Name: n.Name, Query: n.Query, Shown: n.Shown, In: float64(n.listed) * share, Left: float64(n.total-n.listed) * share})
	}
	return []bars{b}
}

// barsOf counts pages by what keeps them out, the year of their date, who gave
// it, and their language.
func barsOf(pages []Page) []bars {
	reasons, years, sources, langs := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	for i := range pages {
		p := &pages[i]
		if !p.Listed {
			reasons[p.Reason]++
			continue
		}
		years[year(p.LastMod)]++
		sources[cmp.Or(p.By, noDate)]++
		langs[cmp.Or(p.Lang, "not said")]++
	}
	texts := reasonTexts()
	why := barsBy("Left out, by reason", "Reason", reasons)
	for i := range why.Rows {
		why.Rows[i].Query, why.Rows[i].Text = query("reason", why.Rows[i].Name), texts[why.Rows[i].Name]
		why.Rows[i].In, why.Rows[i].Left = 0, why.Rows[i].In
	}
	age := barsBy("Dates by age", "Year", years)
	slices.SortFunc(age.Rows, func(a, b bar) int {
		if a.Name == noDate || b.Name == noDate {
			return cmp.Compare(len(a.Name), len(b.Name)) // after the years
		}
		return -cmp.Compare(a.Name, b.Name)
	})
	tongue := barsBy("Languages", "Language", langs)
	for i := range tongue.Rows {
		if tongue.Rows[i].Name != "not said" {
			tongue.Rows[i].Query = query("state", "in", "lang", tongue.Rows[i].Name)
		}
	}
	if len(langs) == 1 && langs["not said"] > 0 {
		tongue.Rows = nil
	}
	return slices.DeleteFunc([]bars{why, age, barsBy("Dates by source", "Source", sources), tongue}, func(b bars) bool { return len(b.Rows) == 0 })
}

// noDate stands for the year, and the source, of a date that is not there.
const noDate = "no date"

func year(date string) string {
	if len(date) < 4 {
		return noDate
	}
	return date[:4]
}

// barsBy makes a row of each count, the largest first.
func barsBy(name, column string, counts map[string]int) bars {
	b := bars{Name: name, Column: column}
	total := 0
	for key, n := range counts {
		b.Rows = append(b.Rows, bar{Name: key, N: n, Shown: diag.Number(n)})
		total += n
	}
	for i := range b.Rows {
		b.Rows[i].In = 100 * float64(b.Rows[i].N) / float64(total)
	}
	slices.SortFunc(b.Rows, func(a, c bar) int { return cmp.Or(-cmp.Compare(a.N, c.N), cmp.Compare(a.Name, c.Name)) })
	return b
}

// reasonTexts say in words what each reason means.
func reasonTexts() map[string]string {
	texts := map[string]string{}
	for _, r := range page.Reasons {
		texts[r.Name] = r.Text
	}
	return texts
}

// short names a page in a table.
func (r *Report) short(p Page) string {
	if rest, in := strings.CutPrefix(p.URL, r.Base); in && r.Base != "" {
		return "/" + rest
	}
	return cmp.Or(p.URL, p.File)
}

// A siteData is what the script of the page reads: the pages as in the JSON report.
type siteData struct {
	Base     string              `json:"base"`
	Reasons  map[string]string   `json:"reasons"`
	Pages    []Page              `json:"pages"`
	Findings map[string][]string `json:"findings"` // by the file of their page
}

// pack returns a value as JSON, compressed and in base64, which takes some ten bytes of a
// page.
func pack(v any) (template.HTML, error) {
	var b strings.Builder
	text := base64.NewEncoder(base64.StdEncoding, &b)
	packed := gzip.NewWriter(text)
	err := cmp.Or(json.NewEncoder(packed).Encode(v), packed.Close(), text.Close())
	return template.HTML(b.String()), err
}

// byFile are the findings of each page, the first of many.
func (r *Report) byFile() map[string][]string {
	const most = 10
	all := map[string][]string{}
	for _, k := range r.Findings {
		for _, d := range k.List {
			if file := diag.Plain(d.Pos.File); file != "" && len(all[file]) < most {
				all[file] = append(all[file], diag.Plain(d.Message)+" ["+k.Code+"]")
			}
		}
	}
	return all
}
