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

// minShared is the minimum number of files that a worker gives to another worker. For fewer files,
// waking the other worker takes more time than it saves.
const minShared = 4

// A target is a file to visit, which may be a symbolic link.
type target struct {
	path string // value of File.Path
	real string // path of the target in the tree if the file is a symbolic link; otherwise ""
}

// A worker lists folders and visits the files in them. It works depth first: it lists the
// subfolders of a folder before the folders beside it.
type worker struct {
	*walk
	number int
	stack  []task   // folders to list
	todo   []target // files to visit in the current folder
	buf    buffer
	file   File // reused for all files
}

// runTasks executes tasks until no task is left for any worker.
func (w *worker) runTasks() {
	for t, ok := w.waitForTask(0); ok; t, ok = w.nextTask() {
		if t.files != nil {
			w.visitFiles(t.in, t.files)
			w.releaseNode(t.in)
		} else if n := w.openTaskFolder(t); n != nil {
			w.listFolder(n)
			w.releaseNode(n)
		}
	}
}

// nextTask returns the next task of w, or else waits for a task from another worker. ok is false if
// no task is left for any worker.
func (w *worker) nextTask() (t task, ok bool) {
	n := len(w.stack)
	if n == 0 {
		return w.waitForTask(1)
	}
	t = w.stack[n-1]
	w.stack = w.stack[:n-1]
	w.shareWork(nil, nil)
	return t, true
}

// shareWork gives work to idle workers, if there are any. It gives away the first half of w.stack:
// these folders are nearest to the root, and probably contain the most files. If the stack is
// empty, it gives away the last half of files, which are in the folder n. It returns the files that
// w keeps. If files is nil, n may be nil.
func (w *worker) shareWork(n *node, files []target) (kept []target) {
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

// openTaskFolder opens the folder of the task t. It returns nil if the folder cannot be opened, or
// if the walk was stopped.
func (w *worker) openTaskFolder(t task) *node {
	if t.in == nil {
		return w.root
	}
	defer w.releaseNode(t.in)
	if w.stop.Load() {
		return nil
	}
	n := &node{path: t.path, real: t.path, linked: t.in.linked || t.real != ""}
	if n.linked {
		n.real = cmp.Or(t.real, joinPath(t.in.real, baseName(t.path)))
	}
	var err error
	if t.real == "" {
		n.open, err = t.in.open.openFolder(baseName(t.path))
	} else {
		n.open, err = w.source.openFolderAt(n.real)
	}
	if err != nil {
		w.reportUnreadable(t.path, err)
		return nil
	}
	n.refs.Store(1)
	return n
}

// releaseNode decrements the reference count of n. It closes the folder if the count becomes 0.
func (w *worker) releaseNode(n *node) {
	if n.refs.Add(-1) == 0 {
		n.open.close()
	}
}

// listFolder reads the entries of the folder n. It pushes the subfolders that the walk should enter
// on w.stack, and visits the files that the filter selects.
func (w *worker) listFolder(n *node) {
	for !w.stop.Load() {
		if err := n.open.readNextEntries(&w.buf); err != nil {
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

// handleEntry handles the entry e of the folder n. Depending on its kind, it pushes a subfolder on
// w.stack, adds a selected file to w.todo, or adds a finding.
func (w *worker) handleEntry(n *node, e entry) {
	if e.kind == unknown {
		e.kind, _ = n.open.lstat(e.name) // if the entry vanished, its kind stays unknown
	}
	switch e.kind {
	case regular:
		w.queueFile(n, e.name)
	case directory:
		w.addFolder(n, e.name)
	case link:
		w.handleLink(n, e.name)
	case special:
		w.warnSpecialFile(joinPath(n.path, e.name))
	}
}

// queueFile adds the file called name in the folder n to w.todo, if the filter selects it.
func (w *worker) queueFile(n *node, name string) {
	p := joinPath(n.path, name)
	if w.Filter.selectsFile(p) {
		w.todo = append(w.todo, target{path: p})
	}
}

// addFolder pushes the folder called name in the folder n on w.stack, if the walk should enter it.
func (w *worker) addFolder(n *node, name string) {
	if !isWalkableName(name) {
		return
	}
	if p := joinPath(n.path, name); w.Filter.canSelectBelow(p) {
		w.pushFolder(n, p, "")
	}
}

// pushFolder pushes the folder at path on w.stack. If the path is too long, it adds a finding
// instead. n is the parent folder. If the folder is a symbolic link, real is its target; otherwise
// real is "".
func (w *worker) pushFolder(n *node, path, real string) {
	if len(path) > maxPath {
		w.addWarning(path, "path-too-long", "give the folder a shorter path, or exclude it",
			"the path is longer than %d bytes; the folder is left out", maxPath)
		return
	}
	n.refs.Add(1)
	w.stack = append(w.stack, task{in: n, path: path, real: real})
}

// handleLink handles the symbolic link called name in the folder n. Depending on the target of the
// link, it adds a file to w.todo, pushes a folder on w.stack, or adds a finding. It does nothing if
// the filter does not select the link. It resolves the link only once. The target is later opened
// without following links, so that a changed link cannot lead out of the tree.
func (w *worker) handleLink(n *node, name string) {
	p := joinPath(n.path, name)
	file, folder := w.Filter.Match(p), isWalkableName(name) && w.Filter.canSelectBelow(p)
	if !file && !folder {
		return
	}
	real, k, err := w.source.resolveLinks(p)
	switch {
	case errors.Is(err, errOutside):
		if file || folder && k == directory {
			w.addWarning(p, "outside-link", "copy what it leads to into the tree, or exclude it",
				"the symbolic link leads out of the tree; it is not followed")
		}
	case err != nil:
		if file {
			w.addWarning(p, "broken-link", "remove the link, or exclude it",
				"the symbolic link leads to nothing that can be read")
		}
	case k == regular && file:
		w.todo = append(w.todo, target{path: p, real: real})
	case k == directory && folder:
		w.pushLinkedFolder(n, p, real)
	case k == special:
		w.warnSpecialFile(p)
	}
}

// pushLinkedFolder pushes the folder real, the target of the symbolic link p in the folder n, on
// w.stack. It adds a finding instead if real contains the link, or if the walk has reached n
// through a link.
func (w *worker) pushLinkedFolder(n *node, p, real string) {
	switch {
	case real == "" || n.real == real || strings.HasPrefix(n.real, real+"/"):
		w.addWarning(p, "link-loop", "remove the link, or exclude it",
			"the symbolic link leads to a folder that contains it; it is not followed")
	case n.linked:
		w.addNote(p, "nested-link", "link to the folder itself, or copy it",
			"the symbolic link lies in a folder that was reached by a link; it is not followed")
	default:
		w.pushFolder(n, p, real)
	}
}

// visitFiles visits the files, which are in the folder n. It may give some of them to idle workers.
func (w *worker) visitFiles(n *node, files []target) {
	for len(files) > 0 && !w.stop.Load() {
		t := files[0]
		files = w.shareWork(n, files[1:])
		w.visitFile(n, t)
	}
}

// visitFile calls visit for the file t in the folder n. If t is a symbolic link, visitFile first
// opens the folder of the target.
func (w *worker) visitFile(n *node, t target) {
	f := &w.file
	f.Path, f.in, f.name, f.walk = t.path, n.open, baseName(t.path), w.walk
	if t.real != "" {
		in, err := w.source.openFolderAt(strings.TrimSuffix(t.real[:len(t.real)-len(baseName(t.real))], "/"))
		if err != nil {
			w.reportUnreadable(f.Path, err)
			return
		}
		defer in.close()
		f.in, f.name = in, baseName(t.real)
	}
	defer f.close()
	w.visit(w.number, f)
}

// visitPath visits the file at the path p if the filter selects it. It opens only the folders on
// the path, and returns the findings about them.
func (w *walk) visitPath(ctx context.Context, p string) (diag.List, error) {
	wk := &worker{walk: w}
	n := w.root
	defer func() { wk.releaseNode(n) }()
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
		child := wk.openTaskFolder(wk.stack[0])
		wk.stack = wk.stack[:0]
		if child == nil {
			break
		}
		wk.releaseNode(n)
		n, p = child, rest
	}
	for _, t := range wk.stack {
		wk.releaseNode(t.in)
	}
	return w.result(ctx)
}

// baseName returns the part of p after the last slash.
func baseName(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }

// joinPath returns the path of the file called name in the folder dir: "blog/a.html". dir is "" for
// the root.
func joinPath(dir, name string) string {
	if dir != "" {
		return dir + "/" + name
	}
	return name
}
