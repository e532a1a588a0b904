package writer

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// A Staged file is safely on disk and not yet in its place.
type Staged struct {
	at    string // path of the folder
	dir   *folder
	draft *draft
}

// Stage prepares to make data the content of the file at path, through a file
// beside it that is synced: all that can fail for want of room or of rights is
// done, and Commit does the last step. The file keeps its mode; a new one gets
// 0644 less the umask. A symbolic link stays, and its target is replaced. The
// folder must exist. Discard has to follow. Errors name the file by its path.
func Stage(path string, data []byte) (*Staged, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	at := filepath.Dir(path)
	root, err := os.OpenRoot(at)
	if err != nil {
		return nil, err
	}
	dir := &folder{Root: root}
	draft, err := dir.whole(filepath.Base(path), data)
	if err != nil {
		_ = dir.Close()
		return nil, below(at, err)
	}
	return &Staged{at, dir, draft}, nil
}

// Replace makes data the content of the file at path, whole or not at all, as Stage
// and Commit do.
func Replace(path string, data []byte) error {
	s, err := Stage(path, data)
	if err != nil {
		return err
	}
	defer s.Discard()
	_, err = s.Commit()
	return err
}

// Commit puts the file in its place, whole, and reports whether that changed
// it. Identical bytes are not touched.
func (s *Staged) Commit() (changed bool, err error) {
	changed, err = s.dir.settle(s.draft)
	return changed, below(s.at, err)
}

// below names the file of an error by its path, where it is relative to a folder
// that was opened.
func below(dir string, err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok && !filepath.IsAbs(pe.Path) {
		return &fs.PathError{Op: pe.Op, Path: filepath.Join(dir, filepath.FromSlash(pe.Path)), Err: pe.Err}
	}
	return err
}

// Discard leaves no trace of a file that was not committed; of a nil Staged it
// does nothing.
func (s *Staged) Discard() {
	if s == nil {
		return
	}
	s.draft.discard()
	_ = s.dir.Close()
}

// replace makes data the content of the file name.
func (d *folder) replace(name string, data []byte) (changed bool, err error) {
	w, err := d.whole(name, data)
	if err != nil {
		return false, err
	}
	defer w.discard()
	return d.settle(w)
}

// whole drafts the file name with all of its content.
func (d *folder) whole(name string, data []byte) (*draft, error) {
	w, err := d.draft(name)
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = w.finish()
	}
	if err != nil {
		w.discard()
		return nil, err
	}
	return w, nil
}

// settle puts a whole draft in its place for good.
func (d *folder) settle(w *draft) (changed bool, err error) {
	if err := w.commit(); err != nil {
		return false, err
	}
	d.sync(".")
	return w.changed, nil
}

// AsLeft reports whether a file is still the one that was left so, as far as can
// be told without reading it.
func AsLeft(info, left fs.FileInfo) bool {
	return os.SameFile(info, left) && info.Size() == left.Size() && info.ModTime().Equal(left.ModTime())
}
