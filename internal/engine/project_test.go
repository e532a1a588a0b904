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

// A project is a site in a temporary folder, which a test watches and changes.
type project struct {
	*testsite.Project
	flags  config.Flags // flags of the watch and of fresh builds
	getenv map[string]string
	now    func() time.Time
	stop   context.CancelFunc
	done   chan error

	mu       sync.Mutex
	recorded []watchEvent
	log      strings.Builder // the recorded events as text
}

// A watchEvent is one call of a Teller method.
type watchEvent struct {
	Event, Message string // "build", "error" or "note"
	First          bool
	Findings       []diag.Kind
}

func newProject(t *testing.T, files map[string]string) *project {
	p := &project{
		Project: testsite.NewProject(t, files), getenv: map[string]string{"SOURCE_DATE_EPOCH": "1767268800"},
		now: func() time.Time { return time.Now().Add(clockOffset) },
	}
	p.Project.Build, p.Output = p.build, p.output
	return p
}

// clockOffset is added to the clock of a synctest bubble, which starts in the year 2000. With the
// offset, most dates in the tests are in the past.
const clockOffset = 26 * 366 * 24 * time.Hour

// setDirAndBase sets the flags for the publish directory dir and the base URL.
func (p *project) setDirAndBase(dir, base string) {
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
func (p *project) build(dir string) (output string, err error) {
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
		output = err.Error()
	}
	return output, err
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
			p.T.Errorf("Watch: %v", err)
		}
	})
	p.WaitUntil("the first build", func() bool { return len(p.events()) > 0 })
}

// record adds an event to those that the test can read.
func (p *project) record(e watchEvent) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.recorded = append(p.recorded, e)
	p.log.WriteString(e.Event + " " + e.Message + "\n")
}

func (p *project) HandleSettings(*Build, error) {}

func (p *project) HandleBuild(b *Build, c Changes) {
	p.record(watchEvent{Event: "build", First: c.First, Findings: b.Findings.Kinds()})
}

func (p *project) HandleError(err error, findings []diag.Kind, first bool) {
	p.record(watchEvent{Event: "error", Message: err.Error(), First: first, Findings: findings})
}

func (p *project) HandleNote(text string) { p.record(watchEvent{Event: "note", Message: text}) }

func (p *project) events() []watchEvent {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.recorded[:len(p.recorded):len(p.recorded)]
}

func (p *project) lastEvent() watchEvent {
	es := p.events()
	return es[len(es)-1]
}

func (p *project) output() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.String()
}

// requireNoEvents checks that the watch reports no further event.
func (p *project) requireNoEvents() {
	p.T.Helper()
	p.RequireStableCount(func() int { return len(p.events()) })
}

// waitUntilSitemapHas waits until the sitemap contains text, and checks all files.
func (p *project) waitUntilSitemapHas(text string) {
	p.T.Helper()
	p.WaitUntil(text, func() bool { return strings.Contains(p.Read("public/sitemap.xml"), text) })
	p.WaitUntilLikeFreshBuild()
}

// runWithVirtualTime runs a test with virtual time, so waiting takes no real time. The files are
// real. The test must poll them, because events of the system cannot reach a synctest bubble.
func runWithVirtualTime(t *testing.T, test func(t *testing.T, p *project)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { test(t, newProject(t, testsite.SmallFiles())) })
}

// watchByPolling watches the project by polling.
func (p *project) watchByPolling() {
	p.T.Helper()
	o := p.options()
	o.Poll = 30 * time.Millisecond
	p.watch(o)
}

// runWithRealTime runs a test twice in real time: with events of the system, and with polling.
func runWithRealTime(t *testing.T, test func(p *project)) {
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
