package report

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// What the page is made of. Scripts and styles stand in it as they are here,
// since its policy allows them by their hashes and nothing else.
var (
	//go:embed page/report.html
	pageHTML string
	//go:embed page/report.css
	pageCSS string
	//go:embed page/report.js
	pageJS string
)

// How much is drawn without scripts. The table of pages holds all when scripts
// run.
const (
	mostRows  = 1000 // of one class of changes, or one code of findings
	mostPages = 1000
)

// A view is what the template shows. What a user's file decides goes through diag.Plain,
// there or here.
type view struct {
	Report           *Report
	Word, Tone, Sums string
	Policy           string
	CSS              template.CSS
	JS               template.JS
	Tiles            []tile
	Fixed            []string
	MoreFixed        string
	Classes          []viewClass // of changes
	Findings         []viewFindings
	Site             *viewSite // nil where no page is known
}

// A tile is a number that says how it went.
type tile struct{ N, Name, Level, Query string }

type viewClass struct {
	Name, N, More, Remedy string
	Level                 diag.Severity
	Rows                  []Change
	Fixes                 []viewFix
}

// A viewFix is what is to be pasted into one file.
type viewFix struct{ In, Lines string }

type viewFindings struct {
	diag.Kind
	More, Meaning, Remedy string
	Placed                bool // a row has a place
	Rows                  []struct{ Place, Text string }
}

// outcome says the verdict.
func (r *Report) outcome() string {
	switch v := r.Verdict(); {
	case v == Broken:
		return "The command could not do its job."
	case v == Failed:
		return "Something must be fixed."
	case r.Count(diag.Warning) > 0:
		return "It passed, with findings."
	case r.Command == "build" && r.Changes == nil && r.Pages != nil:
		return "Nothing to fix, and nothing to compare with: sitewalk diff compares with the live site."
	case r.losesPages():
		return "It passed, with changes to look at."
	}
	return "All is well."
}

// losesPages reports whether a person should look at what changed.
func (r *Report) losesPages() bool {
	return r.Changes != nil && slices.ContainsFunc(r.Changes.List, func(c Change) bool { return c.Level >= diag.Warning })
}

// tone is the class of what the verdict looks like.
func (r *Report) tone() string {
	if v := r.Verdict(); v != Passed || r.Count(diag.Warning) == 0 && !r.losesPages() {
		return string(v)
	}
	return diag.Warning.String()
}

func writeHTML(w io.Writer, r *Report, o *Options) error {
	t := template.Must(template.New("report").Funcs(template.FuncMap{
		"count": diag.Count, "line": oneLine, "number": diag.Number, "plain": diag.Plain, "short": r.short, "web": isWeb,
	}).Parse(pageHTML))
	v := &view{
		Report: r, Word: r.outcome(), Tone: r.tone(), Sums: r.sums(),
		Policy: "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + hash(pageCSS) + "; script-src " + hash(pageJS),
		CSS:    template.CSS(pageCSS), JS: template.JS(pageJS),
		Tiles: r.tiles(), Classes: r.viewChanges(), Findings: r.viewFindings(o),
	}
	v.Fixed, v.MoreFixed = few(r.Fixed, mostRows)
	if len(r.Pages) > 0 {
		site, err := r.viewSite()
		if err != nil {
			return err
		}
		v.Site = site
	}
	return t.Execute(w, v)
}

// tiles are the numbers that matter: what is wrong, what changed, and what is listed.
func (r *Report) tiles() (all []tile) {
	add := func(n int, name, level, query string) { all = append(all, tile{diag.Number(n), name, level, query}) }
	for _, s := range []diag.Severity{diag.Error, diag.Warning} {
		n, level, query := r.CountOf(s), s.String(), "findings"
		switch {
		case n == 0:
			level, query = string(Passed), ""
		case r.Command == "diff": // whose findings are the changes
			query = "changed"
		}
		_, name, _ := strings.Cut(diag.Count(n, s.String()), " ")
		add(n, name, level, query)
	}
	if r.Changes != nil {
		for _, class := range groups(r.Changes.List, func(c Change) string { return c.Class }) {
			add(len(class), class[0].Class, class[0].Level.String(), "changed")
		}
	}
	if len(r.Pages) > 0 {
		listed := r.listedCount()
		add(listed, "listed", "", query("state", "in"))
		add(len(r.Pages)-listed, "left out", "", query("state", "out"))
	}
	return all
}

// hash is how a policy allows one script or style.
// https://www.w3.org/TR/CSP3/#grammardef-hash-source
func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// isWeb reports whether an address may be a link.
func isWeb(s string) bool {
	return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")
}

// few returns the first of some things, and how many more there are, in words.
func few[T any](all []T, most int) ([]T, string) {
	if len(all) <= most {
		return all, ""
	}
	return all[:most], diag.Number(len(all) - most)
}

// viewChanges are the changes by class, in the order of the list.
func (r *Report) viewChanges() (all []viewClass) {
	if r.Changes == nil {
		return nil
	}
	for _, class := range groups(r.Changes.List, func(c Change) string { return c.Class }) {
		vc := viewClass{Name: class[0].Class, N: diag.Number(len(class)), Remedy: CodeOf(changeCodes[class[0].Class]).Remedy}
		vc.Level = slices.MaxFunc(class, func(a, b Change) int { return cmp.Compare(a.Level, b.Level) }).Level
		vc.Rows, vc.More = few(class, mostRows)
		for _, ch := range vc.Rows {
			vc.fix(ch)
		}
		all = append(all, vc)
	}
	return all
}

// fix adds what is to be pasted for a change to the file for which it is.
func (vc *viewClass) fix(ch Change) {
	if ch.Fix == "" {
		return
	}
	in, lines := diag.Plain(ch.In), plainLines(ch.Fix)
	i := slices.IndexFunc(vc.Fixes, func(f viewFix) bool { return f.In == in })
	if i < 0 {
		vc.Fixes = append(vc.Fixes, viewFix{in, lines})
		return
	}
	vc.Fixes[i].Lines += "\n" + lines
}

// plainLines is diag.Plain for text of several lines.
func plainLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = diag.Plain(lines[i])
	}
	return strings.Join(lines, "\n")
}

// viewFindings are the codes that were found, those with the worst findings
// first.
func (r *Report) viewFindings(o *Options) (all []viewFindings) {
	for _, k := range r.OtherFindings() {
		all = append(all, kindView(k, o))
	}
	slices.SortStableFunc(all, func(a, b viewFindings) int { return -cmp.Compare(a.Severity, b.Severity) })
	return all
}

// kindView is what is shown of a code. The next step is told once where it is the
// same for all.
func kindView(k diag.Kind, o *Options) viewFindings {
	c := CodeOf(k.Code)
	v := viewFindings{Kind: k, Meaning: c.Meaning, Remedy: c.Remedy}
	one := !slices.ContainsFunc(k.List, func(d diag.Diagnostic) bool { return d.Hint != k.List[0].Hint })
	if one && k.List[0].Hint != "" {
		v.Remedy = diag.Plain(k.List[0].Hint)
	}
	var list diag.List
	list, v.More = few(k.List, mostRows)
	for _, d := range list {
		it := item{Diagnostic: d, Place: o.place(d)}
		if one {
			it.Hint = ""
		}
		place := diag.Plain(it.Place.String())
		v.Placed = v.Placed || place != ""
		v.Rows = append(v.Rows, struct{ Place, Text string }{place, it.text()})
	}
	return v
}

// query is the part of the page's own address that shows some pages.
func query(pairs ...string) string {
	q := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	return q.Encode()
}
