package engine

import (
	"path/filepath"
	"slices"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/git"
	"github.com/sitewalk/sitewalk/internal/site"
)

// histories returns the files that git's answers about the trees depend on. For a tree without
// a repository, it returns the paths at which a repository may appear.
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

// histories returns the files that git's answers depend on, as far as git was queried. The
// result may contain duplicates.
func (s *session) histories() []string {
	files := histories(s.build.Settings.Site)
	for _, root := range s.git.Repositories {
		files = append(files, git.Files(root)...)
	}
	return files
}

// followGit watches the folders of git's files. The files of submodules and new branches are
// known only after a query. followGit reports whether git must be queried again, because its
// answers are older than the watch.
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

// paths is a set of files. The name * in a folder includes all files of the folder.
type paths map[string]bool

func pathsOf(files []string) paths {
	set := paths{}
	for _, f := range files {
		set[f] = true
	}
	return set
}

func (p paths) has(file string) bool { return p[file] || p[filepath.Join(filepath.Dir(file), "*")] }
