package watch

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/sitewalk/sitewalk/internal/testsite"
)

// TestMain runs 24 tests in parallel, because most of them only wait. Linux limits a user to 128
// inotify instances, and editors use some of these.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "24"); err != nil {
		panic(err)
	}
	testsite.SpeedUp()
	os.Exit(m.Run())
}

// backends are the ways to detect changes. Most tests run with each of them.
var backends = []struct {
	name string
	o    Options
}{
	{"notify", Options{Quiet: 10 * time.Millisecond}},
	{"poll", Options{Quiet: 10 * time.Millisecond, Poll: 10 * time.Millisecond}},
}

// A fixture is a watched tree of real files. The root is a subfolder of dir, so that a test can
// move or remove it.
type fixture struct {
	t    *testing.T
	dir  string
	root string
	w    *Watcher
}

func newFixture(t *testing.T, o Options, files ...string) *fixture {
	t.Helper()
	f := &fixture{t: t, dir: t.TempDir()}
	f.root = filepath.Join(f.dir, "site")
	f.must(os.Mkdir(f.root, 0o755))
	for _, name := range files {
		f.write(name, "")
	}
	f.setOldTimes()
	o.Trees = append(o.Trees, Tree{Dir: f.root, Name: "site", Enters: func(folder string) bool { return filepath.Base(folder) != "skipped" }})
	f.w = New(o)
	t.Cleanup(func() {
		if err := f.w.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// setOldTimes sets the modification time of all files to an hour ago, like that of files written
// long before the watch started.
func (f *fixture) setOldTimes() {
	past := time.Now().Add(-time.Hour)
	f.must(filepath.Walk(f.dir, func(p string, _ os.FileInfo, err error) error {
		return errors.Join(err, os.Chtimes(p, past, past))
	}))
}

func (f *fixture) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// path returns the path of a file in the tree.
func (f *fixture) path(name string) string { return filepath.Join(f.root, filepath.FromSlash(name)) }

func (f *fixture) write(name, text string) {
	f.t.Helper()
	f.must(os.MkdirAll(filepath.Dir(f.path(name)), 0o755))
	f.must(os.WriteFile(f.path(name), []byte(text), 0o644))
}

// next waits for the next batch and returns it.
func (f *fixture) next() Batch {
	f.t.Helper()
	ctx, stop := context.WithTimeout(f.t.Context(), 10*time.Second)
	defer stop()
	got, err := f.w.Next(ctx, 0)
	if err != nil {
		f.t.Fatalf("Next: %v", err)
	}
	return got
}

// requireNoBatch checks that no batch arrives.
func (f *fixture) requireNoBatch() {
	f.t.Helper()
	got, err := f.w.Next(f.t.Context(), time.Duration(testsite.Repeat(60, 150))*time.Millisecond)
	if err != nil || !got.isEmpty() {
		f.t.Fatalf("got batch %+v and error %v, want no batch", got, err)
	}
}

// requireChanges checks that the next batches report all these paths. A batch with Rescan, or with
// Linked and a path, reports every path.
func (f *fixture) requireChanges(paths ...string) {
	f.t.Helper()
	f.requireBatches(true, paths...)
}

// requireNamedChanges checks like requireChanges that the next batches report all these paths. On
// Linux, none of these batches may have Rescan.
func (f *fixture) requireNamedChanges(paths ...string) {
	f.t.Helper()
	f.requireBatches(false, paths...)
}

// requireBatches implements requireChanges, and without mayRescan requireNamedChanges. Other systems
// than Linux report less about a change, so Rescan is always allowed there.
func (f *fixture) requireBatches(mayRescan bool, paths ...string) {
	f.t.Helper()
	var all []string
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		got := f.next()
		if got.Rescan && !mayRescan && runtime.GOOS == "linux" {
			f.t.Fatalf("got batch %+v, want %q without Rescan", got, paths)
		}
		all = append(all, got.Paths["site"]...)
		if got.Rescan || got.Linked && len(all) > 0 || !slices.ContainsFunc(paths, func(p string) bool { return !covers(all, p) }) {
			return
		}
	}
	f.t.Fatalf("the batches report %q, want %q", all, paths)
}

// requireRescan checks that a batch reports all files as changed.
func (f *fixture) requireRescan() {
	f.t.Helper()
	f.requireChanges("no-such-file")
}

// covers reports whether list contains the path p or a folder above p.
func covers(list []string, p string) bool {
	return slices.ContainsFunc(list, func(q string) bool { return p == q || strings.HasPrefix(p, q+"/") })
}

// scenarios are changes of a watched tree, with the paths that the batches must report.
var scenarios = []struct {
	name   string
	files  []string // files before the change; "l -> d" is a symbolic link
	change func(*fixture)
	want   []string
	rescan bool // a batch may have Rescan instead of the paths
}{
	{"create", nil, func(f *fixture) { f.write("a.html", "x") }, []string{"a.html"}, false},
	{"edit", []string{"a.html"}, func(f *fixture) { f.write("a.html", "xy") }, []string{"a.html"}, false},
	{"delete", []string{"a.html"}, func(f *fixture) { f.must(os.Remove(f.path("a.html"))) }, []string{"a.html"}, false},
	{"move", []string{"a.html"}, func(f *fixture) { f.must(os.Rename(f.path("a.html"), f.path("b.html"))) }, []string{"a.html", "b.html"}, false},
	{"move into folder", []string{"a.html", "d/x"}, func(f *fixture) { f.must(os.Rename(f.path("a.html"), f.path("d/a.html"))) }, []string{"a.html", "d/a.html"}, false},
	{"replace", []string{"a.html"}, func(f *fixture) {
		f.must(os.WriteFile(f.path("a.tmp"), nil, 0o644))
		f.must(os.Rename(f.path("a.tmp"), f.path("a.html")))
	}, []string{"a.html"}, false},
	{"new folders", nil, func(f *fixture) { f.write("d/e/f/a.html", "x") }, []string{"d/e/f/a.html"}, false},
	{"delete folder", []string{"d/e/a.html"}, func(f *fixture) { f.must(os.RemoveAll(f.path("d"))) }, []string{"d/e/a.html"}, false},
	{"move folder", []string{"d/e/a.html"}, func(f *fixture) { f.must(os.Rename(f.path("d"), f.path("f"))) }, []string{"d/e/a.html", "f/e/a.html"}, true},
	{"move folder into tree", nil, func(f *fixture) {
		f.must(os.MkdirAll(filepath.Join(f.dir, "else/e"), 0o755))
		f.must(os.WriteFile(filepath.Join(f.dir, "else/e/a.html"), nil, 0o644))
		f.must(os.Rename(filepath.Join(f.dir, "else"), f.path("d")))
	}, []string{"d/e/a.html"}, false},
	{"move folder out of tree", []string{"d/e/a.html"}, func(f *fixture) {
		f.must(os.Rename(f.path("d"), filepath.Join(f.dir, "else")))
	}, []string{"d/e/a.html"}, true},
	{"replace folder by file", []string{"d/a.html"}, func(f *fixture) {
		f.must(os.RemoveAll(f.path("d")))
		f.write("d", "x")
	}, []string{"d", "d/a.html"}, false},
	{"replace file by folder", []string{"d"}, func(f *fixture) {
		f.must(os.Remove(f.path("d")))
		f.write("d/a.html", "x")
	}, []string{"d", "d/a.html"}, true},
	{"recreate folder", []string{"d/a.html"}, func(f *fixture) {
		f.must(os.RemoveAll(f.path("d")))
		f.write("d/b.html", "x")
	}, []string{"d/a.html", "d/b.html"}, true},
	{"swap folders", []string{"d/a.html", "e/b.html"}, func(f *fixture) {
		f.must(os.Rename(f.path("d"), f.path("x")))
		f.must(os.Rename(f.path("e"), f.path("d")))
		f.must(os.Rename(f.path("x"), f.path("e")))
	}, []string{"d/a.html", "d/b.html", "e/a.html", "e/b.html"}, true},
	{"create symlink", []string{"a.html"}, func(f *fixture) { f.must(os.Symlink("a.html", f.path("b.html"))) }, []string{"b.html"}, false},
	{"edit behind symlink", []string{"d/a.html", "l -> d"}, func(f *fixture) { f.write("d/a.html", "xy") }, []string{"d/a.html", "l/a.html"}, false},
	{"mode of file", []string{"a.html"}, func(f *fixture) { f.must(os.Chmod(f.path("a.html"), 0o600)) }, []string{"a.html"}, false},
	{"mode of folder", []string{"d/a.html"}, func(f *fixture) { f.must(os.Chmod(f.path("d"), 0o700)) }, []string{"d/a.html"}, true},
	{"delete root", []string{"a.html"}, func(f *fixture) { f.must(os.RemoveAll(f.root)) }, []string{"a.html"}, true},
	{"move root away", []string{"a.html"}, func(f *fixture) { f.must(os.Rename(f.root, f.root+".old")) }, []string{"a.html"}, true},
	{"replace root", []string{"a.html"}, func(f *fixture) {
		f.must(os.Mkdir(f.root+".new", 0o755))
		f.must(os.Rename(f.root, f.root+".old"))
		f.must(os.Rename(f.root+".new", f.root))
	}, []string{"a.html"}, true},
}

// TestNextReportsChanges checks that the batches report the changes of each scenario. After the
// scenario, all remaining folders must still be watched.
func TestNextReportsChanges(t *testing.T) {
	t.Parallel()
	for _, backend := range backends {
		for _, s := range scenarios {
			t.Run(backend.name+"/"+s.name, func(t *testing.T) {
				if runtime.GOOS == "windows" && strings.HasPrefix(s.name, "mode") {
					t.Skip("Windows has no permission bits")
				}
				t.Parallel()
				f := newFixture(t, backend.o)
				f.restartWith(s.files)
				s.change(f)
				f.requireBatches(s.rescan, s.want...)
				f.waitUntilQuiet()
				if _, err := os.Stat(f.root); err != nil {
					f.must(os.Mkdir(f.root, 0o755))
					f.requireRescan()
				}
				f.requireWatchedFolders()
			})
		}
	}
}

// restartWith creates files and symbolic links, and then starts a new Watcher.
func (f *fixture) restartWith(files []string) {
	for _, name := range files {
		if name, to, ok := strings.Cut(name, " -> "); ok {
			f.must(os.Symlink(to, f.path(name)))
			continue
		}
		f.write(name, "x")
	}
	f.setOldTimes()
	o := f.w.o
	f.must(f.w.Close())
	f.w = New(o)
}

// waitUntilQuiet waits until no batch arrives for 60 ms.
func (f *fixture) waitUntilQuiet() {
	f.t.Helper()
	for range 20 {
		got, err := f.w.Next(f.t.Context(), 60*time.Millisecond)
		f.must(err)
		if got.isEmpty() {
			return
		}
	}
	f.t.Fatal("batches do not stop")
}

// requireWatchedFolders writes a file into each folder, and checks that a batch reports it.
func (f *fixture) requireWatchedFolders() {
	f.t.Helper()
	var folders []string
	f.must(filepath.WalkDir(f.root, func(p string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() != "skipped" {
			rel, _ := filepath.Rel(f.root, p)
			folders = append(folders, filepath.ToSlash(rel))
		}
		return err
	}))
	for _, folder := range folders {
		name := strings.TrimPrefix(folder+"/last.html", "./")
		f.write(name, time.Now().String())
		f.requireNamedChanges(name)
		f.waitUntilQuiet()
	}
}

// TestNextReturnsNoBatchWithoutChange checks that no batch arrives if nothing changes, or if only a
// folder changes that Tree.Enters excludes.
func TestNextReturnsNoBatchWithoutChange(t *testing.T) {
	t.Parallel()
	for _, backend := range backends {
		t.Run(backend.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, backend.o, "a.html", "skipped/x", "d/e/b.html")
			f.requireNoBatch()
			f.write("skipped/y", "not watched")
			f.requireNoBatch()
		})
	}
}

// TestNextReportsFileForEachTree checks that a file in a folder of two trees is reported for both,
// even after the folder was removed and created again.
func TestNextReportsFileForEachTree(t *testing.T) {
	t.Parallel()
	for _, backend := range backends {
		t.Run(backend.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.MkdirAll(filepath.Join(dir, "public/d"), 0o755); err != nil {
				t.Fatal(err)
			}
			o := backend.o
			o.Trees = []Tree{{Dir: dir, Name: "all"}, {Dir: filepath.Join(dir, "public"), Name: "public"}}
			f := newFixture(t, o)
			for range 3 {
				f.must(os.RemoveAll(filepath.Join(dir, "public")))
				f.must(os.MkdirAll(filepath.Join(dir, "public/d"), 0o755))
				f.waitUntilQuiet()
				f.must(os.WriteFile(filepath.Join(dir, "public/d/x"), []byte(time.Now().String()), 0o644))
				for all, public := false, false; !all || !public; {
					got := f.next()
					all = all || got.Rescan || slices.Contains(got.Paths["all"], "public/d/x")
					public = public || got.Rescan || slices.Contains(got.Paths["public"], "d/x")
				}
			}
		})
	}
}

// TestNextFollowsLinkOfRoot replaces the root by a symbolic link, and then changes the target of
// the link. The files in the new target must be reported.
func TestNextFollowsLinkOfRoot(t *testing.T) {
	t.Parallel()
	for _, backend := range backends {
		t.Run(backend.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, backend.o)
			for _, v := range []string{"v1", "v2"} {
				f.must(os.MkdirAll(filepath.Join(f.dir, v, "d"), 0o755))
			}
			f.must(os.Remove(f.root))
			f.must(os.Symlink("v1", f.root))
			f.requireRescan()
			f.waitUntilQuiet()
			f.must(os.Symlink("v2", f.root+".new"))
			f.must(os.Rename(f.root+".new", f.root))
			f.requireRescan()
			f.waitUntilQuiet()
			f.requireWatchedFolders()
		})
	}
}

// TestNextReportsRandomChanges makes random changes with random pauses. All files that changed must
// be reported.
func TestNextReportsRandomChanges(t *testing.T) {
	t.Parallel()
	for _, backend := range backends {
		for seed := range uint64(testsite.Repeat(1, 3)) {
			t.Run(fmt.Sprint(backend.name, seed), func(t *testing.T) {
				t.Parallel()
				f := newFixture(t, backend.o, "a/1", "b/2")
				known := f.readFiles()
				rnd := rand.New(rand.NewPCG(seed, 0))
				for range 8 {
					for range 40 {
						f.changeRandomly(rnd)
					}
					f.applyBatches(known)
				}
				f.waitUntilQuiet()
				f.requireWatchedFolders()
			})
		}
	}
}

// changeRandomly makes one random change, if it is possible.
func (f *fixture) changeRandomly(rnd *rand.Rand) {
	name := func() string {
		parts := make([]string, 1+rnd.IntN(3))
		for i := range parts {
			parts[i] = string("abc"[rnd.IntN(3)])
		}
		return f.path(strings.Join(parts, "/"))
	}
	p := name()
	switch rnd.IntN(8) { // ignore errors of impossible changes
	case 0, 1, 2:
		_ = os.MkdirAll(filepath.Dir(p), 0o755)
		_ = os.WriteFile(p, fmt.Append(nil, rnd.Uint64()), 0o644)
	case 3:
		_ = os.RemoveAll(p)
	case 4, 5:
		_ = os.Rename(p, name())
	case 6:
		_ = os.MkdirAll(p, 0o755)
	case 7:
		time.Sleep(time.Duration(rnd.IntN(int(3 * time.Millisecond))))
	}
}

// readFiles returns the contents of all files, by path.
func (f *fixture) readFiles() map[string]string {
	files := map[string]string{}
	f.must(filepath.WalkDir(f.root, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(p)
		rel, _ := filepath.Rel(f.root, p)
		files[filepath.ToSlash(rel)] = string(text)
		return err
	}))
	return files
}

// applyBatches reads the files that the batches report again, until known equals the files on disk.
func (f *fixture) applyBatches(known map[string]string) {
	f.t.Helper()
	for {
		now := f.readFiles()
		if maps.Equal(now, known) {
			return
		}
		ctx, stop := context.WithTimeout(f.t.Context(), 10*time.Second)
		got, err := f.w.Next(ctx, 0)
		stop()
		if err != nil {
			f.t.Fatalf("after the last batch, got\n%q\nwant\n%q", known, now)
		}
		now = f.readFiles()
		isReported := func(p string, _ string) bool { return got.Rescan || covers(got.Paths["site"], p) }
		maps.DeleteFunc(known, isReported)
		maps.DeleteFunc(now, func(p, text string) bool { return !isReported(p, text) })
		maps.Copy(known, now)
	}
}

// TestOverflowWatchesFoldersOnce loses events many times while a folder is created. Each folder
// must be watched again only once.
func TestOverflowWatchesFoldersOnce(t *testing.T) {
	t.Parallel()
	var watched atomic.Int32
	o := Options{Quiet: 10 * time.Millisecond, refuse: func(string) error { watched.Add(1); return nil }}
	f := newFixture(t, o, "d/a")
	watched.Store(0)
	n := f.w.source.(*notifier)
	for range 50 {
		n.queue.add(fsnotify.Event{}, fsnotify.ErrEventOverflow)
		f.must(os.MkdirAll(f.path("late/deep"), 0o755))
		if _, err := n.receiveEvents(); err != nil {
			t.Fatal(err)
		}
	}
	if got := f.next(); !got.Rescan {
		t.Errorf("got batch %+v, want Rescan", got)
	}
	const folders = 4
	if got := watched.Load(); got != folders {
		t.Errorf("got %d new watches, want %d", got, folders)
	}
	f.waitUntilQuiet()
	f.requireWatchedFolders()
}

// TestNextAfterSystemOverflow makes more changes than fit into the event queue of the system. The
// changed files must be reported, and all folders must still be watched.
func TestNextAfterSystemOverflow(t *testing.T) {
	t.Parallel()
	f := newFixture(t, Options{Quiet: 10 * time.Millisecond}, "d/a", "d/b")
	modes := []fs.FileMode{0o600, 0o400}              // the second is read-only to Windows too
	for i := range testsite.Repeat(40_000, 100_000) { // the queue of Linux has room for 16,384 events
		f.must(os.Chmod(f.path([]string{"d/a", "d/b"}[i%2]), modes[i/2%2]))
	}
	f.requireChanges("d/a", "d/b")
	f.waitUntilQuiet()
	f.requireWatchedFolders()
}

// TestNextFallsBackToPolling reaches a limit of the system, at the start or later. The Watcher must
// add a note to the batch and poll.
func TestNextFallsBackToPolling(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		when  string
		err   error
		hint  string
		later bool
	}{
		{"at the start", "", syscall.ENOSPC, "max_user_watches", false},
		{"later", "late", syscall.EMFILE, "max_user_instances", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := Options{Quiet: 20 * time.Millisecond, refuse: func(dir string) error {
				if strings.Contains(filepath.Base(dir), tt.when) {
					return tt.err
				}
				return nil
			}}
			f := newFixture(t, o, "a")
			if isPolling(f.w) == tt.later {
				t.Fatalf("isPolling at the start: got %v, want %v", isPolling(f.w), !tt.later)
			}
			if tt.later {
				f.write("late/x", "")
			}
			got := f.next()
			if !isPolling(f.w) || !got.Rescan || len(got.Notes) != 1 || !strings.Contains(got.Notes[0], tt.hint) {
				t.Errorf("got batch %+v, want Rescan and a note with %q", got, tt.hint)
			}
			f.write("late/y", "")
			f.requireNamedChanges("late/y")
		})
	}
}

// TestNextAcceptsAnyModTime checks that changes are reported if the modification time of a file is
// in the past, in the future, or set back.
func TestNextAcceptsAnyModTime(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for _, backend := range backends {
		for _, when := range []time.Time{
			time.Unix(0, 0), now.AddDate(70, 0, 0), now.Add(time.Minute), now.Add(-time.Minute), time.Unix(-1e9, 0),
		} {
			t.Run(fmt.Sprint(backend.name, when.Unix()-now.Unix()), func(t *testing.T) {
				t.Parallel()
				f := newFixture(t, backend.o, "a")
				f.must(os.Chtimes(f.path("a"), when, when))
				f.requireNamedChanges("a")
				f.waitUntilQuiet()
				f.requireNoBatch()
				f.write("a", "x")
				f.requireNamedChanges("a")
				f.waitUntilQuiet()
				f.must(os.Chtimes(f.path("a"), when, when))
				f.requireNamedChanges("a")
				f.waitUntilQuiet()
			})
		}
	}
}

// TestNextEndsWithContext checks that Next returns the error of the context when the context ends.
func TestNextEndsWithContext(t *testing.T) {
	for _, backend := range backends {
		t.Run(backend.name, func(t *testing.T) {
			f := newFixture(t, backend.o)
			ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer stop()
			if _, err := f.w.Next(ctx, 0); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
		})
	}
}

// isPolling reports whether w compares all files, instead of receiving events of the system.
func isPolling(w *Watcher) bool { _, ok := w.source.(*poller); return ok }
