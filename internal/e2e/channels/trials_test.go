//go:build e2e && linux

package channels

import (
	"cmp"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"gopkg.in/yaml.v3"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// A trial is the first ten minutes of somebody who follows one page of docs/start, on
// machines that have nothing of sitewalk. The scripts in testdata/trials are written with
//
//	page NAME        writes the files that the page says to write
//	[!] home [bare|python] TEXT
//	                 types the lines of the page's block that holds TEXT, at home
//	[!] deploy HOST  has the host build the project, and serves what it publishes
//	lose FILE        takes a file out of the project, and what was built of it
//
// and find what was said in the file said.
type trial struct {
	t       *testing.T
	files   map[string]string // of the page, by name
	blocks  []string          // of the page, for a shell
	project string
	live    string // the folder that is served
	modules string // of Node
	home    *session
	runner  *job
}

// What machines have: everywhere, and each for its own.
var (
	programs = strings.Fields("sh bash env git uname mkdir cp rm mv cat ls sed grep sort head tail chmod ln dirname basename mktemp tar gzip sha256sum cksum curl tr cut date id sleep expr touch rsync ssh")
	machines = map[string]string{
		"home":        "node npm npx hugo jekyll mkdocs",
		"bare":        "",
		"netlify":     "node npm npx hugo",
		"vercel":      "node npm npx hugo",
		"cloudflare":  "node npm npx hugo",
		"python":      "sphinx-build",
		"readthedocs": "",
		"github":      "node npm npx pip mkdocs",
	}
)

func TestTrials(t *testing.T) {
	registry := newRegistry(t)
	scripts, err := filepath.Glob("testdata/trials/*.txtar")
	if err != nil || len(scripts) < 10 {
		t.Fatalf("there are %d trials (%v)", len(scripts), err)
	}
	for _, script := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(script), ".txtar"), func(t *testing.T) {
			t.Parallel()
			try(t, registry, script)
		})
	}
}

func try(t *testing.T, registry, script string) {
	tr := &trial{t: t, files: map[string]string{}, live: t.TempDir(), modules: filepath.Dir(tools(t, "astro"))}
	w := testsite.NewWeb(t)
	w.Sites["example.internal"] = testsite.ServeFolder(tr.live)
	w.Sites["lake.github.io"] = http.StripPrefix("/site", testsite.ServeFolder(tr.live))
	releases := http.NewServeMux()
	releases.Handle("/sitewalk/sitewalk/releases/download/v"+version+"/", http.StripPrefix("/sitewalk/sitewalk/releases/download/v"+version, http.FileServer(http.Dir(out))))
	releases.HandleFunc("/gohugoio/hugo/releases/download/", tr.hugo)
	w.Sites["github.com"] = releases
	testscript.Run(t, testscript.Params{
		Files: []string{script},
		Setup: func(e *testscript.Env) error {
			tr.project = filepath.Join(e.WorkDir, "site")
			e.Cd = tr.project
			e.Setenv("HOME", t.TempDir())
			tr.home = &session{t: t, dir: tr.project, env: append(w.Env(), "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1",
				"HOME="+t.TempDir(), "TMPDIR="+t.TempDir(), "LANG=C.UTF-8", "npm_config_registry="+registry, "npm_config_update_notifier=false",
				"ASTRO_TELEMETRY_DISABLED=1", "DO_NOT_TRACK=1", "GIT_CONFIG_NOSYSTEM=1", "NODE_COMPILE_CACHE="+os.Getenv("NODE_COMPILE_CACHE"))}
			tr.install("astro", "@11ty/eleventy", "vitepress")
			git := tr.on("home")
			git.do("git", "init", "-q", "-b", "main", ".")
			git.do("git", "config", "user.name", "x")
			git.do("git", "config", "user.email", "x@example.internal")
			git.do("git", "remote", "add", "origin", "https://github.com/lake/site.git")
			git.commit()
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"page": tr.page,
			"home": func(ts *testscript.TestScript, neg bool, args []string) {
				machine := "home"
				if args[0] == "bare" || args[0] == "python" {
					machine, args = args[0], args[1:]
				}
				s := tr.on(machine)
				if machine == "python" {
					s = tr.withPython(s)
				}
				o := s.try("bash", "-e", "-c", tr.block(strings.Join(args, " ")))
				tr.said(ts, neg, o.code, o.stdout+o.stderr)
			},
			"deploy": tr.deploy,
			"lose": func(_ *testscript.TestScript, _ bool, args []string) {
				tr.on("home").do("git", append([]string{"rm", "-qf"}, args...)...)
				tr.on("home").commit()
			},
		},
	})
}

// install puts generators into a project of npm's, as its package.json would have it.
func (tr *trial) install(packages ...string) {
	modules := filepath.Join(tr.project, "node_modules")
	if _, err := os.Stat(filepath.Join(tr.project, "package.json")); err != nil {
		return
	}
	for _, name := range packages {
		for _, dir := range []string{name, filepath.Join(".bin", filepath.Base(name))} {
			err := os.MkdirAll(filepath.Dir(filepath.Join(modules, dir)), 0o755)
			if err == nil {
				err = os.Symlink(filepath.Join(tr.modules, dir), filepath.Join(modules, dir))
			}
			if err != nil {
				tr.t.Fatal(err)
			}
		}
	}
}

// said keeps what was said, and holds whether it went well.
func (tr *trial) said(ts *testscript.TestScript, neg bool, code int, text string) {
	ts.Check(os.WriteFile(ts.MkAbs("../said"), []byte(text), 0o644))
	if (code != 0) != neg {
		ts.Fatalf("exit code %d\n%s", code, text)
	}
	ts.Logf("%s", text)
}

// on is a session on a machine, which has its own programs and a shell's.
func (tr *trial) on(machine string) *session {
	s, have := *tr.home, tr.t.TempDir()
	all := newHugoTools(tr.t)
	for _, name := range append(strings.Fields(machines[machine]), programs...) {
		real, err := filepath.EvalSymlinks(all.look(name))
		switch {
		case name == "pip": // what a build installs by it is there already
			err = os.WriteFile(filepath.Join(have, name), []byte("#!/bin/sh\n"), 0o755)
		case err == nil:
			err = os.Symlink(real, filepath.Join(have, name))
		}
		if err != nil {
			tr.t.Fatal(err)
		}
	}
	s.env = append([]string{"PATH=" + have}, s.env...)
	return &s
}

// newHugoTools is a session that finds every program of the suite.
func newHugoTools(t *testing.T) *session {
	s := newSession(t)
	s.env[0] += ":" + filepath.Join(os.Getenv("SITEWALK_TOOLS"), "bin") + ":" + filepath.Join(filepath.Dir(tools(t, "astro")), ".bin")
	return s
}

// block is a block of a page: what a sentence before it says that it is, and the text.
var block = regexp.MustCompile("(?s)((?:[^\n]+\n)+)\n```([a-z]*)\n(.*?)\n```")

// named is the file that a sentence before a block names.
var named = regexp.MustCompile("(?:into|[Aa]dd this to)\\s+`([^`]+)`[^`]*:\n$")

// page reads a page of the manual.
func (tr *trial) page(ts *testscript.TestScript, _ bool, args []string) {
	src, err := os.ReadFile(filepath.Join(root, "docs/start", args[0]))
	ts.Check(err)
	for _, b := range block.FindAllStringSubmatch(withOwnAddress(string(src)), -1) {
		switch file := named.FindStringSubmatch(b[1]); {
		case file != nil:
			tr.home.write(file[1], b[3]+"\n")
			tr.files[file[1]] = b[3]
		case b[2] == "sh":
			tr.blocks = append(tr.blocks, b[3])
		default:
			ts.Fatalf("%s: this page does not say what to do with\n%s", args[0], b[3])
		}
	}
	tr.on("home").commit()
}

// block returns the block that holds a text, as somebody types it who has read it.
func (tr *trial) block(text string) string {
	for _, b := range tr.blocks {
		if strings.Contains(b, text) {
			return strings.ReplaceAll(b, `"$SERVER"`, tr.live+"/")
		}
	}
	tr.t.Fatalf("the page has no block with %q", text)
	return ""
}

// deploy builds the project as a host does it, and serves what it publishes.
func (tr *trial) deploy(ts *testscript.TestScript, neg bool, args []string) {
	s, publish := tr.on(args[0]), ""
	s.env = append(s.env, "CI=true")
	var o outcome
	switch args[0] {
	case "netlify":
		var toml struct{ Build struct{ Publish string } }
		ts.Check(yaml.Unmarshal([]byte("build: {publish: "+cmp.Or(between(tr.files["netlify.toml"], `publish = "`, `"`), "public")+"}"), &toml))
		publish = toml.Build.Publish
		s.env = append(s.env, "NETLIFY=true", "URL=https://example.internal")
		o = s.try("node", tools(tr.t, "@netlify/build/bin.js"), "--offline", "--cwd", tr.project, "--node-path", s.look("node"), "--telemetry=false", "--context", "production")
	case "vercel":
		publish = ".vercel/output/static"
		s.write(".vercel/project.json", `{"projectId": "prj_x", "orgId": "team_x", "settings": {"framework": null, "installCommand": "", "nodeVersion": "22.x"}}`)
		s.env = append(s.env, "VERCEL=1", "VERCEL_ENV=production")
		o = s.try("node", tools(tr.t, "vercel/dist/vc.js"), "build", "--yes", "--prod")
	case "cloudflare":
		publish = args[1]
		s.env = append(s.env, "CF_PAGES=1", "CF_PAGES_BRANCH=main")
		o = s.try("sh", "-c", tr.block(" && "))
	case "github":
		publish, o = tr.workflow(s)
	case "readthedocs":
		publish, o = tr.readTheDocs(s, cmp.Or(strings.Join(args[1:], ""), "branch"))
	default:
		ts.Fatalf("no host %s", args[0])
	}
	tr.said(ts, neg, o.code, o.stdout+o.stderr)
	if o.code == 0 {
		ts.Check(os.RemoveAll(tr.live))
		ts.Check(os.CopyFS(tr.live, os.DirFS(filepath.Join(tr.project, publish))))
	}
}

func between(text, begin, end string) string {
	_, rest, _ := strings.Cut(text, begin)
	found, _, _ := strings.Cut(rest, end)
	return found
}

// workflow runs the page's workflow on a fresh clone, as GitHub does, and returns the
// folder that it publishes.
func (tr *trial) workflow(s *session) (publish string, o outcome) {
	clone := filepath.Join(tr.t.TempDir(), "work")
	s.do("git", "clone", "-q", tr.project, clone)
	s.dir = clone
	if tr.runner == nil {
		tr.runner = newRunner(s)
	}
	tr.runner.session = s
	var flow struct {
		Jobs map[string]struct{ Steps []step }
	}
	if err := yaml.Unmarshal([]byte(tr.files[".github/workflows/pages.yml"]), &flow); err != nil {
		tr.t.Fatal(err)
	}
	temp := tr.t.TempDir()
	const baseURL = "https://lake.github.io/site"
	fill := func(text string) string {
		return strings.ReplaceAll(text, "${{ steps.pages.outputs.base_url }}", baseURL)
	}
	for _, st := range flow.Jobs["publish"].Steps {
		name, _, _ := strings.Cut(st.Uses, "@")
		for k, v := range st.With {
			st.With[k] = fill(v)
		}
		var did outcome
		switch name {
		case "":
			step := *s
			step.env = append(step.env, "RUNNER_TEMP="+temp, "GITHUB_PATH="+filepath.Join(temp, "path"))
			for k, v := range st.Env {
				step.env = append(step.env, k+"="+fill(v))
			}
			did = step.try("bash", "-e", "-c", st.Run)
			if added, err := os.ReadFile(filepath.Join(temp, "path")); err == nil {
				s.env[0] = "PATH=" + strings.TrimSpace(string(added)) + ":" + strings.TrimPrefix(s.env[0], "PATH=")
				_ = os.Remove(filepath.Join(temp, "path"))
			}
		case "sitewalk/action":
			d := tr.runner.run(st.With)
			did = outcome{stdout: d.log, code: d.code}
		case "actions/jekyll-build-pages": // as root, in a container: what it makes is root's
			if _, err := os.Stat(filepath.Join(s.dir, "_site")); err != nil {
				tr.t.Error("_site would be root's")
			}
			did = newHugoTools(tr.t).in(s.dir).try("jekyll", "build", "--quiet", "--baseurl", "/site", "--destination", "_site")
		case "actions/upload-pages-artifact":
			publish = filepath.Join(s.dir, cmp.Or(st.With["path"], "_site"))
			rel, err := filepath.Rel(tr.project, publish)
			if err != nil {
				tr.t.Fatal(err)
			}
			publish = rel
		case "actions/checkout", "actions/configure-pages", "actions/deploy-pages":
		default:
			tr.t.Fatalf("the page uses %s", st.Uses)
		}
		o.stdout += did.stdout + did.stderr
		if o.code = did.code; o.code != 0 {
			break
		}
	}
	return publish, o
}

func (s *session) in(dir string) *session {
	other := *s
	other.dir = dir
	return &other
}

// hugo is the release of Hugo that a workflow fetches.
func (tr *trial) hugo(w http.ResponseWriter, _ *http.Request) {
	s := newHugoTools(tr.t)
	w.Header().Set("Content-Type", "application/gzip")
	_, _ = w.Write([]byte(s.do("tar", "-czf", "-", "-C", filepath.Dir(s.look("hugo")), "hugo")))
}
