package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// active returns the lines of a file that are no comments.
func active(src string) string {
	var b strings.Builder
	for line := range strings.Lines(src) {
		if !strings.HasPrefix(line, "#") && line != "\n" {
			b.WriteString(line)
		}
	}
	return b.String()
}

func TestInit(t *testing.T) {
	tests := map[string]struct {
		files map[string]string
		base  string
		want  string
	}{
		"hugo":         {map[string]string{"hugo.toml": hugo, built: "", "content/a.md": ""}, "", ""},
		"not built":    {map[string]string{"hugo.toml": hugo, "content/a.md": ""}, "", ""},
		"base by flag": {map[string]string{"hugo.toml": hugo, built: ""}, "https://example.internal", "base_url: https://example.internal/\n"},
		"nothing":      {nil, "", ""},
		"odd names":    {map[string]string{"hugo.toml": hugo + "publishDir = '*: no'\n", "*: no/index.html": ""}, "", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, test.files)
			if test.base != "" {
				w.set("base-url", test.base)
			}
			name, src, _, err := Init(w.input())
			if err != nil || name != "sitemap.yaml" {
				t.Fatal(name, err)
			}
			if got := active(string(src)); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			if _, diags := Load(name, src); len(diags) > 0 {
				t.Errorf("%v\n%s", diags, src)
			}
		})
	}
}

func TestInitKnowsMistakes(t *testing.T) {
	w := newWorld(t, map[string]string{built: ""}).set("base-url", "example.internal")
	if _, _, _, err := Init(w.input()); err == nil || !strings.Contains(err.Error(), "--base-url") {
		t.Error(err)
	}
}

// TestInitUncommented holds that every key of the file works once its # is gone.
func TestInitUncommented(t *testing.T) {
	w := newWorld(t, map[string]string{"hugo.toml": hugo, built: "", "content/a.md": ""})
	_, src, _, err := Init(w.input())
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
	if err := os.WriteFile(filepath.Join(w.dir, "sitemap.yaml"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, diags, err := w.resolve(); err != nil || len(diags) > 0 {
		t.Errorf("%v %v\n%s", err, diags, b.String())
	}
}

// TestInitArchives makes sure that init offers the rules that leave out a generator's
// lists of pages, and those of no other.
func TestInitArchives(t *testing.T) {
	const rule = "#  - {urls: \"/categories/**\", exclude: true}\n"
	for files, want := range map[string]string{"hugo.toml": rule, "mdbook": ""} {
		w := newWorld(t, map[string]string{files: "title = 'x'\n", built: ""})
		_, src, _, err := Init(w.input())
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(src), rule); got != (want != "") {
			t.Errorf("%s: offered %v\n%s", files, got, src)
		}
	}
}
