package sitemap

import "io"

// An Item is what a [Reader] found: an entry, or a child sitemap.
type Item struct {
	Entry              // of a child sitemap, Loc and LastMod only
	Sitemap  bool      // a child of an index, not a page
	Line     int       // where it begins
	Problems []Problem // what could not be understood of it
}

// A Problem is a mistake in a sitemap that does not keep it from being read.
type Problem struct {
	Line                int
	Code, Message, Hint string
}

// A Reader reads a sitemap in any of its formats.
type Reader struct{}

// NewReader returns a Reader of r, which is not compressed.
func NewReader(r io.Reader) *Reader { return &Reader{} }

// Next returns the next item, or io.EOF after the last.
func (r *Reader) Next() (Item, error) { return Item{}, io.EOF }
