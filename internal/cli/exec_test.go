package cli

import (
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestWatchExec runs the command after a rebuild that changed a file, and
// after no other.
func TestWatchExec(t *testing.T) {
	p := newProject(t, smallSite())
	p.watch("--exec", "echo run >> ran")
	runs := func() int { return strings.Count(p.read("ran"), "run") }
	p.until("the first run", func() bool { return runs() == 1 })
	p.write("public/new.html", htmlPage)
	p.until("the second run", func() bool { return runs() == 2 })
	before := len(p.events())
	p.write("public/new.html", htmlPage+" and more")
	p.until("a rebuild", func() bool { return len(p.events()) > before })
	p.quietly()
	if runs() != 2 {
		t.Errorf("%d runs", runs())
	}
}

// TestWatchExecEdits runs a command that changes our own file, once.
func TestWatchExecEdits(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are those of a shell")
	}
	p := newProject(t, smallSite())
	p.watch("--exec", "echo run >> ran; echo '<!-- mine -->' >> public/sitemap.xml")
	p.until("the run", func() bool { return p.read("ran") != "" })
	p.fresh()
	p.quietly()
	p.must(os.Remove(p.at("public/sitemap.xml")))
	p.fresh()
	p.quietly()
	if got := strings.Count(p.read("ran"), "run"); got != 1 {
		t.Errorf("%d runs", got)
	}
}

// TestWatchExecFails says that a command fails, and goes on.
func TestWatchExecFails(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are those of a shell")
	}
	for name, tt := range map[string]struct{ command, want string }{
		"fails":   {"exit 3", "--exec: exit status 3"},
		"missing": {"no-such-command-at-all", "--exec: exit status 127"},
		"dies":    {"kill -9 $$", "--exec: signal: killed"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t, smallSite())
			p.watch("--exec", tt.command)
			p.until(tt.want, func() bool {
				es := p.events()
				return es[len(es)-1].Event == "note" && es[len(es)-1].Message == tt.want
			})
			p.write("public/new.html", htmlPage)
			p.until("the new page", func() bool { return strings.Contains(p.read("public/sitemap.xml"), "/new.html") })
		})
	}
}

// TestWatchExecHangs ends with a command that hangs, and with what that started
// in turn, even if it ignores signals.
func TestWatchExecHangs(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are those of a shell")
	}
	p := newProject(t, smallSite())
	p.watch("--exec", "trap '' TERM; (while :; do echo x >> alive; sleep 0.02; done) & wait; sleep 60; true")
	p.until("the command", func() bool { return p.read("alive") != "" })
	p.stop()
	code := <-p.done
	p.done <- code
	before := len(p.read("alive"))
	time.Sleep(200 * time.Millisecond)
	if after := len(p.read("alive")); after != before {
		t.Error("something of the command is alive")
	}
}

// TestWatchTwice lets two watches that do not agree work on one folder. They
// come to no end, and to no rest, but not faster than every ceiling.
func TestWatchTwice(t *testing.T) {
	p := newProject(t, smallSite())
	p.watch()
	q := &project{t: t, dir: p.dir, out: &tape{}, talk: &tape{}, getenv: p.getenv}
	q.watch("-b", "https://other.example/")
	said := func(p *project) bool {
		return strings.Contains(p.out.String(), "sitemap.xml again and again; it is put right every 2s")
	}
	p.until("a note", func() bool { return said(p) || said(q) })
	n := len(p.events()) + len(q.events())
	time.Sleep(1500 * time.Millisecond)
	if got := len(p.events()) + len(q.events()) - n; got > 12 {
		t.Errorf("%d events since", got)
	}
}
