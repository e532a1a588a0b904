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

// A netlifySite is a site with the installed plugin. Netlify's build tool builds it.
type netlifySite struct {
	*session
	*testsite.Web
}

func newNetlifySite(t *testing.T) netlifySite {
	s := netlifySite{newProject(t, "netlify-plugin-sitewalk", "sitewalk", "@sitewalk/linux-x64"), testsite.NewWeb(t)}
	for _, host := range []string{"example.com", "example.org"} {
		s.Sites[host] = testsite.ServeFolder(filepath.Join(s.dir, "dist")) // each build is live immediately
	}
	for _, page := range []string{"", "about", "team", "posts/one", "posts/two"} {
		s.write(sourceFile(page), fmt.Sprintf("<title>%s</title><main>The page %[1]s</main>", page))
	}
	s.writeConfig("")
	return s
}

// sourceFile returns the name of the source file of a page.
func sourceFile(page string) string { return filepath.Join("src", page, "index.html") }

// writeConfig writes netlify.toml with the given inputs of the plugin.
func (s netlifySite) writeConfig(toml string) {
	s.write("netlify.toml", `[build]
command = "rm -rf dist && cp -r src dist"
publish = "dist"
[[plugins]]
package = "netlify-plugin-sitewalk"
[plugins.inputs]
`+toml)
}

// build runs Netlify's build tool for a deploy context.
func (s netlifySite) build(context string, env ...string) outcome {
	s.t.Helper()
	system := *s.session
	system.env = append(append(append([]string{}, s.env...), s.Env()...), env...)
	system.env = append(system.env, "URL=https://example.com", "NETLIFY=true")
	o := system.tryRun("node", toolPath(s.t, "@netlify/build/bin.js"), "--offline", "--cwd", s.dir,
		"--node-path", s.lookPath("node"), "--telemetry=false", "--context", context)
	if strings.Contains(o.stderr+o.stdout, "waiting ") {
		s.t.Errorf("the plugin waits for a deploy that is live already\n%s%s", o.stdout, o.stderr)
	}
	return o
}

// remove removes the source file of a page.
func (s netlifySite) remove(page string) {
	s.t.Helper()
	if err := os.Remove(filepath.Join(s.dir, sourceFile(page))); err != nil {
		s.t.Fatal(err)
	}
}

// TestNetlifyPlugin checks the plugin in a first build, in a preview and in production builds that
// lose a page, and without the package of the platform.
func TestNetlifyPlugin(t *testing.T) {
	t.Parallel()
	s := newNetlifySite(t)

	// The first build has no published list to compare with.
	first := s.build("production")
	if first.code != 0 {
		t.Fatalf("exit code %d, want 0\n%s%s", first.code, first.stdout, first.stderr)
	}
	checkContains(t, first.stdout, "5 URLs", "there is no published list to compare with")
	checkContains(t, s.read("dist/sitemap.xml"), "<loc>https://example.com/posts/one/</loc>")

	// A preview reports a lost page, but does not fail and does not change the cache.
	s.remove("team")
	s.write(sourceFile("new"), "<title>New</title><main>New</main>")
	preview := s.build("deploy-preview")
	if preview.code != 0 {
		t.Fatalf("exit code %d, want 0\n%s%s", preview.code, preview.stdout, preview.stderr)
	}
	checkContains(t, preview.stdout, "5 URLs, 1 lost, 1 added", "lost: https://example.com/team/")

	// With fail_on, the plugin stops the deploy and does not change the cache.
	s.writeConfig(`fail_on = "lost"`)
	stopped := s.build("production")
	if stopped.code != 2 {
		t.Fatalf("exit code %d, want 2\n%s%s", stopped.code, stopped.stdout, stopped.stderr)
	}
	checkContains(t, stopped.stdout+stopped.stderr, "the deploy would lose 1 URL", "lost: https://example.com/team/")
	s.writeConfig("fail_on = \"lost\"\nmax_loss = \"50%\"")
	if allowed := s.build("production"); allowed.code != 0 {
		t.Fatalf("exit code %d, want 0\n%s%s", allowed.code, allowed.stdout, allowed.stderr)
	}
	s.writeConfig(`fail_on = "lost"`)
	published := s.build("production")
	if published.code != 0 || strings.Contains(published.stdout, "lost:") {
		t.Fatalf("exit code %d\n%s%s", published.code, published.stdout, published.stderr)
	}
	checkContains(t, published.stdout, "The list is the same as the published one.")

	// If the program is missing, the plugin explains how to install it and does not fail the build.
	if err := os.RemoveAll(filepath.Join(s.dir, "node_modules/@sitewalk")); err != nil {
		t.Fatal(err)
	}
	s.writeConfig("")
	without := s.build("production")
	if without.code != 0 {
		t.Fatalf("exit code %d, want 0\n%s%s", without.code, without.stdout, without.stderr)
	}
	checkContains(t, without.stdout+without.stderr, "the package @sitewalk/linux-x64 is not installed", "without --omit=optional")
}

// TestNetlifyLiveCheck checks that the plugin requests the live pages after a production deploy, and
// not after a preview. A wrong live page fails the plugin only with fail_on = "live".
func TestNetlifyLiveCheck(t *testing.T) {
	t.Parallel()
	s := newNetlifySite(t)
	requests := map[string]int{} // by path
	files, broken := s.Sites["example.com"], false
	s.Sites["example.com"] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests[r.URL.Path]++
		if broken && r.URL.Path == "/about/" {
			http.NotFound(w, r)
			return
		}
		files.ServeHTTP(w, r)
	})
	build := func(context string) outcome {
		t.Helper()
		clear(requests)
		o := s.build(context)
		if o.code != 0 {
			t.Fatalf("exit code %d, want 0 for a deploy that is live\n%s%s", o.code, o.stdout, o.stderr)
		}
		return o
	}
	checkContains(t, build("production").stdout, "5 URLs, 6 live URLs requested, 6 correct")
	if requests["/about/"] != 1 || requests["/sitemap.xml"] != 2 { // one of them waits for the deploy
		t.Errorf("requests %v, want one for /about/ and two for /sitemap.xml", requests)
	}
	if build("deploy-preview"); len(requests) > 0 {
		t.Errorf("requests for a preview: %v, want none", requests)
	}
	broken = true
	o := build("production")
	checkContains(t, o.stdout, "5 URLs, 6 live URLs requested, 5 correct", "https://example.com/about/ answers 404 Not Found, and was built", "The list is the same as the published one.")
	if strings.Contains(o.stdout+o.stderr, `Plugin "netlify-plugin-sitewalk" failed`) {
		t.Errorf("the plugin fails without fail_on\n%s%s", o.stdout, o.stderr)
	}
	s.writeConfig(`fail_on = "live"`)
	o = build("production")
	checkContains(t, o.stdout+o.stderr, `Plugin "netlify-plugin-sitewalk" failed`, "the deploy is live, and https://example.com/about/ answers 404 Not Found, and was built")
	s.writeConfig("fail_on = \"live\"\nlive = 0")
	if build("production"); len(requests) > 0 {
		t.Errorf("requests with live = 0: %v, want none", requests)
	}
	broken = false
	s.writeConfig("live = 2")
	checkContains(t, build("production").stdout, "2 live URLs requested, 2 correct")
}

// TestNetlifyLedger checks that the plugin keeps the ledger in the build cache, unless sitemap.yaml
// or the input ledger overrides it.
func TestNetlifyLedger(t *testing.T) {
	t.Parallel()
	s := newNetlifySite(t)
	s.build("production", "SOURCE_DATE_EPOCH=1767268800")
	if got := s.read("dist/sitemap.xml"); strings.Contains(got, "<lastmod>") {
		t.Errorf("the sitemap of the first build has dates, want none:\n%s", got)
	}
	s.write(sourceFile("about"), "<title>about</title><main>Another text</main>")
	s.build("production", "SOURCE_DATE_EPOCH=1767355200")
	checkContains(t, s.read("dist/sitemap.xml"), "<loc>https://example.com/about/</loc><lastmod>2026-01-02")

	// The ledger of sitemap.yaml overrides the default, and so does the input.
	s.write("sitemap.yaml", "ledger: own.ledger\n")
	s.build("production")
	checkContains(t, s.read("own.ledger"), "# sitewalk ledger")
	if err := os.Remove(filepath.Join(s.dir, "sitemap.yaml")); err != nil {
		t.Fatal(err)
	}
	s.writeConfig("ledger = false")
	s.build("production")
	if got := s.read("dist/sitemap.xml"); strings.Contains(got, "<lastmod>") {
		t.Errorf("the sitemap without a ledger has dates, want none:\n%s", got)
	}
}

// TestNetlifyInputs checks that wrong inputs fail the build with an explanation. Only two of them
// run in Netlify's build tool, which handles all errors in the same way.
func TestNetlifyInputs(t *testing.T) {
	t.Parallel()
	s := newNetlifySite(t)
	for toml, want := range map[string]string{
		`fail_on = "lots"`: `netlify.toml: fail_on "lots" is not one of "lost", "errors", "live"`,
		`nonsense = true`:  `nonsense`,
	} {
		s.writeConfig(toml)
		o := s.build("production")
		if o.code != 2 {
			t.Errorf("%s: exit code %d, want 2\n%s", toml, o.code, o.stdout)
		}
		checkContains(t, o.stdout+o.stderr, want)
	}
	for input, want := range map[string]string{
		`"max_loss": "few"`:         `netlify.toml: max_loss "few" is neither a number nor a percentage`,
		`"base_url": "example.com"`: `netlify.toml: base_url "example.com" is not an address; write https://example.com/`,
		`"live": "all"`:             `netlify.toml: live "all" is not a number of addresses`,
		`"ledger": "yes"`:           `netlify.toml: ledger "yes" is neither true nor false`,
	} {
		output := s.run("node", "--input-type=module", "-e", `import { onPreBuild } from "netlify-plugin-sitewalk";
const inputs = { fail_on: "", live: 200, ledger: true, indexnow_key: "", `+input+` };
await onPreBuild({ inputs, utils: { build: { failBuild: (text) => console.log("stopped:", text) } } });`)
		checkContains(t, output, "stopped: "+want)
	}
	s.writeConfig("base_url = \"https://example.org/\"\nmax_loss = 3\nfail_on = \"lost, errors\"")
	if o := s.build("production"); o.code != 0 {
		t.Errorf("exit code %d, want 0\n%s%s", o.code, o.stdout, o.stderr)
	}
	checkContains(t, s.read("dist/sitemap.xml"), "<loc>https://example.org/about/</loc>")
}

// TestNetlifyConfigError checks that a wrong sitemap.yaml fails the build only with
// fail_on = "errors".
func TestNetlifyConfigError(t *testing.T) {
	t.Parallel()
	s := newNetlifySite(t)
	s.write("sitemap.yaml", "pages: {dir: dist}\nnonsense: true\n")
	o := s.build("production")
	if o.code != 0 {
		t.Errorf("exit code %d, want 0 without fail_on\n%s%s", o.code, o.stdout, o.stderr)
	}
	checkContains(t, o.stdout+o.stderr, "the sitemap could not be built: sitemap.yaml has a mistake", `unknown key "nonsense"`)
	s.writeConfig(`fail_on = "errors"`)
	if o := s.build("production"); o.code != 2 {
		t.Errorf("exit code %d, want 2\n%s%s", o.code, o.stdout, o.stderr)
	}
}
