package cli

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/internal/build"
	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/site"
	"github.com/sitewalk/sitewalk/writer"
)

// An event is one line of watch --json; docs/watch.md describes it.
type event struct {
	Event    string        `json:"event"` // "build", "error" or "note"
	Message  string        `json:"message,omitempty"`
	URLs     int           `json:"urls"`
	Added    int           `json:"added"`
	Removed  int           `json:"removed"`
	Redated  int           `json:"redated"`
	Files    []writer.File `json:"files,omitempty"`
	Findings []diag.Kind   `json:"findings,omitempty"`
	Seconds  float64       `json:"seconds"`
}

// told says what a build changed.
func (s *session) told(r *build.Build) {
	after := r.Result.List.Snapshot()
	e := event{Event: "build", URLs: len(after), Files: r.Files.Files, Findings: r.Findings.Kinds(), Seconds: r.Took.Seconds()}
	e.Added, e.Removed, e.Redated = after.Compare(s.before)
	first, found := s.before == nil, s.found
	s.before, s.found, s.built = after, e.Findings, r
	if s.json {
		_ = printLine(s.p.out, e)
		return
	}
	if first {
		s.p.findings(e.Findings, s.verbose)
		s.p.summary(r, false)
		return
	}
	s.p.findings(since(found, e.Findings), s.verbose)
	s.p.say("%d added, %d removed, %d re-dated; %s; %s, in %s", e.Added, e.Removed, e.Redated,
		build.Count(e.URLs, "URL"), filesDone(r.Files, r.Dir, false), r.Took.Round(time.Millisecond))
}

// since returns the findings that were not there before.
func since(before, now []diag.Kind) []diag.Kind {
	said := map[string]bool{}
	for _, k := range before {
		for _, d := range k.List {
			said[d.String()] = true
		}
	}
	var out []diag.Kind
	for _, k := range now {
		k.List = slices.DeleteFunc(slices.Clone(k.List), func(d diag.Diagnostic) bool { return said[d.String()] })
		if k.Count = len(k.List); k.Count > 0 {
			out = append(out, k)
		}
	}
	return out
}

// trouble says once what is wrong and what is waited for; the loop goes on.
func (s *session) trouble(err error, findings []diag.Kind) {
	s.tries = min(s.tries+1, 10)
	if s.said == err.Error() {
		return
	}
	s.said, s.tries = err.Error(), 0
	missing, isMissing := errors.AsType[*site.MissingError](err)
	switch {
	case isMissing:
		err = fmt.Errorf("%s does not exist; waiting for it", missing.Dir)
	default:
		err = fmt.Errorf("%w; waiting for a change", err)
	}
	if s.json {
		_ = printLine(s.p.out, event{Event: "error", Message: err.Error(), Findings: findings})
		return
	}
	s.p.findings(findings, s.verbose)
	if isMissing && s.before == nil { // the generator has yet to build it
		s.p.say("%v", err)
		return
	}
	s.p.fail(err)
}

// note says something about the watch itself.
func (s *session) note(text string) {
	if s.json {
		_ = printLine(s.p.out, event{Event: "note", Message: text})
		return
	}
	s.p.say("%s", text)
}
