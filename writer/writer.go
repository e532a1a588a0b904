// Package writer puts sitemaps, feeds and the page for people on disk: split
// where a limit asks for it, indexed, compressed, and only when their bytes
// change.
//
// It refuses to decide what is listed, and to touch a file that it cannot prove
// to be its own, except the entry files that its options name.
package writer

import (
	"context"
	"io"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// Options say what to write and where. Dir and Base are required; every other
// zero field stands for the default that is named beside it.
type Options struct {
	Dir     string // the folder to write into, made when missing
	Publish string // the folder whose robots.txt is kept; Dir
	Base    string // the URL at which Dir is served, with a trailing slash
	Name    string // of the XML entry file, slash-separated below Dir: "sitemap.xml"

	Formats []string // of Formats; "xml" alone
	Gzip    string   // "": no; "also": a .gz beside each file; "only": .gz alone
	Split   string   // "auto": by section past a limit; "section": always; "none": never by section
	Groups  []Group  // files of their own, before sections; the first that matches takes a URL

	MaxURLs  int // of one file; sitemap.MaxURLs
	MaxBytes int // of one file before compression; sitemap.DefaultMaxBytes

	Index      []string // URLs of further sitemaps to name in the index
	Robots     bool     // keep Sitemap lines in robots.txt
	Feed       Feed
	Page       string // the page for people, slash-separated below Dir; none
	Stylesheet bool   // a CSS file that makes the XML readable in a browser

	DryRun bool // report what would be done, touch nothing

	// Protect says whether a file below Dir is a page of the site, which no
	// output may overwrite. It may be nil.
	Protect func(file string) bool
}

// A Group is a sitemap of its own for the URLs that Match accepts.
type Group struct {
	Name  string                // of the file, between the entry's name and the extension
	Match func(loc string) bool // safe for concurrent use
}

// Feed says what the rss and atom formats carry.
type Feed struct {
	Items int    // how many of the newest pages; 50
	Title string // the host of the base URL
}

// A Report says what Write did, or with DryRun would have done.
type Report struct {
	Files []File    // sorted by name
	URLs  int       // listed
	Diags diag.List // in no order
}

// A File is one file that was written, left alone or removed.
type File struct {
	Name  string `json:"name"` // slash-separated below Dir
	State State  `json:"state"`
	URLs  int    `json:"urls"`  // or, of an index, its sitemaps
	Bytes int64  `json:"bytes"` // on disk
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

// Write writes the sitemaps, feeds and pages that o asks for, and removes what
// an earlier run left and this one does not need. A run that fails before its
// files are complete leaves everything as it was.
func Write(ctx context.Context, entries Entries, o Options) (Report, error) {
	return Report{}, nil
}

// Print writes the first of o.Formats to w as one file; an error when that would
// break a limit.
func Print(w io.Writer, entries Entries, o Options) error { return nil }

// Replace makes data the content of the file at path: whole or not at all,
// through a file beside it that is synced and renamed. Identical bytes are not
// touched. The file keeps its mode; a new one gets 0644 less the umask. A
// symbolic link stays, and its target is replaced.
func Replace(path string, data []byte) (changed bool, err error) { return false, nil }

// Entries are the pages to list, sorted by Loc, each Loc once.
type Entries interface {
	Len() int
	// Entry fills *e with the page at i; safe for concurrent use.
	Entry(i int, e *sitemap.Entry)
}

// Slice is Entries in memory.
type Slice []sitemap.Entry

// Len returns how many entries there are.
func (s Slice) Len() int { return len(s) }

// Entry fills *e with the entry at i.
func (s Slice) Entry(i int, e *sitemap.Entry) { *e = s[i] }
