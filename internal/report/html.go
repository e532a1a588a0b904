package report

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/codes"
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

// A view is what the template shows. Every text in it that a user's file decides
// went through diag.Plain.
type view struct {
	Title, Word, Sums, Live, Count string
	Tiles                          []tile
	Tone                           string
	Policy                         string
	CSS                            template.CSS
	JS                             template.JS
	Data                           template.HTML
	Trouble                        string
	Fixed                          []string
	Changes                        *viewChanges
	Findings                       []viewFindings
	Total                          int
	Tree                           *node
	Bars                           []bars
	Pages                          []Page
	Reasons                        map[string]string // what each means
}

// A tile is a number that says how it went.
type tile struct{ N, Name, Level, Query string }

type viewChanges struct {
	Old, New, Was, Is, Same string
	Classes                 []viewClass
}

type viewClass struct {
	Name, N, More, Remedy string
	Level                 diag.Severity
	Open                  bool
	Rows                  []Change
	Fixes                 []viewFix
}

// A viewFix is what is to be pasted into one file.
type viewFix struct{ In, Lines string }

type viewFindings struct {
	Code, N, More, Meaning, Remedy string
	Level                          diag.Severity
	Open, Placed                   bool // Placed: a row has a place
	Rows                           []struct{ Place, Text string }
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
	t, err := template.New("report").Funcs(template.FuncMap{"web": isWeb, "short": r.short}).Parse(pageHTML)
	if err != nil {
		return err
	}
	v := &view{
		Title: "sitewalk " + r.Command, Tone: r.tone(), Word: r.outcome(), Sums: r.sums(), Live: r.Live, Trouble: oneLine(r.Error),
		CSS: template.CSS(pageCSS), JS: template.JS(pageJS),
		Policy:   "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + hash(pageCSS) + "; script-src " + hash(pageJS),
		Findings: r.viewFindings(o), Changes: r.Changes.view(), Tiles: r.tiles(),
	}
	if r.Base != "" {
		v.Title += " of " + diag.Plain(r.Base)
	}
	fixed, more := few(r.Fixed, mostRows)
	for _, s := range fixed {
		v.Fixed = append(v.Fixed, diag.Plain(s))
	}
	if more != "" {
		v.Fixed = append(v.Fixed, "and "+more+" more")
	}
	if len(r.Pages) > 0 {
		if err := v.site(r); err != nil {
			return err
		}
	}
	return t.Execute(w, v)
}

// tiles are the numbers that matter: what is wrong, what changed, and what is listed.
func (r *Report) tiles() (all []tile) {
	add := func(n int, name, level, query string) { all = append(all, tile{diag.Number(n), name, level, query}) }
	errors := r.Count(diag.Error)
	for s, n := range map[diag.Severity]int{diag.Error: errors, diag.Warning: r.Count(diag.Warning) - errors} {
		level, query := s.String(), "findings"
		switch {
		case n == 0:
			level, query = string(Passed), ""
		case r.Command == "diff": // whose findings are the changes
			query = "changed"
		}
		_, name, _ := strings.Cut(diag.Count(n, s.String()), " ")
		add(n, name, level, query)
	}
	slices.SortFunc(all, func(a, b tile) int { return cmp.Compare(a.Name, b.Name) })
	if r.Changes != nil {
		for _, class := range groups(r.Changes.List, func(c Change) string { return c.Class }) {
			add(len(class), diag.Plain(class[0].Class), class[0].Level.String(), "changed")
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

func (c *Changes) view() *viewChanges {
	if c == nil {
		return nil
	}
	v := &viewChanges{
		Old: diag.Plain(c.Old), New: diag.Plain(c.New),
		Was: diag.Count(c.Was, "URL"), Is: diag.Number(c.Is), Same: diag.Number(c.Same),
	}
	about := aboutCodes()
	for _, class := range groups(c.List, func(c Change) string { return c.Class }) {
		vc := viewClass{Name: diag.Plain(class[0].Class), N: diag.Number(len(class)), Remedy: about[changeCodes[class[0].Class]].Remedy}
		vc.Level = slices.MaxFunc(class, func(a, b Change) int { return cmp.Compare(a.Level, b.Level) }).Level
		vc.Open = vc.Level == diag.Error
		class, vc.More = few(class, mostRows)
		for _, ch := range class {
			vc.fix(ch)
			ch.URL, ch.To, ch.Reason, ch.Is = diag.Plain(ch.URL), diag.Plain(ch.To), diag.Plain(ch.Reason), diag.Plain(ch.Is)
			ch.Pos.File = diag.Plain(ch.Pos.File)
			vc.Rows = append(vc.Rows, ch)
		}
		v.Classes = append(v.Classes, vc)
	}
	return v
}

// changeCodes are the findings that are made of changes, which show them better.
var changeCodes = map[string]string{"lost": "lost-url", "hidden": "hidden-url", "badly moved": "badly-moved"}

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
// first. What the changes show already is left out.
func (r *Report) viewFindings(o *Options) (all []viewFindings) {
	about := aboutCodes()
	shown := slices.Collect(maps.Values(changeCodes))
	for _, k := range r.Findings {
		if r.Changes == nil || !slices.Contains(shown, k.Code) {
			all = append(all, kindView(k, about[k.Code], o))
		}
	}
	slices.SortStableFunc(all, func(a, b viewFindings) int { return -cmp.Compare(a.Level, b.Level) })
	return all
}

// kindView is what is shown of a code. The next step is told once where it is the
// same for all.
func kindView(k diag.Kind, c codes.Code, o *Options) viewFindings {
	v := viewFindings{
		Code: k.Code, N: diag.Number(k.Count), Level: k.Severity, Open: k.Severity == diag.Error, Meaning: c.Meaning, Remedy: c.Remedy,
	}
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

// aboutCodes is what the manual says of each code.
func aboutCodes() map[string]codes.Code {
	about := map[string]codes.Code{}
	for _, c := range codes.All() {
		about[c.Name] = c
	}
	return about
}

// query is the part of the page's own address that shows some pages.
func query(pairs ...string) string {
	q := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	return q.Encode()
}
