package engine

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sitewalk/sitewalk/internal/llms"
	"github.com/sitewalk/sitewalk/internal/testsite"
)

// TestReally makes typical changes to a site, once with the events of the system and once with
// polling.
func TestReally(t *testing.T) {
	really(t, func(p *project) {
		p.WaitUntilLikeFreshBuild()
		p.Write("public/new.html", testsite.SmallPage)
		p.has("/new.html")
		p.Write("sitemap.yaml", testsite.SmallConfig+"defaults: {changefreq: weekly}\n")
		p.has("weekly")
		p.Must(os.Rename(p.AbsPath("public"), p.AbsPath("away")))
		p.WaitUntil("the trouble", func() bool { return strings.Contains(p.last().Message, "does not exist") })
		p.Write("away/late.html", testsite.SmallPage)
		p.Must(os.Rename(p.AbsPath("away"), p.AbsPath("public")))
		p.has("/late.html")
		p.Write("public/deep/down/later.html", testsite.SmallPage)
		p.has("/later.html")
		p.Must(os.Remove(p.AbsPath("public/sitemap.xml")))
		p.WaitUntilLikeFreshBuild()
		p.quietly()
	})
}

// TestOwnFiles overwrites and deletes files that sitewalk wrote, which must be restored. The
// watch's own writes must not cause a build.
func TestOwnFiles(t *testing.T) {
	virtually(t, func(t *testing.T, p *project) {
		p.Write("sitemap.yaml", testsite.SmallConfig+"ledger: sitemap.ledger\noutput: {formats: [xml, rss], robots: true, page: map/sitemap.html, gzip: also}\n")
		p.follow()
		p.WaitUntilLikeFreshBuild()
		p.quietly()
		for _, name := range []string{"public/sitemap.xml", "public/map/sitemap.html", "public/sitemap.xml.gz", "sitemap.ledger"} {
			p.Must(os.Remove(p.AbsPath(name)))
			p.WaitUntilLikeFreshBuild()
			if strings.HasSuffix(name, ".html") {
				continue // another program's page is not replaced
			}
			p.Write(name, "<urlset>another tool's</urlset>")
			p.WaitUntil(name, func() bool { return !strings.Contains(p.Read(name), "another tool") })
			p.WaitUntilLikeFreshBuild()
			p.quietly()
		}
		p.Write("public/robots.txt", "User-agent: *\nDisallow: /a/\n")
		p.WaitUntil("robots.txt", func() bool {
			return strings.Contains(p.Read("public/robots.txt"), "Sitemap:") && !strings.Contains(p.Read("public/sitemap.xml"), "/a/")
		})
		p.WaitUntilLikeFreshBuild()
		p.quietly()
	})
}

// TestOwnFolder writes into a new folder with a name that sitewalk also searches for a publish
// directory.
func TestOwnFolder(t *testing.T) {
	virtually(t, func(t *testing.T, p *project) {
		p.at("public", "https://example.internal/")
		p.flags["output"] = []string{"out"}
		p.follow()
		p.WaitUntilLikeFreshBuild()
		p.quietly()
		if n := len(p.events()); n > 1 {
			t.Errorf("%d builds:\n%s", n, p.text())
		}
		p.Write("out/index.html", testsite.SmallPage) // the folder may now count as the publish directory
		p.WaitUntil("other settings", func() bool { return len(p.events()) > 1 })
	})
}

// TestTextByHand checks that user text around the list in an llms.txt is kept, and that the list
// follows changes of pages.
func TestTextByHand(t *testing.T) {
	virtually(t, func(t *testing.T, p *project) {
		const file = "public/llms.txt"
		p.Write("sitemap.yaml", testsite.SmallConfig+"output: {formats: [xml, llms]}\n")
		p.Write(file, "# By hand\n")
		p.follow()
		p.quietly()
		if got := p.Read(file); got != "# By hand\n" {
			t.Errorf("a file without marks became %q", got)
		}
		p.Write(file, "# By hand\n"+llms.BeginMark+llms.EndMark+"\nmore\n")
		listed := func(page string) func() bool {
			return func() bool {
				s := p.Read(file)
				return strings.HasPrefix(s, "# By hand\n"+llms.BeginMark) && strings.Contains(s, page) && strings.HasSuffix(s, llms.EndMark+"\nmore\n")
			}
		}
		p.WaitUntil("the list", listed("/a/"))
		p.Write("public/new.html", testsite.SmallPage)
		p.WaitUntil("the new page", listed("/new.html"))
		p.WaitUntilLikeFreshBuild()
		p.quietly()
		p.Must(os.Remove(p.AbsPath(file)))
		p.WaitUntil("a new file", func() bool { return strings.Contains(p.Read(file), "/new.html") })
		p.WaitUntilLikeFreshBuild()
	})
}

// TestMarkdownCopies adds and removes only the Markdown copy of a page, and checks that llms.txt
// changes.
func TestMarkdownCopies(t *testing.T) {
	virtually(t, func(t *testing.T, p *project) {
		p.Write("sitemap.yaml", testsite.SmallConfig+"output: {formats: [xml, llms]}\n")
		p.Write("public/news.html", testsite.SmallPage+`<link rel="alternate" type="text/markdown" href="md/latest">`)
		p.follow()
		p.quietly()
		links := func(address string) bool { return strings.Contains(p.Read("public/llms.txt"), address) }
		p.Write("public/a/index.md", "# A\n")
		p.WaitUntil("the copy", func() bool { return links("/a/index.md)") })
		p.Write("public/md/latest", "# News\n")
		p.WaitUntil("the copy that the head names", func() bool { return links("/md/latest)") })
		p.WaitUntilLikeFreshBuild()
		p.quietly()
		p.Must(os.Remove(p.AbsPath("public/a/index.md")))
		p.Must(os.RemoveAll(p.AbsPath("public/md")))
		p.WaitUntil("the pages", func() bool { return links("/a/)") && links("/news.html)") })
		p.WaitUntilLikeFreshBuild()
	})
}

// TestLinkedTree checks that the watch's own writes cause no build in a tree with symbolic links.
func TestLinkedTree(t *testing.T) {
	virtually(t, func(t *testing.T, p *project) {
		p.Must(os.Symlink("a", p.AbsPath("public/link")))
		p.follow()
		p.quietly()
		p.Write("public/a/c.html", testsite.SmallPage)
		p.has("/link/c.html")
		p.quietly()
	})
}

// TestConfiguration breaks the configuration file and repairs it.
func TestConfiguration(t *testing.T) {
	virtually(t, func(t *testing.T, p *project) {
		p.follow()
		p.Write("sitemap.yaml", testsite.SmallConfig+"defaults: {changefreq: sometimes}\n")
		p.WaitUntil("the mistake", func() bool {
			last := p.last()
			return last.Event == "error" && len(last.Findings) > 0 && last.Findings[0].List[0].Pos.Line == 3
		})
		p.Write("public/new.html", testsite.SmallPage)
		p.WaitUntil("the new page, with the last good settings", func() bool { return strings.Contains(p.Read("public/sitemap.xml"), "/new.html") })
		p.Write("sitemap.yaml", testsite.SmallConfig+"defaults: {changefreq: weekly}\n")
		p.has("weekly")
		p.Write("public/_redirects", "/a/ / 301!\n")
		p.Write("public/_headers", "/new*\n  X-Robots-Tag: noindex\n")
		p.Write("netlify.toml", "[build]\npublish = 'public'\n")
		p.WaitUntil("the host's redirect", func() bool { return !strings.Contains(p.Read("public/sitemap.xml"), "/a/<") })
		p.WaitUntilLikeFreshBuild()
		p.RemoveDir("public")
		p.Write("sitemap.yaml", testsite.SmallConfig)
		time.Sleep(100 * time.Millisecond)
		p.Write("public/index.html", testsite.SmallPage)
		p.has("https://example.internal/<")
	})
}

// TestLinkedConfiguration edits and replaces the target of a sitemap.yaml that is a symbolic link.
func TestLinkedConfiguration(t *testing.T) {
	virtually(t, func(t *testing.T, p *project) {
		p.Must(os.Remove(p.AbsPath("sitemap.yaml")))
		p.Write("shared/v1/sitemap.yaml", testsite.SmallConfig+"defaults: {priority: 0.1}\n")
		p.Write("shared/v2/sitemap.yaml", testsite.SmallConfig+"defaults: {priority: 0.2}\n")
		p.Must(os.Symlink("shared/current/sitemap.yaml", p.AbsPath("sitemap.yaml")))
		p.Must(os.Symlink("v1", p.AbsPath("shared/current")))
		p.follow()
		p.has("<priority>0.1")
		p.Write("shared/v1/sitemap.yaml", testsite.SmallConfig+"defaults: {priority: 0.30}\n")
		p.has("<priority>0.3")
		p.Must(os.Symlink("v2", p.AbsPath("shared/new")))
		p.Must(os.Rename(p.AbsPath("shared/new"), p.AbsPath("shared/current")))
		p.has("<priority>0.2")
		p.Write("shared/v2/sitemap.yaml", testsite.SmallConfig+"defaults: {priority: 0.40}\n")
		p.has("<priority>0.4")
		p.quietly()
	})
}

// TestDays checks that the day of a change stays in the ledger when the next day begins.
func TestDays(t *testing.T) {
	virtually(t, func(t *testing.T, p *project) {
		p.Write("sitemap.yaml", testsite.SmallConfig+"ledger: sitemap.ledger\nlastmod: [ledger]\n")
		p.getenv = nil
		var mu sync.Mutex
		now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
		p.now = func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
		forward := func() { mu.Lock(); defer mu.Unlock(); now = now.AddDate(0, 0, 1) }
		_, err := p.build(p.Dir)
		p.Must(err)
		forward()
		p.follow()
		p.Write("public/a/b.html", testsite.SmallPage+" of the second day")
		p.WaitUntil("the second day", func() bool { return strings.Contains(p.Read("public/sitemap.xml"), "2026-01-02") })
		synctest.Wait() // the ledger is written last
		forward()
		p.Write("public/index.html", testsite.SmallPage+" of the third day")
		p.WaitUntil("the third day", func() bool { return strings.Contains(p.Read("public/sitemap.xml"), "2026-01-03") })
		if !strings.Contains(p.Read("public/sitemap.xml"), "b.html</loc><lastmod>2026-01-02") {
			t.Errorf("the page of the second day moved:\n%s", p.Read("public/sitemap.xml"))
		}
	})
}

// builtSession returns a session that has built once, for a test that calls its methods.
func (p *project) builtSession() *session {
	p.T.Helper()
	o := p.options()
	o.Quiet, o.Poll = 5*time.Millisecond, 10*time.Millisecond
	s := newSession(o)
	p.Must(s.loadAndBuild(p.T.Context()))
	p.T.Cleanup(func() { _ = s.batches.Close() })
	return s
}

// TestAwaits starts a watch before the site exists. The watch reports what it waits for, creates no
// folder, and builds when the site appears.
func TestAwaits(t *testing.T) {
	t.Parallel()
	config := map[string]string{"sitemap.yaml": testsite.SmallConfig}
	for _, tt := range []struct {
		name, dir string
		files     map[string]string
		named     bool             // the command line names the publish directory
		come      func(p *project) // creates the site; nil writes it in place
	}{
		{"named", "public", nil, true, nil},
		{"deep", "out/site", nil, true, nil},
		{"in the file", "public", map[string]string{"sitemap.yaml": testsite.SmallConfig + "output: {robots: true, page: map/sitemap.html}\n"}, false, nil},
		{"of a generator", "public", map[string]string{"hugo.toml": "baseURL = 'https://example.internal/'\n"}, false, nil},
		{"ledger within", "public", map[string]string{"sitemap.yaml": testsite.SmallConfig + "ledger: public/data/sitemap.ledger\n"}, false, nil},
		{"link to nothing", "public", config, false, func(p *project) {
			p.Must(os.MkdirAll(p.AbsPath("release/1"), 0o755))
			p.Must(os.WriteFile(p.AbsPath("release/1/index.html"), []byte(testsite.SmallPage), 0o644))
		}},
		{"moved there", "public", config, false, func(p *project) {
			p.Write("public.new/index.html", testsite.SmallPage)
			p.Must(os.Rename(p.AbsPath("public.new"), p.AbsPath("public")))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := newProject(t, tt.files)
				if tt.name == "link to nothing" {
					p.Must(os.Symlink("release/1", p.AbsPath("public")))
				}
				if tt.named {
					p.at(tt.dir, "https://example.internal/")
				}
				p.follow()
				if e := p.events()[0]; e.Event != "error" || !e.First || !strings.HasPrefix(e.Message, filepath.FromSlash(tt.dir)+" does not exist") {
					t.Errorf("it says %+v", e)
				}
				p.quietly()
				if _, err := os.Stat(p.AbsPath(tt.dir)); err == nil {
					t.Fatal("it made the folder")
				}
				if tt.come != nil {
					tt.come(p)
				} else {
					p.Write(tt.dir+"/_redirects", "/old/ / 301!\n")
					p.Write(tt.dir+"/old/index.html", testsite.SmallPage)
					p.Write(tt.dir+"/index.html", testsite.SmallPage)
					p.Write("netlify.toml", "[build]\n")
				}
				p.WaitUntil("the site", func() bool { return strings.Contains(p.Read(tt.dir+"/sitemap.xml"), "https://example.internal/<") })
				if tt.name != "ledger within" {
					p.WaitUntilLikeFreshBuild()
				}
			})
		})
	}
}

// TestAwaitsContent checks a watch whose content folder appears later and disappears again.
func TestAwaitsContent(t *testing.T) {
	virtually(t, func(t *testing.T, p *project) {
		p.Must(os.Remove(p.AbsPath("sitemap.yaml")))
		p.Write("hugo.toml", "baseURL = 'https://example.internal/'\n")
		p.follow()
		p.WaitUntilLikeFreshBuild()
		p.Write("content/a/_index.md", "---\nlastmod: 2025-02-03\n---\n")
		p.has("2025-02-03")
		p.Must(os.RemoveAll(p.AbsPath("content")))
		p.WaitUntil("no date", func() bool { return !strings.Contains(p.Read("public/sitemap.xml"), "2025-02-03") })
		p.WaitUntilLikeFreshBuild()
		p.quietly()
	})
}

// TestPartsHost changes the host's files in a folder that another host serves.
func TestPartsHost(t *testing.T) {
	virtually(t, func(t *testing.T, p *project) {
		p.Write("sitemap.yaml", testsite.SmallConfig+"host: netlify\nsites: [{dir: a, base_url: https://a.internal/}]\n")
		p.follow()
		p.WaitUntilLikeFreshBuild()
		p.Write("public/a/_headers", "/b*\n  X-Robots-Tag: noindex\n")
		p.WaitUntil("the header", func() bool { return !strings.Contains(p.Read("public/a/sitemap.xml"), "/b") })
		p.WaitUntilLikeFreshBuild()
	})
}
