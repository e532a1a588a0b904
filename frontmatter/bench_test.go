package frontmatter

import (
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/page"
)

func BenchmarkRead(b *testing.B) {
	body := strings.Repeat("Some text of a page.\n", 500)
	for name, head := range map[string]string{
		"yaml": "---\ntitle: A page\ndate: 2024-01-02\nlastmod: 2024-03-04\ntags: [a, b, c]\ndescription: What it is about\ndraft: false\n---\n",
		"toml": "+++\ntitle = 'A page'\ndate = 2024-01-02\nlastmod = 2024-03-04\ntags = ['a', 'b', 'c']\ndescription = 'What it is about'\ndraft = false\n+++\n",
		"json": `{"title": "A page", "date": "2024-01-02", "lastmod": "2024-03-04", "tags": ["a", "b", "c"], "description": "What it is about", "draft": false}` + "\n",
		"none": "",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var f page.Facts
			r, src, text := NewReader(Options{}), strings.NewReader(""), head+body
			for b.Loop() {
				src.Reset(text)
				if ok, _ := r.Read(src, "a.md", &f); ok != (head != "") {
					b.Fatal("no front matter")
				}
			}
		})
	}
}
