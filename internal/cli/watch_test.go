package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A project is a site in a folder of its own that a watch runs on.
type project struct {
	t      *testing.T
	dir    string
	getenv map[string]string
	args   []string // of a fresh build that is like the watch
	ledger []byte   // as it was when the watch began
	out    *tape
	talk   *tape
	built  bool // a fresh build has succeeded
	stop   context.CancelFunc
	done   chan int
}

// A tape is what a command printed so far.
type tape struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (t *tape) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.Write(p)
}

func (t *tape) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.String()
}

func newProject(t *testing.T, files map[string]string) *project {
	p := &project{t: t, dir: t.TempDir(), out: &tape{}, talk: &tape{}, getenv: map[string]string{"SOURCE_DATE_EPOCH": "1767268800"}}
	for name, text := range files {
		p.write(name, text)
	}
	return p
}

func (p *project) at(name string) string { return filepath.Join(p.dir, filepath.FromSlash(name)) }

func (p *project) write(name, text string) {
	p.t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(p.at(name)), 0o755), os.WriteFile(p.at(name), []byte(text), 0o644)); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) read(name string) string {
	b, err := os.ReadFile(p.at(name))
	if err != nil {
		return ""
	}
	return string(b)
}

func (p *project) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) env(dir string, args ...string) Env {
	return Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: p.out, Stderr: p.talk, Dir: dir, Now: time.Now,
		Getenv: func(k string) string { return p.getenv[k] },
	}
}

// watch starts a watch with --json, and ends it with the test.
func (p *project) watch(args ...string) {
	p.t.Helper()
	p.ledger, _ = os.ReadFile(p.at("sitemap.ledger"))
	ctx, stop := context.WithCancel(p.t.Context())
	p.stop, p.done = stop, make(chan int, 1)
	go func() {
		p.done <- Run(ctx, p.env(p.dir, append([]string{"watch", "--json", "--quiet-period", "20ms"}, args...)...))
	}()
	p.t.Cleanup(func() {
		stop()
		if code := <-p.done; code != exitOK {
			p.t.Errorf("watch ended with %d: %s", code, p.talk)
		}
	})
	p.until("the first build", func() bool { return len(p.events()) > 0 })
}

// A happening is what the tests read of an event.
type happening struct {
	Event, Message string
	Findings       []struct {
		Findings []struct{ Pos struct{ Line int } }
	}
}

func (p *project) events() (all []happening) {
	text := p.out.String()
	text = text[:strings.LastIndexByte(text, '\n')+1]
	for line := range strings.Lines(text) {
		var e happening
		p.must(json.Unmarshal([]byte(line), &e))
		all = append(all, e)
	}
	return all
}

func (p *project) until(what string, holds func() bool) {
	p.t.Helper()
	for end := time.Now().Add(15 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if holds() {
			return
		}
	}
	p.t.Fatalf("%s does not come; it said\n%s%s", what, p.out, p.talk)
}

// fresh waits until the files on disk are those that a fresh build in a copy of
// the project leaves, ledger included.
func (p *project) fresh() {
	p.t.Helper()
	var diff string
	p.built = false
	for end := time.Now().Add(8 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if diff = p.differs(); diff == "" {
			if !p.built {
				p.t.Fatalf("no fresh build succeeds: %s", p.talk)
			}
			return
		}
	}
	p.t.Fatalf("not as fresh: %s\nit said\n%s%s", diff, p.out, p.talk)
}

func (p *project) differs() string {
	dir := p.t.TempDir()
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, os.DirFS(p.dir)); err != nil {
		return err.Error() // a file came or went
	}
	if p.ledger != nil {
		p.must(os.WriteFile(filepath.Join(dir, "sitemap.ledger"), p.ledger, 0o644))
	} else {
		_ = os.Remove(filepath.Join(dir, "sitemap.ledger"))
	}
	env := p.env(dir, append([]string{"build", "-q"}, p.args...)...)
	env.Stdout, env.Stderr = &tape{}, &tape{}
	code := Run(p.t.Context(), env)
	got, want := files(p.dir), files(dir)
	p.built = p.built || code == exitOK
	if code != exitOK && p.ledger == nil { // then nothing may have been written, and the ledger is an earlier one
		delete(got, "sitemap.ledger")
	} else if code != exitOK {
		delete(got, "sitemap.ledger")
		delete(want, "sitemap.ledger")
	}
	for _, name := range slices.Sorted(maps.Keys(merged(got, want))) {
		if got[name] != want[name] {
			return name + " is\n" + got[name] + "\nwant\n" + want[name] + "\n" + env.Stderr.(*tape).String()
		}
	}
	return ""
}

func merged(a, b map[string]string) map[string]string {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// files returns what every file below dir holds.
func files(dir string) map[string]string {
	out := map[string]string{}
	_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		rel, _ := filepath.Rel(dir, p)
		b, _ := os.ReadFile(p)
		out[filepath.ToSlash(rel)] = string(b)
		return nil
	})
	return out
}

const (
	plainConfig = "base_url: https://example.com/\npages: {dir: public}\n"
	htmlPage    = "<!doctype html><title>Page</title><p>text"
)

func smallSite() map[string]string {
	return map[string]string{
		"sitemap.yaml":        plainConfig,
		"public/index.html":   htmlPage,
		"public/a/index.html": htmlPage,
		"public/a/b.html":     htmlPage,
	}
}

// quietly checks that a watch rebuilds nothing while nothing happens.
func (p *project) quietly() {
	p.t.Helper()
	time.Sleep(400 * time.Millisecond) // what was written may not be told yet
	before := len(p.events())
	time.Sleep(300 * time.Millisecond)
	if es := p.events(); len(es) > before {
		p.t.Errorf("woken by nothing: %+v", es[before:])
	}
}

// wipe removes a folder, into which watch may be about to put a file.
func (p *project) wipe(dir string) {
	p.t.Helper()
	p.until("an empty place", func() bool { return os.RemoveAll(p.at(dir)) == nil })
}

func backendsOfWatch(t *testing.T, test func(t *testing.T, args ...string)) {
	t.Run("notify", func(t *testing.T) { t.Parallel(); test(t) })
	t.Run("poll", func(t *testing.T) { t.Parallel(); test(t, "--poll", "30ms") })
}

// TestWatchOwnFiles lets others write over and delete what watch wrote, and
// checks that its own writes wake nothing.
func TestWatchOwnFiles(t *testing.T) {
	backendsOfWatch(t, func(t *testing.T, args ...string) {
		p := newProject(t, smallSite())
		p.write("sitemap.yaml", plainConfig+"ledger: sitemap.ledger\noutput: {formats: [xml, rss], robots: true, page: map/sitemap.html, gzip: also}\n")
		p.watch(args...)
		p.fresh()
		p.quietly()
		for _, name := range []string{"public/sitemap.xml", "public/map/sitemap.html", "public/sitemap.xml.gz", "sitemap.ledger"} {
			p.must(os.Remove(p.at(name)))
			p.fresh()
			if strings.HasSuffix(name, ".html") {
				continue // a page that someone else wrote is not ours to replace
			}
			p.write(name, "<urlset>another tool's</urlset>")
			p.until(name, func() bool { return !strings.Contains(p.read(name), "another tool") })
			p.fresh()
			p.quietly()
		}
		p.write("public/robots.txt", "User-agent: *\nDisallow: /a/\n")
		p.until("robots.txt", func() bool {
			return strings.Contains(p.read("public/robots.txt"), "Sitemap:") && !strings.Contains(p.read("public/sitemap.xml"), "/a/")
		})
		p.fresh()
		p.quietly()
	})
}

// TestWatchLinkedTree does not wake itself in a tree with symbolic links.
func TestWatchLinkedTree(t *testing.T) {
	backendsOfWatch(t, func(t *testing.T, args ...string) {
		p := newProject(t, smallSite())
		p.must(os.Symlink("a", p.at("public/link")))
		p.watch(args...)
		p.quietly()
		p.write("public/a/c.html", htmlPage)
		p.until("the page behind the link", func() bool { return strings.Contains(p.read("public/sitemap.xml"), "/link/c.html") })
		p.fresh()
		p.quietly()
	})
}

// TestWatchConfiguration breaks the configuration, and mends it.
func TestWatchConfiguration(t *testing.T) {
	backendsOfWatch(t, func(t *testing.T, args ...string) {
		p := newProject(t, smallSite())
		p.watch(args...)
		p.write("sitemap.yaml", plainConfig+"defaults: {changefreq: sometimes}\n")
		p.until("the mistake", func() bool {
			events := p.events()
			last := events[len(events)-1]
			return last.Event == "error" && len(last.Findings) > 0 && last.Findings[0].Findings[0].Pos.Line == 3
		})
		p.write("public/new.html", htmlPage)
		p.until("the new page, with the last good settings", func() bool { return strings.Contains(p.read("public/sitemap.xml"), "/new.html") })
		p.write("sitemap.yaml", plainConfig+"defaults: {changefreq: weekly}\n")
		p.until("the new settings", func() bool { return strings.Contains(p.read("public/sitemap.xml"), "weekly") })
		p.fresh()
		p.write("public/_redirects", "/a/ / 301!\n")
		p.write("public/_headers", "/new*\n  X-Robots-Tag: noindex\n")
		p.write("netlify.toml", "[build]\npublish = 'public'\n")
		p.until("the host's redirect", func() bool { return !strings.Contains(p.read("public/sitemap.xml"), "/a/<") })
		p.fresh()
		p.wipe("public")
		p.write("sitemap.yaml", plainConfig)
		time.Sleep(100 * time.Millisecond)
		p.write("public/index.html", htmlPage)
		p.until("the site again", func() bool { return strings.Contains(p.read("public/sitemap.xml"), "https://example.com/<") })
		p.fresh()
	})
}

// TestWatchLinkedConfiguration edits and re-points what a sitemap.yaml that is a
// symbolic link leads to.
func TestWatchLinkedConfiguration(t *testing.T) {
	backendsOfWatch(t, func(t *testing.T, args ...string) {
		site := smallSite()
		delete(site, "sitemap.yaml")
		site["shared/v1/sitemap.yaml"] = plainConfig + "defaults: {priority: 0.1}\n"
		site["shared/v2/sitemap.yaml"] = plainConfig + "defaults: {priority: 0.2}\n"
		p := newProject(t, site)
		p.must(os.Symlink("shared/current/sitemap.yaml", p.at("sitemap.yaml")))
		p.must(os.Symlink("v1", p.at("shared/current")))
		p.watch(args...)
		has := func(priority string) {
			t.Helper()
			p.until(priority, func() bool { return strings.Contains(p.read("public/sitemap.xml"), "<priority>"+priority) })
			p.fresh()
		}
		has("0.1")
		p.write("shared/v1/sitemap.yaml", plainConfig+"defaults: {priority: 0.3}\n")
		has("0.3")
		p.must(os.Symlink("v2", p.at("shared/new")))
		p.must(os.Rename(p.at("shared/new"), p.at("shared/current")))
		has("0.2")
		p.write("shared/v2/sitemap.yaml", plainConfig+"defaults: {priority: 0.4}\n")
		has("0.4")
		p.quietly()
	})
}

// TestWatchRootAway takes the publish directory away for a while.
func TestWatchRootAway(t *testing.T) {
	backendsOfWatch(t, func(t *testing.T, args ...string) {
		p := newProject(t, smallSite())
		p.watch(args...)
		p.must(os.Rename(p.at("public"), p.at("away")))
		p.until("the trouble", func() bool {
			es := p.events()
			return es[len(es)-1].Event == "error" && strings.Contains(es[len(es)-1].Message, "does not exist")
		})
		p.write("away/late.html", htmlPage)
		p.must(os.Rename(p.at("away"), p.at("public")))
		p.until("the site again", func() bool { return strings.Contains(p.read("public/sitemap.xml"), "late") })
		p.write("public/later.html", htmlPage)
		p.until("another page", func() bool { return strings.Contains(p.read("public/sitemap.xml"), "later") })
		p.fresh()
	})
}

// TestWatchDays keeps the day of a change when the next one begins.
func TestWatchDays(t *testing.T) {
	p := newProject(t, smallSite())
	p.write("sitemap.yaml", plainConfig+"ledger: sitemap.ledger\nlastmod: [ledger]\n")
	p.getenv = nil
	var mu sync.Mutex
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	forward := func(days int) { mu.Lock(); defer mu.Unlock(); now = now.AddDate(0, 0, days) }
	build := p.env(p.dir, "build", "-q")
	build.Now = clock
	if code := Run(t.Context(), build); code != exitOK {
		t.Fatal(p.talk)
	}
	env := p.env(p.dir, "watch", "--quiet-period", "20ms")
	env.Now = clock
	ctx, stop := context.WithCancel(t.Context())
	p.done = make(chan int, 1)
	forward(1)
	go func() { p.done <- Run(ctx, env) }()
	p.until("the first build", func() bool { return strings.Contains(p.talk.String(), "3 URLs") })
	p.write("public/a/b.html", htmlPage+" of the second day")
	p.until("the second day", func() bool { return strings.Contains(p.read("public/sitemap.xml"), "2026-01-02") })
	forward(1)
	p.write("public/index.html", htmlPage+" of the third day")
	p.until("the third day", func() bool { return strings.Contains(p.read("public/sitemap.xml"), "2026-01-03") })
	if !strings.Contains(p.read("public/sitemap.xml"), "b.html</loc><lastmod>2026-01-02") {
		t.Errorf("the page of the second day moved:\n%s", p.read("public/sitemap.xml"))
	}
	stop()
	<-p.done
}

// TestWatchForeignFiles is not woken by files that are none of its own beside
// those that decide, which would keep a rebuild waiting for quiet.
func TestWatchForeignFiles(t *testing.T) {
	site := smallSite()
	site["sitemap.yaml"] = plainConfig + "ledger: sitemap.ledger\n"
	p := newProject(t, site)
	s := p.begun(time.Now)
	wakes := func(name string) bool {
		t.Helper()
		for range 10 { // what was written before may be told of once more
			b, err := s.watcher.Next(t.Context(), 100*time.Millisecond)
			p.must(err)
			if len(slices.Concat(b.Paths...)) == 0 {
				break
			}
		}
		p.write(name, time.Now().String())
		b, err := s.watcher.Next(t.Context(), 300*time.Millisecond)
		p.must(err)
		return len(slices.Concat(b.Paths...)) > 0
	}
	for name, want := range map[string]bool{
		"debug.log": false, "sitemap.yaml~": false, "README.md": false,
		"sitemap.yaml": true, "sitemap.ledger": true, "netlify.toml": true, "public/robots.txt": true,
	} {
		if got := wakes(name); got != want {
			t.Errorf("%s wakes it: %v", name, got)
		}
	}
}
