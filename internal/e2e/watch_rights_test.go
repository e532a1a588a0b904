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

// nobody is the ID of the user that runs sitewalk if root runs the tests. The system does not check
// the permissions of root.
const nobody = 65534

// A userProgram runs sitewalk as a user who is not root, so that the system checks permissions.
type userProgram struct {
	*project
	file string              // the program
	user *syscall.Credential // nil means the user of the tests
}

func newUserProgram(t *testing.T, p *project) *userProgram {
	t.Helper()
	g := &userProgram{project: p, file: sitewalk}
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
	// A child that another goroutine forks now would inherit the file open for writing. The file
	// cannot run until that child calls exec.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	to, err := os.OpenFile(g.file, os.O_CREATE|os.O_WRONLY, 0o755)
	p.Must(err)
	_, err = io.Copy(to, from)
	p.Must(errors.Join(err, to.Close()))
	return g
}

// chownFiles gives all files of the project to the user of the program.
func (g *userProgram) chownFiles() {
	g.T.Helper()
	if g.user != nil {
		g.Must(filepath.WalkDir(g.Dir, func(name string, _ os.DirEntry, err error) error {
			if err == nil {
				err = os.Lchown(name, nobody, nobody)
			}
			if errors.Is(err, fs.ErrNotExist) {
				return nil // watch has renamed a temporary file
			}
			return err
		}))
	}
}

func (g *userProgram) command(args ...string) *exec.Cmd {
	cmd := exec.Command(g.file, args...)
	cmd.Dir, cmd.Env = g.Dir, append(g.env, "HOME=/")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: g.user}
	return cmd
}

// startWatch starts watch and waits for its first build. The process ends with the test.
func (g *userProgram) startWatch(args ...string) *exec.Cmd {
	g.T.Helper()
	cmd := g.command(append([]string{"watch", "--json", "--quiet-period", "20ms"}, args...)...)
	cmd.Stdout, cmd.Stderr = g.stdout, g.stderr
	err := cmd.Start()
	if g.user != nil && errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) {
		g.T.Skip("another user cannot run the program: ", err)
	}
	g.Must(err)
	g.T.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			g.T.Errorf("watch ended with %v: %s", err, g.stderr)
		}
	})
	g.WaitUntil("the first build", func() bool { return len(g.events()) > 0 })
	return cmd
}

// waitUntilLikeBuild waits until the sitemap equals the output of a build by the same user.
func (g *userProgram) waitUntilLikeBuild() {
	g.T.Helper()
	var got, want string
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(30 * time.Millisecond) {
		out, err := g.command("build", "-q", "-o", "-").Output()
		if got, want = g.Read("public/sitemap.xml"), string(out); err == nil && got == want {
			return
		}
	}
	g.T.Fatalf("the sitemap is\n%s\nwant\n%s\nwatch printed\n%s%s", got, want, g.stdout, g.stderr)
}

// TestWatchPermissions removes permissions of files and folders and restores them. It checks that
// watch leaves out the unreadable pages or reports the error, and that it works afterwards.
func TestWatchPermissions(t *testing.T) {
	testWatchBackends(t, func(t *testing.T, args ...string) {
		p := newProject(t, testsite.SmallFiles())
		p.Write("public/a/deep/index.html", testsite.SmallPage)
		g := newUserProgram(t, p)
		g.chownFiles()
		g.startWatch(args...)
		g.waitUntilLikeBuild()
		addPage := func(name string) {
			p.Write(name, testsite.SmallPage)
			g.chownFiles()
		}
		for _, tt := range []struct {
			name    string
			mode    os.FileMode
			wantErr string // "" if watch only leaves out pages
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
				addPage("public/new" + tt.mode.String()[1:] + strings.ReplaceAll(tt.name, "/", "") + ".html")
				switch {
				case tt.wantErr != "":
					// A build with the last good settings may follow immediately.
					g.WaitUntil(tt.wantErr, func() bool {
						return slices.ContainsFunc(g.events()[before:], func(e watchEvent) bool { return strings.Contains(e.Message, tt.wantErr) })
					})
				case tt.name != ".":
					g.waitUntilLikeBuild()
				}
				p.Must(os.Chmod(p.AbsPath(tt.name), info.Mode()))
				g.waitUntilLikeBuild()
				addPage("public/a/deep/later" + tt.mode.String()[1:] + strings.ReplaceAll(tt.name, "/", "") + ".html")
				g.waitUntilLikeBuild()
			})
		}
	})
}

// TestWatchPermissionsAbovePublishDir removes the permissions of a nested publish directory and of
// the folders above it. It checks that watch reports the error and then finds new pages.
func TestWatchPermissionsAbovePublishDir(t *testing.T) {
	testWatchBackends(t, func(t *testing.T, args ...string) {
		p := newProject(t, map[string]string{"else/where/site/public/index.html": testsite.SmallPage, "else/where/site/public/a/index.html": testsite.SmallPage})
		g := newUserProgram(t, p)
		g.chownFiles()
		g.startWatch(append(args, "else/where/site/public", "-b", "https://example.internal/")...)
		has := func(name string) func() bool {
			return func() bool { return strings.Contains(p.Read("else/where/site/public/sitemap.xml"), name) }
		}
		g.WaitUntil("the site", has("/a/"))
		for i, dir := range []string{"else/where/site/public", "else/where/site", "else/where"} {
			p.Must(os.Chmod(p.AbsPath(dir), 0))
			g.WaitUntil("the error", func() bool { return strings.Contains(g.lastMessage(), "permission denied") })
			p.Must(os.Chmod(p.AbsPath(dir), 0o755))
			g.WaitUntil("a build", func() bool { return g.lastMessage() == "" })
			for _, name := range []string{"later", "a/latest"} {
				name += string(rune('0' + i))
				p.Write("else/where/site/public/"+name+".html", testsite.SmallPage)
				g.WaitUntil(name, has(name))
			}
		}
	})
}

// TestWatchKilled ends watch at different moments of a build. It checks that the sitemap is complete
// each time, and that the next watch removes the temporary files of killed processes.
func TestWatchKilled(t *testing.T) {
	files := testsite.SmallFiles()
	files["sitemap.yaml"] = testsite.SmallConfig + "ledger: sitemap.ledger\noutput: {formats: [xml, txt], gzip: also, max_urls: 50}\n"
	for i := range 400 {
		files[fmt.Sprintf("public/p%d.html", i)] = testsite.SmallPage
	}
	p := newProject(t, files)
	g := newUserProgram(t, p)
	for i := range 24 {
		sig := []os.Signal{syscall.SIGTERM, os.Interrupt, os.Kill}[i%3]
		cmd := g.command("watch", "-q", "--quiet-period", "1ms")
		cmd.SysProcAttr = nil
		cmd.Stderr = g.stderr
		before, leftBefore := p.Read("public/sitemap.xml"), p.leftovers()
		p.Write(fmt.Sprintf("public/p%d.html", i), testsite.SmallPage+fmt.Sprint(i))
		p.Write(fmt.Sprintf("public/new%d.html", i), testsite.SmallPage)
		p.Must(cmd.Start())
		time.Sleep(time.Duration(15+3*i) * time.Millisecond)
		p.Write(fmt.Sprintf("public/newer%d.html", i), testsite.SmallPage)
		time.Sleep(time.Duration(2+i%7) * time.Millisecond)
		p.Must(cmd.Process.Signal(sig))
		if err := cmd.Wait(); (err == nil) == (sig == os.Kill) && cmd.ProcessState.ExitCode() >= 0 {
			t.Fatalf("%v: %v: %s", sig, err, g.stderr)
		}
		if got := p.Read("public/sitemap.xml"); got != before && !strings.HasSuffix(got, "</sitemapindex>\n") {
			t.Fatalf("after %v, the sitemap is\n%s\nwant a complete index", sig, got)
		}
		for _, name := range p.leftovers() {
			if sig != os.Kill && strings.HasPrefix(name, ".") && !slices.Contains(leftBefore, name) {
				t.Errorf("after %v, watch left the temporary file %s", sig, name)
			}
		}
	}
	p.startWatch()
	p.WaitUntilLikeFreshBuild()
	for _, name := range p.leftovers() {
		if strings.HasPrefix(name, ".") {
			t.Errorf("watch does not remove the temporary file %s", name)
		}
	}
}
