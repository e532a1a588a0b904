package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/diag"
)

// What could move a terminal's cursor or turn its text is escaped, and read as it was.
func TestJSONIsPlain(t *testing.T) {
	texts := []string{"a\u0085b", "\u009b31m", "\x7f", "\u202egnp", "\u2066x\u2069", "\U000e0001", "gr\u00fc\u00df \u05d0 \ufffd \n"}
	r := Report{Error: strings.Join(texts, "|"), Findings: []diag.Kind{{Code: "x", List: diag.List{{Message: texts[3], Hint: texts[0]}}}}}
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	if err := NewEncoder(&b).Encode(texts); err != nil {
		t.Fatal(err)
	}
	if i := strings.IndexFunc(b.String(), func(r rune) bool { return r != '\n' && diag.Plain(string(r)) != string(r) }); i >= 0 {
		t.Errorf("raw at %d: %q", i, b.String())
	}
	var read struct{ Error string }
	if err := json.NewDecoder(&b).Decode(&read); err != nil || read.Error != r.Error {
		t.Errorf("%q became %q, %v", r.Error, read.Error, err)
	}
}

// TestStreamIsEncoder compares what is written piece by piece with the encoder of
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
		if err := r.WriteJSON(&got); err != nil {
			t.Fatal(name, err)
		}
		var whole bytes.Buffer
		for _, part := range r.parts() {
			joinObject(t, &whole, part)
		}
		if err := json.Indent(&want, append(whole.Bytes(), '\n'), "", "  "); err != nil {
			t.Fatal(name, err)
		}
		if got.String() != want.String() {
			t.Errorf("%s:\n%s\nwant\n%s", name, &got, &want)
		}
	}
}

// joinObject adds the fields of a struct to the object in b.
func joinObject(t *testing.T, b *bytes.Buffer, v any) {
	t.Helper()
	if v == nil {
		return
	}
	start := b.Len()
	if err := NewEncoder(b).Encode(v); err != nil {
		t.Fatal(err)
	}
	b.Truncate(b.Len() - 1) // the encoder's line break
	switch {
	case start == 0:
	case b.Bytes()[start+1] == '}': // nothing to add
		b.Truncate(start)
	default:
		b.Bytes()[start-1], b.Bytes()[start] = ',', ' '
	}
}
