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

// A jsonHead contains the first fields of the JSON object, which all commands have.
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

// WriteJSON writes the report as a JSON object. The fields of jsonHead come first, then the fields
// of Details. Changes and pages are encoded one by one to save memory, because a report may contain
// a million of them.
// See docs/json.md.
func (r *Report) WriteJSON(w io.Writer) error {
	out := bufio.NewWriter(w)
	o := newObjectWriter(out, "")
	o.writeFields(jsonHead{
		Version: Version, Command: r.Command, Outcome: r.Outcome(), Error: r.Error, Base: r.Base,
		Counts: counts{r.CountSeverity(diag.Error), r.CountSeverity(diag.Warning), r.CountSeverity(diag.Note), r.Accepted},
	})
	if r.Details != nil {
		o.writeFields(r.Details)
	}
	writeListField(o, "findings", r.Findings)
	if len(r.Fixed) > 0 {
		writeListField(o, "fixed", r.Fixed)
	}
	if r.Changes != nil {
		o.writeFieldName("changes")
		inner := newObjectWriter(out, o.indent)
		inner.writeFields(changesHead{Changes: r.Changes})
		writeListField(inner, "list", r.Changes.List)
		inner.writeEnd()
	}
	if len(r.Pages) > 0 {
		writeListField(o, "pages", r.Pages)
	}
	o.writeEnd()
	out.WriteByte('\n')
	return cmp.Or(o.err, out.Flush())
}

// A changesHead is a Changes without its List in JSON. Its own field List, which is nil, hides
// Changes.List. WriteJSON writes the list afterwards, one change at a time.
type changesHead struct {
	*Changes
	List *struct{} `json:"list,omitempty"`
}

// An objectWriter writes a JSON object field by field. It stores the first error in err.
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

func (o *objectWriter) writeEnd() { o.out.WriteString("\n" + o.indent[len(jsonIndent):] + "}") }

// startField begins the line of the next field of the object.
func (o *objectWriter) startField() {
	if o.count++; o.count > 1 {
		o.out.WriteByte(',')
	}
	o.out.WriteString("\n" + o.indent)
}

func (o *objectWriter) writeFieldName(name string) {
	o.startField()
	o.out.WriteString(`"` + name + `": `)
}

// encode returns v as JSON. Each line except the first begins with indent.
func (o *objectWriter) encode(v any, indent string) []byte {
	var b bytes.Buffer
	e := NewTerminalSafeEncoder(&b)
	e.SetIndent(indent, jsonIndent)
	o.err = cmp.Or(o.err, e.Encode(v))
	return bytes.TrimSpace(b.Bytes())
}

// writeFields writes each field of the struct v as a field of the object.
func (o *objectWriter) writeFields(v any) {
	object := o.encode(v, o.indent[len(jsonIndent):])
	if content := bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimPrefix(object, []byte("{")), []byte("}"))); len(content) > 0 {
		o.startField()
		o.out.Write(content)
	}
}

// writeListField writes a field called name whose value is the array items. It encodes the items
// one by one.
func writeListField[T any](o *objectWriter, name string, items []T) {
	o.writeFieldName(name)
	o.out.WriteByte('[')
	between := "\n" + o.indent + jsonIndent
	for _, item := range items {
		o.out.WriteString(between)
		o.out.Write(o.encode(item, o.indent+jsonIndent))
		between = ",\n" + o.indent + jsonIndent
	}
	if len(items) > 0 {
		o.out.WriteString("\n" + o.indent)
	}
	o.out.WriteByte(']')
}

// NewTerminalSafeEncoder returns a JSON encoder that writes to w. Its output is safe to print on a
// terminal and in the log of a CI system. The encoder escapes characters that move the cursor or
// change the direction of text. It also escapes commands such as "##[group]".
func NewTerminalSafeEncoder(w io.Writer) *json.Encoder {
	e := json.NewEncoder(escaper{w})
	e.SetEscapeHTML(false)
	return e
}

// An escaper escapes the characters in JSON text for which diag.NeedsEscape returns true, as \u202e
// for example. It also escapes the second character of "##", with which the commands of some CI
// systems begin. Each call of Write must pass a complete JSON value.
type escaper struct{ w io.Writer }

func (e escaper) Write(b []byte) (int, error) {
	text := bytes.ReplaceAll(b, []byte("##"), []byte(`#\u0023`))
	if bytes.IndexFunc(text, diag.NeedsEscape) < 0 {
		_, err := e.w.Write(text)
		return len(b), err
	}
	var out []byte
	for _, r := range string(text) {
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
