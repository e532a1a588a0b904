package writer

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// A draft is a file with its content to be. What differs from the file that stands
// under its name lies beside it, until the transaction commits.
type draft struct {
	dir     *folder
	name    string // slash-separated
	temp    string // the file beside it, not slash-separated; "" when there is none
	changed bool
	size    int64
	info    fs.FileInfo // nil in a dry run that changes the file
	urls    int         // for the report
	words   int         // the same
}

// draft drafts the file name.
func (d *folder) draft(name string, data []byte) (*draft, error) {
	if err := d.check(name); err != nil {
		return nil, err
	}
	w := &draft{dir: d, name: name, size: int64(len(data))}
	old, err := d.open(name)
	if err != nil {
		return nil, d.blame("write", name, err)
	}
	if old != nil {
		defer old.Close()
		if w.info, err = old.Stat(); err != nil {
			return nil, d.blame("write", name, err)
		}
		if w.info.Size() == w.size && holds(old, data) {
			return w, nil
		}
	}
	mode := w.info
	if w.changed, w.info = true, nil; d.dry {
		return w, nil
	}
	if err := w.write(data, mode); err != nil {
		w.discard()
		return nil, d.blame("write", name, err)
	}
	return w, nil
}

// window is how much of an old file is held at a time.
const window = 64 << 10

// holds reports whether a file goes on with data.
func holds(f *os.File, data []byte) bool {
	buf := make([]byte, min(window, len(data)))
	for len(data) > 0 {
		n, _ := io.ReadFull(f, buf[:min(window, len(data))])
		if n == 0 || !bytes.Equal(buf[:n], data[:n]) {
			return false
		}
		data = data[n:]
	}
	return true
}

// write puts data safely on disk beside the file, with the mode of the old one if there
// is one, and makes the folders that lead there.
func (w *draft) write(data []byte, old fs.FileInfo) error {
	if dir := path.Dir(w.name); dir != "." {
		if err := w.dir.MkdirAll(filepath.FromSlash(dir), 0o755); err != nil {
			return err
		}
	}
	temp := w.dir.tempName(w.name)
	f, err := w.dir.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	w.temp = temp
	if old != nil {
		if err := f.Chmod(old.Mode().Perm()); err != nil {
			return err
		}
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if w.info, err = f.Stat(); err != nil {
		return err
	}
	return f.Close()
}

// discard leaves no trace of a draft that was not committed.
func (w *draft) discard() {
	if w.temp != "" {
		_ = w.dir.Remove(w.temp)
		w.temp = ""
	}
}

// AsLeft reports whether a file is still the one that was left so, as far as can
// be told without reading it.
func AsLeft(info, left fs.FileInfo) bool {
	return os.SameFile(info, left) && info.Size() == left.Size() && info.ModTime().Equal(left.ModTime())
}
