// Package writer puts sitemaps, feeds and what goes with them on disk: llms.txt, lines of
// robots.txt, a page for people, a key. Sitemaps are split where a limit asks for it,
// indexed and compressed. A file is touched only when its bytes change.
//
// It does not decide which pages are listed. It touches only files that it can prove to be its
// own, except the entry files that its options name, its lines in robots.txt and
// llms.txt, and sitemaps of another tool that its own replace.
//
// Promised to importers before version 1: what is written stays byte for byte within a
// minor version, and names may change with one.
package writer

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/sitemap"
)

// DefaultName is the name of the XML entry.
const DefaultName = "sitemap.xml"

// Entries are the pages to list, sorted by Loc, each Loc once.
type Entries interface {
	Len() int
	// Entry fills *e with the page at i; safe for concurrent use.
	Entry(i int, e *sitemap.Entry)
}

// Options select the files to write. Dir and Base are required; every other zero field means
// the default that its comment names.
type Options struct {
	Dir     string // the folder to write into, made when missing, unless Publish is
	Publish string // the built site, whose robots.txt is kept; it is never created, so that it is not in the way of a generator that swaps it; "": Dir may be made
	Base    string // the URL at which Dir is served, with a trailing slash
	Name    string // of the XML entry file, slash-separated below Dir: "sitemap.xml"

	Formats []string // of Formats; "xml" alone
	Gzip    string   // "": no; "also": a .gz beside each file; "only": .gz alone
	Split   string   // "auto": by section past a limit; "section": always; "none": never by section
	Groups  []Group  // files of their own, before sections
	// Group returns the index of the group that takes a URL, or a negative number; it
	// is safe for concurrent use. Where there are Groups, it must be set.
	Group func(loc string) int

	MaxURLs  int // of one file; sitemap.MaxURLs
	MaxBytes int // of one file before compression; sitemap.DefaultMaxBytes

	Index      []string // URLs of further sitemaps to name in the index
	Robots     bool     // keep Sitemap lines in robots.txt
	Title      string   // of the site; the host of the base URL
	Lang       string   // BCP 47 tag of the site's language; not known
	Feed       Feed
	LLMS       LLMS
	Page       string // the page for people, slash-separated below Dir; none
	Stylesheet bool   // a CSS file that makes the XML readable in a browser
	Key        string // of the site for IndexNow, see CheckKey; its file is kept at the top of Publish, else of Dir; none

	// What another tool may have left: the files below Dir where the generator at
	// hand puts sitemaps, how it is kept from doing so ("" where no generator is
	// known), and whether a page names one, which then stays. All of them may be missing.
	Leftovers []string
	TurnOff   string
	Names     func(file string) bool

	DryRun bool // report what would be done, touch nothing

	// Protect reports whether a file below Dir is a page of the site, which no
	// output may overwrite. It may be nil.
	Protect func(file string) bool

	maxChildren int // of one index; sitemap.MaxChildren
}

// A Group is a sitemap of its own for the URLs that [Options].Group gives it.
type Group struct {
	Name string   // of the file, between the entry's name and the extension
	Pos  diag.Pos // in the settings
}

// Feed are the settings of the rss and atom formats.
type Feed struct {
	Items int    // how many of the newest pages; 50
	Title string // Options.Title
}

// A Report lists what Commit will do, or with DryRun would do.
type Report struct {
	Files []File    // sorted by name
	URLs  int       // listed
	Left  int       // too large for any file
	Empty []Group   // those of Options.Groups that no URL is in
	Diags diag.List // in no order
}

// A File is one file that was written, left alone or removed.
type File struct {
	Name  string `json:"name"` // slash-separated below Dir
	State State  `json:"state"`
	URLs  int    `json:"urls"`            // or, of an index, its sitemaps
	Words int    `json:"words,omitempty"` // of an llms.txt
	Bytes int64  `json:"bytes"`           // on disk

	// Info is how the file was left, so that a caller can tell whether it is
	// still the same; nil of one that was removed.
	Info fs.FileInfo `json:"-"`
}

// A State is what became of a file.
type State uint8

// The states of a file.
const (
	Written   State = iota
	Unchanged       // its bytes were right already, and it was not touched
	Removed         // of an earlier run and no longer needed
)

// String returns the state's word.
func (s State) String() string { return [...]string{"written", "unchanged", "removed"}[s] }

// MarshalText returns the same word for JSON.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// A Transaction is what one build writes. Until Commit, each file that changes
// stands beside its place, and what was there stays. From the first draft to Close
// its folders are locked: another transaction waits for a minute, then it fails.
// The zero value is ready; it is for one goroutine, and Close has to follow.
type Transaction struct {
	files  files.Transaction
	drafts int
}

// Draft drafts the sitemaps, feeds and pages that o asks for, and finds what an
// earlier run left and this one does not need. The report says what Commit will do.
func (t *Transaction) Draft(ctx context.Context, entries Entries, o Options) (Report, error) {
	r, err := newJob(entries, o)
	if err != nil {
		return Report{}, err
	}
	r.entryPhase = naming
	if t.drafts++; t.drafts == 1 {
		r.entryPhase = namingAll
	}
	if err := r.open(ctx, &t.files); err != nil {
		return Report{}, err
	}
	err = r.run(ctx)
	return r.Report, err
}

// Clear removes what a killed run left half-written in the folders of a Draft that
// is left out this time.
func (t *Transaction) Clear(ctx context.Context, o Options) error {
	r, err := newJob(nil, o)
	if err != nil {
		return err
	}
	if info, err := os.Stat(o.Dir); err != nil || !info.IsDir() {
		return nil // nothing was written there
	}
	if err := r.open(ctx, &t.files); err != nil {
		return err
	}
	for _, name := range []string{r.Name, cmp.Or(r.Page, r.Name)} {
		_, _ = r.dir.Stat(name) // a look is enough
	}
	return nil
}

// File drafts the file at path with data as its content. The file keeps its mode; a
// new one gets 0644 less the umask. A symbolic link is replaced. The folder must exist.
func (t *Transaction) File(ctx context.Context, path string, data []byte) error {
	f, err := t.files.Open(ctx, filepath.Dir(path), false)
	if err != nil {
		return err
	}
	_, _, err = f.Draft(callers, filepath.Base(path), data)
	return err
}

// Close removes what was drafted and not committed, and unlocks the folders.
func (t *Transaction) Close() {
	t.files.Close()
	*t = Transaction{}
}

// Commit replaces the files one after another: children first, then the indexes, the
// index of the first Draft last, since it may name all others. Then Commit removes stale
// files, and writes the files of File. If the process is killed, each file is the old or
// the new one, and every file that an index names exists. Commit stops at the first error,
// which names the file. The next build completes the changes.
func (t *Transaction) Commit() error { return t.files.Commit() }

// Print writes the first of o.Formats to w as one file, compressed when o.Gzip
// is "only"; an error when the pages are too many for one. It needs no Dir, and
// reports no Files.
func Print(w io.Writer, entries Entries, o Options) (Report, error) {
	o.Stylesheet, o.Page, o.Key = false, "", ""
	o.Split, o.Groups, o.Index, o.Formats = "none", nil, nil, o.Formats[:min(1, len(o.Formats))]
	r, err := newJob(entries, o)
	if err != nil {
		return Report{}, err
	}
	if o.Gzip != "only" {
		err := r.print(w)
		return r.Report, err
	}
	z := newZipper(w)
	if err = r.print(z); err == nil {
		err = z.Close()
	}
	return r.Report, err
}

func (r *job) print(w io.Writer) error {
	ctx := context.Background()
	format := r.Formats[0]
	switch formats[format].kind {
	case outlines:
		var err error
		r.URLs, err = r.printLLMS(ctx, w)
		return err
	case newestPages:
		newest := newestOf(ctx, r.entries, r.Base, r.Feed.Items)
		if len(newest) == 0 {
			return fmt.Errorf("no page but the home page has a date, so there is nothing for the format %s", format)
		}
		r.URLs = len(newest)
		return r.feed(w, format, newest)
	}
	if formats[format].lines { // a list of addresses in a pipe is no sitemap, and may have any length
		r.MaxURLs, r.MaxBytes = math.MaxInt, math.MaxInt
	}
	if err := r.plan(ctx); err != nil {
		return err
	}
	if len(r.children) > 1 {
		n := r.URLs
		r.URLs = 0
		return fmt.Errorf("%d URLs are more than one file may hold; give -o a folder", n)
	}
	return r.encode(w, format, &r.children[0])
}
