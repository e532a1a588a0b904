//go:build e2e && unix

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// A project is a site in a folder of its own that a watch runs on.
type project struct {
	*testsite.Project
	args []string // of a fresh build that is like the watch
	env  []string
	out  *syncBuffer
	talk *syncBuffer
}

func newProject(t *testing.T, files map[string]string) *project {
	p := &project{Project: testsite.NewProject(t, files), out: &syncBuffer{}, talk: &syncBuffer{}}
	p.env = append(cleanEnv(), "SOURCE_DATE_EPOCH=1767268800")
	p.Output = func() string { return p.out.String() + p.talk.String() }
	p.Build = func(dir string) (string, error) {
		cmd := p.command(context.Background(), append([]string{"build", "-q"}, p.args...)...)
		cmd.Dir = dir
		said, err := cmd.CombinedOutput()
		return string(said), err
	}
	return p
}

func (p *project) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, sitewalk, args...)
	cmd.Dir, cmd.Env = p.Dir, p.env
	return cmd
}

// watch starts a watch with --json, and ends it with the test.
func (p *project) watch(args ...string) {
	p.T.Helper()
	p.SaveLedger()
	p.run(p.command(context.Background(), append([]string{"watch", "--json", "--quiet-period", "20ms"}, args...)...))
}

// run runs a watch, and ends it with the test.
func (p *project) run(cmd *exec.Cmd) {
	p.T.Helper()
	cmd.Stdout, cmd.Stderr = p.out, p.talk
	p.Must(cmd.Start())
	p.T.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			p.T.Errorf("watch ended with %v: %s", err, p.talk)
		}
	})
	p.WaitUntil("the first build", func() bool { return len(p.events()) > 0 })
}

// A happening is what the tests read of an event.
type happening struct{ Event, Message string }

func (p *project) events() (all []happening) {
	text := p.out.String()
	text = text[:strings.LastIndexByte(text, '\n')+1]
	for line := range strings.Lines(text) {
		var e happening
		p.Must(json.Unmarshal([]byte(line), &e))
		all = append(all, e)
	}
	return all
}

// last returns the message of the last event, "" when that is a build.
func (p *project) last() string {
	es := p.events()
	return es[len(es)-1].Message
}

func (p *project) quietly() {
	p.T.Helper()
	p.RequireStableCount(func() int { return len(p.events()) })
}

// leftovers returns what lies in the publish directory besides pages.
func (p *project) leftovers() (names []string) {
	all, _ := os.ReadDir(p.AbsPath("public"))
	for _, e := range all {
		if !e.IsDir() && !strings.HasSuffix(e.Name(), ".html") {
			names = append(names, e.Name())
		}
	}
	return names
}

func backendsOfWatch(t *testing.T, test func(t *testing.T, args ...string)) {
	t.Run("notify", func(t *testing.T) { t.Parallel(); test(t) })
	t.Run("poll", func(t *testing.T) { t.Parallel(); test(t, "--poll", "30ms") })
}

// length is how long a test goes on, as the environment says.
func length(t *testing.T, name string, usual time.Duration) time.Duration {
	v := os.Getenv(name)
	if v == "" {
		return usual
	}
	d, err := time.ParseDuration(v)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// A syncBuffer is a buffer for the output of a running program. It is safe for concurrent use.
type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write appends p to the buffer.
func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(p)
}

// String returns the content of the buffer.
func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}
