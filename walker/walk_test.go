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

func fsPath(path string) bool { return fs.ValidPath(path) }

// walked returns what a walk delivers, sorted.
func walked(t *testing.T, tree Tree, o Options) []string {
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

// TestWalkReadsFiles reads each file, one that a link leads to too.
func TestWalkReadsFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"index.html", "a/index.html", "a/b.html"} {
		must(t, write(dir, name))
	}
	links := os.Symlink("b.html", filepath.Join(dir, "a", "c.html")) == nil
	for name, tree := range map[string]Tree{"fast": Dir(dir), "portable": portableDir(dir)} {
		var got []string
		_, err := tree.Walk(t.Context(), Options{Jobs: 1}, func(_ int, f *File) {
			text, err := io.ReadAll(f)
			must(t, err)
			if len(text) == 0 {
				t.Errorf("%s: %q reads nothing", name, f.Path)
			}
			got = append(got, f.Path)
		})
		must(t, err)
		want := []string{"a/b.html", "a/c.html", "a/index.html", "index.html"}
		if !links {
			want = slices.Delete(want, 1, 2)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: met %q, want %q", name, got, want)
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

func TestNoTree(t *testing.T) {
	file := t.TempDir() + "/missing"
	for name, tree := range map[string]Tree{"native": Dir(file), "portable": portableDir(file)} {
		_, err := tree.Walk(context.Background(), Options{}, func(int, *File) { t.Error("a file is delivered") })
		if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "folder \"") {
			t.Errorf("%s: got %v, want that the folder does not exist", name, err)
		}
	}
}

func TestCancel(t *testing.T) {
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
		t.Errorf("got %v, want that the context is cancelled", err)
	}
	if _, err := FS(tree).Walk(ctx, Options{}, func(int, *File) { t.Error("a file is delivered") }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that the context is cancelled", err)
	}
}

// TestSharing shows that all workers get files, even of a single folder: each
// waits in its first visit until all are there.
func TestSharing(t *testing.T) {
	const jobs = 8
	for name, pattern := range map[string]string{"one folder": "%d.html", "many": "%d/x.html", "nested": "a/b/%d/x.html"} {
		tree := fstest.MapFS{}
		for i := range 1000 {
			tree[fmt.Sprintf(pattern, i)] = &fstest.MapFile{}
		}
		var there sync.WaitGroup
		there.Add(jobs)
		var arrived [jobs]sync.Once
		_, err := FS(tree).Walk(context.Background(), Options{Jobs: jobs}, func(worker int, _ *File) {
			arrived[worker].Do(func() {
				there.Done()
				waitFor(t, name, &there)
			})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func waitFor(t *testing.T, name string, group *sync.WaitGroup) {
	all := make(chan bool)
	go func() { group.Wait(); close(all) }()
	select {
	case <-all:
	case <-time.After(time.Minute):
		t.Errorf("%s: a worker idles while others have work", name)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func write(root, name string) error {
	file := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte("content of "+filepath.Base(name)), 0o644)
}
