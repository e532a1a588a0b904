// Gensite writes a large site to measure with: go run ./testdata/gensite -n 100000 DIR
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/sitewalk/sitewalk/internal/gensite"
)

func main() {
	var site gensite.Site
	flag.IntVar(&site.Pages, "n", 10_000, "number of pages")
	flag.Uint64Var(&site.Seed, "seed", 1, "seed of all names, words and dates")
	flag.IntVar(&site.Head, "head", 5_000, "bytes of a page up to the end of its head")
	flag.IntVar(&site.Size, "size", 12_000, "bytes of a page")
	flag.StringVar(&site.BaseURL, "base", "https://example.com/", "base URL of the canonicals")
	content := flag.String("content", "", "also write the content tree to this folder")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: gensite [flags] DIR")
		os.Exit(2)
	}
	err := site.Write(flag.Arg(0))
	if err == nil && *content != "" {
		err = site.WriteContent(*content)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gensite:", err)
		os.Exit(2)
	}
}
