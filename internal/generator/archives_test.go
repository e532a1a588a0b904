package generator

import (
	"testing"

	"github.com/sitewalk/sitewalk/internal/glob"
)

// TestMatchArchivesOfEveryGenerator compares Project.Archives with URLs of sites that each
// generator built, or that its manual names.
func TestMatchArchivesOfEveryGenerator(t *testing.T) {
	for _, test := range []struct {
		name, files string
		lists       []string // that a glob matches
		pages       []string // that none does
	}{
		{"hugo", minimal["hugo"], []string{"/tags/", "/tags/go/", "/categories/a/page/2/", "/page/2/", "/posts/page/3/"}, []string{"/", "/posts/", "/page/", "/docs/tags/", "/posts/page/"}},
		{"hugo: settings", "-- hugo.toml --\ntaxonomies = {author = 'people'}\npagination = {path = 'seite'}\n[languages.en]\n[languages.de]\n", []string{"/people/ann/", "/de/people/", "/de/seite/2/"}, []string{"/tags/", "/page/2/"}},
		{"hugo: no taxonomies", "-- hugo.toml --\ntitle = 'x'\n[taxonomies]\n", []string{"/page/2/"}, []string{"/tags/go/"}},
		{"jekyll", minimal["jekyll"], []string{"/tags/go/", "/category/a/", "/page2/", "/blog/page10/"}, []string{"/pages/", "/page-one/"}},
		{"mkdocs", minimal["mkdocs"], []string{"/blog/category/a/", "/blog/archive/2024/", "/blog/page/2/"}, []string{"/blog/", "/blog/2024/01/a/", "/tags/"}},
		{"zola", minimal["zola"], []string{"/tags/", "/tags/a/", "/blog/page/2/"}, []string{"/blog/"}},
		{"sphinx", minimal["sphinx"], []string{"/blog/tag/a.html", "/blog/archive.html", "/blog/author/"}, []string{"/blog.html", "/blog/a.html"}},
		{"eleventy", minimal["eleventy"], []string{"/tags/", "/tags/a/"}, []string{"/blog/"}},
		{"docusaurus", minimal["docusaurus"], []string{"/blog/tags/", "/blog/tags/a/page/2", "/docs/tags/a", "/blog/archive", "/blog/authors/ann", "/blog/page/2"}, []string{"/blog/", "/blog/2024/01/01/a"}},
		{"hexo", minimal["hexo"], []string{"/archives/2024/01/", "/tags/a/", "/page/2/", "/categories/a/page/2/"}, []string{"/2024/01/01/a/"}},
		{"pelican", minimal["pelican"], []string{"/author/ann.html", "/tag/a.html", "/tags.html", "/archives.html", "/index2.html", "/category/a2.html"}, []string{"/index.html", "/a.html", "/pages/about.html", "/top-10.html", "/utf8.html"}},
		{"nikola", minimal["nikola"], []string{"/categories/a/", "/categories/a.html", "/archive.html", "/index-1.html"}, []string{"/posts/a/", "/index.html"}},
		{"vuepress", minimal["vuepress"], []string{"/tag/a/", "/category/a/"}, []string{"/guide/a.html"}},
		{"quartz", minimal["quartz"], []string{"/tags/", "/tags/a/b"}, []string{"/notes/"}},
		{"mdbook", minimal["mdbook"], nil, []string{"/tags/"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			projects, _ := Detect(tree(test.files), "", nil)
			if len(projects) != 1 {
				t.Fatal(projects)
			}
			matches := func(address string) bool {
				for _, pattern := range projects[0].Archives {
					if glob.Match(pattern, address) {
						return true
					}
				}
				return false
			}
			for _, address := range test.lists {
				if !matches(address) {
					t.Errorf("%s is not left out by %q", address, projects[0].Archives)
				}
			}
			for _, address := range test.pages {
				if matches(address) {
					t.Errorf("%s is left out by %q", address, projects[0].Archives)
				}
			}
		})
	}
}
