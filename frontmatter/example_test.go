package frontmatter_test

import (
	"fmt"
	"strings"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/page"
)

func ExampleReader() {
	src := "---\ntitle: A page\nlastmod: 2024-05-01\nsitemap: {priority: 0.8}\ndraft: maybe\n---\nText.\n"
	var f page.Facts
	r := frontmatter.NewReader(frontmatter.Options{})
	ok, err := r.Read(strings.NewReader(src), "posts/a.md", &f)
	fmt.Println(ok, err, f.Title, f.URL.LastMod, f.URL.Priority)
	fmt.Println(f.Diags[0])
	// Output:
	// true <nil> A page 2024-05-01 0.8
	// :5:8: warning: draft is the text "maybe"; it must be true or false [wrong-type]
}
