//go:build e2e && linux

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// soakLength is how long each soak goes on.
func soakLength(t *testing.T) time.Duration { return length(t, "SITEWALK_SOAK", 25*time.Second) }

// A soak is a watch beside a generator that builds in a loop.
type soak struct {
	*story
	watch *exec.Cmd
	talk  *os.File
	n     int
}

// usage is what a process holds.
type usage struct{ rss, files, watches int }

func (s *soak) usage() (u usage) {
	s.t.Helper()
	proc := fmt.Sprintf("/proc/%d/", s.watch.Process.Pid)
	status, err := os.ReadFile(proc + "status")
	if err != nil {
		s.t.Fatalf("%v\n%s", err, s.said())
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			u.rss, _ = strconv.Atoi(strings.Fields(rest)[0])
		}
	}
	fds, _ := os.ReadDir(proc + "fdinfo")
	u.files = len(fds)
	for _, fd := range fds {
		info, _ := os.ReadFile(proc + "fdinfo/" + fd.Name())
		u.watches += strings.Count(string(info), "inotify wd:")
	}
	return u
}

func (s *soak) said() string {
	b, _ := os.ReadFile(s.talk.Name())
	return string(b[max(0, len(b)-4000):])
}

func (s *soak) sitemap() string {
	b, _ := os.ReadFile(filepath.Join(s.dir, s.publish, "sitemap.xml"))
	return string(b)
}

// start begins to watch.
func (s *soak) start() {
	s.t.Helper()
	do(s.t, s.dir, s.build[0], s.build[1:]...)
	s.git("init", "-q")
	s.commit()
	var err error
	if s.talk, err = os.Create(filepath.Join(s.t.TempDir(), "talk")); err != nil {
		s.t.Fatal(err)
	}
	s.watch = exec.Command(sitewalk, "watch", "--json")
	s.watch.Dir, s.watch.Env, s.watch.Stdout, s.watch.Stderr = s.dir, cleanEnv(), s.talk, s.talk
	if err := s.watch.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = s.watch.Process.Kill(); _ = s.watch.Wait() })
}

// again changes a page, and builds in one of the ways that generators have.
func (s *soak) again(ways []func()) {
	s.n++
	s.page(fmt.Sprintf("p%d", s.n%40), fmt.Sprintf("version %d", s.n))
	if s.n%7 == 0 {
		_ = os.Remove(filepath.Join(s.dir, s.source, fmt.Sprintf("p%d.md", (s.n+11)%40)))
	}
	ways[s.n%len(ways)]()
}

// wipe takes the built site away, also while watch writes into it.
func (s *soak) wipe() {
	dir := filepath.Join(s.dir, s.publish)
	for end := time.Now().Add(time.Minute); os.RemoveAll(dir) != nil && time.Now().Before(end); {
	}
}

// equal waits until a fresh build would write what is there.
func (s *soak) equal(args ...string) {
	s.t.Helper()
	last := ""
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		out, _, err := try(s.t, s.dir, nil, sitewalk, append([]string{"-o", "-"}, args...)...)
		if last = s.sitemap(); err == nil && last == out {
			return
		}
	}
	s.t.Fatalf("the sitemap is not that of a fresh build:\n%s\nwatch said\n%s", last, s.said())
}

func (s *soak) run(ways []func()) {
	s.t.Helper()
	s.start()
	var first usage
	for end, warm := time.Now().Add(soakLength(s.t)), time.Now().Add(soakLength(s.t)/3); time.Now().Before(end); {
		s.again(ways)
		if s.n%10 == 0 {
			s.equal()
		}
		if first.rss == 0 && time.Now().After(warm) {
			s.equal()
			first = s.usage()
		}
	}
	s.equal()
	last := s.usage()
	s.t.Logf("%d builds; after a third of them %+v, at the end %+v", s.n, first, last)
	if last.files > first.files+8 || last.watches > first.watches+50 || last.rss > first.rss+first.rss/4+8<<10 {
		s.t.Errorf("it grows: %+v, then %+v", first, last)
	}
	if err := s.watch.Process.Signal(os.Interrupt); err != nil {
		s.t.Fatal(err)
	}
	if err := s.watch.Wait(); err != nil {
		s.t.Errorf("an interrupt ends it with %v", err)
	}
}

func TestWatchHugo(t *testing.T) {
	t.Parallel()
	s := &soak{story: hugoStory(t)}
	hugo := func(args ...string) { do(t, s.dir, s.build[0], append(s.build[1:], args...)...) }
	s.page("a", "something")
	s.write("static/robots.txt", "User-agent: *\n") // without static files, cleaning does nothing
	s.run([]func(){
		func() { hugo() },
		func() { hugo("--cleanDestinationDir") },
		func() {
			s.wipe()
			hugo()
		},
		func() {
			hugo("--destination", "public.new")
			s.wipe()
			if err := os.Rename(filepath.Join(s.dir, "public.new"), filepath.Join(s.dir, s.publish)); err != nil {
				t.Fatal(err)
			}
		},
	})
}

func TestWatchJekyll(t *testing.T) {
	t.Parallel()
	s := &soak{story: jekyllStory(t)}
	s.page("a", "something")
	build := func() { do(t, s.dir, s.build[0], s.build[1:]...) }
	s.run([]func(){
		build,
		build,
		func() {
			s.wipe()
			build()
		},
	})
}

// TestWatchFirst begins to watch before the site was ever built, beside a
// generator that builds whenever a source changes: the order in which people
// start both.
func TestWatchFirst(t *testing.T) {
	for name, tt := range map[string]struct {
		story func(t *testing.T) *story
		serve []string // after the generator's name
		base  string
		ready string // what it says when it watches: a change before that, after its first build, is lost
	}{
		// hugo server writes a sitemap of its own at each build.
		"hugo server":    {hugoStory, []string{"server", "--port", "13199", "--disableLiveReload"}, "http://localhost:13199/", "Watching for changes"},
		"hugo --watch":   {hugoStory, []string{"--watch"}, "https://example.internal/", "Watching for changes"},
		"jekyll --watch": {jekyllStory, []string{"build", "--watch"}, "https://example.internal/", "Auto-regeneration: enabled"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &soak{story: tt.story(t)}
			if text, err := os.ReadFile(filepath.Join(s.dir, "hugo.toml")); err == nil {
				s.write("hugo.toml", strings.Replace(string(text), ", 'sitemap'", "", 1))
			}
			s.page("a", "something")
			start := func(name string, args ...string) *exec.Cmd {
				t.Helper()
				cmd := exec.Command(name, args...)
				cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = s.dir, cleanEnv(), s.talk, s.talk
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				return cmd
			}
			var err error
			if s.talk, err = os.Create(filepath.Join(t.TempDir(), "talk")); err != nil {
				t.Fatal(err)
			}
			s.watch = start(sitewalk, "watch", "-b", tt.base)
			s.says("does not exist; waiting for it")
			generator := start(s.build[0], tt.serve...)
			t.Cleanup(func() { _ = generator.Process.Kill(); _ = generator.Wait() })
			s.says(tt.ready)
			for _, page := range []string{"a", "b", "c", "d"} {
				s.page(page, "a word")
				s.lists("/" + page + "/")
				s.equal("-b", tt.base)
			}
			if err := s.watch.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			if err := s.watch.Wait(); err != nil {
				t.Errorf("an interrupt ends it with %v", err)
			}
		})
	}
}

// says waits until watch says something.
func (s *soak) says(text string) {
	s.t.Helper()
	s.until(text, func() bool { return strings.Contains(s.said(), text) })
}

// lists waits until the sitemap lists a page.
func (s *soak) lists(path string) {
	s.t.Helper()
	s.until(path, func() bool { return strings.Contains(s.sitemap(), path+"</loc>") })
}

func (s *soak) until(what string, holds func() bool) {
	s.t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if holds() {
			return
		}
	}
	s.t.Fatalf("%s does not come; it said\n%s\nand wrote\n%s", what, s.said(), s.sitemap())
}
