//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// llmsJS prints the title of a file and each link with its section, as the npm package
// llms-txt-parser reads them.
const llmsJS = `
const { readFileSync } = require('node:fs');
const parser = require('llms-txt-parser');
const Parser = parser.LLMSTextParser || parser.default || parser;
const r = new Parser().parse(readFileSync(process.argv[2], 'utf8'));
console.log(JSON.stringify(['title ' + r.title, ...r.links.map((l) => [l.section, l.url].join(' '))]));
`

// TestLLMS writes llms.txt for real manuals. It checks that an independent parser finds the title,
// and each link in its section.
func TestLLMS(t *testing.T) {
	for _, tt := range []struct{ name, dir, title string }{
		{"git", "git-doc", "git(1)"},
		{"node", "nodejs/api", "Node.js v"},
		{"postgresql", "postgresql-doc-*/html", "PostgreSQL "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dirs, err := filepath.Glob(filepath.Join(os.Getenv("SITEWALK_TOOLS"), "manuals/usr/share/doc", tt.dir))
			if err != nil || len(dirs) != 1 {
				t.Fatalf("folders that match %s: %v %v, want one", tt.dir, dirs, err)
			}
			out := t.TempDir()
			run(t, out, sitewalk, "build", dirs[0], "-b", "https://docs.example.internal/a/", "-o", out, "--format", "xml,llms", "--lastmod", "none")
			file := filepath.Join(out, "llms.txt")
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			section := ""
			for line := range strings.Lines(string(text)) {
				if name, ok := strings.CutPrefix(line, "## "); ok {
					section = strings.TrimSpace(name)
				}
				if _, after, ok := strings.Cut(line, "]("); ok && strings.HasPrefix(line, "- ") {
					url, _, _ := strings.Cut(after, ")")
					want = append(want, fmt.Sprint(section, " ", url))
				}
			}
			slices.Sort(want)
			got := runNode(t, "llms.cjs", llmsJS, file)
			i := slices.IndexFunc(got, func(s string) bool { return strings.HasPrefix(s, "title "+tt.title) })
			if i < 0 {
				t.Fatalf("the parser finds no title %q in %.200q", tt.title, got)
			}
			if got = slices.Delete(got, i, i+1); len(got) < 50 || !slices.Equal(got, want) {
				t.Errorf("the parser finds %d links, want the same %d as in the file", len(got), len(want))
			}
		})
	}
}
