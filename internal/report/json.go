package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/sitewalk/sitewalk/diag"
)

// A jsonHead contains the first fields of the JSON object. All commands have these fields.
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

// A jsonTail contains the fields that follow the fields of Report.Details.
type jsonTail struct {
	Findings []diag.Kind `json:"findings"`
	Fixed    []string    `json:"fixed,omitempty"`
	Changes  *Changes    `json:"changes,omitempty"`
}

// writeJSON writes the report as a JSON object, with the fields of jsonHead, Details and jsonTail,
// and the pages. It encodes the pages one by one, because a report may contain a million of them.
// See docs/json.md.
func writeJSON(w io.Writer, r *Report, _ *Options) error {
	parts := []any{jsonHead{
		Version: Version, Command: r.Command, Outcome: r.Outcome(), Error: r.Error, Base: r.Base,
		Counts: counts{r.CountSeverity(diag.Error), r.CountSeverity(diag.Warning), r.CountSeverity(diag.Note), r.Accepted},
	}}
	if r.Details != nil {
		parts = append(parts, r.Details)
	}
	parts = append(parts, jsonTail{append([]diag.Kind{}, r.Findings...), r.Fixed, r.Changes})
	out, separator := bufio.NewWriter(w), "{"
	for _, part := range parts {
		object, err := encodeIndented(part, "")
		if err != nil {
			return err
		}
		if fields := bytes.TrimRight(object[1:len(object)-1], "\n"); len(fields) > 0 {
			out.WriteString(separator)
			out.Write(fields)
			separator = ","
		}
	}
	if len(r.Pages) > 0 {
		if err := writePages(out, r.Pages); err != nil {
			return err
		}
	}
	out.WriteString("\n}\n")
	return out.Flush()
}

// writePages writes the field "pages" of the report.
func writePages(out *bufio.Writer, pages []Page) error {
	separator := ",\n  \"pages\": ["
	for i := range pages {
		text, err := encodeIndented(&pages[i], "    ")
		if err != nil {
			return err
		}
		out.WriteString(separator + "\n    ")
		out.Write(text)
		separator = ","
	}
	out.WriteString("\n  ]")
	return nil
}

// encodeIndented returns v as JSON that is safe to print. Each line except the first begins with
// prefix.
func encodeIndented(v any, prefix string) ([]byte, error) {
	var b bytes.Buffer
	e := NewTerminalSafeEncoder(&b)
	e.SetIndent(prefix, "  ")
	err := e.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// NewTerminalSafeEncoder returns a JSON encoder that writes to w. Its output is safe to print on a
// terminal and in the log of a CI system. The encoder escapes characters that move the cursor or
// change the direction of text. It also escapes commands such as "##[group]".
func NewTerminalSafeEncoder(w io.Writer) *json.Encoder {
	e := json.NewEncoder(escaper{w})
	e.SetEscapeHTML(false)
	return e
}

// An escaper replaces each character in JSON text for which diag.NeedsEscape returns true by an
// escape such as \u202e. It also escapes the second character of "##", with which the commands of
// some CI systems begin. Each call of Write must pass a complete JSON value.
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
