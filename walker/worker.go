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

// maxFiles is the maximum number of files in a task. To wake another worker for fewer files takes
// more time than it saves.
const maxFiles = 8

// A target is a file to visit, which may be a symbolic link.
type target struct {
	path string // value of File.Path
	real string // path of the target in the tree if the file is a symbolic link; otherwise ""
}

// A worker lists folders and visits the files in them.
type worker struct {
	*walk
	number int
	found  []task   // tasks to add for the current folder
	todo   []target // files to visit in the current folder
	buf    buffer
	file   File // reused for all files
}

// runTasks executes tasks until all tasks are finished.
func (w *worker) runTasks() {
	for t, ok := w.nextTask(); ok; t, ok = w.nextTask() {
		if t.files != nil {
			w.visitFiles(t.in, t.files)
		} else if w.openNode(t.in) {
			w.listFolder(t.in)
		}
		w.releaseNode(t.in)
		w.finishTask()
	}
}

// openNode opens the folder n and releases its parent. It returns false if the folder cannot be
// opened, or if the walk was stopped. For the root, which is already open, it only returns true.
func (w *worker) openNode(n *node) bool {
	if n.parent == nil {
		return true
	}
	defer w.releaseNode(n.parent)
	if w.stop.Load() {
		return false
	}
	var err error
	if n.linked {
		n.open, err = w.tree.source.openFolderAt(n.real)
	} else {
		n.open, err = n.parent.open.openFolder(baseName(n.path))
	}
	if err != nil {
		w.reportUnreadable(n.path, err)
	}
	return err == nil
}

// releaseNode decrements the reference count of n. It closes the folder if the count becomes 0.
func (w *worker) releaseNode(n *node) {
	if n.refs.Add(-1) == 0 && n.open != nil {
		n.open.close()
	}
}

// listFolder reads the entries of the folder n. It adds tasks for the subfolders that the walk
// should enter, and visits the files that the filter selects.
func (w *worker) listFolder(n *node) {
	for !w.stop.Load() {
		if err := n.open.readNextEntries(&w.buf); err != nil {
			w.reportUnreadable(n.path, err)
			return
		}
		if len(w.buf.entries) == 0 {
			return
		}
		w.found, w.todo = w.found[:0], w.todo[:0]
		for _, e := range w.buf.entries {
			w.handleEntry(n, e)
		}
		own := w.todo[:min(maxFiles, len(w.todo))]
		for files := range slices.Chunk(slices.Clone(w.todo[len(own):]), maxFiles) {
			w.found = append(w.found, task{in: n, files: files})
		}
		n.refs.Add(int32(len(w.found)))
		w.addTasks(w.found...)
		w.visitFiles(n, own)
	}
}

// handleEntry handles the entry e of the folder n. Depending on its kind, it adds a subfolder to
// w.found, adds a selected file to w.todo, or adds a finding.
func (w *worker) handleEntry(n *node, e entry) {
	if e.kind == unknown {
		e.kind, _ = n.open.lstat(e.name) // if the entry vanished, its kind stays unknown
	}
	switch e.kind {
	case regular:
		w.queueFile(n, e.name)
	case directory:
		w.queueFolder(n, e.name)
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

// queueFolder adds the folder called name in the folder n to w.found, if the walk should enter it.
func (w *worker) queueFolder(n *node, name string) {
	if !isWalkableName(name) {
		return
	}
	if p := joinPath(n.path, name); w.Filter.canSelectBelow(p) {
		w.addFolder(n, p, "")
	}
}

// addFolder adds the folder at path to w.found. If the path is too long, it adds a finding instead.
// parent is the folder that contains it. If the folder is a symbolic link, linkTarget is its
// target; otherwise linkTarget is "".
func (w *worker) addFolder(parent *node, path, linkTarget string) {
	if len(path) > maxPath {
		w.addWarning(path, "path-too-long", "give the folder a shorter path, or exclude it",
			"the path is longer than %d bytes; the folder is left out", maxPath)
		return
	}
	n := &node{path: path, real: path, linked: parent.linked || linkTarget != "", parent: parent}
	if n.linked {
		n.real = cmp.Or(linkTarget, joinPath(parent.real, baseName(path)))
	}
	n.refs.Store(1)
	w.found = append(w.found, task{in: n})
}

// handleLink handles the symbolic link called name in the folder n. Depending on the target of the
// link, it adds a file to w.todo, adds a folder to w.found, or adds a finding. It does nothing if
// the filter selects neither the link nor files below it. It resolves the link only once. On Linux,
// the target is later opened without following links, so that a changed link cannot lead out of the
// tree.
func (w *worker) handleLink(n *node, name string) {
	p := joinPath(n.path, name)
	file, folder := w.Filter.Match(p), isWalkableName(name) && w.Filter.canSelectBelow(p)
	if !file && !folder {
		return
	}
	real, k, err := resolveLinks(w.tree.dir, p)
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
		w.addLinkedFolder(n, p, real)
	case k == special:
		w.warnSpecialFile(p)
	}
}

// addLinkedFolder adds the folder real, the target of the symbolic link p in the folder n, to
// w.found. It adds a finding instead if real contains the link, or if the walk has reached n
// through a link.
func (w *worker) addLinkedFolder(n *node, p, real string) {
	switch {
	case real == "" || n.real == real || strings.HasPrefix(n.real, real+"/"):
		w.addWarning(p, "link-loop", "remove the link, or exclude it",
			"the symbolic link leads to a folder that contains it; it is not followed")
	case n.linked:
		w.addNote(p, "nested-link", "link to the folder itself, or copy it",
			"the symbolic link lies in a folder that was reached by a link; it is not followed")
	default:
		w.addFolder(n, p, real)
	}
}

// visitFiles visits the files, which are in the folder n.
func (w *worker) visitFiles(n *node, files []target) {
	for _, t := range files {
		if w.stop.Load() {
			return
		}
		w.visitFile(n, t)
	}
}

// visitFile calls visit for the file t in the folder n. If t is a symbolic link, visitFile first
// opens the folder of the target.
func (w *worker) visitFile(n *node, t target) {
	f := &w.file
	f.Path, f.in, f.name, f.walk = t.path, n.open, baseName(t.path), w.walk
	if t.real != "" {
		in, err := w.tree.source.openFolderAt(strings.TrimSuffix(t.real[:len(t.real)-len(baseName(t.real))], "/"))
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
// the path, and returns the findings about p and these folders.
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
		if len(wk.found) == 0 {
			break
		}
		child := wk.found[0].in
		isOpen := wk.openNode(child) // releases n
		n, p = child, rest
		if !isOpen {
			break
		}
		wk.found, wk.todo = nil, nil
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
