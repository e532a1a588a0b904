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

// A shell is a shell with a completion script in the release.
type shell struct {
	name    string
	command []string
	setup   string // loads the completion script and sets the prompt "ready> "
	slash   string // after a completed folder; zsh removes the slash before a space
}

var shells = []shell{
	{
		name: "bash", command: []string{"bash", "--noprofile", "--norc", "-i"},
		setup: `source /usr/share/bash-completion/bash_completion; source "$SCRIPTS/sitewalk.bash"; bind "set enable-bracketed-paste off"; PS1="rea""dy> "`,
		slash: "/",
	},
	{
		name: "zsh", command: []string{"zsh", "-f", "-i"},
		setup: `fpath=("$SCRIPTS" $fpath); autoload -U compinit; compinit -u -D; bindkey -e; PS1="rea""dy> "`,
	},
	{
		name: "fish", command: []string{"fish", "--private", "--no-config", "-i"},
		setup: `source "$SCRIPTS/sitewalk.fish"; function fish_prompt; echo -n rea"dy> "; end`,
		slash: "/",
	},
}

// TestCompletionInShells presses tab in bash, zsh and fish on a terminal, and checks the completed
// command lines.
func TestCompletionInShells(t *testing.T) {
	for _, sh := range shells {
		t.Run(sh.name, func(t *testing.T) {
			s := newSession(t)
			s.write("out/index.html", "<title>Home</title>")
			s.write("reports/today.html", "")
			s.write("sitemap.yaml", "base_url: https://example.internal/\npages: {dir: out}\n")
			s.run(self, "-q")
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
					t.Errorf("completion of %q: %q, want %q", typed, got, want)
				}
			}
		})
	}
}

// A shellProcess is a shell on its own terminal.
type shellProcess struct {
	terminal *os.File
	output   strings.Builder // output that awaitOutput has not returned yet
}

// open starts the shell on its own terminal.
func (sh *shell) open(t *testing.T, s *session) *shellProcess {
	t.Helper()
	master, slave := newTerminal(t)
	if err := unix.IoctlSetWinsize(int(slave.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: 500}); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(s.lookPath(sh.command[0]), sh.command[1:]...)
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
	p := &shellProcess{terminal: master}
	p.typeText(t, sh.setup+"\n")
	p.awaitOutput(t, "ready> ")
	return p
}

func (p *shellProcess) typeText(t *testing.T, text string) {
	t.Helper()
	if _, err := p.terminal.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

// awaitOutput waits until the terminal shows a text, and returns the output before the text.
func (p *shellProcess) awaitOutput(t *testing.T, text string) string {
	t.Helper()
	buf := make([]byte, 4096)
	for {
		if before, after, found := strings.Cut(p.output.String(), text); found {
			p.output.Reset()
			p.output.WriteString(after)
			return before
		}
		n, err := p.terminal.Read(buf)
		if err != nil {
			t.Fatalf("the shell ended with the output\n%s", p.output.String())
		}
		p.output.Write(buf[:n])
	}
}

// complete types a text and a tab, and returns the completed command line.
func (p *shellProcess) complete(t *testing.T, typed string) string {
	t.Helper()
	// Ctrl-E and Ctrl-A move to the end and to the beginning of the line.
	p.typeText(t, typed+"\t\x05:end\x01echo 'is':\n")
	p.awaitOutput(t, "is:")
	got := p.awaitOutput(t, ":end")
	p.awaitOutput(t, "ready> ")
	return got
}
