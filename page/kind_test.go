package page

import "testing"

func TestKindOf(t *testing.T) {
	for _, c := range []struct{ file, head, want string }{
		{"feed/index.html", `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>x</title>`, "an RSS feed"},
		{"feed/index.html", "\ufeff\n<!-- generator --><RSS version='2.0'>", "an RSS feed"},
		{"feed/index.html", `<rdf:RDF xmlns="http://purl.org/rss/1.0/">`, "an RSS feed"},
		{"feed/index.html", `<?xml version="1.0"?><?xml-stylesheet href="x"?><feed xmlns="http://www.w3.org/2005/Atom">`, "an Atom feed"},
		{"a.html", `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg>`, "an SVG image"},
		{"a.html", `<svg xmlns="http://www.w3.org/2000/svg"><title>x</title>`, "an SVG image"},
		{"a.html", `<?xml version="1.0"?><urlset>`, "a sitemap"},
		{"wp-json/index.html", `{"name":"Lakes","routes":{}}`, "JSON"},
		{"wp-json/index.html", ` [ {"id": 1} ]`, "JSON"},
		{"a.html", `{}`, "JSON"},
		{"a.html", `[]`, "JSON"},
		{"a.html", "\x89PNG\r\n\x1a\n0000", "image/png"},
		{"a.html", "%PDF-1.7\n", "application/pdf"},
		{"a.pdf", "%PDF-1.7\n", ""},
		{"a.xml", `<rss>`, ""},
		{"a.html", `{% include "x" %}`, ""},
		{"a.html", `{{ page }}`, ""},
		{"a.html", `[click](/here)`, ""},
		{"a.html", `<!doctype html><svg>`, ""},
		{"a.html", `<HTML><svg>`, ""},
		{"a.html", `<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd"><html xmlns="http://www.w3.org/1999/xhtml">`, ""},
		{"a.html", `<?xml version="1.0"?><div>`, ""},
		{"a.html", `<div><svg>`, ""},
		{"a.html", `<title>x</title>`, ""},
		{"a.html", `plain text`, ""},
		{"a.html", ``, ""},
	} {
		if got := DescribeNonHTML(c.file, []byte(c.head)); got != c.want {
			t.Errorf("%s, %.40q: got %q, want %q", c.file, c.head, got, c.want)
		}
	}
}
