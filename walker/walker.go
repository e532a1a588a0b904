// Package walker lists the files of a tree that globs select, and opens them
// where the caller asks.
//
// It refuses to leave the tree, to open anything that is not a regular file,
// and to decide what a file means: names that make no URL are delivered like
// any other.
//
// Promised to importers before version 1: names and meanings stay; Options may gain fields.
package walker

import (
	"context"
	"io/fs"
	"runtime"

	"github.com/sitewalk/sitewalk/internal/diag"
)

// A Tree is a folder and all that lies below it. Paths inside it are relative
// to that folder and slash-separated, without a leading "./".
type Tree struct{ source source }

// Dir returns the tree of a folder of this system, read in the fastest way
// that the system has. A folder that is itself a symbolic link is followed.
func Dir(path string) Tree { return Tree{dirSource(path)} }

// Portable returns the same tree as Dir, read with nothing but package os.
func Portable(path string) Tree { return Tree{&pathSource{disk: osDisk(path)}} }

// FS returns the tree of fsys. Its symbolic links are followed where fsys is
// an fs.ReadLinkFS; absolute ones lead out of it.
func FS(fsys fs.FS) Tree { return Tree{&pathSource{disk: fsDisk{fsys}}} }

// Options say what a walk delivers and how.
type Options struct {
	Filter *Filter // nil: HTMLFiles without excludes
	Jobs   int     // workers; 0: what suits the machine, see DefaultJobs
	Before string  // what File.Full begins with

	// Others, if not nil, is called with each regular file that is met and that the
	// filter does not match, likewise from up to Workers(o) goroutines. The path is
	// valid for the call only. Files behind links, and those of folders in which
	// the filter can match nothing, are not met.
	Others func(worker int, path string)
}

// DefaultJobs is how many workers there are at least when Options.Jobs does not say;
// there are as many as processors if those are more. Each of them spends nearly all
// of its time in system calls. With cold caches the number of calls that wait at once
// decides, and of 8 to 32 workers none are faster than the others; with warm ones
// workers beyond the number of processors save no time and cost memory.
const DefaultJobs = 8

// Workers returns the number of goroutines that a walk with these options may
// call visit from, at least one.
func Workers(o Options) int {
	n := o.Jobs
	if n <= 0 {
		n = max(DefaultJobs, runtime.NumCPU())
	}
	return max(1, min(n, openLimit()/4))
}

// useful is how many workers to start: where a container has fewer processors than
// the machine, fewer than there may be.
func useful(o Options) int {
	if o.Jobs > 0 {
		return Workers(o)
	}
	return min(Workers(o), max(DefaultJobs, processors()))
}

// Walk calls visit for each file of the tree that the filter matches, in no
// order, from up to Workers(o) goroutines, each with its own number from 0.
//
// Symbolic links to files and folders inside the tree are followed, except for
// links to a folder that contains them and folder links inside of linked
// folders; those, links that leave the tree or lead nowhere, devices, pipes,
// sockets and unreadable folders are findings. So are folders whose path is
// longer than MaxPath. What vanishes during the walk was never there.
//
// The error says that the tree cannot be listed: its root cannot be read, the
// context is done, or the process has no file descriptors left.
func (t Tree) Walk(ctx context.Context, o Options, visit func(worker int, f *File)) (diag.List, error) {
	w, err := newWalk(ctx, t.source, o, visit)
	if err != nil {
		return nil, err
	}
	return w.run(ctx, useful(o))
}

// Visit looks at one path again and calls visit if the path is a file that
// Walk would deliver. Its findings are those that Walk has for the path and
// the folders that lead to it.
func (t Tree) Visit(ctx context.Context, o Options, path string, visit func(f *File)) (found bool, diags diag.List, err error) {
	w, err := newWalk(ctx, t.source, o, func(_ int, f *File) { found = true; visit(f) })
	if err != nil {
		return false, nil, err
	}
	diags, err = w.one(ctx, path)
	return found, diags, err
}
