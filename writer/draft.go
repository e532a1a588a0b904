package writer

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A draft is a file on its way. For as long as what is written to it agrees
// with the file that stands under its name it only reads; at the first byte that
// differs it becomes a file of its own beside that one, until commit puts it in
// its place. It is for one goroutine.
type draft struct {
	dir  *folder
	name string // slash-separated

	old  *os.File // agreed with so far; nil when there is nothing to agree with
	mode fs.FileMode
	read []byte // of old, reused

	temp     *os.File
	tempName string // not slash-separated; "" when nothing is beside the file

	size    int64
	info    fs.FileInfo // once finished; nil in a dry run that changes it
	changed bool
	urls    int // for the report
}

// draft begins the file name.
func (d *folder) draft(name string) (*draft, error) {
	if err := d.check(name); err != nil {
		return nil, err
	}
	w := &draft{dir: d, name: name}
	old, err := d.open(name)
	if err != nil {
		return nil, w.blame(err)
	}
	if old == nil {
		return w, w.diverge()
	}
	info, err := old.Stat()
	if err != nil {
		old.Close()
		return nil, w.blame(err)
	}
	w.old, w.mode = old, info.Mode().Perm()
	return w, nil
}

// Write appends p to the file.
func (w *draft) Write(p []byte) (int, error) {
	if w.old != nil {
		if w.agrees(p) {
			w.size += int64(len(p))
			return len(p), nil
		}
		if err := w.diverge(); err != nil {
			return 0, err
		}
	}
	if w.temp == nil { // a dry run
		w.size += int64(len(p))
		return len(p), nil
	}
	n, err := w.temp.Write(p)
	w.size += int64(n)
	return n, w.blame(err)
}

func (w *draft) blame(err error) error { return w.dir.blame("write", w.name, err) }

// window is how much of an old file is held at a time.
const window = 16 << 10

// agrees reports whether the old file goes on with p.
func (w *draft) agrees(p []byte) bool {
	if w.read == nil {
		w.read = make([]byte, window)
	}
	for len(p) > 0 {
		n, _ := io.ReadFull(w.old, w.read[:min(len(p), window)])
		if n == 0 || !bytes.Equal(w.read[:n], p[:n]) {
			return false
		}
		p = p[n:]
	}
	return true
}

// diverge goes on in a file of its own, which begins with what was agreed on.
func (w *draft) diverge() error {
	w.changed = true
	if w.dir.dry {
		w.closeOld()
		return nil
	}
	var err error
	if w.temp, w.tempName, err = w.dir.temp(w.name); err != nil {
		return w.blame(err)
	}
	if w.old == nil {
		return nil
	}
	defer w.closeOld()
	if err := w.temp.Chmod(w.mode); err != nil {
		return w.blame(err)
	}
	_, err = io.Copy(w.temp, io.NewSectionReader(w.old, 0, w.size))
	return w.blame(err)
}

func (w *draft) closeOld() {
	if w.old != nil {
		_ = w.old.Close()
		w.old, w.read = nil, nil
	}
}

// finish ends the content: afterwards changed is known, and what changed is
// safely on disk beside its target.
func (w *draft) finish() error {
	if w.old != nil {
		info, err := w.old.Stat()
		if err != nil {
			return err
		}
		if w.info = info; info.Size() != w.size {
			w.info = nil
			if err := w.diverge(); err != nil {
				return err
			}
		}
		w.closeOld()
	}
	if w.temp == nil {
		return nil
	}
	if err := w.temp.Sync(); err != nil {
		return w.blame(err)
	}
	var err error
	if w.info, err = w.temp.Stat(); err != nil {
		return err
	}
	err = w.temp.Close()
	w.temp = nil
	return w.blame(err)
}

// commit puts a finished draft in its place.
func (w *draft) commit() error {
	if w.tempName == "" {
		return nil
	}
	if err := w.dir.Rename(w.tempName, filepath.FromSlash(w.name)); err != nil {
		return w.dir.blame("replace", w.name, err)
	}
	w.tempName = ""
	return nil
}

// discard leaves no trace of a draft that was not committed; afterwards, or of a
// nil draft, it does nothing.
func (w *draft) discard() {
	if w == nil {
		return
	}
	w.closeOld()
	if w.temp != nil {
		_ = w.temp.Close()
		w.temp = nil
	}
	if w.tempName != "" {
		_ = w.dir.Remove(w.tempName)
		w.tempName = ""
	}
}

// state says what committing does, or did.
func (w *draft) state() State {
	if w.changed {
		return Written
	}
	return Unchanged
}
