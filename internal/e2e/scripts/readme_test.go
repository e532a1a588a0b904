package scripts

import (
	"regexp"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// maxReadmeWords is the maximum number of words in README.md. Lower it when the text allows it; do
// not raise it.
const maxReadmeWords = 900

func TestReadmeLength(t *testing.T) {
	testsite.ChdirToRoot(t)
	if n := len(strings.Fields(contents(t, "README.md"))); n > maxReadmeWords {
		t.Errorf("README.md has %d words, want at most %d; move details to docs/", n, maxReadmeWords)
	}
}

// TestReadmeFirstCommand checks that the first command of the README prints the sitemap of the
// sample site.
func TestReadmeFirstCommand(t *testing.T) {
	testsite.ChdirToRoot(t)
	m := regexp.MustCompile(`(?m)^go run \. (.+)$`).FindStringSubmatch(contents(t, "README.md"))
	if m == nil {
		t.Fatal("the README has no first command")
	}
	out := run(t, ".", strings.Fields(m[1])...)
	if got := strings.Count(out, "<loc>"); got != 6 || !strings.Contains(out, "</urlset>") {
		t.Errorf("the command prints %d URLs, want 6 and the whole sitemap:\n%s", got, out)
	}
}

// TestManualNamesRelease checks that README.md and docs/install.md name the newest release of
// CHANGELOG.md, also in their npx commands.
func TestManualNamesRelease(t *testing.T) {
	testsite.ChdirToRoot(t)
	m := regexp.MustCompile(`(?m)^## (\d+\.\d+)\.\d+(, not released yet| \(\d{4}-\d\d-\d\d\))$`).FindStringSubmatch(contents(t, "CHANGELOG.md"))
	if m == nil {
		t.Fatal("CHANGELOG.md has no heading with a version and a date or \"not released yet\"")
	}
	version, isReleased := m[1], !strings.Contains(m[2], "not")
	for _, name := range []string{"README.md", "docs/install.md"} {
		text := contents(t, name)
		namesNoRelease := strings.Contains(text, "Nothing is released yet") && strings.Contains(text, "version "+version+".")
		if namesNoRelease == isReleased {
			t.Errorf("%s names no release: %v, CHANGELOG.md has the version %s%s", name, namesNoRelease, version, m[2])
		}
		for _, npx := range regexp.MustCompile("npx [^`]*?sitewalk\\S*").FindAllString(text, -1) {
			if !strings.HasSuffix(strings.TrimSuffix(npx, "`"), "npx --yes sitewalk@"+version) {
				t.Errorf("%s: %q does not name the version %s", name, npx, version)
			}
		}
	}
}
