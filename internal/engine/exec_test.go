package engine

import (
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// watchWithExec watches the project with the shell command as WatchOptions.Exec.
func (p *project) watchWithExec(command string) {
	p.T.Helper()
	if runtime.GOOS == "windows" {
		p.T.Skip("the commands need a Unix shell")
	}
	o := p.options()
	o.Poll, o.Exec = 30*time.Millisecond, command
	p.watch(o)
}

// TestExecRunsAfterChangedFiles checks that the command runs only after builds that changed a file.
func TestExecRunsAfterChangedFiles(t *testing.T) {
	runWithVirtualTime(t, func(t *testing.T, p *project) {
		p.watchWithExec("echo run >> ran")
		runs := func() int { return strings.Count(p.Read("ran"), "run") }
		p.WaitUntil("the first run", func() bool { return runs() == 1 })
		p.Write("public/new.html", testsite.SmallPage)
		p.WaitUntil("the second run", func() bool { return runs() == 2 })
		before := len(p.events())
		p.Write("public/new.html", testsite.SmallPage+" and more")
		p.WaitUntil("a rebuild", func() bool { return len(p.events()) > before })
		p.requireNoEvents()
		if runs() != 2 {
			t.Errorf("got %d runs, want 2", runs())
		}
	})
}

// TestExecMayEditSitemap checks that a command that edits the sitemap runs only once.
func TestExecMayEditSitemap(t *testing.T) {
	runWithVirtualTime(t, func(t *testing.T, p *project) {
		p.watchWithExec("echo run >> ran; echo '<!-- mine -->' >> public/sitemap.xml")
		p.WaitUntil("the run", func() bool { return p.Read("ran") != "" })
		p.WaitUntilLikeFreshBuild()
		p.requireNoEvents()
		p.Must(os.Remove(p.AbsPath("public/sitemap.xml")))
		p.WaitUntilLikeFreshBuild()
		p.requireNoEvents()
		if got := strings.Count(p.Read("ran"), "run"); got != 1 {
			t.Errorf("got %d runs, want 1", got)
		}
	})
}

// TestWatchReportsFailureOfExec checks that a failing command is reported and the watch continues.
func TestWatchReportsFailureOfExec(t *testing.T) {
	for name, tt := range map[string]struct{ command, want string }{
		"exit status":     {"exit 3", "--exec: exit status 3"},
		"missing command": {"no-such-command-at-all", "--exec: exit status 127"},
		"killed":          {"kill -9 $$", "--exec: signal: killed"},
	} {
		t.Run(name, func(t *testing.T) {
			runWithVirtualTime(t, func(t *testing.T, p *project) {
				p.watchWithExec(tt.command)
				p.WaitUntil(tt.want, func() bool { return p.lastEvent().Event == "note" && p.lastEvent().Message == tt.want })
				p.Write("public/new.html", testsite.SmallPage)
				p.WaitUntil("the new page", func() bool { return strings.Contains(p.Read("public/sitemap.xml"), "/new.html") })
			})
		})
	}
}

// TestWatchEndsHangingExec stops a watch whose command hangs. The command and its child processes
// must end, even if they ignore SIGTERM. The test needs real time, because it runs other processes.
func TestWatchEndsHangingExec(t *testing.T) {
	t.Parallel()
	p := newProject(t, testsite.SmallFiles())
	p.watchWithExec("trap '' TERM; (while :; do echo x >> alive; sleep 0.02; done) & wait; sleep 60; true")
	p.WaitUntil("the command", func() bool { return p.Read("alive") != "" })
	p.stop()
	err := <-p.done
	p.done <- err
	before := len(p.Read("alive"))
	time.Sleep(200 * time.Millisecond)
	if after := len(p.Read("alive")); after != before {
		t.Error("a process of the command still runs")
	}
}
