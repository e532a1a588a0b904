package gitdates

import (
	"bytes"
	"context"
	"errors"
	"io"
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
	w := newSearch(files)
	if err := g.stream(ctx, w.readIndex, "ls-files", "-z", "--stage", "--debug"); err != nil {
		return nil, err
	}
	w.dropUntracked()
	w.findBuilt(files, o.Deployed)
	if w.open == 0 {
		return w, nil
	}
	if err := g.compare(ctx, w, files); err != nil {
		return w, err
	}
	// Names are relative to where git runs, which core.worktree may put below the top. Only
	// exact renames are looked for: they need no file's content, which a clone without
	// blobs does not have, and no comparing.
	err = g.stream(ctx, w.readStaged, "diff-index", "--cached", "-z", "--relative", "--name-status", "--find-renames=100%",
		"--no-rename-empty", "-O/dev/null", "--ignore-submodules=all", "--no-ext-diff", "--no-textconv", "HEAD", "--")
	if err != nil && g.unborn(ctx) {
		w.answerUncommitted()
		return w, nil
	}
	if err != nil || w.open == 0 {
		return w, err
	}
	return w, g.withTexts(ctx, w, o.Text, func() error {
		return g.stream(ctx, func(r io.Reader) error { return w.readLog(r, boundary, o.Committer) },
			"log", "-z", "--no-merges", "--format=tformat:"+commitFormat, "--date=raw",
			"--relative", "--name-status", "--find-renames=100%", "--no-rename-empty", "-O/dev/null", "--ignore-submodules=all",
			"--encoding=UTF-8", "--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-notes", "--no-decorate", "HEAD", "--")
	})
}

// unborn reports whether HEAD leads to a branch that has no commit yet.
func (g git) unborn(ctx context.Context) bool {
	_, err := g.output(ctx, "log", "-1", "--format=", "--no-decorate", "--no-show-signature", "--no-notes", "--")
	exit, ok := errors.AsType[*exitError](err)
	return ok && strings.Contains(exit.stderr, "does not have any commits yet")
}

// search are the files of one repository that have no answer yet, by the name
// that they had at the point of the history that is being read.
type search struct {
	files  []target             // in the order given
	open   int                  // how many have no answer
	wanted map[string][]*target // those, by name
	odd    []event              // the commits without a readable date that an answer would need

	deploys deploys
	texts   *texts // nil when none can be compared
	commit  commit // that is being read
}

// A commit is what it says of the files that it changed.
type commit struct {
	Result
	name []byte // its object's
	odd  event  // the commit itself, while it is not in search.odd and has to
}

// A target is one file of a search.
type target struct {
	Result
	link     bool // it is a symbolic link
	tracked  bool
	edited   bool
	deployed bool   // a deploy changed it
	text     string // of its built page at HEAD, once it was asked for
	entry    entry  // of a file that is tracked
}

func newSearch(files []file) *search {
	w := &search{files: make([]target, len(files)), open: len(files), wanted: make(map[string][]*target, len(files))}
	for i, f := range files {
		w.wanted[f.name] = append(w.wanted[f.name], &w.files[i])
	}
	return w
}

// answer gives the files of that name their result, and wants them no more.
func (w *search) answer(name []byte, r Result) {
	for _, t := range w.wanted[string(name)] {
		own := r
		if own.Deploy = t.Deploy; t.edited {
			own = Result{Why: edited, After: later(r.Date, r.After)}
		}
		t.Result = own
		w.open--
	}
	delete(w.wanted, string(name))
}

func later(a, b sitemap.Date) sitemap.Date {
	if a.Compare(b) < 0 {
		return b
	}
	return a
}

// edit marks the files of that name as edited.
func (w *search) edit(name []byte) {
	for _, t := range w.wanted[string(name)] {
		t.edited = true
	}
}

// rename goes on under the older name of the files that are wanted as name.
func (w *search) rename(name, from []byte) {
	w.deploys.rename(string(name), string(from))
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

// readIndex reads `git ls-files -z --stage --debug`: of each file "mode object
// stage\tname", a NUL, and lines that begin with two spaces.
func (w *search) readIndex(r io.Reader) error {
	var wanted []*target
	open := false // the lines of a file are still to come
	s := tokenScanner(io.MultiReader(r, bytes.NewReader([]byte{0})))
	for s.Scan() {
		token := s.Bytes()
		for bytes.HasPrefix(token, []byte("  ")) {
			line, rest, _ := bytes.Cut(token, []byte{'\n'})
			for _, t := range wanted {
				t.entry.read(line)
			}
			token = rest
		}
		if open = len(token) > 0; !open {
			continue
		}
		info, name, ok := bytes.Cut(token, []byte{'\t'})
		fields := bytes.Split(info, []byte{' '})
		if !ok || len(fields) != 3 {
			return errGarbage
		}
		wanted = w.wanted[string(name)]
		for _, t := range wanted {
			t.tracked, t.link = true, string(fields[0]) == "120000"
			t.entry.object = string(fields[1])
			t.edited = t.edited || string(fields[2]) != "0" // a merge that is not finished
		}
	}
	if s.Err() == nil && open {
		return errGarbage
	}
	return s.Err()
}

// dropUntracked answers for the files that git does not track, and for links,
// which are not what a reader sees.
func (w *search) dropUntracked() {
	for name, list := range w.wanted {
		switch t := list[0]; {
		case !t.tracked:
			w.answer([]byte(name), Result{Why: untracked})
		case t.link:
			w.answer([]byte(name), Result{Why: "a symbolic link"})
		}
	}
}

// readStaged reads `git diff-index -z --name-status`: what differs between the
// last commit and the index. Under the older name of a file that was renamed the
// history goes on.
func (w *search) readStaged(r io.Reader) error {
	l := logReader{tokens: tokenScanner(r), started: true}
	for {
		e, err := l.read()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case e.commit != nil:
			return errGarbage
		case e.pure:
			w.rename(e.name, e.from)
		case e.status == 'A': // no commit has it
			w.edit(e.name)
			w.answer(e.name, Result{})
		default:
			w.edit(e.name)
		}
	}
}

// answerUncommitted answers where there is no commit.
func (w *search) answerUncommitted() {
	for name := range w.wanted {
		w.edit([]byte(name))
		w.answer([]byte(name), Result{})
	}
}

// readLog reads `git log -z --name-status`, the newest commit first, and stops
// with errEnough as soon as nothing is wanted. At the boundary of a shallow clone
// dates get lost as commits are added, unless no commit ever has one there.
func (w *search) readLog(r io.Reader, boundary map[string]bool, committer bool) error {
	shallowest := true // no commit has a date: the clone holds the last one alone
	l := logReader{tokens: tokenScanner(r)}
	for w.open > 0 {
		e, err := l.read()
		if err != nil || e.commit != nil {
			w.answerBuilt()
		}
		switch {
		case err == io.EOF:
			w.finish()
			return nil
		case err != nil:
			return err
		case e.commit != nil:
			date, readable := e.date(committer)
			w.commit = commit{name: append(w.commit.name[:0], e.commit...)}
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
			}
			if !readable {
				w.commit.odd = e
			}
		case e.pure:
			w.rename(e.name, e.from)
		case e.status == 'D': // a file that is there was not deleted by what led to it
		case w.commit.Why == beyond || !w.deploys.change(string(e.name), e.status == 'A'):
			w.change(e.name, e.status == 'A')
		}
	}
	return errEnough
}

// change answers with the commit that is read.
func (w *search) change(name []byte, added bool) {
	if w.commit.odd.commit != nil && w.wanted[string(name)] != nil {
		w.odd, w.commit.odd = append(w.odd, w.commit.odd), event{}
	}
	answer := w.commit.Result
	answer.New = added && answer.Why == ""
	w.answer(name, answer)
}

// answerBuilt answers for the built files that the commit changed. If the commit is a deploy, or
// leaves the text of a page as it was, the next older commit is asked, unless a deploy after
// it changed the text.
func (w *search) answerBuilt() {
	w.deploys.endCommit(func(name string, deployed, added bool) {
		switch {
		case w.wanted[name] == nil:
		case deployed:
			w.noteDeploy(name, added)
		case w.deployedText(name):
			w.answer([]byte(name), Result{Why: byDeploy})
		case w.changedText(name, added):
			w.change([]byte(name), added)
		}
	})
}

// noteDeploy notes a deploy that changed a file.
func (w *search) noteDeploy(name string, added bool) {
	for _, t := range w.wanted[name] {
		t.deployed = true
		t.Deploy = later(t.Deploy, w.commit.Date)
	}
	if added { // what had the name before was another file
		w.answer([]byte(name), Result{Why: onlyDeploys})
	}
}

// finish answers for what the whole history does not mention.
func (w *search) finish() {
	for name, list := range w.wanted {
		why := mergedOnly
		if list[0].deployed {
			why = onlyDeploys
		}
		w.answer([]byte(name), Result{Why: why})
	}
}
