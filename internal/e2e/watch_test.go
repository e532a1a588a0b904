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

// soakDuration returns the duration of each soak test.
func soakDuration(t *testing.T) time.Duration {
	return durationFromEnv(t, "SITEWALK_SOAK", 25*time.Second)
}

// A soak runs watch while a generator builds the site repeatedly.
type soak struct {
	*gitSite
	watch *exec.Cmd
	log   *os.File // output of watch
	n     int      // builds so far
}

// A usage is the resource usage of a process.
type usage struct {
	rss            int // KiB
	files, watches int // open files, inotify watches
}

// readUsage reads the resource usage of watch.
func (s *soak) readUsage() (u usage) {
	s.t.Helper()
	proc := fmt.Sprintf("/proc/%d/", s.watch.Process.Pid)
	status, err := os.ReadFile(proc + "status")
	if err != nil {
		s.t.Fatalf("%v\n%s", err, s.readLog())
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

// readLog returns the last 4000 bytes of the output.
func (s *soak) readLog() string {
	b, _ := os.ReadFile(s.log.Name())
	return string(b[max(0, len(b)-4000):])
}

func (s *soak) readSitemap() string {
	b, _ := os.ReadFile(filepath.Join(s.dir, s.publish, "sitemap.xml"))
	return string(b)
}

// start builds and commits the site, and starts watch.
func (s *soak) start() {
	s.t.Helper()
	run(s.t, s.dir, s.buildCommand[0], s.buildCommand[1:]...)
	s.git("init", "-q")
	s.commit()
	var err error
	if s.log, err = os.Create(filepath.Join(s.t.TempDir(), "log")); err != nil {
		s.t.Fatal(err)
	}
	s.watch = exec.Command(sitewalk, "watch", "--json")
	s.watch.Dir, s.watch.Env, s.watch.Stdout, s.watch.Stderr = s.dir, cleanEnv(), s.log, s.log
	if err := s.watch.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = s.watch.Process.Kill(); _ = s.watch.Wait() })
}

// changeAndBuild changes a page, sometimes removes another one, and calls one of the build functions.
func (s *soak) changeAndBuild(builds []func()) {
	s.n++
	s.writePage(fmt.Sprintf("p%d", s.n%40), fmt.Sprintf("version %d", s.n))
	if s.n%7 == 0 {
		_ = os.Remove(filepath.Join(s.dir, s.source, fmt.Sprintf("p%d.md", (s.n+11)%40)))
	}
	builds[s.n%len(builds)]()
}

// removePublishDir removes the publish directory. It retries while watch writes into the directory.
func (s *soak) removePublishDir() {
	dir := filepath.Join(s.dir, s.publish)
	for end := time.Now().Add(time.Minute); os.RemoveAll(dir) != nil && time.Now().Before(end); {
	}
}

// waitUntilLikeBuild waits until the sitemap equals the output of a build with args.
func (s *soak) waitUntilLikeBuild(args ...string) {
	s.t.Helper()
	last := ""
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		out, _, err := tryRun(s.t, s.dir, nil, sitewalk, append([]string{"-o", "-"}, args...)...)
		if last = s.readSitemap(); err == nil && last == out {
			return
		}
	}
	s.t.Fatalf("the sitemap differs from that of a new build:\n%s\nwatch printed\n%s", last, s.readLog())
}

// run changes and builds the site repeatedly while watch runs. It checks that the sitemap equals that
// of a new build, that the resource usage does not grow, and that an interrupt ends watch.
func (s *soak) run(builds []func()) {
	s.t.Helper()
	s.start()
	var first usage
	for end, warm := time.Now().Add(soakDuration(s.t)), time.Now().Add(soakDuration(s.t)/3); time.Now().Before(end); {
		s.changeAndBuild(builds)
		if s.n%10 == 0 {
			s.waitUntilLikeBuild()
		}
		if first.rss == 0 && time.Now().After(warm) {
			s.waitUntilLikeBuild()
			first = s.readUsage()
		}
	}
	s.waitUntilLikeBuild()
	last := s.readUsage()
	s.t.Logf("%d builds; usage after a third of the time: %+v, at the end: %+v", s.n, first, last)
	if last.files > first.files+8 || last.watches > first.watches+50 || last.rss > first.rss+first.rss/4+8<<10 {
		s.t.Errorf("the resource usage grows from %+v to %+v", first, last)
	}
	if err := s.watch.Process.Signal(os.Interrupt); err != nil {
		s.t.Fatal(err)
	}
	if err := s.watch.Wait(); err != nil {
		s.t.Errorf("after an interrupt, watch ends with %v", err)
	}
}

// TestWatchHugo runs a soak test with Hugo, with different ways to replace the built site.
func TestWatchHugo(t *testing.T) {
	t.Parallel()
	s := &soak{gitSite: newHugoGitSite(t)}
	hugo := func(args ...string) { run(t, s.dir, s.buildCommand[0], append(s.buildCommand[1:], args...)...) }
	s.writePage("a", "something")
	s.write("static/robots.txt", "User-agent: *\n") // without static files, --cleanDestinationDir has no effect
	s.run([]func(){
		func() { hugo() },
		func() { hugo("--cleanDestinationDir") },
		func() {
			s.removePublishDir()
			hugo()
		},
		func() {
			hugo("--destination", "public.new")
			s.removePublishDir()
			if err := os.Rename(filepath.Join(s.dir, "public.new"), filepath.Join(s.dir, s.publish)); err != nil {
				t.Fatal(err)
			}
		},
	})
}

// TestWatchJekyll runs a soak test with Jekyll.
func TestWatchJekyll(t *testing.T) {
	t.Parallel()
	s := &soak{gitSite: newJekyllGitSite(t)}
	s.writePage("a", "something")
	build := func() { run(t, s.dir, s.buildCommand[0], s.buildCommand[1:]...) }
	s.run([]func(){
		build,
		build,
		func() {
			s.removePublishDir()
			build()
		},
	})
}

// TestWatchBeforeFirstBuild starts watch before the first build, and then a generator that watches
// its sources. It checks that the sitemap lists each new page.
func TestWatchBeforeFirstBuild(t *testing.T) {
	for name, tt := range map[string]struct {
		newSite func(t *testing.T) *gitSite
		args    []string // of the generator
		baseURL string
		ready   string // printed when the generator watches; it misses changes between its first build and this output
	}{
		// hugo server writes its own sitemap in each build.
		"hugo server":    {newHugoGitSite, []string{"server", "--port", "13199", "--disableLiveReload"}, "http://localhost:13199/", "Watching for changes"},
		"hugo --watch":   {newHugoGitSite, []string{"--watch"}, "https://example.internal/", "Watching for changes"},
		"jekyll --watch": {newJekyllGitSite, []string{"build", "--watch"}, "https://example.internal/", "Auto-regeneration: enabled"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &soak{gitSite: tt.newSite(t)}
			if text, err := os.ReadFile(filepath.Join(s.dir, "hugo.toml")); err == nil {
				s.write("hugo.toml", strings.Replace(string(text), ", 'sitemap'", "", 1))
			}
			s.writePage("a", "something")
			start := func(name string, args ...string) *exec.Cmd {
				t.Helper()
				cmd := exec.Command(name, args...)
				cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = s.dir, cleanEnv(), s.log, s.log
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				return cmd
			}
			var err error
			if s.log, err = os.Create(filepath.Join(t.TempDir(), "log")); err != nil {
				t.Fatal(err)
			}
			s.watch = start(sitewalk, "watch", "-b", tt.baseURL)
			s.waitForOutput("does not exist; waiting for it")
			generator := start(s.buildCommand[0], tt.args...)
			t.Cleanup(func() { _ = generator.Process.Kill(); _ = generator.Wait() })
			s.waitForOutput(tt.ready)
			for _, page := range []string{"a", "b", "c", "d"} {
				s.writePage(page, "a word")
				s.waitForPage("/" + page + "/")
				s.waitUntilLikeBuild("-b", tt.baseURL)
			}
			if err := s.watch.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			if err := s.watch.Wait(); err != nil {
				t.Errorf("after an interrupt, watch ends with %v", err)
			}
		})
	}
}

// waitForOutput waits until the log contains a text.
func (s *soak) waitForOutput(text string) {
	s.t.Helper()
	s.waitUntil("the output "+text, func() bool { return strings.Contains(s.readLog(), text) })
}

// waitForPage waits until the sitemap lists a page.
func (s *soak) waitForPage(path string) {
	s.t.Helper()
	s.waitUntil("the page "+path, func() bool { return strings.Contains(s.readSitemap(), path+"</loc>") })
}

// waitUntil waits up to 30 seconds for a condition.
func (s *soak) waitUntil(what string, condition func() bool) {
	s.t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if condition() {
			return
		}
	}
	s.t.Fatalf("timeout waiting for %s; the output is\n%s\nand the sitemap\n%s", what, s.readLog(), s.readSitemap())
}
