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

// TestWatchUnderNPMLeavesNothing stops "npm run" with a watch in it, as a
// supervisor and as a person does, and looks for processes that stayed.
func TestWatchUnderNPMLeavesNothing(t *testing.T) {
	s := newProject(t, "sitewalk", "@sitewalk/linux-x64")
	s.write("package.json", `{"private": true, "scripts": {"watch": "sitewalk watch public -b https://example.com/"}}`)
	for node, s := range map[string]*session{"replaced": s, "beside": s.node20()} {
		for name, stop := range map[string]func(t *testing.T, w *watched){
			"SIGTERM to npm":           func(t *testing.T, w *watched) { w.signal(t, syscall.SIGTERM) },
			"Ctrl-C":                   func(t *testing.T, w *watched) { w.typed(t, "\x03") },
			"the terminal is closed":   func(t *testing.T, w *watched) { w.hangUp(t) },
			"SIGTERM to all processes": func(t *testing.T, w *watched) { w.signalGroup(t, syscall.SIGTERM) },
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

// A watched is an "npm run watch" on a terminal of its own.
type watched struct {
	cmd      *exec.Cmd
	terminal *os.File
	output   chan string // what the terminal showed, line by line
	mark     string      // in the environment of every process of it
}

func startWatch(t *testing.T, s *session, name string) *watched {
	t.Helper()
	_ = os.Remove(filepath.Join(s.dir, "public/sitemap.xml"))
	master, slave := newTerminal(t)
	w := &watched{terminal: master, mark: fmt.Sprintf("SITEWALK_MARK=%s %s", t.Name(), name), output: make(chan string, 1000)}
	w.cmd = exec.Command(s.look("npm"), "run", "watch")
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

// newTerminal opens a pseudoterminal.
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
	master = os.NewFile(uintptr(fd), "ptmx") // a file that does not block can be closed while it is read
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return master, slave
}

// awaitSitemap waits until the watch says that it has written the sitemap.
func (w *watched) awaitSitemap(t *testing.T) {
	t.Helper()
	shown := ""
	for text := range w.output {
		if shown += text; strings.Contains(shown, "2 URLs") {
			return
		}
	}
	t.Fatalf("it ended with\n%s", shown)
}

func (w *watched) signal(t *testing.T, sig syscall.Signal) { w.send(t, w.cmd.Process.Pid, sig) }

func (w *watched) signalGroup(t *testing.T, sig syscall.Signal) {
	w.send(t, -w.cmd.Process.Pid, sig)
}

func (w *watched) send(t *testing.T, pid int, sig syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(pid, sig); err != nil {
		t.Fatal(err)
	}
}

func (w *watched) typed(t *testing.T, keys string) {
	t.Helper()
	if _, err := w.terminal.WriteString(keys); err != nil {
		t.Fatal(err)
	}
}

func (w *watched) hangUp(t *testing.T) {
	t.Helper()
	if err := w.terminal.Close(); err != nil {
		t.Fatal(err)
	}
}

// awaitEnd waits for the end of npm, and of every process that it began.
func (w *watched) awaitEnd(t *testing.T) {
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

// processes are those that have the mark in their environment.
func (w *watched) processes() (pids []int) {
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
