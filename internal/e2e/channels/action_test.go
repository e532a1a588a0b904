//go:build e2e && linux

package channels

import (
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// An action is the content of action.yml.
type action struct {
	Inputs map[string]struct {
		Default     string
		Description string
	}
	Outputs map[string]struct{ Value string }
	Runs    struct {
		Using string
		Steps []step
	}
}

type step struct {
	ID, Uses, Shell, Run, If string
	Env, With                map[string]string
}

// A job runs the steps of the action in order, as a runner of GitHub does.
type job struct {
	*session
	action    action
	dir       string           // folder of the action
	releases  *httptest.Server // serves the release archives
	downloads int              // requests for archives
	runs      int
	cache     map[string]string // folders of actions/cache by key
}

// newJob returns a job in the folder of a built site with two pages.
func newJob(t *testing.T) *job {
	t.Helper()
	j := newRunner(newSession(t))
	j.write("public/index.html", "<title>Home</title>")
	j.write("public/about/index.html", "<title>About</title>")
	return j
}

// newRunner returns a job with a copy of the action and the checksums of the release.
func newRunner(s *session) *job {
	t := s.t
	t.Helper()
	j := &job{session: s, dir: t.TempDir(), cache: map[string]string{}}
	if err := os.CopyFS(j.dir, os.DirFS(filepath.Join(root, "integrations/github"))); err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(out, "github/checksums.txt"))
	if err == nil {
		err = os.WriteFile(filepath.Join(j.dir, "checksums.txt"), sums, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	src, err := os.ReadFile(filepath.Join(j.dir, "action.yml"))
	if err == nil {
		err = yaml.Unmarshal(src, &j.action)
	}
	if err != nil || j.action.Runs.Using != "composite" {
		t.Fatalf("action.yml: %v, %+v, want a composite action", err, j.action)
	}
	files := http.StripPrefix("/v"+version+"/", http.FileServer(http.Dir(out)))
	j.releases = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		j.downloads++
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(j.releases.Close)
	return j
}

// An actionResult is the result of a run of the action.
type actionResult struct {
	code    int
	log     string
	outputs map[string]string
	summary string
}

// runAction runs the action with inputs and additional environment variables. Only the folder of the
// session and the cache remain from earlier runs.
func (j *job) runAction(inputs map[string]string, env ...string) actionResult {
	j.t.Helper()
	temp := j.t.TempDir()
	d := actionResult{outputs: map[string]string{}}
	path := ""
	j.runs++
	steps := map[string]map[string]string{} // outputs by step
	for n, s := range j.action.Runs.Steps {
		output, paths := filepath.Join(temp, fmt.Sprintf("output%d", n)), filepath.Join(temp, fmt.Sprintf("path%d", n))
		expand := func(text string) string { return j.expand(text, inputs, steps) }
		if s.If != "" && expand("${{ "+s.If+" }}") == "" {
			continue
		}
		if s.Uses != "" {
			j.useCache(s, expand)
			continue
		}
		system := *j.session
		system.env = append([]string{strings.Replace(j.env[0], "PATH=", "PATH="+path, 1)}, j.env[1:]...)
		system.env = append(system.env, "GITHUB_ACTIONS=true", "CI=true", "RUNNER_OS=Linux", "RUNNER_ARCH=X64", "RUNNER_TEMP="+temp,
			"GITHUB_ACTION_PATH="+j.dir, "GITHUB_OUTPUT="+output, "GITHUB_PATH="+paths, "GITHUB_WORKSPACE="+j.session.dir,
			"GITHUB_STEP_SUMMARY="+filepath.Join(temp, "summary"), fmt.Sprintf("GITHUB_RUN_ID=%d", j.runs), "GITHUB_RUN_ATTEMPT=1", "SITEWALK_RELEASES="+j.releases.URL)
		system.env = append(system.env, env...)
		for name, value := range s.Env {
			system.env = append(system.env, name+"="+expand(value))
		}
		if s.Shell != "bash" {
			j.t.Fatalf("the shell of step %d is %q, want bash", n, s.Shell)
		}
		script := filepath.Join(temp, fmt.Sprintf("step%d.sh", n))
		if err := os.WriteFile(script, []byte(s.Run), 0o644); err != nil {
			j.t.Fatal(err)
		}
		o := system.tryRun("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script)
		d.log += o.stdout + o.stderr
		if s.ID != "" {
			steps[s.ID] = readVariables(output)
		}
		if added, err := os.ReadFile(paths); err == nil {
			path = strings.TrimSpace(string(added)) + ":" + path
		}
		if d.code = o.code; d.code != 0 {
			break
		}
	}
	for name, o := range j.action.Outputs {
		d.outputs[name] = j.expand(o.Value, inputs, steps)
	}
	summary, _ := os.ReadFile(filepath.Join(temp, "summary"))
	d.summary = string(summary)
	return d
}

var expression = regexp.MustCompile(`\$\{\{ ([a-z.-]+) \}\}`)

// expand replaces the expressions inputs.NAME and steps.ID.outputs.NAME in a text. The action uses
// no others.
func (j *job) expand(text string, inputs map[string]string, steps map[string]map[string]string) string {
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		parts := strings.Split(expression.FindStringSubmatch(e)[1], ".")
		switch {
		case parts[0] == "inputs" && len(parts) == 2:
			if value, ok := inputs[parts[1]]; ok {
				return value
			}
			in, ok := j.action.Inputs[parts[1]]
			if !ok {
				j.t.Fatalf("%s is not an input of the action", e)
			}
			return in.Default
		case parts[0] == "steps" && len(parts) == 4 && parts[2] == "outputs":
			return steps[parts[1]][parts[3]]
		}
		j.t.Fatalf("the test does not support the expression %s", e)
		return ""
	})
}

// useCache is a fake of actions/cache. It restores the folder of the key, or of the newest key with
// the prefix in restore-keys. The folder of this run becomes the cached folder of the key.
func (j *job) useCache(s step, expand func(string) string) {
	j.t.Helper()
	if !strings.HasPrefix(s.Uses, "actions/cache@") {
		j.t.Fatalf("the test does not support the action %s", s.Uses)
	}
	folder, key := expand(s.With["path"]), expand(s.With["key"])
	if folder == "" || key == "" {
		j.t.Fatalf("the cache has the folder %q and the key %q, want both", folder, key)
	}
	from := j.cache[key]
	if prefix := expand(s.With["restore-keys"]); from == "" && prefix != "" {
		for run := range j.runs { // the last one wins
			from = cmp.Or(j.cache[fmt.Sprintf("%s%d-1", prefix, run)], from)
		}
	}
	if _, err := os.Stat(from); err == nil { // a failed run may not have created the folder
		if err := os.CopyFS(folder, os.DirFS(from)); err != nil {
			j.t.Fatal(err)
		}
	}
	j.cache[key] = folder
}

// readVariables reads a file of NAME=VALUE lines. As on GitHub, the last line for a name wins.
func readVariables(name string) map[string]string {
	vars := map[string]string{}
	src, _ := os.ReadFile(name)
	for line := range strings.Lines(string(src)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		vars[name] = value
	}
	return vars
}

// TestActionBuild checks the outputs, the summary and the report of the command build, and that a
// second run uses the cached program.
func TestActionBuild(t *testing.T) {
	t.Parallel()
	j := newJob(t)
	d := j.runAction(map[string]string{"dir": "public", "base-url": "https://example.com/docs/"})
	if d.code != 0 {
		t.Fatalf("exit code %d, want 0\n%s", d.code, d.log)
	}
	if d.outputs["urls"] != "2" || d.outputs["findings"] != "0" || d.outputs["sitemap"] != "public/sitemap.xml" {
		t.Errorf("outputs %q, want 2 URLs, no findings and public/sitemap.xml\n%s", d.outputs, d.log)
	}
	checkContains(t, j.read("public/sitemap.xml"), "<loc>https://example.com/docs/about/</loc>")
	checkContains(t, d.summary, "sitewalk")
	if _, err := os.Stat(d.outputs["report"]); err != nil {
		t.Error(err)
	}
	if j.downloads != 1 {
		t.Errorf("%d downloads, want 1", j.downloads)
	}
	if again := j.runAction(map[string]string{"dir": "public", "base-url": "https://example.com/"}); again.code != 0 || j.downloads != 1 {
		t.Errorf("second run: exit code %d, %d downloads in total, want 0 and 1\n%s", again.code, j.downloads, again.log)
	}
}

// TestActionCache runs the action repeatedly and removes the sitemap after each run, as generators do.
// It checks that the action reports changes and keeps dates with the files in its cache.
func TestActionCache(t *testing.T) {
	t.Parallel()
	j := newJob(t)
	inputs := map[string]string{"dir": "public", "base-url": "https://example.com/"}
	runAndWipe := func() actionResult {
		t.Helper()
		d := j.runAction(inputs)
		if d.code != 0 {
			t.Fatalf("exit code %d, want 0\n%s", d.code, d.log)
		}
		sitemap := j.read("public/sitemap.xml")
		if err := os.Remove(filepath.Join(j.session.dir, "public/sitemap.xml")); err != nil {
			t.Fatal(err)
		}
		d.log += sitemap
		return d
	}
	runAndWipe()
	j.write("public/about/index.html", "<title>About</title><main>Much has changed on this page since the run before.</main>")
	j.write("public/new.html", "<title>New</title>")
	d := runAndWipe()
	checkContains(t, d.log, "1 new              0 gone", "<loc>https://example.com/about/</loc><lastmod>")
	j.write("sitemap.yaml", "ledger: false\n")
	if d := runAndWipe(); strings.Contains(d.log, "<lastmod>") {
		t.Errorf("the sitemap has dates, want none with ledger: false in sitemap.yaml:\n%s", d.log)
	}
	inputs["base-url"] = "https://example.org/"
	if d := runAndWipe(); strings.Contains(d.log, "since the last build") {
		t.Errorf("sitewalk compares with the last build, want none for another base URL:\n%s", d.log)
	}
}

// TestActionCheck checks that the command check reports the findings of a sitemap as annotations.
func TestActionCheck(t *testing.T) {
	j := newJob(t)
	j.write("public/sitemap.xml", `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/gone/</loc></url></urlset>`)
	inputs := map[string]string{"command": "check", "dir": "public", "base-url": "https://example.com/"}
	d := j.runAction(inputs)
	if d.code != 1 || d.outputs["findings"] == "0" {
		t.Errorf("exit code %d, outputs %q, want 1 and findings\n%s", d.code, d.outputs, d.log)
	}
	checkContains(t, d.log, "::error ", "https://example.com/gone/")
}

// TestActionDiff checks the outputs of the command diff, and the inputs fail and max-loss.
func TestActionDiff(t *testing.T) {
	t.Parallel()
	j := newJob(t)
	j.write("before.txt", "https://example.com/\nhttps://example.com/gone/\n")
	inputs := map[string]string{"command": "diff", "dir": "public", "base-url": "https://example.com/", "against": "before.txt"}
	d := j.runAction(inputs)
	if d.code != 1 || d.outputs["lost"] != "1" || d.outputs["added"] != "1" || d.outputs["urls"] != "2" {
		t.Errorf("exit code %d, outputs %q, want 1 and one lost, one added of 2 URLs\n%s", d.code, d.outputs, d.log)
	}
	checkContains(t, d.log, "::error ", "https://example.com/gone/")
	checkContains(t, d.summary, "https://example.com/gone/")
	inputs["fail"] = "false"
	if d := j.runAction(inputs); d.code != 0 || d.outputs["lost"] != "1" {
		t.Errorf("with fail: false: exit code %d, outputs %q, want 0 and one lost URL", d.code, d.outputs)
	}
	inputs["fail"], inputs["max-loss"] = "true", "50%"
	if d := j.runAction(inputs); d.code != 0 {
		t.Errorf("with max-loss: 50%%: exit code %d, want 0\n%s", d.code, d.log)
	}
}

// TestActionLiveCheck runs "check" with live: true. It checks a deploy that becomes live during the
// wait, a deploy that does not become live, and a live site that differs from the built files.
func TestActionLiveCheck(t *testing.T) {
	t.Parallel()
	j := newJob(t)
	live, sitemapRequests := "", 0 // live is the folder of the live site
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sitemap.xml" {
			sitemapRequests++
		}
		dir := live
		if live == "" { // the deploy becomes live with the second request
			dir = map[bool]string{true: "before", false: "public"}[sitemapRequests < 2]
		}
		http.FileServer(http.Dir(filepath.Join(j.session.dir, dir))).ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	site := map[string]string{"dir": "public", "base-url": server.URL + "/"}
	if d := j.runAction(site); d.code != 0 {
		t.Fatalf("exit code %d, want 0\n%s", d.code, d.log)
	}
	j.write("before/index.html", "<title>Home</title>")
	j.write("before/sitemap.xml", "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>"+server.URL+"/</loc></url></urlset>")
	check := func(more ...string) actionResult { // more has names and values of inputs
		t.Helper()
		inputs := map[string]string{"command": "check", "live": "true", "wait": "1s"}
		for name, value := range site {
			inputs[name] = value
		}
		for i := 0; i < len(more); i += 2 {
			inputs[more[i]] = more[i+1]
		}
		return j.runAction(inputs, "GITHUB_WORKSPACE="+j.session.dir)
	}
	d := check()
	if d.code != 0 || d.outputs["answered"] != "3" || d.outputs["correct"] != "3" || d.outputs["urls"] != "2" || d.outputs["findings"] != "0" {
		t.Errorf("deploy that becomes live: exit code %d, outputs %q\n%s", d.code, d.outputs, d.log)
	}
	checkContains(t, d.log, "waiting up to 1s for the deploy: the live sitemap does not list "+server.URL+"/about/ yet")
	checkContains(t, d.summary, "sitewalk check: passed", "the live site: 3 URLs requested, 3 correct")

	live = "before"
	d = check()
	if d.code != 1 || d.outputs["answered"] != "3" || d.outputs["correct"] != "2" || d.outputs["findings"] != "2" {
		t.Errorf("deploy that does not become live: exit code %d, outputs %q\n%s", d.code, d.outputs, d.log)
	}
	checkContains(t, d.log, "::error ", "the deploy is not live after 1s", "title=sitewalk live-old-deploy", "title=sitewalk live-missing")
	checkContains(t, d.summary, "sitewalk check: failed", "the live site: 3 URLs requested, 2 correct", "<code>live&#45;missing</code>: 1")
	if d := check("fail", "false"); d.code != 0 || d.outputs["findings"] != "2" {
		t.Errorf("with fail: false: exit code %d, outputs %q, want 0 and 2 findings", d.code, d.outputs)
	}
	if d := check("args", "--level=live-old-deploy=warning\n--level=live-missing=warning"); d.code != 0 || d.outputs["findings"] != "2" {
		t.Errorf("with levels: exit code %d, outputs %q, want 0 and 2 findings\n%s", d.code, d.outputs, d.log)
	}

	live = "other"
	if err := os.CopyFS(filepath.Join(j.session.dir, live), os.DirFS(filepath.Join(j.session.dir, "public"))); err != nil {
		t.Fatal(err)
	}
	j.write("other/about/index.html", "<title>Welcome</title>")
	d = check("sample", "0")
	if d.code != 1 || d.outputs["findings"] != "1" {
		t.Errorf("live site with another page: exit code %d, outputs %q, want 1 and 1 finding\n%s", d.code, d.outputs, d.log)
	}
	checkContains(t, d.log, "title=sitewalk live-other-page", server.URL+"/about/ is not the page that was built")
	if d := check("sample", "1"); d.outputs["answered"] != "1" {
		t.Errorf("with sample: 1: outputs %q, want 1 request\n%s", d.outputs, d.log)
	}
	d = check("dir", server.URL+"/sitemap.xml", "base-url", "")
	if d.code != 0 || d.outputs["answered"] != "3" || d.outputs["correct"] != "3" {
		t.Errorf("check of a sitemap URL: exit code %d, outputs %q\n%s", d.code, d.outputs, d.log)
	}
}

// TestActionWrongInputs checks that wrong inputs fail with an explanation, and that no input is run
// as a command.
func TestActionWrongInputs(t *testing.T) {
	t.Parallel()
	j := newJob(t)
	for want, inputs := range map[string]map[string]string{
		"must be build, check or diff":           {"command": "watch"},
		"the input live is for check":            {"live": "true"},
		"live must be true or false":             {"command": "check", "live": "1"},
		`invalid argument "some"`:                {"command": "check", "live": "true", "sample": "some"},
		`invalid argument "a while"`:             {"command": "check", "live": "true", "wait": "a while"},
		"must be true or false":                  {"strict": "yes"},
		"strict, fail, ledger and live must":     {"ledger": "on"},
		"working-directory is not a folder":      {"working-directory": "nowhere"},
		"is not a folder":                        {"working-directory": "--help"},
		"against and max-loss are for diff":      {"against": "x"},
		`publish directory "--help": no such`:    {"dir": "--help", "base-url": "https://example.com/"},
		`"$(touch hacked)" has no scheme`:        {"dir": "public", "base-url": "$(touch hacked)"},
		"unknown flag: --nonsense; touch hacked": {"dir": "public", "args": "--nonsense; touch hacked"},
	} {
		d := j.runAction(inputs)
		if d.code != 2 {
			t.Errorf("inputs %q: exit code %d, want 2\n%s", inputs, d.code, d.log)
		}
		checkContains(t, d.log, want)
	}
	if _, err := os.Stat(filepath.Join(j.session.dir, "hacked")); err == nil {
		t.Error("the action ran an input as a command")
	}
}

// TestActionArguments checks that the action passes the lines of the input args to sitewalk.
func TestActionArguments(t *testing.T) {
	t.Parallel()
	j := newJob(t)
	d := j.runAction(map[string]string{"dir": "public", "base-url": "https://example.com/", "args": "--format=xml,txt\r\n\n--exclude=about/**\n"})
	if d.code != 0 || d.outputs["urls"] != "1" || j.read("public/sitemap.txt") != "https://example.com/\n" {
		t.Errorf("exit code %d, outputs %q, want 0 and 1 URL\n%s", d.code, d.outputs, d.log)
	}
}

// TestActionDownloadErrors checks the errors for an archive with a wrong checksum, a missing archive,
// an unreleased action and an unknown processor.
func TestActionDownloadErrors(t *testing.T) {
	j := newJob(t)
	bad := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("another archive")) }))
	t.Cleanup(bad.Close)
	for range 2 { // the wrong archive must not get into the cache
		d := j.runAction(map[string]string{"dir": "public"}, "SITEWALK_RELEASES="+bad.URL)
		if d.code != 2 || !strings.Contains(d.log, "the action was released with") {
			t.Errorf("wrong checksum: exit code %d, want 2\n%s", d.code, d.log)
		}
	}
	if d := j.runAction(map[string]string{"dir": "public", "base-url": "https://example.com/"}); d.code != 0 {
		t.Errorf("correct archive: exit code %d, want 0\n%s", d.code, d.log)
	}
	d := newJob(t).runAction(nil, "SITEWALK_RELEASES="+j.releases.URL+"/nowhere")
	if d.code != 2 || !strings.Contains(d.log, "cannot be downloaded") {
		t.Errorf("missing archive: exit code %d, want 2\n%s", d.code, d.log)
	}
	unreleased := newJob(t)
	if err := os.WriteFile(filepath.Join(unreleased.dir, "checksums.txt"), []byte("# none yet\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	d = unreleased.runAction(nil)
	if d.code != 2 || !strings.Contains(d.log, "belongs to no release") {
		t.Errorf("unreleased action: exit code %d, want 2\n%s", d.code, d.log)
	}
	d = newJob(t).runAction(nil, "RUNNER_ARCH=RISCV64")
	if d.code != 2 || !strings.Contains(d.log, "there is no release for the processor RISCV64") {
		t.Errorf("unknown processor: exit code %d, want 2\n%s", d.code, d.log)
	}
}

// TestActionHostileTitles checks that page names and titles in the log do not act as workflow commands.
func TestActionHostileTitles(t *testing.T) {
	j := newJob(t)
	j.write("public/::error::owned/index.html", "<title>\n::set-output name=lost::99\n</title><link rel=canonical href='https://example.com/\n::error::x'>")
	j.write("public/%0A::warning::x/index.html", "<title>##[error]x</title><link rel=canonical href='https://example.com/nowhere'>")
	d := j.runAction(map[string]string{"dir": "public", "base-url": "https://example.com/", "fail": "false"})
	if d.code != 0 || d.outputs["lost"] != "" {
		t.Errorf("exit code %d, outputs %q, want 0 and no output lost\n%s", d.code, d.outputs, d.log)
	}
	for line := range strings.Lines(d.log) {
		if strings.HasPrefix(line, "::error::") || strings.HasPrefix(line, "##[") || strings.HasPrefix(line, "::set-output") || strings.HasPrefix(line, "::warning::x") {
			t.Errorf("the log contains the command %q of a page", line)
		}
	}
}

// TestActionScripts checks the scripts of the action with shellcheck, and that no step inserts an
// expression into a script.
func TestActionScripts(t *testing.T) {
	s := newSession(t)
	s.dir = filepath.Join(root, "integrations/github")
	s.run("shellcheck", "install.sh", "run.sh")
	for _, st := range newJob(t).action.Runs.Steps {
		if strings.Contains(st.Run, "${{") {
			t.Errorf("a script contains an expression: %s", st.Run)
		}
	}
}
