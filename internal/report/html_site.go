package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"html/template"
	"maps"
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
	v.Tree = treeOf(pages, r.Base)
	v.Bars = append(sectionBars(v.Tree), barsOf(pages)...)
	var more string
	v.Pages, more = few(pages, mostPages)
	if more != "" {
		v.Count += ", of which the first " + diag.Number(mostPages) + " are shown without scripts"
	}
	var err error
	v.Data, err = r.data(pages)
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
	why := barsBy("Left out, by reason", "Reason", reasons)
	for i := range why.Rows {
		why.Rows[i].Query, why.Rows[i].Text = query("reason", why.Rows[i].Name), reasonText(why.Rows[i].Name)
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

func reasonText(name string) string {
	for _, r := range page.Reasons {
		if r.Name == name {
			return r.Text
		}
	}
	return ""
}

// short names a page in a table.
func (r *Report) short(p Page) string {
	if rest, in := strings.CutPrefix(p.URL, r.Base); in && r.Base != "" {
		return "/" + rest
	}
	return cmp.Or(p.URL, p.File)
}

// data is what the script of the page reads. To be small, each page has only the
// rest of its URL behind what it shares with the one before, and of its files
// only what stands around the path of that URL; words stand by their index.
func (r *Report) data(pages []Page) (template.JS, error) {
	reasons, by, langs, shapes := words{"": 0}, words{"": 0}, words{"": 0}, words{"": 0}
	rows := make([][]any, len(pages))
	last := ""
	for i := range pages {
		p := &pages[i]
		same := sharedPrefix(last, p.URL)
		path := middle(p.URL, r.Base)
		row := []any{
			same, p.URL[same:], shapes.index(shape(p.File, path)), shapes.index(shape(p.Source, path)),
			reasons.index(p.Reason), p.LastMod, by.index(p.By), langs.index(p.Lang), shorten(p.Title), p.Why, p.Pos.String(),
		}
		for len(row) > 0 && (row[len(row)-1] == "" || row[len(row)-1] == 0) {
			row = row[:len(row)-1]
		}
		rows[i], last = row, p.URL
	}
	var told []map[string]string
	for _, name := range reasons.list() {
		told = append(told, map[string]string{"name": cmp.Or(name, "listed"), "text": reasonText(name)})
	}
	src, err := json.Marshal(map[string]any{
		"base": r.Base, "reasons": told, "by": by.list(), "langs": langs.list(), "shapes": shapes.list(), "pages": rows, "findings": r.byFile(),
	})
	return template.JS(bytes.TrimSpace(src)), err
}

// words number strings in the order in which they are first met.
type words map[string]int

func (w words) index(s string) int {
	i, ok := w[s]
	if !ok {
		i = len(w)
		w[s] = i
	}
	return i
}

func (w words) list() []string {
	return slices.SortedFunc(maps.Keys(w), func(a, b string) int { return cmp.Compare(w[a], w[b]) })
}

// sharedPrefix returns how many UTF-16 units two names share at their beginning. Only
// ASCII counts, where a unit is a byte.
func sharedPrefix(last, s string) int {
	n := 0
	for n < len(last) && n < len(s) && last[n] == s[n] && s[n] < 0x80 {
		n++
	}
	return n
}

// middle returns what the path of a URL and the names of its files have in
// common, mostly: "blog/a" of /blog/a/ and /blog/a.html.
func middle(url, base string) string {
	rest, in := strings.CutPrefix(url, base)
	if !in {
		return ""
	}
	return strings.TrimSuffix(strings.TrimSuffix(rest, "/"), ".html")
}

// hole stands for the middle in the shape of a file's name, where no name that
// went through diag.Plain has one.
const hole = "\x00"

// shape returns a name with a hole in place of the middle.
func shape(name, middle string) string {
	if middle == "" {
		return name
	}
	return strings.Replace(name, middle, hole, 1)
}

// shorten cuts what would make the file large.
func shorten(s string) string {
	const most = 100
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
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
