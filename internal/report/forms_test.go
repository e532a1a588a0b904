package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/diag"
)

// evil contains texts that could break out of each form.
var evil = []string{
	"::error file=x::owned", "##[add-matcher]x.json", "##vso[task.setvariable]x", "a\n::set-output name=x::y", "a\r::warning::b",
	"%0A::error::x", "</script><script>alert(1)</script>", "]]>", "<!--", "a|b", "`code` ```", "[link](http://evil.example)",
	"\x1b[31mred\x1b[0m", "\u202egnp.exe", "\x00", "\xff\xfe", "@everyone", "#1", "**bold**", "&lt;", "a,b:c", "\u2028", `"'\`,
	"<img src=x onerror=alert(1)>", "\u0085::error::x", "$(id)", "- [x]", "<details open>",
}

// hostileReport returns a report in which each text from a user's file is evil.
func hostileReport() *Report {
	var l diag.List
	r := &Report{Command: "check", Base: "https://example.com/", Error: "2 URLs are lost"}
	r.Changes = &Changes{Old: evil[0], New: evil[1], Host: "netlify"}
	for i, e := range evil {
		pos := diag.Pos{File: "public/" + e + ".html", Line: i}
		d := l.Warnf(pos, "bad-date", "fix "+e, "%s", e)
		d.Subject, d.Source = e, diag.Pos{File: e, Line: 3}
		l.Errorf(diag.Pos{File: e}, "bad-canonical", e, "%s", e)
		r.Changes.List = append(r.Changes.List, Change{Class: "lost", URL: "https://example.com/" + e, To: e, Reason: e, Pos: pos, Fix: e})
		r.Pages = append(r.Pages, Page{URL: "https://example.com/" + e, Title: e, File: e, Source: e, Why: e, Lang: e})
		r.Fixed = append(r.Fixed, e)
	}
	r.Findings = kinds(l)
	return r
}

func formNamed(t *testing.T, name string) *Form {
	t.Helper()
	q, err := parseRequest(name)
	if err != nil {
		t.Fatal(err)
	}
	return q.Form
}

// writeForm returns the report r in the named form.
func writeForm(t *testing.T, form string, r *Report, o *Options) string {
	t.Helper()
	var b bytes.Buffer
	if o == nil {
		o = &Options{}
	}
	o.Rel = func(file string) string { return file }
	if err := formNamed(t, form).Write(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// commandLine matches a workflow command as CI runners do: at the beginning of a line, or after
// "##" anywhere.
var commandLine = regexp.MustCompile(`(?m)^\s*::([a-z-]+)[ :]|##[A-Za-z]*\[`)

// TestGitHubEscapesText checks that a runner finds only the workflow commands of sitewalk in the
// output.
func TestGitHubEscapesText(t *testing.T) {
	out := writeForm(t, "github", hostileReport(), nil)
	for _, m := range commandLine.FindAllStringSubmatch(out, -1) {
		if m[1] != "error" && m[1] != "warning" && m[1] != "notice" {
			t.Errorf("got workflow command %q of the user", m[0])
		}
	}
	for line := range strings.Lines(out) {
		if !strings.HasPrefix(line, "::") {
			continue
		}
		properties, _, _ := strings.Cut(line[2:], "::")
		if n := strings.Count(properties, "="); n > 3+strings.Count(properties, "file=x") {
			t.Errorf("got properties %q of the user", properties)
		}
		if strings.ContainsAny(line, "\x1b\x00\r\u202e") {
			t.Errorf("got control characters in %q", line)
		}
	}
}

// TestGitHubLimitsAnnotations checks the output for more findings than GitHub shows.
func TestGitHubLimitsAnnotations(t *testing.T) {
	var l diag.List
	for i := range 50 {
		l.Notef(diag.Pos{File: fmt.Sprintf("%d", i)}, "a", "", "note")
		l.Warnf(diag.Pos{File: fmt.Sprintf("%d", i)}, "b", "", "warning")
		l.Errorf(diag.Pos{File: fmt.Sprintf("%d", i), Line: 4}, "c", "", "error")
	}
	r, o := &Report{Command: "check", Error: "no", Findings: kinds(l)}, &Options{}
	out := writeForm(t, "github", r, o)
	for word, want := range map[string]int{"error": 10, "warning": 10, "notice": 10} {
		if got := strings.Count(out, "\n::"+word+" ") + strings.Count(out[:8], "::"+word+" "); got != want {
			t.Errorf("got %d annotations %s, want %d", got, word, want)
		}
	}
	if !strings.HasPrefix(out, "::error title=sitewalk check::no\n::error file=0,line=4,title=sitewalk c::error\n") {
		t.Errorf("got\n%s\nwant errors first", out)
	}
	if !strings.Contains(out, "sitewalk: 121 more, which") {
		t.Errorf("got\n%s\nwant the number of omitted findings", out)
	}
	if s := r.formatMarkdown(o, 2000); len(s) > 2000 || !strings.Contains(s, "No room here for") {
		t.Errorf("summary: got %d bytes, want at most 2000:\n%s", len(s), s)
	}
}

// TestMarkdownEscapesText checks that the output contains only the markup of sitewalk.
func TestMarkdownEscapesText(t *testing.T) {
	r := hostileReport()
	for i := range r.Changes.List {
		r.Changes.List[i].Fix = "" // printed in a code block
	}
	out := writeForm(t, "markdown", r, nil)
	for _, m := range regexp.MustCompile(`<[^>]*>`).FindAllString(out, -1) {
		switch m {
		case "<details>", "<details open>", "</details>", "<summary>", "</summary>", "<code>", "</code>":
		default:
			t.Errorf("got element %q of the user", m)
		}
	}
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "| ") && strings.Count(line, "|") != 3 && strings.Count(line, "|") != 4 {
			t.Errorf("got a row with %d cells: %s", strings.Count(line, "|")-1, line)
		}
		if strings.ContainsAny(line, "`[]@\x1b\x00\u202e\r\u0085") {
			t.Errorf("got markup in %q", line)
		}
	}
}

// TestMarkdownLengthensFences checks that a text with a fence does not close a code block.
func TestMarkdownLengthensFences(t *testing.T) {
	if got := formatCodeBlock("a```b"); got != "````\na```b\n````" {
		t.Errorf("got %q", got)
	}
}

// TestWriteEachForm writes the hostile report twice in every form. The output must be the same. It
// must not contain control characters or workflow commands from the text of a user.
func TestWriteEachForm(t *testing.T) {
	o := &Options{}
	for _, f := range Forms {
		out := writeForm(t, f.Name, hostileReport(), o)
		if out != writeForm(t, f.Name, hostileReport(), o) {
			t.Errorf("%s: got different output in two runs", f.Name)
		}
		for line := range strings.Lines(out) {
			text := strings.TrimSuffix(line, "\n")
			switch f.Name {
			case "github":
				text = strings.TrimPrefix(text, "::") // a command of sitewalk, see TestGitHubEscapesText
			case "markdown":
				text = strings.ReplaceAll(text, "\u2060", "") // see escapeMarkdown
			}
			if diag.Plain(text) != text {
				t.Errorf("%s: got unsafe line %q", f.Name, line)
			}
		}
	}
}

// TestJUnitCanBeParsed checks that an XML parser reads the report.
func TestJUnitCanBeParsed(t *testing.T) {
	r := hostileReport()
	warning := diag.Warning
	r.FailsAt = &warning
	var got struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Suites   []struct {
			Name  string `xml:"name,attr"`
			Cases []struct {
				Failure *struct{ Text string }
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(writeForm(t, "junit", r, nil)), &got); err != nil {
		t.Fatal(err)
	}
	if want := 2*len(evil) + 1; got.Tests != want || got.Failures != want-1 || len(got.Suites) != 3 {
		t.Errorf("got %d tests, %d failures, %d suites; want %d, %d, 3", got.Tests, got.Failures, len(got.Suites), want, want-1)
	}
}

// TestFingerprintsIgnoreLines moves every finding to another line. The fingerprint of each finding
// must stay the same, and all fingerprints must differ.
func TestFingerprintsIgnoreLines(t *testing.T) {
	prints := func(shift int) map[string]bool {
		r := hostileReport()
		for _, k := range r.Findings {
			for i := range k.List {
				k.List[i].Pos.Line += shift
			}
		}
		var got []struct{ Fingerprint string }
		if err := json.Unmarshal([]byte(writeForm(t, "gitlab", r, nil)), &got); err != nil {
			t.Fatal(err)
		}
		set := map[string]bool{}
		for _, g := range got {
			set[g.Fingerprint] = true
		}
		if len(set) != len(got) {
			t.Errorf("got %d different fingerprints, want %d", len(set), len(got))
		}
		return set
	}
	before, after := prints(0), prints(7)
	for p := range before {
		if !after[p] {
			t.Errorf("got no fingerprint %s after the move, want it", p)
		}
	}
}

// TestSARIFLocatesFindings checks that a result is located in the content file, with the built
// page as related location, and that URIs are escaped.
func TestSARIFLocatesFindings(t *testing.T) {
	var l diag.List
	d := l.Warnf(diag.Pos{File: "public/a b#c/index.html", Line: 2}, "bad-date", "", "m")
	d.Source = diag.Pos{File: "content/a b#c.md", Line: 5}
	l.Warnf(diag.Pos{}, "same-date", "", "m")
	out := writeForm(t, "sarif", &Report{Command: "build", Findings: kinds(l)}, &Options{})
	for _, want := range []string{
		`"uri": "content/a%20b%23c.md"`, `"startLine": 5`, `"uri": "public/a%20b%23c/index.html"`, `"uri": "sitemap.yaml"`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("got\n%s\nwant %s", out, want)
		}
	}
}

// TestSARIFLimitsResults checks the output for more findings than GitHub accepts.
func TestSARIFLimitsResults(t *testing.T) {
	var l diag.List
	for i := range MaxFindings + 5 {
		l.Warnf(diag.Pos{File: fmt.Sprintf("%06d", i)}, "bad-date", "", "m")
	}
	var got sarifLog
	if err := json.Unmarshal([]byte(writeForm(t, "sarif", &Report{Findings: kinds(l)}, nil)), &got); err != nil {
		t.Fatal(err)
	}
	run := got.Runs[0]
	if len(run.Results) != MaxFindings || !strings.HasPrefix(run.Invocations[0].Notifications[0].Message["text"].(string), "5 more findings left out") {
		t.Errorf("got %d results and invocations %v, want %d results and a notification", len(run.Results), run.Invocations, MaxFindings)
	}
}
