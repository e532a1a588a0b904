package page

import (
	"io"
	"time"

	"github.com/sitewalk/sitewalk/sitemap"
)

// Options say what a Reader looks for beyond the facts that decide whether a
// page is listed and when it changed. The zero Options read the head only.
type Options struct {
	Zone        *time.Location     // of dates without one; nil is UTC
	Titles      bool               // Facts.Title and Facts.Summary
	Alternates  bool               // Facts.URL.Alternates
	Body        bool               // Facts.Fingerprint; reads the body
	Images      bool               // Facts.URL.Images; reads the body
	EditLinks   bool               // Facts.EditLinks; reads the body
	Fingerprint FingerprintOptions // what counts as content
}

// FingerprintOptions tune what counts as a page's content. Each selector is an
// element, an #id, a .class, or an element with any of them: "div.note".
type FingerprintOptions struct {
	// Include names the elements that are the content, in place of main and
	// article. On a page that has none of them the defaults hold.
	Include []string
	// Exclude names elements that do not count, wherever they stand.
	Exclude []string
}

// Check returns an error that names the first selector that is none.
func (o FingerprintOptions) Check() error { return nil }

// Version names the algorithm and the options; fingerprints of different
// versions may not be compared.
func (o FingerprintOptions) Version() string { return FingerprintVersion }

// FingerprintVersion names the algorithm behind Facts.Fingerprint. It changes
// whenever an unchanged page could get another fingerprint.
const FingerprintVersion = "1"

// A Reader reads pages from HTML. It reuses its buffers and is for one
// goroutine.
type Reader struct{ o Options }

// NewReader returns a Reader that looks for what o asks.
func NewReader(o Options) *Reader { return &Reader{o: o} }

// HTML fills *f anew with what the page in src says. The first read asks for
// 8 KiB; reading stops at the end of the head unless an option needs the body.
func (r *Reader) HTML(src io.Reader, f *Facts) error {
	*f = Facts{}
	return nil
}

// Head returns the first bytes of the page that HTML read last, at most 8 KiB,
// or nil when they are no longer held. They are valid until the next call of HTML.
func (r *Reader) Head() []byte { return nil }

// Directives are what a robots meta element or an X-Robots-Tag header says.
type Directives struct {
	UnavailableAfter string // the date as written, or ""
}

// ParseRobots reads the content of a robots meta element or the value of an
// X-Robots-Tag header.
func ParseRobots(value string) Directives { return Directives{} }

// NoIndex reports whether the directives forbid indexing, for all agents or
// for one of those named.
func (d Directives) NoIndex(agents ...string) bool { return false }

// IsErrorPage reports whether hosts serve file for addresses that do not exist.
func IsErrorPage(file string) bool { return false }

// IsVerification reports whether file proves to a search engine who owns the
// site, by its name and by head, its first bytes.
func IsVerification(file string, head []byte) bool { return false }

var _ sitemap.Date
