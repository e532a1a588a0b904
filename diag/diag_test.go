package diag

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

func TestDiagnosticString(t *testing.T) {
	tests := []struct {
		name string
		d    Diagnostic
		want string
	}{
		{"no position", Diagnostic{Severity: Warning, Code: "no-dates", Message: "no page has a date"}, "warning: no page has a date [no-dates]"},
		{"file", Diagnostic{Pos: Pos{File: "a.md"}, Code: "x", Message: "m"}, "a.md: note: m [x]"},
		{"line", Diagnostic{Pos: Pos{File: "a.md", Line: 3}, Severity: Error, Code: "x", Message: "m"}, "a.md:3: error: m [x]"},
		{"column", Diagnostic{Pos: Pos{File: "a.md", Line: 3, Col: 7}, Severity: Error, Code: "x", Message: "m"}, "a.md:3:7: error: m [x]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.d.String(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestReportKeepsFirstOfEachCode checks that a report keeps the first findings of each code and
// counts all of them.
func TestReportKeepsFirstOfEachCode(t *testing.T) {
	var all List
	for i := range 1000 {
		all.Warnf(Pos{File: fmt.Sprintf("%04d.html", i)}, "bad-date", "", "x")
	}
	all.Errorf(Pos{File: "z"}, "unreadable", "", "y")
	rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var r Report
	r.Add(all...)
	kinds := r.Kinds()
	if len(kinds) != 2 || kinds[0].Count != 1000 || len(kinds[0].List) != DefaultKept {
		t.Fatalf("Kinds: got %+v, want 2 kinds, the first with 1000 findings and %d kept", kinds, DefaultKept)
	}
	for i, d := range kinds[0].List {
		if want := fmt.Sprintf("%04d.html", i); d.Pos.File != want {
			t.Errorf("finding %d: got file %s, want %s", i, d.Pos.File, want)
		}
	}
	if got := r.Count(Error); got != 1 {
		t.Errorf("Count(Error) = %d, want 1", got)
	}
	if got := r.Count(Note); got != 1001 {
		t.Errorf("Count(Note) = %d, want 1001", got)
	}
}

func TestReportKeepsAllFindings(t *testing.T) {
	r := Report{MaxKept: -1}
	for i := range 50 {
		r.Add(Diagnostic{Code: "x", Message: strings.Repeat("m", i)})
	}
	if k := r.Kinds()[0]; len(k.List) != 50 || !slices.IsSortedFunc(k.List, Compare) {
		t.Errorf("got %d kept findings, want 50 in order", len(k.List))
	}
}

func TestListSortedDropsDuplicates(t *testing.T) {
	var l List
	l.Warnf(Pos{File: "b"}, "x", "", "m")
	l.Warnf(Pos{File: "a"}, "x", "", "m")
	l.Warnf(Pos{File: "b"}, "x", "", "m")
	if got := l.Sorted(); len(got) != 2 || got[0].Pos.File != "a" {
		t.Errorf("Sorted: got %v, want the files a and b", got)
	}
}

// TestReportAddsManyFindingsFast adds a finding for every four bytes of the input, in reverse
// order. Inserting each finding at its sorted position would take quadratic time.
func TestReportAddsManyFindingsFast(t *testing.T) {
	var r Report
	n := 0
	testsite.RequireLinear(t, func(size int) []byte { return make([]byte, size) }, func(src []byte) {
		r, n = Report{MaxKept: -1}, len(src)/4
		for i := range n {
			r.Add(Diagnostic{Pos: Pos{File: "a.html", Line: n - i}, Severity: Warning, Code: "bad-date"})
		}
		r.Kinds()
	})
	r.Add(Diagnostic{Pos: Pos{File: "a.html", Line: 7}, Severity: Warning, Code: "bad-date"})
	k := r.Kinds()[0]
	if k.Count != n || len(k.List) != n || k.Severity != Warning {
		t.Fatalf("got %d findings, %d kept, severity %v; want %d findings, all kept, severity %v", k.Count, len(k.List), k.Severity, n, Warning)
	}
	if !slices.IsSortedFunc(k.List, Compare) {
		t.Error("the findings are not sorted")
	}
	if got := r.Count(Warning); got != n {
		t.Errorf("Count = %d, want %d", got, n)
	}
}

// TestReportCountsBySeverity checks the counts after more notes than are kept, and then warnings
// with the same code. A merged report must have the same counts.
func TestReportCountsBySeverity(t *testing.T) {
	for _, keep := range []int{0, -1} {
		r := Report{MaxKept: keep}
		var l List
		for i := range 20 {
			l.Notef(Pos{File: fmt.Sprintf("a%02d", i)}, "x", "", "m")
		}
		l.Warnf(Pos{File: "b"}, "x", "", "m")
		l.Warnf(Pos{File: "b"}, "x", "", "m")
		l.Warnf(Pos{File: "c"}, "x", "", "m")
		r.Add(l[:20]...)
		r.Add(l[20], l[22])
		if keep < 0 {
			r.Add(l[21]) // a duplicate; only a report that keeps the first finding can detect it
		}
		into := Report{MaxKept: keep}
		into.Merge(&r)
		for name, r := range map[string]*Report{"report": &r, "merged": &into} {
			if got := r.Count(Warning); got != 2 {
				t.Errorf("%s, MaxKept %d: got %d warnings, want 2", name, keep, got)
			}
			if k := r.Kinds()[0]; k.Severity != Warning || k.Count != 22 {
				t.Errorf("%s, MaxKept %d: got %d findings with severity %s, want 22 with severity %s", name, keep, k.Count, k.Severity, Warning)
			}
		}
	}
}

// TestReportAppliesLevels checks that levels change severities and drop findings.
func TestReportAppliesLevels(t *testing.T) {
	var from Report
	for i := range 30 {
		from.Add(
			Diagnostic{Pos: Pos{File: fmt.Sprintf("%02d", i)}, Severity: Warning, Code: "up"},
			Diagnostic{Pos: Pos{File: fmt.Sprintf("%02d", i)}, Severity: Warning, Code: "off"},
			Diagnostic{Pos: Pos{File: fmt.Sprintf("%02d", i)}, Severity: Warning, Code: "same"},
		)
	}
	r := Report{Levels: Levels{"up": "error", "off": "off"}}
	r.Merge(&from)
	if errors, warnings, all := r.Count(Error), r.Count(Warning), r.Count(Note); errors != 30 || warnings != 60 || all != 60 {
		t.Errorf("got counts %d, %d and %d of errors, warnings and notes; want 30, 60 and 60", errors, warnings, all)
	}
	for _, k := range r.Kinds() {
		if len(k.List) != DefaultKept || k.Code == "off" {
			t.Errorf("%s: got %d kept findings, want %d and no code off", k.Code, len(k.List), DefaultKept)
		}
	}
}

func TestIdentityOmitsFileOfAnywhere(t *testing.T) {
	name := func(file string) string { return "site/" + file }
	d := Diagnostic{Pos: Pos{File: "a.html", Line: 3}, Code: "dead-link", Subject: "https://example.com/gone/"}
	if got, want := d.Identity(name), (Identity{"dead-link", "site/a.html", d.Subject}); got != want {
		t.Errorf("Identity: got %v, want %v", got, want)
	}
	d.Anywhere = true
	if got, want := d.Identity(name), (Identity{"dead-link", "", d.Subject}); got != want {
		t.Errorf("Identity with Anywhere: got %v, want %v", got, want)
	}
}

// Count returns the number of findings with the severity least or a higher one.
func (r *Report) Count(least Severity) int {
	n := 0
	for _, k := range r.Kinds() {
		n += k.CountAtLeast(least)
	}
	return n
}
