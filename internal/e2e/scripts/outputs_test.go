package scripts

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// outputBlocks returns the code blocks of a page that show the output of a command. They have no
// language or the language "text".
func outputBlocks(page string) (blocks []string) {
	for _, m := range regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$").FindAllStringSubmatch(page, -1) {
		if m[1] == "" || m[1] == "text" {
			blocks = append(blocks, m[2])
		}
	}
	return blocks
}

// pagesWithoutSession maps the pages whose output blocks no session checks to the content of the
// blocks.
var pagesWithoutSession = map[string]string{
	"docs/architecture.md": "a drawing",
	"docs/live.md":         "a finding of a large site, which TestLive in internal/e2e checks, and a header",
}

// TestManualOutputs runs the sessions in testdata/manual. They check that the manual shows the real
// output of its commands.
func TestManualOutputs(t *testing.T) {
	testsite.ChdirToRoot(t)
	t.Parallel()
	runScripts(t, "testdata/manual", "")
}

// TestManualOutputsChecked checks that a session in testdata/manual covers each output in the manual.
func TestManualOutputsChecked(t *testing.T) {
	testsite.ChdirToRoot(t)
	sessions := contents(t, "testdata/manual/*.txtar")
	pages := []string{"README.md"}
	for _, pattern := range []string{"docs/*.md", "docs/start/*.md", "integrations/*/*.md"} {
		more, _ := filepath.Glob(pattern)
		pages = append(pages, more...)
	}
	numBlocks := 0
	for _, name := range pages {
		name = filepath.ToSlash(name)
		for i, block := range outputBlocks(contents(t, name)) {
			numBlocks++
			line := "cmpmanual " + name + " " + strconv.Itoa(i+1)
			if !regexp.MustCompile(`(?m)^`+line+`( |$)`).MatchString(sessions) && pagesWithoutSession[name] == "" {
				t.Errorf("no session in testdata/manual has the line %q for this output:\n%s", line, block)
			}
		}
	}
	if numBlocks < 10 {
		t.Errorf("the manual has %d outputs, want at least 10", numBlocks)
	}
}

// compareWithManual implements "cmpmanual PAGE N [FILE]": it compares the output of the last command, or
// a file, with the Nth output block of a page. The block may leave out lines before and after.
func compareWithManual(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: cmpmanual PAGE N [FILE]")
	}
	page, err := os.ReadFile(args[0])
	ts.Check(err)
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	blocks := outputBlocks(string(page))
	if n < 1 || n > len(blocks) {
		ts.Fatalf("%s has %d output blocks, want at least %d", args[0], len(blocks), n)
	}
	printed := ts.ReadFile("stdout") + ts.ReadFile("stderr")
	if len(args) == 3 {
		printed = ts.ReadFile(args[2])
	}
	if !strings.Contains("\n"+normalizeOutput(printed), "\n"+normalizeOutput(blocks[n-1])) {
		ts.Fatalf("%s shows\n%sthe output is\n%sUPDATE=1 does not change the page; edit it", args[0], blocks[n-1], printed)
	}
}

// normalizeOutput replaces durations, the version and the scheme of example.com, because the proxy
// of the scripts supports only HTTP.
func normalizeOutput(text string) string {
	text = buildTime.ReplaceAllString(text, ", in 2ms")
	text = regexp.MustCompile(`written by sitewalk .*`).ReplaceAllString(text, "written by sitewalk")
	return strings.ReplaceAll(text, "http://example.com", "https://example.com")
}
