package git

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"strings"

	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/sitemap"
)

// readDates finds the dates of files: which are tracked, which are edited, and when the others
// last changed.
func (g git) readDates(ctx context.Context, list []file, o *Options) (*search, error) {
	if err := findIrregular(g.dir); err != nil {
		return nil, err
	}
	boundary, err := readBoundary(g.dir)
	if err != nil {
		return nil, err
	}
	s := newSearch(list, o)
	// Names are relative to where git runs, which core.worktree may put below the top.
	err = g.run(ctx, s.readTree, "ls-tree", "-r", "-z", "HEAD")
	if err != nil && !g.hasNoCommit(ctx) {
		return nil, err
	}
	s.dropUntracked(o.Generated)
	if s.open == 0 {
		return s, nil
	}
	if err := g.markEdited(ctx, s, list); err != nil {
		return nil, err
	}
	// Only exact renames are looked for. They need no content, which a clone without blobs lacks.
	return s, g.run(ctx, func(r io.Reader) error { return s.readLog(r, boundary, o.Committer) },
		"log", "-z", "--no-merges", "--format=tformat:"+commitFormat, "--date=raw",
		"--relative", "--name-status", "--find-renames=100%", "--no-rename-empty", "-O/dev/null", "--ignore-submodules=all",
		"--encoding=UTF-8", "--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-notes", "--no-decorate", "HEAD", "--")
}

// hasNoCommit reports whether HEAD is a branch without a commit.
func (g git) hasNoCommit(ctx context.Context) bool {
	readNothing := func(r io.Reader) error {
		if n, _ := r.Read(make([]byte, 1)); n > 0 {
			return errGarbage
		}
		return nil
	}
	err := g.run(ctx, readNothing, "log", "-1", "--format=", "--no-decorate", "--no-show-signature", "--no-notes", "--")
	return err != nil && strings.Contains(err.Error(), "does not have any commits yet")
}

// A search has the files of one repository, by the names that they had at the point of the
// history that is being read.
type search struct {
	files  []target             // in the order given
	open   int                  // number of files without an answer
	wanted map[string][]*target // files that the history may still mention

	commit     Commit   // being read
	result     Result   // of the files that commit changed
	isBoundary bool     // commit has no parents in a shallow clone
	changes    []change // of wanted files, by commit

	numSources, numBuilt int             // tracked files
	imports              map[string]bool // commits that added most of the files
	findsImports         bool            // false: imports are all known
	deploy               string          // why the built files have no date, or ""
}

// A target is one file of a search.
type target struct {
	Result
	isAnswered bool
	isTracked  bool
	isEdited   bool
	isLink     bool
	isBuilt    bool   // by a generator, or by hand
	object     string // name of its content in the last commit
}

func newSearch(list []file, o *Options) *search {
	s := &search{
		files: make([]target, len(list)), open: len(list), wanted: make(map[string][]*target, len(list)),
		imports: maps.Clone(o.imports), findsImports: o.imports == nil,
	}
	if s.findsImports {
		s.imports = map[string]bool{}
	}
	for i, f := range list {
		s.files[i].isBuilt = o.Built != nil && o.Built(f.given)
		s.wanted[f.name] = append(s.wanted[f.name], &s.files[i])
	}
	return s
}

// answer gives the files of a name their result.
func (s *search) answer(name string, r Result) {
	for _, t := range s.wanted[name] {
		if t.isAnswered {
			continue
		}
		t.Result = r
		switch {
		case t.isEdited:
			t.Result = Result{Why: edited, After: r.Date}
			if r.Date.IsZero() {
				t.After = r.After
			}
		case r.Why != "":
			t.Date, t.Commit = sitemap.Date{}, ""
		}
		t.isAnswered = true
		s.open--
	}
}

// followRename continues under the older name of the files that are wanted as name.
func (s *search) followRename(name, from string) {
	if list := s.wanted[name]; list != nil {
		delete(s.wanted, name)
		s.wanted[from] = append(list, s.wanted[from]...)
	}
}

// countBeyond counts the files that last changed beyond the boundary of a shallow clone.
func (s *search) countBeyond() (n int) {
	for i := range s.files {
		if s.files[i].Why == beyond {
			n++
		}
	}
	return n
}

// readTree reads the output of `git ls-tree -r -z`: "mode type object\tname" of each file of
// the last commit.
func (s *search) readTree(r io.Reader) error {
	tokens := newTokenScanner(r)
	for tokens.Scan() {
		info, name, ok := bytes.Cut(tokens.Bytes(), []byte{'\t'})
		fields := bytes.Split(info, []byte{' '})
		if !ok || len(fields) != 3 {
			return errGarbage
		}
		for _, t := range s.wanted[string(name)] {
			t.isTracked, t.isLink = true, string(fields[0]) == "120000"
			t.object = string(fields[2])
		}
	}
	return tokens.Err()
}

// dropUntracked answers for the files that git does not track, for symbolic links, and for
// built files that carry a generator's mark. It counts the others.
func (s *search) dropUntracked(generated bool) {
	for name, list := range s.wanted {
		t := list[0]
		switch {
		case !t.isTracked:
			s.answer(name, Result{Why: untracked})
		case t.isLink:
			s.answer(name, Result{Why: symbolicLink})
		case t.isBuilt:
			s.numBuilt++
			continue
		default:
			s.numSources++
			continue
		}
		delete(s.wanted, name)
	}
	if generated {
		s.dropBuilt("they carry a generator's mark")
	}
}

// dropBuilt answers for all built files, which have no date.
func (s *search) dropBuilt(why string) {
	if s.numBuilt == 0 {
		return
	}
	s.deploy, s.numBuilt = why, 0
	for i := range s.files {
		t := &s.files[i]
		if !t.isBuilt || !t.isTracked || t.isLink {
			continue
		}
		if !t.isAnswered {
			s.open--
		}
		t.Result, t.isAnswered = Result{Why: deployed}, true
	}
	maps.DeleteFunc(s.wanted, func(_ string, list []*target) bool { return list[0].isBuilt })
}

// readLog reads `git log -z --name-status`, the newest commit first. It returns errEnough as
// soon as no answer is missing, but reads all of the history of built files.
func (s *search) readLog(r io.Reader, boundary map[string]bool, committer bool) error {
	hasDates := false // false in a clone of the last commit alone
	l := logReader{tokens: newTokenScanner(r)}
	for s.open > 0 || s.numBuilt > 0 {
		commit, c, err := l.read()
		if err != nil || commit != nil {
			s.endCommit()
		}
		switch {
		case err == io.EOF:
			for name := range s.wanted {
				s.answer(name, Result{Why: mergedOnly})
			}
			return nil
		case err != nil:
			return err
		case commit != nil:
			s.commit, s.isBoundary = *commit, boundary[commit.name]
			s.result = newResult(*commit, s.isBoundary, hasDates, committer)
			hasDates = hasDates || !s.result.Date.IsZero()
		case c.isPure:
			s.followRename(c.name, c.from)
		case c.status != 'D' && s.wanted[c.name] != nil: // a wanted file exists later, so this is no deletion of it
			s.changes = append(s.changes, c)
		}
	}
	return errEnough
}

// newResult returns the answer for files that last changed in a commit. At the boundary of a
// shallow clone, a file has an older date that nobody knows. A newer source must be later than
// the boundary, unless the clone has no other commit.
func newResult(c Commit, isBoundary, hasDates, committer bool) Result {
	date := c.date(committer)
	switch {
	case isBoundary && hasDates:
		return Result{Why: beyond, After: date}
	case isBoundary:
		return Result{Why: beyond}
	case date.IsZero():
		return Result{Why: impossible}
	}
	return Result{Date: date, Commit: c.name[:shortName]}
}

// minBulk is the minimum number of files in a commit that changed most of them.
const minBulk = 5

// isBulk reports whether n files are most of all.
func isBulk(n, all int) bool { return n >= minBulk && 2*n > all }

// maxByHand is the maximum number of built files that a commit changes if people edit them.
const maxByHand = 100

// endCommit answers for the files that the commit changed. If it changed most of the built
// files, or more than maxByHand, none of them has a date. If it added most of the files, it
// dates none of them.
func (s *search) endCommit() {
	sources, built, rebuilt := 0, 0, 0
	for _, c := range s.changes {
		switch isBuilt := s.wanted[c.name][0].isBuilt; {
		case isBuilt && c.status == 'A':
			built++
		case isBuilt:
			rebuilt++
		case c.status == 'A':
			sources++
		}
	}
	if !s.isBoundary && (isBulk(rebuilt, s.numBuilt) || rebuilt > maxByHand) {
		s.dropBuilt(fmt.Sprintf("commit %s changed %d of %d", s.commit.name[:shortName], rebuilt, s.numBuilt))
	}
	if !s.isBoundary && s.findsImports && (isBulk(sources, s.numSources) || isBulk(built, s.numBuilt)) {
		s.imports[s.commit.name] = true
	}
	for _, c := range s.changes {
		result := s.result
		result.New = c.status == 'A' && result.Why == ""
		if c.status == 'A' && s.imports[s.commit.name] {
			result = Result{Why: Imported, Date: result.Date}
		}
		s.answer(c.name, result)
		if c.status == 'A' { // an older file of that name is another file
			delete(s.wanted, c.name)
		}
	}
	s.changes = s.changes[:0]
}

// markEdited marks the tracked files whose content is not that of the last commit. `git
// status` does the same, but runs the filters that the repository names.
func (g git) markEdited(ctx context.Context, s *search, list []file) error {
	files.ParallelWorkers(ctx, len(list), func() func(i int) {
		var content bytes.Buffer
		return func(i int) {
			if t := &s.files[i]; t.isTracked && !t.isLink {
				t.isEdited = !hasContent(filepath.Join(g.dir, filepath.FromSlash(list[i].name)), t.object, &content)
			}
		}
	})
	return context.Cause(ctx)
}

// hasContent reports whether a file has the content of an object, with the same line ends
// or with CRLF. It returns false for a file that is larger than maxObject. It reads the
// file into content.
func hasContent(path, object string, content *bytes.Buffer) bool {
	f, err := files.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	content.Reset()
	if _, err := content.ReadFrom(io.LimitReader(f, maxObject)); err != nil {
		return false
	}
	src, ends := content.Bytes(), []byte("\r\n")
	return isObject(src, object) || bytes.Contains(src, ends) && isObject(bytes.ReplaceAll(src, ends, []byte("\n")), object)
}

// isObject reports whether content has the given object name, a hash of kind, size and
// content. See the chapter "Git Objects" of the Git book.
func isObject(content []byte, name string) bool {
	sum := sha1.New()
	if len(name) == hex.EncodedLen(sha256.Size) {
		sum = sha256.New()
	}
	fmt.Fprintf(sum, "blob %d\x00", len(content))
	sum.Write(content)
	return hex.EncodeToString(sum.Sum(nil)) == name
}
