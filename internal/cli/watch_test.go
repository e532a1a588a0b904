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

// rebuilt tells a person of one rebuild with these findings, and returns what
// was printed.
func rebuilt(t *messages, c engine.Changes, ds ...diag.Diagnostic) string {
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

func TestRebuildsNameWhatChanged(t *testing.T) {
	var many []string
	for i := range 7 {
		many = append(many, fmt.Sprintf("https://example.com/%d", i))
	}
	said := rebuilt(&messages{}, engine.Changes{Added: many, Removed: many[:1], Redated: many[:2]})
	for _, want := range []string{
		"sitewalk: new: https://example.com/4\nsitewalk: new: 2 more; -v names all\n",
		"sitewalk: gone: https://example.com/0\n",
		"sitewalk: 7 new, 1 gone, 2 changed; 0 URLs",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
	if strings.Contains(said, "changed: ") {
		t.Errorf("re-dated pages are named:\n%s", said)
	}
	said = rebuilt(&messages{verbose: true}, engine.Changes{Added: many, Redated: many[:2]})
	if strings.Count(said, "new: ") != 7 || strings.Count(said, "changed: ") != 2 {
		t.Errorf("-v does not name all:\n%s", said)
	}
}

// TestRebuildWithoutChangePrintsNothing rebuilds after an event that changes no file.
func TestRebuildWithoutChangePrintsNothing(t *testing.T) {
	for name, files := range map[string][]writer.File{"no file": nil, "unchanged": {{Name: "sitemap.xml", State: writer.Unchanged}}} {
		var out bytes.Buffer
		b := engine.New(engine.Options{})
		b.Settings = &config.Settings{}
		b.Files = files
		(&messages{p: &Printer{Out: &out, Err: &out}}).HandleBuild(b, engine.Changes{})
		if out.Len() > 0 {
			t.Errorf("%s: printed %q", name, out.String())
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
				t.Errorf("%s: step %d: not %d events:\n%s", name, i, step.lines, out.String())
			}
		}
	}
}

// TestRebuildsSayNotesOnce lets a generator write its own sitemap with every
// other build, and a page be wrong, right and wrong again.
func TestRebuildsSayNotesOnce(t *testing.T) {
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
		said := rebuilt(tell, engine.Changes{}, step.found...)
		if got := strings.Contains(said, "replaced-sitemap"); got != step.note {
			t.Errorf("build %d: the note is said: %v\n%s", i, got, said)
		}
		if got := strings.Contains(said, "bad-date"); got != step.bad {
			t.Errorf("build %d: the warning is said: %v\n%s", i, got, said)
		}
	}
}
