package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// activeLines returns the lines of src that are neither empty nor comments.
func activeLines(src string) string {
	var b strings.Builder
	for line := range strings.Lines(src) {
		if !strings.HasPrefix(line, "#") && line != "\n" {
			b.WriteString(line)
		}
	}
	return b.String()
}

// TestInitActivatesFlags checks that the new file has an active line only for a flag. The file must
// load without findings.
func TestInitActivatesFlags(t *testing.T) {
	tests := map[string]struct {
		files map[string]string
		base  string
		want  string
	}{
		"hugo":                       {map[string]string{"hugo.toml": hugo, builtPage: "", "content/a.md": ""}, "", ""},
		"not built":                  {map[string]string{"hugo.toml": hugo, "content/a.md": ""}, "", ""},
		"base URL flag":              {map[string]string{"hugo.toml": hugo, builtPage: ""}, "https://example.internal", "base_url: https://example.internal/\n"},
		"empty folder":               {nil, "", ""},
		"YAML syntax in folder name": {map[string]string{"hugo.toml": hugo + "publishDir = '*: no'\n", "*: no/index.html": ""}, "", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := newTestProject(t, test.files)
			if test.base != "" {
				p.setFlag("base-url", test.base)
			}
			name, src, _, err := Init(p.input())
			if err != nil || name != "sitemap.yaml" {
				t.Fatalf("file name %q, error %v", name, err)
			}
			if got := activeLines(string(src)); got != test.want {
				t.Errorf("active lines: got\n%s\nwant\n%s", got, test.want)
			}
			if _, diags := Load(name, src); len(diags) > 0 {
				t.Errorf("findings %v in\n%s", diags, src)
			}
		})
	}
}

func TestInitRejectsInvalidBaseURL(t *testing.T) {
	p := newTestProject(t, map[string]string{builtPage: ""}).setFlag("base-url", "example.internal")
	if _, _, _, err := Init(p.input()); err == nil || !strings.Contains(err.Error(), "--base-url") {
		t.Errorf("got error %v, want one about --base-url", err)
	}
}

// TestInitExamplesAreValid checks that the new file is valid after the "#" is removed from all
// examples.
func TestInitExamplesAreValid(t *testing.T) {
	p := newTestProject(t, map[string]string{"hugo.toml": hugo, builtPage: "", "content/a.md": ""})
	_, src, _, err := Init(p.input())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	_, example, _ := strings.Cut(string(src), "# The address at which")
	for line := range strings.Lines("# Prose" + example) {
		if strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "#  ") {
			continue
		}
		b.WriteString(strings.TrimPrefix(line, "#"))
	}
	if err := os.WriteFile(filepath.Join(p.dir, "sitemap.yaml"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, diags, err := p.resolve(); err != nil || len(diags) > 0 {
		t.Errorf("error %v, findings %v in\n%s", err, diags, b.String())
	}
}

// TestInitSuggestsArchiveRules checks that the new file suggests rules for the archive pages of a
// generator. For a generator without archive pages, it must not suggest rules.
func TestInitSuggestsArchiveRules(t *testing.T) {
	const rule = "#  - {urls: \"/categories/**\", exclude: true}\n"
	for name, want := range map[string]bool{"hugo.toml": true, "book.toml": false} {
		p := newTestProject(t, map[string]string{name: "title = 'x'\n", builtPage: ""})
		_, src, _, err := Init(p.input())
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(src), rule); got != want {
			t.Errorf("%s: rule is suggested: %v, want %v\n%s", name, got, want, src)
		}
	}
}
