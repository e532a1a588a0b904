package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/diag"
)

func same(file string) string { return file }

func findings(ds ...diag.Diagnostic) []diag.Kind {
	r := diag.Report{MaxKept: -1}
	r.Add(ds...)
	return r.Kinds()
}

func finding(code, file, subject string, line int) diag.Diagnostic {
	return diag.Diagnostic{Pos: diag.Pos{File: file, Line: line}, Severity: diag.Error, Code: code, Subject: subject, Message: fmt.Sprint(code, line)}
}

// TestSplitBaseline checks that known findings are accepted on other lines, but not more often
// than the baseline contains them. Findings that no longer occur must be returned as fixed.
func TestSplitBaseline(t *testing.T) {
	b := newBaseline(same)
	b.AddFindings(findings(finding("a", "x", "s", 1), finding("a", "x", "s", 2), finding("b", "y", "", 1), finding("c", "", "https://example.com/", 0)))
	b, err := parseBaseline("known", b.FileContent(), same)
	if err != nil {
		t.Fatal(err)
	}
	news, accepted, fixed := b.SplitAccepted(findings(
		finding("a", "x", "s", 7), finding("a", "x", "s", 8), finding("a", "x", "s", 9), finding("a", "x", "other", 1),
	))
	if accepted != 2 || len(news) != 1 || len(news[0].List) != 2 || news[0].CountAtLeast(diag.Error) != 2 {
		t.Errorf("%d accepted, news %v", accepted, news)
	}
	if want := []string{"b y", "c  https://example.com/"}; !slices.Equal(fixed, want) {
		t.Errorf("fixed %q, want %q", fixed, want)
	}
}

// TestParseBaseline parses baselines that were edited by hand or by a merge.
func TestParseBaseline(t *testing.T) {
	const head = "sitewalk-baseline 1\n"
	for name, tt := range map[string]struct{ src, want string }{
		"good":            {head + "# a comment\n\na\tb\tc\r\na\tb\n", ""},
		"empty":           {"", "is not a baseline"},
		"another file":    {"<?xml version='1.0'?>", "is not a baseline"},
		"another version": {"sitewalk-baseline 2\n", `version "2", and this sitewalk reads version 1`},
		"conflict":        {head + "a\tb\n<<<<<<< HEAD\nc\td\n=======\ne\tf\n>>>>>>> x\n", "known:3: it has the marks of a merge conflict"},
		"conflict above":  {"<<<<<<< HEAD\n" + head, "is not a baseline"},
		"half an escape":  {head + "a\tb%4\n", "known:2: "},
		"no escape":       {head + "a\tb%zz\n", "known:2: "},
		"too many parts":  {head + "a\tb\tc\td\n", "known:2: "},
	} {
		_, err := parseBaseline("known", []byte(tt.src), same)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}

// FuzzBaselineText checks that parsing the text of a baseline returns the same findings.
func FuzzBaselineText(f *testing.F) {
	f.Add("public/a\tb\n.html", "#%\r\x00")
	f.Add("", "")
	f.Fuzz(func(t *testing.T, file, subject string) {
		b := newBaseline(same)
		d := finding("bad-date", file, subject, 1)
		b.AddFindings(findings(d))
		again, err := parseBaseline("known", b.FileContent(), same)
		if err != nil {
			t.Fatal(err)
		}
		if news, accepted, fixed := again.SplitAccepted(findings(d)); accepted != 1 || len(news) > 0 || len(fixed) > 0 {
			t.Errorf("%q: %d accepted, %v, %q", b.FileContent(), accepted, news, fixed)
		}
	})
}

// FuzzParseBaseline checks that parsing any text does not panic.
func FuzzParseBaseline(f *testing.F) {
	f.Add([]byte("sitewalk-baseline 1\na\tb%41\tc\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		b, err := parseBaseline("known", src, same)
		if err != nil {
			return
		}
		if _, err := parseBaseline("known", b.FileContent(), same); err != nil {
			t.Errorf("%q cannot be read again: %v", b.FileContent(), err)
		}
	})
}
