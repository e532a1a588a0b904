package generator

import (
	"testing"

	"github.com/sitewalk/sitewalk/internal/glob"
)

// TestArchivesMatchListPages checks which URLs Project.Archives matches. The URLs are from sites
// that each generator built, or from its manual.
func TestArchivesMatchListPages(t *testing.T) {
	for _, test := range []struct {
		name, files string
		lists       []string // URLs of archive pages, which Archives matches
		pages       []string // URLs of other pages
	}{
		{"hugo", minimalProjects["hugo"], []string{"/tags/", "/tags/go/", "/categories/a/page/2/", "/page/2/", "/posts/page/3/"}, []string{"/", "/posts/", "/page/", "/docs/tags/", "/posts/page/"}},
		{"hugo: settings", "-- hugo.toml --\ntaxonomies = {author = 'people'}\npagination = {path = 'seite'}\n[languages.en]\n[languages.de]\n", []string{"/people/ann/", "/de/people/", "/de/seite/2/"}, []string{"/tags/", "/page/2/"}},
		{"hugo: no taxonomies", "-- hugo.toml --\ntitle = 'x'\n[taxonomies]\n", []string{"/page/2/"}, []string{"/tags/go/"}},
		{"jekyll", minimalProjects["jekyll"], []string{"/tags/go/", "/category/a/", "/page2/", "/blog/page10/"}, []string{"/pages/", "/page-one/"}},
		{"mkdocs", minimalProjects["mkdocs"], []string{"/blog/category/a/", "/blog/archive/2024/", "/blog/page/2/"}, []string{"/blog/", "/blog/2024/01/a/", "/tags/"}},
		{"zola", minimalProjects["zola"], []string{"/tags/", "/tags/a/", "/blog/page/2/"}, []string{"/blog/"}},
		{"sphinx", minimalProjects["sphinx"], []string{"/blog/tag/a.html", "/blog/archive.html", "/blog/author/"}, []string{"/blog.html", "/blog/a.html"}},
		{"eleventy", minimalProjects["eleventy"], []string{"/tags/", "/tags/a/"}, []string{"/blog/"}},
		{"docusaurus", minimalProjects["docusaurus"], []string{"/blog/tags/", "/blog/tags/a/page/2", "/docs/tags/a", "/blog/archive", "/blog/authors/ann", "/blog/page/2"}, []string{"/blog/", "/blog/2024/01/01/a"}},
		{"hexo", minimalProjects["hexo"], []string{"/archives/2024/01/", "/tags/a/", "/page/2/", "/categories/a/page/2/"}, []string{"/2024/01/01/a/"}},
		{"pelican", minimalProjects["pelican"], []string{"/author/ann.html", "/tag/a.html", "/tags.html", "/archives.html", "/index2.html", "/category/a2.html"}, []string{"/index.html", "/a.html", "/pages/about.html", "/top-10.html", "/utf8.html"}},
		{"nikola", minimalProjects["nikola"], []string{"/categories/a/", "/categories/a.html", "/archive.html", "/index-1.html"}, []string{"/posts/a/", "/index.html"}},
		{"vuepress", minimalProjects["vuepress"], []string{"/tag/a/", "/category/a/"}, []string{"/guide/a.html"}},
		{"quartz", minimalProjects["quartz"], []string{"/tags/", "/tags/a/b"}, []string{"/notes/"}},
		{"mdbook", minimalProjects["mdbook"], nil, []string{"/tags/"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			projects, _ := Detect(archiveFS(test.files), "", noVariables)
			if len(projects) != 1 {
				t.Fatalf("got projects %+v, want one", projects)
			}
			matches := func(urlPath string) bool {
				for _, pattern := range projects[0].Archives {
					if glob.Match(pattern, urlPath) {
						return true
					}
				}
				return false
			}
			for _, urlPath := range test.lists {
				if !matches(urlPath) {
					t.Errorf("%q does not match the list page %s", projects[0].Archives, urlPath)
				}
			}
			for _, urlPath := range test.pages {
				if matches(urlPath) {
					t.Errorf("%q matches the page %s, which is not a list", projects[0].Archives, urlPath)
				}
			}
		})
	}
}
