package site

import (
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A ContentFile is a content file in its place among the others. What each fold asks
// for of every one comes first.
type ContentFile struct {
	*facts.Content
	verdict *Verdict       // why it alone keeps its page out, or nil
	says    *sitemap.URL   // what it and given say together; nil when that is at most a date
	since   sitemap.Date   // not to be listed before
	key     string         // that it shares with its translations
	out     string         // the file that the generator would write; "" when that cannot be known
	ending  mapping.Ending // of the address that the generator gives its page
	*placement
}

// A placement is what else follows from a content file's place. Most files share
// one of which nothing is to be said.
type placement struct {
	note  string       // why out is not known, or how it came about
	lang  string       // of the file
	given *sitemap.URL // what the generator's configuration says of it, or nil
}

// Output returns the file that the generator would write; "" when that cannot be
// known.
func (src *ContentFile) Output() string { return src.out }

// Note says how Output came about, or why it is not known.
func (src *ContentFile) Note() string { return src.note }
