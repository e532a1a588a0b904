//go:build e2e && unix

package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// A storm makes random changes to a project, as generators, editors and people do.
type storm struct {
	*project
	rnd *rand.Rand
	n   int // changes so far
}

// stormDuration returns the duration of each storm.
func stormDuration(t *testing.T) time.Duration {
	return durationFromEnv(t, "SITEWALK_STORM", 2*time.Second)
}

// TestWatchRandomChanges makes many random changes while watch runs. It checks that the files of
// watch then equal those of a new build.
func TestWatchRandomChanges(t *testing.T) {
	for i, config := range []string{
		"pages: {dir: public}\n",
		"pages: {dir: public}\ncontent: {dir: content}\nledger: sitemap.ledger\noutput: {formats: [xml, txt, rss], robots: true, page: map.html}\n",
		"content: {dir: content}\noutput: {gzip: also}\n",
		"pages: {dir: .}\ncontent: {dir: content}\nsites: [{dir: public/a, base_url: https://a.internal/}]\noutput: {formats: [atom, xml], stylesheet: true, max_urls: 2}\n",
	} {
		for _, poll := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d poll %v", i, poll), func(t *testing.T) {
				t.Parallel()
				s := &storm{rnd: rand.New(rand.NewPCG(uint64(i), uint64(time.Now().UnixNano())))}
				s.project = newProject(t, testsite.SmallFiles())
				s.writeConfig(config)
				s.Write("content/_index.md", "---\ntitle: Home\n---\n")
				s.Must(os.MkdirAll(s.AbsPath("public"), 0o755))
				s.writeOldLedger()
				args := []string{"--max-loss", "100%"} // a storm often removes most pages
				if i == 2 {
					args = append(args, "-o", "public")
				}
				if poll {
					args = append(args, "--poll", "25ms")
				}
				s.args = args[:len(args):len(args)]
				if poll {
					s.args = s.args[:len(args)-2]
				}
				s.startWatch(args...)
				for end := time.Now().Add(stormDuration(t)); time.Now().Before(end); {
					for range 20 + s.rnd.IntN(400) {
						s.changeSomething(config)
					}
					s.makeBuildable(config)
					s.WaitUntilLikeFreshBuild()
				}
				t.Logf("%d changes, %d events", s.n, len(s.events()))
			})
		}
	}
}

// writeOldLedger runs a build on the day before, which writes the ledger if the configuration has one.
func (s *storm) writeOldLedger() {
	cmd := s.command(s.T.Context(), "build", "-q", "-o", s.T.TempDir())
	cmd.Env = append(cleanEnv(), "SOURCE_DATE_EPOCH=1767182400")
	_ = cmd.Run() // some configurations cannot be built yet
}

func (s *storm) writeConfig(text string) {
	s.Write("sitemap.yaml", "base_url: https://example.internal/\n"+text)
}

// makeBuildable restores a valid configuration and the home page.
func (s *storm) makeBuildable(config string) {
	s.writeConfig(config + "defaults: {priority: 0." + fmt.Sprint(s.rnd.IntN(10)) + "}\n")
	for _, dir := range []string{"public", "content"} {
		if info, err := os.Stat(s.AbsPath(dir)); err != nil || !info.IsDir() {
			_ = os.RemoveAll(s.AbsPath(dir)) // a file or a broken link
		}
		_ = os.MkdirAll(s.AbsPath(dir), 0o755)
	}
	_, _ = os.RemoveAll(s.AbsPath("public/index.html")), os.RemoveAll(s.AbsPath("content/_index.md"))
	s.Write("public/index.html", testsite.SmallPage)
	s.Write("content/_index.md", "---\ntitle: Home\n---\n")
}

func (s *storm) pick(words ...string) string { return words[s.rnd.IntN(len(words))] }

// randomFolder returns a folder below public or content.
func (s *storm) randomFolder() string {
	parts := []string{s.pick("public", "public", "content")}
	for range s.rnd.IntN(3) {
		parts = append(parts, s.pick("a", "b", "c"))
	}
	return strings.Join(parts, "/")
}

// randomFile returns the name of a page, a content file or another file.
func (s *storm) randomFile() string {
	return s.randomFolder() + "/" + s.pick("index.html", "index.html", "p.html", "q.html", "a", "index.md", "p.md", "b.md", "x.txt", "index.html.tmp")
}

// randomText returns front matter or HTML, some of it incomplete.
func (s *storm) randomText() string {
	if s.rnd.IntN(3) == 0 {
		return "---\ntitle: T\n" + s.pick("", "draft: true\n", "lastmod: 2025-02-03\n", "date: 2024-02-03\n", "url: /b/\n", "priority: [\n") + "---\ntext " + fmt.Sprint(s.n)
	}
	return "<!doctype html><title>T" + fmt.Sprint(s.n%7) + "</title>" + s.pick("", "<meta name=robots content=noindex>",
		"<link rel=canonical href=/a/>", "<meta http-equiv=refresh content='0; url=/b/'>",
		`<meta property="article:modified_time" content="2025-03-04">`, "<meta name=ro") + "<p>" + fmt.Sprint(s.n)
}

// changeSomething makes one random change. It ignores errors, because many changes are impossible
// in the current state.
func (s *storm) changeSomething(config string) {
	s.n++
	name := s.AbsPath(s.randomFile())
	switch s.rnd.IntN(24) {
	case 0, 1, 2, 3, 4, 5:
		_ = os.MkdirAll(filepath.Dir(name), 0o755)
		_ = os.WriteFile(name, []byte(s.randomText()), 0o644)
	case 6, 7:
		_ = os.Remove(name)
	case 8:
		_ = os.RemoveAll(s.AbsPath(s.randomFolder()))
	case 9, 10:
		_ = os.Rename(name, s.AbsPath(s.randomFile()))
	case 11:
		_ = os.Rename(s.AbsPath(s.randomFolder()), s.AbsPath(s.randomFolder()))
	case 12:
		s.saveAsEditor(name)
	case 13:
		s.replacePublishDir()
	case 14:
		s.changeHostFile()
	case 15:
		s.writeConfig(s.pick(config, config+"obey_robots: false\n", config+"rules: [{files: \"a/**\", priority: 0.9}]\n", config+"pages: [", "base_url: x\n"))
	case 16:
		_ = os.WriteFile(s.AbsPath("public/"+s.pick("sitemap.xml", "sitemap.txt", "sitemap.xml.gz")), []byte("<urlset/>"), 0o644)
	case 17:
		_ = os.Remove(s.AbsPath(s.pick("public/sitemap.xml", "public/sitemap.txt", "sitemap.ledger", "public/map.html")))
	case 18:
		_ = os.Symlink(s.pick("a", "../a", "index.html", "p.html"), s.AbsPath(s.randomFolder()+"/link"))
	case 19:
		_ = os.Remove(s.AbsPath(s.randomFolder() + "/link"))
	case 20:
		s.writeInTwoParts(name)
	default:
		time.Sleep(time.Duration(s.rnd.IntN(8)) * time.Millisecond)
	}
}

// saveAsEditor saves a file as many editors do: it writes a new file and renames it.
func (s *storm) saveAsEditor(name string) {
	_ = os.WriteFile(name+"~", []byte(s.randomText()), 0o644)
	_ = os.Rename(name+"~", name)
}

// writeInTwoParts writes the two halves of a file with a pause between them.
func (s *storm) writeInTwoParts(name string) {
	f, err := os.Create(name)
	if err != nil {
		return
	}
	defer f.Close()
	text := s.randomText()
	_, _ = f.WriteString(text[:len(text)/2])
	time.Sleep(time.Duration(s.rnd.IntN(30)) * time.Millisecond)
	_, _ = f.WriteString(text[len(text)/2:])
}

// replacePublishDir replaces the publish directory with a new one, moves it away for a moment, or
// replaces it with a link.
func (s *storm) replacePublishDir() {
	other := s.AbsPath("public" + s.pick(".new", ".old"))
	switch s.rnd.IntN(3) {
	case 0:
		_ = os.MkdirAll(filepath.Join(other, "a/b"), 0o755)
		_ = os.WriteFile(filepath.Join(other, "a/b/index.html"), []byte(s.randomText()), 0o644)
		_ = os.RemoveAll(s.AbsPath("public"))
		_ = os.Rename(other, s.AbsPath("public"))
	case 1:
		_ = os.Rename(s.AbsPath("public"), other)
		time.Sleep(time.Duration(s.rnd.IntN(5)) * time.Millisecond)
		_ = os.Rename(other, s.AbsPath("public"))
	case 2:
		_ = os.Rename(s.AbsPath("public"), other)
		_ = os.Symlink(filepath.Base(other), s.AbsPath("public"))
	}
}

// changeHostFile writes or removes a configuration file of a host.
func (s *storm) changeHostFile() {
	name := s.pick("public/robots.txt", "public/_redirects", "public/_headers", "netlify.toml", "public/CNAME",
		"public/.nojekyll", "vercel.json", "public/vercel.json", "wrangler.jsonc", "public/a/robots.txt", "public/a/_headers")
	text := map[string]string{
		"public/robots.txt":   "User-agent: *\nDisallow: /" + s.pick("a", "b", "c") + "/\n",
		"public/_redirects":   "/a/* /b/ 301!\n",
		"public/_headers":     "/b/*\n  X-Robots-Tag: noindex\n",
		"netlify.toml":        "[build]\npublish = \"public\"\n",
		"public/CNAME":        "example.internal\n",
		"public/.nojekyll":    "",
		"vercel.json":         `{"redirects": [{"source": "/c/(.*)", "destination": "/b/"}], "cleanUrls": ` + s.pick("true", "false") + "}",
		"public/vercel.json":  "{}",
		"wrangler.jsonc":      `{"assets": {"directory": "public", "html_handling": "drop-trailing-slash"}}`,
		"public/a/robots.txt": "User-agent: *\nDisallow: /" + s.pick("a", "b") + "\n",
		"public/a/_headers":   "/p*\n  X-Robots-Tag: noindex\n",
	}[name]
	if s.rnd.IntN(3) == 0 {
		_ = os.Remove(s.AbsPath(name))
		return
	}
	_ = os.WriteFile(s.AbsPath(name), []byte(text), 0o644)
}
