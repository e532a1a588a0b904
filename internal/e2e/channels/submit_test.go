//go:build e2e && linux

package channels

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

const indexNowKey = "7e3f6e8bc47b4f2380ba54aab6088521"

// TestNetlifyTellsEngines deploys with a key: what changed is told after a
// deploy of production, once, and whatever comes of it fails none.
func TestNetlifyTellsEngines(t *testing.T) {
	t.Parallel()
	s := newNetlifySite(t)
	w := s.Web
	s.inputs(`indexnow_key = "` + indexNowKey + `"`)
	deploy := func(context, want string) outcome {
		t.Helper()
		o := s.build(context)
		if o.code != 0 {
			t.Errorf("exit code %d\n%s%s", o.code, o.stdout, o.stderr)
		}
		if got := strings.ReplaceAll(strings.Join(testsite.RequestedURLs(w.TakeRequests()), " "), "https://example.com", ""); got != want {
			t.Errorf("told %q, want %q\n%s%s", got, want, o.stdout, o.stderr)
		}
		return o
	}
	deploy("production", "")
	if got := s.read("dist/" + indexNowKey + ".txt"); got != indexNowKey {
		t.Errorf("the key's file holds %q", got)
	}

	// A preview tells nobody, and the next deploy of production does.
	s.remove("team")
	s.write(source("new"), "<title>New</title><main>New</main>")
	s.write(source("about"), "<title>about</title><main>Another text</main>")
	deploy("deploy-preview", "")
	deploy("production", "/about/ /new/ /team/")
	deploy("production", "")

	// An engine that has too much to do hears of it after the next deploy.
	s.write(source("posts/two"), "<title>posts/two</title><main>Another text, too</main>")
	w.Status = func(int) int { return http.StatusForbidden }
	refused := deploy("production", "")
	contains(t, refused.stdout+refused.stderr, "api.indexnow.org refuses 1 URL of example.com: it answers 403")
	w.Status = nil
	s.write(source("posts/one"), "<title>posts/one</title><main>A third text</main>")
	deploy("production", "/posts/one/ /posts/two/")

	// A site without the key's file is published all the same.
	files := w.Sites["example.com"]
	w.Sites["example.com"] = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".txt") {
			http.NotFound(rw, r)
			return
		}
		files.ServeHTTP(rw, r)
	})
	s.write(source("later"), "<title>Later</title><main>Later</main>")
	keyless := deploy("production", "")
	contains(t, keyless.stdout+keyless.stderr, indexNowKey+".txt must hold the key: it answers 404")
}

// An example is a workflow of integrations/github/examples with one job.
type example struct {
	*session
	*testsite.Web
	env   []string
	steps []exampleStep
	live  string
}

type exampleStep struct {
	ID, Uses, Run, If string
	With              map[string]string
	Continues         bool `yaml:"continue-on-error"`
}

func newExample(t *testing.T, name string) *example {
	src, err := os.ReadFile(filepath.Join(root, "integrations/github/examples", name))
	var flow struct {
		Jobs map[string]struct {
			Env   map[string]string
			Steps []exampleStep
		}
	}
	if err == nil {
		err = yaml.Unmarshal(src, &flow)
	}
	if err != nil || len(flow.Jobs) != 1 {
		t.Fatalf("%v: %d jobs", err, len(flow.Jobs))
	}
	e := &example{session: newSession(t), Web: testsite.NewWeb(t), live: t.TempDir()}
	e.Sites["example.com"] = testsite.ServeFolder(e.live)
	for _, job := range flow.Jobs {
		for name, value := range job.Env {
			e.env = append(e.env, name+"="+value)
		}
		e.steps = job.Steps
	}
	e.write("sitemap.yaml", "output: {indexnow: "+indexNowKey+"}\nledger: ledger\n")
	return e
}

// deploy runs the steps in order, as a runner does, with the program as the
// action installs it; what builds the site is replaced by building.
func (e *example) deploy(publish string, building string) (log string) {
	e.t.Helper()
	runner := *e.session
	runner.env = append(append([]string{strings.Replace(e.session.env[0], "PATH=", "PATH="+filepath.Dir(self)+":", 1)}, e.session.env[1:]...), e.env...)
	runner.env = append(runner.env, e.Env()...)
	runner.env = append(runner.env, "GITHUB_ACTIONS=true", "GITHUB_EVENT_NAME=push")
	outcome := map[string]string{}
	for _, step := range e.steps {
		run := strings.ReplaceAll(step.Run, "npx --yes sitewalk@0.1 ", "sitewalk ")
		switch {
		case step.If != "" && !strings.Contains(step.If, "== 'success'"):
			e.t.Fatalf("a step runs if %s", step.If)
		case step.If != "" && outcome[strings.Split(step.If, ".")[1]] != "success":
			continue
		case strings.HasPrefix(step.Uses, "sitewalk/action@"):
			run = "sitewalk build --report github"
		case strings.HasPrefix(step.Uses, "actions/deploy-pages@"):
			e.publish(publish)
		case strings.Contains(run, "hugo.deb"): // TestBuildCommands has Hugo at hand
			continue
		case run == "hugo":
			run = building
		}
		if run == "" {
			continue
		}
		o := runner.try("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", run)
		log += o.stdout + o.stderr
		outcome[step.ID] = map[bool]string{true: "success", false: "failure"}[o.code == 0]
		if o.code != 0 && !step.Continues {
			e.t.Errorf("%s: exit code %d\n%s", run, o.code, log)
		}
	}
	return log
}

// publish makes live what was built.
func (e *example) publish(from string) {
	e.t.Helper()
	err := os.RemoveAll(e.live)
	if err == nil {
		err = os.CopyFS(e.live, os.DirFS(filepath.Join(e.dir, from)))
	}
	if err != nil {
		e.t.Fatal(err)
	}
}

// TestExamplesTellEngines runs the examples that tell search engines after a
// deployment: of GitHub Pages, and of a host that deploys by itself.
func TestExamplesTellEngines(t *testing.T) {
	for name, publish := range map[string]string{"submit.yml": "public", "submit-deployed.yml": "dist"} {
		t.Run(name, func(t *testing.T) {
			e := newExample(t, name)
			deploy := func(want string) {
				t.Helper()
				building := "rm -rf " + publish + " && cp -r src " + publish
				if publish == "dist" { // the host did it
					e.do("bash", "-c", building)
					e.do(self, "-q", publish, "-b", "https://example.com/")
					e.publish(publish)
				}
				log := e.deploy(publish, building)
				if got := strings.ReplaceAll(strings.Join(testsite.RequestedURLs(e.TakeRequests()), " "), "https://example.com", ""); got != want {
					t.Errorf("told %q, want %q\n%s", got, want, log)
				}
			}
			write := func(page, day, text string) {
				e.write(source(page), `<title>Page</title><meta property="article:modified_time" content="`+day+`"><main>`+text+`</main>`)
			}
			for _, page := range []string{"", "about", "team"} {
				write(page, "2025-01-02", "The page "+page)
			}
			deploy("") // nothing to compare with
			deploy("")
			write("about", "2025-03-04", "Another text")
			write("new", "2025-03-05", "A new page")
			if err := os.RemoveAll(filepath.Join(e.dir, "src/team")); err != nil {
				t.Fatal(err)
			}
			deploy("/about/ /new/ /team/")
			deploy("")
		})
	}
}
