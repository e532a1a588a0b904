package policy

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// Limits for the Markdown pages. Lower them if the text allows it; do not raise them.
const (
	maxLongSentences = 0  // sentences with more than maxSentenceWords, in all pages together
	maxSentenceWords = 35 // about twice the length of a good sentence
)

// markdownPages returns the text of every Markdown page of the repository, by file name.
func markdownPages(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || d.Name() == "public" || d.Name() == ".git") {
			return fs.SkipDir
		}
		if err != nil || filepath.Ext(name) != ".md" {
			return err
		}
		src, err := os.ReadFile(name)
		pages[filepath.ToSlash(name)] = string(src)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

var (
	codeBlock  = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	codeSpan   = regexp.MustCompile("`[^`\n]+`")
	linkTarget = regexp.MustCompile(`\]\([^)]*\)`)
)

// prose returns a page without code blocks and link targets. A code span becomes one word.
func prose(page string) string {
	page = codeBlock.ReplaceAllString(page, "\n")
	return linkTarget.ReplaceAllString(codeSpan.ReplaceAllString(page, "CODE"), "]")
}

// blockStart matches the first line of a block: a blank line, a list item, a heading, a table row
// or a quotation.
var blockStart = regexp.MustCompile(`^(\s*$|\s*[-*] |\s*\d+\. |#|\||>)`)

// splitSentences splits prose into sentences. A sentence also ends before a blockStart and at the
// end of a table cell.
func splitSentences(text string) (all []string) {
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

// TestSentenceLength checks that no Markdown page has a sentence of more than maxSentenceWords.
func TestSentenceLength(t *testing.T) {
	testsite.ChdirToRoot(t)
	count := 0
	for name, page := range markdownPages(t) {
		for _, s := range splitSentences(prose(page)) {
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
