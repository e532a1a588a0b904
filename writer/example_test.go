package writer_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/sitewalk/sitewalk/writer"
)

var pages = writer.Slice{
	{URL: sitemap.URL{Loc: "https://example.com/"}, Title: "Home"},
	{URL: sitemap.URL{Loc: "https://example.com/blog/a/"}, Title: "A"},
	{URL: sitemap.URL{Loc: "https://example.com/blog/b/"}, Title: "B"},
}

func ExampleWrite() {
	dir, err := os.MkdirTemp("", "public")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	o := writer.Options{Dir: dir, Base: "https://example.com/", MaxURLs: 2}
	for range 2 {
		report, err := writer.Write(context.Background(), pages, o)
		if err != nil {
			log.Fatal(err)
		}
		for _, f := range report.Files {
			fmt.Println(f.Name, f.State, f.URLs)
		}
	}
	// Output:
	// sitemap-blog.xml written 2
	// sitemap-pages.xml written 1
	// sitemap.xml written 2
	// sitemap-blog.xml unchanged 2
	// sitemap-pages.xml unchanged 1
	// sitemap.xml unchanged 2
}

func ExamplePrint() {
	_, err := writer.Print(os.Stdout, pages, writer.Options{Base: "https://example.com/", Formats: []string{"txt"}})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// https://example.com/
	// https://example.com/blog/a/
	// https://example.com/blog/b/
}

func ExampleStage() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "example.ledger")
	for range 2 {
		staged, err := writer.Stage(name, []byte("text\n"))
		if err != nil {
			log.Fatal(err)
		}
		changed, err := staged.Commit()
		staged.Discard()
		fmt.Println(changed, err)
	}
	// Output:
	// true <nil>
	// false <nil>
}
