package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// made makes files in a new folder, each with its text behind a space, and returns a
// resolver for a folder below.
func made(t *testing.T, at string, files ...string) *resolver {
	t.Helper()
	root := t.TempDir()
	for _, f := range append(files, ".git/HEAD") {
		name, text, _ := strings.Cut(f, " ")
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return newResolver(Input{Dir: filepath.Join(root, filepath.FromSlash(at))})
}

// below returns a path as seen from the folder of the repository.
func below(f *resolver, dir string) string {
	for top := f.input.Dir; ; top = filepath.Dir(top) {
		if _, err := os.Stat(filepath.Join(top, ".git")); err == nil {
			rel, _ := filepath.Rel(top, dir)
			return filepath.ToSlash(rel)
		}
	}
}

func TestProjectRoot(t *testing.T) {
	hugo := []string{"a/hugo.toml ", "a/public/index.html <p>", "a/content/b/c.md ", "a/deep/sitemap.yaml ", "a/deep/out/index.html <p>", "z/index.html <p>", "n/vercel.json {}", "n/netlify.toml ", "n/dist/index.html <p>"}
	for _, tt := range []struct{ at, about, want string }{
		{"a", "", "a"},
		{"a/content/b", "", "a"},
		{"a/deep/out", "", "a/deep"},
		{"z", "", "z"},
		{".", "a/content/b/c.md", "a"},
		{".", "z/index.html", "."},
	} {
		f := made(t, tt.at, hugo...)
		if got := below(f, f.findRootAround(tt.about)); got != tt.want {
			t.Errorf("in %s, about %q, the project is in %s, want %s", tt.at, tt.about, got, tt.want)
		}
	}
	for named, want := range map[string]string{"a": "a", "a/public": "a", "a/deep/out": "a/deep", "a/content": ".", "z": ".", "none": ".", "n": "n", "n/dist": "n"} {
		f := made(t, ".", hugo...)
		if got := below(f, f.findRootOfPublishDir(filepath.Join(f.input.Dir, filepath.FromSlash(named)))); got != want {
			t.Errorf("%s belongs to the project in %s, want %s", named, got, want)
		}
	}
}

func TestBuiltFolders(t *testing.T) {
	f := made(t, ".", "a/hugo.toml ", "a/public/index.html <p>", "b/dist/index.html <p>", "c/index.html ---", "d/index.html <script src=/src/main.js>", "e/sitemap.yaml ")
	if all := f.projects(filepath.Join(f.input.Dir, "a")); len(all) != 1 || below(f, f.firstBuiltFolder(filepath.Join(f.input.Dir, "a"), all[0].Publish)) != "a/public" {
		t.Errorf("projects %+v", all)
	}
	if got := below(f, f.firstBuiltFolder(filepath.Join(f.input.Dir, "b"), usualPublishDirs)); got != "b/dist" {
		t.Errorf("the site is in %s", got)
	}
	for name, want := range map[string][2]bool{"a": {}, "b/dist": {true, true}, "c": {}, "d": {true, false}} {
		dir := filepath.Join(f.input.Dir, filepath.FromSlash(name))
		if home, site := f.hasHomePage(dir), f.isBuiltSite(dir); home != want[0] || site != want[1] {
			t.Errorf("%s has a home page: %v, and is a site: %v", name, home, site)
		}
	}
	if want := filepath.Join(f.input.Dir, "c", "index.html"); !f.settings.ReadFiles[want] {
		t.Errorf("%s is not recorded", want)
	}
	for name, want := range map[string]bool{"a": true, "b": false, "e": false} {
		dir := filepath.Join(f.input.Dir, name)
		if got := f.firstBuiltFolder(dir, f.publishFolders(dir)) != ""; got != want {
			t.Errorf("%s is built: %v", name, got)
		}
	}
	found := f.describeSitesBelow(f.input.Dir)
	if want := []string{"a (hugo)", "e"}; !slices.Equal(found, want) {
		t.Errorf("below are %q, want %q", found, want)
	}
}
