package engine

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/git"
	"github.com/sitewalk/sitewalk/internal/site"
)

// histories returns the files that git's answers about the trees depend on. If a
// tree is in no repository, it returns the paths at which one may appear.
func histories(o site.Options) (files []string) {
	if !slices.Contains(o.LastMod, "git") {
		return nil
	}
	for _, t := range []*facts.Tree{o.Pages, o.Content} {
		if t == nil || t.Dir == "" {
			continue
		}
		if root := git.Above(t.Dir); root != "" {
			files = append(files, git.Files(root)...)
			continue
		}
		files = append(files, filepath.Join(t.Dir, ".git"), filepath.Join(filepath.Dir(t.Dir), ".git"))
	}
	return files
}

// histories returns the files that git's answers depend on, as far as git was
// asked. The result may contain duplicates.
func (s *session) histories() []string {
	files := histories(s.build.Settings.Site)
	for _, root := range s.git.Repositories {
		files = append(files, git.Files(root)...)
	}
	return files
}

// followGit watches the folders of git's files: those of submodules and new
// branches are known only after git was asked. It reports whether git has to be
// asked again, because its answers are older than the watch.
func (s *session) followGit() (again bool) {
	for _, file := range s.histories() {
		if !s.commits[file] {
			again, s.commits[file] = true, true
		}
		if dir := filepath.Dir(file); !s.flat[dir] {
			s.batches.Add(s.flatTree(dir))
			s.flat[dir] = true
		}
	}
	if again {
		s.git = s.git.Forget()
	}
	return again
}

// hasGitRecovered reports whether a git that failed would answer now. The cause may
// be repaired where no watch sees it, as in the user's own settings. It takes a
// tenth of the time at most, because git may need two minutes to fail.
func (s *session) hasGitRecovered(ctx context.Context) bool {
	start := s.o.Now()
	if start.Before(s.gitNext) {
		return false
	}
	recovered := s.git.Recovered(ctx, git.Options{Committer: s.options.Git.Committer})
	end := s.o.Now()
	s.gitNext = end.Add(max(clockCheck, 10*end.Sub(start)))
	return recovered
}

// paths is a set of files. The name * includes all files of a folder.
type paths map[string]bool

func pathsOf(files []string) paths {
	set := paths{}
	for _, f := range files {
		set[f] = true
	}
	return set
}

func (p paths) has(file string) bool { return p[file] || p[filepath.Join(filepath.Dir(file), "*")] }
