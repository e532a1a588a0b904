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

// TestWatchFullDisk fills the disk while watch runs, and frees the space again without an event. It
// checks that watch keeps the old files, reports the error, and then writes the new files.
func TestWatchFullDisk(t *testing.T) {
	testWatchBackends(t, func(t *testing.T, args ...string) {
		dir := t.TempDir()
		if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
			t.Skip("the test cannot mount a small disk: ", err)
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
		p.args = []string{"--max-loss", "100%"} // watch compares only its first build with the old sitemap
		p.startWatch(args...)
		p.WaitUntilLikeFreshBuild()
		before := p.Read("public/sitemap.xml")
		fillDisk := func() (isReported bool) {
			f, err := os.OpenFile(filepath.Join(dir, "ballast"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
			p.Must(err)
			defer f.Close()
			for _, err := f.Write(make([]byte, 64)); err == nil; _, err = f.Write(make([]byte, 64)) {
			}
			es := p.events()
			return strings.Contains(es[len(es)-1].Message, "no space left")
		}
		fillDisk()
		for i := range 100 {
			p.Must(os.Rename(p.AbsPath(fmt.Sprintf("public/p%d.html", i)), p.AbsPath(fmt.Sprintf("public/a-much-longer-name-%d.html", i))))
		}
		p.WaitUntil("the error about the full disk", fillDisk)
		if got := p.Read("public/sitemap.xml"); got != before {
			t.Errorf("the sitemap on a full disk is\n%s\nwant the old one", got)
		}
		for _, name := range p.leftovers() {
			if strings.HasPrefix(name, ".") {
				t.Errorf("watch left the temporary file %s on a full disk", name)
			}
		}
		p.Must(os.Remove(filepath.Join(dir, "ballast")))
		p.WaitUntilLikeFreshBuild()
		p.requireNoEvents()
	})
}

// floodDuration returns the duration of the flood.
func floodDuration(t *testing.T) time.Duration {
	return durationFromEnv(t, "SITEWALK_FLOOD", 2*time.Second)
}

// processMemory returns the current and the peak memory of a process in MiB.
func processMemory(t *testing.T, pid int) (current, peak int) {
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
			current = n >> 10
		case strings.HasPrefix(line, "VmHWM:"):
			peak = n >> 10
		}
	}
	return current, peak
}

// TestWatchFlood makes as many file system events as possible. It checks that watch continues to
// rebuild, that its memory stays limited, and that the last files are correct.
func TestWatchFlood(t *testing.T) {
	p := newProject(t, testsite.SmallFiles())
	for i := range 300 {
		p.Write(fmt.Sprintf("public/%d/index.html", i), testsite.SmallPage)
	}
	g := newUserProgram(t, p)
	g.chownFiles()
	cmd := g.startWatch()
	g.waitUntilLikeBuild()
	eventsBefore := len(g.events())
	memoryBefore, _ := processMemory(t, cmd.Process.Pid)
	var numEvents atomic.Int64
	var writers sync.WaitGroup
	for end, w := time.Now().Add(floodDuration(t)), 0; w < 2; w++ {
		writers.Go(func() {
			for i := 0; time.Now().Before(end); i++ {
				numEvents.Add(makeEvents(p.AbsPath(fmt.Sprintf("public/%d", i%150+150*w)), i))
			}
		})
	}
	writers.Wait()
	rebuilds := len(g.events()) - eventsBefore
	g.chownFiles()
	g.waitUntilLikeBuild()
	memoryAfter, peak := processMemory(t, cmd.Process.Pid)
	t.Logf("%d events in %v, %d a minute; %d rebuilds; memory: %d MiB before, peak %d MiB, %d MiB after",
		numEvents.Load(), floodDuration(t), int64(float64(numEvents.Load())/floodDuration(t).Minutes()), rebuilds, memoryBefore, peak, memoryAfter)
	if peak > memoryBefore+300 {
		t.Errorf("the peak memory is %d MiB, want at most 300 MiB more than %d MiB", peak, memoryBefore)
	}
	if minRebuilds := int(floodDuration(t) / (10 * time.Second)); rebuilds < minRebuilds {
		t.Errorf("%d rebuilds, want at least %d", rebuilds, minRebuilds)
	}
}

// makeEvents writes a file in a folder and renames it several times, because a rename causes the
// most events for one call. It returns the number of events.
func makeEvents(dir string, i int) int64 {
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

// TestWatchMount mounts a file system on the publish directory and unmounts it. It checks that watch
// builds the visible site each time.
func TestWatchMount(t *testing.T) {
	testWatchBackends(t, func(t *testing.T, args ...string) {
		p := newProject(t, testsite.SmallFiles())
		p.startWatch(args...)
		p.WaitUntilLikeFreshBuild()
		if err := syscall.Mount("tmpfs", p.AbsPath("public"), "tmpfs", 0, "size=1m"); err != nil {
			t.Skip("the test cannot mount a file system: ", err)
		}
		t.Cleanup(func() { _ = syscall.Unmount(p.AbsPath("public"), syscall.MNT_DETACH) })
		p.Write("public/mounted.html", testsite.SmallPage)
		p.WaitUntil("the mounted page", func() bool { return strings.Contains(p.Read("public/sitemap.xml"), "mounted") })
		p.WaitUntilLikeFreshBuild()
		p.Write("public/more.html", testsite.SmallPage)
		p.WaitUntil("the new mounted page", func() bool { return strings.Contains(p.Read("public/sitemap.xml"), "more") })
		p.Must(syscall.Unmount(p.AbsPath("public"), syscall.MNT_DETACH))
		p.Write("public/back.html", testsite.SmallPage)
		p.WaitUntil("the page after the unmount", func() bool { return strings.Contains(p.Read("public/sitemap.xml"), "back") })
		p.WaitUntilLikeFreshBuild()
	})
}

// TestWatchLimits runs watch with low inotify limits in a user namespace. It checks that watch
// names the setting that raises the limit, and that it continues to work.
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
			cmd.Stdout, cmd.Stderr = p.stdout, p.stderr
			id := []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}
			cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER, UidMappings: id}
			if err := cmd.Start(); err != nil {
				t.Skip("the test cannot create a user namespace: ", err)
			}
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			t.Cleanup(func() {
				_ = cmd.Process.Signal(os.Interrupt)
				if err := <-ended; err != nil {
					t.Errorf("watch ended with %v: %s", err, p.stderr)
				}
			})
			for len(p.events()) == 0 {
				select {
				case err := <-ended:
					ended <- nil
					t.Skip("the test cannot set the limit: ", err, p.stderr)
				case <-time.After(20 * time.Millisecond):
				}
			}
			for i := range 20 {
				p.Write(fmt.Sprintf("public/d%d/index.html", i), testsite.SmallPage)
			}
			p.WaitUntil(tt.hint, func() bool { return strings.Contains(p.stdout.String(), tt.hint) })
			p.WaitUntilLikeFreshBuild()
			p.Write("public/d7/late.html", testsite.SmallPage)
			p.WaitUntil("a late page", func() bool { return strings.Contains(p.Read("public/sitemap.xml"), "late") })
			p.WaitUntilLikeFreshBuild()
		})
	}
}
