package follow

import (
	"path/filepath"
	"slices"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/gitdates"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/watch"
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

// committed reports whether git may say something else now, and makes it be
// asked again. Not only files that differ count: a repository that was moved
// away and back was not there when git was asked in between.
func (s *session) committed(b watch.Batch) bool {
	if !b.Rescan && !s.names(b, s.commits.has) {
		return false
	}
	s.commits = pathsOf(s.histories())
	s.forgetGit()
	return true
}

// histories returns the files that decide what git says, now that it was asked.
func (s *session) histories() []string {
	files := histories(s.build.Settings.Site)
	if s.git != nil {
		for _, root := range s.git.Repositories() {
			files = append(files, gitdates.Files(root)...)
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
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
		if dir := filepath.Dir(file); !slices.Contains(s.flat, dir) {
			s.batches.Add(s.flatTree(dir))
			s.flat = append(s.flat, dir)
		}
	}
	if fresh {
		s.forgetGit()
	}
	return fresh
}

// forgetGit lets git be asked again when the site is next related.
func (s *session) forgetGit() {
	if s.git != nil {
		s.git = s.git.Forget()
	}
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
