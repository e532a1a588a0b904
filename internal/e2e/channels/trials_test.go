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

// A trial follows one page of docs/start, first on the machine of a user and then on that of a host.
// The scripts in testdata/trials have these commands:
//
//	page NAME        write the files of a page
//	[!] home [bare|python] TEXT
//	                 run the shell block of the page that contains TEXT, on the user's machine
//	[!] deploy HOST  build the project as the host does, and serve its publish directory
//	remove FILE      remove a file from the project
//
// home and deploy write their output to the file ../output.
type trial struct {
	t       *testing.T
	files   map[string]string // files of the page by name
	blocks  []string          // shell blocks of the page
	project string            // folder
	live    string            // folder of the live site
	modules string            // folder of the npm packages
	home    *session          // on the user's machine, without a PATH
	runner  *job              // of GitHub, if the trial uses it
}

// The programs of all machines, and the additional programs of each machine.
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

// TestTrials runs the scripts in testdata/trials.
func TestTrials(t *testing.T) {
	registry := newRegistry(t)
	scripts, err := filepath.Glob("testdata/trials/*.txtar")
	if err != nil || len(scripts) < 10 {
		t.Fatalf("testdata/trials has %d scripts, want at least 10 (%v)", len(scripts), err)
	}
	for _, script := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(script), ".txtar"), func(t *testing.T) {
			t.Parallel()
			runTrial(t, registry, script)
		})
	}
}

// runTrial runs one script with the package registry and the releases of the test.
func runTrial(t *testing.T, registry, script string) {
	tr := &trial{t: t, files: map[string]string{}, live: t.TempDir(), modules: filepath.Dir(toolPath(t, "astro"))}
	w := testsite.NewWeb(t)
	w.Sites["example.internal"] = testsite.ServeFolder(tr.live)
	w.Sites["lake.github.io"] = http.StripPrefix("/site", testsite.ServeFolder(tr.live))
	releases := http.NewServeMux()
	releases.Handle("/sitewalk/sitewalk/releases/download/v"+version+"/", http.StripPrefix("/sitewalk/sitewalk/releases/download/v"+version, http.FileServer(http.Dir(out))))
	releases.HandleFunc("/gohugoio/hugo/releases/download/", tr.serveHugo)
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
			tr.linkPackages("astro", "@11ty/eleventy", "vitepress")
			git := tr.newMachine("home")
			git.run("git", "init", "-q", "-b", "main", ".")
			git.run("git", "config", "user.name", "x")
			git.run("git", "config", "user.email", "x@example.internal")
			git.run("git", "remote", "add", "origin", "https://github.com/lake/site.git")
			git.commit()
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"page": tr.readPage,
			"home": func(ts *testscript.TestScript, neg bool, args []string) {
				machine := "home"
				if args[0] == "bare" || args[0] == "python" {
					machine, args = args[0], args[1:]
				}
				s := tr.newMachine(machine)
				if machine == "python" {
					s = tr.withPython(s)
				}
				o := s.tryRun("bash", "-e", "-c", tr.findBlock(strings.Join(args, " ")))
				tr.writeOutput(ts, neg, o.code, o.stdout+o.stderr)
			},
			"deploy": tr.deploy,
			"remove": func(_ *testscript.TestScript, _ bool, args []string) {
				tr.newMachine("home").run("git", append([]string{"rm", "-qf"}, args...)...)
				tr.newMachine("home").commit()
			},
		},
	})
}

// linkPackages links npm packages into a project with a package.json, as if they were installed.
func (tr *trial) linkPackages(packages ...string) {
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

// writeOutput writes the output of a command to ../output. It checks that the command fails only if
// neg is true.
func (tr *trial) writeOutput(ts *testscript.TestScript, neg bool, code int, text string) {
	ts.Check(os.WriteFile(ts.MkAbs("../output"), []byte(text), 0o644))
	if (code != 0) != neg {
		ts.Fatalf("exit code %d\n%s", code, text)
	}
	ts.Logf("%s", text)
}

// newMachine returns a session whose PATH has only the programs of a machine.
func (tr *trial) newMachine(machine string) *session {
	s, bin := *tr.home, tr.t.TempDir()
	all := newToolSession(tr.t)
	for _, name := range append(strings.Fields(machines[machine]), programs...) {
		real, err := filepath.EvalSymlinks(all.lookPath(name))
		switch {
		case name == "pip": // a fake, because the packages are installed already
			err = os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"), 0o755)
		case err == nil:
			err = os.Symlink(real, filepath.Join(bin, name))
		}
		if err != nil {
			tr.t.Fatal(err)
		}
	}
	s.env = append([]string{"PATH=" + bin}, s.env...)
	return &s
}

// newToolSession returns a session whose PATH has all programs of the tests.
func newToolSession(t *testing.T) *session {
	s := newSession(t)
	s.env[0] += ":" + filepath.Join(os.Getenv("SITEWALK_TOOLS"), "bin") + ":" + filepath.Join(filepath.Dir(toolPath(t, "astro")), ".bin")
	return s
}

// codeBlock matches the paragraph before a code block, its language and its text.
var codeBlock = regexp.MustCompile("(?s)((?:[^\n]+\n)+)\n```([a-z]*)\n(.*?)\n```")

// fileOfBlock matches the end of a paragraph that names the file for the next code block.
var fileOfBlock = regexp.MustCompile("(?:into|[Aa]dd this to)\\s+`([^`]+)`[^`]*:\n$")

// readPage reads a page of docs/start and writes its files into the project.
func (tr *trial) readPage(ts *testscript.TestScript, _ bool, args []string) {
	src, err := os.ReadFile(filepath.Join(root, "docs/start", args[0]))
	ts.Check(err)
	for _, b := range codeBlock.FindAllStringSubmatch(withTestDomain(string(src)), -1) {
		switch file := fileOfBlock.FindStringSubmatch(b[1]); {
		case file != nil:
			tr.home.write(file[1], b[3]+"\n")
			tr.files[file[1]] = b[3]
		case b[2] == "sh":
			tr.blocks = append(tr.blocks, b[3])
		default:
			ts.Fatalf("%s names no file for the block\n%s", args[0], b[3])
		}
	}
	tr.newMachine("home").commit()
}

// findBlock returns the first shell block that contains a text. It replaces the placeholder of the
// server with the folder of the live site.
func (tr *trial) findBlock(text string) string {
	for _, b := range tr.blocks {
		if strings.Contains(b, text) {
			return strings.ReplaceAll(b, `"$SERVER"`, tr.live+"/")
		}
	}
	tr.t.Fatalf("the page has no block with %q", text)
	return ""
}

// deploy builds the project as a host does, and replaces the live site with the result.
func (tr *trial) deploy(ts *testscript.TestScript, neg bool, args []string) {
	s, publish := tr.newMachine(args[0]), ""
	s.env = append(s.env, "CI=true")
	var o outcome
	switch args[0] {
	case "netlify":
		var toml struct{ Build struct{ Publish string } }
		ts.Check(yaml.Unmarshal([]byte("build: {publish: "+cmp.Or(between(tr.files["netlify.toml"], `publish = "`, `"`), "public")+"}"), &toml))
		publish = toml.Build.Publish
		s.env = append(s.env, "NETLIFY=true", "URL=https://example.internal")
		o = s.tryRun("node", toolPath(tr.t, "@netlify/build/bin.js"), "--offline", "--cwd", tr.project, "--node-path", s.lookPath("node"), "--telemetry=false", "--context", "production")
	case "vercel":
		publish = ".vercel/output/static"
		s.write(".vercel/project.json", `{"projectId": "prj_x", "orgId": "team_x", "settings": {"framework": null, "installCommand": "", "nodeVersion": "22.x"}}`)
		s.env = append(s.env, "VERCEL=1", "VERCEL_ENV=production")
		o = s.tryRun("node", toolPath(tr.t, "vercel/dist/vc.js"), "build", "--yes", "--prod")
	case "cloudflare":
		publish = args[1]
		s.env = append(s.env, "CF_PAGES=1", "CF_PAGES_BRANCH=main")
		o = s.tryRun("sh", "-c", tr.findBlock(" && "))
	case "github":
		publish, o = tr.runWorkflow(s)
	case "readthedocs":
		publish, o = tr.buildOnReadTheDocs(s, cmp.Or(strings.Join(args[1:], ""), "branch"))
	default:
		ts.Fatalf("unknown host %s", args[0])
	}
	tr.writeOutput(ts, neg, o.code, o.stdout+o.stderr)
	if o.code == 0 {
		ts.Check(os.RemoveAll(tr.live))
		ts.Check(os.CopyFS(tr.live, os.DirFS(filepath.Join(tr.project, publish))))
	}
}

// between returns the text between the first begin and the next end.
func between(text, begin, end string) string {
	_, rest, _ := strings.Cut(text, begin)
	found, _, _ := strings.Cut(rest, end)
	return found
}

// runWorkflow runs the workflow of the page in a new clone, as GitHub does. It returns the publish
// directory relative to the project.
func (tr *trial) runWorkflow(s *session) (publish string, o outcome) {
	clone := filepath.Join(tr.t.TempDir(), "work")
	s.run("git", "clone", "-q", tr.project, clone)
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
	expand := func(text string) string {
		return strings.ReplaceAll(text, "${{ steps.pages.outputs.base_url }}", baseURL)
	}
	for _, st := range flow.Jobs["publish"].Steps {
		name, _, _ := strings.Cut(st.Uses, "@")
		for k, v := range st.With {
			st.With[k] = expand(v)
		}
		var result outcome
		switch name {
		case "":
			step := *s
			step.env = append(step.env, "RUNNER_TEMP="+temp, "GITHUB_PATH="+filepath.Join(temp, "path"))
			for k, v := range st.Env {
				step.env = append(step.env, k+"="+expand(v))
			}
			result = step.tryRun("bash", "-e", "-c", st.Run)
			if added, err := os.ReadFile(filepath.Join(temp, "path")); err == nil {
				s.env[0] = "PATH=" + strings.TrimSpace(string(added)) + ":" + strings.TrimPrefix(s.env[0], "PATH=")
				_ = os.Remove(filepath.Join(temp, "path"))
			}
		case "sitewalk/action":
			d := tr.runner.runAction(st.With)
			result = outcome{stdout: d.log, code: d.code}
		case "actions/jekyll-build-pages": // runs as root in a container
			if _, err := os.Stat(filepath.Join(s.dir, "_site")); err != nil {
				tr.t.Error("_site does not exist, so root would own it and later steps could not write there")
			}
			result = newToolSession(tr.t).in(s.dir).tryRun("jekyll", "build", "--quiet", "--baseurl", "/site", "--destination", "_site")
		case "actions/upload-pages-artifact":
			publish = filepath.Join(s.dir, cmp.Or(st.With["path"], "_site"))
			rel, err := filepath.Rel(tr.project, publish)
			if err != nil {
				tr.t.Fatal(err)
			}
			publish = rel
		case "actions/checkout", "actions/configure-pages", "actions/deploy-pages":
		default:
			tr.t.Fatalf("the test does not support the action %s", st.Uses)
		}
		o.stdout += result.stdout + result.stderr
		if o.code = result.code; o.code != 0 {
			break
		}
	}
	return publish, o
}

// in returns a copy of the session in another folder.
func (s *session) in(dir string) *session {
	other := *s
	other.dir = dir
	return &other
}

// serveHugo serves the archive of Hugo that a workflow downloads.
func (tr *trial) serveHugo(w http.ResponseWriter, _ *http.Request) {
	s := newToolSession(tr.t)
	w.Header().Set("Content-Type", "application/gzip")
	_, _ = w.Write([]byte(s.run("tar", "-czf", "-", "-C", filepath.Dir(s.lookPath("hugo")), "hugo")))
}
