//go:build e2e && linux

package channels

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// A shell is one that completes on a terminal, with the script of the release.
type shell struct {
	name  string
	start []string
	read  string // the command that reads the script, and sets the prompt
	slash string // behind a folder; zsh takes it away again before a blank
}

var shells = []shell{
	{
		name: "bash", start: []string{"bash", "--noprofile", "--norc", "-i"},
		read:  `source /usr/share/bash-completion/bash_completion; source "$SCRIPTS/sitewalk.bash"; bind "set enable-bracketed-paste off"; PS1="rea""dy> "`,
		slash: "/",
	},
	{
		name: "zsh", start: []string{"zsh", "-f", "-i"},
		read: `fpath=("$SCRIPTS" $fpath); autoload -U compinit; compinit -u -D; bindkey -e; PS1="rea""dy> "`,
	},
	{
		name: "fish", start: []string{"fish", "--private", "--no-config", "-i"},
		read:  `source "$SCRIPTS/sitewalk.fish"; function fish_prompt; echo -n rea"dy> "; end`,
		slash: "/",
	},
}

// TestCompletionInShells presses tab in real shells, on a terminal. There is no
// package of PowerShell.
func TestCompletionInShells(t *testing.T) {
	for _, sh := range shells {
		t.Run(sh.name, func(t *testing.T) {
			s := newSession(t)
			s.write("out/index.html", "<title>Home</title>")
			s.write("reports/today.html", "")
			s.write("sitemap.yaml", "base_url: https://example.internal/\npages: {dir: out}\n")
			s.do(self, "-q")
			w := sh.open(t, s)
			for typed, want := range map[string]string{
				"sitewalk expl":                    "sitewalk explain",
				"sitewalk build --base-u":          "sitewalk build --base-url",
				"sitewalk build --host netl":       "sitewalk build --host netlify",
				"sitewalk build --host=netl":       "sitewalk build --host=netlify",
				"sitewalk build --lastmod front":   "sitewalk build --lastmod frontmatter",
				"sitewalk check --level bad-dat":   "sitewalk check --level bad-date=",
				"sitewalk build --generator docus": "sitewalk build --generator docusaurus",
				"sitewalk check --report mark":     "sitewalk check --report markdown",
				"sitewalk init re":                 "sitewalk init reports" + sh.slash,
				"sitewalk diff out/sit":            "sitewalk diff out/sitemap.xml",
				"sitewalk build --config sitem":    "sitewalk build --config sitemap.yaml",
				"sitewalk completion power":        "sitewalk completion powershell",
				"sitewalk help submi":              "sitewalk help submit",
			} {
				if got := strings.TrimRight(w.complete(t, typed), " "); got != want {
					t.Errorf("%q: tab makes it %q, want %q", typed, got, want)
				}
			}
		})
	}
}

// A prompted is a shell that waits for what is typed.
type prompted struct {
	terminal *os.File
	shown    strings.Builder
}

// open starts the shell on a terminal of its own.
func (sh *shell) open(t *testing.T, s *session) *prompted {
	t.Helper()
	master, slave := newTerminal(t)
	if err := unix.IoctlSetWinsize(int(slave.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: 500}); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(s.look(sh.start[0]), sh.start[1:]...)
	cmd.Dir, cmd.Env = s.dir, append([]string{strings.Replace(s.env[0], "PATH=", "PATH="+filepath.Dir(self)+":", 1)}, s.env[1:]...)
	cmd.Env = append(cmd.Env, "SCRIPTS="+filepath.Join(out, "completions"), "TERM=dumb", "PS1=first> ")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = slave.Close()
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
		_ = master.Close()
	})
	w := &prompted{terminal: master}
	w.typed(t, sh.read+"\n")
	w.await(t, "ready> ")
	return w
}

func (w *prompted) typed(t *testing.T, text string) {
	t.Helper()
	if _, err := w.terminal.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

// await reads until the terminal has shown a text, and returns what stood before
// it.
func (w *prompted) await(t *testing.T, text string) string {
	t.Helper()
	buf := make([]byte, 4096)
	for {
		if before, after, found := strings.Cut(w.shown.String(), text); found {
			w.shown.Reset()
			w.shown.WriteString(after)
			return before
		}
		n, err := w.terminal.Read(buf)
		if err != nil {
			t.Fatalf("it ended with\n%s", w.shown.String())
		}
		w.shown.Write(buf[:n])
	}
}

// complete types a text and a tab, and has the shell print what the line is then.
func (w *prompted) complete(t *testing.T, typed string) string {
	t.Helper()
	w.typed(t, typed+"\t\x05:end\x01echo 'is':\n") // to the end of the line, to its beginning
	w.await(t, "is:")
	got := w.await(t, ":end")
	w.await(t, "ready> ")
	return got
}
