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

// recipes returns the commands of each recipe of docs/guard.md, by the first platform
// that it is for.
func recipes(t *testing.T) map[string]string {
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

// readRecipe returns the commands of a recipe, as its platform would read them.
func readRecipe(t *testing.T, name, text string) (lines []string) {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	switch name {
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

// TestRecipes runs the commands of the recipes for CI on a built site, against a
// server that stands for the published one: they pass, and fail when a page is
// lost.
func TestRecipes(t *testing.T) {
	testsite.ChdirToRoot(t)
	all := recipes(t)
	if len(all) != 3 {
		t.Fatalf("docs/guard.md has %d recipes", len(all))
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
				for _, line := range readRecipe(t, name, text) {
					args, ours := strings.CutPrefix(line, "npx --yes sitewalk@0.1 ")
					if !ours {
						continue // the generator
					}
					var out bytes.Buffer
					command(t, dir, &out, &out, strings.Fields(strings.ReplaceAll(args, "https://example.com", server.URL)+" --report json=verdict.json")...)
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
				t.Errorf("a healthy site: %s", got)
			}
			published += "https://example.com/lost/\nhttps://example.com/lost2/\n"
			if got := strings.Join(run(), " "); got != "passed passed failed" {
				t.Errorf("a site that loses pages: %s", got)
			}
		})
	}
}
