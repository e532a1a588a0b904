package gitdates

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
)

// fail reports why the repository at root is silent.
func (r *reader) fail(root string, err error) {
	var start *startError
	var exit *exitError
	pos := r.pos(root)
	switch {
	case errors.As(err, &start):
		r.missing = true
		r.diags.Warnf(diag.Pos{}, "git-missing",
			"install git, or leave git out of lastmod",
			"git could not be started, so that it dates no page: %v", err)
	case errors.Is(err, errTimeout):
		r.diags.Warnf(pos, "git-timeout",
			"run `git status` there by hand to see what it waits for, or leave git out of lastmod",
			"%v, so that it dates no page of this repository", err)
	case errors.As(err, &exit) && refused(exit.stderr):
		r.diags.Warnf(pos, "git-unsafe",
			fmt.Sprintf("run `git config --global --add safe.directory %s`", shellWord(root)),
			"git refuses the repository because it belongs to another user, so that it dates no page")
	case errors.As(err, &exit) && partial(exit.stderr):
		r.diags.Warnf(pos, "git-partial",
			"clone with --filter=blob:none or without a filter, or run `git fetch --refetch --filter=blob:none` before the build",
			"the clone lacks the trees of its history, so that git dates no page")
	default:
		r.diags.Warnf(pos, "git-failed",
			"run `git fsck` there to see what is broken, or clone again",
			"git could not read the repository, so that it dates no page: %v", err)
	}
}

// refused reports whether git does not trust the owner of the repository; see
// safe.directory in git-config(1).
func refused(stderr string) bool {
	return strings.Contains(stderr, "dubious ownership") || strings.Contains(stderr, "safe.directory")
}

// partial reports whether git would have had to fetch what a clone with a
// filter left out; see git-rev-list(1) --filter.
func partial(stderr string) bool {
	return strings.Contains(stderr, "promisor remote") || strings.Contains(stderr, "lazy fetch")
}

// shallow reports that n of the files of a repository, all in all, lie beyond
// the boundary of a shallow clone.
func (r *reader) shallow(root string, n, all int) {
	r.diags.Warnf(r.pos(root), "git-shallow", cmp.Or(r.options.Deepen, "run `git fetch --unshallow` before the build"),
		"the clone is shallow: %d of %d files have no git date, because they last changed at or beyond its boundary", n, all)
}

// pos names a repository below the project's folder; the one that the folder
// belongs to needs no name.
func (r *reader) pos(root string) diag.Pos {
	rel, err := filepath.Rel(r.places.of(r.dir).real, root)
	switch {
	case root == "" || root == r.places.of(r.dir).root:
		return diag.Pos{}
	case err != nil || !filepath.IsLocal(rel):
		return diag.Pos{File: root}
	}
	return diag.Pos{File: filepath.ToSlash(rel)}
}

// shellWord returns a path as a shell takes it.
func shellWord(path string) string {
	if strings.ContainsAny(path, " \t\n'\"\\$`&;|<>()*?[]#~!") {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}
