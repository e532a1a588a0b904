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

// numChangingFolders is the number of folders that change during a walk.
var numChangingFolders = testsite.Repeat(25, 200)

// TestWalkSurvivesChangingTree removes and replaces files and folders during a walk. The walk must
// read no other file.
func TestWalkSurvivesChangingTree(t *testing.T) {
	for _, fresh := range []func(string) Tree{Dir, portableDir} {
		root := t.TempDir()
		for i := range numChangingFolders {
			must(t, writeFile(root, fmt.Sprintf("%d/a/index.html", i)))
			must(t, writeFile(root, fmt.Sprintf("%d/index.html", i)))
		}
		var once sync.Once
		diags, err := fresh(root).Walk(context.Background(), Options{Jobs: 2}, func(_ int, f *File) {
			once.Do(func() { replaceFiles(t, root) })
			if data, err := io.ReadAll(f); len(data) > 0 && string(data) != "content of index.html" {
				t.Errorf("%s: got content %q, error %v", f.Path, data, err)
			}
			if !strings.HasSuffix(strings.TrimLeft(f.Path, "0123456789"), "/index.html") {
				t.Errorf("got a visit of %s, want none", f.Path)
			}
		})
		if err != nil {
			t.Error(err)
		}
		for _, d := range diags {
			if d.Code != "special-file" && d.Code != "outside-link" {
				t.Errorf("got finding %v, want none", d)
			}
		}
	}
}

// replaceFiles removes files and folders of root, or replaces them by other files, symbolic links
// and pipes.
func replaceFiles(t *testing.T, root string) {
	for i := range numChangingFolders {
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

// withFileLimit runs f with a limit of n open files.
func withFileLimit(t *testing.T, n uint64, f func()) {
	t.Helper()
	var before syscall.Rlimit
	must(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before))
	limit := before
	limit.Cur = n
	must(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit))
	defer syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before)
	f()
}

// TestWalkNeedsFewOpenFiles checks that a walk visits all files of a tree if the limit of open
// files is lower than the number of its folders.
func TestWalkNeedsFewOpenFiles(t *testing.T) {
	root := t.TempDir()
	var want []string
	for i := range 40 {
		for _, path := range []string{
			strings.Repeat(fmt.Sprintf("d%d/", i%3), i) + fmt.Sprintf("%d/index.html", i),
			fmt.Sprintf("wide/%d/a/index.html", i), fmt.Sprintf("wide/%d/b/c/index.html", i),
		} {
			must(t, writeFile(root, path))
			want = append(want, path)
		}
	}
	slices.Sort(want)
	for name, tree := range map[string]Tree{"native": Dir(root), "portable": portableDir(root)} {
		withFileLimit(t, 48, func() {
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

// TestWalkReportsOpenFileLimit checks the error of a walk if no more files can be opened.
func TestWalkReportsOpenFileLimit(t *testing.T) {
	root := t.TempDir()
	must(t, writeFile(root, "a/index.html"))
	var open []*os.File
	defer func() {
		for _, f := range open {
			f.Close()
		}
	}()
	for name, tree := range map[string]Tree{"native": Dir(root), "portable": portableDir(root)} {
		withFileLimit(t, 64, func() {
			_, err := tree.Walk(context.Background(), Options{Jobs: 1}, func(_ int, f *File) {
				for {
					file, err := os.Open(root)
					if err != nil {
						break
					}
					open = append(open, file)
				}
				if _, err := f.Read(make([]byte, 1)); err == nil {
					t.Errorf("%s: Read beyond the limit of open files: got no error", name)
				}
			})
			for _, f := range open {
				f.Close()
			}
			open = nil
			if err == nil || !strings.Contains(err.Error(), "ulimit -n") {
				t.Errorf("%s: got %v, want an error that names ulimit -n", name, err)
			}
		})
	}
}
