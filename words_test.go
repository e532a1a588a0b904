package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The bounds of what people read. Lower them when the text allows it; do not raise
// them.
const (
	maxReadmeWords   = 900
	maxOldWords      = 0  // words of oldWords, in all pages together
	maxLongSentences = 0  // sentences above maxSentenceWords, in all pages together
	maxSentenceWords = 40 // about twice the length of a good sentence
)

// oldWords are words that modern technical English does not use.
var oldWords = regexp.MustCompile(`(?i)\b(whom|whose?ver|whosoever|whoever|whatever|nobody|likewise|thereby|therein|thereof|hereby|herein|hitherto|whence|whereby|mends?|mended|mending|besides|such an? one|lest|amongst|whilst|aforesaid|notwithstanding|anew)\b`)

// manual returns the README and every page of docs/, by name.
func manual(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{"README.md": readme(t)}
	err := filepath.WalkDir("docs", func(name string, _ fs.DirEntry, err error) error {
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

// TestReadmeLength bounds the README, which is read in one go.
func TestReadmeLength(t *testing.T) {
	if n := len(strings.Fields(readme(t))); n > maxReadmeWords {
		t.Errorf("README.md has %d words, and at most %d may be there; move details to docs/", n, maxReadmeWords)
	}
}

// TestPlainWords looks for words that make a reader stop.
func TestPlainWords(t *testing.T) {
	count := 0
	for name, page := range manual(t) {
		for i, line := range strings.Split(page, "\n") {
			for _, word := range oldWords.FindAllString(codeSpan.ReplaceAllString(line, ""), -1) {
				count++
				t.Logf("%s:%d: write %q in plain words: %s", name, i+1, word, line)
			}
		}
	}
	if count > maxOldWords {
		t.Errorf("%d old words are in the manual, want at most %d", count, maxOldWords)
	}
}

// TestShortSentences lists the sentences that are too long to be understood at once.
func TestShortSentences(t *testing.T) {
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
