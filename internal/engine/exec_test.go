package engine

import (
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// exec watches the project with the shell command as WatchOptions.Exec.
func (p *project) exec(command string) {
	p.T.Helper()
	if runtime.GOOS == "windows" {
		p.T.Skip("the commands are those of a shell")
	}
	o := p.options()
	o.Poll, o.Exec = 30*time.Millisecond, command
	p.watch(o)
}

// TestExec checks that the command runs after a build that changed a file, and not after other
// builds.
func TestExec(t *testing.T) {
	virtually(t, func(t *testing.T, p *project) {
		p.exec("echo run >> ran")
		runs := func() int { return strings.Count(p.Read("ran"), "run") }
		p.WaitUntil("the first run", func() bool { return runs() == 1 })
		p.Write("public/new.html", testsite.SmallPage)
		p.WaitUntil("the second run", func() bool { return runs() == 2 })
		before := len(p.events())
		p.Write("public/new.html", testsite.SmallPage+" and more")
		p.WaitUntil("a rebuild", func() bool { return len(p.events()) > before })
		p.quietly()
		if runs() != 2 {
			t.Errorf("%d runs", runs())
		}
	})
}

// TestExecEdits runs a command that edits a file written by sitewalk. The command runs only once.
func TestExecEdits(t *testing.T) {
	virtually(t, func(t *testing.T, p *project) {
		p.exec("echo run >> ran; echo '<!-- mine -->' >> public/sitemap.xml")
		p.WaitUntil("the run", func() bool { return p.Read("ran") != "" })
		p.WaitUntilLikeFreshBuild()
		p.quietly()
		p.Must(os.Remove(p.AbsPath("public/sitemap.xml")))
		p.WaitUntilLikeFreshBuild()
		p.quietly()
		if got := strings.Count(p.Read("ran"), "run"); got != 1 {
			t.Errorf("%d runs", got)
		}
	})
}

// TestExecFails checks that a failing command is reported, and that the watch continues.
func TestExecFails(t *testing.T) {
	for name, tt := range map[string]struct{ command, want string }{
		"fails":   {"exit 3", "--exec: exit status 3"},
		"missing": {"no-such-command-at-all", "--exec: exit status 127"},
		"dies":    {"kill -9 $$", "--exec: signal: killed"},
	} {
		t.Run(name, func(t *testing.T) {
			virtually(t, func(t *testing.T, p *project) {
				p.exec(tt.command)
				p.WaitUntil(tt.want, func() bool { return p.last().Event == "note" && p.last().Message == tt.want })
				p.Write("public/new.html", testsite.SmallPage)
				p.WaitUntil("the new page", func() bool { return strings.Contains(p.Read("public/sitemap.xml"), "/new.html") })
			})
		})
	}
}

// TestExecHangs ends a watch whose command hangs. The command and its child processes end too, even
// if they ignore signals. The test uses real time, because other processes have no virtual time.
func TestExecHangs(t *testing.T) {
	t.Parallel()
	p := newProject(t, testsite.SmallFiles())
	p.exec("trap '' TERM; (while :; do echo x >> alive; sleep 0.02; done) & wait; sleep 60; true")
	p.WaitUntil("the command", func() bool { return p.Read("alive") != "" })
	p.stop()
	err := <-p.done
	p.done <- err
	before := len(p.Read("alive"))
	time.Sleep(200 * time.Millisecond)
	if after := len(p.Read("alive")); after != before {
		t.Error("something of the command is alive")
	}
}
