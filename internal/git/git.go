// Package git finds the date of the last change of files in the history of their git repositories.
// It reads the history once for all files of a repository.
//
// A file has no date if, for example, it was edited since its last commit, it is untracked, or its
// last change is not in a shallow clone. The package does not use the network and does not write to
// repositories. It runs only git, and no program that a repository configures.
package git

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/sitemap"
)

// Options configure how dates are read. The zero Options read author dates.
type Options struct {
	Dir        string        // folder to which file names are relative; "" means the working directory
	Committer  bool          // use committer dates instead of author dates
	Git        string        // git program; "" means "git"
	Limit      time.Duration // time limit for all repositories together; 0 means two minutes
	DeepenHint string        // advice on fetching the whole history, for findings; "" means the git command for it

	// IsBuilt reports whether a file is a built page, which a generator may have written, and not a
	// source file. nil means that all files are source files.
	IsBuilt          func(file string) bool
	HasGeneratorMark bool // a generator wrote the built pages, so no built page gets a date

	// Folders are the folders of the site's files, an inner folder before the folders that contain
	// it. In these folders, all files with the extension of a file in the query count as files of
	// the site, even if they have been deleted. nil means the whole repository.
	Folders []string

	imports map[string]bool // known commits that added most of the files; nil means that the search has to find them
}

// withTimeLimit returns a context that ends after the time limit o.Limit.
func (o *Options) withTimeLimit(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, cmp.Or(o.Limit, 2*time.Minute), errTimeout)
}

func (o *Options) newGit(dir string) git { return git{program: cmp.Or(o.Git, "git"), dir: dir} }

// A Result is the date of one file according to git, or the reason why it has none.
type Result struct {
	Date   sitemap.Date // precise to the second, in the time zone of the commit; zero if there is no date
	Commit string       // abbreviated object name of the commit with that date
	Why    string       // reason why there is no date: "not tracked by git"; "" if there is one
	New    bool         // the commit added the file, so the file has no older date

	// After is set only for a file without a date: an edited file, or a file whose last change is
	// at or beyond the boundary of a shallow clone of several commits. It is the date of the last
	// known commit that may have changed the file. A date from another source may be wrong unless
	// it is later than After.
	After sitemap.Date
}

// Imported is the reason why a file has no date if its last change is an import. An import is a
// commit that added most of the files.
const Imported = "added by the commit that added most of the files"

// Values of Result.Why.
const (
	outside    = "outside any git repository"
	untracked  = "not tracked by git"
	edited     = "edited since the last commit"
	beyond     = "last changed at or beyond the boundary of the shallow clone"
	mergedOnly = "changed by merges only"
	impossible = "its commit has no readable date"
	deployed   = "its commits are deploys, not edits"
	brokenLink = "a broken symbolic link"
	unread     = "git could not be read"
)

// Dates contain the dates of files according to git. Do not change them.
type Dates struct {
	Results      map[string]Result // by the name of the file as given to Query
	Trouble      diag.List         // findings with the reasons why files have no date
	Repositories []string          // root folders of the work trees that were read, sorted

	hasBuilt bool            // at least one tracked file is a built page
	imports  map[string]bool // object names of commits that added most of the files
}

// Query returns the dates of files, with the options o. It usually runs git only for the files
// without a result in d. It runs git for all files in these cases:
//
//   - At least minBulk files have no result in d.
//   - The number of files has changed, and results may depend on the other files.
//   - git reports a problem.
func (d *Dates) Query(ctx context.Context, files []string, o Options) *Dates {
	fresh := slices.DeleteFunc(slices.Clone(files), func(file string) bool { _, ok := d.Results[file]; return ok })
	if d.dependsOnAllFiles() && len(files) != len(d.Results) || len(fresh) >= minBulk {
		d, fresh = d.WithoutResults(), files
	}
	if len(fresh) == 0 {
		return d
	}
	if d.Results != nil {
		o.imports = d.imports
	}
	r := findDates(ctx, fresh, o)
	if d.Results != nil && len(r.diags)+len(d.Trouble) > 0 {
		return d.WithoutResults().Query(ctx, files, o)
	}
	maps.Copy(r.results, d.Results)
	return &Dates{
		Results: r.results, Trouble: r.diags.Sorted(), hasBuilt: r.hasBuilt || d.hasBuilt, imports: r.imports,
		Repositories: slices.Compact(slices.Sorted(slices.Values(append(r.roots, d.Repositories...)))),
	}
}

// dependsOnAllFiles reports whether the result of one file may change if other files are added or
// removed.
func (d *Dates) dependsOnAllFiles() bool { return len(d.Trouble) > 0 || d.hasBuilt }

// WithoutResults returns Dates with the Repositories of d and without results, so that the next
// Query runs git for all files.
func (d *Dates) WithoutResults() *Dates { return &Dates{Repositories: d.Repositories} }

// WithoutFiles returns d without the results of files. Call it after these files have changed. If
// results may depend on the set of all files, it returns d without any results. It does not change
// d itself.
func (d *Dates) WithoutFiles(files []string) *Dates {
	stale := slices.DeleteFunc(slices.Clone(files), func(file string) bool { _, ok := d.Results[file]; return !ok })
	switch {
	case len(stale) == 0:
		return d
	case d.dependsOnAllFiles():
		return d.WithoutResults()
	}
	rest := *d
	rest.Results = maps.Clone(d.Results)
	for _, file := range stale {
		delete(rest.Results, file)
	}
	return &rest
}

// findDates finds the dates of the files called names. A name is a path of the operating system,
// absolute or relative to o.Dir. A merge, or a rename without edits, does not count as a change.
//
// If a repository cannot be read, its files have no date, and one finding gives the reason. If ctx
// ends, the remaining files have no date. The results and findings are in the returned reader.
func findDates(ctx context.Context, names []string, o Options) *reader {
	ctx, cancel := o.withTimeLimit(ctx)
	defer cancel()
	r := &reader{options: o, results: make(map[string]Result, len(names)), folders: folders{}, imports: map[string]bool{}}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		r.reportFailure("", err)
		dir = o.Dir
	}
	r.dir = dir
	groups := make(map[string][]file) // by the root of the work tree
	for _, name := range names {
		f := file{givenName: name, path: files.Abs(dir, name)}
		at := r.folders.findFolder(filepath.Dir(f.path))
		if at.root != "" && isSymbolicLink(f.path) { // the content of a symbolic link is its target
			if f.path, err = filepath.EvalSymlinks(f.path); err != nil {
				r.results[name] = Result{Why: brokenLink}
				continue
			}
			at = r.folders.findFolder(filepath.Dir(f.path))
		}
		if at.root == "" {
			r.results[name] = Result{Why: outside}
			continue
		}
		rel, _ := filepath.Rel(at.root, filepath.Join(at.real, filepath.Base(f.path))) // cannot fail, because root is a parent folder
		f.name = filepath.ToSlash(rel)
		groups[at.root] = append(groups[at.root], f)
	}
	for _, root := range slices.Sorted(maps.Keys(groups)) {
		r.findDatesInRepository(ctx, root, groups[root])
	}
	return r
}

func isSymbolicLink(file string) bool {
	info, err := os.Lstat(file)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

// A reader collects the results and findings of all repositories.
type reader struct {
	options  Options
	dir      string // absolute path of Options.Dir
	folders  folders
	results  map[string]Result
	diags    diag.List
	roots    []string        // root folders of the work trees that were read
	imports  map[string]bool // commits that added most of the files
	hasBuilt bool            // at least one tracked file is a built page
	isOver   bool            // git cannot be started, or the time limit is over
}

// A file is a file of the query, with the paths that are needed to find its date.
type file struct {
	givenName string // name as the caller wrote it
	path      string // absolute path
	name      string // path relative to the root of its work tree, with slashes
}

// findDatesInRepository stores the results of the files in list, which are in the work tree root,
// in r.results.
func (r *reader) findDatesInRepository(ctx context.Context, root string, list []file) {
	if r.isOver {
		r.setUnread(list)
		return
	}
	r.roots = append(r.roots, root)
	o := r.options
	o.Folders = r.siteFoldersIn(root)
	s, err := o.newGit(root).readDates(ctx, list, &o)
	if err != nil {
		r.setUnread(list)
		if ctx.Err() == nil || context.Cause(ctx) == errTimeout { // otherwise the caller cancelled ctx
			r.reportFailure(root, err)
		}
		return
	}
	maps.Copy(r.imports, s.imports)
	for i, f := range list {
		r.results[f.givenName] = s.files[i].Result
		r.hasBuilt = r.hasBuilt || s.files[i].isBuilt && s.files[i].isTracked
	}
	if n := s.countBeyondBoundary(); n > 0 {
		r.diags.Warnf(r.findingPosition(root), "git-shallow", cmp.Or(r.options.DeepenHint, "run `git fetch --unshallow` before the build"),
			"the clone is shallow: %d of %d files have no git date, because they last changed at or beyond its boundary", n, len(list))
	}
	if s.deployReason != "" {
		r.diags.Notef(r.findingPosition(root), "git-deploys",
			"run sitewalk where the content files are, let a ledger date by content, or print dates in front matter or HTML",
			"git dates none of the built pages, because %s: their commits are deploys", s.deployReason)
	}
}

// siteFoldersIn returns the folders in Options.Folders that are in the work tree root, such as
// "docs/content". The paths are relative to root and have slashes. A folder that contains root
// gives ".". If Options.Folders is nil, the result is only ".".
func (r *reader) siteFoldersIn(root string) (all []string) {
	if r.options.Folders == nil {
		return []string{"."}
	}
	for _, name := range r.options.Folders {
		dir := r.folders.findFolder(files.Abs(r.dir, name)).real
		if rel, ok := files.RelBelow(root, dir); ok {
			all = append(all, filepath.ToSlash(rel))
		} else if files.Contains(dir, root) {
			all = append(all, ".")
		}
	}
	return all
}

func (r *reader) setUnread(list []file) {
	for _, f := range list {
		r.results[f.givenName] = Result{Why: unread}
	}
}

// folders is a cache with the repository of each folder, by the path of the folder.
type folders map[string]folder

// A folder contains the path of a folder with symbolic links resolved, and the root of the work
// tree that contains the folder. root is "" outside of a work tree.
type folder struct{ real, root string }

// findFolder returns the folder with the absolute path dir. It stores the result in the cache.
func (f folders) findFolder(dir string) folder {
	at, ok := f[dir]
	if ok {
		return at
	}
	at = folder{real: dir}
	if parent := filepath.Dir(dir); parent != dir {
		up := f.findFolder(parent)
		at = folder{real: filepath.Join(up.real, filepath.Base(dir)), root: up.root}
	}
	if info, err := os.Lstat(at.real); err == nil && !info.IsDir() {
		real, err := filepath.EvalSymlinks(at.real)
		if at = (folder{real: real}); err == nil {
			at.root = FindWorkTree(real)
		}
	} else if IsWorkTree(at.real) {
		at.root = at.real
	}
	f[dir] = at
	return at
}

// reportFailure adds a finding with the reason why the files in the work tree root have no date. If
// git cannot be started, or the time limit is over, it sets r.isOver.
func (r *reader) reportFailure(root string, err error) {
	pos, text := r.findingPosition(root), err.Error()
	_, isMissing := errors.AsType[*startError](err)
	if exit, ok := errors.AsType[*exitError](err); ok {
		text = exit.stderr
	}
	r.isOver = isMissing || errors.Is(err, errTimeout)
	switch {
	case isMissing:
		r.diags.Warnf(diag.Pos{}, "git-missing", "install git, or leave git out of lastmod",
			"git could not be started, so it dates no page: %v", err)
	case errors.Is(err, errTimeout):
		r.diags.Warnf(pos, "git-timeout", "run `git status` there by hand to see what it waits for, or leave git out of lastmod",
			"%v, so it dates no page of this repository and the next ones", err)
	case strings.Contains(text, "dubious ownership"), strings.Contains(text, "safe.directory"): // see git-config(1)
		r.diags.Warnf(pos, "git-unsafe", fmt.Sprintf("run `git config --global --add safe.directory %s`", quoteForShell(root)),
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

// findingPosition returns the position for findings about the repository root: the path of root, or
// the zero Pos for the repository of the project.
func (r *reader) findingPosition(root string) diag.Pos {
	rel, err := filepath.Rel(r.folders.findFolder(r.dir).real, root)
	switch {
	case root == "" || root == r.folders.findFolder(r.dir).root:
		return diag.Pos{}
	case err != nil || !filepath.IsLocal(rel):
		return diag.Pos{File: root}
	}
	return diag.Pos{File: filepath.ToSlash(rel)}
}

// quoteForShell returns path quoted for a shell if it contains special characters, and otherwise
// unchanged.
func quoteForShell(path string) string {
	if strings.ContainsAny(path, " \t\n'\"\\$`&;|<>()*?[]#~!") {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}
