package cli

import (
	"os"
	"strings"
	"testing"
	"time"
)

// TestWatchRoots takes the publish directory, and what leads to it, away in the
// ways there are, for long enough that new attempts fail as well.
func TestWatchRoots(t *testing.T) {
	long := 1200 * time.Millisecond // a new attempt, and the next one
	for name, tt := range map[string]struct{ away, back func(p *project) }{
		"a file in its place": {
			func(p *project) {
				p.must(os.Rename(p.at("deep/public"), p.at("old")))
				p.must(os.WriteFile(p.at("deep/public"), []byte("no folder"), 0o644))
			},
			func(p *project) {
				p.must(os.Remove(p.at("deep/public")))
				p.must(os.Rename(p.at("old"), p.at("deep/public")))
			},
		},
		"a link elsewhere": {
			func(p *project) {
				p.write("elsewhere/else.html", htmlPage)
				p.wipe("deep/public")
				p.must(os.Symlink("../elsewhere", p.at("deep/public")))
			},
			func(p *project) {
				p.write("another/index.html", htmlPage)
				p.must(os.Symlink("../another", p.at("deep/public.new")))
				p.must(os.Rename(p.at("deep/public.new"), p.at("deep/public")))
			},
		},
		"a link to nothing": {
			func(p *project) {
				p.must(os.Rename(p.at("deep/public"), p.at("old")))
				p.must(os.Symlink("../nothing", p.at("deep/public")))
			},
			func(p *project) { p.must(os.Rename(p.at("old"), p.at("nothing"))) },
		},
		"a link to itself": {
			func(p *project) {
				p.must(os.Rename(p.at("deep/public"), p.at("old")))
				p.must(os.Symlink("public", p.at("deep/public")))
			},
			func(p *project) {
				p.must(os.Remove(p.at("deep/public")))
				p.must(os.Rename(p.at("old"), p.at("deep/public")))
			},
		},
		"its parent moved": {
			func(p *project) { p.must(os.Rename(p.at("deep"), p.at("moved"))) },
			func(p *project) {
				p.write("moved/public/meanwhile.html", htmlPage)
				p.must(os.Rename(p.at("moved"), p.at("deep")))
			},
		},
		"the project moved": {
			func(p *project) { p.must(os.Rename(p.dir, p.dir+".moved")) },
			func(p *project) {
				p.must(os.WriteFile(p.dir+".moved/deep/public/meanwhile.html", []byte(htmlPage), 0o644))
				p.must(os.Rename(p.dir+".moved", p.dir))
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			backendsOfWatch(t, func(t *testing.T, args ...string) {
				p := newProject(t, map[string]string{
					"sitemap.yaml":                 "base_url: https://example.com/\npages: {dir: deep/public}\n",
					"deep/public/index.html":       htmlPage,
					"deep/public/a/index.html":     htmlPage,
					"deep/public/a/b/c/index.html": htmlPage,
				})
				p.watch(args...)
				tt.away(p)
				time.Sleep(long)
				tt.back(p)
				p.fresh()
				p.write("deep/public/a/b/last.html", htmlPage)
				p.until("a page written later", func() bool { return strings.Contains(p.read("deep/public/sitemap.xml"), "last") })
				p.fresh()
			})
		})
	}
}
