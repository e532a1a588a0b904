package live

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// maxExamples is the maximum number of URLs that a finding names in addition to its first URL.
const maxExamples = 2

// addFindings adds the findings about the problems of a run. Problems with the same code, text and
// kind of request share one finding. If the run stopped because of maxRefusals refused requests,
// addFindings adds a finding about that.
func (r *run) addFindings() {
	type key struct {
		code, text string
		kind       Kind
	}
	groups := map[key][]int{}
	var order []key
	for i, p := range r.problems {
		if p == nil {
			continue
		}
		k := key{p.code, p.text, r.plan[i].Kind}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], i)
	}
	for _, k := range order {
		r.o.Findings.Add(r.newFinding(groups[k]))
	}
	if left := r.outcome.Planned - r.outcome.Answered; r.refusals >= maxRefusals && left > 0 {
		r.o.Findings.Add(diag.Errorf(diag.Pos{}, "live-stopped", "find out what refuses the requests, then run it again",
			"%d of %d addresses were not requested, because the last %d requests were refused or failed", left, r.outcome.Planned, r.refusals))
	}
}

// newFinding returns the finding for requests with the same problem. group contains the indexes of
// the requests in the plan. The finding describes the first request, counts the other requests, and
// names at most maxExamples of them.
func (r *run) newFinding(group []int) diag.Diagnostic {
	first, p := &r.plan[group[0]], r.problems[group[0]]
	d := diag.Diagnostic{Pos: first.Pos, Source: first.Source, Severity: p.severity, Code: p.code, Hint: p.hint, Subject: r.displayName(first)}
	d.Message = r.displayName(first) + " " + p.text + parenthesize(p.detail)
	switch {
	case first.By != "":
		d.Message += ", by " + first.By
	case first.Kind == Listed && first.Want.IsBuilt && p.code == "live-missing":
		d.Message += ", and was built"
	}
	more := group[1:]
	if len(more) == 0 {
		return d
	}
	var names []string
	for _, i := range more[:min(len(more), maxExamples)] {
		names = append(names, r.displayName(&r.plan[i])+parenthesize(r.problems[i].detail))
	}
	d.Subject, d.Anywhere = p.code+" "+p.text, true
	d.Message += fmt.Sprintf("; the same for %d more: %s", len(more), strings.Join(names, ", "))
	if len(more) > len(names) {
		d.Message += " …"
	}
	if r.o.Findings.KeepsPlaces() {
		d.Places = r.groupPlaces(group)
	}
	return d
}

// groupPlaces returns the positions of the requests in group. For a request without a position, it
// uses the name of the request as the file. It leaves out a position that equals the previous
// position.
func (r *run) groupPlaces(group []int) (all []diag.Pos) {
	for _, i := range group {
		pos := r.plan[i].Pos
		if pos == (diag.Pos{}) {
			pos.File = r.displayName(&r.plan[i])
		}
		all = append(all, pos)
	}
	return slices.Compact(all)
}

// displayName returns the name of a request for findings, usually its URL. While a secret header is
// in use, a URL from a sitemap may contain the secret. displayName then returns the position of the
// URL instead, such as "the URL in line 5 of sitemap.xml".
func (v *Visit) displayName(q *Request) string {
	if v.o.Fetch.Secret != nil && q.From.URL != nil {
		return fmt.Sprintf("the URL in line %d of %s", q.Pos.Line, q.Pos.File)
	}
	return q.URL
}

func parenthesize(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}
