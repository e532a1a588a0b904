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

// outputs returns the blocks of a page that show what a command prints or writes: those
// without a language.
func outputs(page string) (blocks []string) {
	for _, m := range regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$").FindAllStringSubmatch(page, -1) {
		if m[1] == "" || m[1] == "text" {
			blocks = append(blocks, m[2])
		}
	}
	return blocks
}

// notOutputs are the pages whose blocks without a language no session prints.
var notOutputs = map[string]string{
	"docs/architecture.md": "a drawing",
	"docs/live.md":         "the finding of a large site, as TestLive of internal/e2e sees it, and a header",
}

// TestOutputs runs the sessions of testdata/manual, whose commands print what the manual
// shows: "shown PAGE N" compares what the last one printed with the Nth output on a page.
func TestOutputs(t *testing.T) {
	testsite.ChdirToRoot(t)
	t.Parallel()
	runScripts(t, "testdata/manual", "")
}

// TestOutputsShown asks for a session for each output in the manual.
func TestOutputsShown(t *testing.T) {
	testsite.ChdirToRoot(t)
	sessions := contents(t, "testdata/manual/*.txtar")
	pages := []string{"README.md"}
	for _, pattern := range []string{"docs/*.md", "docs/start/*.md", "integrations/*/*.md"} {
		more, _ := filepath.Glob(pattern)
		pages = append(pages, more...)
	}
	found := 0
	for _, name := range pages {
		name = filepath.ToSlash(name)
		for i, block := range outputs(contents(t, name)) {
			found++
			line := "shown " + name + " " + strconv.Itoa(i+1)
			if !regexp.MustCompile(`(?m)^`+line+`( |$)`).MatchString(sessions) && notOutputs[name] == "" {
				t.Errorf("no session of testdata/manual has %q for this output:\n%s", line, block)
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d outputs were found", found)
	}
}

// shown compares what the last command printed, or a file, with an output in the
// manual: "shown PAGE N [FILE]". The manual may leave out what stands before and after.
func shown(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: shown PAGE N [FILE]")
	}
	page, err := os.ReadFile(args[0])
	ts.Check(err)
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	blocks := outputs(string(page))
	if n < 1 || n > len(blocks) {
		ts.Fatalf("%s has %d outputs", args[0], len(blocks))
	}
	printed := ts.ReadFile("stdout") + ts.ReadFile("stderr")
	if len(args) == 3 {
		printed = ts.ReadFile(args[2])
	}
	if !strings.Contains("\n"+asShown(printed), "\n"+asShown(blocks[n-1])) {
		ts.Fatalf("%s shows\n%sand this is\n%s", args[0], blocks[n-1], printed)
	}
}

// asShown returns a text without what differs from run to run. The proxy of the scripts
// speaks http only.
func asShown(text string) string {
	text = took.ReplaceAllString(text, ", in 2ms")
	text = regexp.MustCompile(`written by sitewalk .*`).ReplaceAllString(text, "written by sitewalk")
	return strings.ReplaceAll(text, "http://example.com", "https://example.com")
}
