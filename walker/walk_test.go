package walker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

func TestMain(m *testing.M) {
	testsite.SpeedUp()
	m.Run()
}

// walkedPaths returns the sorted paths of the files that a walk visits.
func walkedPaths(t *testing.T, tree Tree, o Options) []string {
	t.Helper()
	var mu sync.Mutex
	var got []string
	_, err := tree.Walk(context.Background(), o, func(_ int, f *File) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, f.Path)
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(got)
	return got
}

// TestWalkReadsFiles checks that all files can be read during a walk, including a symbolic link.
func TestWalkReadsFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"index.html", "a/index.html", "a/b.html"} {
		must(t, writeFile(dir, name))
	}
	links := os.Symlink("b.html", filepath.Join(dir, "a", "c.html")) == nil
	for name, tree := range map[string]Tree{"fast": Dir(dir), "portable": portableDir(dir)} {
		var got []string
		_, err := tree.Walk(t.Context(), Options{Jobs: 1}, func(_ int, f *File) {
			text, err := io.ReadAll(f)
			must(t, err)
			if len(text) == 0 {
				t.Errorf("%s: %q: got no content", name, f.Path)
			}
			got = append(got, f.Path)
		})
		must(t, err)
		want := []string{"a/b.html", "a/c.html", "a/index.html", "index.html"}
		if !links {
			want = slices.Delete(want, 1, 2)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: got visits of %q, want %q", name, got, want)
		}
	}
}

func ExampleTree_Walk() {
	tree := FS(fstest.MapFS{
		"index.html":     {Data: []byte("<title>Home")},
		"drafts/a.html":  {Data: []byte("<title>A")},
		"assets/app.css": {},
	})
	filter, err := NewFilter(nil, []string{"drafts/**"})
	if err != nil {
		fmt.Println(err)
		return
	}
	findings, err := tree.Walk(context.Background(), Options{Filter: filter}, func(worker int, f *File) {
		text, err := io.ReadAll(f)
		fmt.Println(f.Path, string(text), err)
	})
	fmt.Println(len(findings), err)
	// Output:
	// index.html <title>Home <nil>
	// 0 <nil>
}

func ExampleNewFilter() {
	_, err := NewFilter([]string{"**.html"}, nil)
	fmt.Println(err)
	// Output:
	// glob "**.html" has "**" beside other characters, which matches like "*"; write "**/*.html"
}

func TestWalkReportsMissingFolder(t *testing.T) {
	file := t.TempDir() + "/missing"
	for name, tree := range map[string]Tree{"native": Dir(file), "portable": portableDir(file)} {
		_, err := tree.Walk(context.Background(), Options{}, func(int, *File) { t.Error("got a visit of a file, want none") })
		if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "folder \"") {
			t.Errorf("%s: got error %v, want fs.ErrNotExist about the folder", name, err)
		}
	}
}

// TestWalkStopsWithContext checks that a walk ends with the error of a cancelled context.
func TestWalkStopsWithContext(t *testing.T) {
	tree := fstest.MapFS{}
	for i := range 5000 {
		tree[fmt.Sprintf("%d/%d.html", i%100, i)] = &fstest.MapFile{}
	}
	ctx, cancel := context.WithCancel(context.Background())
	var visits sync.Map
	_, err := FS(tree).Walk(ctx, Options{Jobs: 4}, func(_ int, f *File) {
		visits.Store(f.Path, true)
		cancel()
		<-ctx.Done()
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want context.Canceled", err)
	}
	if _, err := FS(tree).Walk(ctx, Options{}, func(int, *File) { t.Error("got a visit of a file, want none") }); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want context.Canceled", err)
	}
}

// TestWalkUsesAllWorkers checks that all workers visit files, even in a single folder. Each worker
// waits in its first visit until all workers have a file.
func TestWalkUsesAllWorkers(t *testing.T) {
	const jobs = 8
	for name, pattern := range map[string]string{"one folder": "%d.html", "many": "%d/x.html", "nested": "a/b/%d/x.html"} {
		tree := fstest.MapFS{}
		for i := range 1000 {
			tree[fmt.Sprintf(pattern, i)] = &fstest.MapFile{}
		}
		var ready sync.WaitGroup
		ready.Add(jobs)
		var arrived [jobs]sync.Once
		_, err := FS(tree).Walk(context.Background(), Options{Jobs: jobs}, func(worker int, _ *File) {
			arrived[worker].Do(func() {
				ready.Done()
				waitForWorkers(t, name, &ready)
			})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func waitForWorkers(t *testing.T, name string, group *sync.WaitGroup) {
	all := make(chan bool)
	go func() { group.Wait(); close(all) }()
	select {
	case <-all:
	case <-time.After(time.Minute):
		t.Errorf("%s: a worker has no file while others wait", name)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// writeFile writes a file whose content names the file.
func writeFile(root, name string) error {
	file := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte("content of "+filepath.Base(name)), 0o644)
}
