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

// TestMain lets many tests wait at once: they compute little. Linux lets a user
// have 128 inotify instances, and an editor has some.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "24"); err != nil {
		panic(err)
	}
	testsite.SpeedUp()
	os.Exit(m.Run())
}

// backends are what every test here runs with.
var backends = []struct {
	name string
	o    Options
}{
	{"notify", Options{Quiet: 10 * time.Millisecond}},
	{"poll", Options{Quiet: 10 * time.Millisecond, Poll: 10 * time.Millisecond}},
}

// A bed is a watched tree of real files. The root is r/site, so that a test can
// take it away.
type bed struct {
	t    *testing.T
	dir  string
	root string
	w    *Watcher
}

func newBed(t *testing.T, o Options, files ...string) *bed {
	t.Helper()
	b := &bed{t: t, dir: t.TempDir()}
	b.root = filepath.Join(b.dir, "site")
	b.must(os.Mkdir(b.root, 0o755))
	for _, name := range files {
		b.write(name, "")
	}
	b.age()
	o.Trees = append(o.Trees, Tree{Dir: b.root, Name: "site", Enters: func(f string) bool { return filepath.Base(f) != "skipped" }})
	b.w = New(o)
	t.Cleanup(func() {
		if err := b.w.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// age makes all files old, as they are when a watch starts in real life.
func (b *bed) age() {
	past := time.Now().Add(-time.Hour)
	b.must(filepath.Walk(b.dir, func(p string, _ os.FileInfo, err error) error {
		return errors.Join(err, os.Chtimes(p, past, past))
	}))
}

func (b *bed) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *bed) at(name string) string { return filepath.Join(b.root, filepath.FromSlash(name)) }

func (b *bed) write(name, text string) {
	b.t.Helper()
	b.must(os.MkdirAll(filepath.Dir(b.at(name)), 0o755))
	b.must(os.WriteFile(b.at(name), []byte(text), 0o644))
}

// next returns the next batch, which has to come.
func (b *bed) next() Batch {
	b.t.Helper()
	ctx, stop := context.WithTimeout(b.t.Context(), 10*time.Second)
	defer stop()
	got, err := b.w.Next(ctx, 0)
	if err != nil {
		b.t.Fatalf("no batch: %v", err)
	}
	return got
}

// quiet checks that nothing more comes.
func (b *bed) quiet() {
	b.t.Helper()
	got, err := b.w.Next(b.t.Context(), time.Duration(testsite.Repeat(60, 150))*time.Millisecond)
	if err != nil || !got.isEmpty() {
		b.t.Fatalf("a batch without a change: %+v %v", got, err)
	}
}

// learns checks that a batch tells of these paths, in whatever way.
func (b *bed) learns(paths ...string) {
	b.t.Helper()
	var all []string
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		got := b.next()
		all = append(all, got.Paths["site"]...)
		if got.Rescan || got.Linked && len(all) > 0 || !slices.ContainsFunc(paths, func(p string) bool { return !covers(all, p) }) {
			return
		}
	}
	b.t.Fatalf("told of %q, not of all of %q", all, paths)
}

// covers reports whether a list names a path or a folder above it.
func covers(list []string, p string) bool {
	return slices.ContainsFunc(list, func(q string) bool { return p == q || strings.HasPrefix(p, q+"/") })
}

var stories = []struct {
	name  string
	files []string
	do    func(*bed)
	want  []string
}{
	{"create", nil, func(b *bed) { b.write("a.html", "x") }, []string{"a.html"}},
	{"edit", []string{"a.html"}, func(b *bed) { b.write("a.html", "xy") }, []string{"a.html"}},
	{"delete", []string{"a.html"}, func(b *bed) { b.must(os.Remove(b.at("a.html"))) }, []string{"a.html"}},
	{"move", []string{"a.html"}, func(b *bed) { b.must(os.Rename(b.at("a.html"), b.at("b.html"))) }, []string{"a.html", "b.html"}},
	{"move into folder", []string{"a.html", "d/x"}, func(b *bed) { b.must(os.Rename(b.at("a.html"), b.at("d/a.html"))) }, []string{"a.html", "d/a.html"}},
	{"replace", []string{"a.html"}, func(b *bed) {
		b.must(os.WriteFile(b.at("a.tmp"), nil, 0o644))
		b.must(os.Rename(b.at("a.tmp"), b.at("a.html")))
	}, []string{"a.html"}},
	{"new folders", nil, func(b *bed) { b.write("d/e/f/a.html", "x") }, []string{"d/e/f/a.html"}},
	{"delete folder", []string{"d/e/a.html"}, func(b *bed) { b.must(os.RemoveAll(b.at("d"))) }, []string{"d/e/a.html"}},
	{"move folder", []string{"d/e/a.html"}, func(b *bed) { b.must(os.Rename(b.at("d"), b.at("f"))) }, []string{"d/e/a.html", "f/e/a.html"}},
	{"folder from elsewhere", nil, func(b *bed) {
		b.must(os.MkdirAll(filepath.Join(b.dir, "else/e"), 0o755))
		b.must(os.WriteFile(filepath.Join(b.dir, "else/e/a.html"), nil, 0o644))
		b.must(os.Rename(filepath.Join(b.dir, "else"), b.at("d")))
	}, []string{"d/e/a.html"}},
	{"folder to elsewhere", []string{"d/e/a.html"}, func(b *bed) {
		b.must(os.Rename(b.at("d"), filepath.Join(b.dir, "else")))
	}, []string{"d/e/a.html"}},
	{"folder becomes file", []string{"d/a.html"}, func(b *bed) {
		b.must(os.RemoveAll(b.at("d")))
		b.write("d", "x")
	}, []string{"d", "d/a.html"}},
	{"file becomes folder", []string{"d"}, func(b *bed) {
		b.must(os.Remove(b.at("d")))
		b.write("d/a.html", "x")
	}, []string{"d", "d/a.html"}},
	{"folder made again", []string{"d/a.html"}, func(b *bed) {
		b.must(os.RemoveAll(b.at("d")))
		b.write("d/b.html", "x")
	}, []string{"d/a.html", "d/b.html"}},
	{"folders swapped", []string{"d/a.html", "e/b.html"}, func(b *bed) {
		b.must(os.Rename(b.at("d"), b.at("x")))
		b.must(os.Rename(b.at("e"), b.at("d")))
		b.must(os.Rename(b.at("x"), b.at("e")))
	}, []string{"d/a.html", "d/b.html", "e/a.html", "e/b.html"}},
	{"symlink", []string{"a.html"}, func(b *bed) { b.must(os.Symlink("a.html", b.at("b.html"))) }, []string{"b.html"}},
	{"behind a link", []string{"d/a.html", "l -> d"}, func(b *bed) { b.write("d/a.html", "xy") }, []string{"d/a.html", "l/a.html"}},
	{"mode", []string{"a.html"}, func(b *bed) { b.must(os.Chmod(b.at("a.html"), 0o600)) }, []string{"a.html"}},
	{"mode of a folder", []string{"d/a.html"}, func(b *bed) { b.must(os.Chmod(b.at("d"), 0o700)) }, []string{"d/a.html"}},
	{"root gone", []string{"a.html"}, func(b *bed) { b.must(os.RemoveAll(b.root)) }, []string{"a.html"}},
	{"root moved away", []string{"a.html"}, func(b *bed) { b.must(os.Rename(b.root, b.root+".old")) }, []string{"a.html"}},
	{"root swapped", []string{"a.html"}, func(b *bed) {
		b.must(os.Mkdir(b.root+".new", 0o755))
		b.must(os.Rename(b.root, b.root+".old"))
		b.must(os.Rename(b.root+".new", b.root))
	}, []string{"a.html"}},
}

// TestBatches holds both backends to the same stories, and after each of them
// to a last change in every folder that is left: no watch may be lost.
func TestBatches(t *testing.T) {
	t.Parallel()
	for _, backend := range backends {
		for _, s := range stories {
			t.Run(backend.name+"/"+s.name, func(t *testing.T) {
				if runtime.GOOS == "windows" && strings.HasPrefix(s.name, "mode") {
					t.Skip("a file of Windows has no mode but read-only")
				}
				t.Parallel()
				b := newBed(t, backend.o)
				b.make(s.files)
				s.do(b)
				b.learns(s.want...)
				b.still()
				if _, err := os.Stat(b.root); err != nil {
					b.must(os.Mkdir(b.root, 0o755))
					b.learns("anything")
				}
				b.everywhere()
			})
		}
	}
}

// make makes files and links before the watch starts anew.
func (b *bed) make(files []string) {
	for _, name := range files {
		if name, to, ok := strings.Cut(name, " -> "); ok {
			b.must(os.Symlink(to, b.at(name)))
			continue
		}
		b.write(name, "x")
	}
	b.age()
	o := b.w.o
	b.must(b.w.Close())
	b.w = New(o)
}

// still waits until nothing more comes.
func (b *bed) still() {
	b.t.Helper()
	for range 20 {
		got, err := b.w.Next(b.t.Context(), 60*time.Millisecond)
		b.must(err)
		if got.isEmpty() {
			return
		}
	}
	b.t.Fatal("it never becomes quiet")
}

// everywhere writes a file into each folder, and checks that each is told of.
func (b *bed) everywhere() {
	b.t.Helper()
	var folders []string
	b.must(filepath.WalkDir(b.root, func(p string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() != "skipped" {
			rel, _ := filepath.Rel(b.root, p)
			folders = append(folders, filepath.ToSlash(rel))
		}
		return err
	}))
	for _, f := range folders {
		name := strings.TrimPrefix(f+"/last.html", "./")
		b.write(name, time.Now().String())
		b.learns(name)
		b.still()
	}
}

func TestNothingHappens(t *testing.T) {
	t.Parallel()
	for _, backend := range backends {
		t.Run(backend.name, func(t *testing.T) {
			t.Parallel()
			b := newBed(t, backend.o, "a.html", "skipped/x", "d/e/b.html")
			b.quiet()
			b.write("skipped/y", "what no one asks for")
			b.quiet()
		})
	}
}

// TestSharedFolders watches one folder as part of several trees.
func TestSharedFolders(t *testing.T) {
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
			b := newBed(t, o)
			for range 3 {
				b.must(os.RemoveAll(filepath.Join(dir, "public")))
				b.must(os.MkdirAll(filepath.Join(dir, "public/d"), 0o755))
				b.still()
				b.must(os.WriteFile(filepath.Join(dir, "public/d/x"), []byte(time.Now().String()), 0o644))
				for all, public := false, false; !all || !public; {
					got := b.next()
					all = all || got.Rescan || slices.Contains(got.Paths["all"], "public/d/x")
					public = public || got.Rescan || slices.Contains(got.Paths["public"], "d/x")
				}
			}
		})
	}
}

// TestRepointedRoot changes where a publish directory that is a link leads.
func TestRepointedRoot(t *testing.T) {
	t.Parallel()
	for _, backend := range backends {
		t.Run(backend.name, func(t *testing.T) {
			t.Parallel()
			b := newBed(t, backend.o)
			for _, v := range []string{"v1", "v2"} {
				b.must(os.MkdirAll(filepath.Join(b.dir, v, "d"), 0o755))
			}
			b.must(os.Remove(b.root))
			b.must(os.Symlink("v1", b.root))
			b.learns("anything")
			b.still()
			b.must(os.Symlink("v2", b.root+".new"))
			b.must(os.Rename(b.root+".new", b.root))
			b.learns("anything")
			b.still()
			b.everywhere()
		})
	}
}

// TestStorm makes changes at random speed, and compares what the batches tell
// with what lies there: whatever is not told is as it was.
func TestStorm(t *testing.T) {
	t.Parallel()
	for _, backend := range backends {
		for seed := range uint64(testsite.Repeat(1, 3)) {
			t.Run(fmt.Sprint(backend.name, seed), func(t *testing.T) {
				t.Parallel()
				b := newBed(t, backend.o, "a/1", "b/2")
				known := b.look()
				rnd := rand.New(rand.NewPCG(seed, 0))
				for range 8 {
					for range 40 {
						b.change(rnd)
					}
					b.follow(known)
				}
				b.still()
				b.everywhere()
			})
		}
	}
}

func (b *bed) change(rnd *rand.Rand) {
	name := func() string {
		parts := make([]string, 1+rnd.IntN(3))
		for i := range parts {
			parts[i] = string("abc"[rnd.IntN(3)])
		}
		return b.at(strings.Join(parts, "/"))
	}
	p := name()
	switch rnd.IntN(8) { // what cannot be done is not done
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

// look returns all files with their text.
func (b *bed) look() map[string]string {
	files := map[string]string{}
	b.must(filepath.WalkDir(b.root, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(p)
		rel, _ := filepath.Rel(b.root, p)
		files[filepath.ToSlash(rel)] = string(text)
		return err
	}))
	return files
}

// follow brings what is known up to date by the batches alone.
func (b *bed) follow(known map[string]string) {
	b.t.Helper()
	for {
		now := b.look()
		if maps.Equal(now, known) {
			return
		}
		ctx, stop := context.WithTimeout(b.t.Context(), 10*time.Second)
		got, err := b.w.Next(ctx, 0)
		stop()
		if err != nil {
			b.t.Fatalf("known\n%q\nthere\n%q", known, now)
		}
		now = b.look()
		told := func(p string, _ string) bool { return got.Rescan || covers(got.Paths["site"], p) }
		maps.DeleteFunc(known, told)
		maps.DeleteFunc(now, func(p, text string) bool { return !told(p, text) })
		maps.Copy(known, now)
	}
}

// TestOverflowComesToRest loses events again and again, while folders come and go.
// Each folder is watched anew once.
func TestOverflowComesToRest(t *testing.T) {
	t.Parallel()
	var watched atomic.Int32
	o := Options{Quiet: 10 * time.Millisecond, refuse: func(string) error { watched.Add(1); return nil }}
	b := newBed(t, o, "d/a")
	watched.Store(0)
	n := b.w.source.(*notifier)
	for range 50 {
		n.queue.add(fsnotify.Event{}, fsnotify.ErrEventOverflow)
		b.must(os.MkdirAll(b.at("late/deep"), 0o755))
		if _, err := n.receiveEvents(); err != nil {
			t.Fatal(err)
		}
	}
	if got := b.next(); !got.Rescan {
		t.Errorf("got %+v", got)
	}
	const folders = 4
	if got := watched.Load(); got != folders {
		t.Errorf("%d watches were added, want %d", got, folders)
	}
	b.still()
	b.everywhere()
}

// TestSystemOverflow floods the queue of the system itself.
func TestSystemOverflow(t *testing.T) {
	t.Parallel()
	b := newBed(t, Options{Quiet: 10 * time.Millisecond}, "d/a", "d/b")
	modes := []fs.FileMode{0o600, 0o400}              // the second is read-only to Windows too
	for i := range testsite.Repeat(40_000, 100_000) { // Linux holds 16,384 events
		b.must(os.Chmod(b.at([]string{"d/a", "d/b"}[i%2]), modes[i/2%2]))
	}
	b.learns("d/a", "d/b")
	b.still()
	b.everywhere()
}

// TestRefused reaches a limit, at the start and later, and polls from then on.
func TestRefused(t *testing.T) {
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
			b := newBed(t, o, "a")
			if polls(b.w) == tt.later {
				t.Fatalf("polls: %v", polls(b.w))
			}
			if tt.later {
				b.write("late/x", "")
			}
			got := b.next()
			if !polls(b.w) || !got.Rescan || len(got.Notes) != 1 || !strings.Contains(got.Notes[0], tt.hint) {
				t.Errorf("got %+v", got)
			}
			b.write("late/y", "")
			b.learns("late/y")
		})
	}
}

// TestTimes gives files times of the past and the future, and sets them back. A change is
// seen whatever they say.
func TestTimes(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for _, backend := range backends {
		for _, when := range []time.Time{
			time.Unix(0, 0), now.AddDate(70, 0, 0), now.Add(time.Minute), now.Add(-time.Minute), time.Unix(-1e9, 0),
		} {
			t.Run(fmt.Sprint(backend.name, when.Unix()-now.Unix()), func(t *testing.T) {
				t.Parallel()
				b := newBed(t, backend.o, "a")
				b.must(os.Chtimes(b.at("a"), when, when))
				b.learns("a")
				b.still()
				b.quiet()
				b.write("a", "x")
				b.learns("a")
				b.still()
				b.must(os.Chtimes(b.at("a"), when, when))
				b.learns("a")
				b.still()
			})
		}
	}
}

// TestNextEnds ends with its context, whatever it waits for.
func TestNextEnds(t *testing.T) {
	for _, backend := range backends {
		t.Run(backend.name, func(t *testing.T) {
			b := newBed(t, backend.o)
			ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer stop()
			if _, err := b.w.Next(ctx, 0); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
		})
	}
}

// polls reports whether the watcher looks instead of being told.
func polls(w *Watcher) bool { _, ok := w.source.(*poller); return ok }
