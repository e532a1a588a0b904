package engine

import (
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// TestWatchFindsPublishDirAgain removes the publish directory or a folder above it, and restores it
// later. The watch must then follow changes again.
func TestWatchFindsPublishDirAgain(t *testing.T) {
	t.Parallel()
	const absence = 1200 * time.Millisecond // longer than two intervals lookInterval
	for name, tt := range map[string]struct{ remove, restore func(p *project) }{
		"file instead of folder": {
			func(p *project) {
				p.Must(os.Rename(p.AbsPath("deep/public"), p.AbsPath("old")))
				p.Must(os.WriteFile(p.AbsPath("deep/public"), []byte("no folder"), 0o644))
			},
			func(p *project) {
				p.Must(os.Remove(p.AbsPath("deep/public")))
				p.Must(os.Rename(p.AbsPath("old"), p.AbsPath("deep/public")))
			},
		},
		"symlink to another folder": {
			func(p *project) {
				p.Write("elsewhere/else.html", testsite.SmallPage)
				p.RemoveDir("deep/public")
				p.Must(os.Symlink("../elsewhere", p.AbsPath("deep/public")))
			},
			func(p *project) {
				p.Write("another/index.html", testsite.SmallPage)
				p.Must(os.Symlink("../another", p.AbsPath("deep/public.new")))
				p.Must(os.Rename(p.AbsPath("deep/public.new"), p.AbsPath("deep/public")))
			},
		},
		"dangling symlink": {
			func(p *project) {
				p.Must(os.Rename(p.AbsPath("deep/public"), p.AbsPath("old")))
				p.Must(os.Symlink("../nothing", p.AbsPath("deep/public")))
			},
			func(p *project) { p.Must(os.Rename(p.AbsPath("old"), p.AbsPath("nothing"))) },
		},
		"symlink to itself": {
			func(p *project) {
				p.Must(os.Rename(p.AbsPath("deep/public"), p.AbsPath("old")))
				p.Must(os.Symlink("public", p.AbsPath("deep/public")))
			},
			func(p *project) {
				p.Must(os.Remove(p.AbsPath("deep/public")))
				p.Must(os.Rename(p.AbsPath("old"), p.AbsPath("deep/public")))
			},
		},
		"moved parent": {
			func(p *project) { p.Must(os.Rename(p.AbsPath("deep"), p.AbsPath("moved"))) },
			func(p *project) {
				p.Write("moved/public/meanwhile.html", testsite.SmallPage)
				p.Must(os.Rename(p.AbsPath("moved"), p.AbsPath("deep")))
			},
		},
		"moved project": {
			func(p *project) { p.Must(os.Rename(p.Dir, p.Dir+".moved")) },
			func(p *project) {
				p.Must(os.WriteFile(p.Dir+".moved/deep/public/meanwhile.html", []byte(testsite.SmallPage), 0o644))
				p.Must(os.Rename(p.Dir+".moved", p.Dir))
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := newProject(t, map[string]string{
					"sitemap.yaml":                 "base_url: https://example.com/\npages: {dir: deep/public}\n",
					"deep/public/index.html":       testsite.SmallPage,
					"deep/public/a/index.html":     testsite.SmallPage,
					"deep/public/a/b/c/index.html": testsite.SmallPage,
				})
				p.watchByPolling()
				tt.remove(p)
				time.Sleep(absence)
				tt.restore(p)
				p.WaitUntilLikeFreshBuild()
				p.Write("deep/public/a/b/last.html", testsite.SmallPage)
				p.WaitUntil("a page written later", func() bool { return strings.Contains(p.Read("deep/public/sitemap.xml"), "last") })
				p.WaitUntilLikeFreshBuild()
			})
		})
	}
}
