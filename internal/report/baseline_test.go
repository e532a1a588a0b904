package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/diag"
)

// identity returns file. The tests use it to convert file names for a baseline.
func identity(file string) string { return file }

func kindsOf(ds ...diag.Diagnostic) []diag.Kind {
	r := diag.Report{MaxKept: -1}
	r.Add(ds...)
	return r.Kinds()
}

func newFinding(code, file, subject string, line int) diag.Diagnostic {
	return diag.Diagnostic{Pos: diag.Pos{File: file, Line: line}, Severity: diag.Error, Code: code, Subject: subject, Message: fmt.Sprint(code, line)}
}

// TestSplitBaseline checks that known findings are accepted on other lines, but not more often
// than the baseline contains them. Findings that no longer occur must be returned as fixed.
func TestSplitBaseline(t *testing.T) {
	b := newBaseline(identity)
	b.AddFindings(kindsOf(newFinding("a", "x", "s", 1), newFinding("a", "x", "s", 2), newFinding("b", "y", "", 1), newFinding("c", "", "https://example.com/", 0)))
	b, err := parseBaseline("known", b.FileContent(), identity)
	if err != nil {
		t.Fatal(err)
	}
	added, accepted, fixed := b.SplitAccepted(kindsOf(
		newFinding("a", "x", "s", 7), newFinding("a", "x", "s", 8), newFinding("a", "x", "s", 9), newFinding("a", "x", "other", 1),
	))
	if accepted != 2 || len(added) != 1 || len(added[0].List) != 2 || added[0].CountAtLeast(diag.Error) != 2 {
		t.Errorf("got %d accepted findings and new findings %v, want 2 and 2", accepted, added)
	}
	if want := []string{"b y", "c  https://example.com/"}; !slices.Equal(fixed, want) {
		t.Errorf("got fixed findings %q, want %q", fixed, want)
	}
}

// TestParseBaseline parses baselines that were edited by hand or by a merge.
func TestParseBaseline(t *testing.T) {
	const head = "sitewalk-baseline 1\n"
	for name, tt := range map[string]struct{ src, want string }{
		"good":              {head + "# a comment\n\na\tb\tc\r\na\tb\n", ""},
		"empty":             {"", "is not a baseline"},
		"other file":        {"<?xml version='1.0'?>", "is not a baseline"},
		"other version":     {"sitewalk-baseline 2\n", `version "2", and this sitewalk reads version 1`},
		"conflict":          {head + "a\tb\n<<<<<<< HEAD\nc\td\n=======\ne\tf\n>>>>>>> x\n", "known:3: it has the marks of a merge conflict"},
		"conflict above":    {"<<<<<<< HEAD\n" + head, "is not a baseline"},
		"incomplete escape": {head + "a\tb%4\n", "known:2: "},
		"invalid escape":    {head + "a\tb%zz\n", "known:2: "},
		"too many fields":   {head + "a\tb\tc\td\n", "known:2: "},
	} {
		_, err := parseBaseline("known", []byte(tt.src), identity)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got error %v, want %q", name, err, tt.want)
		}
	}
}

// FuzzBaselineText checks that a baseline that is written and parsed again accepts the same
// finding.
func FuzzBaselineText(f *testing.F) {
	f.Add("public/a\tb\n.html", "#%\r\x00")
	f.Add("", "")
	f.Fuzz(func(t *testing.T, file, subject string) {
		b := newBaseline(identity)
		d := newFinding("bad-date", file, subject, 1)
		b.AddFindings(kindsOf(d))
		again, err := parseBaseline("known", b.FileContent(), identity)
		if err != nil {
			t.Fatal(err)
		}
		if added, accepted, fixed := again.SplitAccepted(kindsOf(d)); accepted != 1 || len(added) > 0 || len(fixed) > 0 {
			t.Errorf("%q: got %d accepted, %v new, %q fixed findings, want 1 accepted", b.FileContent(), accepted, added, fixed)
		}
	})
}

// FuzzParseBaseline checks that a baseline that can be parsed can be written and parsed again.
func FuzzParseBaseline(f *testing.F) {
	f.Add([]byte("sitewalk-baseline 1\na\tb%41\tc\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		b, err := parseBaseline("known", src, identity)
		if err != nil {
			return
		}
		if _, err := parseBaseline("known", b.FileContent(), identity); err != nil {
			t.Errorf("written baseline %q: got error %v", b.FileContent(), err)
		}
	})
}
