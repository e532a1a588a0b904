package frontmatter

import "slices"

// Conventions describe how one generator reads front matter. The zero Conventions fit any
// generator.
type Conventions struct {
	// Fences are the lines that open front matter: "---", "+++". nil allows every
	// notation, with JSON and Org.
	Fences []string
	// Headers allows front matter without such lines, as in MultiMarkdown,
	// reStructuredText and AsciiDoc.
	Headers bool
	// FirstLine requires front matter to begin with the first byte of the file, without a
	// byte order mark or an empty line before.
	FirstLine bool
	// Below is a key whose map has the keys of the site. Known keys are read there, too.
	Below string
	// Keys are the keys of generatorsOnly that this generator knows.
	Keys []string
	// Titles and Langs report that a page's address may depend on its title, on its
	// language.
	Titles, Langs bool

	// Scripts reports that front matter may be a script, which gives the page an unknown
	// address.
	Scripts bool

	// DateOrder lists the keys of "date", "lastmod", "publishdate" and "expirydate" by
	// priority, in lower case. nil is the usual order. Of the tokens, :default and
	// :filename are followed; the caller follows :git and :filemodtime.
	DateOrder map[string][]string
	// NoDates are words, in lower case, that are allowed in place of a date.
	NoDates []string
	// NameDate is the place of the date in a file's name, for pages without another date;
	// with NameDateIn only below a folder of that name.
	NameDate   NameDate
	NameDateIn string
}

// A NameDate is the place of the date in the name of a file.
type NameDate uint8

// The places.
const (
	NoNameDate NameDate = iota
	NameBegins          // at the beginning of the name, or of the folder's name for an index file
	NameHolds           // the first date anywhere in the path
)

// readsAll reports whether every notation is read.
func (c *Conventions) readsAll() bool { return c.Fences == nil }

var allFences = []string{"---", "---yaml", "---toml", "---json", "+++", ";;;"}

// opens reports whether a line opens front matter.
func (c *Conventions) opens(line string) bool {
	if c.readsAll() {
		return slices.Contains(allFences, line)
	}
	return slices.Contains(c.Fences, line)
}
