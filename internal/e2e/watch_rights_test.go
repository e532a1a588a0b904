//go:build e2e && unix

package e2e

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// nobody is the user of a program to whom permissions matter, when the tests run
// as one to whom they do not.
const nobody = 65534

// A program is this one, as a process of its own that may be another user's.
type program struct {
	*project
	file string
	user *syscall.Credential
}

func newProgram(t *testing.T, p *project) *program {
	t.Helper()
	g := &program{project: p, file: sitewalk}
	if os.Geteuid() != 0 {
		return g
	}
	g.user = &syscall.Credential{Uid: nobody, Gid: nobody}
	dir := t.TempDir()
	for _, d := range []string{filepath.Dir(dir), filepath.Dir(p.Dir)} {
		p.Must(os.Chmod(d, 0o755))
	}
	g.file = filepath.Join(dir, "sitewalk")
	from, err := os.Open(sitewalk)
	p.Must(err)
	defer from.Close()
	// A child that is forked while the file is open for writing holds it open,
	// and no one can run it until that child has its own program.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	to, err := os.OpenFile(g.file, os.O_CREATE|os.O_WRONLY, 0o755)
	p.Must(err)
	_, err = io.Copy(to, from)
	p.Must(errors.Join(err, to.Close()))
	return g
}

// own gives all files to the program's user.
func (g *program) own() {
	g.T.Helper()
	if g.user != nil {
		g.Must(filepath.WalkDir(g.Dir, func(name string, _ os.DirEntry, err error) error {
			if err == nil {
				err = os.Lchown(name, nobody, nobody)
			}
			if errors.Is(err, fs.ErrNotExist) {
				return nil // what watch was writing has its name by now
			}
			return err
		}))
	}
}

func (g *program) command(args ...string) *exec.Cmd {
	cmd := exec.Command(g.file, args...)
	cmd.Dir, cmd.Env = g.Dir, append(g.env, "HOME=/")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: g.user}
	return cmd
}

// start starts a watch, and ends it with the test.
func (g *program) start(args ...string) *exec.Cmd {
	g.T.Helper()
	cmd := g.command(append([]string{"watch", "--json", "--quiet-period", "20ms"}, args...)...)
	cmd.Stdout, cmd.Stderr = g.out, g.talk
	err := cmd.Start()
	if g.user != nil && errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) {
		g.T.Skip("this system lets no other user run a program of this one: ", err)
	}
	g.Must(err)
	g.T.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			g.T.Errorf("watch ended with %v: %s", err, g.talk)
		}
	})
	g.WaitUntil("the first build", func() bool { return len(g.events()) > 0 })
	return cmd
}

// same waits until the sitemap is what the same user's build prints; nothing
// when that fails.
func (g *program) same() {
	g.T.Helper()
	var got, want string
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(30 * time.Millisecond) {
		out, err := g.command("build", "-q", "-o", "-").Output()
		if got, want = g.Read("public/sitemap.xml"), string(out); err == nil && got == want {
			return
		}
	}
	g.T.Fatalf("it is\n%s\nwant\n%s\nit said\n%s%s", got, want, g.out, g.talk)
}

// TestWatchPermissions withdraws the right to read or write, and gives it back.
func TestWatchPermissions(t *testing.T) {
	backendsOfWatch(t, func(t *testing.T, args ...string) {
		p := newProject(t, testsite.SmallFiles())
		p.Write("public/a/deep/index.html", testsite.SmallPage)
		g := newProgram(t, p)
		g.own()
		g.start(args...)
		g.same()
		edit := func(name string) {
			p.Write(name, testsite.SmallPage)
			g.own()
		}
		for _, tt := range []struct {
			name string
			mode os.FileMode
			says string // "": the page is left out, and all goes on
		}{
			{"public/a/b.html", 0, ""},
			{"public/a", 0, ""},
			{"public/a", 0o111, ""},
			{"public/a", 0o444, ""},
			{"public", 0o555, "permission denied"},
			{"public", 0, "permission denied"},
			{"public", 0o111, "permission denied"},
			{".", 0, ""},
			{"sitemap.yaml", 0, "permission denied; the last good settings stay"},
		} {
			t.Run(strings.ReplaceAll(tt.name, "/", " ")+tt.mode.String(), func(t *testing.T) {
				info, err := os.Stat(p.AbsPath(tt.name))
				p.Must(err)
				before := len(g.events())
				p.Must(os.Chmod(p.AbsPath(tt.name), tt.mode))
				edit("public/new" + tt.mode.String()[1:] + strings.ReplaceAll(tt.name, "/", "") + ".html")
				switch {
				case tt.says != "":
					// With the last good settings a build may follow at once.
					g.WaitUntil(tt.says, func() bool {
						return slices.ContainsFunc(g.events()[before:], func(e happening) bool { return strings.Contains(e.Message, tt.says) })
					})
				case tt.name != ".":
					g.same()
				}
				p.Must(os.Chmod(p.AbsPath(tt.name), info.Mode()))
				g.same()
				edit("public/a/deep/later" + tt.mode.String()[1:] + strings.ReplaceAll(tt.name, "/", "") + ".html")
				g.same()
			})
		}
	})
}

// TestWatchPermissionsOfRoot does so with a publish directory that lies where
// nothing else is watched.
func TestWatchPermissionsOfRoot(t *testing.T) {
	backendsOfWatch(t, func(t *testing.T, args ...string) {
		p := newProject(t, map[string]string{"else/where/site/public/index.html": testsite.SmallPage, "else/where/site/public/a/index.html": testsite.SmallPage})
		g := newProgram(t, p)
		g.own()
		g.start(append(args, "else/where/site/public", "-b", "https://example.internal/")...)
		has := func(name string) func() bool {
			return func() bool { return strings.Contains(p.Read("else/where/site/public/sitemap.xml"), name) }
		}
		g.WaitUntil("the site", has("/a/"))
		for i, dir := range []string{"else/where/site/public", "else/where/site", "else/where"} {
			p.Must(os.Chmod(p.AbsPath(dir), 0))
			g.WaitUntil("the trouble", func() bool { return strings.Contains(g.last(), "permission denied") })
			p.Must(os.Chmod(p.AbsPath(dir), 0o755))
			g.WaitUntil("the site again", func() bool { return g.last() == "" })
			for _, name := range []string{"later", "a/latest"} {
				name += string(rune('0' + i))
				p.Write("else/where/site/public/"+name+".html", testsite.SmallPage)
				g.WaitUntil(name, has(name))
			}
		}
	})
}

// TestWatchKilled ends a watch at any moment of its writing. What it leaves is
// whole, and of what a killed one leaves beside it the next one clears.
func TestWatchKilled(t *testing.T) {
	files := testsite.SmallFiles()
	files["sitemap.yaml"] = testsite.SmallConfig + "ledger: sitemap.ledger\noutput: {formats: [xml, txt], gzip: also, max_urls: 50}\n"
	for i := range 400 {
		files[fmt.Sprintf("public/p%d.html", i)] = testsite.SmallPage
	}
	p := newProject(t, files)
	g := newProgram(t, p)
	for i := range 24 {
		sig := []os.Signal{syscall.SIGTERM, os.Interrupt, os.Kill}[i%3]
		cmd := g.command("watch", "-q", "--quiet-period", "1ms")
		cmd.SysProcAttr = nil
		cmd.Stderr = g.talk
		before, killed := p.Read("public/sitemap.xml"), p.leftovers()
		p.Write(fmt.Sprintf("public/p%d.html", i), testsite.SmallPage+fmt.Sprint(i))
		p.Write(fmt.Sprintf("public/new%d.html", i), testsite.SmallPage)
		p.Must(cmd.Start())
		time.Sleep(time.Duration(15+3*i) * time.Millisecond)
		p.Write(fmt.Sprintf("public/newer%d.html", i), testsite.SmallPage)
		time.Sleep(time.Duration(2+i%7) * time.Millisecond)
		p.Must(cmd.Process.Signal(sig))
		if err := cmd.Wait(); (err == nil) == (sig == os.Kill) && cmd.ProcessState.ExitCode() >= 0 {
			t.Fatalf("%v: %v: %s", sig, err, g.talk)
		}
		if got := p.Read("public/sitemap.xml"); got != before && !strings.HasSuffix(got, "</sitemapindex>\n") {
			t.Fatalf("%v left\n%s", sig, got)
		}
		for _, name := range p.leftovers() {
			if sig != os.Kill && strings.HasPrefix(name, ".") && !slices.Contains(killed, name) {
				t.Errorf("%v left %s", sig, name)
			}
		}
	}
	p.watch()
	p.WaitUntilLikeFreshBuild()
	for _, name := range p.leftovers() {
		if strings.HasPrefix(name, ".") {
			t.Errorf("%s is not cleared", name)
		}
	}
}
