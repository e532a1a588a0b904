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

// took is how long a run took, in a report.
var took = regexp.MustCompile(`"seconds": ?[0-9.e+-]+`)

// The same site is told in the same words, in every form: of thousands of findings of
// several kinds, more than are kept and more than are looked up in content files.
func TestTheSameRunSaysTheSame(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("sitemap.yaml", "base_url: https://example.com/\npages: {dir: public}\ncontent: {dir: content}\n")
	for i := range 550 {
		put(fmt.Sprintf("content/p%d.md", i), fmt.Sprintf("---\ntitle: t\ncanonical: ftp://example.com/%d\ndate: 2026-99-0%d\nimages: [':', ':']\n---\n", i, i%9))
		put(fmt.Sprintf("public/p%d/index.html", i), fmt.Sprintf(`<!doctype html><html lang="q q"><link rel="canonical" href="ftp://example.com/%d">`+
			`<meta property="article:modified_time" content="2026-99-0%d"><meta property="article:modified_time" content="x"><meta property="article:modified_time" content="x"><title>t</title>`, i, i%9))
	}
	say := func(args ...string) string {
		var out, problems bytes.Buffer
		Run(context.Background(), Env{
			Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &problems, Dir: dir,
			Getenv: func(string) string { return "" }, Now: func() time.Time { return time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC) },
		})
		return took.ReplaceAllString(out.String()+problems.String(), "")
	}
	all := []string{"build", "-n"}
	for _, form := range report.FormNames() {
		all = append(all, "--report", form+"="+filepath.Join(dir, form))
	}
	first := map[string]string{}
	for i := range testsite.Repeat(2, 10) {
		got := map[string]string{"stderr": say("build", "-n"), "check": say("check", "--json")}
		say(all...)
		for _, form := range report.FormNames() {
			text, err := os.ReadFile(filepath.Join(dir, form))
			if err != nil {
				t.Fatal(err)
			}
			got[form] = took.ReplaceAllString(string(text), "")
		}
		for form, text := range got {
			if i == 0 {
				first[form] = text
			} else if text != first[form] {
				a, b := strings.Split(first[form], "\n"), strings.Split(text, "\n")
				for j := range min(len(a), len(b)) {
					if a[j] != b[j] {
						t.Fatalf("run %d, %s, line %d:\n%s\nwas\n%s", i, form, j+1, b[j], a[j])
					}
				}
				t.Fatalf("run %d: %s has %d lines, and had %d", i, form, len(b), len(a))
			}
		}
	}
	if n := strings.Count(first["json"], `"code"`); n < 1000 {
		t.Errorf("only %d findings", n)
	}
}
