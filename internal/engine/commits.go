package engine

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/gitdates"
	"github.com/sitewalk/sitewalk/internal/site"
)

// histories returns the files that decide what git says of the trees, as far as
// their folders tell; where a tree is in no repository, what would make it one.
func histories(o site.Options) (files []string) {
	if !slices.Contains(o.LastMod, "git") {
		return nil
	}
	for _, t := range []*facts.Tree{o.Pages, o.Content} {
		if t == nil || t.Dir == "" {
			continue
		}
		if root := gitdates.Above(t.Dir); root != "" {
			files = append(files, gitdates.Files(root)...)
			continue
		}
		files = append(files, filepath.Join(t.Dir, ".git"), filepath.Join(filepath.Dir(t.Dir), ".git"))
	}
	return files
}

// histories returns the files that decide what git says, now that it was asked; a file
// may be among them twice.
func (s *session) histories() []string {
	files := histories(s.build.Settings.Site)
	for _, root := range s.git.Repositories {
		files = append(files, gitdates.Files(root)...)
	}
	return files
}

// followGit watches the folders in which histories lie: those of submodules and
// of new branches are known only now. It reports whether git has to be asked
// again, because what it said came before the watch.
func (s *session) followGit() bool {
	fresh := false
	for _, file := range s.histories() {
		if !s.commits[file] {
			fresh, s.commits[file] = true, true
		}
		if dir := filepath.Dir(file); !s.flat[dir] {
			s.batches.Add(s.flatTree(dir))
			s.flat[dir] = true
		}
	}
	if fresh {
		s.git = s.git.Forget()
	}
	return fresh
}

// gitRecovered reports whether a git that failed would answer now. What it failed by may
// be repaired where nothing is watched: in the user's own settings, in a file that
// they include, among the objects. It takes a tenth of the time at most, as git may
// need two minutes to fail.
func (s *session) gitRecovered(ctx context.Context) bool {
	start := s.o.Now()
	if start.Before(s.askNext) {
		return false
	}
	recovered := s.git.Recovered(ctx, gitdates.Options{Committer: s.options.Git.Committer})
	end := s.o.Now()
	s.askNext = end.Add(max(clockCheck, 10*end.Sub(start)))
	return recovered
}

// paths is a set of files. The name * stands for all files of a folder.
type paths map[string]bool

func pathsOf(files []string) paths {
	set := paths{}
	for _, f := range files {
		set[f] = true
	}
	return set
}

func (p paths) has(file string) bool { return p[file] || p[filepath.Join(filepath.Dir(file), "*")] }
