package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/sitewalk/sitewalk/internal/cli"
)

// writeTestManPages writes the man pages of a release, and returns their content by file name.
func writeTestManPages(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{}
	r := &release{version: "1.2.3", date: time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC), out: t.TempDir()}
	if err := r.writeManPages(); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(r.out, "man", "*"))
	for _, file := range files {
		pages[filepath.Base(file)] = readFile(t, file)
	}
	return pages
}

// TestManPagesContainEveryFlag checks that the man page of each command contains all its flags
// and has examples.
func TestManPagesContainEveryFlag(t *testing.T) {
	t.Chdir("../..")
	pages := writeTestManPages(t)
	for _, cmd := range listCommands(cli.RootCommand()) {
		page := pages[manPageName(cmd)+".1"]
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if want := `\fB\-\-` + escape(f.Name) + `\fR`; !f.Hidden && !strings.Contains(page, want) {
				t.Errorf("man page of %s does not contain --%s", cmd.CommandPath(), f.Name)
			}
		})
		if !strings.Contains(page, ".SH EXAMPLES\n") {
			t.Errorf("man page of %s has no examples", cmd.CommandPath())
		}
	}
	if !strings.Contains(pages["sitewalk.1"], `\fBsitewalk\-explain\fR(1)`) {
		t.Error("man page of sitewalk does not refer to sitewalk-explain(1)")
	}
}

func TestManPagesAreReproducible(t *testing.T) {
	t.Chdir("../..")
	first, second := writeTestManPages(t), writeTestManPages(t)
	if !maps.Equal(first, second) {
		t.Error("man pages of two runs differ")
	}
	if want := `.TH "SITEWALK-BUILD" 1 "2026-11-22" "sitewalk 1.2.3" "sitewalk manual"`; !strings.HasPrefix(first["sitewalk-build.1"], want) {
		t.Errorf("sitewalk-build.1 begins with %.100q, want %q", first["sitewalk-build.1"], want)
	}
}

func TestFormatProse(t *testing.T) {
	t.Chdir("../..")
	got := formatProse("One\ntwo.\n\n.dots\n\n  'a' \\ --b\n\n  c\n\nEnd")
	want := "One\ntwo.\n.PP\n\\&.dots\n.PP\n.PP\n.RS 4\n.nf\n\\(aqa\\(aq \\e \\-\\-b\n.sp\nc\n.sp\n.fi\n.RE\n.PP\nEnd\n"
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestWriteCompletions(t *testing.T) {
	t.Chdir("../..")
	out := t.TempDir()
	if err := run([]string{"-out", out, "completions"}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sitewalk.bash", "_sitewalk", "sitewalk.fish", "sitewalk.ps1"} {
		src, err := os.ReadFile(filepath.Join(out, "completions", name))
		if err != nil || !bytes.Contains(src, []byte("sitewalk")) || !bytes.Contains(src, []byte("__complete")) {
			t.Errorf("%s: got error %v, %d bytes without sitewalk or __complete", name, err, len(src))
		}
	}
}

func TestRunRejectsWrongCommandLines(t *testing.T) {
	t.Chdir("../..")
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "no command given"},
		{[]string{"man"}, "-out is empty"},
		{[]string{"-out", "x"}, "no command given"},
		{[]string{"-out", "x", "nonsense"}, `unknown command "nonsense"`},
		{[]string{"-out", "x", "-version", "v1.2.3", "man"}, "without the v"},
		{[]string{"-out", "x", "-date", "today", "man"}, "today"},
	} {
		err := run(c.args)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got error %v, want %q", c.args, err, c.want)
		}
	}
	if _, err := os.Stat("x"); err == nil {
		t.Error("a wrong command line created the folder x")
	}
}
