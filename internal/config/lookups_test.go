package config

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestReadFilesContainsMissingFiles checks that Settings.ReadFiles contains files that may change
// the settings, including files that do not exist yet.
func TestReadFilesContainsMissingFiles(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"content", "public"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "hugo.toml"), []byte("baseURL = 'https://example.internal/'\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s, _, err := Resolve(Input{Watch: true, Dir: dir, Now: time.Now(), Getenv: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sitemap.yaml", "hugo.toml", "netlify.toml", "public/robots.txt", "public/CNAME"} {
		if !s.ReadFiles[filepath.Join(dir, filepath.FromSlash(name))] {
			t.Errorf("%s is not among %v", name, s.ReadFiles)
		}
	}
}
