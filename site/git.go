package site

import (
	"context"
	"maps"
	"path/filepath"
	"slices"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/gitdates"
	"github.com/sitewalk/sitewalk/page"
)

// forgetGit forgets what git said of files that may have changed.
func (s *Site) forgetGit(t *Tree, paths []string) {
	for _, p := range paths {
		file := filepath.Join(t.Dir, filepath.FromSlash(p))
		if _, known := s.git[file]; known && len(s.gitSaid) > 0 {
			s.ForgetGit() // what is wrong with a repository is counted in files
			return
		}
		delete(s.git, file)
	}
}

// ForgetGit forgets all that git said, so that the next Relearn asks again.
func (s *Site) ForgetGit() { s.git, s.gitSaid = nil, nil }

// Repositories returns the tops of the work trees that git was asked about,
// sorted, as the operating system names them.
func (s *Site) Repositories() []string { return slices.Sorted(maps.Keys(s.repositories)) }

// askGit reads the dates of all sources whose pages no earlier source of dates
// speaks for; rules and the ledger, which are not known yet, are taken to be
// silent. A built page without a source may itself be tracked.
func (s *Site) askGit(ctx context.Context) error {
	at := slices.Index(s.o.LastMod, "git")
	if at < 0 {
		return nil
	}
	earlier := s.sourcesAsked()[:at]
	earlier = slices.DeleteFunc(earlier, func(src Source) bool { return src.Name == "rule" || src.Name == "ledger" })
	var files []string
	wanted := 0
	for _, r := range s.pages {
		if r.own != page.Listed || s.speaks(earlier, r) {
			continue
		}
		file := s.sourceFile(r)
		if file == "" {
			continue
		}
		wanted++
		if _, known := s.git[file]; !known {
			files = append(files, file)
		}
	}
	again := s.git != nil
	if again && len(s.gitSaid) > 0 && wanted != len(s.git) {
		return s.askGitAgain(ctx)
	}
	if len(files) == 0 {
		return nil
	}
	o := s.gitOptions()
	o.Asked = func(root string) { s.repositories[root] = true }
	if !again {
		s.git, s.repositories = map[string]gitdates.Result{}, map[string]bool{}
	}
	dates, ds := gitdates.Read(ctx, files, o)
	if again && len(ds)+len(s.gitSaid) > 0 {
		return s.askGitAgain(ctx)
	}
	maps.Copy(s.git, dates)
	s.gitSaid = ds
	return ctx.Err()
}

// askGitAgain asks about all files, as some of them do not count for all.
func (s *Site) askGitAgain(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.ForgetGit()
	return s.askGit(ctx)
}

// speaks reports whether one of the sources of dates has one for the page.
func (s *Site) speaks(sources []Source, r *record) bool {
	_, by := s.settle(sources, r, nil)
	return by >= 0
}

// sourceFile returns the file whose history is the page's, as the operating
// system names it, or "".
func (s *Site) sourceFile(r *record) string {
	switch {
	case r.edited() != "":
		return r.edited()
	case r.src != nil && s.o.Content.Dir != "":
		return filepath.Join(s.o.Content.Dir, filepath.FromSlash(r.src.file))
	case r.src == nil && s.o.Pages != nil && s.o.Pages.Dir != "":
		return filepath.Join(s.o.Pages.Dir, filepath.FromSlash(r.file))
	}
	return ""
}

func (s *Site) gitDate(r *record) answer {
	file := s.sourceFile(r)
	if file == "" {
		return answer{note: "the page has no file that git could know"}
	}
	got, ok := s.git[file]
	switch {
	case !ok:
		return answer{note: "not asked: an earlier source speaks"}
	case got.Date.IsZero():
		return answer{note: got.Why, after: got.After}
	case !s.deployed(r).IsZero():
		return answer{note: "most built files were last changed by a few commits, which are deploys"}
	}
	a := answer{date: got.Date, tell: (*Site).committed}
	if !got.New {
		a.after = got.Date
	}
	return a
}

func (s *Site) committed(r *record) (note string, pos diag.Pos) {
	note = "author date of the last commit"
	if s.o.Git.Committer {
		note = "committer date of the last commit"
	}
	switch {
	case r.src != nil:
		return note, s.sourcePos(r)
	case r.edited() == "":
		return note, s.pos(r)
	}
	return note, diag.Pos{File: r.edited()}
}

func (s *Site) gitOptions() gitdates.Options {
	return gitdates.Options{Committer: s.o.Git.Committer, Getenv: s.o.Git.Getenv}
}
