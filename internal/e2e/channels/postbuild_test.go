//go:build e2e && linux

package channels

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// newNodeSite returns a session in an empty project with sitewalk and with the generators on the
// PATH. scripts are the scripts of package.json.
func newNodeSite(t *testing.T, scripts string) *session {
	s := newProject(t, "sitewalk", "@sitewalk/linux-x64")
	for _, dir := range []string{"public/about", "public"} {
		if err := os.RemoveAll(filepath.Join(s.dir, dir)); err != nil {
			t.Fatal(err)
		}
	}
	modules := filepath.Dir(toolPath(t, "astro"))
	s.env[0] = "PATH=" + filepath.Join(modules, ".bin") + ":" + strings.TrimPrefix(s.env[0], "PATH=")
	s.env = append(s.env, "ASTRO_TELEMETRY_DISABLED=1", "DO_NOT_TRACK=1")
	s.write("package.json", `{"name": "site", "private": true, "type": "module", "scripts": `+scripts+`}`)
	return s
}

// TestPostbuildOfEleventy runs sitewalk as a postbuild script after Eleventy.
func TestPostbuildOfEleventy(t *testing.T) {
	t.Parallel()
	s := newNodeSite(t, `{"build": "eleventy --quiet", "postbuild": "sitewalk _site -b https://example.com/"}`)
	s.write("index.md", "---\ntitle: Home\nlayout: page.njk\n---\nHello\n")
	s.write("posts/first.md", "---\ntitle: First\nlayout: page.njk\n---\nText\n")
	s.write("hidden.md", "---\ntitle: Hidden\nlayout: page.njk\nhidden: true\n---\nText\n")
	s.write("_includes/page.njk", "<!doctype html><title>{{ title }}</title>{% if hidden %}<meta name=robots content=noindex>{% endif %}<main>{{ content | safe }}</main>")
	s.run("npm", "run", "build")
	got := s.read("_site/sitemap.xml")
	checkContains(t, got, "<loc>https://example.com/</loc>", "<loc>https://example.com/posts/first/</loc>")
	if strings.Contains(got, "hidden") {
		t.Errorf("the sitemap lists a noindex page:\n%s", got)
	}
}

// TestPostbuildOfAstro runs sitewalk as a postbuild script after Astro.
func TestPostbuildOfAstro(t *testing.T) {
	t.Parallel()
	s := newNodeSite(t, `{"build": "astro build", "postbuild": "sitewalk"}`)
	if err := os.Symlink(toolPath(t, "astro"), filepath.Join(s.dir, "node_modules/astro")); err != nil {
		t.Fatal(err)
	}
	s.write("astro.config.mjs", `import { defineConfig } from "astro/config";
export default defineConfig({ site: "https://example.internal" });
`)
	s.write("src/pages/index.astro", "<html><head><title>Home</title></head><body>Hello</body></html>\n")
	s.write("src/pages/about.astro", "<html><head><title>About</title></head><body>Us</body></html>\n")
	s.write("src/pages/404.astro", "<html><head><title>Not found</title></head><body>404</body></html>\n")
	s.run("npm", "run", "build")
	got := s.read("dist/sitemap.xml")
	checkContains(t, got, "<loc>https://example.internal/</loc>", "<loc>https://example.internal/about/</loc>")
	if strings.Count(got, "<loc>") != 2 {
		t.Errorf("the sitemap is\n%s\nwant two URLs", got)
	}
}

// TestVercelBuild runs Vercel's build tool with sitewalk in the build command. It checks that another
// run of sitewalk on the output of Vercel writes the same sitemap.
func TestVercelBuild(t *testing.T) {
	t.Parallel()
	s := newNodeSite(t, `{}`)
	for name, title := range map[string]string{"index": "Home", "about": "About", "old": "Old", "blog/index": "Blog"} {
		s.write("src/"+name+".html", "<!doctype html><title>"+title+"</title><main>"+title+"</main>")
	}
	s.write("vercel.json", `{"cleanUrls": true, "trailingSlash": false, "redirects": [{"source": "/old", "destination": "/about", "permanent": true}]}`)
	project, err := json.Marshal(map[string]any{"projectId": "prj_x", "orgId": "team_x", "settings": map[string]any{
		"framework": nil, "buildCommand": "rm -rf dist && cp -r src dist && node_modules/.bin/sitewalk dist -b https://example.com/",
		"outputDirectory": "dist", "installCommand": "", "nodeVersion": "22.x",
	}})
	if err != nil {
		t.Fatal(err)
	}
	s.write(".vercel/project.json", string(project))
	s.run("vercel", "build", "--yes", "--prod")
	want := []string{"<loc>https://example.com/</loc>", "<loc>https://example.com/about</loc>", "<loc>https://example.com/blog</loc>"}
	published := s.read(".vercel/output/static/sitemap.xml")
	checkContains(t, published, want...)
	if strings.Count(published, "<loc>") != len(want) {
		t.Errorf("the published sitemap is\n%s\nwant %d URLs", published, len(want))
	}
	s.run("node_modules/.bin/sitewalk", ".vercel/output/static", "-b", "https://example.com/")
	if again := s.read(".vercel/output/static/sitemap.xml"); again != published {
		t.Errorf("the sitemap of the output of Vercel is\n%s\nwant\n%s", again, published)
	}
}
