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

// A fakeWatcher implements Batches. It delivers the batches that the test sends.
type fakeWatcher struct {
	p     *project
	trees []watch.Tree
	next  chan watch.Batch
}

func (f *fakeWatcher) Next(ctx context.Context, limit time.Duration) (watch.Batch, error) {
	select {
	case b := <-f.next:
		return b, nil
	case <-ctx.Done():
		return watch.Batch{}, ctx.Err()
	case <-time.After(limit):
		return f.batch(), nil
	}
}

func (f *fakeWatcher) Close() error { return nil }

// batch returns a batch with the named files.
func (f *fakeWatcher) batch(names ...string) watch.Batch {
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

// send sends a batch with the named files, and waits until it is handled.
func (f *fakeWatcher) send(names ...string) { f.sendBatch(f.batch(names...)) }

// sendBatch sends b, and waits until it is handled.
func (f *fakeWatcher) sendBatch(b watch.Batch) {
	f.next <- b
	synctest.Wait()
}

// runWithFakeWatcher runs a test with a fakeWatcher and virtual time. It adds files to the small
// site, and each "NAME=value" in env to the environment.
func runWithFakeWatcher(t *testing.T, files map[string]string, test func(t *testing.T, p *project, f *fakeWatcher), env ...string) {
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
		test(t, p, p.watchWithFakeWatcher())
	})
}

// watchWithFakeWatcher watches the project with a new fakeWatcher, and returns the fakeWatcher.
func (p *project) watchWithFakeWatcher() *fakeWatcher {
	f := &fakeWatcher{p: p}
	o := p.options()
	o.Watch = func(w watch.Options) Batches {
		f.trees, f.next = w.Trees, make(chan watch.Batch)
		return f
	}
	p.watch(o)
	synctest.Wait()
	return f
}

// sitemapHas reports whether the sitemap contains text.
func (p *project) sitemapHas(text string) bool {
	return strings.Contains(p.Read("public/sitemap.xml"), text)
}

// TestWatchListsScheduledPageInTime checks that a scheduled page is listed within a millisecond of
// its publication date, and not earlier.
func TestWatchListsScheduledPageInTime(t *testing.T) {
	due := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Add(clockOffset + 50*time.Second)
	files := map[string]string{
		"sitemap.yaml": testsite.SmallConfig + "content: {dir: content}\n",
		"content/a.md": "---\npublishDate: " + due.Format(time.RFC3339) + "\n---\n",
	}
	runWithFakeWatcher(t, files, func(t *testing.T, p *project, f *fakeWatcher) {
		time.Sleep(due.Sub(p.now()) - time.Millisecond)
		if synctest.Wait(); p.sitemapHas("/a/<") {
			t.Error("the page is listed before its publication date")
		}
		time.Sleep(2 * time.Millisecond)
		if synctest.Wait(); !p.sitemapHas("/a/<") {
			t.Error("the page is not listed at its publication date")
		}
		p.WaitUntilLikeFreshBuild()
		time.Sleep(time.Minute)
		if synctest.Wait(); len(p.events()) != 2 {
			t.Errorf("got %d events, want 2:\n%s", len(p.events()), p.Output())
		}
	})
}

// TestWatchRetriesAfterError checks that the watch tries a failed build again without a new batch,
// and that it reports the error once.
func TestWatchRetriesAfterError(t *testing.T) {
	runWithFakeWatcher(t, nil, func(t *testing.T, p *project, f *fakeWatcher) {
		p.Must(os.Rename(p.AbsPath("public"), p.AbsPath("away")))
		f.sendBatch(watch.Batch{Rescan: true})
		time.Sleep(4 * retryDelay)
		synctest.Wait()
		if len(p.events()) != 2 || !strings.Contains(p.lastEvent().Message, "does not exist") {
			t.Errorf("got %d events, want 2, the last about the missing folder:\n%s", len(p.events()), p.Output())
		}
		p.Write("away/late.html", testsite.SmallPage)
		p.Must(os.Rename(p.AbsPath("away"), p.AbsPath("public")))
		time.Sleep(retryDelay)
		if synctest.Wait(); !p.sitemapHas("late") {
			t.Error("the watch does not find the restored folder")
		}
		p.WaitUntilLikeFreshBuild()
	})
}

// TestWatchDelaysBuildWhileFilesDisappear checks that up to maxDelays busy batches cause no build
// while a written file is missing.
func TestWatchDelaysBuildWhileFilesDisappear(t *testing.T) {
	runWithFakeWatcher(t, nil, func(t *testing.T, p *project, f *fakeWatcher) {
		busy := func() {
			b := f.batch("public/sitemap.xml", "public/a/b.html")
			b.Busy = true
			f.sendBatch(b)
		}
		p.Must(os.Remove(p.AbsPath("public/sitemap.xml")))
		p.Must(os.Remove(p.AbsPath("public/a/b.html")))
		for range maxDelays {
			if busy(); len(p.events()) != 1 {
				t.Fatal("the watch builds while the folder is being cleaned")
			}
		}
		if busy(); !p.sitemapHas("/a/<") {
			t.Error("no build after maxDelays batches")
		}
		p.Must(os.Remove(p.AbsPath("public/sitemap.xml")))
		busy()
		p.Write("public/new.html", testsite.SmallPage) // no batch names this file
		f.send()
		if !p.sitemapHas("new.html") {
			t.Error("no build after the delayed batch")
		}
		p.WaitUntilLikeFreshBuild()
	})
}

// TestWatchRestoresChangedSitemap checks that the watch restores a sitemap that another program
// changes, but at most once in watch.MaxBatchTime.
func TestWatchRestoresChangedSitemap(t *testing.T) {
	runWithFakeWatcher(t, nil, func(t *testing.T, p *project, f *fakeWatcher) {
		start := time.Now()
		for i := range 8 {
			p.Write("public/sitemap.xml", "another tool's, "+strings.Repeat("x", i))
			f.send("public/sitemap.xml")
			p.WaitUntil("the repair", func() bool { return p.sitemapHas("/a/<") })
		}
		if got, want := time.Since(start), 7*watch.MaxBatchTime; got < want || got > want+8*lookInterval {
			t.Errorf("the repairs take %v, want %v", got, want)
		}
	})
}

// TestWatchReportsNotes checks that the notes of batches reach the Teller.
func TestWatchReportsNotes(t *testing.T) {
	runWithFakeWatcher(t, nil, func(t *testing.T, p *project, f *fakeWatcher) {
		b := f.batch()
		b.Notes = []string{"the system cannot watch"}
		f.sendBatch(b)
		if e := p.lastEvent(); e.Event != "note" || e.Message != "the system cannot watch" {
			t.Errorf("got event %+v, want the note of the batch", e)
		}
	})
}

// TestWatchReadsOnlyFilesOfBatch checks that a build reads only the files in the batch again.
func TestWatchReadsOnlyFilesOfBatch(t *testing.T) {
	runWithFakeWatcher(t, nil, func(t *testing.T, p *project, f *fakeWatcher) {
		p.Write("public/new.html", testsite.SmallPage)
		p.Write("public/unnamed.html", testsite.SmallPage)
		f.send("public/new.html")
		if !p.sitemapHas("/new.html") || p.sitemapHas("/unnamed.html") {
			t.Errorf("got sitemap\n%s\nwant new.html without unnamed.html", p.Read("public/sitemap.xml"))
		}
		n := len(p.events())
		f.send("public/picture.png", "public/sitemap.xml", "notes.txt")
		if len(p.events()) != n {
			t.Errorf("files that are no input cause a build:\n%s", p.Output())
		}
		p.Write("sitemap.yaml", testsite.SmallConfig+"defaults: {changefreq: weekly}\n")
		f.send("sitemap.yaml")
		time.Sleep(lookInterval)
		if synctest.Wait(); !p.sitemapHas("weekly") || !p.sitemapHas("/unnamed.html") {
			t.Errorf("after new settings, got sitemap\n%s\nwant all pages with the new settings", p.Read("public/sitemap.xml"))
		}
		p.WaitUntilLikeFreshBuild()
	})
}

// TestWatchReadsAllFilesAfterRescan checks that a build reads all files after a batch with Rescan,
// even if the batch names no file.
func TestWatchReadsAllFilesAfterRescan(t *testing.T) {
	runWithFakeWatcher(t, nil, func(t *testing.T, p *project, f *fakeWatcher) {
		p.Write("public/unnamed.html", testsite.SmallPage)
		f.sendBatch(watch.Batch{Rescan: true})
		if !p.sitemapHas("/unnamed.html") {
			t.Errorf("got sitemap\n%s\nwant unnamed.html", p.Read("public/sitemap.xml"))
		}
		p.WaitUntilLikeFreshBuild()
	})
}

// TestWatchSkipsPreviews checks that the watch writes no file for a preview and reports that once.
// New settings must still apply.
func TestWatchSkipsPreviews(t *testing.T) {
	files := map[string]string{"sitemap.yaml": testsite.SmallConfig + "previews: skip\n"}
	runWithFakeWatcher(t, files, func(t *testing.T, p *project, f *fakeWatcher) {
		time.Sleep(time.Minute)
		p.Write("public/new.html", testsite.SmallPage)
		f.send("public/new.html")
		if es := p.events(); len(es) != 1 || !strings.HasPrefix(es[0].Message, "nothing written: this is a preview") || p.sitemapHas("/a/<") {
			t.Errorf("got events\n%s\nwant one about the preview, and no sitemap", p.Output())
		}
		p.Write("sitemap.yaml", testsite.SmallConfig)
		f.send("sitemap.yaml")
		time.Sleep(lookInterval)
		if synctest.Wait(); !p.sitemapHas("/new.html") {
			t.Errorf("the new settings do not apply:\n%s", p.Output())
		}
	}, "NETLIFY=true", "CONTEXT=deploy-preview")
}
