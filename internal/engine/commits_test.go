package engine

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/testsite"
)

// A history makes commits in the repository of a project, each on another day.
type history struct {
	*project
	days int
}

func (h *history) day() string { return fmt.Sprintf("2025-%02d-%02d", 1+h.days/28, 1+h.days%28) }

func requireGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
}

func (h *history) git(dir string, args ...string) string {
	h.T.Helper()
	cmd := exec.Command("git", append([]string{"-C", h.AbsPath(dir), "-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "protocol.file.allow=always", "-c", "maintenance.auto=false", "-c", "gc.auto=0"}, args...)...)
	when := h.day() + "T12:00:00Z"
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE="+when, "GIT_COMMITTER_DATE="+when, "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if err != nil {
		h.T.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit edits and commits a content file. It waits until the page at the path at has the date of
// the commit in the sitemap.
func (h *history) commit(dir, file, at string, args ...string) {
	h.T.Helper()
	h.days++
	h.Write(file, "---\ntitle: A\n---\n"+h.day()+"\n")
	h.WaitUntil("no date", func() bool { return !strings.Contains(h.Read("public/sitemap.xml"), at+"</loc><lastmod>") })
	rel, _ := filepath.Rel(h.AbsPath(dir), h.AbsPath(file))
	h.git(dir, "add", rel)
	h.git(dir, append([]string{"commit", "-q", "-m", "a page"}, args...)...)
	h.waitUntilDated(at)
}

// waitUntilDated waits until the page at the path at has the date of the last commit in the
// sitemap. It also compares the whole sitemap with a fresh build.
func (h *history) waitUntilDated(at string) {
	h.T.Helper()
	h.WaitUntil("the date "+h.day()+" of "+at, func() bool {
		return strings.Contains(h.Read("public/sitemap.xml"), at+"</loc><lastmod>"+h.day())
	})
	h.waitUntilLikeBuildInPlace()
}

// waitUntilLikeBuildInPlace waits until the sitemap equals the sitemap of a fresh build in the same
// folder.
func (p *project) waitUntilLikeBuildInPlace() {
	p.T.Helper()
	dir := p.T.TempDir()
	fresh := &project{Project: p.Project, getenv: p.getenv, now: p.now}
	fresh.flags = config.Flags{"output": []string{dir}}
	p.WaitUntil("the sitemap of a fresh build", func() bool {
		_, err := fresh.build(p.Dir)
		return err == nil && testsite.ReadTree(dir)["sitemap.xml"] == p.Read("public/sitemap.xml")
	})
}

// TestWatchDatesPagesByNewCommits checks that a watch dates pages by new commits, made in different
// ways and on different branches.
func TestWatchDatesPagesByNewCommits(t *testing.T) {
	requireGit(t)
	runWithVirtualTime(t, func(t *testing.T, p *project) {
		p.getenv = nil
		h := &history{project: p}
		p.Write("sitemap.yaml", testsite.SmallConfig+"content: {dir: content}\n")
		p.Write("content/a.md", "---\ntitle: A\n---\n")
		p.watchByPolling()
		h.git(".", "init", "-q", "-b", "main")
		h.commit(".", "content/a.md", "/a/")
		h.commit(".", "content/a.md", "/a/", "--amend", "--reset-author")
		h.git(".", "checkout", "-q", "-b", "topic/deep")
		h.commit(".", "content/a.md", "/a/")
		h.git(".", "pack-refs", "--all")
		h.commit(".", "content/a.md", "/a/")
		h.git(".", "checkout", "-q", "--detach")
		h.commit(".", "content/a.md", "/a/")
		h.git(".", "branch", "-q", "-f", "main")
		h.git(".", "checkout", "-q", "main")
		h.git(".", "rm", "-q", "--cached", "content/a.md")
		h.git(".", "commit", "-q", "-m", "stop tracking")
		p.WaitUntil("no date of an untracked file", func() bool { return !strings.Contains(p.Read("public/sitemap.xml"), "/a/</loc><lastmod>") })
		h.git(".", "reset", "-q", "HEAD~1")
		h.waitUntilDated("/a/")
		h.git(".", "config", "core.logAllRefUpdates", "false")
		h.Must(os.RemoveAll(h.AbsPath(".git/logs")))
		h.commit(".", "content/a.md", "/a/")
		h.git(".", "gc", "-q")
		h.waitUntilDated("/a/")
		h.Must(os.Rename(h.AbsPath(".git"), h.AbsPath("git")))
		p.WaitUntil("no date without a repository", func() bool { return !strings.Contains(p.Read("public/sitemap.xml"), "<lastmod>") })
		h.Must(os.Rename(h.AbsPath("git"), h.AbsPath(".git")))
		h.waitUntilDated("/a/")
		p.requireNoEvents()
	})
}

// TestWatchFollowsCommitsInWorktrees checks that a watch dates pages by new commits if .git is a
// file: in a linked work tree and in a submodule.
func TestWatchFollowsCommitsInWorktrees(t *testing.T) {
	requireGit(t)
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newProject(t, map[string]string{"main/x": "", "other/deep/b.md": "---\ntitle: B\n---\n"})
		p.getenv = nil
		h := &history{project: p}
		for _, dir := range []string{"main", "other"} {
			h.git(dir, "init", "-q")
			h.git(dir, "add", ".")
			h.git(dir, "commit", "-q", "-m", "first")
		}
		h.git("main", "worktree", "add", "-q", "-b", "linked", p.AbsPath("site"))
		h.git("site", "submodule", "--quiet", "add", p.AbsPath("other"), "content/sub")
		h.git("site", "commit", "-q", "-m", "a submodule")
		p.Dir = p.AbsPath("site")
		for name, text := range testsite.SmallFiles() {
			p.Write(name, text)
		}
		p.Write("sitemap.yaml", testsite.SmallConfig+"content: {dir: content}\n")
		p.Write("content/a.md", "---\ntitle: A\n---\n")
		p.Write("public/sub/deep/b/index.html", testsite.SmallPage)
		p.watchByPolling()
		h.waitUntilDated("/sub/deep/b/")
		h.commit(".", "content/a.md", "/a/")
		h.commit("content/sub", "content/sub/deep/b.md", "/sub/deep/b/")
		h.git(".", "checkout", "-q", "-b", "another/branch")
		h.commit(".", "content/a.md", "/a/")
		h.git("content/sub", "checkout", "-q", "-b", "another/branch")
		h.commit("content/sub", "content/sub/deep/b.md", "/sub/deep/b/")
		p.requireNoEvents()
	})
}

// TestWatchReadsRepairedRepository checks that pages get dates again after a broken repository is
// repaired. The watch must also notice replaced commits and grafts.
func TestWatchReadsRepairedRepository(t *testing.T) {
	requireGit(t)
	runWithVirtualTime(t, func(t *testing.T, p *project) {
		p.getenv = nil
		h := &history{project: p}
		p.Write("sitemap.yaml", testsite.SmallConfig+"content: {dir: content}\n")
		p.Write("content/a.md", "---\ntitle: A\n---\n")
		h.git(".", "init", "-q", "-b", "main")
		p.watchByPolling()
		h.commit(".", "content/a.md", "/a/")
		config := p.Read(".git/config")
		p.Write(".git/config", "[core\n")
		p.WaitUntil("no date from a broken repository", func() bool { return !strings.Contains(p.Read("public/sitemap.xml"), "<lastmod>") })
		p.Write(".git/config", config)
		h.waitUntilDated("/a/")
		for range 2 { // in the second round, the folder of replacements exists
			h.days++
			h.git(".", "replace", "-f", "HEAD", h.git(".", "commit-tree", "-m", "a page", "HEAD^{tree}"))
			h.waitUntilDated("/a/")
		}
		h.git(".", "replace", "-d", "HEAD")
		h.days -= 2
		h.waitUntilDated("/a/")
		h.days++
		p.Write("more", "")
		h.git(".", "add", "more")
		h.git(".", "commit", "-q", "-m", "more")
		p.Write(".git/info/grafts", h.git(".", "rev-parse", "HEAD")+"\n") // the last commit now has no parent
		h.waitUntilDated("/a/")
		p.requireNoEvents()
	})
}

// TestWatchQueriesGitAgainAfterFailure checks that the watch queries git again when a page changes,
// if git failed before. The cause may have been repaired where no file is watched.
func TestWatchQueriesGitAgainAfterFailure(t *testing.T) {
	requireGit(t)
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newProject(t, testsite.SmallFiles())
		p.getenv = nil
		h := &history{project: p}
		p.Write("sitemap.yaml", testsite.SmallConfig+"content: {dir: content}\n")
		p.Write("content/a.md", "---\ntitle: A\n---\n")
		h.git(".", "init", "-q", "-b", "main")
		h.git(".", "add", ".")
		h.git(".", "commit", "-q", "-m", "all")
		p.Must(os.Rename(h.AbsPath(".git/objects"), h.AbsPath("objects")))
		f := p.watchWithFakeWatcher()
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(p.events()) != 1 || p.sitemapHas("<lastmod>") {
			t.Errorf("git still fails: got events %+v and a sitemap with dates: %v, want one event and no dates", p.events(), p.sitemapHas("<lastmod>"))
		}
		p.Must(os.Rename(h.AbsPath("objects"), h.AbsPath(".git/objects")))
		p.Write("public/new.html", testsite.SmallPage)
		f.send("public/new.html")
		if !p.sitemapHas("/a/</loc><lastmod>" + h.day()) {
			t.Errorf("git is repaired, but the sitemap has no date: %+v", p.events())
		}
	})
}
