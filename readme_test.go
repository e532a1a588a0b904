package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/cli"
)

// sitewalk runs a command, without the environment's word, that has to succeed.
func sitewalk(t *testing.T, dir string, args ...string) string {
	t.Helper()
	var out, talk bytes.Buffer
	code := cli.Run(t.Context(), cli.Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &talk,
		Getenv: func(string) string { return "" }, Dir: dir, Now: time.Now,
	})
	if code != 0 {
		t.Fatalf("sitewalk %s: exit code %d\n%s", strings.Join(args, " "), code, talk.String())
	}
	return out.String()
}

func readme(t *testing.T) string {
	t.Helper()
	src, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

// maxWords bounds the README, which is read in one go. Lower it when the text allows it; do
// not raise it.
const maxWords = 900

func TestReadmeLength(t *testing.T) {
	if n := len(strings.Fields(readme(t))); n > maxWords {
		t.Errorf("README.md has %d words, and at most %d may be there; move details to docs/", n, maxWords)
	}
}

// TestReadmeFirstCommand runs the README's first command.
func TestReadmeFirstCommand(t *testing.T) {
	m := regexp.MustCompile(`(?m)^go run \. (.+)$`).FindStringSubmatch(readme(t))
	if m == nil {
		t.Fatal("the README has no first command")
	}
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	out := sitewalk(t, wd, strings.Fields(m[1])...)
	if got := strings.Count(out, "<loc>"); got != 6 || !strings.Contains(out, "</urlset>") {
		t.Errorf("it prints %d URLs, want the sample's 6:\n%s", got, out)
	}
}

// TestReleaseIsSaid compares what README, manual and CHANGELOG say of the release with
// each other, and the versions of their commands with it.
func TestReleaseIsSaid(t *testing.T) {
	changes, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^## (\d+\.\d+)\.\d+(, not released yet| \(\d{4}-\d\d-\d\d\))$`).FindSubmatch(changes)
	if m == nil {
		t.Fatal("CHANGELOG.md begins with no version that has a day or is not released yet")
	}
	install, err := os.ReadFile("docs/install.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"README.md": readme(t), "docs/install.md": string(install)} {
		says := strings.Contains(text, "Nothing is released yet") && strings.Contains(text, "version "+string(m[1])+".")
		if says != strings.Contains(string(m[2]), "not") {
			t.Errorf("%s says %v that nothing is released, CHANGELOG.md%s", name, says, m[2])
		}
		for _, npx := range regexp.MustCompile(`npx [^`+"`"+`]*?sitewalk\S*`).FindAllString(text, -1) {
			if !strings.HasSuffix(strings.TrimSuffix(npx, "`"), "npx --yes sitewalk@"+string(m[1])) {
				t.Errorf("%s: %s is not of version %s", name, npx, m[1])
			}
		}
	}
}
