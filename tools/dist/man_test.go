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

func manPages(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{}
	r := &release{version: "1.2.3", date: time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC), out: t.TempDir()}
	if err := r.writeManPages(); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(r.out, "man", "*"))
	for _, file := range files {
		pages[filepath.Base(file)] = read(t, file)
	}
	return pages
}

func TestManualHasEveryCommandAndFlag(t *testing.T) {
	t.Chdir("../..")
	pages := manPages(t)
	for _, cmd := range listCommands(cli.RootCommand()) {
		page := pages[manPageName(cmd)+".1"]
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if want := `\fB\-\-` + escape(f.Name) + `\fR`; !f.Hidden && !strings.Contains(page, want) {
				t.Errorf("the page of %s does not name --%s", cmd.CommandPath(), f.Name)
			}
		})
		if !strings.Contains(page, ".SH EXAMPLES\n") {
			t.Errorf("%s has no example", cmd.CommandPath())
		}
	}
	if !strings.Contains(pages["sitewalk.1"], `\fBsitewalk\-explain\fR(1)`) {
		t.Error("the page of the program does not name explain")
	}
}

func TestManualIsTheSameTwice(t *testing.T) {
	t.Chdir("../..")
	first, second := manPages(t), manPages(t)
	if !maps.Equal(first, second) {
		t.Error("two runs differ")
	}
	if want := `.TH "SITEWALK-BUILD" 1 "2026-11-22" "sitewalk 1.2.3" "sitewalk manual"`; !strings.HasPrefix(first["sitewalk-build.1"], want) {
		t.Errorf("it begins %.100q", first["sitewalk-build.1"])
	}
}

func TestProse(t *testing.T) {
	t.Chdir("../..")
	got := formatProse("One\ntwo.\n\n.dots\n\n  'a' \\ --b\n\n  c\n\nEnd")
	want := "One\ntwo.\n.PP\n\\&.dots\n.PP\n.PP\n.RS 4\n.nf\n\\(aqa\\(aq \\e \\-\\-b\n.sp\nc\n.sp\n.fi\n.RE\n.PP\nEnd\n"
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestCompletionScripts(t *testing.T) {
	t.Chdir("../..")
	out := t.TempDir()
	if err := run([]string{"-out", out, "completions"}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sitewalk.bash", "_sitewalk", "sitewalk.fish", "sitewalk.ps1"} {
		src, err := os.ReadFile(filepath.Join(out, "completions", name))
		if err != nil || !bytes.Contains(src, []byte("sitewalk")) || !bytes.Contains(src, []byte("__complete")) {
			t.Errorf("%s: %v, %d bytes", name, err, len(src))
		}
	}
}

func TestWrongCommandLines(t *testing.T) {
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
			t.Errorf("%q: %v, want %q", c.args, err, c.want)
		}
	}
	if _, err := os.Stat("x"); err == nil {
		t.Error("a wrong command line created files")
	}
}
