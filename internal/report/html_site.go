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

// A viewSite is what is told of the pages.
type viewSite struct {
	Tree    *node
	Bars    []bars
	Count   string
	Pages   []Page            // drawn without scripts
	Reasons map[string]string // what each of them means
	Data    template.HTML
}

// A node is a section of the site: a folder of URL paths.
type node struct {
	Name  string
	Nodes []*node // sections in it that are shown, the largest first
	More  int     // and how many are not
	Open  bool

	in            *node
	prefix        string
	listed, total int
}

// Query is what shows the pages of a section.
func (n *node) Query() string { return query("section", n.prefix) }

// Shown says how many pages a section has.
func (n *node) Shown() string {
	if n.listed < n.total {
		return diag.Number(n.listed) + " of " + diag.Number(n.total)
	}
	return diag.Number(n.total)
}

func (n *node) add(p *Page) {
	n.total++
	if p.Listed {
		n.listed++
	}
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

// viewSite is what is told of the pages, whose texts go through diag.Plain.
func (r *Report) viewSite() (v *viewSite, err error) {
	pages := slices.Clone(r.Pages)
	for i := range pages {
		pages[i].plain()
	}
	slices.SortStableFunc(pages, func(a, b Page) int {
		return cmp.Or(cmp.Compare(a.URL, b.URL), cmp.Compare(a.File, b.File))
	})
	v = &viewSite{Tree: treeOf(pages, r.Base), Count: diag.Count(len(pages), "page"), Reasons: reasonTexts()}
	v.Bars = append(sectionBars(v.Tree), barsOf(pages)...)
	var more string
	v.Pages, more = few(pages, mostPages)
	if more != "" {
		v.Count += ", of which the first " + diag.Number(mostPages) + " are shown without scripts"
	}
	v.Data, err = pack(siteData{r.Base, v.Reasons, pages, r.byFile()})
	return v, err
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

// treeOf returns the root of the sections of a site. A folder of a single page is that
// page, and no section.
func treeOf(pages []Page, base string) *node {
	root := &node{Name: "/", Open: true, prefix: base}
	known := map[string]*node{}
	var all []*node
	for i := range pages {
		p := &pages[i]
		rest, in := strings.CutPrefix(p.URL, base)
		if !in || base == "" {
			continue
		}
		n := root
		n.add(p)
		for range mostDepth {
			name, after, deeper := strings.Cut(rest, "/")
			if !deeper {
				break
			}
			prefix := strings.TrimSuffix(p.URL, after)
			if known[prefix] == nil {
				known[prefix] = &node{Name: name + "/", in: n, prefix: prefix}
				all = append(all, known[prefix])
			}
			n, rest = known[prefix], after
			n.add(p)
		}
	}
	all = slices.DeleteFunc(all, func(n *node) bool { return n.total == 1 })
	slices.SortFunc(all, func(a, b *node) int { // a section comes before those within it
		return cmp.Or(-cmp.Compare(a.total, b.total), cmp.Compare(a.prefix, b.prefix))
	})
	for i, n := range all {
		if i < mostSections {
			n.in.Nodes = append(n.in.Nodes, n)
		} else {
			n.in.More++
		}
	}
	return root
}

// mostBars is how many sections the picture of the site has.
const mostBars = 12

// sectionBars are the sections at the top of the site, the largest first, each as long as
// it is large beside the largest.
func sectionBars(root *node) []bars {
	if len(root.Nodes) == 0 {
		return nil
	}
	b := bars{Name: "Sections by size", Column: "Section"}
	for _, n := range root.Nodes[:min(len(root.Nodes), mostBars)] {
		share := 100 / float64(root.Nodes[0].total)
		b.Rows = append(b.Rows, bar{Name: n.Name, Query: n.Query(), Shown: n.Shown(), In: float64(n.listed) * share, Left: float64(n.total-n.listed) * share})
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
		langs[cmp.Or(p.Lang, noLang)]++
	}
	texts := reasonTexts()
	why := barsBy("Left out, by reason", "Reason", reasons)
	for i := range why.Rows {
		b := &why.Rows[i]
		b.Query, b.Text, b.In, b.Left = query("reason", b.Name), texts[b.Name], 0, b.In
	}
	age := barsBy("Dates by age", "Year", years)
	slices.SortFunc(age.Rows, func(a, b bar) int { // the years first
		return cmp.Or(cmp.Compare(len(a.Name), len(b.Name)), -cmp.Compare(a.Name, b.Name))
	})
	tongue := barsBy("Languages", "Language", langs)
	for i := range tongue.Rows {
		if b := &tongue.Rows[i]; b.Name != noLang {
			b.Query = query("state", "in", "lang", b.Name)
		}
	}
	if len(langs) == 1 && langs[noLang] > 0 {
		tongue.Rows = nil
	}
	return slices.DeleteFunc([]bars{why, age, barsBy("Dates by source", "Source", sources), tongue}, func(b bars) bool { return len(b.Rows) == 0 })
}

// What stands for the year and the source of a date that is not there, and for a language.
const (
	noDate = "no date"
	noLang = "not said"
)

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
