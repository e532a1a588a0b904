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

// A sitemap and a file of the caller's take their places together.
func ExampleTransaction() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	var t writer.Transaction
	defer t.Close()
	report, err := t.Draft(ctx, pages, writer.Options{Dir: dir, Base: "https://example.com/"})
	if err == nil {
		err = t.File(ctx, filepath.Join(dir, "pages.count"), fmt.Appendln(nil, report.URLs))
	}
	if err == nil {
		err = t.Commit()
	}
	if err != nil {
		log.Fatal(err)
	}
	names, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, name := range names {
		fmt.Println(filepath.Base(name))
	}
	// Output:
	// pages.count
	// sitemap.xml
}
