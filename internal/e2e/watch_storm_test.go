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

// A storm changes a project at random, as generators, editors and people do.
type storm struct {
	*project
	rnd *rand.Rand
	n   int
}

// stormLength is how long each storm goes on.
func stormLength(t *testing.T) time.Duration { return length(t, "SITEWALK_STORM", 2*time.Second) }

// TestWatchStorm compares a watch with fresh builds after storms of changes.
func TestWatchStorm(t *testing.T) {
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
				s.config(config)
				s.Write("content/_index.md", "---\ntitle: Home\n---\n")
				s.Must(os.MkdirAll(s.AbsPath("public"), 0o755))
				s.ledgerOfYesterday()
				args := []string{"--max-loss", "100%"} // a storm takes most pages away again and again
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
				s.watch(args...)
				for end := time.Now().Add(stormLength(t)); time.Now().Before(end); {
					for range 20 + s.rnd.IntN(400) {
						s.change(config)
					}
					s.calm(config)
					s.WaitUntilLikeFreshBuild()
				}
				t.Logf("%d changes, %d events", s.n, len(s.events()))
			})
		}
	}
}

func (s *storm) ledgerOfYesterday() {
	cmd := s.command(s.T.Context(), "build", "-q", "-o", s.T.TempDir())
	cmd.Env = append(cleanEnv(), "SOURCE_DATE_EPOCH=1767182400")
	_ = cmd.Run() // writes a ledger where one is asked for
}

func (s *storm) config(text string) {
	s.Write("sitemap.yaml", "base_url: https://example.internal/\n"+text)
}

// calm makes the project one that can be built.
func (s *storm) calm(config string) {
	s.config(config + "defaults: {priority: 0." + fmt.Sprint(s.rnd.IntN(10)) + "}\n")
	for _, dir := range []string{"public", "content"} {
		if info, err := os.Stat(s.AbsPath(dir)); err != nil || !info.IsDir() {
			_ = os.RemoveAll(s.AbsPath(dir)) // a file, or a link that leads nowhere
		}
		_ = os.MkdirAll(s.AbsPath(dir), 0o755)
	}
	_, _ = os.RemoveAll(s.AbsPath("public/index.html")), os.RemoveAll(s.AbsPath("content/_index.md"))
	s.Write("public/index.html", testsite.SmallPage)
	s.Write("content/_index.md", "---\ntitle: Home\n---\n")
}

func (s *storm) pick(words ...string) string { return words[s.rnd.IntN(len(words))] }

func (s *storm) folder() string {
	parts := []string{s.pick("public", "public", "content")}
	for range s.rnd.IntN(3) {
		parts = append(parts, s.pick("a", "b", "c"))
	}
	return strings.Join(parts, "/")
}

func (s *storm) file() string {
	return s.folder() + "/" + s.pick("index.html", "index.html", "p.html", "q.html", "a", "index.md", "p.md", "b.md", "x.txt", "index.html.tmp")
}

func (s *storm) text() string {
	if s.rnd.IntN(3) == 0 {
		return "---\ntitle: T\n" + s.pick("", "draft: true\n", "lastmod: 2025-02-03\n", "date: 2024-02-03\n", "url: /b/\n", "priority: [\n") + "---\ntext " + fmt.Sprint(s.n)
	}
	return "<!doctype html><title>T" + fmt.Sprint(s.n%7) + "</title>" + s.pick("", "<meta name=robots content=noindex>",
		"<link rel=canonical href=/a/>", "<meta http-equiv=refresh content='0; url=/b/'>",
		`<meta property="article:modified_time" content="2025-03-04">`, "<meta name=ro") + "<p>" + fmt.Sprint(s.n)
}

// change does one thing; what cannot be done is not done.
func (s *storm) change(config string) {
	s.n++
	name := s.AbsPath(s.file())
	switch s.rnd.IntN(24) {
	case 0, 1, 2, 3, 4, 5:
		_ = os.MkdirAll(filepath.Dir(name), 0o755)
		_ = os.WriteFile(name, []byte(s.text()), 0o644)
	case 6, 7:
		_ = os.Remove(name)
	case 8:
		_ = os.RemoveAll(s.AbsPath(s.folder()))
	case 9, 10:
		_ = os.Rename(name, s.AbsPath(s.file()))
	case 11:
		_ = os.Rename(s.AbsPath(s.folder()), s.AbsPath(s.folder()))
	case 12:
		s.editor(name)
	case 13:
		s.swap()
	case 14:
		s.hostFile()
	case 15:
		s.config(s.pick(config, config+"obey_robots: false\n", config+"rules: [{files: \"a/**\", priority: 0.9}]\n", config+"pages: [", "base_url: x\n"))
	case 16:
		_ = os.WriteFile(s.AbsPath("public/"+s.pick("sitemap.xml", "sitemap.txt", "sitemap.xml.gz")), []byte("<urlset/>"), 0o644)
	case 17:
		_ = os.Remove(s.AbsPath(s.pick("public/sitemap.xml", "public/sitemap.txt", "sitemap.ledger", "public/map.html")))
	case 18:
		_ = os.Symlink(s.pick("a", "../a", "index.html", "p.html"), s.AbsPath(s.folder()+"/link"))
	case 19:
		_ = os.Remove(s.AbsPath(s.folder() + "/link"))
	case 20:
		s.half(name)
	default:
		time.Sleep(time.Duration(s.rnd.IntN(8)) * time.Millisecond)
	}
}

// editor saves a file as many editors do: beside it, then in its place.
func (s *storm) editor(name string) {
	_ = os.WriteFile(name+"~", []byte(s.text()), 0o644)
	_ = os.Rename(name+"~", name)
}

// half writes a file in two halves.
func (s *storm) half(name string) {
	f, err := os.Create(name)
	if err != nil {
		return
	}
	defer f.Close()
	text := s.text()
	_, _ = f.WriteString(text[:len(text)/2])
	time.Sleep(time.Duration(s.rnd.IntN(30)) * time.Millisecond)
	_, _ = f.WriteString(text[len(text)/2:])
}

// swap builds the site elsewhere and puts it in the place of the old one, or
// takes it away for a moment, or makes it a link.
func (s *storm) swap() {
	other := s.AbsPath("public" + s.pick(".new", ".old"))
	switch s.rnd.IntN(3) {
	case 0:
		_ = os.MkdirAll(filepath.Join(other, "a/b"), 0o755)
		_ = os.WriteFile(filepath.Join(other, "a/b/index.html"), []byte(s.text()), 0o644)
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

func (s *storm) hostFile() {
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
