//go:build e2e && linux

package channels

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// newHugoSite returns a session in a git repository with a Hugo site. sitewalk and Hugo are on its
// PATH, as in the containers of the recipes.
func newHugoSite(t *testing.T) *session {
	s := newSession(t)
	s.env[0] = "PATH=" + filepath.Dir(self) + ":" + filepath.Join(os.Getenv("SITEWALK_TOOLS"), "bin") + ":" + strings.TrimPrefix(s.env[0], "PATH=")
	for _, layout := range []string{"home", "list", "single"} {
		s.write("layouts/"+layout+".html", "<!doctype html><title>{{ .Title }}</title><main>{{ .Content }}</main>")
	}
	s.write("hugo.toml", "title = 'Lakes'\ndisableKinds = ['sitemap', 'taxonomy', 'rss']\n")
	s.write("content/_index.md", "Lakes\n")
	s.write("content/boats.md", "Boats\n")
	s.write("content/team.md", "Team\n")
	s.run("git", "init", "-q", "-b", "main", ".")
	s.run("git", "config", "user.name", "x")
	s.run("git", "config", "user.email", "x@example.org")
	s.run("git", "remote", "add", "origin", "https://gitlab.com/lake/lake.git")
	s.commit()
	return s
}

// commit commits all changes in the folder of the session.
func (s *session) commit() {
	s.t.Helper()
	s.run("git", "add", "-A")
	s.run("git", "commit", "-qm", "x")
}

// TestGitLabRecipe runs the recipe with the npm package gitlab-ci-local, which also validates it with
// GitLab's schema. It checks that the pages are published, and that a merge request that loses a page
// fails and reports the page in the Code Quality report.
func TestGitLabRecipe(t *testing.T) {
	t.Parallel()
	s := newHugoSite(t)
	recipe, err := os.ReadFile(filepath.Join(root, "integrations/gitlab/.gitlab-ci.yml"))
	if err != nil {
		t.Fatal(err)
	}
	s.write(".gitlab-ci.yml", string(recipe))
	s.write(".gitignore", ".gitlab-ci-local\npublic\n")
	s.commit()
	live := t.TempDir()
	server := httptest.NewServer(http.FileServer(http.Dir(live)))
	t.Cleanup(server.Close)
	pipeline := func(variables ...string) outcome {
		args := []string{
			toolPath(t, "gitlab-ci-local/dist/index.js"), "--force-shell-executor", "--shell-isolation", "--no-artifacts-to-source", "--no-color",
			"--variable", "CI_PAGES_URL=" + server.URL,
		}
		for _, v := range variables {
			args = append(args, "--variable", v)
		}
		return s.tryRun("node", args...)
	}
	const job = ".gitlab-ci-local/builds/"
	if o := pipeline(); o.code != 0 || !strings.Contains(o.stderr, "json schema validated") || strings.Contains(o.stdout, "guard") {
		t.Fatalf("exit code %d\n%s%s", o.code, o.stdout, o.stderr)
	}
	checkContains(t, s.read(job+"pages/public/sitemap.xml"), "<loc>"+server.URL+"/team/</loc>", "<lastmod>")
	if err := os.CopyFS(live, os.DirFS(filepath.Join(s.dir, job, "pages/public"))); err != nil {
		t.Fatal(err)
	}
	const mergeRequest = "CI_PIPELINE_SOURCE=merge_request_event"
	if o := pipeline(mergeRequest); o.code != 0 || !strings.Contains(o.stdout, "PASS  guard") {
		t.Fatalf("exit code %d\n%s%s", o.code, o.stdout, o.stderr)
	}
	s.run("git", "rm", "-q", "content/team.md")
	s.commit()
	o := pipeline(mergeRequest)
	if o.code == 0 {
		t.Errorf("the pipeline succeeds with a lost page, want a failure\n%s", o.stdout)
	}
	checkContains(t, o.stdout, "FAIL  guard", "lost             "+server.URL+"/team/")
	var issues []struct {
		Check string `json:"check_name"`
	}
	if err := json.Unmarshal([]byte(s.read(job+"guard/codequality.json")), &issues); err != nil || len(issues) != 1 || issues[0].Check != "lost-url" {
		t.Errorf("the Code Quality report has %+v, %v, want one lost-url", issues, err)
	}
}

// A woodpeckerWorkflow has the keys of the recipe. They are described at
// https://woodpecker-ci.org/docs/usage/workflow-syntax.
type woodpeckerWorkflow struct {
	When  []woodpeckerWhen
	Clone map[string]struct {
		Image    string
		Settings map[string]int
	}
	Steps []struct {
		Name, Image string
		When        []woodpeckerWhen
		Commands    []string
	}
}

type woodpeckerWhen struct {
	Event, Branch woodpeckerList
}

// A woodpeckerList is a string or a list of strings.
type woodpeckerList []string

// UnmarshalYAML implements yaml.Unmarshaler.
func (l *woodpeckerList) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		*l = woodpeckerList{n.Value}
		return nil
	}
	return n.Decode((*[]string)(l))
}

// TestWoodpeckerRecipe runs the recipe as an agent of Woodpecker does: each step in one "sh -e", all
// steps in one folder. It checks that a pull request that loses a page fails.
func TestWoodpeckerRecipe(t *testing.T) {
	t.Parallel()
	s, w := newHugoSite(t), testsite.NewWeb(t)
	src, err := os.ReadFile(filepath.Join(root, "integrations/woodpecker/.woodpecker.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var flow woodpeckerWorkflow
	d := yaml.NewDecoder(bytes.NewReader(src))
	d.KnownFields(true)
	if err := d.Decode(&flow); err != nil {
		t.Fatal(err)
	}
	if depth, ok := flow.Clone["git"].Settings["depth"]; !ok || depth != 0 {
		t.Error("the clone is shallow, want depth 0")
	}
	live := t.TempDir()
	w.Sites["example.com"] = testsite.ServeFolder(live)
	s.env = append(s.env, w.Env()...)
	runSteps := func(event string) (o outcome) {
		for _, step := range flow.Steps {
			if step.Name == "" || step.Image == "" || len(step.Commands) == 0 {
				t.Fatalf("the step %+v lacks a name, an image or commands", step)
			}
			if step.When != nil && !slices.ContainsFunc(step.When, func(w woodpeckerWhen) bool { return slices.Contains(w.Event, event) }) {
				continue
			}
			if o = s.tryRun("sh", "-e", "-c", strings.Join(step.Commands, "\n")); o.code != 0 {
				break
			}
		}
		return o
	}
	if o := runSteps("push"); o.code != 0 {
		t.Fatalf("exit code %d, want 0\n%s%s", o.code, o.stdout, o.stderr)
	}
	checkContains(t, s.read("public/sitemap.xml"), "<loc>https://example.com/team/</loc>", "<lastmod>")
	if err := os.CopyFS(live, os.DirFS(filepath.Join(s.dir, "public"))); err != nil {
		t.Fatal(err)
	}
	if o := runSteps("pull_request"); o.code != 0 {
		t.Fatalf("exit code %d, want 0\n%s%s", o.code, o.stdout, o.stderr)
	}
	if err := os.RemoveAll(filepath.Join(s.dir, "public")); err != nil {
		t.Fatal(err)
	}
	s.run("git", "rm", "-q", "content/team.md")
	o := runSteps("pull_request")
	if o.code != 1 {
		t.Errorf("exit code %d, want 1 for a lost page\n%s%s", o.code, o.stdout, o.stderr)
	}
	checkContains(t, o.stdout+o.stderr, "lost             https://example.com/team/")
}

// TestArchiveWithChecksum runs the commands in docs/install.md that download the program and check
// its checksum. It checks that they reject a modified archive.
func TestArchiveWithChecksum(t *testing.T) {
	manual, err := os.ReadFile(filepath.Join(root, "docs/install.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(manual), "```sh\ncurl ")
	lines, _, found := strings.Cut("curl "+rest, "```")
	if !found {
		t.Fatal("docs/install.md has no block that begins with curl")
	}
	archive := "sitewalk_" + version + "_linux_amd64.tar.gz"
	for _, tampered := range []bool{false, true} {
		s, w := newSession(t), testsite.NewWeb(t)
		release := http.NewServeMux()
		release.Handle("/", http.FileServer(http.Dir(out)))
		if tampered {
			release.HandleFunc("/"+archive, func(rw http.ResponseWriter, _ *http.Request) { fmt.Fprint(rw, "another file") })
		}
		w.Sites["github.com"] = http.StripPrefix("/sitewalk/sitewalk/releases/download/v"+version, release)
		s.env = append(s.env, w.Env()...)
		o := s.tryRun("bash", "-e", "-c", lines)
		switch isInstalled := isExecutable(filepath.Join(s.dir, "sitewalk")); {
		case tampered:
			if o.code == 0 || isInstalled {
				t.Errorf("modified archive: exit code %d, installed: %t; want an error and no program\n%s", o.code, isInstalled, o.stderr)
			}
		case o.code != 0:
			t.Errorf("exit code %d\n%s%s", o.code, o.stdout, o.stderr)
		default:
			checkContains(t, s.run(filepath.Join(s.dir, "sitewalk"), "version"), "sitewalk "+version)
		}
	}
}
