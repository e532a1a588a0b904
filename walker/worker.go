package walker

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// minShared is the minimum number of files that a worker gives to another worker. Waking a worker
// for fewer files costs more time than it saves.
const minShared = 4

// A target is a file to visit.
type target struct {
	full string // value of File.Full
	real string // path of the target in the tree if the file is a symbolic link; otherwise ""
}

// A worker lists folders depth first and visits their files.
type worker struct {
	*walk
	number int
	stack  []task   // folders to list
	todo   []target // files to visit in the current folder
	buf    buffer
	file   File // reused for all files
}

// run executes tasks until no worker has a task left.
func (w *worker) run() {
	for t, ok := w.takeTask(0); ok; t, ok = w.next() {
		if t.files != nil {
			w.visitFiles(t.in, t.files)
			w.release(t.in)
		} else if n := w.openFolder(t); n != nil {
			w.list(n)
			w.release(n)
		}
	}
}

// next returns the next task: from the stack of w, or else from another worker. It returns false if
// no worker has a task left.
func (w *worker) next() (task, bool) {
	n := len(w.stack)
	if n == 0 {
		return w.takeTask(1)
	}
	t := w.stack[n-1]
	w.stack = w.stack[:n-1]
	w.share(nil, nil)
	return t, true
}

// share gives half of the folders on the stack to idle workers, if there are any, or else half of
// files, which are files of the folder n. It returns the files that stay with w. It gives away the
// folders that were found first, because they are nearest to the root and probably contain the most
// files.
func (w *worker) share(n *node, files []target) []target {
	if w.idle.Load() <= 0 {
		return files
	}
	if half := (len(w.stack) + 1) / 2; half > 0 {
		w.addTasks(w.stack[:half]...)
		w.stack = slices.Delete(w.stack, 0, half)
		return files
	}
	half := len(files) / 2
	if half < minShared {
		return files
	}
	n.refs.Add(1)
	left := len(files) - half
	w.addTasks(task{in: n, files: slices.Clone(files[left:])})
	return files[:left]
}

// openFolder opens the folder of the task t. It returns nil if the folder cannot be opened, or the
// walk has stopped.
func (w *worker) openFolder(t task) *node {
	if t.in == nil {
		return w.root
	}
	defer w.release(t.in)
	if w.stop.Load() {
		return nil
	}
	n := &node{path: t.path, real: t.path, linked: t.in.linked || t.real != ""}
	if n.linked {
		n.real = cmp.Or(t.real, join("", t.in.real, base(t.path)))
	}
	var err error
	if t.real == "" {
		n.open, err = t.in.open.folder(base(t.path))
	} else {
		n.open, err = w.source.open(n.real)
	}
	if err != nil {
		w.reportUnreadable(t.path, err)
		return nil
	}
	n.refs.Store(1)
	return n
}

// release decrements the reference count of n, and closes the folder if the count is 0.
func (w *worker) release(n *node) {
	if n.refs.Add(-1) == 0 {
		n.open.close()
	}
}

// list reads the entries of the folder n. It pushes subfolders on the stack, and visits the
// selected files.
func (w *worker) list(n *node) {
	for !w.stop.Load() {
		if err := n.open.read(&w.buf); err != nil {
			w.reportUnreadable(n.path, err)
			return
		}
		if len(w.buf.entries) == 0 {
			return
		}
		w.todo = w.todo[:0]
		for _, e := range w.buf.entries {
			w.handleEntry(n, e)
		}
		w.visitFiles(n, w.todo)
	}
}

// handleEntry handles the entry e of the folder n: it pushes a subfolder on the stack, adds a
// selected file to todo, or adds a finding.
func (w *worker) handleEntry(n *node, e entry) {
	if e.kind == unknown {
		e.kind, _ = n.open.lstat(e.name) // if the entry vanished, its kind stays unknown
	}
	switch e.kind {
	case regular:
		w.addFile(n, e.name)
	case directory:
		w.addFolder(n, e.name)
	case link:
		w.addLink(n, e.name)
	case special:
		w.warnSpecial(join("", n.path, e.name))
	}
}

// addFile adds the file name in the folder n to todo if the filter selects the file.
func (w *worker) addFile(n *node, name string) {
	full := join(w.Before, n.path, name)
	p := full[len(w.Before):]
	if w.Filter.selectsFile(p) {
		w.todo = append(w.todo, target{full: full})
	}
}

// addFolder pushes the folder name in the folder n on the stack if a walk enters the folder.
func (w *worker) addFolder(n *node, name string) {
	if !isWalkable(name) {
		return
	}
	if p := join("", n.path, name); w.Filter.canSelectBelow(p) {
		w.push(n, p, "")
	}
}

// push pushes the folder at path on the stack, unless the path is too long. n is the parent folder,
// and real the target of a symbolic link or "".
func (w *worker) push(n *node, path, real string) {
	if len(path) > MaxPath {
		w.warn(path, "path-too-long", "give the folder a shorter path, or exclude it",
			"the path is longer than %d bytes; the folder is left out", MaxPath)
		return
	}
	n.refs.Add(1)
	w.stack = append(w.stack, task{in: n, path: path, real: real})
}

// addLink handles the symbolic link name in the folder n: it adds the target file to todo, pushes
// the target folder on the stack, or adds a finding. It resolves the link once. The target is later
// opened without following links, so a link that changes cannot lead out of the tree.
func (w *worker) addLink(n *node, name string) {
	full := join(w.Before, n.path, name)
	p := full[len(w.Before):]
	file, folder := w.Filter.Match(p), isWalkable(name) && w.Filter.canSelectBelow(p)
	if !file && !folder {
		return
	}
	real, k, err := w.source.resolve(p)
	switch {
	case errors.Is(err, errOutside):
		if file || folder && k == directory {
			w.warn(p, "outside-link", "copy what it leads to into the tree, or exclude it",
				"the symbolic link leads out of the tree; it is not followed")
		}
	case err != nil:
		if file {
			w.warn(p, "broken-link", "remove the link, or exclude it",
				"the symbolic link leads to nothing that can be read")
		}
	case k == regular && file:
		w.todo = append(w.todo, target{full: full, real: real})
	case k == directory && folder:
		w.addFolderLink(n, p, real)
	case k == special:
		w.warnSpecial(p)
	}
}

// addFolderLink pushes the target real of the folder link p on the stack, unless the link would
// make a loop or n is already a linked folder.
func (w *worker) addFolderLink(n *node, p, real string) {
	switch {
	case real == "" || n.real == real || strings.HasPrefix(n.real, real+"/"):
		w.warn(p, "link-loop", "remove the link, or exclude it",
			"the symbolic link leads to a folder that contains it; it is not followed")
	case n.linked:
		w.note(p, "nested-link", "link to the folder itself, or copy it",
			"the symbolic link lies in a folder that was reached by a link; it is not followed")
	default:
		w.push(n, p, real)
	}
}

// visitFiles visits files, which are in the folder n. It shares them with idle workers.
func (w *worker) visitFiles(n *node, files []target) {
	for len(files) > 0 && !w.stop.Load() {
		t := files[0]
		files = w.share(n, files[1:])
		w.visitFile(n, t)
	}
}

// visitFile calls visit for the file t in the folder n.
func (w *worker) visitFile(n *node, t target) {
	f := &w.file
	f.Full, f.Path = t.full, t.full[len(w.Before):]
	f.Linked, f.in, f.name, f.walk = n.linked, n.open, base(f.Path), w.walk
	if t.real != "" {
		in, err := w.source.open(strings.TrimSuffix(t.real[:len(t.real)-len(base(t.real))], "/"))
		if err != nil {
			w.reportUnreadable(f.Path, err)
			return
		}
		defer in.close()
		f.Linked, f.in, f.name = true, in, base(t.real)
	}
	defer f.close()
	w.visit(w.number, f)
}

// visitPath opens only the folders on the path p, and visits the file at p if the filter selects
// it.
func (w *walk) visitPath(ctx context.Context, p string) (diag.List, error) {
	wk := &worker{walk: w}
	n := w.root
	defer func() { wk.release(n) }()
	if !fs.ValidPath(strings.ToValidUTF8(p, "_")) || !w.Filter.Match(p) {
		return w.result(ctx)
	}
	for {
		name, rest, more := strings.Cut(p, "/")
		wk.handleEntry(n, entry{name: name})
		if !more {
			wk.visitFiles(n, wk.todo)
			break
		}
		wk.todo = wk.todo[:0]
		if len(wk.stack) == 0 {
			break
		}
		child := wk.openFolder(wk.stack[0])
		wk.stack = wk.stack[:0]
		if child == nil {
			break
		}
		wk.release(n)
		n, p = child, rest
	}
	for _, t := range wk.stack {
		wk.release(t.in)
	}
	return w.result(ctx)
}

// base returns the part of p after the last slash.
func base(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }

// join returns before, followed by the path of the file name in the folder dir. dir "" is the root.
func join(before, dir, name string) string {
	if dir != "" {
		return before + dir + "/" + name
	}
	return before + name
}
