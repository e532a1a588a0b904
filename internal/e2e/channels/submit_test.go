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

// TestNetlifySubmits runs Netlify builds with an IndexNow key. It checks that the plugin submits each
// changed URL once after a production deploy, and that a refused submission does not fail the build.
func TestNetlifySubmits(t *testing.T) {
	t.Parallel()
	s := newNetlifySite(t)
	w := s.Web
	s.writeConfig(`indexnow_key = "` + indexNowKey + `"`)
	deploy := func(context, want string) outcome {
		t.Helper()
		o := s.build(context)
		if o.code != 0 {
			t.Errorf("exit code %d, want 0\n%s%s", o.code, o.stdout, o.stderr)
		}
		if got := strings.ReplaceAll(strings.Join(testsite.RequestedURLs(w.TakeRequests()), " "), "https://example.com", ""); got != want {
			t.Errorf("submitted %q, want %q\n%s%s", got, want, o.stdout, o.stderr)
		}
		return o
	}
	deploy("production", "")
	if got := s.read("dist/" + indexNowKey + ".txt"); got != indexNowKey {
		t.Errorf("the key file contains %q, want %q", got, indexNowKey)
	}

	// A preview submits nothing. The next production deploy does.
	s.remove("team")
	s.write(sourceFile("new"), "<title>New</title><main>New</main>")
	s.write(sourceFile("about"), "<title>about</title><main>Another text</main>")
	deploy("deploy-preview", "")
	deploy("production", "/about/ /new/ /team/")
	deploy("production", "")

	// The next deploy submits a refused URL again.
	s.write(sourceFile("posts/two"), "<title>posts/two</title><main>Another text, too</main>")
	w.Status = func(int) int { return http.StatusForbidden }
	refused := deploy("production", "")
	checkContains(t, refused.stdout+refused.stderr, "api.indexnow.org refuses 1 URL of example.com: it answers 403")
	w.Status = nil
	s.write(sourceFile("posts/one"), "<title>posts/one</title><main>A third text</main>")
	deploy("production", "/posts/one/ /posts/two/")

	// A missing key file does not fail the deploy.
	files := w.Sites["example.com"]
	w.Sites["example.com"] = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".txt") {
			http.NotFound(rw, r)
			return
		}
		files.ServeHTTP(rw, r)
	})
	s.write(sourceFile("later"), "<title>Later</title><main>Later</main>")
	keyless := deploy("production", "")
	checkContains(t, keyless.stdout+keyless.stderr, indexNowKey+".txt must contain the key: it answers 404")
}

// An example is a workflow in integrations/github/examples with one job.
type example struct {
	*session
	*testsite.Web
	env   []string // environment of the job
	steps []exampleStep
	live  string // folder of the live site
}

type exampleStep struct {
	ID, Uses, Run, If string
	With              map[string]string
	ContinueOnError   bool `yaml:"continue-on-error"`
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
		t.Fatalf("%s: %v, %d jobs, want 1", name, err, len(flow.Jobs))
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

// deploy runs the steps in order, as a runner does. It replaces the action with its command, and the
// step that runs Hugo with buildCommand.
func (e *example) deploy(publish string, buildCommand string) (log string) {
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
			e.t.Fatalf("the test does not support the condition %s", step.If)
		case step.If != "" && outcome[strings.Split(step.If, ".")[1]] != "success":
			continue
		case strings.HasPrefix(step.Uses, "sitewalk/action@"):
			run = "sitewalk build --report github"
		case strings.HasPrefix(step.Uses, "actions/deploy-pages@"):
			e.publish(publish)
		case strings.Contains(run, "hugo.deb"): // the test does not need Hugo
			continue
		case run == "hugo":
			run = buildCommand
		}
		if run == "" {
			continue
		}
		o := runner.tryRun("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", run)
		log += o.stdout + o.stderr
		outcome[step.ID] = map[bool]string{true: "success", false: "failure"}[o.code == 0]
		if o.code != 0 && !step.ContinueOnError {
			e.t.Errorf("%s: exit code %d\n%s", run, o.code, log)
		}
	}
	return log
}

// publish replaces the live site with the built site.
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

// TestSubmitExamples runs the example workflows for submissions: after a deploy to GitHub Pages, and
// after a deploy by the host. It checks that they submit each changed URL once.
func TestSubmitExamples(t *testing.T) {
	for name, publish := range map[string]string{"submit.yml": "public", "submit-deployed.yml": "dist"} {
		t.Run(name, func(t *testing.T) {
			e := newExample(t, name)
			deploy := func(want string) {
				t.Helper()
				buildCommand := "rm -rf " + publish + " && cp -r src " + publish
				if publish == "dist" { // the host has built and deployed the site
					e.run("bash", "-c", buildCommand)
					e.run(self, "-q", publish, "-b", "https://example.com/")
					e.publish(publish)
				}
				log := e.deploy(publish, buildCommand)
				if got := strings.ReplaceAll(strings.Join(testsite.RequestedURLs(e.TakeRequests()), " "), "https://example.com", ""); got != want {
					t.Errorf("submitted %q, want %q\n%s", got, want, log)
				}
			}
			write := func(page, day, text string) {
				e.write(sourceFile(page), `<title>Page</title><meta property="article:modified_time" content="`+day+`"><main>`+text+`</main>`)
			}
			for _, page := range []string{"", "about", "team"} {
				write(page, "2025-01-02", "The page "+page)
			}
			deploy("") // there is no list to compare with
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
