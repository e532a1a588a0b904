package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A history makes commits, each on a day of its own.
type history struct {
	*project
	days int
}

func (h *history) day() string { return fmt.Sprintf("2025-%02d-%02d", 1+h.days/28, 1+h.days%28) }

func (h *history) git(dir string, args ...string) {
	h.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", h.at(dir), "-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "protocol.file.allow=always"}, args...)...)
	when := h.day() + "T12:00:00Z"
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE="+when, "GIT_COMMITTER_DATE="+when, "GIT_CONFIG_GLOBAL="+os.DevNull)
	if out, err := cmd.CombinedOutput(); err != nil {
		h.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// commit edits a content file and commits it, and waits for its date.
func (h *history) commit(dir, file, at string, args ...string) {
	h.t.Helper()
	h.days++
	h.write(file, "---\ntitle: A\n---\n"+h.day()+"\n")
	h.until("no date", func() bool { return !strings.Contains(h.read("public/sitemap.xml"), at+"</loc><lastmod>") })
	rel, _ := filepath.Rel(h.at(dir), h.at(file))
	h.git(dir, "add", rel)
	h.git(dir, append([]string{"commit", "-q", "-m", "a page"}, args...)...)
	h.dated(at)
}

// dated waits for the date of the last commit, and checks all dates.
func (h *history) dated(at string) {
	h.t.Helper()
	h.until("the date "+h.day()+" of "+at, func() bool {
		return strings.Contains(h.read("public/sitemap.xml"), at+"</loc><lastmod>"+h.day())
	})
	h.asBuilt()
}

// asBuilt waits until the sitemap is that of a build here.
func (p *project) asBuilt() {
	p.t.Helper()
	dir := p.t.TempDir()
	p.until("what a build writes", func() bool {
		env := p.env(p.dir, append([]string{"build", "-q", "-o", dir}, p.args...)...)
		env.Stdout, env.Stderr = &tape{}, &tape{}
		return Run(p.t.Context(), env) == exitOK && files(dir)["sitemap.xml"] == p.read("public/sitemap.xml")
	})
}

// TestWatchCommits dates pages by the commits that come while it watches, on
// the branches and in the ways that there are.
func TestWatchCommits(t *testing.T) {
	backendsOfWatch(t, func(t *testing.T, args ...string) {
		p := newProject(t, smallSite())
		p.getenv = nil
		h := &history{project: p}
		p.write("sitemap.yaml", plainConfig+"content: {dir: content}\n")
		p.write("content/a.md", "---\ntitle: A\n---\n")
		p.watch(args...)
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
		p.until("no date of an untracked file", func() bool { return !strings.Contains(p.read("public/sitemap.xml"), "/a/</loc><lastmod>") })
		h.git(".", "reset", "-q")
		h.dated("/a/")
		h.git(".", "config", "core.logAllRefUpdates", "false")
		h.must(os.RemoveAll(h.at(".git/logs")))
		h.commit(".", "content/a.md", "/a/")
		h.git(".", "gc", "-q")
		h.dated("/a/")
		h.must(os.Rename(h.at(".git"), h.at("git")))
		p.until("no date without a repository", func() bool { return !strings.Contains(p.read("public/sitemap.xml"), "<lastmod>") })
		h.must(os.Rename(h.at("git"), h.at(".git")))
		h.dated("/a/")
		p.quietly()
	})
}

// TestWatchWorktree follows commits where .git is a file: in a linked work tree,
// and in submodules above and below the content.
func TestWatchWorktree(t *testing.T) {
	backendsOfWatch(t, func(t *testing.T, args ...string) {
		p := newProject(t, map[string]string{"main/x": "", "other/deep/b.md": "---\ntitle: B\n---\n"})
		p.getenv = nil
		h := &history{project: p}
		for _, dir := range []string{"main", "other"} {
			h.git(dir, "init", "-q")
			h.git(dir, "add", ".")
			h.git(dir, "commit", "-q", "-m", "first")
		}
		h.git("main", "worktree", "add", "-q", "-b", "linked", p.at("site"))
		h.git("site", "submodule", "--quiet", "add", p.at("other"), "content/sub")
		h.git("site", "commit", "-q", "-m", "a submodule")
		p.dir = p.at("site")
		for name, text := range smallSite() {
			p.write(name, text)
		}
		p.write("sitemap.yaml", plainConfig+"content: {dir: content}\n")
		p.write("content/a.md", "---\ntitle: A\n---\n")
		p.write("public/sub/deep/b/index.html", htmlPage)
		p.watch(args...)
		h.dated("/sub/deep/b/")
		h.commit(".", "content/a.md", "/a/")
		h.commit("content/sub", "content/sub/deep/b.md", "/sub/deep/b/")
		h.git(".", "checkout", "-q", "-b", "another/branch")
		h.commit(".", "content/a.md", "/a/")
		h.git("content/sub", "checkout", "-q", "-b", "another/branch")
		h.commit("content/sub", "content/sub/deep/b.md", "/sub/deep/b/")
		p.quietly()
	})
}
