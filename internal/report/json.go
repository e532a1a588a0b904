package report

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/sitewalk/sitewalk/diag"
)

// A jsonHead contains the first fields of the JSON object, which are the same for all commands.
type jsonHead struct {
	Version int     `json:"version"`
	Command string  `json:"command"`
	Outcome Outcome `json:"verdict"`
	Error   string  `json:"error,omitempty"`
	Base    string  `json:"base_url,omitempty"`
	Counts  counts  `json:"counts"`
}

type counts struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Notes    int `json:"notes"`
	Accepted int `json:"accepted"`
}

// WriteJSON writes the report as a JSON object. The fields of Details follow the fields of
// jsonHead. Changes and pages are encoded one by one to save memory, because there may be a
// million of them.
// See docs/json.md.
func (r *Report) WriteJSON(w io.Writer) error {
	out := bufio.NewWriter(w)
	o := newObjectWriter(out, "")
	o.writeMembers(jsonHead{
		Version: Version, Command: r.Command, Outcome: r.Outcome(), Error: r.Error, Base: r.Base,
		Counts: counts{r.CountOf(diag.Error), r.CountOf(diag.Warning), r.CountOf(diag.Note), r.Accepted},
	})
	if r.Details != nil {
		o.writeMembers(r.Details)
	}
	writeList(o, "findings", r.Findings)
	if len(r.Fixed) > 0 {
		writeList(o, "fixed", r.Fixed)
	}
	if r.Changes != nil {
		o.writeName("changes")
		inner := newObjectWriter(out, o.indent)
		inner.writeMembers(changesHead{Changes: r.Changes})
		writeList(inner, "list", r.Changes.List)
		inner.close()
	}
	if len(r.Pages) > 0 {
		writeList(o, "pages", r.Pages)
	}
	o.close()
	out.WriteByte('\n')
	return cmp.Or(o.err, out.Flush())
}

// changesHead contains all fields of Changes except List.
type changesHead struct {
	*Changes
	List *struct{} `json:"list,omitempty"`
}

// An objectWriter writes a JSON object field by field. The field err keeps the first error.
type objectWriter struct {
	out    *bufio.Writer
	indent string // white space before each field
	count  int
	err    error
}

func newObjectWriter(out *bufio.Writer, indent string) *objectWriter {
	out.WriteByte('{')
	return &objectWriter{out: out, indent: indent + jsonIndent}
}

const jsonIndent = "  "

func (o *objectWriter) close() { o.out.WriteString("\n" + o.indent[len(jsonIndent):] + "}") }

// startMember begins a new line for the next field of the object.
func (o *objectWriter) startMember() {
	if o.count++; o.count > 1 {
		o.out.WriteByte(',')
	}
	o.out.WriteString("\n" + o.indent)
}

func (o *objectWriter) writeName(name string) {
	o.startMember()
	o.out.WriteString(`"` + name + `": `)
}

// marshal encodes v as JSON. It writes indent at the beginning of each line except the first.
func (o *objectWriter) marshal(v any, indent string) []byte {
	var b bytes.Buffer
	e := NewEncoder(&b)
	e.SetIndent(indent, jsonIndent)
	o.err = cmp.Or(o.err, e.Encode(v))
	return bytes.TrimSpace(b.Bytes())
}

// writeMembers writes the fields of the struct v as fields of the object.
func (o *objectWriter) writeMembers(v any) {
	object := o.marshal(v, o.indent[len(jsonIndent):])
	if content := bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimPrefix(object, []byte("{")), []byte("}"))); len(content) > 0 {
		o.startMember()
		o.out.Write(content)
	}
}

// writeList writes a field whose value is the array items. It encodes the items one by one.
func writeList[T any](o *objectWriter, name string, items []T) {
	o.writeName(name)
	o.out.WriteByte('[')
	between := "\n" + o.indent + jsonIndent
	for _, item := range items {
		o.out.WriteString(between)
		o.out.Write(o.marshal(item, o.indent+jsonIndent))
		between = ",\n" + o.indent + jsonIndent
	}
	if len(items) > 0 {
		o.out.WriteString("\n" + o.indent)
	}
	o.out.WriteByte(']')
}

// NewEncoder returns a JSON encoder whose output can be printed on a terminal. It escapes
// characters that move the cursor or change the direction of text.
func NewEncoder(w io.Writer) *json.Encoder {
	e := json.NewEncoder(escaper{w})
	e.SetEscapeHTML(false)
	return e
}

// An escaper escapes special characters in JSON text. Each call of Write must contain a complete
// JSON value.
type escaper struct{ w io.Writer }

func (e escaper) Write(b []byte) (int, error) {
	if bytes.IndexFunc(b, diag.NeedsEscape) < 0 {
		return e.w.Write(b)
	}
	var out []byte
	for _, r := range string(b) {
		if !diag.NeedsEscape(r) {
			out = utf8.AppendRune(out, r)
			continue
		}
		for _, half := range utf16.Encode([]rune{r}) {
			out = fmt.Appendf(out, `\u%04x`, half)
		}
	}
	if _, err := e.w.Write(out); err != nil {
		return 0, err
	}
	return len(b), nil
}
