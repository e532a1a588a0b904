package git_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/git"
	"github.com/sitewalk/sitewalk/internal/testsite"
)

// A trap is a repository whose configuration names a program that creates a file when it runs.
type trap struct {
	*repository
	program string
	hooks   string // a folder with that program under the name of each hook
	mark    string // the file that the program creates
	gitPath string // the git to run; "" is that of the system
}

// hooks lists the names of git's hooks.
// See githooks(5).
var hooks = strings.Fields(`applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg
	commit-msg post-commit pre-rebase post-checkout post-merge pre-push pre-receive update proc-receive post-receive
	post-update reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman
	p4-changelist p4-prepare-changelist p4-post-changelist p4-pre-submit post-index-change`)

func newTrap(t *testing.T, r *repository) *trap {
	t.Helper()
	mark := filepath.Join(realDir(t), "mark")
	program := script(t, "echo \"$0 $*\" >>'"+mark+"'\nexit 1\n")
	tr := &trap{repository: r, program: program, mark: mark, hooks: realDir(t)}
	for _, hook := range hooks {
		if err := os.Symlink(program, filepath.Join(tr.hooks, hook)); err != nil {
			t.Fatal(err)
		}
	}
	return tr
}

// requireNoProgramRan fails the test if the program of the trap ran.
func (tr *trap) requireNoProgramRan(what string) {
	tr.tb.Helper()
	if text, err := os.ReadFile(tr.mark); err == nil {
		tr.tb.Errorf("%s started a program: %s", what, text)
		os.Remove(tr.mark)
	}
}

// value returns the value of a configuration key with which git would start the program.
func (tr *trap) value(key string) string {
	switch {
	case strings.EqualFold(key, "core.hooksPath"), strings.EqualFold(key, "init.templateDir"):
		return tr.hooks
	case strings.HasPrefix(key, "alias."), strings.HasPrefix(key, "submodule."):
		return "!" + tr.program
	case strings.HasPrefix(key, "trace2."):
		return tr.mark
	}
	return tr.program
}

// commandKeys are keys that name a program but are missing in git's own list of keys, at least in
// some versions.
var commandKeys = strings.Fields(`filter.x.clean filter.x.smudge filter.x.process diff.x.command diff.x.textconv diff.external
	merge.x.driver core.fsmonitor core.hooksPath core.pager core.editor core.askPass core.sshCommand core.gitProxy
	core.alternateRefsCommand pager.log pager.status pager.ls-tree pager.fetch
	alias.log alias.status alias.ls-tree alias.fetch alias.remote-none
	gpg.program gpg.openpgp.program gpg.ssh.program gpg.x509.program gpg.ssh.defaultKeyCommand credential.helper
	credential.https://example.com.helper sequence.editor interactive.diffFilter uploadpack.packObjectsHook
	remote.origin.uploadpack remote.origin.receivepack submodule.x.update tar.x.command trailer.x.command trailer.x.cmd
	trace2.eventTarget trace2.normalTarget trace2.perfTarget hook.x.command sendemail.sendmailCmd web.browser man.x.cmd
	difftool.x.cmd mergetool.x.cmd guitool.x.cmd instaweb.httpd imap.tunnel core.virtualFilesystem init.templateDir`)

// commandKeyPattern matches keys that may name a program, a file or another repository.
var commandKeyPattern = regexp.MustCompile(`(?i)command|cmd|program|helper|driver|textconv|pager|editor|clean|smudge|process|` +
	`tunnel|askpass|proxy|path|external|filter|pack$|vcs|alias|fsmonitor|httpd|browser|hook|server|target|template|recurse|file`)

// documentedKeys returns the configuration keys of the installed git that may name a program, a
// file or another repository.
func documentedKeys(t *testing.T) (keys []string) {
	out, err := exec.Command("git", "help", "--config").Output()
	if err != nil {
		t.Logf("git does not list its keys: %v", err)
	}
	placeholder := regexp.MustCompile(`<[^>]*>|\*`)
	for key := range strings.Lines(string(out)) {
		key = placeholder.ReplaceAllString(strings.TrimSpace(key), "x")
		if commandKeyPattern.MatchString(key) && strings.Count(key, ".") > 0 && !strings.HasPrefix(key, "include") {
			keys = append(keys, key)
		}
	}
	return keys
}

// setAll writes keys to a configuration file and checks that git reads them.
func (tr *trap) setAll(file string, keys []string) {
	tr.tb.Helper()
	for _, key := range keys {
		tr.set(file, key)
	}
	read := strings.Split(tr.git("config", "--file", file, "--null", "--list"), "\x00")
	for _, key := range keys {
		first, last := strings.Index(key, "."), strings.LastIndex(key, ".")
		want := strings.ToLower(key[:first]) + key[first:last] + strings.ToLower(key[last:]) + "\n" + tr.value(key)
		if !slices.Contains(read, want) {
			tr.tb.Fatalf("git does not read %q", want)
		}
	}
}

// set sets a configuration key without running "git config", because one process for each key is
// slow.
func (tr *trap) set(file, key string) {
	tr.tb.Helper()
	f, err := os.OpenFile(filepath.Join(tr.dir, file), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		tr.tb.Fatal(err)
	}
	defer f.Close()
	first, last := strings.Index(key, "."), strings.LastIndex(key, ".")
	section := key[:first]
	if first < last {
		section += fmt.Sprintf(" %q", key[first+1:last])
	}
	if _, err := fmt.Fprintf(f, "[%s]\n\t%s = %q\n", section, key[last+1:], tr.value(key)); err != nil {
		tr.tb.Fatal(err)
	}
}

var midnight = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)

const attributes = "* filter=x diff=x merge=x text=auto ident working-tree-encoding=UTF-8\n"

// editKeepingSize edits each file without changing its size, so that git would have to read and
// filter it.
func (r *repository) editKeepingSize() {
	r.tb.Helper()
	paths, _ := filepath.Glob(filepath.Join(r.dir, "*.md"))
	below, _ := filepath.Glob(filepath.Join(r.dir, "*", "*", "*.md"))
	for _, path := range append(paths, below...) {
		text, err := os.ReadFile(path)
		if err != nil {
			r.tb.Fatal(err)
		}
		text[0] ^= 1
		if err := os.WriteFile(path, text, 0o666); err != nil {
			r.tb.Fatal(err)
		}
		if err := os.Chtimes(path, midnight, midnight); err != nil {
			r.tb.Fatal(err)
		}
	}
}

// runAll calls each function of this package that runs git in a repository.
func (tr *trap) runAll(names ...string) map[string]git.Result {
	got, _ := readDates(tr.tb.Context(), names, git.Options{Dir: tr.dir, Git: tr.gitPath})
	git.BoundaryCommits(tr.tb.Context(), []string{tr.dir}, git.Options{Git: tr.gitPath})
	git.StateFiles(tr.dir)
	return got
}

// TestRunIgnoresProgramsInSettings sets configuration keys that name a program. A thorough run
// sets each key alone, because some keys make git stop before it reads others.
func TestRunIgnoresProgramsInSettings(t *testing.T) {
	t.Parallel()
	c := history(t, 2).clone("--depth=2")
	c.git("config", "log.showSignature", "true")
	c.write(".git/info/attributes", attributes)
	c.editKeepingSize()
	tr := newTrap(t, c)
	config, err := os.ReadFile(filepath.Join(c.dir, ".git/config"))
	if err != nil {
		t.Fatal(err)
	}
	keys := slices.Concat(commandKeys, documentedKeys(t))
	slices.Sort(keys)
	keys = slices.Compact(keys)
	tr.setAll("settings", keys)
	remove(c, "settings")
	for group := range slices.Chunk(keys, testsite.Repeat(8, 1)) {
		for _, key := range group {
			tr.set(".git/config", key)
			if strings.HasPrefix(key, "filter.") {
				c.git("config", "filter.x.required", "true")
			}
		}
		tr.runAll("1.md", "2.md")
		tr.requireNoProgramRan(strings.Join(group, ", "))
		overwrite(c, ".git/config", string(config))
	}
	t.Logf("%d keys", len(keys))
}

// TestRunIgnoresProgramsInEveryConfigFile sets all keys in each file from which git reads
// configuration or attributes.
func TestRunIgnoresProgramsInEveryConfigFile(t *testing.T) {
	t.Parallel()
	for name, place := range map[string]func(r *repository) string{
		"config":  func(r *repository) string { return ".git/config" },
		"include": func(r *repository) string { r.git("config", "include.path", "../more"); return "more" },
		"includeIf": func(r *repository) string {
			r.git("config", "includeIf.gitdir:"+filepath.ToSlash(r.dir)+"/.path", filepath.Join(r.dir, "more"))
			return "more"
		},
		"work tree": func(r *repository) string {
			r.git("config", "extensions.worktreeConfig", "true")
			return ".git/config.worktree"
		},
	} {
		for _, file := range []string{".gitattributes", ".git/info/attributes"} {
			t.Run(name+" "+file, func(t *testing.T) {
				r := history(t, 2)
				r.write(file, attributes)
				tr := newTrap(t, r)
				for _, hook := range hooks {
					r.write(".git/hooks/"+hook, "#!/bin/sh\nexec "+tr.program+"\n")
					if err := os.Chmod(filepath.Join(r.dir, ".git/hooks", hook), 0o777); err != nil {
						t.Fatal(err)
					}
				}
				into := place(r)
				tr.setAll(into, commandKeys)
				r.editKeepingSize()
				if got := tr.runAll("1.md"); got["1.md"].Why != "edited since the last commit" {
					t.Errorf("1.md: got %+v, want it edited", got["1.md"])
				}
				tr.requireNoProgramRan("a setting")
			})
		}
	}
}

// TestRunIgnoresProgramsOfSubmodules reads dates in a submodule with its own configuration, and
// in its parent repository.
func TestRunIgnoresProgramsOfSubmodules(t *testing.T) {
	t.Parallel()
	theme := newRepository(t)
	theme.add("01-05", "theme.md", "theme")
	r := newRepository(t)
	r.add("01-01", "a.md", "a")
	r.git("submodule", "add", "-q", "file://"+filepath.ToSlash(theme.dir), "themes/t")
	r.commitOn("01-02")
	tr := newTrap(t, r)
	r.git("config", "submodule.recurse", "true")
	r.git("config", "diff.submodule", "log")
	r.git("config", "status.submoduleSummary", "true")
	r.write(".git/modules/themes/t/info/attributes", attributes)
	tr.setAll(".git/modules/themes/t/config", commandKeys)
	r.editKeepingSize()
	tr.runAll("a.md", "themes/t/theme.md")
	tr.requireNoProgramRan("a submodule")
}

// TestRunIgnoresProgramsOfRemotes reads dates in a clone with missing objects, which git would
// fetch from the configured remote.
func TestRunIgnoresProgramsOfRemotes(t *testing.T) {
	t.Parallel()
	r := history(t, 2)
	clones := map[string]*repository{} // no fetch succeeds, so the tests can share the clones
	for _, filter := range []string{"--filter=tree:0", "--filter=blob:none"}[:testsite.Repeat(1, 2)] {
		c := r.clone(filter)
		c.write(".git/info/attributes", attributes)
		c.editKeepingSize()
		clones[filter] = c
	}
	for name, set := range map[string]func(tr *trap, origin string){
		"ext": func(tr *trap, _ string) {
			tr.git("config", "remote.origin.url", "ext::"+tr.program)
			tr.git("config", "protocol.ext.allow", "always")
		},
		"insteadOf": func(tr *trap, _ string) {
			tr.git("config", "remote.origin.url", "https://example.com/")
			tr.git("config", "url.ext::"+tr.program+".insteadOf", "https://example.com/")
			tr.git("config", "protocol.allow", "always")
		},
		"helper by alias": func(tr *trap, _ string) {
			tr.git("config", "remote.origin.vcs", "none")
			tr.git("config", "alias.remote-none", "!"+tr.program)
		},
		"ssh": func(tr *trap, _ string) {
			tr.git("config", "remote.origin.url", "ssh://example.com/x")
			tr.git("config", "core.sshCommand", tr.program)
		},
		"proxy": func(tr *trap, _ string) {
			tr.git("config", "remote.origin.url", "git://example.com/x")
			tr.git("config", "core.gitProxy", tr.program)
		},
		"upload-pack program": func(tr *trap, origin string) {
			tr.git("config", "remote.origin.url", "file://"+origin)
			tr.git("config", "remote.origin.uploadpack", tr.program)
			tr.git("config", "protocol.file.allow", "always")
		},
		"bundle": func(tr *trap, _ string) {
			tr.git("config", "fetch.bundleURI", "https://example.com/x")
			tr.git("config", "remote.origin.url", "ext::"+tr.program)
		},
	} {
		t.Run(name, func(t *testing.T) {
			older := script(t, "unset GIT_NO_LAZY_FETCH\nexec git \"$@\"\n") // like git before 2.45
			for filter, c := range clones {
				tr := newTrap(t, c)
				config, err := os.ReadFile(filepath.Join(c.dir, ".git/config"))
				if err != nil {
					t.Fatal(err)
				}
				set(tr, r.dir)
				for _, tr.gitPath = range []string{"", older} {
					tr.runAll("1.md", "2.md")
					tr.requireNoProgramRan(filter)
				}
				overwrite(c, ".git/config", string(config))
			}
		})
	}
}

// TestMarkEditedAcceptsConvertedLineEnds checks that a file with line ends converted by git does
// not count as edited. A file changed by a filter counts as edited, because the filter does not
// run.
func TestMarkEditedAcceptsConvertedLineEnds(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.git("config", "filter.x.clean", "tr a-z n-za-m")
	r.git("config", "filter.x.smudge", "tr a-z n-za-m")
	r.git("config", "core.autocrlf", "true")
	r.write(".gitattributes", "*.rot filter=x\n*.lf -text\n")
	for _, name := range []string{"same.rot", "a.txt", "edited.txt", "a.lf"} {
		r.add("01-01", name, "hello\nto all\n")
	}
	r.git("rm", "-rq", "--cached", ".")
	r.git("reset", "-q", "--hard")
	if text, _ := os.ReadFile(filepath.Join(r.dir, "a.txt")); string(text) != "hello\r\nto all\r\n" {
		t.Fatalf("got %q, want CRLF line ends", text)
	}
	r.write("edited.txt", "something else\n")
	const changed = "edited since the last commit"
	requireNoFindings(t, r.requireDates(git.Options{}, map[string]string{
		"a.txt": "2024-01-01", "a.lf": "2024-01-01", "same.rot": changed, "edited.txt": changed,
	}))
}

// TestMarkEditedFindsEditsOfSameSize checks that edits are found if the size and the modification
// time do not change.
func TestMarkEditedFindsEditsOfSameSize(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	for _, name := range []string{"kept", "edited"} {
		r.write(name, "one\n")
		if err := os.Chtimes(filepath.Join(r.dir, name), midnight, midnight); err != nil {
			t.Fatal(err)
		}
	}
	r.commitOn("01-01")
	r.write("edited", "two\n")
	if err := os.Chtimes(filepath.Join(r.dir, "edited"), midnight, midnight); err != nil {
		t.Fatal(err)
	}
	requireNoFindings(t, r.requireDates(git.Options{}, map[string]string{"kept": "2024-01-01", "edited": "edited since the last commit"}))
}

// TestReadDatesLimitsHugeCommits reads a history that contains a commit with a message larger
// than maxObject.
func TestReadDatesLimitsHugeCommits(t *testing.T) {
	t.Parallel()
	r := history(t, 1)
	const size = 512 << 20
	head := "tree " + r.git("rev-parse", "HEAD^{tree}") + "\nparent " + r.git("rev-parse", "HEAD") +
		"\nauthor A <a@example.com> 1 +0000\ncommitter A <a@example.com> 1 +0000\n\n"
	commit := append([]byte(head), bytes.Repeat([]byte("x"), testsite.Repeat(1<<20, size))...)
	r.git("update-ref", "HEAD", r.gitIn(commit, nil, "-c", "core.compression=1", "hash-object", "-t", "commit", "-w", "--stdin"))
	if len(commit) < size {
		requireNoFindings(t, r.requireDates(git.Options{}, map[string]string{"1.md": "2024-01-01"}))
		return
	}
	diags := r.requireDates(git.Options{}, map[string]string{"1.md": "git could not be read"})
	requireFinding(t, diags, "git-failed", "git fsck")
	if !strings.Contains(diags[0].Message, "over limit") {
		t.Errorf("got finding %s, want a message with %q", diags[0], "over limit")
	}
}
