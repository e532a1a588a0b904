package page

import (
	"time"

	"github.com/sitewalk/sitewalk/sitemap"
)

// Options say what a Reader looks for beyond the facts that decide whether a
// page is listed and when it changed. The zero Options read the head only.
type Options struct {
	Zone        *time.Location     // of dates without one; nil is UTC
	Titles      bool               // Facts.Title and Facts.Summary
	Whole       bool               // Facts.Skip is Broken for a file that is no page, and Diags say so
	Alternates  bool               // Facts.URL.Alternates
	Body        bool               // Facts.Fingerprint; reads the body
	Images      bool               // Facts.URL.Images; reads the body
	EditLinks   bool               // Facts.EditLinks; reads the body
	Links       bool               // Facts.Links; reads the body
	Fingerprint FingerprintOptions // what counts as content
	NoNotes     bool               // leave Facts.SkipNote out, where nobody asks for what a tag says

	// Same, if not nil, is shown the alternates of a page. What it returns, if that is
	// not nil, becomes Facts.URL.Alternates: the same as a page before had, perhaps,
	// as many pages name the same.
	Same func(*Alternates) []sitemap.Alternate

	// Muted reports whether nobody would read a finding of the code about this
	// page. It is not made then, only named in Facts.Muted; nil mutes none.
	Muted func(code string) bool
}

func (o *Options) muted(code string) bool { return o.Muted != nil && o.Muted(code) }

// body reports whether anything asks for the body.
func (o *Options) body() bool { return o.Body || o.Images || o.EditLinks || o.Links }
