package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/diag"
)

// TestJSONEscapesControlCharacters checks that characters which control a terminal are escaped,
// and that a JSON parser returns the original text.
func TestJSONEscapesControlCharacters(t *testing.T) {
	texts := []string{"a\u0085b", "\u009b31m", "\x7f", "\u202egnp", "\u2066x\u2069", "\U000e0001", "gr\u00fc\u00df \u05d0 \ufffd \n", "###[group]\\##"}
	r := Report{Error: strings.Join(texts, "|"), Findings: []diag.Kind{{Code: "x", List: diag.List{{Message: texts[3], Hint: texts[0]}}}}}
	var b bytes.Buffer
	if err := writeJSON(&b, &r, nil); err != nil {
		t.Fatal(err)
	}
	if err := NewTerminalSafeEncoder(&b).Encode(texts); err != nil {
		t.Fatal(err)
	}
	if i := strings.IndexFunc(b.String(), func(r rune) bool { return r != '\n' && diag.Plain(string(r)) != string(r) }); i >= 0 {
		t.Errorf("got a control character at byte %d of %q", i, b.String())
	}
	var read struct{ Error string }
	if err := json.NewDecoder(&b).Decode(&read); err != nil || read.Error != r.Error {
		t.Errorf("got %q, error %v, want %q", read.Error, err, r.Error)
	}
}

// TestJSONWritesOneObject checks that the common fields and the fields of Details form one
// indented object.
func TestJSONWritesOneObject(t *testing.T) {
	type details struct {
		URLs int `json:"urls"`
	}
	for name, r := range map[string]*Report{
		"without details": {Command: "build"}, "empty details": {Details: struct{}{}}, "details": {Details: details{URLs: 3}},
		"pointer to details": {Details: &details{URLs: 3}}, "hostile": hostileReport(),
	} {
		var got, want bytes.Buffer
		if err := writeJSON(&got, r, nil); err != nil {
			t.Fatal(name, err)
		}
		if err := json.Indent(&want, got.Bytes(), "", "  "); err != nil || got.String() != want.String() {
			t.Errorf("%s: got error %v and\n%s\nwant\n%s", name, err, &got, &want)
		}
		var read struct {
			Outcome  Outcome `json:"verdict"`
			URLs     int
			Findings []any
		}
		if err := json.Unmarshal(got.Bytes(), &read); err != nil || read.Outcome == "" || read.Findings == nil {
			t.Errorf("%s: got error %v and %+v", name, err, read)
		}
		if strings.Contains(name, "pointer") && read.URLs != 3 {
			t.Errorf("%s: got no details:\n%s", name, &got)
		}
	}
}
