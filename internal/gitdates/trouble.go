package gitdates

import (
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
	r.diags.Warnf(r.pos(root), "git-shallow", r.deepen(),
		"the clone is shallow: %d of %d files have no git date, because they last changed at or beyond its boundary", n, all)
}

// Platforms are the places that build sites from a shallow clone, by the
// variable that each sets, and what makes it fetch the whole history there.
// Sources: gohugo.io/methods/page/gitinfo/#hosting-considerations,
// github.com/actions/checkout, vitepress.dev/reference/default-theme-last-updated.
var platforms = [...]struct{ variable, remedy string }{
	{"GITHUB_ACTIONS", "set `fetch-depth: 0` under `with:` in the actions/checkout step of the workflow"},
	{"NETLIFY", "begin Netlify's build command with `git fetch --unshallow && `"},
	{"VERCEL", "set the environment variable VERCEL_DEEP_CLONE=true in the settings of the Vercel project"},
	{"CF_PAGES", "begin Cloudflare's build command with `git fetch --unshallow && `"},
	{"WORKERS_CI", "begin Cloudflare's build command with `git fetch --unshallow && `"},
	{"GITLAB_CI", "set the variable `GIT_DEPTH: 0` in .gitlab-ci.yml"},
	{"RENDER", "begin Render's build command with `git fetch --unshallow && `"},
}

func (r *reader) deepen() string {
	for _, p := range platforms {
		if r.options.Getenv != nil && r.options.Getenv(p.variable) != "" {
			return p.remedy
		}
	}
	return "run `git fetch --unshallow` before the build"
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
