package mapping

import "testing"

func TestURLPath(t *testing.T) {
	keep, strip := Style{}, Style{HTML: StripHTML}
	for _, c := range []struct {
		style      Style
		file, want string
	}{
		{keep, "index.html", "/"},
		{keep, "a/index.html", "/a/"},
		{keep, "a.html", "/a.html"},
		{keep, "aindex.html", "/aindex.html"},
		{keep, "a/INDEX.HTML", "/a/INDEX.HTML"},
		{keep, "a/index.htm", "/a/index.htm"},
		{strip, "a/index.html", "/a/"},
		{strip, "a.html", "/a"},
		{strip, "a.b.html", "/a.b"},
		{strip, "a.HTML", "/a.HTML"},
		{strip, "a.htm", "/a.htm"},
		{strip, "a.xhtml", "/a.xhtml"},
		{strip, ".html", "/.html"},
		{strip, "a/.html", "/a/.html"},
		{Style{Slash: RemoveSlash}, "a/index.html", "/a"},
		{Style{Slash: RemoveSlash}, "index.html", "/"},
		{Style{Slash: RemoveSlash}, "a.html", "/a.html"},
		{Style{Slash: AddSlash}, "a.html", "/a.html"},
		{Style{StripHTML, AddSlash}, "a.html", "/a/"},
		{Style{StripHTML, AddSlash}, "a/index.html", "/a/"},
		{Style{StripHTML, AddSlashUnlessExt}, "a.html", "/a/"},
		{Style{StripHTML, AddSlashUnlessExt}, "v1.2.html", "/v1.2"},
		{Style{Slash: AddSlashUnlessExt}, "v1.2/index.html", "/v1.2"},
		{Style{Slash: AddSlashUnlessExt}, "v1.2-rc/index.html", "/v1.2-rc/"},
		{Style{Slash: AddSlashUnlessExt}, ".well-known/index.html", "/.well-known/"},
		{Style{StripHTML, RemoveSlash}, "a/index.html", "/a"},
		{Style{HTML: ExactHTML}, "a/index.html", "/a/index.html"},
		{Style{HTML: ExactHTML}, "index.html", "/index.html"},
	} {
		if got := c.style.URLPath(c.file); got != c.want {
			t.Errorf("%+v: URLPath(%q) = %q, want %q", c.style, c.file, got, c.want)
		}
	}
}
