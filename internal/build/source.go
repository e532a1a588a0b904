package build

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/walker"
)

// matter says from which keys of the front matter templates make what findings on a
// built page are about.
var matter = func() map[string][]string {
	canonical := []string{"canonical", "canonicalurl", "canonical_url"}
	dates := []string{"date", "lastmod", "updated", "modified", "last_modified_at", "publishdate", "pubdate", "updateddate"}
	return map[string][]string{
		"bad-canonical": canonical, "canonical-ignored": canonical, "canonical-out": canonical, "canonical-cycle": canonical, "two-canonicals": canonical,
		"bad-date": dates, "doubtful-date": dates, "early-date": dates, "other-date": dates,
		"listed-hidden": {"robots"},
	}
}()

// mostSources are as many content files as are read for the sake of a line.
const mostSources = 1000

// Sources finds the lines of content files from which findings on their built pages
// come: a key of the front matter that says what the finding quotes, and no other.
func (b *Build) Sources(ctx context.Context) {
	tree, left := b.Settings.Site.Content, mostSources
	if tree == nil {
		return
	}
	b.Findings.Each(func(d *diag.Diagnostic) {
		keys := matter[d.Code]
		file, ok := tree.Shown(d.Source.File)
		if keys == nil || d.Source.Line > 0 || !ok || left == 0 {
			return
		}
		left--
		_, _, _ = tree.Visit(ctx, file, func(f *walker.File) {
			head, _ := io.ReadAll(io.LimitReader(f, 64<<10))
			d.Source.Line, d.Source.Col = keyPlace(head, keys, d.Message)
		})
	})
}

// keyPlace returns where the value of the only one of some keys stands that a text
// has in it, 0 when none or several are such.
func keyPlace(src []byte, keys []string, text string) (line, col int) {
	fence, n := "", 0
	for raw := range bytes.Lines(src) {
		n++
		s := strings.TrimRight(string(raw), " \t\r\n")
		switch {
		case n == 1 && (s == "---" || s == "+++"):
			fence = s
			continue
		case n == 1 || s == fence:
			return line, col
		}
		at := strings.IndexAny(s, ":=")
		if at < 0 || !slices.Contains(keys, strings.ToLower(strings.TrimSpace(s[:at]))) {
			continue
		}
		value := strings.TrimLeft(s[at+1:], " \t")
		begin := len(s) - len(value) + 1
		if value = strings.Trim(value, `"'`); len(value) < 4 || !strings.Contains(text, value) {
			continue
		}
		if line > 0 {
			return 0, 0
		}
		line, col = n, begin
	}
	return 0, 0 // it does not end
}
