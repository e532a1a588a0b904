package page

import (
	"slices"
	"strings"
	"testing"
)

func TestWhole(t *testing.T) {
	pad := strings.Repeat("<!-- a comment -->", 1000)
	for _, c := range []struct {
		name, src string
		code      string
		out       bool
	}{
		{"nothing", "", "broken", true},
		{"white space", " \r\n\t ", "broken", true},
		{"a byte order mark", "\ufeff \n", "broken", true},
		{"NUL bytes", strings.Repeat("\x00", 5000), "broken", true},
		{"NUL bytes, and then a page", "\x00\x00<title>A</title><p>x", "broken-page", false},
		{"in the title", "<!doctype html><head><title>A", "broken", true},
		{"in the end of the title", "<title>A</titl", "broken", true},
		{"in the title, late", pad + "<!doctype html><head><title>A", "broken", true},
		{"in a tag before the title", "<!doctype html><html><head><meta charset=", "broken", true},
		{"in a style", "<head><style>a{", "broken", true},
		{"in a tag after the title", "<title>A</title><link rel=", "broken-page", false},
		{"a part", "<div></div>", "fragment", true},
		{"a part with text", "<div>A</div>", "fragment", true},
		{"a part with a picture", "<IMG src=a>", "fragment", true},
		{"a part of a template", "<p>{{ .Title }}", "fragment", true},
		{"a part of a program", "<?php echo 1 ?>text", "fragment", true},
		{"text in a script", "<script>x</script><STYLE>y</STYLE><!-- z -->", "fragment", true},
		{"text", "A", "fragment", true},

		{"a PDF", "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj <</Type /Catalog>> endobj", "", false},
		{"a large PDF", "%PDF-1.7\n" + strings.Repeat("1 0 obj <</Type /Catalog>> endobj\n", 40000), "", false},

		{"put together by a server", `<!--#include virtual="/head.html" --><p>A`, "", false},
		{"put together below", "<div><!-- x --><!--#INCLUDE file='a.html'--></div>", "", false},
		{"another directive", `<!--#echo var="DATE" --><p>A`, "fragment", true},

		{"text before the document", "Notice: no zone\n<!-- a -->\n<html><title>A</title>", "", false},
		{"text about elements", "A &lt;html&gt; element, <headline>", "fragment", true},

		{"title alone", "<title>A</title>", "", false},
		{"an empty title", "<title></title>", "", false},
		{"doctype alone", "<!doctype html>", "", false},
		{"a body", "<body>", "", false},
		{"a title that ends with white space", "<title>A</title  >", "", false},
		{"a link", "<link rel=canonical href=/a>", "", false},
		{"linked data", `<script type="application/ld+json">{}</script>`, "", false},
		{"XHTML", `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body/></html>`, "", false},
		{"UTF-16", "\xff\xfe<\x00t\x00i\x00t\x00l\x00e\x00>\x00<\x00/\x00t\x00i\x00t\x00l\x00e\x00>\x00", "", false},
		{"cut in the body", "<title>A</title><body><p cla", "", false},
	} {
		for _, o := range []Options{{CheckWhole: true}, {CheckWhole: true, ContentHash: true, Images: true}} {
			f := readFacts(t, o, strings.NewReader(c.src))
			code := ""
			if len(f.Diags) > 0 {
				code = f.Diags[0].Code
			}
			if f.Skips.First().Reason != Listed {
				code = f.Skips.First().Reason.String()
			}
			if code != c.code || (f.Skips.First().Reason != Listed) != c.out {
				t.Errorf("%s: %v, %v", c.name, f.Skips.First().Reason, f.Diags)
			}
		}
	}
}

// TestReadIncludesOfBody checks that the Reader finds server-side includes in a body that begins
// with other content, also behind the first bytes that it reads.
func TestReadIncludesOfBody(t *testing.T) {
	src := `<!doctype html><title>A</title><main><img src="a.png"></main><!--#include virtual="/nav.html" -->` +
		strings.Repeat("<p>Text", firstRead) + `<!--# include file="foot.html" -->`
	var f Facts
	if err := NewReader(Options{CheckWhole: true}).ReadHTML(strings.NewReader(src), &f); err != nil {
		t.Fatal(err)
	}
	if want := []string{"/nav.html", "file:foot.html"}; !slices.Equal(f.Includes, want) {
		t.Errorf("got includes %q, want %q", f.Includes, want)
	}
}
