// Package frontmatter reads what a content file's front matter says of its page.
//
// It refuses to read further than the front matter, and to mind keys that it
// does not know: they are the site's own.
package frontmatter

import (
	"bytes"
	"io"
	"time"

	"github.com/sitewalk/sitewalk/page"
)

// Options say whose conventions hold. The zero Options are those of no
// generator in particular.
type Options struct {
	Generator string         // "hugo", "jekyll", …; "" for none
	Zone      *time.Location // of dates without one; nil is UTC
	// DateOrder is Hugo's [frontmatter]: for "date", "lastmod", "publishDate"
	// and "expiryDate" the keys to ask, in order. nil is Hugo's default.
	DateOrder map[string][]string
}

// MaxBytes is how far front matter may reach.
const MaxBytes = 1 << 20

// Read reads the front matter of the file called name. It is false when the
// file has none. Mistakes stand in f.Diags, their Pos without a file.
func Read(src []byte, name string, o Options) (f page.Facts, ok bool) {
	f, ok, _ = ReadFrom(bytes.NewReader(src), name, o)
	return f, ok
}

// ReadFrom is Read for a stream, of which it reads little more than the front
// matter, and at most MaxBytes. The error is the stream's own.
func ReadFrom(r io.Reader, name string, o Options) (f page.Facts, ok bool, err error) {
	return page.Facts{}, false, nil
}
