//go:build e2e && linux

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// TestWatchFullDisk fills the disk, and makes room again, which no event tells.
func TestWatchFullDisk(t *testing.T) {
	backendsOfWatch(t, func(t *testing.T, args ...string) {
		dir := t.TempDir()
		if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
			t.Skip("no small disk can be made: ", err)
		}
		t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
		p := newProject(t, nil)
		p.Dir = filepath.Join(dir, "project")
		for name, text := range testsite.SmallFiles() {
			p.Write(name, text)
		}
		p.Write("sitemap.yaml", testsite.SmallConfig+"ledger: sitemap.ledger\noutput: {formats: [xml, txt], gzip: also}\n")
		for i := range 100 {
			p.Write(fmt.Sprintf("public/p%d.html", i), testsite.SmallPage)
		}
		p.args = []string{"--max-loss", "100%"} // a watch compares only its first list with what was there
		p.watch(args...)
		p.WaitUntilLikeFreshBuild()
		before := p.Read("public/sitemap.xml")
		full := func() bool {
			f, err := os.OpenFile(filepath.Join(dir, "ballast"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
			p.Must(err)
			defer f.Close()
			for _, err := f.Write(make([]byte, 64)); err == nil; _, err = f.Write(make([]byte, 64)) {
			}
			es := p.events()
			return strings.Contains(es[len(es)-1].Message, "no space left")
		}
		full()
		for i := range 100 {
			p.Must(os.Rename(p.AbsPath(fmt.Sprintf("public/p%d.html", i)), p.AbsPath(fmt.Sprintf("public/a-much-longer-name-%d.html", i))))
		}
		p.WaitUntil("the trouble", full)
		if got := p.Read("public/sitemap.xml"); got != before {
			t.Errorf("a full disk left\n%s", got)
		}
		for _, name := range p.leftovers() {
			if strings.HasPrefix(name, ".") {
				t.Errorf("a full disk left %s", name)
			}
		}
		p.Must(os.Remove(filepath.Join(dir, "ballast")))
		p.WaitUntilLikeFreshBuild()
		p.quietly()
	})
}

// floodLength is how long the flood goes on.
func floodLength(t *testing.T) time.Duration { return length(t, "SITEWALK_FLOOD", 2*time.Second) }

// memory returns the memory of a process in MiB: what it has, and had at most.
func memory(t *testing.T, pid int) (now, most int) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		fields := strings.Fields(line)
		n := 0
		if len(fields) > 1 {
			n, _ = strconv.Atoi(fields[1])
		}
		switch {
		case strings.HasPrefix(line, "VmRSS:"):
			now = n >> 10
		case strings.HasPrefix(line, "VmHWM:"):
			most = n >> 10
		}
	}
	return now, most
}

// TestWatchFlood makes as many events as the machine can. The watch goes on
// rebuilding, holds no more than a bounded number of them, and is right in the
// end.
func TestWatchFlood(t *testing.T) {
	p := newProject(t, testsite.SmallFiles())
	for i := range 300 {
		p.Write(fmt.Sprintf("public/%d/index.html", i), testsite.SmallPage)
	}
	g := newProgram(t, p)
	g.own()
	cmd := g.start()
	g.same()
	began := len(g.events())
	before, _ := memory(t, cmd.Process.Pid)
	var events atomic.Int64
	var all sync.WaitGroup
	for end, w := time.Now().Add(floodLength(t)), 0; w < 2; w++ {
		all.Go(func() {
			for i := 0; time.Now().Before(end); i++ {
				events.Add(flood(p.AbsPath(fmt.Sprintf("public/%d", i%150+150*w)), i))
			}
		})
	}
	all.Wait()
	during := len(g.events()) - began
	g.own()
	g.same()
	now, most := memory(t, cmd.Process.Pid)
	t.Logf("%d events in %v, %d a minute; %d rebuilds meanwhile; %d MiB before, at most %d, %d after",
		events.Load(), floodLength(t), int64(float64(events.Load())/floodLength(t).Minutes()), during, before, most, now)
	if most > before+300 {
		t.Errorf("%d MiB became %d", before, most)
	}
	if least := int(floodLength(t) / (10 * time.Second)); during < least {
		t.Errorf("%d rebuilds, and not even one each ten seconds", during)
	}
}

// flood makes some events in a folder and returns how many: a file is written, and
// renamed there and back, which is the most that one call can tell.
func flood(dir string, i int) int64 {
	name, other := filepath.Join(dir, "index.html"), filepath.Join(dir, fmt.Sprintf("other%d.html", i%7))
	if os.WriteFile(name, fmt.Appendf(nil, "<title>%d</title>%s", i, testsite.SmallPage), 0o644) != nil {
		return 0
	}
	n := int64(2)
	for range 10 {
		if syscall.Rename(name, other) == nil && syscall.Rename(other, name) == nil {
			n += 4
		}
	}
	if i%3 == 0 && syscall.Rename(name, other) == nil {
		n += 2
	}
	return n
}

// TestWatchMount puts another file system in the place of the publish directory,
// and takes it away.
func TestWatchMount(t *testing.T) {
	backendsOfWatch(t, func(t *testing.T, args ...string) {
		p := newProject(t, testsite.SmallFiles())
		p.watch(args...)
		p.WaitUntilLikeFreshBuild()
		if err := syscall.Mount("tmpfs", p.AbsPath("public"), "tmpfs", 0, "size=1m"); err != nil {
			t.Skip("nothing can be mounted: ", err)
		}
		t.Cleanup(func() { _ = syscall.Unmount(p.AbsPath("public"), syscall.MNT_DETACH) })
		p.Write("public/mounted.html", testsite.SmallPage)
		p.WaitUntil("the other site", func() bool { return strings.Contains(p.Read("public/sitemap.xml"), "mounted") })
		p.WaitUntilLikeFreshBuild()
		p.Write("public/more.html", testsite.SmallPage)
		p.WaitUntil("its new page", func() bool { return strings.Contains(p.Read("public/sitemap.xml"), "more") })
		p.Must(syscall.Unmount(p.AbsPath("public"), syscall.MNT_DETACH))
		p.Write("public/back.html", testsite.SmallPage)
		p.WaitUntil("the site again", func() bool { return strings.Contains(p.Read("public/sitemap.xml"), "back") })
		p.WaitUntilLikeFreshBuild()
	})
}

// TestWatchLimits reaches the limits of the system itself, in a namespace of its
// own, at the start and later. The watch says what raises them and goes on.
func TestWatchLimits(t *testing.T) {
	for _, tt := range []struct{ name, limit, hint string }{
		{"no watch", "max_inotify_watches=0", "fs.inotify.max_user_watches="},
		{"few watches", "max_inotify_watches=6", "fs.inotify.max_user_watches="},
		{"some watches", "max_inotify_watches=20", "fs.inotify.max_user_watches="},
		{"no watcher", "max_inotify_instances=0", "fs.inotify.max_user_instances="},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t, testsite.SmallFiles())
			name, n, _ := strings.Cut(tt.limit, "=")
			cmd := exec.Command("/bin/sh", "-c", `echo "$2" > "/proc/sys/user/$1" && exec "$0" watch --json --quiet-period 20ms`, sitewalk, name, n)
			cmd.Dir, cmd.Env = p.Dir, p.env
			cmd.Stdout, cmd.Stderr = p.out, p.talk
			id := []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}
			cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER, UidMappings: id}
			if err := cmd.Start(); err != nil {
				t.Skip("no namespace can be made: ", err)
			}
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			t.Cleanup(func() {
				_ = cmd.Process.Signal(os.Interrupt)
				if err := <-ended; err != nil {
					t.Errorf("it ended with %v: %s", err, p.talk)
				}
			})
			for len(p.events()) == 0 {
				select {
				case err := <-ended:
					ended <- nil
					t.Skip("no limit can be set: ", err, p.talk)
				case <-time.After(20 * time.Millisecond):
				}
			}
			for i := range 20 {
				p.Write(fmt.Sprintf("public/d%d/index.html", i), testsite.SmallPage)
			}
			p.WaitUntil(tt.hint, func() bool { return strings.Contains(p.out.String(), tt.hint) })
			p.WaitUntilLikeFreshBuild()
			p.Write("public/d7/late.html", testsite.SmallPage)
			p.WaitUntil("a late page", func() bool { return strings.Contains(p.Read("public/sitemap.xml"), "late") })
			p.WaitUntilLikeFreshBuild()
		})
	}
}
