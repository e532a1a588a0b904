package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"
)

// TestReads names every file that decides, also one that is not there yet.
func TestReads(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"content", "public"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "hugo.toml"), []byte("baseURL = 'https://example.com/'\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s, _, err := Resolve(t.Context(), Input{Watch: true, Dir: dir, Now: time.Now(), Getenv: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sitemap.yaml", "hugo.toml", "netlify.toml", "public/robots.txt", "public/CNAME"} {
		if !slices.Contains(s.Reads, filepath.Join(dir, filepath.FromSlash(name))) {
			t.Errorf("%s is not among %q", name, s.Reads)
		}
	}
}

// TestPagesAreNoReads asks for pages, by many at once, of a host that looks for folders.
func TestPagesAreNoReads(t *testing.T) {
	dir := t.TempDir()
	public := filepath.Join(dir, "public")
	if err := os.MkdirAll(filepath.Join(public, "a"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"index.html": "<title>Home</title>", "a/index.html": "<title>A</title>",
		".htaccess": "RewriteEngine On\nRewriteCond %{REQUEST_FILENAME} !-f\nRewriteCond %{REQUEST_FILENAME} !-d\nRewriteRule ^(.*)$ /a/ [L]\n",
	} {
		if err := os.WriteFile(filepath.Join(public, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, _, err := Resolve(t.Context(), Input{Watch: true, Dir: dir, Now: time.Now(), Getenv: func(string) string { return "" }, Flags: map[string][]string{"base-url": {"https://example.com/"}}})
	if err != nil {
		t.Fatal(err)
	}
	host, reads := s.Site.Host, len(s.Reads)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 200 {
				if a := host.Answer(fmt.Sprintf("/none%d-%d", i, j), func(file string) bool { return file == "a/index.html" }); a.Status != 200 {
					t.Errorf("answered %d", a.Status)
				}
			}
		})
	}
	all.Wait()
	if len(s.Reads) != reads {
		t.Errorf("%d more files decide", len(s.Reads)-reads)
	}
}
