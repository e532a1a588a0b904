// Package frontmatter reads the front matter of content files in YAML, TOML, JSON or Org. It
// ignores keys that it does not know, which belong to the site.
//
// Promised to importers before version 1: nothing. The package may change with any version; only
// package sitemap promises an API.
package frontmatter

import (
	"io"
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/page"
	"gopkg.in/yaml.v3"
)

// Options configure the reading of front matter. The zero Options fit any generator.
type Options struct {
	Conventions
	Zone *time.Location // of dates without one; nil is UTC

	NoTitle, NoSummary bool // leave out the title, the summary
}

// MaxBytes is the length of a file within which front matter has to end.
const MaxBytes = 1 << 20

// A Reader reads front matter. It is safe for concurrent use.
type Reader struct {
	o      Options
	strict strict.Options
}

// NewReader returns a Reader with the options o.
func NewReader(o Options) *Reader {
	return &Reader{
		o:      o,
		strict: strict.Options{Lenient: true, FoldCase: true, Top: "the front matter", Types: strict.SitemapTypes(o.Zone)},
	}
}

// Read replaces *f by the facts in the front matter of the file called name. It reads at most
// MaxBytes. ok is false if the file has no front matter. Mistakes are in f.Diags, with a Pos
// without a file. The error is the error of src.
func (r *Reader) Read(src io.Reader, name string, f *page.Facts) (ok bool, err error) {
	*f = page.Facts{}
	b, diags, err := r.o.split(src)
	if err != nil || b.notation == 0 {
		f.Diags = downgrade(diags)
		if r.o.Scripts && slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Code == "script-front-matter" }) {
			f.Permalink = "{{ the script of the front matter }}"
		}
		if len(diags) > 0 && diags[0].Code == "front-matter-too-long" {
			f.Skip, f.SkipPos, f.SkipNote = page.Unreadable, diags[0].Pos, diags[0].Message
		}
		return len(diags) > 0, err
	}
	m := &matter{r: r, name: name, f: f, values: map[string]*yaml.Node{}, dates: map[string]answer{}}
	n, more := b.nodes()
	mistakes := r.strict.Decode("", n, m)
	f.Diags = downgrade(slices.Concat(diags, more, mistakes, f.Diags))
	return true, nil
}

// downgrade makes every error a warning, because the generator has built the page nevertheless.
func downgrade(ds diag.List) diag.List {
	for i := range ds {
		ds[i].Severity = min(ds[i].Severity, diag.Warning)
	}
	return ds
}

// A notation is a way to write front matter.
type notation uint8

const (
	_ notation = iota
	inYAML
	inTOML
	inJSON
	inHeaders
)

// A block is the front matter of a file. The zero block is no front matter.
type block struct {
	notation notation
	data     []byte
	line     int // lines before data
}

// nodes reads a block into nodes with their places in the file.
func (b block) nodes() (n *yaml.Node, diags diag.List) {
	switch b.notation {
	case inYAML:
		n, diags = strict.YAML("", b.data)
	case inTOML:
		n, diags = strict.TOML("", b.data)
	case inJSON:
		n, diags = strict.JSON("", b.data)
	default:
		n = readHeaders(b.data)
	}
	if n == nil && len(diags) == 0 { // empty
		n = &yaml.Node{Kind: yaml.MappingNode, Line: 1, Column: 1}
	}
	shift(n, b.line)
	for i := range diags {
		diags[i].Pos.Line += b.line
	}
	return n, diags
}

// shift adds to the lines of a node and of all nodes in it.
func shift(n *yaml.Node, lines int) {
	if n == nil {
		return
	}
	n.Line += lines
	for _, c := range n.Content {
		shift(c, lines)
	}
}

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
