//go:build unix

package cli

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
)

// TestMain lets the tests start the program as a process of its own.
func TestMain(m *testing.M) {
	if os.Getenv("SITEWALK_TEST_PROGRAM") != "" {
		os.Exit(Main())
	}
	os.Exit(m.Run())
}

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
	g := &program{project: p, file: os.Args[0]}
	if os.Geteuid() != 0 {
		return g
	}
	g.user = &syscall.Credential{Uid: nobody, Gid: nobody}
	dir := t.TempDir()
	for _, d := range []string{filepath.Dir(dir), filepath.Dir(p.dir)} {
		p.must(os.Chmod(d, 0o755))
	}
	g.file = filepath.Join(dir, "sitewalk")
	from, err := os.Open(os.Args[0])
	p.must(err)
	defer from.Close()
	// A child that is forked while the file is open for writing holds it open,
	// and no one can run it until that child has its own program.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	to, err := os.OpenFile(g.file, os.O_CREATE|os.O_WRONLY, 0o755)
	p.must(err)
	_, err = io.Copy(to, from)
	p.must(errors.Join(err, to.Close()))
	return g
}

// own gives all files to the program's user.
func (g *program) own() {
	g.t.Helper()
	if g.user != nil {
		g.must(filepath.WalkDir(g.dir, func(name string, _ os.DirEntry, err error) error {
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
	cmd.Dir, cmd.Env = g.dir, []string{"SITEWALK_TEST_PROGRAM=1", "SOURCE_DATE_EPOCH=1767268800", "PATH=" + os.Getenv("PATH")}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: g.user}
	return cmd
}

// start starts a watch, and ends it with the test.
func (g *program) start(args ...string) *exec.Cmd {
	g.t.Helper()
	cmd := g.command(append([]string{"watch", "--json", "--quiet-period", "20ms"}, args...)...)
	cmd.Stdout, cmd.Stderr = g.out, g.talk
	err := cmd.Start()
	if g.user != nil && errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) {
		g.t.Skip("this system lets no other user run a program of this one: ", err)
	}
	g.must(err)
	g.t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			g.t.Errorf("watch ended with %v: %s", err, g.talk)
		}
	})
	g.until("the first build", func() bool { return len(g.events()) > 0 })
	return cmd
}

// same waits until the sitemap is what the same user's build prints; nothing
// when that fails.
func (g *program) same() {
	g.t.Helper()
	var got, want string
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(30 * time.Millisecond) {
		out, err := g.command("build", "-q", "-o", "-").Output()
		if got, want = g.read("public/sitemap.xml"), string(out); err == nil && got == want {
			return
		}
	}
	g.t.Fatalf("it is\n%s\nwant\n%s\nit said\n%s%s", got, want, g.out, g.talk)
}

// last returns the message of the last event, "" when that is a build.
func (g *program) last() string {
	es := g.events()
	return es[len(es)-1].Message
}

// TestWatchPermissions withdraws the right to read or write, and gives it back.
func TestWatchPermissions(t *testing.T) {
	backendsOfWatch(t, func(t *testing.T, args ...string) {
		p := newProject(t, smallSite())
		p.write("public/a/deep/index.html", htmlPage)
		g := newProgram(t, p)
		g.own()
		g.start(args...)
		g.same()
		edit := func(name string) {
			p.write(name, htmlPage)
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
				info, err := os.Stat(p.at(tt.name))
				p.must(err)
				p.must(os.Chmod(p.at(tt.name), tt.mode))
				edit("public/new" + tt.mode.String()[1:] + strings.ReplaceAll(tt.name, "/", "") + ".html")
				switch {
				case tt.says != "":
					g.until(tt.says, func() bool { return strings.Contains(g.last(), tt.says) })
				case tt.name != ".":
					g.same()
				}
				p.must(os.Chmod(p.at(tt.name), info.Mode()))
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
		p := newProject(t, map[string]string{"else/where/site/public/index.html": htmlPage, "else/where/site/public/a/index.html": htmlPage})
		g := newProgram(t, p)
		g.own()
		g.start(append(args, "else/where/site/public", "-b", "https://example.com/")...)
		has := func(name string) func() bool {
			return func() bool { return strings.Contains(p.read("else/where/site/public/sitemap.xml"), name) }
		}
		g.until("the site", has("/a/"))
		for i, dir := range []string{"else/where/site/public", "else/where/site", "else/where"} {
			p.must(os.Chmod(p.at(dir), 0))
			g.until("the trouble", func() bool { return strings.Contains(g.last(), "permission denied") })
			p.must(os.Chmod(p.at(dir), 0o755))
			g.until("the site again", func() bool { return g.last() == "" })
			for _, name := range []string{"later", "a/latest"} {
				name += string(rune('0' + i))
				p.write("else/where/site/public/"+name+".html", htmlPage)
				g.until(name, has(name))
			}
		}
	})
}

// TestWatchKilled ends a watch at any moment of its writing. What it leaves is
// whole, and of what a killed one leaves beside it the next one clears.
func TestWatchKilled(t *testing.T) {
	files := smallSite()
	files["sitemap.yaml"] = plainConfig + "ledger: sitemap.ledger\noutput: {formats: [xml, txt], gzip: also, max_urls: 50}\n"
	for i := range 400 {
		files[fmt.Sprintf("public/p%d.html", i)] = htmlPage
	}
	p := newProject(t, files)
	g := newProgram(t, p)
	for i := range 24 {
		sig := []os.Signal{syscall.SIGTERM, os.Interrupt, os.Kill}[i%3]
		cmd := g.command("watch", "-q", "--quiet-period", "1ms")
		cmd.SysProcAttr = nil
		cmd.Stderr = g.talk
		before, killed := p.read("public/sitemap.xml"), p.leftovers()
		p.write(fmt.Sprintf("public/p%d.html", i), htmlPage+fmt.Sprint(i))
		p.write(fmt.Sprintf("public/new%d.html", i), htmlPage)
		p.must(cmd.Start())
		time.Sleep(time.Duration(15+3*i) * time.Millisecond)
		p.write(fmt.Sprintf("public/newer%d.html", i), htmlPage)
		time.Sleep(time.Duration(2+i%7) * time.Millisecond)
		p.must(cmd.Process.Signal(sig))
		if err := cmd.Wait(); (err == nil) == (sig == os.Kill) && cmd.ProcessState.ExitCode() >= 0 {
			t.Fatalf("%v: %v: %s", sig, err, g.talk)
		}
		if got := p.read("public/sitemap.xml"); got != before && !strings.HasSuffix(got, "</sitemapindex>\n") {
			t.Fatalf("%v left\n%s", sig, got)
		}
		for _, name := range p.leftovers() {
			if sig != os.Kill && strings.HasPrefix(name, ".") && !slices.Contains(killed, name) {
				t.Errorf("%v left %s", sig, name)
			}
		}
	}
	p.watch()
	p.fresh()
	for _, name := range p.leftovers() {
		if strings.HasPrefix(name, ".") {
			t.Errorf("%s is not cleared", name)
		}
	}
}
