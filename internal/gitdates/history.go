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
func (g git) dates(ctx context.Context, files []file, committer bool) (*search, error) {
	if err := irregular(g.dir); err != nil {
		return nil, err
	}
	at, err := g.layout(ctx)
	if err != nil {
		return nil, err
	}
	w := newSearch(at.prefix, files)
	if err := g.stream(ctx, w.readIndex, "ls-files", "-z", "--stage", "--debug", "--full-name"); err != nil {
		return nil, err
	}
	w.dropUntracked()
	if w.open == 0 {
		return w, nil
	}
	if err := g.compare(ctx, w, files, at.index); err != nil {
		return w, err
	}
	// Only exact renames are looked for: they need no file's content, which a
	// clone without blobs does not have, and no comparing.
	err = g.stream(ctx, w.readStaged, "diff-index", "--cached", "-z", "--name-status", "--find-renames=100%",
		"--no-rename-empty", "-O/dev/null", "--ignore-submodules=all", "--no-ext-diff", "--no-textconv", "HEAD", "--")
	if err != nil && g.unborn(ctx) {
		w.answerUncommitted()
		return w, nil
	}
	if err != nil || w.open == 0 {
		return w, err
	}
	err = g.stream(ctx, func(r io.Reader) error { return w.readLog(r, at.boundary, committer) },
		"log", "-z", "--no-merges", "--format=tformat:"+commitFormat, "--date=raw",
		"--name-status", "--find-renames=100%", "--no-rename-empty", "-O/dev/null", "--ignore-submodules=all",
		"--encoding=UTF-8", "--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-notes", "--no-decorate", "HEAD", "--")
	return w, err
}

// unborn reports whether HEAD leads to a branch that has no commit yet.
func (g git) unborn(ctx context.Context) bool {
	err := g.stream(ctx, func(r io.Reader) error {
		_, err := io.Copy(io.Discard, r)
		return err
	}, "log", "-1", "--format=", "--no-decorate", "--no-show-signature", "--no-notes", "--")
	exit, ok := errors.AsType[*exitError](err)
	return ok && strings.Contains(exit.stderr, "does not have any commits yet")
}

// search are the files of one repository that have no answer yet, by the name
// that they had at the point of the history that is being read.
type search struct {
	files []target           // in the order given
	open  int                // how many have no answer
	first map[string]*target // of a name
	odd   []event            // the commits without a readable date that an answer would need
}

// A target is one file of a search.
type target struct {
	Result
	link    bool // it is a symbolic link
	tracked bool
	edited  bool
	entry   entry   // of a file that is tracked
	next    *target // of the same name
}

func newSearch(prefix string, files []file) *search {
	w := &search{files: make([]target, len(files)), open: len(files), first: make(map[string]*target, len(files))}
	for i, f := range files {
		name := prefix + f.name
		w.files[i].next = w.first[name]
		w.first[name] = &w.files[i]
	}
	return w
}

// answer gives the files of that name their result, and wants them no more.
func (w *search) answer(name []byte, r Result) {
	for t := w.first[string(name)]; t != nil; t = t.next {
		if t.Result = r; t.edited {
			t.Result = Result{Why: edited, After: later(r.Date, r.After)}
		}
		w.open--
	}
	delete(w.first, string(name))
}

func later(a, b sitemap.Date) sitemap.Date {
	if a.Compare(b) < 0 {
		return b
	}
	return a
}

// edit marks the files of that name as edited.
func (w *search) edit(name []byte) {
	for t := w.first[string(name)]; t != nil; t = t.next {
		t.edited = true
	}
}

// rename goes on under the older name of the files that are wanted as name.
func (w *search) rename(name, from []byte) {
	list := w.first[string(name)]
	if list == nil {
		return
	}
	delete(w.first, string(name))
	end := list
	for end.next != nil {
		end = end.next
	}
	end.next = w.first[string(from)]
	w.first[string(from)] = list
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
	var wanted *target
	open := false // the lines of a file are still to come
	for token, err := range tokens(io.MultiReader(r, bytes.NewReader([]byte{0}))) {
		if err != nil {
			return err
		}
		for bytes.HasPrefix(token, []byte("  ")) {
			line, rest, _ := bytes.Cut(token, []byte{'\n'})
			for t := wanted; t != nil; t = t.next {
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
		wanted = w.first[string(name)]
		for t := wanted; t != nil; t = t.next {
			t.tracked, t.link = true, string(fields[0]) == "120000"
			t.entry.object = string(fields[1])
			t.edited = t.edited || string(fields[2]) != "0" // a merge that is not finished
		}
	}
	if open {
		return errGarbage
	}
	return nil
}

// dropUntracked answers for the files that git does not track, and for links,
// which are not what a reader sees.
func (w *search) dropUntracked() {
	for name, t := range w.first {
		switch {
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
	for name := range w.first {
		w.edit([]byte(name))
		w.answer([]byte(name), Result{})
	}
}

// readLog reads `git log -z --name-status`, the newest commit first, and stops
// with errEnough as soon as nothing is wanted. At the boundary of a shallow clone
// dates get lost as commits are added, unless no commit ever has one there.
func (w *search) readLog(r io.Reader, boundary map[string]bool, committer bool) error {
	var answer Result
	var odd event      // the commit that is read, while it is not in w.odd and has to
	shallowest := true // no commit has a date: the clone holds the last one alone
	l := logReader{tokens: tokenScanner(r)}
	for w.open > 0 {
		e, err := l.read()
		switch {
		case err == io.EOF:
			w.finish()
			return nil
		case err != nil:
			return err
		case e.commit != nil:
			date, readable := e.date(committer)
			odd = event{}
			switch {
			case boundary[string(e.commit)]:
				if answer = (Result{Why: beyond}); !shallowest {
					answer.After = date
				}
				continue
			case date.IsZero():
				answer = Result{Why: impossible}
			default:
				answer, shallowest = Result{Date: date}, false
			}
			if !readable {
				odd = e
			}
		case e.pure:
			w.rename(e.name, e.from)
		case e.status != 'D': // a file that is there was not deleted by what led to it
			if odd.commit != nil && w.first[string(e.name)] != nil {
				w.odd, odd = append(w.odd, odd), event{}
			}
			answer.New = e.status == 'A' && answer.Why == ""
			w.answer(e.name, answer)
		}
	}
	return errEnough
}

// finish answers for what the whole history does not mention.
func (w *search) finish() {
	for name := range w.first {
		w.answer([]byte(name), Result{Why: mergedOnly})
	}
}
