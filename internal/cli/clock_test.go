package cli

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/config"
)

// begun returns the session of a watch that has built, whose steps a test makes.
func (p *project) begun(now func() time.Time) *session {
	p.t.Helper()
	env := p.env(p.dir)
	env.Now = now
	w := &watchFlags{quietPeriod: 5 * time.Millisecond}
	w.json = true
	s := newSession(w, env, &printer{out: p.out, err: p.talk}, config.Input{Dir: p.dir, Getenv: env.Getenv})
	p.must(s.begin(p.t.Context()))
	p.t.Cleanup(func() { _ = s.watcher.Close() })
	return s
}

// TestWatchClock sets the clock, forward and back, and does nothing else. At
// every step the files are those of a fresh build at that time.
func TestWatchClock(t *testing.T) {
	start := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	site := smallSite()
	site["sitemap.yaml"] = plainConfig + "content: {dir: content}\nlastmod: [frontmatter, html, date]\n"
	for i := range 60 {
		day := start.Add(time.Duration(i-30) * 3 * time.Hour)
		site[fmt.Sprintf("public/p%d/index.html", i)] = fmt.Sprintf("<title>P</title><meta name=robots content='unavailable_after: %s'><p>%d",
			day.Add(41*time.Hour).Format(time.RFC3339), i)
		site[fmt.Sprintf("content/p%d.md", i)] = fmt.Sprintf("---\npublishDate: %s\nlastmod: %s\nexpiryDate: %s\n---\n",
			day.Format(time.RFC3339), day.Add(20*time.Hour).Format(time.DateOnly), day.Add(40*time.Hour).Format(time.RFC3339))
	}
	p := newProject(t, site)
	p.getenv = nil
	now := start
	clock := func() time.Time { return now }
	s := p.begun(clock)
	seen := map[string]bool{}
	for _, jump := range []time.Duration{
		0, 1, time.Second, 5 * time.Hour, 19 * time.Hour, 31 * time.Hour, -30 * time.Hour, 24 * time.Hour,
		60 * 24 * time.Hour, -65 * 24 * time.Hour, 400 * 24 * time.Hour, -395 * 24 * time.Hour,
	} {
		now = now.Add(jump)
		for s.outdated() {
			s.step(t.Context())
		}
		env := p.env(p.dir, "build", "-q", "-o", t.TempDir())
		env.Args = append(env.Args, "--format", "xml")
		env.Now, env.Stdout, env.Stderr = clock, io.Discard, &tape{}
		dir := env.Args[3]
		if code := Run(t.Context(), env); code != exitOK {
			t.Fatal(env.Stderr)
		}
		if got, want := p.read("public/sitemap.xml"), files(dir)["sitemap.xml"]; got != want {
			t.Fatalf("at %v, after %v\ngot\n%s\nwant\n%s", now, jump, got, want)
		}
		seen[p.read("public/sitemap.xml")] = true
	}
	if len(seen) < 8 {
		t.Errorf("only %d different sitemaps", len(seen))
	}
}

// TestWatchAppointment publishes a page when its time comes, in real time.
func TestWatchAppointment(t *testing.T) {
	p := newProject(t, smallSite())
	p.getenv = nil
	p.write("sitemap.yaml", plainConfig+"content: {dir: content}\n")
	p.write("content/a.md", "---\npublishDate: "+time.Now().Add(2*time.Second).Format(time.RFC3339)+"\n---\n")
	p.watch()
	p.until("its time", func() bool { return strings.Contains(p.read("public/sitemap.xml"), "/a/<") })
	p.quietly()
}
