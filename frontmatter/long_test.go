package frontmatter

import (
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/page"
)

// TestReadReportsLongFrontMatter reads front matter longer than MaxBytes. Such a page must not be
// listed, because it may be a draft.
func TestReadReportsLongFrontMatter(t *testing.T) {
	filler := strings.Repeat("# a comment that goes on\n", MaxBytes/20)
	members := strings.Repeat(`"k": "vvvvvvvvvvvvvvvvvvvvvv",`+"\n", MaxBytes/20)
	tests := []struct {
		name, src string
		long      bool
	}{
		{"YAML", "---\ntitle: A\n" + filler + "draft: true\n---\n", true},
		{"TOML", "+++\ntitle = \"A\"\n" + filler + "draft = true\n+++\n", true},
		{"JSON", "{" + members + `"draft": true}`, true},
		{"a table in Org", "#+title: A\n" + strings.Repeat("| 1 | 2 |\n", MaxBytes/5), false},
		{"one line", "---\ntitle: " + strings.Repeat("x", 2*MaxBytes) + "\n---\n", true},
		{"a rule and text", "---\n\nOnce upon a time\n" + strings.Repeat("text, text\n", MaxBytes/5), false},
		{"a long text", "---\ntitle: A\n---\n" + strings.Repeat("text, text\n", MaxBytes/5), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var f page.Facts
			if _, err := NewReader(Options{}).Read(strings.NewReader(tt.src), "a.md", &f); err != nil {
				t.Fatal(err)
			}
			long := len(f.Diags) == 1 && f.Diags[0].Code == "front-matter-too-long"
			if long != tt.long || (f.Skips.First().Reason == page.Unreadable) != tt.long {
				t.Errorf("skip %v, %v", f.Skips.First().Reason, f.Diags)
			}
		})
	}
}

func TestReadAcceptsNotationsOfGenerators(t *testing.T) {
	tests := []struct {
		generator, src string
		want           bool
	}{
		{"jekyll", "---\ntitle: A\n---\n", true},
		{"jekyll", "--- \r\ntitle: A\r\n---\r\n", true},
		{"jekyll", "-----BEGIN PGP PUBLIC KEY BLOCK-----\nVersion: 1\n", false},
		{"jekyll", "---- \ntitle: A\n---\n", false},
		{"jekyll", "---yaml\ntitle: A\n---\n", false},
		{"jekyll", "+++\ntitle = \"A\"\n+++\n", false},
		{"hugo", "-----BEGIN PGP PUBLIC KEY BLOCK-----\nVersion: 1\n", false},
		{"hugo", "{\"title\": \"A\"}\n", true},
		{"mkdocs", "{\"title\": \"A\"}\n", false},
		{"vitepress", "+++\ntitle = \"A\"\n+++\n", false},
		{"zola", "+++\ntitle = \"A\"\n+++\n", true},
		{"eleventy", "---json\n{\"title\": \"A\"}\n---\n", true},
		{"astro", "#+title: A\n", false},
	}
	for _, tt := range tests {
		var f page.Facts
		if _, err := NewReader(Options{Conventions: kinds[tt.generator]}).Read(strings.NewReader(tt.src), "a.md", &f); err != nil {
			t.Fatal(err)
		}
		if (f.Title == "A") != tt.want || len(f.Diags) > 0 {
			t.Errorf("%s, %q: title %q, %v", tt.generator, tt.src, f.Title, f.Diags)
		}
	}
}
