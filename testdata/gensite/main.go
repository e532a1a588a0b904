// Gensite writes a large site for measurements: go run ./testdata/gensite -n 100000 DIR
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

func main() {
	var site testsite.SyntheticSite
	flag.IntVar(&site.Pages, "n", 10_000, "number of pages")
	flag.IntVar(&site.Head, "head", 5_000, "size of a head in bytes")
	flag.IntVar(&site.Size, "size", 12_000, "size of a page in bytes")
	flag.IntVar(&site.Links, "links", 0, "number of links in the body of each page")
	languages := flag.Int("languages", 1, "number of languages of each page, at most 10")
	dangling := flag.Int("dangling", 0, "percentage of pages that link to five missing translations")
	standard := flag.Bool("standard", false, "write the standard mix: 30 % of the pages as a.html instead of a/index.html, 33 % with an image, heads of 1 to 40 kB, and some canonical links to other pages")
	content := flag.String("content", "", "folder for content files; by default, none are written")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: gensite [flags] DIR")
		os.Exit(2)
	}
	site.Seed = 1
	if *standard {
		site.Shares = testsite.Standard
	}
	site.Shares.Languages, site.Shares.Dangling = *languages, *dangling
	err := site.Write(flag.Arg(0))
	if err == nil && *content != "" {
		err = site.WriteContent(*content)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gensite:", err)
		os.Exit(2)
	}
}
