//go:build e2e

package hosting

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/page"
)

// A job is the input of answer.mjs for one world. answer.mjs prints the results of the host's own
// package.
type job struct {
	Host  string   `json:"host"`
	Base  string   `json:"base"`
	Dir   string   `json:"dir"`
	Files []string `json:"files"`
	Paths []string `json:"paths"`
}

type jobAnswer struct {
	Rules []struct {
		From, To                  string
		Status                    int
		Force, Conditional, Query bool
	}
	Answers []struct {
		Status                 int
		File, Location, Robots string
		Disallowed             bool
	}
}

// TestPackages compares the answers for testdata/hosts with the results of the hosts' own packages
// from npm.
func TestPackages(t *testing.T) {
	dir := installPackages(t)
	worlds, jobs := packageJobs(t, dir)
	in, _ := json.Marshal(jobs)
	var answers []jobAnswer
	if err := json.Unmarshal(run(t, dir, in, "node", "answer.mjs"), &answers); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for i, j := range jobs {
		t.Run(filepath.Base(j.Dir), func(t *testing.T) {
			h, _ := worlds[i].load(t)
			compareRules(t, worlds[i], answers[i])
			for k, p := range j.Paths {
				compared++
				comparePath(t, worlds[i], h, j, answers[i], k, p)
			}
		})
	}
	if compared < 300 {
		t.Errorf("only %d answers were compared", compared)
	}
}

// installPackages returns a folder with the scripts and the hosts' packages. It uses the packages
// that .ci/install has installed in SITEWALK_TOOLS, or else installs them.
func installPackages(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	scripts := filepath.Join("..", "..", "testdata", "e2e", "hosts")
	for _, name := range []string{"package.json", "answer.mjs", "server.mjs", "ignore.mjs"} {
		src, err := os.ReadFile(filepath.Join(scripts, name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), src)
	}
	tools := filepath.Join(os.Getenv("SITEWALK_TOOLS"), "hosts")
	want, _ := os.ReadFile(filepath.Join(dir, "package.json"))
	if have, err := os.ReadFile(filepath.Join(tools, "installed.json")); err == nil && bytes.Equal(have, want) {
		if os.Symlink(filepath.Join(tools, "node_modules"), filepath.Join(dir, "node_modules")) == nil {
			return dir
		}
	}
	run(t, dir, nil, "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--omit=optional")
	return dir
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, dir string, in []byte, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(in)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, args, err, out, stderr.String())
	}
	return out
}

// packageJobs writes to disk the worlds whose host has an npm package, and returns a job for each.
func packageJobs(t *testing.T, dir string) (worlds []*world, jobs []job) {
	files, _ := filepath.Glob("testdata/hosts/*.txtar")
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		w := readWorld(t, file)
		host, _, _ := strings.Cut(name, "-")
		h, _ := w.load(t)
		switch {
		case host == "robots" && !strings.HasSuffix(w.base, ".com/"):
			continue
		case host == "cloudflare" && h.redirectStatus != platformByName(host).redirectStatus:
			continue // TestRandomAnswers tests Workers
		case !slices.Contains([]string{"netlify", "cloudflare", "vercel", "robots"}, host) || name == "vercel-routes" || w.dir != "public":
			continue
		}
		worldDir := filepath.Join(dir, "worlds", name)
		for f, m := range w.publish {
			write(t, filepath.Join(worldDir, "public", f), m.Data)
		}
		for f, m := range w.root {
			write(t, filepath.Join(worldDir, f), withoutBadRules(t, w, f, m.Data))
		}
		j := job{Host: host, Base: w.base, Dir: worldDir, Paths: w.paths()}
		if j.Base == "" {
			j.Base = "https://example.com/"
		}
		for f := range w.publish {
			j.Files = append(j.Files, f)
		}
		worlds, jobs = append(worlds, w), append(jobs, j)
	}
	return worlds, jobs
}

// withoutBadRules empties the lines of a JSON file that findings are about, because the host
// rejects the whole file for one bad rule.
func withoutBadRules(t *testing.T, w *world, name string, src []byte) []byte {
	if ext := path.Ext(name); ext != ".json" && ext != ".jsonc" {
		return src
	}
	_, diags := w.load(t)
	lines := strings.Split(string(src), "\n")
	for _, d := range diags {
		if d.Code == "bad-host-rule" && d.Pos.File == name && d.Pos.Line > 0 {
			lines[d.Pos.Line-1] = ""
		}
	}
	return blankJSONComments([]byte(strings.Join(lines, "\n")))
}

// paths returns the paths in the part WANT and the paths of the pages, in several spellings.
func (w *world) paths() []string {
	var all []string
	for _, f := range w.archive.Files {
		for line := range strings.Lines(string(f.Data)) {
			if urlPath, _, ok := strings.Cut(line, " => "); f.Name == "WANT" && ok && urlPath[0] == '/' {
				all = append(all, urlPath)
			}
		}
	}
	for f := range w.publish {
		if path.Ext(f) == ".html" {
			name := "/" + strings.TrimSuffix(f, ".html")
			all = append(all, name, name+"/", name+".html", name+"x", strings.TrimSuffix(name, "index"), name+"/deep/er")
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// compareRules compares the rules of _redirects with the rules that @netlify/redirect-parser
// returns. This package only parses rules, and does not match paths.
func compareRules(t *testing.T, w *world, a jobAnswer) {
	src, ok := w.publish["_redirects"]
	if !ok || a.Rules == nil {
		return
	}
	i := 0
	for line := range strings.Lines(string(src.Data)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		r, _, err := netlifyRedirects.parseLine(line)
		l := &loader{host: new(Host)}
		if err == nil {
			err = l.addNetlifyRule(&r)
		}
		if err != nil {
			continue
		}
		if i == len(a.Rules) {
			t.Fatalf("%q is a rule here, and none of @netlify/redirect-parser", line)
		}
		want := a.Rules[i]
		to := want.To
		if r.to == "" {
			to = "" // the package sets a default target
		}
		got := fmt.Sprint(r.from, r.to, r.status, r.force, len(r.conditions) > 0, r.hasQuery)
		if want := fmt.Sprint(want.From, to, cmp.Or(want.Status, 301), want.Force, want.Conditional, want.Query); got != want {
			t.Errorf("%q: %s, @netlify/redirect-parser: %s", line, got, want)
		}
		i++
	}
}

// knownDifferences lists the paths for which the answers intentionally differ from the packages.
var knownDifferences = map[string]bool{
	// In the package, /private/* also matches /privateer. According to the documentation, * matches
	// only text after the slash.
	"netlify /privateer": true, "netlify /private.html": true, "netlify /privatex": true,
	// Unlike Google's parser, robots-parser does not accept misspelt field names, and does not
	// apply a rule for the index file of a folder to the folder. It also treats a $ inside a
	// pattern as its end.
	"robots /typo": true, "robots /space": true, "robots /index/": true, "robots /dollar$x": true,
	// A 200 rule serves another file at the URL of the page. The page stays in the sitemap.
	"cloudflare /proxy": true,
}

// comparePath compares the answers for one path.
func comparePath(t *testing.T, w *world, h *Host, j job, answers jobAnswer, k int, urlPath string) {
	want := answers.Answers[k]
	a, leads := h.OverridingRule(urlPath, w.exists)
	file, serves := h.ServedFile(urlPath, w.exists)
	_, hasNoIndex := h.NoIndexRule(urlPath)
	wantNoIndex := page.ParseRobots(want.Robots).NoIndex("googlebot")
	if hasNoIndex != wantNoIndex && want.Status < 300 && !knownDifferences[j.Host+" "+urlPath] {
		t.Errorf("%s: noindex %v, the package: %v (%s)", urlPath, hasNoIndex, wantNoIndex, want.Robots)
	}
	switch j.Host {
	case "robots":
		if _, disallowed := h.DisallowRule(urlPath); disallowed != want.Disallowed && !knownDifferences["robots "+urlPath] {
			t.Errorf("%s: disallowed %v, robots-parser: %v", urlPath, disallowed, want.Disallowed)
		}
	case "vercel":
		clean := strings.HasSuffix(urlPath, ".html") || strings.HasSuffix(urlPath, "/index")
		wantLeads := want.Status >= 300 && !isSameAddress(want.Location, urlPath, j.Base)
		if leads && !clean && (!wantLeads || !isSameAddress(want.Location, a.To, j.Base)) || serves && wantLeads {
			t.Errorf("%s: leads to %q, serves %q; @vercel/routing-utils: %d %s", urlPath, a.To, file, want.Status, want.Location)
		}
	case "cloudflare":
		fallback := want.File == "index.html" && urlPath != "/" // the site has no 404.html
		wantServes := want.Status == 200 && !fallback || isSameAddress(want.Location, urlPath, j.Base)
		if (serves != wantServes || want.File != "" && !fallback && file != want.File) && !knownDifferences[j.Host+" "+urlPath] {
			t.Errorf("%s: serves %q, %v; the handler: %d %q %s", urlPath, file, serves, want.Status, want.File, want.Location)
		}
		if leads && a.File == "" && !isSameAddress(want.Location, a.To, j.Base) {
			t.Errorf("%s: leads to %s, the handler: %d %s", urlPath, a.To, want.Status, want.Location)
		}
	}
}

// isSameAddress reports whether a and b, relative to base, are the same URL. b is decoded.
func isSameAddress(a, b, base string) bool {
	root, _ := url.Parse(base)
	x, errA := root.Parse(a)
	y, errB := root.Parse(strings.ReplaceAll(b, "%", "%25"))
	return a != "" && errA == nil && errB == nil && x.Host == y.Host && x.Path == y.Path
}
