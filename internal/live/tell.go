package live

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// examples are as many addresses as a finding about several names.
const examples = 3

// tell makes findings of all troubles: one of those with one cause.
func (r *run) tell() {
	type key struct{ code, cause string }
	groups := map[key][]int{}
	var order []key
	for i, t := range r.found {
		if t == nil {
			continue
		}
		k := key{t.code, t.cause + fmt.Sprint(r.plan[i].Kind)}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], i)
	}
	for _, k := range order {
		r.o.Findings.Add(r.finding(groups[k]))
	}
	if r.refusals >= mostRefusals && r.Left() > 0 {
		r.o.Findings.Add(diag.Errorf(diag.Pos{}, "live-stopped", "find out what refuses the requests, then run it again",
			"%d of %d addresses were not asked for, because the last %d requests were refused or failed", r.Left(), r.Planned, r.refusals))
	}
}

// finding says what is wrong with some addresses of the plan, which have one trouble.
func (r *run) finding(of []int) diag.Diagnostic {
	first, t := &r.plan[of[0]], r.found[of[0]]
	d := diag.Diagnostic{Pos: first.Pos, Source: first.Source, Severity: t.severity, Code: t.code, Hint: t.hint, Subject: first.URL}
	if len(of) == 1 {
		d.Message = first.URL + " " + verbs(t.text, false) + inParens(t.detail) + first.reason(t, false)
		return d
	}
	d.Subject, d.Anywhere = t.code+" "+t.cause, true
	all := 0
	for i := range r.plan {
		if r.plan[i].Kind == first.Kind {
			all++
		}
	}
	var named []string
	for _, i := range of[:min(len(of), examples)] {
		named = append(named, r.plan[i].URL+inParens(r.found[i].detail))
	}
	list := strings.Join(named[:len(named)-1], ", ") + " and " + named[len(named)-1]
	d.Message = fmt.Sprintf("%d of %d %s %s, as %s%s", len(of), all, first.Kind.plural(), verbs(t.text, true), list, first.reason(t, true))
	if r.o.Findings.Keep < 0 {
		for _, i := range of {
			pos := r.plan[i].Pos
			if pos == (diag.Pos{}) {
				pos.File = r.plan[i].URL
			}
			if !slices.Contains(d.Places[max(0, len(d.Places)-1):], pos) {
				d.Places = append(d.Places, pos)
			}
		}
	}
	return d
}

// reason says why another answer was expected, unless the trouble says it.
func (q *Request) reason(t *trouble, many bool) string {
	switch {
	case q.By != "":
		return ", by " + q.By
	case q.Kind == Listed && q.Want.Built && t.code == "live-missing":
		return verbs(", and {was} built", many)
	}
	return ""
}

// plural names several addresses of a kind.
func (k Kind) plural() string {
	if k == Listed {
		return "listed URLs"
	}
	return "addresses"
}

// verbs gives the verbs of a text their endings.
func verbs(text string, many bool) string {
	if many {
		return strings.NewReplacer("{s}", "", "{es}", "", "{is}", "are", "{was}", "were").Replace(text)
	}
	return strings.NewReplacer("{s}", "s", "{es}", "es", "{is}", "is", "{was}", "was").Replace(text)
}

func inParens(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}
