package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/internal/testsite"
)

func TestMain(m *testing.M) {
	testsite.SpeedUp()
	m.Run()
}

// durationField matches the duration of a run in a report.
var durationField = regexp.MustCompile(`"seconds": ?[0-9.e+-]+`)

// TestOutputIsReproducible checks that commands print the same output in every form in each run.
// The site has more findings than a report keeps, and more than a build locates in content files.
func TestOutputIsReproducible(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "sitemap.yaml"), "base_url: https://example.com/\npages: {dir: public}\ncontent: {dir: content}\n")
	for i := range 550 {
		writeFile(t, filepath.Join(dir, fmt.Sprintf("content/p%d.md", i)), fmt.Sprintf("---\ntitle: t\ncanonical: ftp://example.com/%d\ndate: 2026-99-0%d\nimages: [':', ':']\n---\n", i, i%9))
		writeFile(t, filepath.Join(dir, fmt.Sprintf("public/p%d/index.html", i)), fmt.Sprintf(`<!doctype html><html lang="q q"><link rel="canonical" href="ftp://example.com/%d">`+
			`<meta property="article:modified_time" content="2026-99-0%d"><meta property="article:modified_time" content="x"><meta property="article:modified_time" content="x"><title>t</title>`, i, i%9))
	}
	runCommand := func(args ...string) string {
		var stdout, stderr bytes.Buffer
		Run(context.Background(), Env{
			Args: args, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Dir: dir,
			Getenv: func(string) string { return "" }, Now: func() time.Time { return time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC) },
		})
		return durationField.ReplaceAllString(stdout.String()+stderr.String(), "")
	}
	all := []string{"build", "-n"}
	for _, form := range report.FormNames() {
		all = append(all, "--report", form+"="+filepath.Join(dir, form))
	}
	first := map[string]string{}
	for i := range testsite.Repeat(2, 10) {
		got := map[string]string{"stderr": runCommand("build", "-n"), "check": runCommand("check", "--json")}
		runCommand(all...)
		for _, form := range report.FormNames() {
			text, err := os.ReadFile(filepath.Join(dir, form))
			if err != nil {
				t.Fatal(err)
			}
			got[form] = durationField.ReplaceAllString(string(text), "")
		}
		for form, text := range got {
			if i == 0 {
				first[form] = text
			} else if text != first[form] {
				a, b := strings.Split(first[form], "\n"), strings.Split(text, "\n")
				for j := range min(len(a), len(b)) {
					if a[j] != b[j] {
						t.Fatalf("run %d, %s, line %d: got\n%s\nwant\n%s", i, form, j+1, b[j], a[j])
					}
				}
				t.Fatalf("run %d: %s: got %d lines, want %d", i, form, len(b), len(a))
			}
		}
	}
	if n := strings.Count(first["json"], `"code"`); n < 1000 {
		t.Errorf("got %d findings, want at least 1000", n)
	}
}
