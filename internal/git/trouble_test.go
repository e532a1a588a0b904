package git_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/git"
	"github.com/sitewalk/sitewalk/internal/testsite"
)

// history returns a repository that adds a file on each of the first days of the year. The first
// file does not change later.
func history(t *testing.T, days int) *repository {
	t.Helper()
	requireGit(t)
	r := copyModel(t, model(t, fmt.Sprint(days, "-days"), func(r *repository) {
		r.git("init", "-q", "-b", "main")
		for d := 1; d <= days; d++ {
			r.add(fmt.Sprintf("01-%02d", d), fmt.Sprintf("%d.md", d), fmt.Sprint(d))
		}
	}))
	r.git("reset", "-q", "--hard")
	return r
}

func TestReadDatesOfShallowClones(t *testing.T) {
	t.Parallel()
	r := history(t, 5)
	const cut = "last changed at or beyond the boundary"
	c := r.clone("--depth=1")
	all := map[string]string{"1.md": cut, "4.md": cut, "5.md": cut}
	requireFinding(t, c.requireDates(git.Options{}, all), "git-shallow", "git fetch --unshallow")

	c = r.clone("--depth=3")
	diags := c.requireDates(git.Options{}, map[string]string{
		"1.md": cut, "2.md": cut, "3.md": cut, "4.md": "2024-01-04", "5.md": "2024-01-05",
	})
	requireFinding(t, diags, "git-shallow", "git fetch --unshallow")
	if !strings.Contains(diags[0].Message, "3 of 5 files") {
		t.Errorf("message: got %q, want the number of files", diags[0].Message)
	}
	requireNoFindings(t, c.requireDates(git.Options{}, map[string]string{"4.md": "2024-01-04"}))

	c.git("fetch", "-q", "--unshallow")
	requireNoFindings(t, c.requireDates(git.Options{}, map[string]string{"1.md": "2024-01-01"}))
}

// TestReadDatesOfShallowMerge checks that a merge at the boundary of a shallow clone counts as a
// normal commit, because it has lost its parents.
func TestReadDatesOfShallowMerge(t *testing.T) {
	t.Parallel()
	r := history(t, 2)
	r.git("checkout", "-q", "-b", "side")
	r.add("01-03", "side.md", "side")
	r.git("checkout", "-q", "main")
	r.add("01-04", "main.md", "main")
	r.git("merge", "-q", "--no-edit", "side")
	const cut = "last changed at or beyond the boundary"
	all := map[string]string{"1.md": cut, "side.md": cut, "main.md": cut}
	requireFinding(t, r.clone("--depth=1").requireDates(git.Options{}, all), "git-shallow", "")
	requireFinding(t, r.clone("--depth=2").requireDates(git.Options{}, all), "git-shallow", "")
}

func TestReadDatesOfShallowWorkTree(t *testing.T) {
	t.Parallel()
	c := history(t, 3).clone("--depth=2")
	c.git("worktree", "add", "-q", "tree")
	c.dir = filepath.Join(c.dir, "tree")
	requireFinding(t, c.requireDates(git.Options{}, map[string]string{"3.md": "2024-01-03", "1.md": "last changed at"}), "git-shallow", "")
}

func TestReadDatesStopsRenamesAtBoundary(t *testing.T) {
	t.Parallel()
	r := history(t, 3)
	r.git("mv", "1.md", "moved.md")
	r.commitOn("01-04")
	c := r.clone("--depth=2")
	requireFinding(t, c.requireDates(git.Options{}, map[string]string{"moved.md": "last changed at"}), "git-shallow", "")
}

func TestReportShallowCloneWithAdvice(t *testing.T) {
	t.Parallel()
	c := history(t, 1).clone("--depth=1")
	for deepen, remedy := range map[string]string{"": "run `git fetch --unshallow`", "ask Ann": "ask Ann"} {
		requireFinding(t, c.requireDates(git.Options{DeepenHint: deepen}, map[string]string{"1.md": "last changed at"}), "git-shallow", remedy)
	}
}

func TestReportPartialClones(t *testing.T) {
	t.Parallel()
	r := history(t, 3)
	r.git("mv", "1.md", "moved.md")
	r.commitOn("01-04")
	want := map[string]string{"2.md": "2024-01-02", "moved.md": "2024-01-01"}
	c := r.clone("--filter=blob:none")
	c.git("config", "remote.origin.url", "file:///nowhere") // a fetch would fail
	requireNoFindings(t, c.requireDates(git.Options{}, want))

	c = r.clone("--filter=tree:0")
	objects := c.git("count-objects", "-v")
	requireFinding(t, c.requireDates(git.Options{}, map[string]string{"2.md": "git could not be read"}), "git-partial", "--filter=blob:none")
	if now := c.git("count-objects", "-v"); now != objects {
		t.Errorf("objects after reading dates: got %s, want %s", now, objects)
	}
	c.git("fetch", "-q", "--refetch", "--filter=blob:none")
	requireNoFindings(t, c.requireDates(git.Options{}, want))
}

func TestReportUnsafeDirectory(t *testing.T) {
	r := history(t, 1)
	t.Setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
	dir := r.dir
	if strings.Contains(dir, " ") {
		dir = "'" + dir + "'" // quoted for a shell
	}
	requireFinding(t, r.requireDates(git.Options{}, map[string]string{"1.md": "git could not be read"}),
		"git-unsafe", "git config --global --add safe.directory "+dir)
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "safe.directory")
	t.Setenv("GIT_CONFIG_VALUE_0", r.dir)
	requireNoFindings(t, r.requireDates(git.Options{}, map[string]string{"1.md": "2024-01-01"}))
}

func TestReportMissingGit(t *testing.T) {
	t.Parallel()
	r := history(t, 1)
	r.git("init", "-q", "nested")
	r.write("nested/n.md", "n")
	requireFinding(t, r.requireDates(git.Options{Git: "no-such-git"}, map[string]string{"1.md": "git could not", "nested/n.md": "git could not"}),
		"git-missing", "install git")
}

// TestRunIgnoresGitInWorkingFolder checks that a program "git" in the working directory is not
// started, even if PATH contains ".". The finding is the same as without git.
func TestRunIgnoresGitInWorkingFolder(t *testing.T) {
	r := history(t, 1)
	name := "git"
	if runtime.GOOS == "windows" {
		name = "git.exe"
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv("PATH", "."+string(os.PathListSeparator)+os.Getenv("PATH"))
	requireFinding(t, r.requireDates(git.Options{}, map[string]string{"1.md": "git could not"}), "git-missing", "install git")
}

func TestReportCorruptRepositories(t *testing.T) {
	t.Parallel()
	for name, breaks := range map[string]func(r *repository){
		"object": func(r *repository) {
			id := r.git("rev-parse", "HEAD~1")
			remove(r, ".git/objects/"+id[:2]+"/"+id[2:])
		},
		"config":  func(r *repository) { overwrite(r, ".git/config", "[core\n") },
		"gitfile": func(r *repository) { remove(r, ".git"); r.write(".git", "gitdir: /no/such/folder\n") },
		"head":    func(r *repository) { overwrite(r, ".git/refs/heads/main", strings.Repeat("0", 39)+"1\n") },
		"shallow": func(r *repository) { r.write(".git/shallow", "garbage\n") },
	} {
		t.Run(name, func(t *testing.T) {
			r := history(t, 3)
			breaks(r)
			requireFinding(t, r.requireDates(git.Options{}, map[string]string{"1.md": "git could not be read"}), "git-failed", "git fsck")
		})
	}
}

func remove(r *repository, name string) {
	r.tb.Helper()
	if err := os.RemoveAll(filepath.Join(r.dir, name)); err != nil {
		r.tb.Fatal(err)
	}
}

// overwrite replaces a file, even if it is read-only.
func overwrite(r *repository, name, content string) {
	r.tb.Helper()
	remove(r, name)
	r.write(name, content)
}

// script returns a program that tests run instead of git.
func script(t *testing.T, body string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the script needs a Unix shell")
	}
	path := filepath.Join(t.TempDir(), "git")
	syscall.ForkLock.RLock() // a process started now would inherit the file open for writing, and the script could not run
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body), 0o777); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReportGarbageFromGit(t *testing.T) {
	t.Parallel()
	r := history(t, 1)
	for name, body := range map[string]string{
		"text":      "echo hello",
		"endless":   "while :; do echo garbage garbage garbage garbage garbage; done",
		"no output": "exit 3",
		"log":       `case "$*" in *--name-status*) echo garbage;; *) exec git "$@";; esac`,
		"truncated": `case "$*" in *--name-status*) git "$@" | head -c 62;; *) exec git "$@";; esac`,
		"zeros":     "head -c 100000 /dev/zero",
		"tracked":   `case "$*" in *ls-tree*) printf 'a\0b\0';; *) exec git "$@";; esac`,
	} {
		t.Run(name, func(t *testing.T) {
			requireFinding(t, r.requireDates(git.Options{Git: script(t, body)}, map[string]string{"1.md": "git could not be read"}), "git-failed", "git fsck")
		})
	}
	t.Run("empty tree", func(t *testing.T) {
		requireNoFindings(t, r.requireDates(git.Options{Git: script(t, "exit 0")}, map[string]string{"1.md": "not tracked by git"}))
	})
}

func TestReportHangingGit(t *testing.T) {
	t.Parallel()
	r := history(t, 1)
	hang := []string{"exec sleep 60", "sleep 60"}[testsite.Repeat(0, 1)] // the second starts a child process, which keeps the pipe open for another second
	o := git.Options{Git: script(t, hang), Limit: 50 * time.Millisecond}
	start := time.Now()
	requireFinding(t, r.requireDates(o, map[string]string{"1.md": "git could not be read"}), "git-timeout", "git status")
	if d := time.Since(start); d > 30*time.Second {
		t.Errorf("got a result after %v, want it within 30s", d)
	}
}

// TestReadDatesStopsAtTimeLimit checks that reading dates from several repositories stops at the
// time limit, with one finding for all of them.
func TestReadDatesStopsAtTimeLimit(t *testing.T) {
	t.Parallel()
	r := history(t, 1)
	all := map[string]string{"1.md": "git could not be read"}
	for _, name := range []string{"b", "c"} {
		r.git("init", "-q", name)
		r.write(name+"/page.md", name)
		all[name+"/page.md"] = "git could not be read"
	}
	diags := r.requireDates(git.Options{Limit: 1}, all)
	requireFinding(t, diags, "git-timeout", "git status")
	if !strings.Contains(diags[0].Message, "of this repository and the next ones") {
		t.Errorf("message: got %q, want it to name the next repositories", diags[0].Message)
	}
}

func TestReadDatesStopsWithContext(t *testing.T) {
	t.Parallel()
	r := history(t, 1)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	got, diags := readDates(ctx, []string{"1.md"}, git.Options{Dir: r.dir})
	requireNoFindings(t, diags)
	if why := got["1.md"].Why; why != "git could not be read" {
		t.Errorf("1.md: got reason %q, want %q", why, "git could not be read")
	}
}

// TestReadDatesIgnoresRepositorySettings checks that the configuration of a repository cannot
// start a program or change the results.
func TestReadDatesIgnoresRepositorySettings(t *testing.T) {
	r := history(t, 2)
	r.git("mv", "1.md", "moved.md")
	r.add("01-03", "sub/äöü.md", "a")
	spy := script(t, "touch "+filepath.Join(r.dir, "pwned")+"; exit 1")
	for key, value := range map[string]string{
		"core.fsmonitor": spy, "core.hooksPath": filepath.Dir(spy), "core.pager": spy, "pager.log": spy, "diff.external": spy,
		"diff.x.textconv": spy, "diff.x.command": spy, "gpg.program": spy, "log.showSignature": "true", "core.sshCommand": spy,
		"diff.renames": "copies", "diff.renameLimit": "1", "core.quotePath": "true", "log.follow": "true", "log.showRoot": "false",
		"log.date": "human", "log.decorate": "full", "log.diffMerges": "combined", "log.mailmap": "true", "format.pretty": "oneline",
		"diff.orderFile": "/no/such/file", "diff.relative": "true", "diff.noprefix": "true", "status.renames": "copies",
		"status.showUntrackedFiles": "all", "status.branch": "true", "status.short": "true", "status.showStash": "true",
		"status.relativePaths": "true", "color.ui": "always", "color.diff": "always", "color.status": "always",
		"alias.log": "!" + spy, "alias.status": "!" + spy, "notes.displayRef": "*", "i18n.logOutputEncoding": "UTF-16",
		"diff.submodule": "log", "diff.ignoreSubmodules": "none", "core.abbrev": "4", "column.ui": "always",
	} {
		r.git("config", key, value)
	}
	r.write(".git/info/attributes", "* diff=x\n")
	for key, value := range map[string]string{
		"GIT_DIR": "/no/such", "GIT_WORK_TREE": "/no/such", "GIT_INDEX_FILE": "/no/such", "GIT_EXTERNAL_DIFF": spy, "GIT_PAGER": spy,
		"GIT_LITERAL_PATHSPECS": "0", "GIT_ICASE_PATHSPECS": "1", "GIT_TRACE": "1", "GIT_DIFF_OPTS": "-u9", "LC_ALL": "de_DE.UTF-8", "LANGUAGE": "de",
	} {
		t.Setenv(key, value)
	}
	requireNoFindings(t, r.requireDates(git.Options{}, map[string]string{
		"moved.md": "2024-01-01", "2.md": "2024-01-02", "sub/äöü.md": "2024-01-03",
	}))
	if _, err := os.Stat(filepath.Join(r.dir, "pwned")); err == nil {
		t.Error("a setting started a program")
	}
}
