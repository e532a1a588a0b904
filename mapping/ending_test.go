package mapping

import (
	"testing"

	"github.com/sitewalk/sitewalk/page"
)

func TestEndings(t *testing.T) {
	tests := []struct {
		file, urlPath string
		want          Ending
	}{
		{"a.html", "/a.html", FileName},
		{"a.html", "/a", Bare},
		{"a.html", "/a/", Slashed},
		{"a.html", "/b", AnyEnding},
		{"a.html", "/A.html", AnyEnding},
		{"a/index.html", "/a/index.html", FileName},
		{"a/index.html", "/a", Bare},
		{"a/index.html", "/a/", Slashed},
		{"index.html", "/", Slashed},
		{"index.html", "/index.html", FileName},
		{"a.htm", "/a.htm", FileName},
		{"a.htm", "/a", AnyEnding},
		{".html", "/.html", FileName},
		{"x.html/index.html", "/x.html", Bare},
	}
	for _, tt := range tests {
		if got := EndingOf(tt.file, tt.urlPath); got != tt.want {
			t.Errorf("%s at %s: %d, want %d", tt.file, tt.urlPath, got, tt.want)
		}
		if tt.want == AnyEnding {
			continue
		}
		if got := tt.want.Style().URLPath(tt.file); got != tt.urlPath {
			t.Errorf("%s with ending %d is %s, want %s", tt.file, tt.want, got, tt.urlPath)
		}
		if got := tt.want.Style().Ending(tt.file); got != tt.want {
			t.Errorf("%s in the style of ending %d has %d", tt.file, tt.want, got)
		}
	}
}

func TestGeneratorsEndings(t *testing.T) {
	tests := []struct {
		name, file string
		c          Content
		f          page.Facts
		want       Ending
	}{
		{"Jekyll's default", "_posts/2024-01-01-hello.md", Content{Generator: "jekyll"}, page.Facts{}, FileName},
		{"Jekyll's page", "about.md", Content{Generator: "jekyll"}, page.Facts{}, FileName},
		{
			"no extension in the site's permalink", "_posts/2024-01-01-hello.md",
			Content{Generator: "jekyll", Jekyll: Jekyll{Permalink: "/:title"}},
			page.Facts{},
			Bare,
		},
		{"none in the page's", "about.md", Content{Generator: "jekyll"}, page.Facts{Permalink: "/about"}, Bare},
		{
			"a folder", "_posts/2024-01-01-hello.md",
			Content{Generator: "jekyll", Jekyll: Jekyll{Permalink: "pretty"}},
			page.Facts{},
			AnyEnding,
		},
		{"Hugo's ugly URLs", "a.md", Content{Generator: "hugo", Hugo: Hugo{UglyURLs: true}}, page.Facts{}, FileName},
		{"Hugo's own", "a.md", Content{Generator: "hugo"}, page.Facts{}, AnyEnding},
		{"MkDocs without directory URLs", "a.md", Content{Generator: "mkdocs", Plain: Plain{Flat: true}}, page.Facts{}, FileName},
		{"Docusaurus without slash", "a.md", Content{Generator: "docusaurus", Plain: Plain{Flat: true}}, page.Facts{}, Bare},
		{"VitePress with cleanUrls", "a.md", Content{Generator: "vitepress", Plain: Plain{Flat: true, Ending: Bare}}, page.Facts{}, Bare},
		{"VitePress, nothing known", "a.md", Content{Generator: "vitepress", Plain: Plain{Flat: true}}, page.Facts{}, AnyEnding},
		{"a permalink of an unknown generator", "a.md", Content{}, page.Facts{Permalink: "/b.html"}, FileName},
	}
	for _, tt := range tests {
		out, note, _ := tt.c.Output(tt.file, &tt.f)
		if got := tt.c.Ending(tt.file, out, &tt.f); got != tt.want {
			t.Errorf("%s: %d for %q %s, want %d", tt.name, got, out, note, tt.want)
		}
	}
}
