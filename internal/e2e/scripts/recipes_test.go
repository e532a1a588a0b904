package scripts

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"gopkg.in/yaml.v3"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// ciRecipes returns the code block of each recipe in docs/guard.md, by the name of its platform.
func ciRecipes(t *testing.T) map[string]string {
	src, err := os.ReadFile("docs/guard.md")
	if err != nil {
		t.Fatal(err)
	}
	_, ci, _ := strings.Cut(string(src), "## In CI")
	all := map[string]string{}
	for _, m := range regexp.MustCompile("(?s)(GitHub|GitLab|Netlify).*?```[a-z]+\n(.*?)```").FindAllStringSubmatch(ci, -1) {
		all[m[1]] = m[2]
	}
	return all
}

// recipeCommands parses a recipe as its platform does and returns its commands.
func recipeCommands(t *testing.T, platform, text string) (lines []string) {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	switch platform {
	case "GitHub":
		var steps []struct{ Run string }
		must(yaml.Unmarshal([]byte(text), &steps))
		for _, s := range steps {
			lines = append(lines, s.Run)
		}
		return lines
	case "GitLab":
		var jobs map[string]struct{ Script []string }
		must(yaml.Unmarshal([]byte(text), &jobs))
		return jobs["pages"].Script
	}
	for _, line := range strings.Split(text, "&&") {
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines
}

// TestCIRecipes runs the commands of the recipes for CI on a built site and compares it with a
// published list. It checks that the recipes pass, and that they fail if pages are lost.
func TestCIRecipes(t *testing.T) {
	testsite.ChdirToRoot(t)
	all := ciRecipes(t)
	if len(all) != 3 {
		t.Fatalf("docs/guard.md has %d recipes, want 3", len(all))
	}
	for name, text := range all {
		t.Run(name, func(t *testing.T) {
			published := "https://example.com/\nhttps://example.com/a/\n"
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(published)) }))
			defer server.Close()
			run := func() (verdicts []string) {
				dir := t.TempDir()
				site := "-- sitemap.yaml --\nbase_url: https://example.com/\npages: {dir: public}\n-- public/index.html --\n<title>Home</title>\n-- public/a/index.html --\n<title>A</title>\n"
				if err := txtar.Write(txtar.Parse([]byte(site)), dir); err != nil {
					t.Fatal(err)
				}
				for _, line := range recipeCommands(t, name, text) {
					args, ok := strings.CutPrefix(line, "npx --yes sitewalk@0.1 ")
					if !ok {
						continue // this line runs the generator
					}
					var out bytes.Buffer
					runCommand(t, dir, &out, &out, strings.Fields(strings.ReplaceAll(args, "https://example.com", server.URL)+" --report json=verdict.json")...)
					src, err := os.ReadFile(dir + "/verdict.json")
					var v struct{ Verdict string }
					if err == nil {
						err = json.Unmarshal(src, &v)
					}
					if err != nil {
						t.Fatalf("%s: %v\n%s", line, err, &out)
					}
					verdicts = append(verdicts, v.Verdict)
				}
				return verdicts
			}
			if got := strings.Join(run(), " "); got != "passed passed passed" {
				t.Errorf("verdicts on a healthy site: %s", got)
			}
			published += "https://example.com/lost/\nhttps://example.com/lost2/\n"
			if got := strings.Join(run(), " "); got != "passed passed failed" {
				t.Errorf("verdicts on a site that loses pages: %s", got)
			}
		})
	}
}
