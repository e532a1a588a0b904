package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/sitewalk/sitewalk/diag"
)

// A head is what the JSON of every command begins with.
type head struct {
	Version int     `json:"version"`
	Command string  `json:"command"`
	Verdict Verdict `json:"verdict"`
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

// A tail is what it ends with.
type tail struct {
	Findings []diag.Kind `json:"findings"`
	Fixed    []string    `json:"fixed,omitempty"`
	Changes  *Changes    `json:"changes,omitempty"`
	Pages    []Page      `json:"pages,omitempty"`
}

// parts are structs whose fields are those of the report.
func (r *Report) parts() []any {
	if r.Changes != nil {
		r.Changes.List = nonNil(r.Changes.List)
	}
	return []any{
		head{
			Version: Version, Command: r.Command, Verdict: r.Verdict(), Error: r.Error, Base: r.Base,
			Counts: counts{r.CountOf(diag.Error), r.CountOf(diag.Warning), r.CountOf(diag.Note), r.Accepted},
		},
		r.Details,
		tail{nonNil(r.Findings), r.Fixed, r.Changes, r.Pages},
	}
}

// NewEncoder returns an encoder of lines for a terminal or a log: what could move its
// cursor or turn the order of its text is escaped.
func NewEncoder(w io.Writer) *json.Encoder {
	e := json.NewEncoder(escaper{w})
	e.SetEscapeHTML(false)
	return e
}

// An escaper writes JSON, each value in one piece.
type escaper struct{ w io.Writer }

func (e escaper) Write(b []byte) (int, error) {
	if bytes.IndexFunc(b, diag.Moves) < 0 {
		return e.w.Write(b)
	}
	var out []byte
	for _, r := range string(b) {
		if !diag.Moves(r) {
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

func nonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// WriteJSON writes the report as docs/json.md describes it. The fields of Details stand
// between those that all commands share.
func (r *Report) WriteJSON(w io.Writer) error {
	var members []string
	for _, part := range r.parts() {
		var object strings.Builder
		e := NewEncoder(&object)
		e.SetIndent("", "  ")
		if err := e.Encode(part); err != nil {
			return err
		}
		text := strings.TrimSpace(object.String())
		if text != "{}" && text != "null" {
			members = append(members, text[len("{\n"):len(text)-len("\n}")])
		}
	}
	_, err := io.WriteString(w, "{\n"+strings.Join(members, ",\n")+"\n}\n")
	return err
}
