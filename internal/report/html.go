package report

import (
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/page"
)

// The files of the HTML page. The page's Content-Security-Policy allows only this script and this
// style sheet.
var (
	//go:embed page/report.html
	pageHTML string
	//go:embed page/report.css
	pageCSS string
	//go:embed page/report.js
	pageJS string
)

const (
	maxRows   = 1000 // maximum number of rows for one class of changes, or for one code of findings
	maxPages  = 1000 // maximum number of pages in the table without JavaScript
	maxCounts = 100  // maximum number of rows of a countTable
)

// A view contains the data for the HTML template. Text from the user's files is escaped with
// diag.Plain, either in this file or in the template.
type view struct {
	Report    *Report
	Policy    string // Content-Security-Policy of the page
	CSS       template.CSS
	JS        template.JS
	Tiles     []tile
	Fixed     []string
	MoreFixed string
	Classes   []classView // changes by class
	Findings  []findingsView
	Site      *siteView // nil if the report has no pages
}

// A tile is one of the large numbers at the top of the HTML page. N is the number, and Name tells
// what it counts. Level is a CSS class, such as "warning". Query is the URL fragment that the tile
// links to, or "".
type tile struct{ N, Name, Level, Query string }

// A classView contains the changes of one class. N is the number of changes, and More is the number
// of changes without a row, or "".
type classView struct {
	Name, N, More, Remedy string
	Level                 diag.Severity
	Rows                  []Change
	Fixes                 []fixView
}

// A fixView contains lines that the user can paste into the file In.
type fixView struct{ In, Lines string }

// A findingsView contains the findings with one code. More is the number of findings without a row,
// or "".
type findingsView struct {
	diag.Kind
	More, Meaning, Remedy string
	Placed                bool // at least one row has a position
	Rows                  []struct{ Place, Text string }
}

func writeHTML(w io.Writer, r *Report, o *Options) error {
	t := template.Must(template.New("report").Funcs(template.FuncMap{
		"count": diag.Count, "line": oneLine, "number": diag.Number, "plain": diag.Plain, "short": r.relativeURL, "web": isHTTPURL,
	}).Parse(pageHTML))
	v := &view{
		Report: r,
		Policy: "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + formatCSPHash(pageCSS) + "; script-src " + formatCSPHash(pageJS),
		CSS:    template.CSS(pageCSS), JS: template.JS(pageJS),
		Tiles: r.newTiles(), Classes: r.newClassViews(), Findings: r.newFindingsViews(o),
	}
	v.Fixed, v.MoreFixed = truncateList(r.Fixed, maxRows)
	if len(r.Pages) > 0 {
		site, err := r.newSiteView()
		if err != nil {
			return err
		}
		v.Site = site
	}
	return t.Execute(w, v)
}

// newTiles returns the tiles at the top of the page: the numbers of errors, warnings, changes and
// pages.
func (r *Report) newTiles() (all []tile) {
	add := func(n int, name, level, query string) { all = append(all, tile{diag.Number(n), name, level, query}) }
	for _, s := range []diag.Severity{diag.Error, diag.Warning} {
		n, level, query := r.CountSeverity(s), s.String(), "findings"
		switch {
		case n == 0:
			level, query = string(Passed), ""
		case r.Command == "diff": // the findings of a diff are its changes
			query = "changed"
		}
		_, name, _ := strings.Cut(diag.Count(n, s.String()), " ")
		add(n, name, level, query)
	}
	if r.Changes != nil {
		for _, class := range r.Changes.splitByClass() {
			add(len(class), class[0].Class, class[0].Level.String(), "changed")
		}
	}
	if len(r.Pages) > 0 {
		listed := r.countListed()
		add(listed, "listed", "", formatPageQuery("state", "in"))
		add(len(r.Pages)-listed, "left out", "", formatPageQuery("state", "out"))
	}
	return all
}

// formatCSPHash returns the hash of a script or a style sheet as Content-Security-Policy requires
// it: "'sha256-…'".
// See https://www.w3.org/TR/CSP3/#grammardef-hash-source
func formatCSPHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// isHTTPURL reports whether s is an http or https URL, to which the page may link.
func isHTTPURL(s string) bool {
	return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")
}

// truncateList returns the first limit items. more is the number of items that it leaves out, such
// as "1,234", or "" if there are none.
func truncateList[T any](items []T, limit int) (head []T, more string) {
	if len(items) <= limit {
		return items, ""
	}
	return items[:limit], diag.Number(len(items) - limit)
}

// newClassViews returns the changes of the report, grouped by class. The classes have the same
// order as in the report.
func (r *Report) newClassViews() (all []classView) {
	if r.Changes == nil {
		return nil
	}
	for _, class := range r.Changes.splitByClass() {
		vc := classView{Name: class[0].Class, N: diag.Number(len(class)), Remedy: FindCode(changeCodes[class[0].Class]).Remedy}
		vc.Level = slices.MaxFunc(class, func(a, b Change) int { return cmp.Compare(a.Level, b.Level) }).Level
		vc.Rows, vc.More = truncateList(class, maxRows)
		for _, ch := range vc.Rows {
			vc.addFixLines(ch)
		}
		all = append(all, vc)
	}
	return all
}

// addFixLines adds the lines of ch.Fix, which the user can paste into the file ch.FixFile. It joins
// the lines for the same file.
func (v *classView) addFixLines(ch Change) {
	if ch.Fix == "" {
		return
	}
	in, lines := diag.Plain(ch.FixFile), escapeEachLine(ch.Fix)
	i := slices.IndexFunc(v.Fixes, func(f fixView) bool { return f.In == in })
	if i < 0 {
		v.Fixes = append(v.Fixes, fixView{in, lines})
		return
	}
	v.Fixes[i].Lines += "\n" + lines
}

// escapeEachLine applies diag.Plain to each line of s.
func escapeEachLine(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = diag.Plain(lines[i])
	}
	return strings.Join(lines, "\n")
}

// newFindingsViews returns the findings that are not about a Change, grouped by code. The most
// severe codes come first.
func (r *Report) newFindingsViews(o *Options) (all []findingsView) {
	for _, k := range r.FindingsWithoutChanges() {
		all = append(all, newFindingsView(k, o))
	}
	slices.SortStableFunc(all, func(a, b findingsView) int { return -cmp.Compare(a.Severity, b.Severity) })
	return all
}

// newFindingsView returns the view of the findings with one code. If all of the findings have the
// same hint, the view shows the hint only once, as the remedy.
func newFindingsView(k diag.Kind, o *Options) findingsView {
	c := FindCode(k.Code)
	v := findingsView{Kind: k, Meaning: c.Meaning, Remedy: c.Remedy}
	one := !slices.ContainsFunc(k.List, func(d diag.Diagnostic) bool { return d.Hint != k.List[0].Hint })
	if one && k.List[0].Hint != "" {
		v.Remedy = diag.Plain(k.List[0].Hint)
	}
	var list diag.List
	list, _ = truncateList(k.List, maxRows)
	if rest := k.Count - len(list); rest > 0 {
		v.More = diag.Number(rest)
	}
	for _, d := range list {
		it := item{Diagnostic: d, Place: o.positionToFix(d)}
		if one {
			it.Hint = ""
		}
		place := diag.Plain(it.Place.String())
		v.Placed = v.Placed || place != ""
		v.Rows = append(v.Rows, struct{ Place, Text string }{place, it.messageWithHint()})
	}
	return v
}

// formatPageQuery returns the URL fragment that filters the table of pages, such as "state=in". The
// arguments are alternating keys and values, such as "state", "in".
func formatPageQuery(pairs ...string) string {
	q := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	return q.Encode()
}

// A siteView contains the data for the part of the HTML page about the pages of the site.
type siteView struct {
	Tables  []countTable
	Count   string            // number of pages as text, such as "12 pages"
	Pages   []Page            // first pages, for browsers without JavaScript
	Reasons map[string]string // explanation of each reason, by its name
	Data    template.HTML     // siteData as compressed JSON
}

// newSiteView returns the view of all pages of the site, sorted by URL.
func (r *Report) newSiteView() (v *siteView, err error) {
	pages := slices.Clone(r.Pages)
	for i := range pages {
		p := &pages[i]
		for _, s := range []*string{&p.URL, &p.Why, &p.Pos.File, &p.Lang, &p.Title, &p.File, &p.Source} {
			*s = diag.Plain(*s)
		}
	}
	slices.SortStableFunc(pages, func(a, b Page) int {
		return cmp.Or(cmp.Compare(a.URL, b.URL), cmp.Compare(a.File, b.File))
	})
	v = &siteView{Tables: newCountTables(pages, r.Base), Count: diag.Count(len(pages), "page"), Reasons: map[string]string{}}
	for _, reason := range page.Reasons {
		v.Reasons[reason.Name] = reason.Text
	}
	var more string
	v.Pages, more = truncateList(pages, maxPages)
	if more != "" {
		v.Count += "; the first " + diag.Number(maxPages) + " are shown without scripts"
	}
	v.Data, err = encodeCompressedJSON(siteData{r.Base, v.Reasons, pages, r.findingTextsByFile()})
	return v, err
}

// A countTable is a table that counts pages by the value of a property, such as the language.
type countTable struct {
	Name, Column, More string
	Rows               []countRow
}

// A countRow is a row of a countTable. Name is a value of the property, and N is the number of
// pages with this value. Query is the URL fragment that shows only these pages, or "" if there is
// no filter for them.
type countRow struct {
	Name, Query string
	N           int
}

// newCountTables returns tables that count pages by section such as "/docs/", by the reason to
// leave them out, by language, and by the source of their date. The tables of languages and dates
// count only listed pages. Empty tables are left out.
func newCountTables(pages []Page, base string) []countTable {
	sections, reasons, sources, langs := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	for i := range pages {
		p := &pages[i]
		if rest, ok := strings.CutPrefix(p.URL, base); ok && base != "" && strings.Contains(rest, "/") {
			sections["/"+rest[:strings.IndexByte(rest, '/')+1]]++
		}
		if !p.Listed {
			reasons[p.Reason]++
			continue
		}
		sources[cmp.Or(p.By, "no date")]++
		if p.Lang != "" {
			langs[p.Lang]++
		}
	}
	return slices.DeleteFunc([]countTable{
		newCountTable("Sections", "Section", sections, func(name string) string { return formatPageQuery("section", base+name[1:]) }),
		newCountTable("Left out", "Reason", reasons, func(name string) string { return formatPageQuery("reason", name) }),
		newCountTable("Languages", "Language", langs, func(name string) string { return formatPageQuery("state", "in", "lang", name) }),
		newCountTable("Dates", "Source", sources, func(string) string { return "" }),
	}, func(t countTable) bool { return len(t.Rows) == 0 })
}

// newCountTable returns a table with a row for each value of a property, the largest count first.
// It leaves out rows beyond maxCounts. counts contains the number of pages for each value. query
// returns countRow.Query for a value.
func newCountTable(name, column string, counts map[string]int, query func(value string) string) countTable {
	t := countTable{Name: name, Column: column}
	for value, n := range counts {
		t.Rows = append(t.Rows, countRow{value, query(value), n})
	}
	slices.SortFunc(t.Rows, func(a, b countRow) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name)) })
	t.Rows, t.More = truncateList(t.Rows, maxCounts)
	return t
}

// relativeURL returns the URL of a page without the base URL, such as "/docs/". It returns a URL
// with another base unchanged. For a page without a URL, it returns the file.
func (r *Report) relativeURL(p Page) string {
	if rest, in := strings.CutPrefix(p.URL, r.Base); in && r.Base != "" {
		return "/" + rest
	}
	return cmp.Or(p.URL, p.File)
}

// A siteData contains the data for the script of the HTML page. The page contains it as compressed
// JSON.
type siteData struct {
	Base     string              `json:"base"`
	Reasons  map[string]string   `json:"reasons"`
	Pages    []Page              `json:"pages"`
	Findings map[string][]string `json:"findings"` // texts of findings, by the file of the page
}

// encodeCompressedJSON encodes v as JSON, compresses the JSON with gzip, and encodes the result in
// base64.
func encodeCompressedJSON(v any) (template.HTML, error) {
	var b strings.Builder
	text := base64.NewEncoder(base64.StdEncoding, &b)
	packed := gzip.NewWriter(text)
	err := cmp.Or(json.NewEncoder(packed).Encode(v), packed.Close(), text.Close())
	return template.HTML(b.String()), err
}

// findingTextsByFile returns the texts of at most 10 findings about each file, by file name.
func (r *Report) findingTextsByFile() map[string][]string {
	const maxFindings = 10
	all := map[string][]string{}
	for _, k := range r.Findings {
		for _, d := range k.List {
			if file := diag.Plain(d.Pos.File); file != "" && len(all[file]) < maxFindings {
				all[file] = append(all[file], diag.Plain(d.Message)+" ["+k.Code+"]")
			}
		}
	}
	return all
}
