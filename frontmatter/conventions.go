package frontmatter

import "slices"

// Conventions are what one generator makes of front matter. The zero Conventions
// are those of none in particular.
type Conventions struct {
	// Fences are the lines that open front matter: "---", "+++". nil is every
	// notation that there is, JSON and Org among them.
	Fences []string
	// Headers says that front matter may do without such lines, and be written as
	// MultiMarkdown, reStructuredText and AsciiDoc have it.
	Headers bool
	// FirstLine says that nothing may stand before that line, no byte order mark
	// and no empty line.
	FirstLine bool
	// Below is a key whose map holds the keys that the site has added; known
	// keys may stand there, too.
	Below string
	// Keys are those of Keys that only some generators know, and this one does.
	Keys []string
	// Titles and Langs say that a page's address may follow from its title, from
	// its language.
	Titles, Langs bool

	// DateOrder is, for "date", "lastmod", "publishdate" and "expirydate", the keys
	// to ask in their order, in lower case. nil is what most use. Of the tokens,
	// :default and :filename are followed; :git and :filemodtime are for the
	// caller, who has both.
	DateOrder map[string][]string
	// NoDates are words, in lower case, that stand where a date would and are none.
	NoDates []string
	// NameDate says where the file's name holds the date of a page that says none;
	// with NameDateIn only below a folder of that name.
	NameDate   NameDate
	NameDateIn string
}

// A NameDate says where a file's name has a date.
type NameDate uint8

// The places of a date.
const (
	NoNameDate NameDate = iota
	NameBegins          // the name, or that of the folder whose index it is, begins with it
	NameHolds           // the first date anywhere in the path
)

// readsAll reports whether front matter is read in every notation.
func (c *Conventions) readsAll() bool { return c.Fences == nil }

var allFences = []string{"---", "---yaml", "---toml", "---json", "+++", ";;;"}

// opens reports whether a line opens front matter.
func (c *Conventions) opens(line string) bool {
	if c.readsAll() {
		return slices.Contains(allFences, line)
	}
	return slices.Contains(c.Fences, line)
}
