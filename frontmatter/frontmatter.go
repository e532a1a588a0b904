// Package frontmatter reads what a content file's front matter says of its
// page, in YAML, TOML, JSON or Org.
//
// It refuses to read further than the front matter, and to mind keys that it
// does not know: they are the site's own.
//
// Promised to importers before version 1: what a notation means stays; names may change with a minor
// version.
package frontmatter

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"time"
	"unsafe"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/internal/values"
	"github.com/sitewalk/sitewalk/page"
	"gopkg.in/yaml.v3"
)

// Options say how front matter is read. The zero Options are those of no
// generator in particular.
type Options struct {
	Conventions
	Zone *time.Location // of dates without one; nil is UTC
	// NoTitle and NoSummary leave out what is not asked for.
	NoTitle, NoSummary bool
}

// MaxBytes is how far front matter may reach.
const MaxBytes = 1 << 20

// A Reader reads front matter. It reuses its memory and is for one goroutine.
type Reader struct {
	o      Options
	orders orders
	buf    []byte
	plain  strict.Plain
	memory strict.Nodes
	strict strict.Decoder
	matter matter
}

// NewReader returns a Reader that follows o.
func NewReader(o Options) *Reader {
	r := &Reader{o: o, orders: o.orders(), buf: make([]byte, firstRead)}
	r.strict.Options = strict.Options{Lenient: true, FoldCase: true, Top: "the front matter", Types: values.Types(o.Zone)}
	return r
}

// firstRead is how much of a file is read at first, which is more than most
// front matter has.
const firstRead = 4 << 10

// Read replaces *f by what the front matter of the file called name says.
// It reads little more than that, and at most MaxBytes. It is false when the
// file has none. Mistakes stand in f.Diags, their Pos without a file. The error
// is the stream's own.
func (r *Reader) Read(src io.Reader, name string, f *page.Facts) (ok bool, err error) {
	*f = page.Facts{}
	b, diags, err := r.block(src)
	if err != nil || b.notation == 0 {
		f.Diags = mild(diags)
		if len(diags) > 0 && diags[0].Code == "front-matter-too-long" {
			f.Skip, f.SkipPos, f.SkipNote = page.Unreadable, diags[0].Pos, diags[0].Message
		}
		return len(diags) > 0, err
	}
	m := &r.matter
	*m = matter{r: r, name: name, f: f, keys: m.keys[:0], answers: m.answers[:0]}
	n, more := r.nodes(b)
	mistakes := r.strict.Run("", n, m)
	f.Diags = mild(slices.Concat(diags, more, mistakes, f.Diags))
	return true, nil
}

// mild makes every mistake a warning: the generator reads the file in its own
// way, and has built the page nevertheless.
func mild(ds diag.List) diag.List {
	for i := range ds {
		ds[i].Severity = min(ds[i].Severity, diag.Warning)
	}
	return ds
}

// block finds the front matter of a file: in its first bytes, or by a closer
// look.
func (r *Reader) block(src io.Reader) (b block, diags diag.List, err error) {
	n, err := src.Read(r.buf)
	if b, ok := r.o.cut(r.buf[:n]); ok {
		return b, nil, nil
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return block{}, nil, err
	}
	return r.o.split(io.MultiReader(bytes.NewReader(r.buf[:n]), src))
}

// nodes reads a block into nodes that have their places in the file. They, and
// the texts in them, are valid until the next file is read.
func (r *Reader) nodes(b block) (*yaml.Node, diag.List) {
	if b.notation == inYAML {
		// A copy of each block would be half of the memory that a site takes.
		text := unsafe.String(unsafe.SliceData(b.data), len(b.data))
		if n, ok := r.plain.Read(text, b.line); ok {
			return n, nil
		}
	}
	n, diags := b.notation.read(&r.memory, b.data)
	shift(n, b.line)
	for i := range diags {
		diags[i].Pos.Line += b.line
	}
	return n, diags
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

// A notation is a way to write front matter.
type notation uint8

const (
	_ notation = iota // there is none
	inYAML
	inTOML
	inJSON
	inOrg
	inHeaders
)

// read reads a block of front matter into nodes.
func (n notation) read(m *strict.Nodes, src []byte) (*yaml.Node, diag.List) {
	switch n {
	case inYAML:
		return strict.YAML("", src)
	case inTOML:
		return m.TOML("", src)
	case inJSON:
		return m.JSON("", src)
	case inHeaders:
		return readHeaders(src)
	}
	return readOrg(src)
}
