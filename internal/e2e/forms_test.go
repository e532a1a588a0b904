//go:build e2e

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestReportReaders gives reports of a site with hostile names to those who read
// such reports: the schema of SARIF, and a reader of JUnit's.
func TestReportReaders(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "sitemap.yaml", "base_url: https://example.internal/\npages: {dir: public}\nlastmod: [html]\nfindings: {bad-date: error}\n")
	names := []string{"index", "::error file=a::b", "a|b", "]]>", "a b#c%20d", "`x`", "\u202egnp", "&lt;", "-- x", "é", "a\x01b"}
	for _, name := range names {
		write(t, dir, "public/"+name+".html", "<!doctype html><title>"+name+`</title><meta property="article:modified_time" content="soon]]>">`)
	}
	do(t, dir, sitewalk, "-q", "--report", "sarif=a.sarif", "--report", "junit=a.xml")
	sarif := filepath.Join(npmDir(t), "node_modules", "@microsoft", "jest-sarif", "lib", "schemas", "sarif-2.1.0-rtm.5.json")
	src, err := os.ReadFile(filepath.Join(dir, "a.sarif"))
	if err != nil {
		t.Fatal(err)
	}
	holds(t, sarif, string(src))

	out := do(t, npmDir(t), tool(t, "node"), "-e",
		"const {parseV2} = require('test-results-parser'); console.log(JSON.stringify(parseV2({type: 'junit', files: [process.argv[1]]}).result))",
		filepath.Join(dir, "a.xml"))
	var got struct{ Total, Passed, Failed, Errors int }
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	// The control character makes no valid URL, which is a warning and passes, as the
	// command itself does.
	if want := len(names) - 1; got.Total != want+2 || got.Passed != 2 || got.Failed != want || got.Errors != 0 {
		t.Errorf("JUnit's reader finds %+v, want %d failures", got, want)
	}
}

// holds fails unless a document holds to a JSON schema.
func holds(t *testing.T, schema, document string) {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(schema)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(doc); err != nil {
		t.Error(err)
	}
}

// TestReportInRunner reads the log of a step as GitHub's runner does: no command
// is in it but annotations, whatever files are called.
func TestReportInRunner(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "sitemap.yaml", "base_url: https://example.internal/\npages: {dir: .}\nlastmod: [html]\n")
	for _, name := range []string{"index", "::set-env name=PATH::x", "a##[add-matcher]b", "##vso[task.setvariable variable=x]y"} {
		write(t, dir, name+".html", `<!doctype html><title>x</title><meta property="article:modified_time" content="::error::##[group]">`)
	}
	summary := filepath.Join(t.TempDir(), "summary.md")
	out, stderr, err := try(t, dir, []string{"GITHUB_STEP_SUMMARY=" + summary, "GITHUB_WORKSPACE=" + dir}, sitewalk, "--report", "github")
	if err != nil {
		t.Fatal(err, stderr)
	}
	for line := range strings.Lines(out + stderr) {
		line = strings.TrimSpace(line)
		command, _, _ := strings.Cut(strings.TrimPrefix(line, "::"), " ")
		if strings.HasPrefix(line, "::") && !slices.Contains([]string{"notice", "warning", "error"}, command) || strings.Contains(line, "##[") || strings.Contains(line, "##vso[") {
			t.Errorf("a command: %s", line)
		}
	}
	if n := strings.Count(out, "::warning "); n != 4 {
		t.Errorf("%d warnings\n%s", n, out)
	}
	if !exists(summary) {
		t.Error("no summary of the job")
	}
}
