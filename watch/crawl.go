package watch

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"

	"github.com/sitewalk/sitewalk/internal/files"
)

// crawl calls list, which returns what lies in a folder, for a folder and all below it
// that the tree enters, several at a time. It asks for no more than what the folders
// themselves say of their files. It ends with ctx.
func crawl(ctx context.Context, t *Tree, from string, list func(folder string) []fs.DirEntry) {
	busy := make(chan struct{}, 2*runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	var enter func(folder string)
	enter = func(folder string) {
		for _, e := range list(folder) {
			if ctx.Err() != nil {
				return
			}
			sub := path.Join(folder, e.Name())
			if !e.IsDir() || !t.enters(sub) {
				continue
			}
			select {
			case busy <- struct{}{}:
				all.Go(func() {
					enter(sub)
					<-busy
				})
			default:
				enter(sub)
			}
		}
	}
	enter(from)
	all.Wait()
}

func (t *Tree) enters(folder string) bool {
	return !t.Flat && (t.Enters == nil || t.Enters(folder))
}

// atOnce is how many names of a folder are read, or looked at, between two looks at
// a context: a folder may hold millions.
const atOnce = 4096

// readDir returns what lies in a folder, in no order; nothing when it is gone or
// not for us, which the caller finds out when it looks again. The error is that
// of a system that opens no more files. What ctx ends is not complete.
func readDir(ctx context.Context, dir string) (all []fs.DirEntry, err error) {
	f, err := files.Folder(dir)
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		return nil, err
	}
	if err != nil {
		return nil, nil
	}
	defer f.Close()
	for ctx.Err() == nil && err == nil {
		var some []fs.DirEntry
		some, err = f.ReadDir(atOnce)
		all = append(all, some...)
	}
	return all, nil
}

// infosOf returns what is known of the entries of a folder: of a symbolic link
// itself, or of what it leads to.
func infosOf(ctx context.Context, dir string, entries []fs.DirEntry, through bool) []fs.FileInfo {
	infos := make([]fs.FileInfo, 0, len(entries))
	for i, e := range entries {
		if i%atOnce == 0 && ctx.Err() != nil {
			break
		}
		look := e.Info
		if through && e.Type()&fs.ModeSymlink != 0 {
			look = func() (fs.FileInfo, error) { return os.Stat(filepath.Join(dir, e.Name())) }
		}
		if info, err := look(); err == nil {
			infos = append(infos, info)
		}
	}
	return infos
}

// look calls see for each name that lies in a tree and that the tree wants, one after the
// other, with what is known of it; of a symbolic link that is what it leads to when through
// says so. The error is that of a system that opens no more files.
func look(ctx context.Context, t *Tree, dir string, through bool, see func(name string, info fs.FileInfo)) (err error) {
	var mu sync.Mutex
	crawl(ctx, t, ".", func(folder string) []fs.DirEntry {
		entries, failed := readDir(ctx, at(dir, folder))
		infos := infosOf(ctx, at(dir, folder), entries, through)
		mu.Lock()
		defer mu.Unlock()
		err = cmp.Or(err, failed)
		for _, info := range infos {
			if name := path.Join(folder, info.Name()); t.wants(name) {
				see(name, info)
			}
		}
		return entries
	})
	return err
}

// find returns the folder that a tree's path stands for now, links resolved,
// and false while there is none.
func (t *Tree) find() (string, fs.FileInfo, bool) {
	dir, err := filepath.EvalSymlinks(t.Dir)
	if err != nil {
		return "", nil, false
	}
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() {
		return dir, info, false
	}
	os.SameFile(info, info) // Windows asks which folder it is at the first comparison, when it may be another one
	return dir, info, true
}

// at returns the path of the operating system for a path of a tree.
func at(dir, p string) string { return filepath.Join(dir, filepath.FromSlash(p)) }

// relative returns the slash-separated path of name below dir; "" is no folder.
func relative(dir, name string) (string, bool) {
	rel, ok := files.Below(dir, name)
	return filepath.ToSlash(rel), ok && rel != "."
}
