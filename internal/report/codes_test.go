package report

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// TestCodesMatchManual compares codes.txt with docs/diagnostics.md. UPDATE=1 writes codes.txt,
// which is a copy because go:embed cannot embed a file of another folder.
func TestCodesMatchManual(t *testing.T) {
	manual, err := os.ReadFile("../../docs/diagnostics.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("^- \\[?`([a-z0-9-]+)`.*?: (.+?)(?: → (.+))?\n$")
	link := regexp.MustCompile(`\[(.*?)\]\((.*?)\)`)
	plain := func(s string) string {
		return link.ReplaceAllString(strings.NewReplacer("`", "", `\|`, "|").Replace(s), "$1 (docs/$2)")
	}
	var severity string
	var rows []string
	for line := range strings.Lines(string(manual)) {
		if heading, ok := strings.CutPrefix(line, "### "); ok {
			severity = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(heading)), " or ", ", ")
		} else if m := row.FindStringSubmatch(line); m != nil {
			rows = append(rows, m[1]+"\t"+severity+"\t"+plain(m[2])+"\t"+plain(m[3])+"\n")
		}
	}
	slices.Sort(rows)
	want := strings.Join(rows, "")
	testsite.CompareWithFile(t, "codes.txt", want)
}

// TestCodesAreSorted checks that the codes are sorted, and that duplicate-url has a meaning and a
// remedy.
func TestCodesAreSorted(t *testing.T) {
	if !slices.IsSortedFunc(Codes(), func(a, b Code) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the codes are not sorted")
	}
	for _, c := range Codes() {
		if c.Name == "duplicate-url" && strings.Contains(c.Severity, "warning") && c.Meaning != "" && c.Remedy != "" {
			return
		}
	}
	t.Error("got no complete entry for duplicate-url")
}
