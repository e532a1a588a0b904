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

// TestWatchFollowsTypicalChanges checks that a watch follows typical changes of a site, with events
// of the system and with polling.
func TestWatchFollowsTypicalChanges(t *testing.T) {
	runWithRealTime(t, func(p *project) {
		p.WaitUntilLikeFreshBuild()
		p.Write("public/new.html", testsite.SmallPage)
		p.waitUntilSitemapHas("/new.html")
		p.Write("sitemap.yaml", testsite.SmallConfig+"defaults: {changefreq: weekly}\n")
		p.waitUntilSitemapHas("weekly")
		p.Must(os.Rename(p.AbsPath("public"), p.AbsPath("away")))
		p.WaitUntil("the error", func() bool { return strings.Contains(p.lastEvent().Message, "does not exist") })
		p.Write("away/late.html", testsite.SmallPage)
		p.Must(os.Rename(p.AbsPath("away"), p.AbsPath("public")))
		p.waitUntilSitemapHas("/late.html")
		p.Write("public/deep/down/later.html", testsite.SmallPage)
		p.waitUntilSitemapHas("/later.html")
		p.Must(os.Remove(p.AbsPath("public/sitemap.xml")))
		p.WaitUntilLikeFreshBuild()
		p.requireNoEvents()
	})
}

// TestWatchRestoresOwnFiles overwrites and deletes files that sitewalk wrote. The watch must
// restore them, and its own writes must not cause a build.
func TestWatchRestoresOwnFiles(t *testing.T) {
	runWithVirtualTime(t, func(t *testing.T, p *project) {
		p.Write("sitemap.yaml", testsite.SmallConfig+"ledger: sitemap.ledger\noutput: {formats: [xml, rss], robots: true, page: map/sitemap.html, gzip: also}\n")
		p.watchByPolling()
		p.WaitUntilLikeFreshBuild()
		p.requireNoEvents()
		for _, name := range []string{"public/sitemap.xml", "public/map/sitemap.html", "public/sitemap.xml.gz", "sitemap.ledger"} {
			p.Must(os.Remove(p.AbsPath(name)))
			p.WaitUntilLikeFreshBuild()
			if strings.HasSuffix(name, ".html") {
				continue // another program's page is not replaced
			}
			p.Write(name, "<urlset>another tool's</urlset>")
			p.WaitUntil(name, func() bool { return !strings.Contains(p.Read(name), "another tool") })
			p.WaitUntilLikeFreshBuild()
			p.requireNoEvents()
		}
		p.Write("public/robots.txt", "User-agent: *\nDisallow: /a/\n")
		p.WaitUntil("robots.txt", func() bool {
			return strings.Contains(p.Read("public/robots.txt"), "Sitemap:") && !strings.Contains(p.Read("public/sitemap.xml"), "/a/")
		})
		p.WaitUntilLikeFreshBuild()
		p.requireNoEvents()
	})
}

// TestWatchWritesIntoNewFolder writes into a new folder "out". sitewalk also looks for a publish
// directory with this name, but the new folder must not cause a second build.
func TestWatchWritesIntoNewFolder(t *testing.T) {
	runWithVirtualTime(t, func(t *testing.T, p *project) {
		p.setDirAndBase("public", "https://example.internal/")
		p.flags["output"] = []string{"out"}
		p.watchByPolling()
		p.WaitUntilLikeFreshBuild()
		p.requireNoEvents()
		if n := len(p.events()); n > 1 {
			t.Errorf("got %d builds, want 1:\n%s", n, p.output())
		}
		p.Write("out/index.html", testsite.SmallPage) // the folder may now count as the publish directory
		p.WaitUntil("other settings", func() bool { return len(p.events()) > 1 })
	})
}

// TestWatchKeepsTextOfLLMSFile checks that the watch keeps the user's text around the list in
// llms.txt, and updates the list.
func TestWatchKeepsTextOfLLMSFile(t *testing.T) {
	runWithVirtualTime(t, func(t *testing.T, p *project) {
		const file = "public/llms.txt"
		p.Write("sitemap.yaml", testsite.SmallConfig+"output: {formats: [xml, llms]}\n")
		p.Write(file, "# By hand\n")
		p.watchByPolling()
		p.requireNoEvents()
		if got := p.Read(file); got != "# By hand\n" {
			t.Errorf("file without marks: got %q, want it unchanged", got)
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
		p.requireNoEvents()
		p.Must(os.Remove(p.AbsPath(file)))
		p.WaitUntil("a new file", func() bool { return strings.Contains(p.Read(file), "/new.html") })
		p.WaitUntilLikeFreshBuild()
	})
}

// TestWatchLinksMarkdownCopies adds and removes the Markdown copy of a page. The link in llms.txt
// must change, although the page does not.
func TestWatchLinksMarkdownCopies(t *testing.T) {
	runWithVirtualTime(t, func(t *testing.T, p *project) {
		p.Write("sitemap.yaml", testsite.SmallConfig+"output: {formats: [xml, llms]}\n")
		p.Write("public/news.html", testsite.SmallPage+`<link rel="alternate" type="text/markdown" href="md/latest">`)
		p.watchByPolling()
		p.requireNoEvents()
		links := func(address string) bool { return strings.Contains(p.Read("public/llms.txt"), address) }
		p.Write("public/a/index.md", "# A\n")
		p.WaitUntil("the copy", func() bool { return links("/a/index.md)") })
		p.Write("public/md/latest", "# News\n")
		p.WaitUntil("the copy that the page links", func() bool { return links("/md/latest)") })
		p.WaitUntilLikeFreshBuild()
		p.requireNoEvents()
		p.Must(os.Remove(p.AbsPath("public/a/index.md")))
		p.Must(os.RemoveAll(p.AbsPath("public/md")))
		p.WaitUntil("the pages", func() bool { return links("/a/)") && links("/news.html)") })
		p.WaitUntilLikeFreshBuild()
	})
}

// TestWatchIgnoresOwnFilesBehindLinks checks that the files that the watch writes cause no build if
// the tree contains symbolic links.
func TestWatchIgnoresOwnFilesBehindLinks(t *testing.T) {
	runWithVirtualTime(t, func(t *testing.T, p *project) {
		p.Must(os.Symlink("a", p.AbsPath("public/link")))
		p.watchByPolling()
		p.requireNoEvents()
		p.Write("public/a/c.html", testsite.SmallPage)
		p.waitUntilSitemapHas("/link/c.html")
		p.requireNoEvents()
	})
}

// TestWatchUsesLastGoodSettings checks that the watch reports a mistake in the configuration file
// and builds with the last good settings until the mistake is corrected.
func TestWatchUsesLastGoodSettings(t *testing.T) {
	runWithVirtualTime(t, func(t *testing.T, p *project) {
		p.watchByPolling()
		p.Write("sitemap.yaml", testsite.SmallConfig+"defaults: {changefreq: sometimes}\n")
		p.WaitUntil("the error", func() bool {
			last := p.lastEvent()
			return last.Event == "error" && len(last.Findings) > 0 && last.Findings[0].List[0].Pos.Line == 3
		})
		p.Write("public/new.html", testsite.SmallPage)
		p.WaitUntil("the new page, with the last good settings", func() bool { return strings.Contains(p.Read("public/sitemap.xml"), "/new.html") })
		p.Write("sitemap.yaml", testsite.SmallConfig+"defaults: {changefreq: weekly}\n")
		p.waitUntilSitemapHas("weekly")
		p.Write("public/_redirects", "/a/ / 301!\n")
		p.Write("public/_headers", "/new*\n  X-Robots-Tag: noindex\n")
		p.Write("netlify.toml", "[build]\npublish = 'public'\n")
		p.WaitUntil("the host's redirect", func() bool { return !strings.Contains(p.Read("public/sitemap.xml"), "/a/<") })
		p.WaitUntilLikeFreshBuild()
		p.RemoveDir("public")
		p.Write("sitemap.yaml", testsite.SmallConfig)
		time.Sleep(100 * time.Millisecond)
		p.Write("public/index.html", testsite.SmallPage)
		p.waitUntilSitemapHas("https://example.internal/<")
	})
}

// TestWatchFollowsLinkedConfiguration checks that the watch notices edits and replacements of the
// file to which the symbolic link sitemap.yaml leads.
func TestWatchFollowsLinkedConfiguration(t *testing.T) {
	runWithVirtualTime(t, func(t *testing.T, p *project) {
		p.Must(os.Remove(p.AbsPath("sitemap.yaml")))
		p.Write("shared/v1/sitemap.yaml", testsite.SmallConfig+"defaults: {priority: 0.1}\n")
		p.Write("shared/v2/sitemap.yaml", testsite.SmallConfig+"defaults: {priority: 0.2}\n")
		p.Must(os.Symlink("shared/current/sitemap.yaml", p.AbsPath("sitemap.yaml")))
		p.Must(os.Symlink("v1", p.AbsPath("shared/current")))
		p.watchByPolling()
		p.waitUntilSitemapHas("<priority>0.1")
		p.Write("shared/v1/sitemap.yaml", testsite.SmallConfig+"defaults: {priority: 0.30}\n")
		p.waitUntilSitemapHas("<priority>0.3")
		p.Must(os.Symlink("v2", p.AbsPath("shared/new")))
		p.Must(os.Rename(p.AbsPath("shared/new"), p.AbsPath("shared/current")))
		p.waitUntilSitemapHas("<priority>0.2")
		p.Write("shared/v2/sitemap.yaml", testsite.SmallConfig+"defaults: {priority: 0.40}\n")
		p.waitUntilSitemapHas("<priority>0.4")
		p.requireNoEvents()
	})
}

// TestWatchKeepsDayOfChangeInLedger checks that a page keeps the day of its last change on later
// days.
func TestWatchKeepsDayOfChangeInLedger(t *testing.T) {
	runWithVirtualTime(t, func(t *testing.T, p *project) {
		p.Write("sitemap.yaml", testsite.SmallConfig+"ledger: sitemap.ledger\nlastmod: [ledger]\n")
		p.getenv = nil
		var mu sync.Mutex
		now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
		p.now = func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
		forward := func() { mu.Lock(); defer mu.Unlock(); now = now.AddDate(0, 0, 1) }
		_, err := p.build(p.Dir)
		p.Must(err)
		forward()
		p.watchByPolling()
		p.Write("public/a/b.html", testsite.SmallPage+" of the second day")
		p.WaitUntil("the second day", func() bool { return strings.Contains(p.Read("public/sitemap.xml"), "2026-01-02") })
		synctest.Wait() // the ledger is written last
		forward()
		p.Write("public/index.html", testsite.SmallPage+" of the third day")
		p.WaitUntil("the third day", func() bool { return strings.Contains(p.Read("public/sitemap.xml"), "2026-01-03") })
		if !strings.Contains(p.Read("public/sitemap.xml"), "b.html</loc><lastmod>2026-01-02") {
			t.Errorf("the page of the second day has another date:\n%s", p.Read("public/sitemap.xml"))
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

// TestWatchWaitsForPublishDir starts a watch before the publish directory exists. The watch must
// report that, create no folder, and build when the site appears.
func TestWatchWaitsForPublishDir(t *testing.T) {
	t.Parallel()
	config := map[string]string{"sitemap.yaml": testsite.SmallConfig}
	for _, tt := range []struct {
		name, dir string
		files     map[string]string
		named     bool             // the flag --dir is set
		create    func(p *project) // creates the site; nil writes the files into dir
	}{
		{"dir flag", "public", nil, true, nil},
		{"nested folder", "out/site", nil, true, nil},
		{"configuration file", "public", map[string]string{"sitemap.yaml": testsite.SmallConfig + "output: {robots: true, page: map/sitemap.html}\n"}, false, nil},
		{"generator", "public", map[string]string{"hugo.toml": "baseURL = 'https://example.internal/'\n"}, false, nil},
		{"ledger in publish directory", "public", map[string]string{"sitemap.yaml": testsite.SmallConfig + "ledger: public/data/sitemap.ledger\n"}, false, nil},
		{"dangling symlink", "public", config, false, func(p *project) {
			p.Must(os.MkdirAll(p.AbsPath("release/1"), 0o755))
			p.Must(os.WriteFile(p.AbsPath("release/1/index.html"), []byte(testsite.SmallPage), 0o644))
		}},
		{"renamed folder", "public", config, false, func(p *project) {
			p.Write("public.new/index.html", testsite.SmallPage)
			p.Must(os.Rename(p.AbsPath("public.new"), p.AbsPath("public")))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := newProject(t, tt.files)
				if tt.name == "dangling symlink" {
					p.Must(os.Symlink("release/1", p.AbsPath("public")))
				}
				if tt.named {
					p.setDirAndBase(tt.dir, "https://example.internal/")
				}
				p.watchByPolling()
				if e := p.events()[0]; e.Event != "error" || !e.First || !strings.HasPrefix(e.Message, filepath.FromSlash(tt.dir)+" does not exist") {
					t.Errorf("first event: got %+v, want an error about %s", e, tt.dir)
				}
				p.requireNoEvents()
				if _, err := os.Stat(p.AbsPath(tt.dir)); err == nil {
					t.Fatal("the watch creates the publish directory")
				}
				if tt.create != nil {
					tt.create(p)
				} else {
					p.Write(tt.dir+"/_redirects", "/old/ / 301!\n")
					p.Write(tt.dir+"/old/index.html", testsite.SmallPage)
					p.Write(tt.dir+"/index.html", testsite.SmallPage)
					p.Write("netlify.toml", "[build]\n")
				}
				p.WaitUntil("the site", func() bool { return strings.Contains(p.Read(tt.dir+"/sitemap.xml"), "https://example.internal/<") })
				if tt.name != "ledger in publish directory" {
					p.WaitUntilLikeFreshBuild()
				}
			})
		})
	}
}

// TestWatchFindsNewContentFolder checks that the watch reads a content folder that appears later,
// and drops its dates when the folder disappears.
func TestWatchFindsNewContentFolder(t *testing.T) {
	runWithVirtualTime(t, func(t *testing.T, p *project) {
		p.Must(os.Remove(p.AbsPath("sitemap.yaml")))
		p.Write("hugo.toml", "baseURL = 'https://example.internal/'\n")
		p.watchByPolling()
		p.WaitUntilLikeFreshBuild()
		p.Write("content/a/_index.md", "---\nlastmod: 2025-02-03\n---\n")
		p.waitUntilSitemapHas("2025-02-03")
		p.Must(os.RemoveAll(p.AbsPath("content")))
		p.WaitUntil("no date", func() bool { return !strings.Contains(p.Read("public/sitemap.xml"), "2025-02-03") })
		p.WaitUntilLikeFreshBuild()
		p.requireNoEvents()
	})
}

// TestWatchReadsHostFilesOfNestedSite checks that the watch notices a new _headers file in the
// folder of a site with its own base URL.
func TestWatchReadsHostFilesOfNestedSite(t *testing.T) {
	runWithVirtualTime(t, func(t *testing.T, p *project) {
		p.Write("sitemap.yaml", testsite.SmallConfig+"host: netlify\nsites: [{dir: a, base_url: https://a.internal/}]\n")
		p.watchByPolling()
		p.WaitUntilLikeFreshBuild()
		p.Write("public/a/_headers", "/b*\n  X-Robots-Tag: noindex\n")
		p.WaitUntil("the header", func() bool { return !strings.Contains(p.Read("public/a/sitemap.xml"), "/b") })
		p.WaitUntilLikeFreshBuild()
	})
}
