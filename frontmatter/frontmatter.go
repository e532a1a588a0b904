// Package frontmatter reads what a content file's front matter says of its
// page, in YAML, TOML, JSON or Org.
//
// It refuses to read further than the front matter, and to mind keys that it
// does not know: they are the site's own.
package frontmatter

import (
	"io"
	"time"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/page"
	"gopkg.in/yaml.v3"
)

// Options say whose conventions hold. The zero Options are those of no
// generator in particular.
type Options struct {
	Generator string         // "hugo", "jekyll", …; "" for none
	Zone      *time.Location // of dates without one; nil is UTC
	// DateOrder is Hugo's [frontmatter]: for "date", "lastmod", "publishdate"
	// and "expirydate", in any case, the keys to ask, in order. nil is Hugo's
	// default. Of the tokens, :default and :filename are followed; :git and
	// :filemodtime are for the caller, who has both.
	DateOrder map[string][]string
}

// MaxBytes is how far front matter may reach.
const MaxBytes = 1 << 20

// Read reads the front matter of the file called name from r, of which it reads
// little more than that, and at most MaxBytes. It is false when the file has
// none. Mistakes stand in f.Diags, their Pos without a file. The error is the
// stream's own.
func Read(r io.Reader, name string, o Options) (f page.Facts, ok bool, err error) {
	b, diags, err := split(r, o.Generator)
	if err != nil || b == nil {
		return page.Facts{Diags: diags}, len(diags) > 0, err
	}
	n, more := b.notation(b.data)
	shift(n, b.line)
	for i := range more {
		more[i].Pos.Line += b.line
	}
	m := matter{o: o, name: name, f: &f}
	found := strict.Options{Lenient: true, FoldCase: true, Top: "the front matter"}.Decode("", n, &m)
	f.Diags = append(append(append(diags, more...), found...), f.Diags...)
	return f, true, nil
}

// shift moves the nodes of a block to the lines where it stands in its file.
func shift(n *yaml.Node, lines int) {
	if n == nil {
		return
	}
	n.Line += lines
	for _, c := range n.Content {
		shift(c, lines)
	}
}

// A notation reads a block of front matter into nodes.
type notation func(src []byte) (*yaml.Node, diag.List)

func inYAML(src []byte) (*yaml.Node, diag.List) { return strict.YAML("", src) }
func inTOML(src []byte) (*yaml.Node, diag.List) { return strict.TOML("", src) }
func inJSON(src []byte) (*yaml.Node, diag.List) { return strict.JSON("", src) }
