package writer

import (
	"os"
	"path/filepath"
)

// Replace makes data the content of the file at path: whole or not at all,
// through a file beside it that is synced and renamed. Identical bytes are not
// touched. The file keeps its mode; a new one gets 0644 less the umask. A
// symbolic link stays, and its target is replaced. The folder must exist.
func Replace(path string, data []byte) (changed bool, err error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return false, err
	}
	defer root.Close()
	return (&folder{Root: root}).replace(filepath.Base(path), data)
}

// replace makes data the content of the file name.
func (d *folder) replace(name string, data []byte) (changed bool, err error) {
	w, err := d.draft(name)
	defer w.discard()
	if err != nil {
		return false, err
	}
	if _, err := w.Write(data); err != nil {
		return false, err
	}
	if err := w.finish(); err != nil {
		return false, err
	}
	if err := w.commit(); err != nil {
		return false, err
	}
	d.sync(".")
	return w.changed, nil
}
