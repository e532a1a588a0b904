package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/sitewalk/sitewalk/sitemap"
)

// dates asks git for the dates of files: which are tracked, which are edited,
// and when the rest last changed.
func (g git) dates(ctx context.Context, files []file, o *Options) (*search, error) {
	if err := irregular(g.dir); err != nil {
		return nil, err
	}
	boundary, err := readBoundary(g.dir)
	if err != nil {
		return nil, err
	}
	w := newSearch(files, o)
	// Names are relative to where git runs, which core.worktree may put below the top.
	err = g.stream(ctx, w.readTree, "ls-tree", "-r", "-z", "HEAD")
	if err != nil && !g.unborn(ctx) {
		return nil, err
	}
	w.dropUntracked(o.Generated)
	if w.open == 0 {
		return w, nil
	}
	if err := g.markEdited(ctx, w, files); err != nil {
		return w, err
	}
	// Only exact renames are looked for: they need no file's content, which a clone without
	// blobs does not have, and no comparing.
	return w, g.stream(ctx, func(r io.Reader) error { return w.readLog(r, boundary, o.Committer) },
		"log", "-z", "--no-merges", "--format=tformat:"+commitFormat, "--date=raw",
		"--relative", "--name-status", "--find-renames=100%", "--no-rename-empty", "-O/dev/null", "--ignore-submodules=all",
		"--encoding=UTF-8", "--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-notes", "--no-decorate", "HEAD", "--")
}

// unborn reports whether HEAD leads to a branch that has no commit yet.
func (g git) unborn(ctx context.Context) bool {
	_, err := g.output(ctx, "log", "-1", "--format=", "--no-decorate", "--no-show-signature", "--no-notes", "--")
	exit, ok := errors.AsType[*exitError](err)
	return ok && strings.Contains(exit.stderr, "does not have any commits yet")
}

// search holds the files of one repository, by the name that they had at the point of the
// history that is being read.
type search struct {
	files  []target             // in the order given
	open   int                  // the number of files without an answer
	wanted map[string][]*target // all that the history may mention still, by name
	odd    []event              // the commits without a readable date that an answer would need

	commit  commit   // that is being read
	changes []change // by that commit

	numSources, numBuilt int             // tracked files
	imports              map[string]bool // commits that added most of the files
	findsImports         bool            // false: imports are all known
	deploy               string          // the built files have no date for this reason; "" if they may
}

// A commit is what it says of the files that it changed.
type commit struct {
	Result
	name string
	odd  event // the commit itself, while it is not in search.odd and has to
}

// A change is one change of a wanted file.
type change struct {
	name  string
	added bool
}

// A target is one file of a search.
type target struct {
	Result
	answered bool
	link     bool // it is a symbolic link
	tracked  bool
	edited   bool
	built    bool   // by a generator, or by hand
	object   string // the name of its content in the last commit, if it is tracked
}

func newSearch(files []file, o *Options) *search {
	w := &search{
		files: make([]target, len(files)), open: len(files), wanted: make(map[string][]*target, len(files)),
		imports: maps.Clone(o.imports), findsImports: o.imports == nil,
	}
	if w.findsImports {
		w.imports = map[string]bool{}
	}
	for i, f := range files {
		w.files[i].built = o.Built != nil && o.Built(f.given)
		w.wanted[f.name] = append(w.wanted[f.name], &w.files[i])
	}
	return w
}

// answer gives the files of that name their result.
func (w *search) answer(name string, r Result) {
	for _, t := range w.wanted[name] {
		if t.answered {
			continue
		}
		t.Result = r
		switch {
		case t.edited:
			t.Result = Result{Why: edited, After: later(r.Date, r.After)}
		case r.Why != "":
			t.Date, t.Commit = sitemap.Date{}, ""
		}
		t.answered = true
		w.open--
	}
}

func later(a, b sitemap.Date) sitemap.Date {
	if a.Compare(b) < 0 {
		return b
	}
	return a
}

// followRename goes on under the older name of the files that are wanted as name.
func (w *search) followRename(name, from []byte) {
	if list := w.wanted[string(name)]; list != nil {
		delete(w.wanted, string(name))
		w.wanted[string(from)] = append(list, w.wanted[string(from)]...)
	}
}

// beyond returns how many files lie beyond the boundary of a shallow clone.
func (w *search) beyond() (n int) {
	for i := range w.files {
		if w.files[i].Why == beyond {
			n++
		}
	}
	return n
}

// readTree reads the output of `git ls-tree -r -z`: "mode type object\tname" of each file of
// the last commit.
func (w *search) readTree(r io.Reader) error {
	s := tokenScanner(r)
	for s.Scan() {
		info, name, ok := bytes.Cut(s.Bytes(), []byte{'\t'})
		fields := bytes.Split(info, []byte{' '})
		if !ok || len(fields) != 3 {
			return errGarbage
		}
		for _, t := range w.wanted[string(name)] {
			t.tracked, t.link = true, string(fields[0]) == "120000"
			t.object = string(fields[2])
		}
	}
	return s.Err()
}

// dropUntracked answers for the files that git does not track, for links, which are not what
// a reader sees, and for built files that carry a generator's mark. It counts the others.
func (w *search) dropUntracked(generated bool) {
	for name, list := range w.wanted {
		t := list[0]
		switch {
		case !t.tracked:
			w.answer(name, Result{Why: untracked})
		case t.link:
			w.answer(name, Result{Why: "a symbolic link"})
		case t.built:
			w.numBuilt++
			continue
		default:
			w.numSources++
			continue
		}
		delete(w.wanted, name)
	}
	if generated {
		w.dropBuilt("they carry a generator's mark")
	}
}

// dropBuilt answers for all built files, which have no date.
func (w *search) dropBuilt(why string) {
	if w.numBuilt == 0 {
		return
	}
	w.deploy, w.numBuilt = why, 0
	for i := range w.files {
		t := &w.files[i]
		if !t.built || !t.tracked || t.link {
			continue
		}
		if !t.answered {
			w.open--
		}
		t.Result, t.answered = Result{Why: deployed}, true
	}
	maps.DeleteFunc(w.wanted, func(_ string, list []*target) bool { return list[0].built })
}

// readLog reads `git log -z --name-status`, the newest commit first. It stops with errEnough
// as soon as no answer is missing, but reads all of the history of built files. At the
// boundary of a shallow clone dates get lost as commits are added, unless no commit ever has
// one there.
func (w *search) readLog(r io.Reader, boundary map[string]bool, committer bool) error {
	shallowest := true // no commit has a date: the clone holds the last one alone
	l := logReader{tokens: tokenScanner(r)}
	for w.open > 0 || w.numBuilt > 0 {
		e, err := l.read()
		if err != nil || e.commit != nil {
			w.endCommit()
		}
		switch {
		case err == io.EOF:
			for name := range w.wanted {
				w.answer(name, Result{Why: mergedOnly})
			}
			return nil
		case err != nil:
			return err
		case e.commit != nil:
			date, readable := e.date(committer)
			w.commit = commit{name: string(e.commit)}
			switch {
			case boundary[string(e.commit)]:
				if w.commit.Why = beyond; !shallowest {
					w.commit.After = date
				}
				continue
			case date.IsZero():
				w.commit.Why = impossible
			default:
				w.commit.Date, shallowest = date, false
				w.commit.Commit = w.commit.name[:shortName]
			}
			if !readable {
				w.commit.odd = e
			}
		case e.pure:
			w.followRename(e.name, e.from)
		case e.status != 'D' && w.wanted[string(e.name)] != nil: // a file that is there was not deleted by what led to it
			w.changes = append(w.changes, change{string(e.name), e.status == 'A'})
		}
	}
	return errEnough
}

// minBulk is the minimum number of files in a commit that changed most of them.
const minBulk = 5

// isBulk reports whether n files are most of all.
func isBulk(n, all int) bool { return n >= minBulk && 2*n > all }

// endCommit answers for the files that the commit changed. If it changed most of the built
// files, none of them has a date. If it added most of the files, it dates none of them.
func (w *search) endCommit() {
	defer func() { w.changes = w.changes[:0] }()
	sources, built, rebuilt := 0, 0, 0
	for _, c := range w.changes {
		switch isBuilt := w.wanted[c.name][0].built; {
		case isBuilt && c.added:
			built++
		case isBuilt:
			rebuilt++
		case c.added:
			sources++
		}
	}
	whole := w.commit.Why != beyond
	if whole && isBulk(rebuilt, w.numBuilt) {
		w.dropBuilt(fmt.Sprintf("commit %s changed %d of %d", w.commit.name[:shortName], rebuilt, w.numBuilt))
	}
	if whole && w.findsImports && (isBulk(sources, w.numSources) || isBulk(built, w.numBuilt)) {
		w.imports[w.commit.name] = true
	}
	for _, c := range w.changes {
		if list := w.wanted[c.name]; list == nil {
			continue // of a built file that was answered above
		}
		if c.added && w.imports[w.commit.name] {
			w.answer(c.name, Result{Why: Imported, Date: w.commit.Date})
		} else {
			w.change(c)
		}
		if c.added { // what had the name before was another file
			delete(w.wanted, c.name)
		}
	}
}

// change answers with the commit that is read.
func (w *search) change(c change) {
	if w.commit.odd.commit != nil && !w.wanted[c.name][0].answered {
		w.odd, w.commit.odd = append(w.odd, w.commit.odd), event{}
	}
	answer := w.commit.Result
	answer.New = c.added && answer.Why == ""
	w.answer(c.name, answer)
}
