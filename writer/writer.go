// Package writer writes sitemaps and related files: feeds, llms.txt, Sitemap lines in robots.txt, a
// page for people and an IndexNow key file. It splits sitemaps that exceed a limit, writes an
// index, and compresses files. It changes a file only if the bytes differ.
//
// The entry file, such as sitemap.xml, is the file at which search engines start. It lists all
// pages, or it is an index of several sitemaps, its children, such as sitemap-blog.xml.
//
// The package does not decide which pages are listed. It replaces and removes files that an earlier
// run wrote. Of other existing files, it changes only these: the entry files named in the options,
// its own lines in robots.txt, its own section of llms.txt, sitemaps of another tool that the new
// sitemap replaces, and the files of [Transaction.AddFile]. With LLMS.Force, it replaces a whole
// llms.txt.
//
// Promised to importers before version 1: the written bytes stay the same within a minor version.
// Names may change with a minor version.
package writer

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"math"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// DefaultName is the default of Options.Name, the name of the XML entry file.
const DefaultName = "sitemap.xml"

// Entries is the list of pages to write. It must be sorted by Loc, and must contain each Loc only
// once.
type Entries interface {
	// Len returns the number of pages.
	Len() int
	// Entry sets *e to the page at index i. It must be safe for concurrent use.
	Entry(i int, e *sitemap.Entry)
}

// Options select the files to write. Dir and Base are required, and Group if there are Groups. The
// zero value of another field means none or off, unless the comment of the field or of its type
// names a default. The values must be valid: see CheckEntry, CheckPage, CheckKey, GzipModes, Splits,
// Formats and the limits such as URLLimit.
type Options struct {
	Dir     string // folder for the files; it is created if it is missing, but not in a missing Publish
	Publish string // folder of the built site, for robots.txt and the IndexNow key file; it is never created, because a generator may replace it as a whole; "" means Dir
	Base    string // URL at which Dir is served, with a trailing slash
	Name    string // path of the XML entry file below Dir, with slashes; "" means sitemap.xml

	Formats []string // names in the variable Formats; nil means only "xml"
	Gzip    string   // "also" adds a .gz beside each file, "only" writes only .gz files; "" means no .gz
	Split   string   // "auto": by section if one file cannot list all pages; "section": always an index; "none": never by section; "" means "auto"
	Groups  []Group  // groups of URLs with files of their own; their pages are in no section
	// Group returns the index in Groups of the group that lists the URL loc, or a negative number
	// for none. It must be safe for concurrent use, and is required if there are Groups.
	Group func(loc string) int

	MaxURLs  int // maximum number of URLs in one file; 0 means sitemap.MaxURLs
	MaxBytes int // maximum size of one file before compression; 0 means sitemap.DefaultMaxBytes

	Index       []string // URLs of further sitemaps to name in the index
	Robots      bool     // add Sitemap lines to robots.txt, and keep them up to date
	Title       string   // title of the site; "" means the host of Base
	Lang        string   // BCP 47 tag of the site's language; "" means unknown
	Feed        Feed
	LLMS        LLMS
	Page        string // path of the page for people below Dir, with slashes; "" means no page
	Stylesheet  bool   // write a CSS file that makes the XML readable in a browser
	IndexNowKey string // key of the site, see CheckKey; "" means no key

	// Leftovers are the paths below Dir of sitemaps that the site's generator may have written.
	Leftovers []string
	// TurnOff is advice on disabling the generator's sitemap, or "" if the generator is unknown.
	TurnOff string
	// IsReferenced reports whether a page refers to file, a sitemap of another tool. Such a sitemap
	// is not removed. IsReferenced may be nil.
	IsReferenced func(file string) bool

	DryRun bool // report what would be written, and write nothing

	// IsPage reports whether a file below Dir is a page of the site. No output overwrites such a
	// file. IsPage may be nil.
	IsPage func(file string) bool
}

// A Group is a separate sitemap for the URLs that [Options].Group assigns to the group.
type Group struct {
	Name string   // part of the file name between the entry's name and the extension, such as "blog" in sitemap-blog.xml
	Pos  diag.Pos // position of the group in the settings, for findings
}

// Feed configures the rss and atom formats.
type Feed struct {
	Items int    // number of newest pages in a feed; 0 means 50
	Title string // title of the feed; "" means Options.Title
}

// A Report lists the changes that Commit makes. With DryRun, it lists the changes that Commit would
// make.
type Report struct {
	Files []File    // changed, unchanged and removed files, sorted by name
	URLs  int       // number of listed URLs
	Empty []Group   // groups of Options.Groups without a URL
	Diags diag.List // findings in any order
}

// A File is one file that a commit writes, leaves unchanged or removes.
type File struct {
	Name  string `json:"name"` // slash-separated path, relative to Options.Dir
	State State  `json:"state"`
	URLs  int    `json:"urls"`            // number of listed URLs; for an index, the number of sitemaps
	Words int    `json:"words,omitempty"` // number of words in an llms.txt; 0 for other files
	Bytes int64  `json:"bytes"`           // size on disk

	// Info describes the file after the run, so that a caller can detect later changes. It is nil
	// for a removed file, and in a dry run for a changed file.
	Info fs.FileInfo `json:"-"`
}

// A State tells what a run does with a file.
type State uint8

// The states of a file.
const (
	Written   State = iota // the file is new or has new content
	Unchanged              // the file already had the right content, and was not touched
	Removed                // the file is removed, because it is no longer needed
)

// String returns the state in lower case, such as "written".
func (s State) String() string { return [...]string{"written", "unchanged", "removed"}[s] }

// MarshalText returns the result of String as bytes, for JSON.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Print writes the first of o.Formats to w as one file. It compresses the file if o.Gzip is "only".
// It returns an error if the pages do not fit into one file, or if no page has a date for a feed.
// o.Dir may be "". The Report has no Files.
func Print(w io.Writer, entries Entries, o Options) (Report, error) {
	o.Stylesheet, o.Page = false, ""
	o.Split, o.Groups, o.Index, o.Formats = "none", nil, nil, o.Formats[:min(1, len(o.Formats))]
	j := newJob(entries, o)
	if o.Gzip != "only" {
		err := j.printFirstFormat(w)
		return j.report, err
	}
	z := newGzipWriter(w)
	err := j.printFirstFormat(z)
	if err == nil {
		err = z.Close()
	}
	return j.report, err
}

// printFirstFormat writes the first requested format to w, without compression.
func (j *job) printFirstFormat(w io.Writer) error {
	ctx := context.Background()
	format := j.o.Formats[0]
	switch formats[format].kind {
	case outlines:
		var err error
		j.report.URLs, err = j.printLLMS(ctx, w)
		return err
	case newestPages:
		newest := newestEntries(ctx, j.entries, j.o.Base, j.o.Feed.Items)
		if len(newest) == 0 {
			return fmt.Errorf("no page but the home page has a date, so there is nothing for the format %s", format)
		}
		j.report.URLs = len(newest)
		return j.writeFeed(w, format, newest)
	}
	if formats[format].lines { // a plain list of URLs has no size limit
		j.o.MaxURLs, j.o.MaxBytes = math.MaxInt, math.MaxInt
	}
	if err := j.planSitemaps(ctx); err != nil {
		return err
	}
	if len(j.children) > 1 {
		n := j.report.URLs
		j.report.URLs = 0
		return fmt.Errorf("%d URLs are more than one file may hold; give -o a folder", n)
	}
	return j.encodeSitemap(w, format, &j.children[0])
}
