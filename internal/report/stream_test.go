package report

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/diag"
)

// TestStreamIsEncoder holds what is written piece by piece against the encoder of
// package json, which holds the whole report.
func TestStreamIsEncoder(t *testing.T) {
	type inner struct {
		A string   `json:"a,omitempty"`
		B []string `json:"b"`
	}
	type details struct {
		inner
		*diag.Pos
		Empty   []int             `json:"empty,omitempty"`
		None    []int             `json:"none"`
		Zero    []inner           `json:"zero"`
		Map     map[string]any    `json:"map"`
		Texts   map[string]string `json:"texts,omitempty"`
		Time    time.Time         `json:"time,omitzero"`
		Level   diag.Severity     `json:"level"`
		Levels  []diag.Severity   `json:"levels"`
		Nil     *inner            `json:"nil"`
		Raw     json.RawMessage   `json:"raw"`
		Any     any               `json:"any"`
		Bytes   []byte            `json:"bytes"`
		Deep    [][]inner         `json:"deep"`
		Float   float64           `json:"float"`
		private int
		Plain   int
		Out     string `json:"-"`
	}
	some := details{
		inner: inner{A: "<&>\u2028\"\\\x00\xff", B: nil}, Pos: &diag.Pos{File: "f"}, Zero: []inner{}, Raw: json.RawMessage(`{"x": [1,2], "y":{}}`),
		Map: map[string]any{"b": []int{1}, "a": map[string]int{}}, Any: []any{1, nil, "x", inner{}}, Bytes: []byte("bytes"),
		Deep: [][]inner{nil, {}, {{}, {B: []string{"x"}}}}, Levels: []diag.Severity{diag.Error, diag.Note}, Float: 1e21, private: 1,
	}
	long := hostile()
	for range 3 {
		long.Findings[0].List[0].Places = append(long.Findings[0].List[0].Places, diag.Pos{File: "<a>", Line: 1, Col: 2})
	}
	for name, r := range map[string]*Report{
		"nothing": {}, "hostile": hostile(), "places": long, "empty details": {Details: struct{}{}}, "details": {Command: "build", Details: some},
		"behind a pointer": {Details: &some, Pages: []Page{{}}, Changes: &Changes{}},
	} {
		var got, want bytes.Buffer
		if err := writeJSON(&got, r, nil); err != nil {
			t.Fatal(name, err)
		}
		e := encoder(&want)
		e.SetIndent("", "  ")
		if err := e.Encode(r); err != nil {
			t.Fatal(name, err)
		}
		if got.String() != want.String() {
			t.Errorf("%s:\n%s\nwant\n%s", name, &got, &want)
		}
	}
}
