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

// An action is action.yml as a runner reads it.
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

// A job runs the action's steps in order, as a runner does: each with bash -e -o
// pipefail, with files for outputs, path and summary.
type job struct {
	*session
	action   action
	dir      string // of the action
	releases *httptest.Server
	asked    int // for archives
	runs     int
	cache    map[string]string // what actions/cache keeps: a folder by its key
}

func newJob(t *testing.T) *job {
	t.Helper()
	j := newRunner(newSession(t))
	j.write("public/index.html", "<title>Home</title>")
	j.write("public/about/index.html", "<title>About</title>")
	return j
}

// newRunner has the action at hand as it is released.
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
		t.Fatalf("%v, %+v", err, j.action)
	}
	files := http.StripPrefix("/v"+version+"/", http.FileServer(http.Dir(out)))
	j.releases = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		j.asked++
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(j.releases.Close)
	return j
}

// A done is what a run of the action left.
type done struct {
	code    int
	log     string
	outputs map[string]string
	summary string
}

// run runs the action with inputs on a fresh runner.
func (j *job) run(inputs map[string]string, env ...string) done {
	j.t.Helper()
	temp := j.t.TempDir()
	d := done{outputs: map[string]string{}}
	path := ""
	j.runs++
	steps := map[string]map[string]string{} // outputs by step
	for n, s := range j.action.Runs.Steps {
		output, paths := filepath.Join(temp, fmt.Sprintf("output%d", n)), filepath.Join(temp, fmt.Sprintf("path%d", n))
		fill := func(text string) string { return j.fill(text, inputs, steps) }
		if s.If != "" && fill("${{ "+s.If+" }}") == "" {
			continue
		}
		if s.Uses != "" {
			j.useCache(s, fill)
			continue
		}
		system := *j.session
		system.env = append([]string{strings.Replace(j.env[0], "PATH=", "PATH="+path, 1)}, j.env[1:]...)
		system.env = append(system.env, "GITHUB_ACTIONS=true", "CI=true", "RUNNER_OS=Linux", "RUNNER_ARCH=X64", "RUNNER_TEMP="+temp,
			"GITHUB_ACTION_PATH="+j.dir, "GITHUB_OUTPUT="+output, "GITHUB_PATH="+paths, "GITHUB_WORKSPACE="+j.session.dir,
			"GITHUB_STEP_SUMMARY="+filepath.Join(temp, "summary"), fmt.Sprintf("GITHUB_RUN_ID=%d", j.runs), "GITHUB_RUN_ATTEMPT=1", "SITEWALK_RELEASES="+j.releases.URL)
		system.env = append(system.env, env...)
		for name, value := range s.Env {
			system.env = append(system.env, name+"="+fill(value))
		}
		if s.Shell != "bash" {
			j.t.Fatalf("step %d runs in %q", n, s.Shell)
		}
		script := filepath.Join(temp, fmt.Sprintf("step%d.sh", n))
		if err := os.WriteFile(script, []byte(s.Run), 0o644); err != nil {
			j.t.Fatal(err)
		}
		o := system.try("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script)
		d.log += o.stdout + o.stderr
		if s.ID != "" {
			steps[s.ID] = variables(output)
		}
		if added, err := os.ReadFile(paths); err == nil {
			path = strings.TrimSpace(string(added)) + ":" + path
		}
		if d.code = o.code; d.code != 0 {
			break
		}
	}
	for name, o := range j.action.Outputs {
		d.outputs[name] = j.fill(o.Value, inputs, steps)
	}
	summary, _ := os.ReadFile(filepath.Join(temp, "summary"))
	d.summary = string(summary)
	return d
}

var expression = regexp.MustCompile(`\$\{\{ ([a-z.-]+) \}\}`)

// fill evaluates the expressions that the action has.
func (j *job) fill(text string, inputs map[string]string, steps map[string]map[string]string) string {
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		parts := strings.Split(expression.FindStringSubmatch(e)[1], ".")
		switch {
		case parts[0] == "inputs" && len(parts) == 2:
			if value, ok := inputs[parts[1]]; ok {
				return value
			}
			in, ok := j.action.Inputs[parts[1]]
			if !ok {
				j.t.Fatalf("%s names no input", e)
			}
			return in.Default
		case parts[0] == "steps" && len(parts) == 4 && parts[2] == "outputs":
			return steps[parts[1]][parts[3]]
		}
		j.t.Fatalf("the action has the expression %s", e)
		return ""
	})
}

// useCache is actions/cache: it restores the folder of the key, or of the last one that
// begins as it is asked to, and takes what is there at the end of the job for the next one.
func (j *job) useCache(s step, fill func(string) string) {
	j.t.Helper()
	if !strings.HasPrefix(s.Uses, "actions/cache@") {
		j.t.Fatalf("the action uses %s", s.Uses)
	}
	folder, key := fill(s.With["path"]), fill(s.With["key"])
	if folder == "" || key == "" {
		j.t.Fatalf("the cache has the folder %q and the key %q", folder, key)
	}
	from := j.cache[key]
	if begins := fill(s.With["restore-keys"]); from == "" && begins != "" {
		for run := range j.runs { // the latest
			from = cmp.Or(j.cache[fmt.Sprintf("%s%d-1", begins, run)], from)
		}
	}
	if _, err := os.Stat(from); err == nil { // a job that failed may have left nothing
		if err := os.CopyFS(folder, os.DirFS(from)); err != nil {
			j.t.Fatal(err)
		}
	}
	j.cache[key] = folder
}

// variables reads a file of NAME=VALUE lines; as with GitHub, the last one counts.
func variables(name string) map[string]string {
	vars := map[string]string{}
	src, _ := os.ReadFile(name)
	for line := range strings.Lines(string(src)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		vars[name] = value
	}
	return vars
}

func TestActionBuilds(t *testing.T) {
	t.Parallel()
	j := newJob(t)
	d := j.run(map[string]string{"dir": "public", "base-url": "https://example.com/docs/"})
	if d.code != 0 {
		t.Fatalf("exit code %d\n%s", d.code, d.log)
	}
	if d.outputs["urls"] != "2" || d.outputs["findings"] != "0" || d.outputs["sitemap"] != "public/sitemap.xml" {
		t.Errorf("%q\n%s", d.outputs, d.log)
	}
	contains(t, j.read("public/sitemap.xml"), "<loc>https://example.com/docs/about/</loc>")
	contains(t, d.summary, "sitewalk")
	if _, err := os.Stat(d.outputs["report"]); err != nil {
		t.Error(err)
	}
	if j.asked != 1 {
		t.Errorf("%d requests", j.asked)
	}
	if again := j.run(map[string]string{"dir": "public", "base-url": "https://example.com/"}); again.code != 0 || j.asked != 1 {
		t.Errorf("with what is in the cache: exit code %d, %d requests\n%s", again.code, j.asked, again.log)
	}
}

// TestActionRemembers lets runs follow each other on fresh runners, whose generator has
// wiped the sitemap.
func TestActionRemembers(t *testing.T) {
	t.Parallel()
	j := newJob(t)
	inputs := map[string]string{"dir": "public", "base-url": "https://example.com/"}
	wiped := func() done {
		t.Helper()
		d := j.run(inputs)
		if d.code != 0 {
			t.Fatalf("exit code %d\n%s", d.code, d.log)
		}
		sitemap := j.read("public/sitemap.xml")
		if err := os.Remove(filepath.Join(j.session.dir, "public/sitemap.xml")); err != nil {
			t.Fatal(err)
		}
		d.log += sitemap
		return d
	}
	wiped()
	j.write("public/about/index.html", "<title>About</title><main>Much has changed on this page since the run before.</main>")
	j.write("public/new.html", "<title>New</title>")
	d := wiped()
	contains(t, d.log, "1 new              0 gone", "<loc>https://example.com/about/</loc><lastmod>")
	j.write("sitemap.yaml", "ledger: false\n")
	if d := wiped(); strings.Contains(d.log, "<lastmod>") {
		t.Errorf("with the ledger of sitemap.yaml, which is none:\n%s", d.log)
	}
	inputs["base-url"] = "https://example.org/"
	if d := wiped(); strings.Contains(d.log, "since the last build") {
		t.Errorf("another address is compared with the last build:\n%s", d.log)
	}
}

// TestActionChecks judges the sitemap of another tool.
func TestActionChecks(t *testing.T) {
	j := newJob(t)
	j.write("public/sitemap.xml", `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/gone/</loc></url></urlset>`)
	inputs := map[string]string{"command": "check", "dir": "public", "base-url": "https://example.com/"}
	d := j.run(inputs)
	if d.code != 1 || d.outputs["findings"] == "0" {
		t.Errorf("exit code %d, %q\n%s", d.code, d.outputs, d.log)
	}
	contains(t, d.log, "::error ", "https://example.com/gone/")
}

func TestActionDiffs(t *testing.T) {
	t.Parallel()
	j := newJob(t)
	j.write("before.txt", "https://example.com/\nhttps://example.com/gone/\n")
	inputs := map[string]string{"command": "diff", "dir": "public", "base-url": "https://example.com/", "against": "before.txt"}
	d := j.run(inputs)
	if d.code != 1 || d.outputs["lost"] != "1" || d.outputs["added"] != "1" || d.outputs["urls"] != "2" {
		t.Errorf("exit code %d, %q\n%s", d.code, d.outputs, d.log)
	}
	contains(t, d.log, "::error ", "https://example.com/gone/")
	contains(t, d.summary, "https://example.com/gone/")
	inputs["fail"] = "false"
	if d := j.run(inputs); d.code != 0 || d.outputs["lost"] != "1" {
		t.Errorf("exit code %d, %q", d.code, d.outputs)
	}
	inputs["fail"], inputs["max-loss"] = "true", "50%"
	if d := j.run(inputs); d.code != 0 {
		t.Errorf("exit code %d\n%s", d.code, d.log)
	}
}

// TestActionAsksTheLiveSite runs after deploys that become live at the second look, never, and
// with other files than were built.
func TestActionAsksTheLiveSite(t *testing.T) {
	t.Parallel()
	j := newJob(t)
	live, looks := "", 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sitemap.xml" {
			looks++
		}
		dir := live
		if live == "" { // not before the second look
			dir = map[bool]string{true: "before", false: "public"}[looks < 2]
		}
		http.FileServer(http.Dir(filepath.Join(j.session.dir, dir))).ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	site := map[string]string{"dir": "public", "base-url": server.URL + "/"}
	if d := j.run(site); d.code != 0 {
		t.Fatalf("exit code %d\n%s", d.code, d.log)
	}
	j.write("before/index.html", "<title>Home</title>")
	j.write("before/sitemap.xml", "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>"+server.URL+"/</loc></url></urlset>")
	check := func(more ...string) done {
		t.Helper()
		inputs := map[string]string{"command": "check", "live": "true", "wait": "1s"}
		for name, value := range site {
			inputs[name] = value
		}
		for i := 0; i < len(more); i += 2 {
			inputs[more[i]] = more[i+1]
		}
		return j.run(inputs, "GITHUB_WORKSPACE="+j.session.dir)
	}
	d := check()
	if d.code != 0 || d.outputs["asked"] != "3" || d.outputs["right"] != "3" || d.outputs["urls"] != "2" || d.outputs["findings"] != "0" {
		t.Errorf("after a while: exit code %d, %q\n%s", d.code, d.outputs, d.log)
	}
	contains(t, d.log, "waiting up to 1s for the deploy: the live sitemap does not list "+server.URL+"/about/ yet")
	contains(t, d.summary, "sitewalk check: passed", "the live site: 3 URLs asked, 3 right")

	live = "before"
	d = check()
	if d.code != 1 || d.outputs["asked"] != "3" || d.outputs["right"] != "2" || d.outputs["findings"] != "2" {
		t.Errorf("never: exit code %d, %q\n%s", d.code, d.outputs, d.log)
	}
	contains(t, d.log, "::error ", "the deploy is not live after 1s", "title=sitewalk live-old-deploy", "title=sitewalk live-missing")
	contains(t, d.summary, "sitewalk check: failed", "the live site: 3 URLs asked, 2 right", "<code>live&#45;missing</code>: 1")
	if d := check("fail", "false"); d.code != 0 || d.outputs["findings"] != "2" {
		t.Errorf("that only reports: exit code %d, %q", d.code, d.outputs)
	}
	if d := check("args", "--level=live-old-deploy=warning\n--level=live-missing=warning"); d.code != 0 || d.outputs["findings"] != "2" {
		t.Errorf("with levels: exit code %d, %q\n%s", d.code, d.outputs, d.log)
	}

	live = "other"
	if err := os.CopyFS(filepath.Join(j.session.dir, live), os.DirFS(filepath.Join(j.session.dir, "public"))); err != nil {
		t.Fatal(err)
	}
	j.write("other/about/index.html", "<title>Welcome</title>")
	d = check("sample", "0")
	if d.code != 1 || d.outputs["findings"] != "1" {
		t.Errorf("other files: exit code %d, %q\n%s", d.code, d.outputs, d.log)
	}
	contains(t, d.log, "title=sitewalk live-other-page", server.URL+"/about/ is not the page that was built")
	if d := check("sample", "1"); d.outputs["asked"] != "1" {
		t.Errorf("a sample: %q\n%s", d.outputs, d.log)
	}
	d = check("dir", server.URL+"/sitemap.xml", "base-url", "")
	if d.code != 0 || d.outputs["asked"] != "3" || d.outputs["right"] != "3" {
		t.Errorf("a sitemap alone: exit code %d, %q\n%s", d.code, d.outputs, d.log)
	}
}

func TestActionRefuses(t *testing.T) {
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
		d := j.run(inputs)
		if d.code != 2 {
			t.Errorf("%q: exit code %d\n%s", inputs, d.code, d.log)
		}
		contains(t, d.log, want)
	}
	if _, err := os.Stat(filepath.Join(j.session.dir, "hacked")); err == nil {
		t.Error("an input was run")
	}
}

// TestActionArguments hands on further arguments, one a line.
func TestActionArguments(t *testing.T) {
	t.Parallel()
	j := newJob(t)
	d := j.run(map[string]string{"dir": "public", "base-url": "https://example.com/", "args": "--format=xml,txt\r\n\n--exclude=about/**\n"})
	if d.code != 0 || d.outputs["urls"] != "1" || j.read("public/sitemap.txt") != "https://example.com/\n" {
		t.Errorf("exit code %d, %q\n%s", d.code, d.outputs, d.log)
	}
}

// TestActionChecksum serves another archive than the one that was released.
func TestActionChecksum(t *testing.T) {
	j := newJob(t)
	bad := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("another archive")) }))
	t.Cleanup(bad.Close)
	for range 2 { // what is wrong does not get into the cache
		d := j.run(map[string]string{"dir": "public"}, "SITEWALK_RELEASES="+bad.URL)
		if d.code != 2 || !strings.Contains(d.log, "the action was released with") {
			t.Errorf("exit code %d\n%s", d.code, d.log)
		}
	}
	if d := j.run(map[string]string{"dir": "public", "base-url": "https://example.com/"}); d.code != 0 {
		t.Errorf("exit code %d\n%s", d.code, d.log)
	}
	d := newJob(t).run(nil, "SITEWALK_RELEASES="+j.releases.URL+"/nowhere")
	if d.code != 2 || !strings.Contains(d.log, "cannot be downloaded") {
		t.Errorf("exit code %d\n%s", d.code, d.log)
	}
	unreleased := newJob(t)
	if err := os.WriteFile(filepath.Join(unreleased.dir, "checksums.txt"), []byte("# none yet\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	d = unreleased.run(nil)
	if d.code != 2 || !strings.Contains(d.log, "belongs to no release") {
		t.Errorf("exit code %d\n%s", d.code, d.log)
	}
	d = newJob(t).run(nil, "RUNNER_ARCH=RISCV64")
	if d.code != 2 || !strings.Contains(d.log, "there is no release for the processor RISCV64") {
		t.Errorf("exit code %d\n%s", d.code, d.log)
	}
}

// TestActionHostileTitles has pages whose names and titles are commands of a
// workflow.
func TestActionHostileTitles(t *testing.T) {
	j := newJob(t)
	j.write("public/::error::owned/index.html", "<title>\n::set-output name=lost::99\n</title><link rel=canonical href='https://example.com/\n::error::x'>")
	j.write("public/%0A::warning::x/index.html", "<title>##[error]x</title><link rel=canonical href='https://example.com/nowhere'>")
	d := j.run(map[string]string{"dir": "public", "base-url": "https://example.com/", "fail": "false"})
	if d.code != 0 || d.outputs["lost"] != "" {
		t.Errorf("exit code %d, %q\n%s", d.code, d.outputs, d.log)
	}
	for line := range strings.Lines(d.log) {
		if strings.HasPrefix(line, "::error::") || strings.HasPrefix(line, "##[") || strings.HasPrefix(line, "::set-output") || strings.HasPrefix(line, "::warning::x") {
			t.Errorf("a page says %q", line)
		}
	}
}

func TestActionScriptsAreClean(t *testing.T) {
	s := newSession(t)
	s.dir = filepath.Join(root, "integrations/github")
	s.do("shellcheck", "install.sh", "run.sh")
	for _, st := range newJob(t).action.Runs.Steps {
		if strings.Contains(st.Run, "${{") {
			t.Errorf("a script holds an expression: %s", st.Run)
		}
	}
}
