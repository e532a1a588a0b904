package git

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// reportFailure reports why the repository at root is silent, and the next ones if git is
// not asked any more.
func (r *reader) reportFailure(root string, err error, next int) {
	start, missing := errors.AsType[*startError](err)
	said := ""
	if exit, ok := errors.AsType[*exitError](err); ok {
		said = exit.stderr
	}
	pos := r.pos(root)
	switch {
	case missing:
		r.over = true
		r.diags.Warnf(diag.Pos{}, "git-missing",
			start.hint(),
			"git could not be started, so it dates no page: %v", err)
	case errors.Is(err, errTimeout):
		r.over = true
		others := ""
		if next > 0 {
			others = fmt.Sprintf(", nor of %d more", next)
		}
		r.diags.Warnf(pos, "git-timeout",
			"run `git status` there by hand to see what it waits for, or leave git out of lastmod",
			"%v, so it dates no page of this repository%s", err, others)
	case mentions(said, "dubious ownership", "safe.directory"): // see safe.directory in git-config(1)
		r.diags.Warnf(pos, "git-unsafe",
			fmt.Sprintf("run `git config --global --add safe.directory %s`", shellWord(root)),
			"git refuses the repository because it belongs to another user, so it dates no page")
	case mentions(said, "promisor remote", "lazy fetch"): // a clone with --filter, which git would have had to complete
		r.diags.Warnf(pos, "git-partial",
			"clone with --filter=blob:none or without a filter, or run `git fetch --refetch --filter=blob:none` before the build",
			"the clone lacks the trees of its history, so git dates no page")
	case mentions(said, "over limit", "Out of memory"):
		r.diags.Warnf(pos, "git-failed",
			"find out which commit or file of the repository is as large, or leave git out of lastmod",
			"git needs more memory for the repository than it may use, so it dates no page: %v", err)
	default:
		r.diags.Warnf(pos, "git-failed",
			"run `git fsck` there to see what is broken, or clone again",
			"git could not read the repository, so it dates no page: %v", err)
	}
}

func mentions(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}

// shallow reports that n of the files of a repository, all in all, lie beyond
// the boundary of a shallow clone.
func (r *reader) shallow(root string, n, all int) {
	r.diags.Warnf(r.pos(root), "git-shallow", cmp.Or(r.options.Deepen, "run `git fetch --unshallow` before the build"),
		"the clone is shallow: %d of %d files have no git date, because they last changed at or beyond its boundary", n, all)
}

// reportDeploys reports that the built files of a repository have no date.
func (r *reader) reportDeploys(root, why string) {
	r.diags.Notef(r.pos(root), "git-deploys",
		"run sitewalk where the content files are, let a ledger date by content, or print dates in front matter or HTML",
		"git dates none of the built pages, because %s: their commits are deploys", why)
}

// oddCommits reports the commits without a readable date that an answer would need.
func (r *reader) oddCommits(root string, odd []event) {
	kind, other := "author", "committer"
	if r.options.Committer {
		kind, other = other, kind
	}
	var dated, silent []event
	for _, e := range odd {
		if date, _ := e.date(r.options.Committer); date.IsZero() {
			silent = append(silent, e)
		} else {
			dated = append(dated, e)
		}
	}
	r.oddKind(root, dated, fmt.Sprintf("no readable %s date; the %s date is used", kind, other))
	r.oddKind(root, silent, "no readable date: git dates no page that was last changed there")
}

func (r *reader) oddKind(root string, odd []event, what string) {
	if len(odd) == 0 {
		return
	}
	name := string(odd[0].commit[:shortName])
	who := "commit " + name + " has"
	if more := len(odd) - 1; more > 0 {
		who = fmt.Sprintf("commit %s and %d more have", name, more)
	}
	r.diags.Warnf(r.pos(root), "git-bad-date",
		"run `git replace --edit "+name+"` to correct the date here, or rewrite the history",
		"%s %s", who, what)
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
