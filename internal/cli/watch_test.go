package cli

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/writer"
)

// handleBuildAndPrint handles one build with the given changes and findings, and returns the
// output.
func handleBuildAndPrint(t *messages, c engine.Changes, ds ...diag.Diagnostic) string {
	var out bytes.Buffer
	t.p = &Printer{Out: &out, Err: &out}
	b := engine.New(engine.Options{})
	b.Settings = &config.Settings{}
	b.Findings.Add(ds...)
	if len(c.Added)+len(c.Removed)+len(c.Redated) > 0 {
		b.Files = []writer.File{{Name: "sitemap.xml", State: writer.Written}}
	}
	t.HandleBuild(b, c)
	return out.String()
}

func TestHandleBuildPrintsChanges(t *testing.T) {
	var many []string
	for i := range 7 {
		many = append(many, fmt.Sprintf("https://example.com/%d", i))
	}
	out := handleBuildAndPrint(&messages{}, engine.Changes{Added: many, Removed: many[:1], Redated: many[:2]})
	for _, want := range []string{
		"sitewalk: new: https://example.com/4\nsitewalk: new: 2 more; -v names all\n",
		"sitewalk: gone: https://example.com/0\n",
		"sitewalk: 7 new, 1 gone, 2 changed; 0 URLs",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("got\n%s\nwant %q", out, want)
		}
	}
	if strings.Contains(out, "changed: ") {
		t.Errorf("got\n%s\nwant no names of pages with new dates", out)
	}
	out = handleBuildAndPrint(&messages{verbose: true}, engine.Changes{Added: many, Redated: many[:2]})
	if strings.Count(out, "new: ") != 7 || strings.Count(out, "changed: ") != 2 {
		t.Errorf("with -v, got\n%s\nwant all names", out)
	}
}

// TestHandleBuildPrintsNothingWithoutChange checks that a build without changed files prints no
// message. An event is written only for the first build, after an error, and with new findings.
func TestHandleBuildPrintsNothingWithoutChange(t *testing.T) {
	for name, files := range map[string][]writer.File{"no file": nil, "unchanged": {{Name: "sitemap.xml", State: writer.Unchanged}}} {
		var out bytes.Buffer
		b := engine.New(engine.Options{})
		b.Settings = &config.Settings{}
		b.Files = files
		(&messages{p: &Printer{Out: &out, Err: &out}}).HandleBuild(b, engine.Changes{})
		if out.Len() > 0 {
			t.Errorf("%s: got %q, want nothing", name, out.String())
		}
		tell := &events{p: &Printer{Out: &out, Err: &out}}
		for i, step := range []struct {
			do    func()
			lines int
		}{
			{func() { tell.HandleBuild(b, engine.Changes{First: true}) }, 1},
			{func() { tell.HandleBuild(b, engine.Changes{}) }, 1},
			{func() { tell.HandleError(errors.New("full"), nil, true) }, 2},
			{func() { tell.HandleBuild(b, engine.Changes{}) }, 3},
			{func() { b.Findings.Add(diag.Diagnostic{Code: "x"}); tell.HandleBuild(b, engine.Changes{}) }, 4},
		} {
			if step.do(); strings.Count(out.String(), "\n") != step.lines {
				t.Errorf("%s: step %d: want %d events, got\n%s", name, i, step.lines, out.String())
			}
		}
	}
}

// TestHandleBuildPrintsNotesOnce checks that a note is printed only once. A warning is printed
// again if the previous build did not have it.
func TestHandleBuildPrintsNotesOnce(t *testing.T) {
	tell := &messages{}
	note := diag.Diagnostic{Code: "replaced-sitemap", Severity: diag.Note, Pos: diag.Pos{File: "sitemap.xml"}, Message: "replaced"}
	wrong := diag.Diagnostic{Code: "bad-date", Severity: diag.Warning, Pos: diag.Pos{File: "a.html"}, Message: "1 more page"}
	for i, step := range []struct {
		found     []diag.Diagnostic
		note, bad bool
	}{
		{[]diag.Diagnostic{note, wrong}, true, true},
		{[]diag.Diagnostic{wrong}, false, false},
		{[]diag.Diagnostic{note}, false, false},
		{nil, false, false},
		{[]diag.Diagnostic{note, wrong}, false, true},
	} {
		out := handleBuildAndPrint(tell, engine.Changes{}, step.found...)
		if got := strings.Contains(out, "replaced-sitemap"); got != step.note {
			t.Errorf("build %d: note printed: got %v, want %v\n%s", i, got, step.note, out)
		}
		if got := strings.Contains(out, "bad-date"); got != step.bad {
			t.Errorf("build %d: warning printed: got %v, want %v\n%s", i, got, step.bad, out)
		}
	}
}
