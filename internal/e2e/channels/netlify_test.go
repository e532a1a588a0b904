//go:build e2e && linux

package channels

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// A netlifySite is a site that Netlify's own builder builds, whose package.json
// has installed the plugin.
type netlifySite struct {
	*session
	*testsite.Web
}

func newNetlifySite(t *testing.T) netlifySite {
	s := netlifySite{newProject(t, "netlify-plugin-sitewalk", "sitewalk", "@sitewalk/linux-x64"), testsite.NewWeb(t)}
	for _, host := range []string{"example.com", "example.org"} {
		s.Sites[host] = testsite.ServeFolder(filepath.Join(s.dir, "dist")) // a deploy is live at once
	}
	for _, page := range []string{"", "about", "team", "posts/one", "posts/two"} {
		s.write(source(page), fmt.Sprintf("<title>%s</title><main>The page %[1]s</main>", page))
	}
	s.inputs("")
	return s
}

// source is the file of a page.
func source(page string) string { return filepath.Join("src", page, "index.html") }

// inputs writes netlify.toml, with these inputs of the plugin.
func (s netlifySite) inputs(toml string) {
	s.write("netlify.toml", `[build]
command = "rm -rf dist && cp -r src dist"
publish = "dist"
[[plugins]]
package = "netlify-plugin-sitewalk"
[plugins.inputs]
`+toml)
}

// build runs one build in a context, as Netlify does.
func (s netlifySite) build(context string, env ...string) outcome {
	s.t.Helper()
	system := *s.session
	system.env = append(append(append([]string{}, s.env...), s.Env()...), env...)
	system.env = append(system.env, "URL=https://example.com", "NETLIFY=true")
	o := system.try("node", tools(s.t, "@netlify/build/bin.js"), "--offline", "--cwd", s.dir,
		"--node-path", s.look("node"), "--telemetry=false", "--context", context)
	if strings.Contains(o.stderr+o.stdout, "waiting ") {
		s.t.Errorf("it waits for a deploy that is live\n%s%s", o.stdout, o.stderr)
	}
	return o
}

func (s netlifySite) remove(page string) {
	s.t.Helper()
	if err := os.Remove(filepath.Join(s.dir, source(page))); err != nil {
		s.t.Fatal(err)
	}
}

func TestNetlifyPlugin(t *testing.T) {
	t.Parallel()
	s := newNetlifySite(t)

	// The first build has nothing to compare with.
	first := s.build("production")
	if first.code != 0 {
		t.Fatalf("exit code %d\n%s%s", first.code, first.stdout, first.stderr)
	}
	contains(t, first.stdout, "5 URLs", "there is no published list to compare with")
	contains(t, s.read("dist/sitemap.xml"), "<loc>https://example.com/posts/one/</loc>")

	// A preview that loses a page says so, stops nothing and keeps nothing.
	s.remove("team")
	s.write(source("new"), "<title>New</title><main>New</main>")
	preview := s.build("deploy-preview")
	if preview.code != 0 {
		t.Fatalf("exit code %d\n%s%s", preview.code, preview.stdout, preview.stderr)
	}
	contains(t, preview.stdout, "5 URLs, 1 lost, 1 added", "lost: https://example.com/team/")

	// Asked to, it stops the deploy, of which nothing is remembered.
	s.inputs(`fail_on = "lost"`)
	stopped := s.build("production")
	if stopped.code != 2 {
		t.Fatalf("exit code %d\n%s%s", stopped.code, stopped.stdout, stopped.stderr)
	}
	contains(t, stopped.stdout+stopped.stderr, "the deploy would lose 1 URL", "lost: https://example.com/team/")
	s.inputs("fail_on = \"lost\"\nmax_loss = \"50%\"")
	if allowed := s.build("production"); allowed.code != 0 {
		t.Fatalf("exit code %d\n%s%s", allowed.code, allowed.stdout, allowed.stderr)
	}
	s.inputs(`fail_on = "lost"`)
	published := s.build("production")
	if published.code != 0 || strings.Contains(published.stdout, "lost:") {
		t.Fatalf("exit code %d\n%s%s", published.code, published.stdout, published.stderr)
	}
	contains(t, published.stdout, "The list is the same as the published one.")

	// A plugin that cannot find its program says how to get it, and stops nothing.
	if err := os.RemoveAll(filepath.Join(s.dir, "node_modules/@sitewalk")); err != nil {
		t.Fatal(err)
	}
	s.inputs("")
	without := s.build("production")
	if without.code != 0 {
		t.Fatalf("exit code %d\n%s%s", without.code, without.stdout, without.stderr)
	}
	contains(t, without.stdout+without.stderr, "the package @sitewalk/linux-x64 is not installed", "without --omit=optional")
}

// TestNetlifyAsksTheLiveSite deploys to a site that serves another page than was built: a
// production deploy is asked, a preview is not, and only who asks for it lets the plugin fail.
func TestNetlifyAsksTheLiveSite(t *testing.T) {
	t.Parallel()
	s := newNetlifySite(t)
	asked := map[string]int{}
	files, broken := s.Sites["example.com"], false
	s.Sites["example.com"] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked[r.URL.Path]++
		if broken && r.URL.Path == "/about/" {
			http.NotFound(w, r)
			return
		}
		files.ServeHTTP(w, r)
	})
	build := func(context string) outcome {
		t.Helper()
		clear(asked)
		o := s.build(context)
		if o.code != 0 {
			t.Fatalf("a deploy that is live fails: exit code %d\n%s%s", o.code, o.stdout, o.stderr)
		}
		return o
	}
	contains(t, build("production").stdout, "5 URLs, 6 live URLs asked, 6 right")
	if asked["/about/"] != 1 || asked["/sitemap.xml"] != 2 { // once to wait for it
		t.Errorf("asked for %v", asked)
	}
	if build("deploy-preview"); len(asked) > 0 {
		t.Errorf("for a preview, production is asked for %v", asked)
	}
	broken = true
	o := build("production")
	contains(t, o.stdout, "5 URLs, 6 live URLs asked, 5 right", "https://example.com/about/ answers 404 Not Found, and was built", "The list is the same as the published one.")
	if strings.Contains(o.stdout+o.stderr, `Plugin "netlify-plugin-sitewalk" failed`) {
		t.Errorf("the plugin fails, and was not asked to\n%s%s", o.stdout, o.stderr)
	}
	s.inputs(`fail_on = "live"`)
	o = build("production")
	contains(t, o.stdout+o.stderr, `Plugin "netlify-plugin-sitewalk" failed`, "the deploy is live, and https://example.com/about/ answers 404 Not Found, and was built")
	s.inputs("fail_on = \"live\"\nlive = 0")
	if build("production"); len(asked) > 0 {
		t.Errorf("with live = 0, %v", asked)
	}
	broken = false
	s.inputs("live = 2")
	contains(t, build("production").stdout, "2 live URLs asked, 2 right")
}

// TestNetlifyLedger keeps the days of changes in the build cache.
func TestNetlifyLedger(t *testing.T) {
	t.Parallel()
	s := newNetlifySite(t)
	s.build("production", "SOURCE_DATE_EPOCH=1767268800")
	if got := s.read("dist/sitemap.xml"); strings.Contains(got, "<lastmod>") {
		t.Errorf("the first build has dates:\n%s", got)
	}
	s.write(source("about"), "<title>about</title><main>Another text</main>")
	s.build("production", "SOURCE_DATE_EPOCH=1767355200")
	contains(t, s.read("dist/sitemap.xml"), "<loc>https://example.com/about/</loc><lastmod>2026-01-02")

	// sitemap.yaml has the last word, and so has the input.
	s.write("sitemap.yaml", "ledger: own.ledger\n")
	s.build("production")
	contains(t, s.read("own.ledger"), "# sitewalk ledger")
	if err := os.Remove(filepath.Join(s.dir, "sitemap.yaml")); err != nil {
		t.Fatal(err)
	}
	s.inputs("ledger = false")
	s.build("production")
	if got := s.read("dist/sitemap.xml"); strings.Contains(got, "<lastmod>") {
		t.Errorf("without a ledger there are dates:\n%s", got)
	}
}

// TestNetlifyInputs gives Netlify an input that the plugin does not have and one that it
// refuses. Netlify does the same with each refusal, so the others are asked of the plugin.
func TestNetlifyInputs(t *testing.T) {
	t.Parallel()
	s := newNetlifySite(t)
	for toml, want := range map[string]string{
		`fail_on = "lots"`: `netlify.toml: fail_on "lots" is not one of "lost", "errors", "live"`,
		`nonsense = true`:  `nonsense`,
	} {
		s.inputs(toml)
		o := s.build("production")
		if o.code != 2 {
			t.Errorf("%s: exit code %d\n%s", toml, o.code, o.stdout)
		}
		contains(t, o.stdout+o.stderr, want)
	}
	for input, want := range map[string]string{
		`"max_loss": "few"`:         `netlify.toml: max_loss "few" is neither a number nor a percentage`,
		`"base_url": "example.com"`: `netlify.toml: base_url "example.com" is not an address; write https://example.com/`,
		`"live": "all"`:             `netlify.toml: live "all" is not a number of addresses`,
		`"ledger": "yes"`:           `netlify.toml: ledger "yes" is neither true nor false`,
	} {
		said := s.do("node", "--input-type=module", "-e", `import { onPreBuild } from "netlify-plugin-sitewalk";
const inputs = { fail_on: "", live: 200, ledger: true, indexnow_key: "", `+input+` };
await onPreBuild({ inputs, utils: { build: { failBuild: (text) => console.log("stopped:", text) } } });`)
		contains(t, said, "stopped: "+want)
	}
	s.inputs("base_url = \"https://example.org/\"\nmax_loss = 3\nfail_on = \"lost, errors\"")
	if o := s.build("production"); o.code != 0 {
		t.Errorf("exit code %d\n%s%s", o.code, o.stdout, o.stderr)
	}
	contains(t, s.read("dist/sitemap.xml"), "<loc>https://example.org/about/</loc>")
}

// TestNetlifyWithoutASitemap has a site that sitewalk cannot list.
func TestNetlifyWithoutASitemap(t *testing.T) {
	t.Parallel()
	s := newNetlifySite(t)
	s.write("sitemap.yaml", "pages: {dir: dist}\nnonsense: true\n")
	o := s.build("production")
	if o.code != 0 {
		t.Errorf("exit code %d; nobody asked it to stop the deploy\n%s%s", o.code, o.stdout, o.stderr)
	}
	contains(t, o.stdout+o.stderr, "the sitemap could not be built: sitemap.yaml has a mistake", `unknown key "nonsense"`)
	s.inputs(`fail_on = "errors"`)
	if o := s.build("production"); o.code != 2 {
		t.Errorf("exit code %d\n%s%s", o.code, o.stdout, o.stderr)
	}
}
