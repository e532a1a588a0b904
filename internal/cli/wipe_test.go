package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/site"
)

// leftovers returns what lies in the publish directory besides pages.
func (p *project) leftovers() (names []string) {
	all, _ := os.ReadDir(p.at("public"))
	for _, e := range all {
		if !e.IsDir() && !strings.HasSuffix(e.Name(), ".html") {
			names = append(names, e.Name())
		}
	}
	return names
}

// TestWatchWipedMeanwhile deletes files between the moment at which a rebuild
// begins and the one at which its files would take their places.
func TestWatchWipedMeanwhile(t *testing.T) {
	for name, tt := range map[string]struct {
		wipe func(p *project)
		want error
	}{
		"our file":    {func(p *project) { p.must(os.Remove(p.at("public/sitemap.xml"))) }, errWiped},
		"the folder":  {func(p *project) { p.must(os.RemoveAll(p.at("public"))) }, fs.ErrNotExist},
		"its parents": {func(p *project) { p.must(os.Rename(p.at("public"), p.at("away"))) }, fs.ErrNotExist},
	} {
		t.Run(name, func(t *testing.T) {
			files := smallSite()
			files["sitemap.yaml"] = plainConfig + "ledger: public/data/sitemap.ledger\noutput: {page: map/sitemap.html, robots: true, gzip: also}\n"
			p := newProject(t, files)
			s := p.begun(time.Now)
			p.write("public/new.html", htmlPage)
			now := s.built.Again()
			now.Still = s.own.stay()
			p.must(s.learnAgain(t.Context(), &site.Change{Pages: []string{"new.html"}}))
			now.Fold(s.site)
			tt.wipe(p)
			before := p.leftovers()
			if err := s.put(t.Context(), now); !errors.Is(err, tt.want) {
				t.Errorf("got %v", err)
			}
			if after := p.leftovers(); len(after) != len(before) {
				t.Errorf("it left %q, and before there was %q", after, before)
			}
			if name != "our file" {
				if _, err := os.Lstat(p.at("public")); err == nil {
					t.Error("it made the folder again")
				}
				return
			}
			for range 50 {
				if s.step(t.Context()); strings.Contains(p.read("public/sitemap.xml"), "new.html") {
					return
				}
			}
			t.Error("the sitemap does not come again")
		})
	}
}

// TestWatchRemove removes the publish directory again and again while pages are
// written, as people and build scripts do. What is gone stays gone.
func TestWatchRemove(t *testing.T) {
	rm, err := exec.LookPath("rm")
	if err != nil {
		t.Skip("there is no rm")
	}
	backendsOfWatch(t, func(t *testing.T, args ...string) {
		p := newProject(t, smallSite())
		p.watch(args...)
		failures := 0
		for i := range 12 {
			for j := range 150 {
				p.write(fmt.Sprintf("public/%d/%d.html", j%10, j), htmlPage+fmt.Sprint(i))
			}
			p.write("public/index.html", htmlPage)
			time.Sleep(time.Duration(10+5*i) * time.Millisecond) // somewhere in a rebuild, or before
			if exec.Command(rm, "-rf", p.at("public")).Run() != nil {
				failures++
				p.wipe("public")
				continue
			}
			time.Sleep(40 * time.Millisecond)
			if _, err := os.Lstat(p.at("public")); err == nil {
				t.Fatalf("the folder is there again, with %q", p.leftovers())
			}
		}
		t.Logf("rm found the folder not empty %d times", failures)
		p.write("public/index.html", htmlPage)
		p.until("the site", func() bool { return p.read("public/sitemap.xml") != "" })
		p.fresh()
	})
}
