package engine

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/testsite"
)

// leftovers returns what lies in the publish directory besides pages.
func (p *project) leftovers() (names []string) {
	all, _ := os.ReadDir(p.At("public"))
	for _, e := range all {
		if !e.IsDir() && !strings.HasSuffix(e.Name(), ".html") {
			names = append(names, e.Name())
		}
	}
	return names
}

// TestWipedMeanwhile deletes files between the moment at which a rebuild
// begins and the one at which its files would take their places.
func TestWipedMeanwhile(t *testing.T) {
	for name, tt := range map[string]struct {
		wipe func(p *project)
		want error
	}{
		"our file":    {func(p *project) { p.Must(os.Remove(p.At("public/sitemap.xml"))) }, errWiped},
		"the folder":  {func(p *project) { p.Must(os.RemoveAll(p.At("public"))) }, fs.ErrNotExist},
		"its parents": {func(p *project) { p.Must(os.Rename(p.At("public"), p.At("away"))) }, fs.ErrNotExist},
	} {
		t.Run(name, func(t *testing.T) {
			files := testsite.SmallFiles()
			files["sitemap.yaml"] = testsite.SmallConfig + "ledger: public/data/sitemap.ledger\noutput: {page: map/sitemap.html, robots: true, gzip: also}\n"
			synctest.Test(t, func(t *testing.T) {
				p := newProject(t, files)
				s := p.begun()
				p.Write("public/new.html", testsite.SmallPage)
				now := s.build.Again()
				now.Still = s.own.stay()
				world, err := s.learn(t.Context(), facts.Change{Pages: []string{"new.html"}})
				p.Must(err)
				now.Fold(t.Context(), world, s.clock())
				tt.wipe(p)
				before := p.leftovers()
				if err := s.put(t.Context(), now); !errors.Is(err, tt.want) {
					t.Errorf("got %v", err)
				}
				if after := p.leftovers(); len(after) != len(before) {
					t.Errorf("it left %q, and before there was %q", after, before)
				}
				if name != "our file" {
					if _, err := os.Lstat(p.At("public")); err == nil {
						t.Error("it made the folder again")
					}
					return
				}
				for range 50 {
					if s.turn(t.Context()); strings.Contains(p.Read("public/sitemap.xml"), "new.html") {
						return
					}
				}
				t.Error("the sitemap does not come again")
			})
		})
	}
}
