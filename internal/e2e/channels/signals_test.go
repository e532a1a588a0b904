//go:build e2e && linux

package channels

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestNPMRunEndsWatch ends "npm run" with watch in different ways, and checks that no process of it
// is left.
func TestNPMRunEndsWatch(t *testing.T) {
	s := newProject(t, "sitewalk", "@sitewalk/linux-x64")
	s.write("package.json", `{"private": true, "scripts": {"watch": "sitewalk watch public -b https://example.com/"}}`)
	for node, s := range map[string]*session{"with execve": s, "without execve": s.withoutExecve()} {
		for name, stop := range map[string]func(t *testing.T, w *npmWatch){
			"SIGTERM to npm":           func(t *testing.T, w *npmWatch) { w.signal(t, w.cmd.Process.Pid, syscall.SIGTERM) },
			"Ctrl-C":                   func(t *testing.T, w *npmWatch) { w.typeKeys(t, "\x03") },
			"closed terminal":          func(t *testing.T, w *npmWatch) { w.closeTerminal(t) },
			"SIGTERM to all processes": func(t *testing.T, w *npmWatch) { w.signal(t, -w.cmd.Process.Pid, syscall.SIGTERM) },
		} {
			t.Run(node+", "+name, func(t *testing.T) {
				w := startWatch(t, s, name)
				w.awaitSitemap(t)
				stop(t, w)
				w.awaitEnd(t)
			})
		}
	}
}

// An npmWatch is a running "npm run watch" on its own terminal.
type npmWatch struct {
	cmd      *exec.Cmd
	terminal *os.File
	output   chan string // output on the terminal
	mark     string      // environment variable of all its processes
}

func startWatch(t *testing.T, s *session, name string) *npmWatch {
	t.Helper()
	_ = os.Remove(filepath.Join(s.dir, "public/sitemap.xml"))
	master, slave := newTerminal(t)
	w := &npmWatch{terminal: master, mark: fmt.Sprintf("SITEWALK_MARK=%s %s", t.Name(), name), output: make(chan string, 1000)}
	w.cmd = exec.Command(s.lookPath("npm"), "run", "watch")
	w.cmd.Dir, w.cmd.Env = s.dir, append(slices.Clone(s.env), w.mark)
	w.cmd.Stdin, w.cmd.Stdout, w.cmd.Stderr = slave, slave, slave
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = slave.Close()
	go func() {
		defer close(w.output)
		buf := make([]byte, 4096)
		for {
			n, err := master.Read(buf)
			if err != nil {
				return
			}
			w.output <- string(buf[:n])
		}
	}()
	t.Cleanup(func() {
		for _, pid := range w.processes() {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		_ = master.Close()
	})
	return w
}

// newTerminal opens a pseudoterminal. slave is the side of the process.
func newTerminal(t *testing.T) (master, slave *os.File) {
	t.Helper()
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	master = os.NewFile(uintptr(fd), "ptmx") // O_NONBLOCK allows closing the file during a read
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return master, slave
}

// awaitSitemap waits until watch reports the first build.
func (w *npmWatch) awaitSitemap(t *testing.T) {
	t.Helper()
	output := ""
	for text := range w.output {
		if output += text; strings.Contains(output, "2 URLs") {
			return
		}
	}
	t.Fatalf("npm ended with the output\n%s", output)
}

// signal sends a signal to a process, or to a process group if pid is negative.
func (w *npmWatch) signal(t *testing.T, pid int, sig syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(pid, sig); err != nil {
		t.Fatal(err)
	}
}

func (w *npmWatch) typeKeys(t *testing.T, keys string) {
	t.Helper()
	if _, err := w.terminal.WriteString(keys); err != nil {
		t.Fatal(err)
	}
}

func (w *npmWatch) closeTerminal(t *testing.T) {
	t.Helper()
	if err := w.terminal.Close(); err != nil {
		t.Fatal(err)
	}
}

// awaitEnd waits until npm and all processes with the mark have ended.
func (w *npmWatch) awaitEnd(t *testing.T) {
	t.Helper()
	go func() {
		for range w.output {
		}
	}()
	_ = w.cmd.Wait()
	for left := w.processes(); len(left) > 0; left = w.processes() {
		if t.Context().Err() != nil {
			t.Fatal("the test ended before the processes did")
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// processes returns the IDs of the processes with the mark in their environment.
func (w *npmWatch) processes() (pids []int) {
	all, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range all {
		env, err := os.ReadFile(name)
		if err == nil && slices.Contains(strings.Split(string(env), "\x00"), w.mark) {
			var pid int
			if _, err := fmt.Sscanf(name, "/proc/%d/environ", &pid); err == nil {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}
