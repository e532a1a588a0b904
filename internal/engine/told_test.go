package engine

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/watch"
)

// A feed is a fake watcher whose batches the test sends.
type feed struct {
	p     *project
	trees []watch.Tree
	next  chan watch.Batch
}

func (f *feed) Next(ctx context.Context, limit time.Duration) (watch.Batch, error) {
	select {
	case b := <-f.next:
		return b, nil
	case <-ctx.Done():
		return watch.Batch{}, ctx.Err()
	case <-time.After(limit):
		return f.batch(), nil
	}
}

func (f *feed) Close() error { return nil }

// batch returns a batch with the named files.
func (f *feed) batch(names ...string) watch.Batch {
	b := watch.Batch{Paths: map[string][]string{}}
	for _, name := range names {
		for _, t := range f.trees {
			rel, err := filepath.Rel(t.Dir, f.p.AbsPath(name))
			if err != nil || !filepath.IsLocal(rel) {
				continue
			}
			tree := cmp.Or(t.Name, t.Dir)
			b.Paths[tree] = append(b.Paths[tree], filepath.ToSlash(rel))
		}
	}
	return b
}

// tell sends a batch with the named files, and waits until it is handled.
func (f *feed) tell(names ...string) { f.tellBatch(f.batch(names...)) }

func (f *feed) tellBatch(b watch.Batch) {
	f.next <- b
	synctest.Wait()
}

// fed runs a test with a feed and virtual time.
func fed(t *testing.T, files map[string]string, test func(t *testing.T, p *project, f *feed), env ...string) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newProject(t, testsite.SmallFiles())
		for name, text := range files {
			p.Write(name, text)
		}
		if files != nil {
			p.getenv = map[string]string{}
		}
		for _, e := range env {
			name, value, _ := strings.Cut(e, "=")
			p.getenv[name] = value
		}
		test(t, p, p.fed())
	})
}

// fed starts a watch of the project and returns its feed.
func (p *project) fed() *feed {
	f := &feed{p: p}
	o := p.options()
	o.Watch = func(w watch.Options) Batches {
		f.trees, f.next = w.Trees, make(chan watch.Batch)
		return f
	}
	p.watch(o)
	synctest.Wait()
	return f
}

func (p *project) lists(text string) bool {
	return strings.Contains(p.Read("public/sitemap.xml"), text)
}

// TestAppointment checks that a scheduled page is listed at the second of its publication date.
func TestAppointment(t *testing.T) {
	due := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Add(sinceBubble + 50*time.Second)
	files := map[string]string{
		"sitemap.yaml": testsite.SmallConfig + "content: {dir: content}\n",
		"content/a.md": "---\npublishDate: " + due.Format(time.RFC3339) + "\n---\n",
	}
	fed(t, files, func(t *testing.T, p *project, f *feed) {
		time.Sleep(due.Sub(p.now()) - time.Millisecond)
		if synctest.Wait(); p.lists("/a/<") {
			t.Error("it comes too early")
		}
		time.Sleep(2 * time.Millisecond)
		if synctest.Wait(); !p.lists("/a/<") {
			t.Error("it does not come in time")
		}
		p.WaitUntilLikeFreshBuild()
		time.Sleep(time.Minute)
		if synctest.Wait(); len(p.events()) != 2 {
			t.Errorf("it says\n%s", p.Output())
		}
	})
}

// TestUnbuiltAtAll checks that a note about the development server appears while there is no publish
// directory.
func TestUnbuiltAtAll(t *testing.T) {
	virtually(t, func(t *testing.T, p *project) {
		p.Must(os.RemoveAll(p.AbsPath("public")))
		p.Must(os.Remove(p.AbsPath("sitemap.yaml")))
		p.Write("hugo.toml", "baseURL = 'https://example.internal/'\n")
		p.follow()
		p.WaitUntil("the note", func() bool {
			return strings.HasPrefix(p.last().Message, `"hugo server" may keep its pages in memory; run `)
		})
	})
}

// TestRetries checks that a build is repeated after an error that no event ends, and that the error
// is reported once.
func TestRetries(t *testing.T) {
	fed(t, nil, func(t *testing.T, p *project, f *feed) {
		p.Must(os.Rename(p.AbsPath("public"), p.AbsPath("away")))
		f.tellBatch(watch.Batch{Rescan: true})
		time.Sleep(4 * retryDelay)
		synctest.Wait()
		if len(p.events()) != 2 || !strings.Contains(p.last().Message, "does not exist") {
			t.Errorf("it says\n%s", p.Output())
		}
		p.Write("away/late.html", testsite.SmallPage)
		p.Must(os.Rename(p.AbsPath("away"), p.AbsPath("public")))
		time.Sleep(retryDelay)
		if synctest.Wait(); !p.lists("late") {
			t.Error("no attempt finds the folder again")
		}
		p.WaitUntilLikeFreshBuild()
	})
}

// TestWiping checks that a build waits while changes continue and a written file is missing, but
// not forever.
func TestWiping(t *testing.T) {
	fed(t, nil, func(t *testing.T, p *project, f *feed) {
		busy := func() {
			b := f.batch("public/sitemap.xml", "public/a/b.html")
			b.Busy = true
			f.tellBatch(b)
		}
		p.Must(os.Remove(p.AbsPath("public/sitemap.xml")))
		p.Must(os.Remove(p.AbsPath("public/a/b.html")))
		for range maxDelays {
			if busy(); len(p.events()) != 1 {
				t.Fatal("it writes into a folder that somebody wipes")
			}
		}
		if busy(); !p.lists("/a/<") {
			t.Error("it waits for ever")
		}
		p.Must(os.Remove(p.AbsPath("public/sitemap.xml")))
		busy()
		p.Write("public/new.html", testsite.SmallPage) // no batch names this file
		f.tell()
		if !p.lists("new.html") {
			t.Error("what was put off is not looked at when it becomes quiet")
		}
		p.WaitUntilLikeFreshBuild()
	})
}

// TestRepairs checks that a changed sitemap is restored, but at most once in watch.Ceiling if
// another program keeps changing it.
func TestRepairs(t *testing.T) {
	fed(t, nil, func(t *testing.T, p *project, f *feed) {
		start := time.Now()
		for i := range 8 {
			p.Write("public/sitemap.xml", "another tool's, "+strings.Repeat("x", i))
			f.tell("public/sitemap.xml")
			p.WaitUntil("the repair", func() bool { return p.lists("/a/<") })
		}
		if got, want := time.Since(start), 7*watch.Ceiling; got < want || got > want+8*lookInterval {
			t.Errorf("it takes %v, want %v", got, want)
		}
	})
}

// TestNotes checks that the notes of batches reach the Teller.
func TestNotes(t *testing.T) {
	fed(t, nil, func(t *testing.T, p *project, f *feed) {
		b := f.batch()
		b.Notes = []string{"the system cannot watch"}
		f.tellBatch(b)
		if e := p.last(); e.Event != "note" || e.Message != "the system cannot watch" {
			t.Errorf("it says\n%s", p.Output())
		}
	})
}

// TestBatches checks that a build reads only the files in the batch again.
func TestBatches(t *testing.T) {
	fed(t, nil, func(t *testing.T, p *project, f *feed) {
		p.Write("public/new.html", testsite.SmallPage)
		p.Write("public/unnamed.html", testsite.SmallPage)
		f.tell("public/new.html")
		if !p.lists("/new.html") || p.lists("/unnamed.html") {
			t.Errorf("the list is\n%s", p.Read("public/sitemap.xml"))
		}
		n := len(p.events())
		f.tell("public/picture.png", "public/sitemap.xml", "notes.txt")
		if len(p.events()) != n {
			t.Errorf("it is woken by what does not concern it:\n%s", p.Output())
		}
		p.Write("sitemap.yaml", testsite.SmallConfig+"defaults: {changefreq: weekly}\n")
		f.tell("sitemap.yaml")
		time.Sleep(lookInterval)
		if synctest.Wait(); !p.lists("weekly") || !p.lists("/unnamed.html") {
			t.Errorf("other settings give\n%s", p.Read("public/sitemap.xml"))
		}
		p.WaitUntilLikeFreshBuild()
	})
}

// TestSkipped checks that a preview, for which nothing is written, is reported once, and that new
// settings still apply.
func TestSkipped(t *testing.T) {
	files := map[string]string{"sitemap.yaml": testsite.SmallConfig + "previews: skip\n"}
	fed(t, files, func(t *testing.T, p *project, f *feed) {
		time.Sleep(time.Minute)
		p.Write("public/new.html", testsite.SmallPage)
		f.tell("public/new.html")
		if es := p.events(); len(es) != 1 || !strings.HasPrefix(es[0].Message, "nothing written: this is a preview") || p.lists("/a/<") {
			t.Errorf("it says\n%s", p.Output())
		}
		p.Write("sitemap.yaml", testsite.SmallConfig)
		f.tell("sitemap.yaml")
		time.Sleep(lookInterval)
		if synctest.Wait(); !p.lists("/new.html") {
			t.Errorf("other settings are not followed:\n%s", p.Output())
		}
	}, "NETLIFY=true", "CONTEXT=deploy-preview")
}
