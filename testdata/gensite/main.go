// Gensite writes a large site to measure with: go run ./testdata/gensite -n 100000 DIR
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

func main() {
	var site testsite.SyntheticSite
	flag.IntVar(&site.Pages, "n", 10_000, "number of pages")
	flag.Uint64Var(&site.Seed, "seed", 1, "seed of all names, words and dates")
	flag.IntVar(&site.Head, "head", 5_000, "bytes of a page up to the end of its head")
	flag.IntVar(&site.Size, "size", 12_000, "bytes of a page")
	flag.IntVar(&site.Links, "links", 0, "links in the body of each page")
	flag.StringVar(&site.BaseURL, "base", "https://example.com/", "base URL of the canonicals")
	flag.IntVar(&site.Shares.Beside, "beside", 0, "percent of the pages that are name.html beside folders")
	flag.IntVar(&site.Shares.Assets, "assets", 0, "percent of the pages with a file beside them that is not a page")
	flag.BoolVar(&site.Shares.Copies, "copies", false, "two of a hundred pages have another one as their canonical")
	flag.BoolVar(&site.Shares.Heads, "heads", false, "heads of 1 to 40 kB, as those of real sites, instead of -head")
	flag.IntVar(&site.Shares.Languages, "languages", 0, "languages, up to 10, in which every page is")
	flag.IntVar(&site.Shares.Dangling, "dangling", 0, "percent of the pages that name five translations which do not exist")
	flag.IntVar(&site.Shares.OneWay, "one-way", 0, "percent of the pages that name a translation which does not name them")
	flag.BoolVar(&site.Shares.Alone, "alone", false, "every page names itself as its only translation")
	flag.StringVar(&site.Fault, "fault", "", "code of a finding that every page is to have: "+strings.Join(slices.Sorted(maps.Keys(testsite.Faults)), ", "))
	flag.StringVar(&site.Dates, "dates", "", "layout of all dates, as Go's package time has it; default is RFC 3339")
	standard := flag.Bool("standard", false, "the shares of docs/performance.md: -beside 30 -assets 33 -copies -heads")
	content := flag.String("content", "", "also write the content tree to this folder")
	flag.Parse()
	if _, known := testsite.Faults[site.Fault]; flag.NArg() != 1 || site.Fault != "" && !known {
		fmt.Fprintln(os.Stderr, "usage: gensite [flags] DIR")
		os.Exit(2)
	}
	if *standard {
		sh, is := &site.Shares, testsite.Standard
		sh.Beside, sh.Assets, sh.Copies, sh.Heads = is.Beside, is.Assets, is.Copies, is.Heads
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
