package engine

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/watch"
)

func TestMain(m *testing.M) {
	testsite.SpeedUp()
	m.Run()
}

// A project is a site in a temporary folder that a test watches.
type project struct {
	*testsite.Project
	flags  config.Flags // flags of the watch and of fresh builds
	getenv map[string]string
	now    func() time.Time
	stop   context.CancelFunc
	done   chan error

	mu   sync.Mutex
	told []happening
	said strings.Builder
}

// A happening is one call of a Teller method.
type happening struct {
	Event, Message string // "build", "error" or "note"
	First          bool
	Findings       []diag.Kind
}

func newProject(t *testing.T, files map[string]string) *project {
	p := &project{
		Project: testsite.NewProject(t, files), getenv: map[string]string{"SOURCE_DATE_EPOCH": "1767268800"},
		now: func() time.Time { return time.Now().Add(sinceBubble) },
	}
	p.Project.Build, p.Output = p.build, p.text
	return p
}

// sinceBubble is added to the clock of a synctest bubble, which starts in the year 2000. The dates
// in the tests are then in the past.
const sinceBubble = 26 * 366 * 24 * time.Hour

// at sets the flags for the publish directory dir and the base URL.
func (p *project) at(dir, base string) {
	p.flags = config.Flags{}
	for flag, value := range map[string]string{"dir": dir, "base-url": base} {
		if value != "" {
			p.flags[flag] = []string{value}
		}
	}
}

func (p *project) input(dir string) config.Input {
	return config.Input{Flags: p.flags, Dir: dir, Now: p.now(), Getenv: func(k string) string { return p.getenv[k] }}
}

// build runs a fresh build of the project in the folder dir.
func (p *project) build(dir string) (said string, err error) {
	b := New(Options{Dir: dir})
	if err = b.Resolve(p.input(dir)); err == nil {
		err = b.ReadSite(p.T.Context())
	}
	if err == nil {
		err = b.CheckMassProblems()
	}
	if err == nil {
		err = b.Write(p.T.Context())
	}
	if err != nil {
		said = err.Error()
	}
	return said, err
}

func (p *project) options() WatchOptions {
	return WatchOptions{
		Build: Options{Dir: p.Dir}, Input: p.input(p.Dir), Now: p.now,
		Quiet: 20 * time.Millisecond, Output: io.Discard, Tell: p,
	}
}

// watch starts Watch for the project. It stops at the end of the test.
func (p *project) watch(o WatchOptions) {
	p.T.Helper()
	p.SaveLedger()
	ctx, stop := context.WithCancel(p.T.Context())
	p.stop, p.done = stop, make(chan error, 1)
	go func() { p.done <- Watch(ctx, o) }()
	p.T.Cleanup(func() {
		stop()
		if err := <-p.done; err != nil {
			p.T.Errorf("it ended with %v", err)
		}
	})
	p.WaitUntil("the first build", func() bool { return len(p.events()) > 0 })
}

func (p *project) say(e happening) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.told = append(p.told, e)
	p.said.WriteString(e.Event + " " + e.Message + "\n")
}

func (p *project) HandleSettings(*Build, error) {}

func (p *project) HandleBuild(b *Build, c Changes) {
	p.say(happening{Event: "build", First: c.First, Findings: b.Findings.Kinds()})
}

func (p *project) HandleError(err error, findings []diag.Kind, first bool) {
	p.say(happening{Event: "error", Message: err.Error(), First: first, Findings: findings})
}

func (p *project) HandleNote(text string) { p.say(happening{Event: "note", Message: text}) }

func (p *project) events() []happening {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.told[:len(p.told):len(p.told)]
}

func (p *project) last() happening {
	es := p.events()
	return es[len(es)-1]
}

func (p *project) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.said.String()
}

func (p *project) quietly() {
	p.T.Helper()
	p.RequireStableCount(func() int { return len(p.events()) })
}

// has waits until the sitemap contains text, and checks all files.
func (p *project) has(text string) {
	p.T.Helper()
	p.WaitUntil(text, func() bool { return strings.Contains(p.Read("public/sitemap.xml"), text) })
	p.WaitUntilLikeFreshBuild()
}

// virtually runs a test with virtual time, so waiting takes no real time. The files are real and
// are polled, because events of the system cannot reach a synctest bubble.
func virtually(t *testing.T, test func(t *testing.T, p *project)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { test(t, newProject(t, testsite.SmallFiles())) })
}

// follow starts a watch that polls.
func (p *project) follow() {
	p.T.Helper()
	o := p.options()
	o.Poll = 30 * time.Millisecond
	p.watch(o)
}

// really runs a test twice: with events of the system, and with polling.
func really(t *testing.T, test func(p *project)) {
	t.Parallel()
	for name, poll := range map[string]time.Duration{"notify": 0, "poll": 30 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t, testsite.SmallFiles())
			p.now = time.Now
			o := p.options()
			o.Poll = poll
			p.watch(o)
			test(p)
		})
	}
}

var _ Batches = (*watch.Watcher)(nil)
