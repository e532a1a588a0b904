package policy

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// The bounds of what people read. Lower them when the text allows it; do not raise
// them.
const (
	maxLongSentences = 0  // sentences above maxSentenceWords, in all pages together
	maxSentenceWords = 35 // about twice the length of a good sentence
)

// texts returns the files below a folder that end in one of the endings, by name.
func texts(t *testing.T, dir string, endings ...string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || d.Name() == "public" || d.Name() == ".git") {
			return fs.SkipDir
		}
		if err != nil || !slices.Contains(endings, filepath.Ext(name)) {
			return err
		}
		src, err := os.ReadFile(name)
		found[filepath.ToSlash(name)] = string(src)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// manual returns every page that people read, by name: that of the repository, docs/ and
// the packages.
func manual(t *testing.T) map[string]string {
	t.Helper()
	return texts(t, ".", ".md")
}

var (
	codeBlock = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	codeSpan  = regexp.MustCompile("`[^`\n]+`")
	target    = regexp.MustCompile(`\]\([^)]*\)`)
)

// prose returns a page without its code and the targets of its links; a code span is
// one word.
func prose(page string) string {
	page = codeBlock.ReplaceAllString(page, "\n")
	return target.ReplaceAllString(codeSpan.ReplaceAllString(page, "CODE"), "]")
}

// blockStart begins a paragraph, an item, a heading or a row.
var blockStart = regexp.MustCompile(`^(\s*$|\s*[-*] |\s*\d+\. |#|\||>)`)

// sentences returns the sentences of prose: a blank line, an item of a list, a heading
// and a cell of a table each end one, too.
func sentences(text string) (all []string) {
	var block strings.Builder
	flush := func() {
		all = append(all, regexp.MustCompile(`[.!?:]["*_)]*\s+`).Split(block.String(), -1)...)
		block.Reset()
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if blockStart.MatchString(line) {
			flush()
		}
		if strings.HasPrefix(line, "|") {
			for _, cell := range strings.Split(line, "|") {
				block.WriteString(cell)
				flush()
			}
			continue
		}
		block.WriteString(line + " ")
	}
	flush()
	return all
}

// TestShortSentences lists the sentences that are too long to be understood at once.
func TestShortSentences(t *testing.T) {
	testsite.ChdirToRoot(t)
	count := 0
	for name, page := range manual(t) {
		for _, s := range sentences(prose(page)) {
			if n := len(strings.Fields(s)); n > maxSentenceWords {
				count++
				t.Logf("%s: a sentence of %d words: %s", name, n, strings.TrimSpace(s))
			}
		}
	}
	if count > maxLongSentences {
		t.Errorf("%d sentences have more than %d words, want at most %d", count, maxSentenceWords, maxLongSentences)
	}
}
