package site

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/walker"
)

// A checkout is a shallow clone of a repository with content files.
type checkout struct {
	t   *testing.T
	dir string
}

func (c *checkout) run(args ...string) {
	c.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", c.dir, "-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull)
	if out, err := cmd.CombinedOutput(); errors.Is(err, exec.ErrNotFound) {
		c.t.Skip(err)
	} else if err != nil {
		c.t.Fatalf("%v: %v\n%s", args, err, out)
	}
}

func (c *checkout) write(name string) {
	c.t.Helper()
	text := "---\ntitle: A\n---\n" + c.t.Name()
	if filepath.Ext(name) == ".html" {
		text = "<title>A</title>"
	}
	if err := os.WriteFile(filepath.Join(c.dir, name), []byte(text), 0o644); err != nil {
		c.t.Fatal(err)
	}
}

func (c *checkout) learn() *World {
	c.t.Helper()
	base, err := mapping.ParseBase("https://example.com/")
	if err != nil {
		c.t.Fatal(err)
	}
	filter, err := walker.NewFilter(walker.ContentFiles, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	return known(c.t, Options{
		Options: facts.Options{
			Base:     base,
			Remember: true,
			MaxKept:  -1,
			Content:  &facts.Tree{Files: walker.Dir(c.dir), Filter: filter, Dir: c.dir},
		},
		LastMod: []string{"git"},
		Now:     noon,
	})
}

// TestRelearnShallow compares an incremental build with a fresh build in a shallow clone, after a
// file was changed, added or removed.
func TestRelearnShallow(t *testing.T) {
	from := &checkout{t, t.TempDir()}
	from.run("init", "-q")
	for i := range 5 {
		from.write(fmt.Sprintf("p%d.md", i))
		from.run("add", ".")
		from.run("commit", "-q", "-m", "a page")
	}
	c := &checkout{t, filepath.Join(t.TempDir(), "clone")}
	from.run("clone", "-q", "--depth", "1", "file://"+filepath.ToSlash(from.dir), c.dir)
	s := c.learn()
	kinds := func(s *World) []diag.Kind { return ListPages(s, noon).Findings.Kinds() }
	if len(kinds(s)) == 0 {
		t.Fatal("nothing is said of the shallow clone")
	}
	for _, tt := range []struct {
		name string
		do   func()
	}{
		{"p1.md", func() { c.write("p1.md") }},
		{"new.md", func() { c.write("new.md") }},
		{"p2.md", func() { _ = os.Remove(filepath.Join(c.dir, "p2.md")) }},
	} {
		tt.do()
		s = s.again(t, facts.Change{Content: []string{tt.name}})
		if got, want := kinds(s), kinds(c.learn()); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got\n%+v\nwant\n%+v", tt.name, got, want)
		}
	}
}

// TestFilesAreDated checks the date sources that need real files: git and modification times.
func TestFilesAreDated(t *testing.T) {
	c := &checkout{t, t.TempDir()}
	c.run("init", "-q")
	c.write("a.md")
	c.run("add", ".")
	c.run("commit", "-q", "-m", "a page")
	c.write("b.html")
	for name, w := range map[string]*World{
		"git": c.learn(),
		"mtime": known(t, Options{
			Options: facts.Options{
				Base: c.learn().Options.Base,
				Pages: &facts.Tree{
					Files: walker.Dir(c.dir), Filter: c.learn().Options.Content.Filter, Name: "public", Dir: c.dir,
				},
			},
			LastMod: []string{"mtime"},
			Now:     time.Now(),
		}),
	} {
		target := map[string]string{"git": "a.md", "mtime": "b.html"}[name]
		w.whyNoMTime = "" // of two files, both are new
		res := ListPages(w, time.Now().Add(time.Hour))
		for p := range res.Pages() {
			c := res.DateClaims(p)[0]
			if strings.HasSuffix(w.Pos(p).File, target) && (p.DateBy != name || c.Source != name || !c.Wins || c.Note == "") {
				t.Errorf("%s: %+v", name, c)
			}
		}
	}
}
