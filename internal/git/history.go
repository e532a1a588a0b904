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
	"path"
	"path/filepath"
	"strings"

	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/sitemap"
)

// readDates finds the date of the last change of each file in list. list contains files of one
// repository. The results are in search.files, in the same order.
func (g git) readDates(ctx context.Context, list []file, o *Options) (*search, error) {
	if err := checkGitFiles(g.dir); err != nil {
		return nil, err
	}
	boundary, err := readBoundary(g.dir)
	if err != nil {
		return nil, err
	}
	s := newSearch(list, o)
	// The names in the output are relative to g.dir. With the setting core.worktree, the root of
	// the work tree may be above g.dir.
	err = g.run(ctx, s.readTree, "ls-tree", "-r", "-z", "HEAD")
	if err != nil && !g.hasNoCommit(ctx) {
		return nil, err
	}
	s.dropUndated(o.HasGeneratorMark)
	if s.numOpen == 0 {
		return s, nil
	}
	if err := g.markEdited(ctx, s, list); err != nil {
		return nil, err
	}
	// Find only exact renames, because they need no file contents. A clone without blobs lacks the
	// contents.
	return s, g.run(ctx, func(r io.Reader) error { return s.readLog(r, boundary, o.Committer) },
		logArgs("--no-merges", "--relative", "--name-status", "--find-renames=100%", "--no-rename-empty", "-O/dev/null", "HEAD", "--")...)
}

// hasNoCommit reports whether HEAD is a branch without commits.
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

// A search finds the dates of the files of one repository. It reads the history from new to old,
// and follows renames.
type search struct {
	files   []target             // in the order of the caller
	numOpen int                  // number of files without a result
	wanted  map[string][]*target // files that existed after the current commit, by their name then
	folders []string             // folders of the site's files, relative to the work tree
	kinds   map[kind]bool        // kinds of the files of the caller, and whether these are built pages

	commit     Commit   // the commit that is being read
	result     Result   // result of the files that the commit changed
	isBoundary bool     // the parents of the commit are missing in a shallow clone
	changes    []change // changes of wanted files by the commit, and deletions of other files

	numSources, numBuilt int             // number of source files and of built pages after the commit
	imports              map[string]bool // object names of commits that added most of the files
	findsImports         bool            // whether the search has to find the imports
	deployReason         string          // reason why the built pages have no date, or ""
}

// A kind identifies files that are alike: a folder of the site and a file name extension, such as
// "content" and ".md". Files of the same kind as a file in the query count as files of the site,
// even if they have been deleted.
type kind struct{ folder, ext string }

// kindOf returns the kind of the file called name, or the zero kind if name is in no folder of the
// site.
func (s *search) kindOf(name string) kind {
	for _, folder := range s.folders {
		if folder == "." || strings.HasPrefix(name, folder+"/") {
			return kind{folder, path.Ext(name)}
		}
	}
	return kind{}
}

// A target is a file whose date is searched, or another file of the site. The search only counts
// the other files, to find commits that changed most of the files.
type target struct {
	Result
	hasResult bool
	isTracked bool
	isEdited  bool
	isBuilt   bool   // the file is a built page, and not a source
	object    string // object name of its content in the last commit
}

func newSearch(list []file, o *Options) *search {
	s := &search{
		files: make([]target, len(list)), numOpen: len(list), wanted: make(map[string][]*target, len(list)),
		folders: o.Folders, kinds: map[kind]bool{}, imports: maps.Clone(o.imports), findsImports: o.imports == nil,
	}
	if s.findsImports {
		s.imports = map[string]bool{}
	}
	for i, f := range list {
		s.files[i].isBuilt = o.IsBuilt != nil && o.IsBuilt(f.givenName)
		s.wanted[f.name] = append(s.wanted[f.name], &s.files[i])
		if k := s.kindOf(f.name); k.folder != "" {
			s.kinds[k] = s.files[i].isBuilt
		}
	}
	return s
}

// setResult sets the result of the files that were called name after the current commit. A file
// that has a result keeps it. The result of an edited file has no date; its After is r.Date, or
// r.After if r has no date.
func (s *search) setResult(name string, r Result) {
	for _, t := range s.wanted[name] {
		if t.hasResult {
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
		t.hasResult = true
		s.numOpen--
	}
}

// followRename lets the search look for oldName in place of newName. The current commit renamed
// oldName to newName, so earlier commits use oldName.
func (s *search) followRename(newName, oldName string) {
	if list := s.wanted[newName]; list != nil {
		delete(s.wanted, newName)
		s.wanted[oldName] = append(list, s.wanted[oldName]...)
	}
}

// countBeyondBoundary returns the number of files whose last change is at or beyond the boundary of
// the shallow clone.
func (s *search) countBeyondBoundary() (n int) {
	for i := range s.files {
		if s.files[i].Why == beyond {
			n++
		}
	}
	return n
}

// addCountOnlyTarget adds a target for the file called name, if the file is no target yet and has
// the same kind as a file in the query. The search counts such files, but does not date them. It no
// longer counts built pages after markBuiltPagesDeployed. The result contains the new target, or is
// nil if none was added.
func (s *search) addCountOnlyTarget(name string) []*target {
	isBuilt, ok := s.kinds[s.kindOf(name)]
	if s.wanted[name] != nil || !ok || isBuilt && s.deployReason != "" {
		return nil
	}
	s.wanted[name] = []*target{{hasResult: true, isBuilt: isBuilt}}
	return s.wanted[name]
}

// adjustNumBuiltOrSources adds n to numBuilt if the first target in list is a built page, otherwise
// to numSources. It does nothing if list is empty.
func (s *search) adjustNumBuiltOrSources(list []*target, n int) {
	switch {
	case len(list) == 0:
	case list[0].isBuilt:
		s.numBuilt += n
	default:
		s.numSources += n
	}
}

// readTree marks the tracked files among the wanted files, and adds the other files of their kinds.
// It skips symbolic links. It parses the output of "git ls-tree -r -z", which is "mode type
// object\tname" for each file of the last commit.
func (s *search) readTree(r io.Reader) error {
	tokens := newTokenScanner(r)
	for tokens.Scan() {
		info, name, ok := bytes.Cut(tokens.Bytes(), []byte{'\t'})
		fields := bytes.Split(info, []byte{' '})
		if !ok || len(fields) != 3 {
			return errGarbage
		}
		if string(fields[0]) == "120000" { // a symbolic link
			continue
		}
		s.addCountOnlyTarget(string(name))
		for _, t := range s.wanted[string(name)] {
			t.isTracked, t.object = true, string(fields[2])
		}
	}
	return tokens.Err()
}

// dropUndated sets the results of the files without a date: untracked files, and, if
// hasGeneratorMark is true, built pages. It counts each other file, either in numBuilt or in
// numSources.
func (s *search) dropUndated(hasGeneratorMark bool) {
	for name, list := range s.wanted {
		if list[0].isTracked {
			s.adjustNumBuiltOrSources(list, 1)
			continue
		}
		s.setResult(name, Result{Why: untracked})
		delete(s.wanted, name)
	}
	if hasGeneratorMark {
		s.markBuiltPagesDeployed("they carry a generator's mark")
	}
}

// markBuiltPagesDeployed sets the result of each tracked built page: no date, with the reason
// deployed. why is the cause for the finding about these pages, such as "they carry a generator's
// mark".
func (s *search) markBuiltPagesDeployed(why string) {
	if s.numBuilt == 0 {
		return
	}
	s.deployReason, s.numBuilt = why, 0
	for i := range s.files {
		t := &s.files[i]
		if !t.isBuilt || !t.isTracked {
			continue
		}
		if !t.hasResult {
			s.numOpen--
		}
		t.Result, t.hasResult = Result{Why: deployed}, true
	}
	maps.DeleteFunc(s.wanted, func(_ string, list []*target) bool { return list[0].isBuilt })
}

// readLog parses the output of "git log -z --name-status", the newest commit first. It stops with
// errEnough when all files have a result and the older commits contain no built pages. Built pages
// need more commits, because an older commit may show that their commits are deploys. At the end,
// the files that no commit changed get the reason mergedOnly.
func (s *search) readLog(r io.Reader, boundary map[string]bool, committer bool) error {
	hasDates := false // stays false in a clone that contains only the last commit
	err := parseLog(r, func(commit *Commit, c change) error {
		switch {
		case commit != nil:
			if s.finishCommit(); s.numOpen == 0 && s.numBuilt == 0 {
				return errEnough
			}
			s.commit, s.isBoundary = *commit, boundary[commit.name]
			s.result = newResult(*commit, s.isBoundary, hasDates, committer)
			hasDates = hasDates || !s.result.Date.IsZero()
		case c.isPure && s.wanted[c.name] != nil:
			s.followRename(c.name, c.from)
		case c.isPure: // the file left the site
			s.changes = append(s.changes, change{status: 'D', name: c.from})
		case (c.status == 'D') == (s.wanted[c.name] == nil): // a file that exists in a later commit cannot be deleted here
			s.changes = append(s.changes, c)
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.finishCommit()
	for name := range s.wanted {
		s.setResult(name, Result{Why: mergedOnly})
	}
	return nil
}

// newResult returns the result for the files whose last change is the commit c. At the boundary of
// a shallow clone, the files have no date, because their last change may be older than c. Their
// After is the date of c if a later commit in the clone has a date, which hasDates reports.
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

// minBulk is the minimum number of files for which isMajority returns true. If at least minBulk
// files are new, Query reads the dates of all files again.
const minBulk = 5

// isMajority reports whether n files are more than half of all files, and at least minBulk.
func isMajority(n, all int) bool { return n >= minBulk && 2*n > all }

// maxByHand is the maximum number of built pages that people change in one commit. A commit that
// changes more pages counts as a deploy.
const maxByHand = 100

// finishCommit sets the results of the files that the current commit changed. No built page gets a
// date if the commit changed most of the built pages that existed then, or more than maxByHand of
// them. The commit is an import if it added most of the source files, or most of the built pages,
// that existed after it. The files that an import adds get no date. Neither rule applies at the
// boundary of a shallow clone.
func (s *search) finishCommit() {
	sources, built, rebuilt := 0, 0, 0
	for _, c := range s.changes {
		list := s.wanted[c.name] // none if the commit names the file twice, which git never does
		switch isBuilt := c.status != 'D' && len(list) > 0 && list[0].isBuilt; {
		case isBuilt && c.status == 'A':
			built++
		case isBuilt:
			rebuilt++
		case c.status == 'A':
			sources++
		}
	}
	if !s.isBoundary && (isMajority(rebuilt, s.numBuilt) || rebuilt > maxByHand) {
		s.markBuiltPagesDeployed(fmt.Sprintf("commit %s changed %d of %d", s.commit.name[:shortName], rebuilt, s.numBuilt))
	}
	if !s.isBoundary && s.findsImports && (isMajority(sources, s.numSources) || isMajority(built, s.numBuilt)) {
		s.imports[s.commit.name] = true
	}
	for _, c := range s.changes {
		if c.status == 'D' { // the file existed before the commit
			s.adjustNumBuiltOrSources(s.addCountOnlyTarget(c.name), 1)
			continue
		}
		result := s.result
		result.New = c.status == 'A' && result.Why == ""
		if c.status == 'A' && s.imports[s.commit.name] {
			result = Result{Why: Imported, Date: result.Date}
		}
		s.setResult(c.name, result)
		if c.status == 'A' { // a file of the same name in an older commit is another file
			s.adjustNumBuiltOrSources(s.wanted[c.name], -1)
			delete(s.wanted, c.name)
		}
	}
	s.changes = s.changes[:0]
}

// markEdited marks the tracked files whose content differs from the last commit. It does not run
// "git status", because that runs filter programs that the repository configures.
func (g git) markEdited(ctx context.Context, s *search, list []file) error {
	files.ParallelWorkers(ctx, len(list), func() func(i int) {
		var scratch bytes.Buffer
		return func(i int) {
			if t := &s.files[i]; t.isTracked {
				t.isEdited = !fileMatchesObject(filepath.Join(g.dir, filepath.FromSlash(list[i].name)), t.object, &scratch)
			}
		}
	})
	return context.Cause(ctx)
}

// fileMatchesObject reports whether the file at path has the content of the git object called
// object. Line ends may be CRLF instead of LF. It returns false for a file larger than maxObject,
// and for a file that it cannot read. scratch is a buffer for the content of the file.
func fileMatchesObject(path, object string, scratch *bytes.Buffer) bool {
	f, err := files.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	scratch.Reset()
	if _, err := scratch.ReadFrom(io.LimitReader(f, maxObject)); err != nil {
		return false
	}
	src, ends := scratch.Bytes(), []byte("\r\n")
	return hasObjectName(src, object) || bytes.Contains(src, ends) && hasObjectName(bytes.ReplaceAll(src, ends, []byte("\n")), object)
}

// hasObjectName reports whether name is the git object name of content. See the chapter "Git
// Objects" of the Git book.
func hasObjectName(content []byte, name string) bool {
	sum := sha1.New()
	if len(name) == hex.EncodedLen(sha256.Size) {
		sum = sha256.New()
	}
	fmt.Fprintf(sum, "blob %d\x00", len(content))
	sum.Write(content)
	return hex.EncodeToString(sum.Sum(nil)) == name
}
