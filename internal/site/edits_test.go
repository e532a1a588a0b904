package site

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/walker"
)

func TestEditedFile(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"docs/a.md", "docs/de/b c.md", "README.md"} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct{ name, link, want string }{
		{"GitHub", "https://github.com/o/r/edit/main/docs/a.md", "docs/a.md"},
		{"GitHub's view", "https://github.com/o/r/blob/v1.0/docs/a.md?plain=1", "docs/a.md"},
		{"branch with slashes", "https://github.com/o/r/edit/feature/x/docs/a.md", "docs/a.md"},
		{"GitLab", "https://gitlab.com/g/s/r/-/edit/main/docs/de/b%20c.md", "docs/de/b c.md"},
		{"Codeberg", "https://codeberg.org/o/r/_edit/main/README.md", "README.md"},
		{"Bitbucket", "https://bitbucket.org/o/r/src/main/README.md?mode=edit", "README.md"},
		{"no such file", "https://github.com/o/r/edit/main/docs/gone.md", ""},
		{"a folder", "https://github.com/o/r/tree/main/docs", ""},
		{"no forge", "https://example.com/docs/a.md", ""},
		{"out of the repository", "https://github.com/o/r/edit/main/../../../etc/passwd", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := ""
			if tt.want != "" {
				want = filepath.Join(root, filepath.FromSlash(tt.want))
			}
			if got := fileOfEditLink(root, tt.link); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// TestEditLinksPairPages pairs the pages of an unknown generator with content files by their edit
// links. A link on all pages pairs none.
func TestEditLinksPairPages(t *testing.T) {
	root := t.TempDir()
	files := map[string]string{
		".git/HEAD":         "ref: refs/heads/main\n",
		"src/one.md":        "---\nlastmod: 2024-03-04\n---\n",
		"src/two.md":        "---\nlastmod: 2024-05-06\n---\n",
		"src/nav.md":        "x",
		"out/p/1.html":      `<title>1</title><body><nav><a href="https://github.com/o/r/edit/main/src/nav.md">Edit this page</a></nav>`,
		"out/p/2.html":      `<title>2</title><body><p><a href="https://github.com/o/r/edit/main/src/two.md">Edit this page</a>`,
		"out/q/3.html":      `<title>3</title><body><p><a href="https://github.com/o/r/edit/main/src/nav.md">Edit this page</a>`,
		"out/q/one/ab.html": `<title>4</title><body><p><a href="https://github.com/o/r/edit/main/src/one.md">Edit this page</a>`,
	}
	for name, text := range files {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	base, err := mapping.ParseBase("https://example.com/")
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Options: facts.Options{Base: base}, LastMod: []string{"frontmatter"}, Now: noon}
	o.Page.EditLinks = true
	for name, tree := range map[string]**facts.Tree{"out": &o.Pages, "src": &o.Content} {
		include := walker.HTMLFiles
		if name == "src" {
			include = walker.ContentFiles
		}
		filter, err := walker.NewFilter(include, nil)
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(root, name)
		*tree = &facts.Tree{Files: walker.Dir(dir), Filter: filter, Name: name, Dir: dir}
	}
	res := ListPages(known(t, o), noon)
	want := map[string]string{"p/1.html": "", "p/2.html": "2024-05-06", "q/3.html": "", "q/one/ab.html": "2024-03-04"}
	for p := range res.FilePages() {
		if got := p.LastMod.String(); got != want[p.Facts.File] {
			t.Errorf("%s has the date %q, want %q", p.Facts.File, got, want[p.Facts.File])
		}
	}
}
