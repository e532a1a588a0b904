package writer

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// below names the file of an error by its path, where it is relative to a folder
// that was opened.
func below(dir string, err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok && !filepath.IsAbs(pe.Path) {
		return &fs.PathError{Op: pe.Op, Path: filepath.Join(dir, filepath.FromSlash(pe.Path)), Err: pe.Err}
	}
	return err
}

// replace makes data the content of the file name.
func (d *folder) replace(name string, data []byte) error {
	w, err := d.whole(name, data)
	if err != nil {
		return err
	}
	defer w.discard()
	if err := w.commit(); err != nil {
		return err
	}
	d.sync(path.Dir(name))
	return nil
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

// AsLeft reports whether a file is still the one that was left so, as far as can
// be told without reading it.
func AsLeft(info, left fs.FileInfo) bool {
	return os.SameFile(info, left) && info.Size() == left.Size() && info.ModTime().Equal(left.ModTime())
}
