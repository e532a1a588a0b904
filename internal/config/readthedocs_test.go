package config

import (
	"os"
	"path/filepath"
	"testing"
)

// TestResolveOnReadTheDocs checks the base URL, the publish directory and the host with the
// environment variables of a Read the Docs build.
func TestResolveOnReadTheDocs(t *testing.T) {
	for name, test := range map[string]struct{ kind, site, canonical, want string }{
		"version":                       {"branch", "", "https://docs.example.internal/en/latest/", "https://docs.example.internal/en/latest/"},
		"version with another site_url": {"tag", "site_url: https://example.internal/\n", "https://docs.example.internal/en/1.0/", "https://docs.example.internal/en/1.0/"},
		"pull request":                  {"external", "", "https://lake--7.org.readthedocs.build/en/7/", "https://lake--7.org.readthedocs.build/en/7/"},
		"pull request with a site_url":  {"external", "site_url: https://docs.example.internal/en/latest/\n", "https://lake--7.org.readthedocs.build/en/7/", "https://docs.example.internal/en/latest/"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range map[string]string{
				"mkdocs.yml": "site_name: Lakes\n" + test.site, "docs/index.md": "# Lakes\n", "site/index.html": "<title>Old</title>", "_readthedocs/html/index.html": "<title>Lakes</title>",
			} {
				file = filepath.Join(dir, file)
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			env := map[string]string{
				"READTHEDOCS": "True", "READTHEDOCS_VERSION_TYPE": test.kind,
				"READTHEDOCS_CANONICAL_URL": test.canonical, "READTHEDOCS_OUTPUT": filepath.Join(dir, "_readthedocs") + "/",
			}
			s, diags, err := Resolve(Input{Dir: dir, Getenv: func(name string) string { return env[name] }})
			if err != nil || len(diags) > 0 {
				t.Fatalf("error %v, findings %v", err, diags)
			}
			if got := s.Site.Base.String(); got != test.want {
				t.Errorf("base URL: got %s, want %s", got, test.want)
			}
			if got, want := s.Site.Pages.Dir, filepath.Join(dir, "_readthedocs/html"); got != want {
				t.Errorf("publish directory: got %s, want %s", got, want)
			}
			if got := s.Site.Hosting.Name(); got != "readthedocs" {
				t.Errorf("host: got %s, want readthedocs", got)
			}
		})
	}
}
