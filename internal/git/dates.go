// Package git says when files last changed, from the history of the git
// repositories that they belong to, in one streamed pass over each history.
//
// It refuses to guess: a file beyond the boundary of a shallow clone, edited
// since its last commit or unknown to git has no date. It never goes to the
// network, never writes to a repository, hands git no file name as an argument and
// runs nothing that a repository names.
package git

import (
	"cmp"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/sitemap"
)

// Options say how to read the dates. The zero value reads author dates, with
// the git of the search path, of files relative to the working directory.
type Options struct {
	Dir       string        // what relative files are relative to; "" is the working directory
	Committer bool          // committer dates instead of author dates
	Git       string        // the program to run; "" is "git"
	Limit     time.Duration // how long git may take for all repositories together; 0 is two minutes
	Deepen    string        // what makes the machine fetch the whole history; "" is the command of git

	Built     func(file string) bool // reports whether a file is a page of the site, not a source; nil: all are sources
	Generated bool                   // the built files carry a generator's mark: git dates none of them

	imports map[string]bool // known commits that added most of the files; nil: the history tells
}

// limit returns ctx with an end when git has taken its time.
func (o *Options) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, cmp.Or(o.Limit, 2*time.Minute), errTimeout)
}

// A Result is what git says of one file.
type Result struct {
	Date   sitemap.Date // to the second, in the zone it was committed in; zero when git is silent
	Commit string       // the abbreviated name of the commit of Date
	Why    string       // why git is silent: "not tracked by git"; empty with a Date
	New    bool         // the commit of Date brought the file, which has no older date

	// After is, where git is silent because it cannot date a change, the last
	// moment that it knows of: what else dates the file must be newer to be true.
	After sitemap.Date
}

// Imported tells that git is silent about a file because the commit that added most of
// the files dates none of them.
const Imported = "added by the commit that added most of the files"

// Why git is silent.
const (
	outside    = "outside any git repository"
	untracked  = "not tracked by git"
	edited     = "edited since the last commit"
	beyond     = "last changed at or beyond the boundary of the shallow clone"
	mergedOnly = "changed by merges only"
	impossible = "its commit has no readable date"
	deployed   = "its commits are deploys, not edits"
	unread     = "git could not be asked"
)

// Read returns what git says of each of the files, by the name it was given,
// and what kept it from saying more. Names are paths of the operating system,
// relative to o.Dir or absolute. A merge is no change, and neither is a pure
// rename: the file's date is that of its last change under its older name.
//
// A repository that cannot be read silences all of its files and is one
// finding. When ctx ends, files that have no answer yet stay silent.
func Read(ctx context.Context, files []string, o Options) (map[string]Result, diag.List) {
	r := read(ctx, files, o)
	return r.results, r.diags.Sorted()
}

// read is Read, and notes the repositories.
func read(ctx context.Context, files []string, o Options) *reader {
	ctx, cancel := o.limit(ctx)
	defer cancel()
	r := &reader{options: o, results: make(map[string]Result, len(files)), places: places{}, imports: map[string]bool{}}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		r.reportFailure("", err, 0)
		dir = o.Dir
	}
	r.dir = dir
	if links := r.round(ctx, absolute(dir, files)); len(links) > 0 {
		r.round(ctx, r.targets(links))
	}
	return r
}

// A reader gathers the answers of all repositories.
type reader struct {
	options Options
	dir     string // absolute
	places  places
	results map[string]Result
	diags   diag.List
	roots   []string // of the work trees that were read
	imports map[string]bool
	built   bool // built files are among the tracked ones
	over    bool // git cannot be run at all, or has no time left
}

// A file is one file to date.
type file struct {
	given string // as the caller named it
	path  string // absolute
	name  string // below its repository, slash-separated: as git names it
}

func absolute(dir string, names []string) []file {
	list := make([]file, len(names))
	for i, f := range names {
		list[i] = file{given: f, path: files.Abs(dir, f)}
	}
	return list
}

// round dates files, repository by repository, and returns those that turned
// out to be symbolic links.
func (r *reader) round(ctx context.Context, files []file) (links []file) {
	groups := make(map[string][]file)
	for _, f := range files {
		at := r.places.of(filepath.Dir(f.path))
		if at.root == "" {
			r.results[f.given] = Result{Why: outside}
			continue
		}
		name, _ := filepath.Rel(at.root, filepath.Join(at.real, filepath.Base(f.path))) // it lies below
		f.name = filepath.ToSlash(name)
		groups[at.root] = append(groups[at.root], f)
	}
	roots := slices.Sorted(maps.Keys(groups))
	for i, root := range roots {
		if r.over {
			r.silence(groups[root], unread)
			continue
		}
		links = append(links, r.repository(ctx, root, groups[root], len(roots)-i-1)...)
	}
	return links
}

// repository dates the files of the repository whose work tree has its .git at
// root, before as many more as next says.
func (r *reader) repository(ctx context.Context, root string, files []file, next int) (links []file) {
	r.roots = append(r.roots, root)
	w, err := r.options.git(root).dates(ctx, files, &r.options)
	if err != nil {
		r.silence(files, unread)
		if ctx.Err() == nil || context.Cause(ctx) == errTimeout { // else the caller knows
			r.reportFailure(root, err, next)
		}
		return nil
	}
	maps.Copy(r.imports, w.imports)
	for i, f := range files {
		r.results[f.given] = w.files[i].Result
		r.built = r.built || w.files[i].built && w.files[i].tracked
		if w.files[i].link {
			links = append(links, f)
		}
	}
	if n := w.beyond(); n > 0 {
		r.shallow(root, n, len(files))
	}
	if w.deploy != "" {
		r.reportDeploys(root, w.deploy)
	}
	r.oddCommits(root, w.odd)
	return links
}

func (o *Options) git(dir string) git { return git{program: cmp.Or(o.Git, "git"), dir: dir} }

// targets returns the links as the files that they lead to: what a reader of
// the link sees changes with its target.
func (r *reader) targets(links []file) []file {
	list := links[:0]
	for _, l := range links {
		path, err := filepath.EvalSymlinks(l.path)
		if err != nil {
			r.results[l.given] = Result{Why: "a symbolic link that leads nowhere"}
			continue
		}
		l.path = path
		list = append(list, l)
	}
	return list
}

func (r *reader) silence(files []file, why string) {
	for _, f := range files {
		r.results[f.given] = Result{Why: why}
	}
}

// places knows the repository of each folder, asking the disk once a folder.
type places map[string]place

// A place is a folder without symbolic links in its name, and the folder at or
// above it that holds .git; "" when none does.
type place struct{ real, root string }

func (p places) of(dir string) place {
	at, ok := p[dir]
	if ok {
		return at
	}
	at = place{real: dir}
	if parent := filepath.Dir(dir); parent != dir {
		up := p.of(parent)
		at = place{real: filepath.Join(up.real, filepath.Base(dir)), root: up.root}
	}
	if info, err := os.Lstat(at.real); err == nil && !info.IsDir() {
		real, err := filepath.EvalSymlinks(at.real)
		if at = (place{real: real}); err == nil {
			at.root = Above(real)
		}
	} else if IsTop(at.real) {
		at.root = at.real
	}
	p[dir] = at
	return at
}

// IsTop reports whether a folder is the top of a work tree: .git is a folder, or
// in a linked work tree and a submodule a file.
func IsTop(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}
