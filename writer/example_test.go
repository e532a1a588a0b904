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

// A pageList implements writer.Entries in memory.
type pageList []sitemap.Entry

func (l pageList) Len() int                      { return len(l) }
func (l pageList) Entry(i int, e *sitemap.Entry) { *e = l[i] }

var pages = pageList{
	{URL: sitemap.URL{Loc: "https://example.com/"}, Title: "Home"},
	{URL: sitemap.URL{Loc: "https://example.com/blog/a/"}, Title: "A"},
	{URL: sitemap.URL{Loc: "https://example.com/blog/b/"}, Title: "B"},
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

// This example writes a sitemap and another file in one transaction.
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
		err = t.AddFile(ctx, filepath.Join(dir, "pages.count"), fmt.Appendln(nil, report.URLs))
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
