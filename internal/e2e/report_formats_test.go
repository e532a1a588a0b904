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

// TestReportFormats writes reports of a site with hostile file names. It checks the SARIF report
// with the schema of SARIF, and the JUnit report with an independent parser.
func TestReportFormats(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "sitemap.yaml", "base_url: https://example.internal/\npages: {dir: public}\nlastmod: [html]\nfindings: {bad-date: error}\n")
	names := []string{"index", "::error file=a::b", "a|b", "]]>", "a b#c%20d", "`x`", "\u202egnp", "&lt;", "-- x", "é", "a\x01b"}
	for _, name := range names {
		writeFile(t, dir, "public/"+name+".html", "<!doctype html><title>"+name+`</title><meta property="article:modified_time" content="soon]]>">`)
	}
	run(t, dir, sitewalk, "-q", "--report", "sarif=a.sarif", "--report", "junit=a.xml")
	sarif := filepath.Join(npmDir(t), "node_modules", "@microsoft", "jest-sarif", "lib", "schemas", "sarif-2.1.0-rtm.5.json")
	src, err := os.ReadFile(filepath.Join(dir, "a.sarif"))
	if err != nil {
		t.Fatal(err)
	}
	validateJSON(t, sarif, string(src))

	out := run(t, npmDir(t), toolPath(t, "node"), "-e",
		"const {parseV2} = require('test-results-parser'); console.log(JSON.stringify(parseV2({type: 'junit', files: [process.argv[1]]}).result))",
		filepath.Join(dir, "a.xml"))
	var got struct{ Total, Passed, Failed, Errors int }
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	// The page with the control character has no valid URL. Its finding is a warning, so the report
	// lists it as passed.
	if want := len(names) - 1; got.Total != want+2 || got.Passed != 2 || got.Failed != want || got.Errors != 0 {
		t.Errorf("the JUnit parser reads %+v, want %d failures of %d", got, want, want+2)
	}
}

// validateJSON checks that a document is valid for a JSON schema.
func validateJSON(t *testing.T, schema, document string) {
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

// TestGitHubReportCommands checks that the log of "--report github" contains no workflow commands
// except annotations, even if file names and dates look like commands.
func TestGitHubReportCommands(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "sitemap.yaml", "base_url: https://example.internal/\npages: {dir: .}\nlastmod: [html]\n")
	for _, name := range []string{"index", "::set-env name=PATH::x", "a##[add-matcher]b", "##vso[task.setvariable variable=x]y"} {
		writeFile(t, dir, name+".html", `<!doctype html><title>x</title><meta property="article:modified_time" content="::error::##[group]">`)
	}
	summary := filepath.Join(t.TempDir(), "summary.md")
	out, stderr, err := tryRun(t, dir, []string{"GITHUB_STEP_SUMMARY=" + summary, "GITHUB_WORKSPACE=" + dir}, sitewalk, "--report", "github")
	if err != nil {
		t.Fatal(err, stderr)
	}
	for line := range strings.Lines(out + stderr) {
		line = strings.TrimSpace(line)
		command, _, _ := strings.Cut(strings.TrimPrefix(line, "::"), " ")
		if strings.HasPrefix(line, "::") && !slices.Contains([]string{"notice", "warning", "error"}, command) || strings.Contains(line, "##[") || strings.Contains(line, "##vso[") {
			t.Errorf("the log contains a command: %s", line)
		}
	}
	if n := strings.Count(out, "::warning "); n != 4 {
		t.Errorf("the log has %d warnings, want 4\n%s", n, out)
	}
	if !fileExists(summary) {
		t.Error("sitewalk wrote no job summary")
	}
}
