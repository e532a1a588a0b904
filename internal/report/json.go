package report

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"

	"github.com/sitewalk/sitewalk/internal/diag"
)

// A head is what the JSON of every command begins with.
type head struct {
	Version  int      `json:"version"`
	Command  string   `json:"command"`
	Verdict  Verdict  `json:"verdict"`
	Error    string   `json:"error,omitempty"`
	Failures []string `json:"failures,omitempty"`
	Base     string   `json:"base_url,omitempty"`
	Counts   counts   `json:"counts"`
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
	Mended   []string    `json:"mended,omitempty"`
	Changes  *Changes    `json:"changes,omitempty"`
	Pages    []Page      `json:"pages,omitempty"`
}

// MarshalJSON returns the report as docs/json.md describes it: what all commands
// say, and between it what only this one does.
func (r *Report) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for _, part := range r.parts() {
		if part == nil {
			continue
		}
		if err := joinObject(&b, part); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// parts are structs whose fields are those of the report.
func (r *Report) parts() []any {
	warnings, all := r.Count(diag.Warning), r.Count(diag.Note)
	errors := r.Count(diag.Error)
	if r.Changes != nil {
		r.Changes.List = nonNil(r.Changes.List)
	}
	return []any{
		head{
			Version: Version, Command: r.Command, Verdict: r.Verdict(), Error: r.Error, Failures: r.Failures, Base: r.Base,
			Counts: counts{errors, warnings - errors, all - warnings, r.Accepted},
		},
		r.Details,
		tail{nonNil(r.Findings), r.Mended, r.Changes.nonNil(), r.Pages},
	}
}

// joinObject adds the fields of a struct to the object in b.
func joinObject(b *bytes.Buffer, v any) error {
	start := b.Len()
	if err := encoder(b).Encode(v); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the encoder's line break
	if start == 0 {
		return nil
	}
	if b.Bytes()[start+1] == '}' { // nothing to add
		b.Truncate(start)
		return nil
	}
	b.Bytes()[start-1], b.Bytes()[start] = ',', ' '
	return nil
}

func encoder(w io.Writer) *json.Encoder {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e
}

// nonNil returns the changes with a list, which may be empty.
func (c *Changes) nonNil() *Changes {
	if c == nil {
		return nil
	}
	with := *c
	with.List = nonNil(c.List)
	return &with
}

func nonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

func writeJSON(w io.Writer, r *Report, _ *Options) error {
	var parts []reflect.Value
	for _, part := range r.parts() {
		parts = append(parts, reflect.ValueOf(part))
	}
	s := newStream(w)
	s.object("", parts...)
	return s.end()
}
