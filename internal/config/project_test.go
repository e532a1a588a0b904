package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// newResolverIn writes files to a new git repository, and returns a resolver for the folder at in
// the repository. Each item of files is a name, a space, and the content.
func newResolverIn(t *testing.T, at string, files ...string) *resolver {
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
	return newResolver(Input{Dir: filepath.Join(root, filepath.FromSlash(at)), Getenv: func(string) string { return "" }})
}

// repoPath returns dir relative to the root of the repository.
func repoPath(f *resolver, dir string) string {
	for top := f.input.Dir; ; top = filepath.Dir(top) {
		if _, err := os.Stat(filepath.Join(top, ".git")); err == nil {
			rel, _ := filepath.Rel(top, dir)
			return filepath.ToSlash(rel)
		}
	}
}

func TestFindProjectRoot(t *testing.T) {
	files := []string{"a/hugo.toml ", "a/public/index.html <p>", "a/content/b/c.md ", "a/deep/sitemap.yaml ", "a/deep/out/index.html <p>", "z/index.html <p>", "n/vercel.json {}", "n/netlify.toml ", "n/dist/index.html <p>"}
	for _, tt := range []struct{ at, page, want string }{
		{"a", "", "a"},
		{"a/content/b", "", "a"},
		{"a/deep/out", "", "a/deep"},
		{"z", "", "z"},
		{".", "a/content/b/c.md", "a"},
		{".", "z/index.html", "."},
	} {
		f := newResolverIn(t, tt.at, files...)
		if got := repoPath(f, f.findRootAround(tt.page)); got != tt.want {
			t.Errorf("project root around %q in %s: got %s, want %s", tt.page, tt.at, got, tt.want)
		}
	}
	for publishDir, want := range map[string]string{"a": "a", "a/public": "a", "a/deep/out": "a/deep", "a/content": ".", "z": ".", "none": ".", "n": "n", "n/dist": "n"} {
		f := newResolverIn(t, ".", files...)
		if got := repoPath(f, f.findRootOfPublishDir(filepath.Join(f.input.Dir, filepath.FromSlash(publishDir)))); got != want {
			t.Errorf("project root of %s: got %s, want %s", publishDir, got, want)
		}
	}
}

// TestFindBuiltFolders checks the functions that look for publish directories and built sites.
func TestFindBuiltFolders(t *testing.T) {
	f := newResolverIn(t, ".", "a/hugo.toml ", "a/public/index.html <p>", "b/dist/index.html <p>", "c/index.html ---", "d/index.html <script src=/src/main.js>", "e/sitemap.yaml ")
	if all := f.projects(filepath.Join(f.input.Dir, "a")); len(all) != 1 || repoPath(f, f.firstBuiltFolder(filepath.Join(f.input.Dir, "a"), all[0].Publish)) != "a/public" {
		t.Errorf("projects in a: got %+v, want one built in a/public", all)
	}
	if got := repoPath(f, f.firstBuiltFolder(filepath.Join(f.input.Dir, "b"), usualPublishDirs)); got != "b/dist" {
		t.Errorf("built folder of b: got %s, want b/dist", got)
	}
	for name, want := range map[string][2]bool{"a": {}, "b/dist": {true, true}, "c": {}, "d": {true, false}} {
		dir := filepath.Join(f.input.Dir, filepath.FromSlash(name))
		if home, site := f.hasHomePage(dir), f.isBuiltSite(dir); home != want[0] || site != want[1] {
			t.Errorf("%s: home page %v and built site %v, want %v", name, home, site, want)
		}
	}
	if want := filepath.Join(f.input.Dir, "c", "index.html"); !f.settings.ReadFiles[want] {
		t.Errorf("ReadFiles does not contain %s", want)
	}
	for name, want := range map[string]bool{"a": true, "b": false, "e": false} {
		dir := filepath.Join(f.input.Dir, name)
		if got := f.firstBuiltFolder(dir, f.publishFolders(dir)) != ""; got != want {
			t.Errorf("%s is built: %v, want %v", name, got, want)
		}
	}
	found := f.describeSitesBelow(f.input.Dir)
	if want := []string{"a (hugo)", "e"}; !slices.Equal(found, want) {
		t.Errorf("sites below the root: got %q, want %q", found, want)
	}
}
