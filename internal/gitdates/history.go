package gitdates

import (
	"bytes"
	"context"
	"io"
	"time"

	"github.com/sitewalk/sitewalk/sitemap"
)

// dates asks git for the dates of files: which are tracked, which are edited,
// and when the rest last changed.
func (g git) dates(ctx context.Context, files []file, committer bool) (*search, error) {
	at, err := g.layout(ctx)
	if err != nil {
		return nil, err
	}
	w := newSearch(at.prefix, files)
	if err := g.stream(ctx, w.readIndex, "ls-files", "-z", "--stage", "--full-name"); err != nil {
		return nil, err
	}
	w.dropUntracked()
	if w.open == 0 {
		return w, nil
	}
	err = g.stream(ctx, w.readStatus, "status", "--porcelain", "-z", "--find-renames=100%",
		"--untracked-files=no", "--ignore-submodules=all")
	if err != nil || w.open == 0 {
		return w, err
	}
	when := "%ad"
	if committer {
		when = "%cd"
	}
	// Only exact renames are looked for: they need no file's content, which a
	// clone without blobs does not have, and no comparing.
	err = g.stream(ctx, func(r io.Reader) error { return w.readLog(r, at.boundary) },
		"log", "-z", "--no-merges", "--format=tformat:"+commitMark+"%H "+when, "--date=raw",
		"--name-status", "--find-renames=100%", "--no-rename-empty", "-O/dev/null",
		"--encoding=UTF-8", "--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-notes", "HEAD", "--")
	return w, err
}

// search are the files of one repository that have no answer yet, by the name
// that they had at the point of the history that is being read.
type search struct {
	files []target           // in the order given
	open  int                // how many have no answer
	first map[string]*target // of a name
}

// A target is one file of a search.
type target struct {
	Result
	link    bool // it is a symbolic link
	tracked bool
	edited  bool
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

// readIndex reads `git ls-files -z --stage`: "mode object stage\tname".
func (w *search) readIndex(r io.Reader) error {
	for token, err := range tokens(r) {
		if err != nil {
			return err
		}
		info, name, ok := bytes.Cut(token, []byte{'\t'})
		if !ok || bytes.Count(info, []byte{' '}) != 2 {
			return errGarbage
		}
		for t := w.first[string(name)]; t != nil; t = t.next {
			t.tracked, t.link = true, bytes.HasPrefix(info, []byte("120000 "))
		}
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

// readStatus reads `git status --porcelain -z`: "XY name", and after a rename
// the older name, under which the history goes on.
func (w *search) readStatus(r io.Reader) error {
	var renamed []byte
	for token, err := range tokens(r) {
		switch {
		case err != nil:
			return err
		case renamed != nil:
			w.rename(renamed, token)
			renamed = nil
			continue
		case len(token) < 4 || token[2] != ' ':
			return errGarbage
		}
		name := token[3:]
		if token[0] != 'R' || token[1] != ' ' {
			w.edit(name)
		}
		switch state := token[:2]; {
		case bytes.ContainsAny(state, "A"): // no commit has it
			w.answer(name, Result{})
		case bytes.ContainsAny(state, "RC"):
			renamed = bytes.Clone(name)
		}
	}
	return nil
}

// readLog reads `git log -z --name-status`, the newest commit first, and stops
// with errEnough as soon as nothing is wanted. At the boundary of a shallow clone
// dates get lost as commits are added, unless no commit ever has one there.
func (w *search) readLog(r io.Reader, boundary map[string]bool) error {
	var answer Result
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
		case e.commit != nil && boundary[string(e.commit)]:
			if answer = (Result{Why: beyond}); !shallowest {
				answer.After = dateOf(e.when).Date
			}
		case e.commit != nil:
			answer, shallowest = dateOf(e.when), false
		case e.pure:
			w.rename(e.name, e.from)
		case e.status != 'D': // a file that is there was not deleted by what led to it
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

func dateOf(when time.Time) Result {
	if y := when.Year(); y < 1 || y > 9999 {
		return Result{Why: impossible}
	}
	return Result{Date: sitemap.DateOf(when, sitemap.Second)}
}
