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

// A project is a site in a temporary folder for tests of watch.
type project struct {
	*testsite.Project
	args   []string // additional arguments of the build to compare with
	env    []string
	stdout *syncBuffer // of watch
	stderr *syncBuffer
}

func newProject(t *testing.T, files map[string]string) *project {
	p := &project{Project: testsite.NewProject(t, files), stdout: &syncBuffer{}, stderr: &syncBuffer{}}
	p.env = append(cleanEnv(), "SOURCE_DATE_EPOCH=1767268800")
	p.Output = func() string { return p.stdout.String() + p.stderr.String() }
	p.Build = func(dir string) (string, error) {
		cmd := p.command(context.Background(), append([]string{"build", "-q"}, p.args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	return p
}

func (p *project) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, sitewalk, args...)
	cmd.Dir, cmd.Env = p.Dir, p.env
	return cmd
}

// startWatch starts watch with --json and waits for its first build. The process ends with the test.
func (p *project) startWatch(args ...string) {
	p.T.Helper()
	p.SaveLedger()
	cmd := p.command(context.Background(), append([]string{"watch", "--json", "--quiet-period", "20ms"}, args...)...)
	cmd.Stdout, cmd.Stderr = p.stdout, p.stderr
	p.Must(cmd.Start())
	p.T.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			p.T.Errorf("watch ended with %v: %s", err, p.stderr)
		}
	})
	p.WaitUntil("the first build", func() bool { return len(p.events()) > 0 })
}

// A watchEvent is an event of "watch --json".
type watchEvent struct{ Event, Message string }

// events returns the events that watch has printed.
func (p *project) events() (all []watchEvent) {
	text := p.stdout.String()
	text = text[:strings.LastIndexByte(text, '\n')+1]
	for line := range strings.Lines(text) {
		var e watchEvent
		p.Must(json.Unmarshal([]byte(line), &e))
		all = append(all, e)
	}
	return all
}

// lastMessage returns the message of the last event, which is "" for a successful build.
func (p *project) lastMessage() string {
	es := p.events()
	return es[len(es)-1].Message
}

// requireNoEvents checks that watch prints no further events.
func (p *project) requireNoEvents() {
	p.T.Helper()
	p.RequireStableCount(func() int { return len(p.events()) })
}

// leftovers returns the names of the files in the publish directory that are not pages.
func (p *project) leftovers() (names []string) {
	all, _ := os.ReadDir(p.AbsPath("public"))
	for _, e := range all {
		if !e.IsDir() && !strings.HasSuffix(e.Name(), ".html") {
			names = append(names, e.Name())
		}
	}
	return names
}

// testWatchBackends runs a test with file system notifications and with polling.
func testWatchBackends(t *testing.T, test func(t *testing.T, args ...string)) {
	t.Run("notify", func(t *testing.T) { t.Parallel(); test(t) })
	t.Run("poll", func(t *testing.T) { t.Parallel(); test(t, "--poll", "30ms") })
}

// durationFromEnv returns the duration in an environment variable, or fallback if it is not set.
func durationFromEnv(t *testing.T, name string, fallback time.Duration) time.Duration {
	v := os.Getenv(name)
	if v == "" {
		return fallback
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
