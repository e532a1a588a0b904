package sitemap

import (
	"fmt"
	"strings"
	"testing"
)

// TestPlainEntriesAreReadAsXML checks that entries without the XML decoder give the same results as
// with it. To force the decoder, it adds spaces inside the tags: "<loc >".
func TestPlainEntriesAreReadAsXML(t *testing.T) {
	const loc = "<loc>https://example.com/a</loc>"
	entries := []string{
		loc, loc + "<lastmod>2024-05-06</lastmod>", loc + "<lastmod>2024-05-06T07:08:09+02:00</lastmod>",
		loc + "<lastmod>2024-05-06T07:08</lastmod>", loc + "<lastmod>2024-05-06T07:08:09</lastmod>", loc + "<lastmod>yesterday</lastmod>",
		loc + "<lastmod></lastmod>", loc + "<lastmod> 2024-05-06</lastmod>", loc + "<lastmod>2024-05-06</lastmod>" + loc, loc + loc,
		"<loc></loc>", "<loc> https://example.com/b </loc>", "<loc>https://example.com/?a&amp;b</loc>", "<loc>https://example.com/?a&b</loc>",
		"<loc>https://example.com/ü</loc>", "<loc>https://example.com/%zz</loc>", "<loc>http://a.b</loc>", "<loc>/c</loc>", "<loc>a]]>b</loc>", "<loc>a\x01b</loc>",
		"<loc>https://example.com/<b/></loc>", loc + "<priority>2</priority>", loc + "text", loc + "<lastmod>2024-05-06</loc>",
		loc + "</url></urlset><url>" + loc, loc + "</url></urlset>\n<url>" + loc, loc + "</url><x><url>" + loc + "</url></x><url>" + loc,
	}
	for _, root := range []string{
		`<urlset xmlns="` + Namespace + `">`, `<urlset>`, `<sitemapindex xmlns="` + Namespace + `">`,
		`<s:urlset xmlns:s="` + Namespace + `">`, `<s:urlset xmlns:s="` + Namespace + `" xmlns="` + Namespace + `">`,
		`<urlset xmlns="` + Namespace + `"/>`,
	} {
		for _, e := range entries {
			for _, between := range []string{"", "\n", "\n\n  ", "\ntext"} {
				end := "</" + strings.Fields(root[1 : len(root)-1])[0] + ">"
				src := root + between + "<url>" + loc + "</url>" + between + "<url>" + e + "</url>" + between + "<url>" + loc + "</url>" + between + end
				other := strings.ReplaceAll(strings.ReplaceAll(src, "<loc>", "<loc >"), "<url>", "<url  >")
				if got, want := readAndValidate(src), readAndValidate(other); got != want {
					t.Errorf("%s\ngot  %s\nwant %s", src, got, want)
				}
			}
		}
	}
}

// readAndValidate returns all items of a Reader and all problems of a Validator, without columns.
func readAndValidate(src string) string {
	var b strings.Builder
	r := NewReader(strings.NewReader(src))
	for {
		item, err := r.Next()
		if err != nil {
			fmt.Fprintln(&b, err)
			break
		}
		item.Col = 0
		for i := range item.Problems {
			item.Problems[i].Col = 0
		}
		fmt.Fprintf(&b, "%+v\n", item)
	}
	j := NewValidator(func(p Problem) {
		p.Col = 0
		fmt.Fprintf(&b, "%+v\n", p)
	})
	err := j.Validate(strings.NewReader(src))
	fmt.Fprintln(&b, err, j.Entries, j.Format, j.Broken)
	return b.String()
}
