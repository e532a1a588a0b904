package scripts

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/testsite"
)

// flagRow matches the table rows that explain flags. rowFlag matches the flags in a row.
var (
	flagRow = regexp.MustCompile("(?m)^\\| `[^|]*`--[a-z][^|]*\\||^\\| `--[a-z][^|]*\\|")
	rowFlag = regexp.MustCompile("`--([a-z][a-z-]*)")
)

// TestFlagsExplainedOnce checks that a table on exactly one page of the manual explains each flag.
// It skips docs/moving.md, whose tables list the flags of other programs.
func TestFlagsExplainedOnce(t *testing.T) {
	testsite.ChdirToRoot(t)
	pages := map[string][]string{}
	files, _ := filepath.Glob("docs/*.md")
	for _, name := range files {
		if name == "docs/moving.md" {
			continue
		}
		text := contents(t, name)
		for _, row := range flagRow.FindAllString(text, -1) {
			for _, m := range rowFlag.FindAllStringSubmatch(row, -1) {
				if !slices.Contains(pages[m[1]], name) {
					pages[m[1]] = append(pages[m[1]], name)
				}
			}
		}
	}
	for _, cmd := range commandNames(t) {
		for _, m := range helpFlag.FindAllStringSubmatch(run(t, ".", cmd, "--help"), -1) {
			if in := pages[m[1]]; len(in) != 1 && m[1] != "help" && m[1] != "version" && m[1] != "json" {
				t.Errorf("--%s of %s is explained in tables of the pages %q, want one page", m[1], cmd, in)
			}
		}
	}
}

// TestReadmeLinksPages checks that the README links to each page of the manual.
func TestReadmeLinksPages(t *testing.T) {
	testsite.ChdirToRoot(t)
	linked := map[string]bool{}
	for _, m := range link.FindAllStringSubmatch(contents(t, "README.md"), -1) {
		file, _, _ := strings.Cut(m[1], "#")
		linked[file] = true
	}
	files, _ := filepath.Glob("docs/*.md")
	more, _ := filepath.Glob("docs/start/*.md")
	for _, name := range slices.Concat(files, more) {
		if name = filepath.ToSlash(name); !linked[name] {
			t.Errorf("the README has no link to %s", name)
		}
	}
}

// TestKeysExplainedOnce checks that docs/configuration.md has one section for each top-level key
// of sitemap.yaml.
func TestKeysExplainedOnce(t *testing.T) {
	testsite.ChdirToRoot(t)
	page := contents(t, "docs/configuration.md")
	for _, key := range config.Keys() {
		if n := strings.Count(page, "\n### `"+key+"`\n"); n != 1 && !strings.Contains(key, ".") {
			t.Errorf("docs/configuration.md: %d sections about %s, want 1", n, key)
		}
	}
}
