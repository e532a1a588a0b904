//go:build unix

package walker

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// numVanishing is the number of folders that change during a walk.
var numVanishing = testsite.Repeat(25, 200)

// TestVanishing changes a tree in every way while it is walked.
func TestVanishing(t *testing.T) {
	for _, fresh := range []func(string) Tree{Dir, portableDir} {
		root := t.TempDir()
		for i := range numVanishing {
			must(t, write(root, fmt.Sprintf("%d/a/index.html", i)))
			must(t, write(root, fmt.Sprintf("%d/index.html", i)))
		}
		var once sync.Once
		diags, err := fresh(root).Walk(context.Background(), Options{Jobs: 2}, func(_ int, f *File) {
			once.Do(func() { ruin(t, root) })
			if data, err := io.ReadAll(f); len(data) > 0 && string(data) != "content of index.html" {
				t.Errorf("%s has the content %q, %v", f.Path, data, err)
			}
			if !strings.HasSuffix(strings.TrimLeft(f.Path, "0123456789"), "/index.html") {
				t.Errorf("%s is delivered", f.Path)
			}
		})
		if err != nil {
			t.Error(err)
		}
		for _, d := range diags {
			if d.Code != "special-file" && d.Code != "outside-link" {
				t.Error(d)
			}
		}
	}
}

// ruin replaces files and folders by nothing, links and pipes.
func ruin(t *testing.T, root string) {
	for i := range numVanishing {
		dir := filepath.Join(root, fmt.Sprint(i))
		file := filepath.Join(dir, "index.html")
		switch i % 5 {
		case 0:
			must(t, os.RemoveAll(dir))
		case 1:
			must(t, os.RemoveAll(dir))
			must(t, os.Symlink("/etc", dir))
		case 2:
			must(t, os.RemoveAll(dir))
			must(t, os.WriteFile(dir, nil, 0o644))
		case 3:
			must(t, os.Remove(file))
			must(t, syscall.Mkfifo(file, 0o666))
		case 4:
			must(t, os.Remove(file))
			must(t, os.Symlink("/etc/passwd", file))
		}
	}
}

// limited runs f with no more than n open files.
func limited(t *testing.T, n uint64, f func()) {
	t.Helper()
	var before syscall.Rlimit
	must(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before))
	few := before
	few.Cur = n
	must(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &few))
	defer syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before)
	f()
}

// TestFewDescriptors walks a tree that is deeper and wider than the number of
// files that may be open.
func TestFewDescriptors(t *testing.T) {
	root := t.TempDir()
	var want []string
	for i := range 40 {
		for _, path := range []string{
			strings.Repeat(fmt.Sprintf("d%d/", i%3), i) + fmt.Sprintf("%d/index.html", i),
			fmt.Sprintf("wide/%d/a/index.html", i), fmt.Sprintf("wide/%d/b/c/index.html", i),
		} {
			must(t, write(root, path))
			want = append(want, path)
		}
	}
	slices.Sort(want)
	for name, tree := range map[string]Tree{"native": Dir(root), "portable": portableDir(root)} {
		limited(t, 48, func() {
			var mu sync.Mutex
			var got []string
			_, err := tree.Walk(context.Background(), Options{}, func(_ int, f *File) {
				data, err := io.ReadAll(f)
				mu.Lock()
				defer mu.Unlock()
				if err != nil || string(data) != "content of index.html" {
					t.Errorf("%s: %s: got %q, %v", name, f.Path, data, err)
				}
				got = append(got, f.Path)
			})
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%s: got %d files, want %d", name, len(got), len(want))
			}
		})
	}
}

func TestNoDescriptors(t *testing.T) {
	root := t.TempDir()
	must(t, write(root, "a/index.html"))
	var held []*os.File
	defer func() {
		for _, f := range held {
			f.Close()
		}
	}()
	for name, tree := range map[string]Tree{"native": Dir(root), "portable": portableDir(root)} {
		limited(t, 64, func() {
			_, err := tree.Walk(context.Background(), Options{Jobs: 1}, func(_ int, f *File) {
				for {
					h, err := os.Open(root)
					if err != nil {
						break
					}
					held = append(held, h)
				}
				if _, err := f.Read(make([]byte, 1)); err == nil {
					t.Errorf("%s: a file opens beyond the limit", name)
				}
			})
			for _, f := range held {
				f.Close()
			}
			held = nil
			if err == nil || !strings.Contains(err.Error(), "ulimit -n") {
				t.Errorf("%s: got %v, want an error that names ulimit -n", name, err)
			}
		})
	}
}
