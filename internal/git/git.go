// Package git finds when files last changed, from the history of the git repositories that they
// belong to. It reads each history once.
//
// A file beyond the boundary of a shallow clone, edited since its last commit or unknown to git
// has no date. The package uses no network, writes to no repository, passes no file name as an
// argument and runs no program that a repository names.
package git

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/sitemap"
)

// Options configure the reading of dates. The zero value reads author dates with the git of
// the search path, of files relative to the working directory.
type Options struct {
	Dir       string        // base of relative file names; "" is the working directory
	Committer bool          // committer dates instead of author dates
	Git       string        // program to run; "" is "git"
	Limit     time.Duration // for all repositories together; 0 is two minutes
	Deepen    string        // advice on fetching the whole history; "" is the command of git

	Built     func(file string) bool // reports whether a file is a page of the site, not a source; nil: all are sources
	Generated bool                   // the built files carry a generator's mark: git dates none of them

	imports map[string]bool // known commits that added most of the files; nil: the history tells
}

// limit returns ctx with the time limit of git.
func (o *Options) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, cmp.Or(o.Limit, 2*time.Minute), errTimeout)
}

func (o *Options) git(dir string) git { return git{program: cmp.Or(o.Git, "git"), dir: dir} }

// A Result is git's answer about one file.
type Result struct {
	Date   sitemap.Date // to the second, in the zone of the commit; zero if git has none
	Commit string       // abbreviated name of the commit of Date
	Why    string       // why there is no date: "not tracked by git"; empty with a Date
	New    bool         // the commit of Date added the file, which has no older date

	// After is the last known moment before a change that git cannot date. The date of
	// another source is true only if it is later.
	After sitemap.Date
}

// Imported is the reason of a file without a date that an import added.
const Imported = "added by the commit that added most of the files"

// Reasons for no date.
const (
	outside      = "outside any git repository"
	untracked    = "not tracked by git"
	edited       = "edited since the last commit"
	beyond       = "last changed at or beyond the boundary of the shallow clone"
	mergedOnly   = "changed by merges only"
	impossible   = "its commit has no readable date"
	deployed     = "its commits are deploys, not edits"
	symbolicLink = "a symbolic link that leads nowhere"
	unread       = "git could not be asked"
)

// read asks git about each file, by the given name. Names are paths of the operating system,
// relative to o.Dir or absolute. Merges and pure renames are not changes: the date is that of
// the last change under an older name.
//
// If a repository cannot be read, its files have no date, and one finding reports it. When ctx
// ends, the remaining files have no date.
func read(ctx context.Context, names []string, o Options) *reader {
	ctx, cancel := o.limit(ctx)
	defer cancel()
	r := &reader{options: o, results: make(map[string]Result, len(names)), places: places{}, imports: map[string]bool{}}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		r.reportFailure("", err)
		dir = o.Dir
	}
	r.dir = dir
	all := make([]file, len(names))
	for i, name := range names {
		all[i] = file{given: name, path: files.Abs(dir, name)}
	}
	r.readAll(ctx, all)
	var targets []file // a visitor sees the target of a link
	for _, f := range all {
		if r.results[f.given].Why == symbolicLink {
			if f.path, err = filepath.EvalSymlinks(f.path); err == nil {
				targets = append(targets, f)
			}
		}
	}
	r.readAll(ctx, targets)
	return r
}

// A reader collects the answers of all repositories.
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
	name  string // below its repository, slash-separated
}

// readAll dates files, repository by repository.
func (r *reader) readAll(ctx context.Context, list []file) {
	groups := make(map[string][]file)
	for _, f := range list {
		at := r.places.of(filepath.Dir(f.path))
		if at.root == "" {
			r.results[f.given] = Result{Why: outside}
			continue
		}
		name, _ := filepath.Rel(at.root, filepath.Join(at.real, filepath.Base(f.path))) // it lies below
		f.name = filepath.ToSlash(name)
		groups[at.root] = append(groups[at.root], f)
	}
	for _, root := range slices.Sorted(maps.Keys(groups)) {
		r.readRepository(ctx, root, groups[root])
	}
}

// readRepository dates the files of the work tree at root.
func (r *reader) readRepository(ctx context.Context, root string, list []file) {
	if r.over {
		r.setUnread(list)
		return
	}
	r.roots = append(r.roots, root)
	s, err := r.options.git(root).readDates(ctx, list, &r.options)
	if err != nil {
		r.setUnread(list)
		if ctx.Err() == nil || context.Cause(ctx) == errTimeout { // else the caller knows
			r.reportFailure(root, err)
		}
		return
	}
	maps.Copy(r.imports, s.imports)
	for i, f := range list {
		r.results[f.given] = s.files[i].Result
		r.built = r.built || s.files[i].isBuilt && s.files[i].isTracked
	}
	if n := s.countBeyond(); n > 0 {
		r.diags.Warnf(r.pos(root), "git-shallow", cmp.Or(r.options.Deepen, "run `git fetch --unshallow` before the build"),
			"the clone is shallow: %d of %d files have no git date, because they last changed at or beyond its boundary", n, len(list))
	}
	if s.deploy != "" {
		r.diags.Notef(r.pos(root), "git-deploys",
			"run sitewalk where the content files are, let a ledger date by content, or print dates in front matter or HTML",
			"git dates none of the built pages, because %s: their commits are deploys", s.deploy)
	}
}

func (r *reader) setUnread(list []file) {
	for _, f := range list {
		r.results[f.given] = Result{Why: unread}
	}
}

// places caches the repository of each folder.
type places map[string]place

// A place is a folder without symbolic links in its name, and the top of its work tree or "".
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

// reportFailure reports why the files of the repository at root have no date.
func (r *reader) reportFailure(root string, err error) {
	pos, text := r.pos(root), err.Error()
	start, isMissing := errors.AsType[*startError](err)
	if exit, ok := errors.AsType[*exitError](err); ok {
		text = exit.stderr
	}
	r.over = isMissing || errors.Is(err, errTimeout)
	switch {
	case isMissing && errors.Is(start, exec.ErrDot): // a program of the working folder is never started
		r.diags.Warnf(diag.Pos{}, "git-missing",
			"remove the working folder (\".\" or an empty entry) from PATH, or put it last; or leave git out of lastmod",
			"git could not be started, so it dates no page: %v", err)
	case isMissing:
		r.diags.Warnf(diag.Pos{}, "git-missing", "install git, or leave git out of lastmod",
			"git could not be started, so it dates no page: %v", err)
	case errors.Is(err, errTimeout):
		r.diags.Warnf(pos, "git-timeout", "run `git status` there by hand to see what it waits for, or leave git out of lastmod",
			"%v, so it dates no page of this repository and the next ones", err)
	case strings.Contains(text, "dubious ownership"), strings.Contains(text, "safe.directory"): // see git-config(1)
		r.diags.Warnf(pos, "git-unsafe", fmt.Sprintf("run `git config --global --add safe.directory %s`", shellWord(root)),
			"git refuses the repository because it belongs to another user, so it dates no page")
	case strings.Contains(text, "promisor remote"), strings.Contains(text, "lazy fetch"): // a clone with --filter
		r.diags.Warnf(pos, "git-partial",
			"clone with --filter=blob:none or without a filter, or run `git fetch --refetch --filter=blob:none` before the build",
			"the clone lacks the trees of its history, so git dates no page")
	default:
		r.diags.Warnf(pos, "git-failed", "run `git fsck` there to see what is broken, or clone again",
			"git could not read the repository, so it dates no page: %v", err)
	}
}

// pos names a repository below the project's folder. The project's own repository has no name.
func (r *reader) pos(root string) diag.Pos {
	rel, err := filepath.Rel(r.places.of(r.dir).real, root)
	switch {
	case root == "" || root == r.places.of(r.dir).root:
		return diag.Pos{}
	case err != nil || !filepath.IsLocal(rel):
		return diag.Pos{File: root}
	}
	return diag.Pos{File: filepath.ToSlash(rel)}
}

// shellWord quotes a path for a shell.
func shellWord(path string) string {
	if strings.ContainsAny(path, " \t\n'\"\\$`&;|<>()*?[]#~!") {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}
