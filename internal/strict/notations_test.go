package strict

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/sitewalk/sitewalk/diag"
	"gopkg.in/yaml.v3"
)

// formatNode returns n as one line of flow YAML, with the type and the position of each scalar.
func formatNode(n *yaml.Node) string {
	if n == nil {
		return "no node"
	}
	var parts []string
	for _, c := range n.Content {
		parts = append(parts, formatNode(c))
	}
	switch n.Kind {
	case yaml.MappingNode:
		return "{" + strings.Join(parts, " ") + "}"
	case yaml.SequenceNode:
		return "[" + strings.Join(parts, " ") + "]"
	}
	return fmt.Sprintf("%s%s@%d:%d", strings.TrimPrefix(n.Tag, "!!"), n.Value, n.Line, n.Column)
}

func TestReadTOML(t *testing.T) {
	tests := map[string]struct{ src, tree, diags string }{
		"scalars":            {"a = 1\nb = 'x'\nc = true\nd = 1.5\n", "{stra@1:1 int1@1:5 strb@2:1 strx@2:5 strc@3:1 booltrue@3:5 strd@4:1 float1.5@4:5}", ""},
		"dates":              {"a = 2024-01-02\nb = 2024-01-02T03:04:05Z\nc = 03:04:05\n", "{stra@1:1 timestamp2024-01-02@1:5 strb@2:1 timestamp2024-01-02T03:04:05Z@2:5 strc@3:1 str03:04:05@3:5}", ""},
		"lists":              {"a = [1, [2], {b = 3}]\n", "{stra@1:1 [int1@1:6 [int2@1:10] {strb@1:15 int3@1:19}]}", ""},
		"tables":             {"[a]\nb = 1\n[a.c]\nd = 2\n", "{stra@1:2 {strb@2:1 int1@2:5 strc@3:4 {strd@4:1 int2@4:5}}}", ""},
		"nested table first": {"[a.b]\nc = 1\n[a]\nd = 2\n", "{stra@1:2 {strb@1:4 {strc@2:1 int1@2:5} strd@4:1 int2@4:5}}", ""},
		"dotted keys":        {"a.b = 1\na.c = 2\n", "{stra@1:1 {strb@1:3 int1@1:7 strc@2:3 int2@2:7}}", ""},
		"list of tables":     {"[[a]]\nb = 1\n[[a]]\n[a.c]\nd = 2\n", "{stra@1:3 [{strb@2:1 int1@2:5} {strc@4:4 {strd@5:1 int2@5:5}}]}", ""},
		"duplicate key":      {"a = 1\na = 2\n", "{stra@1:1 int1@1:5 stra@2:1 int2@2:5}", ""},
		"duplicate table":    {"[a]\n[a]\n", "{stra@1:2 {}}", ""},
		"value and table":    {"a = 1\n[a.b]\n", "{stra@1:1 int1@1:5 stra@2:2 {strb@2:4 {}}}", ""},
		"value and list":     {"a = []\n[[a]]\n", "{stra@1:1 [{}]}", ""},
		"missing value":      {"a = 1\nb = \n", "{stra@1:1 int1@1:5}", "2:5: error: not valid TOML: unexpected character U+000A at start of value [bad-syntax]"},
		"unclosed text":      {"a = 1\nb = 'x", "{stra@1:1 int1@1:5}", "2:6: error: not valid TOML: unterminated literal string [bad-syntax]"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			n, diags := ReadTOML("f.yaml", []byte(test.src))
			if formatNode(n) != test.tree || formatFindings(diags) != test.diags {
				t.Errorf("got  %s\n%s\nwant %s\n%s", formatNode(n), formatFindings(diags), test.tree, test.diags)
			}
		})
	}
}

func TestReadJSON(t *testing.T) {
	tests := map[string]struct{ src, tree, diags string }{
		"values":        {`{"a": [1, 1.5, "x", true, null], "b": {}} rest`, "{stra@1:2 [int1@1:8 float1.5@1:11 strx@1:16 booltrue@1:21 nullnull@1:27] strb@1:34 {}}", ""},
		"several lines": {"{\n \"a\" :\n\t1e3}", "{stra@2:2 float1e3@3:2}", ""},
		"text":          {`"x"`, "strx@1:1", ""},
		"missing colon": {"{\n \"a\" 1}", "no node", "2:6: error: not valid JSON: invalid character '1' after object key [bad-syntax]"},
		"cut off":       {"{\"a\": ", "no node", "1:7: error: not valid JSON: it ends too early [bad-syntax]"},
		"empty":         {"", "no node", "1:1: error: not valid JSON: it ends too early [bad-syntax]"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			n, diags := ReadJSON("f.yaml", []byte(test.src))
			if formatNode(n) != test.tree || formatFindings(diags) != test.diags {
				t.Errorf("got  %s\n%s\nwant %s\n%s", formatNode(n), formatFindings(diags), test.tree, test.diags)
			}
		})
	}
}

// TestReadTOMLHandlesLongKeys reads 50,000 keys and a dotted key with 100,001 parts, which is
// slow unless the time is linear.
func TestReadTOMLHandlesLongKeys(t *testing.T) {
	var b strings.Builder
	for i := range 50000 {
		fmt.Fprintf(&b, "k%d = 1\n", i)
	}
	b.WriteString("x" + strings.Repeat(".a", 100000) + " = 1\n")
	n, diags := ReadTOML("", []byte(b.String()))
	if len(diags) > 0 || len(n.Content) != 100002 {
		t.Errorf("got %d nodes and findings %v, want 100002 nodes", len(n.Content), diags)
	}
}

// checkPositions reports findings whose position is outside of src.
func checkPositions(t *testing.T, src []byte, diags diag.List) {
	t.Helper()
	lines := bytes.Split(src, []byte("\n"))
	for _, d := range diags {
		if d.Pos.Line < 1 || d.Pos.Line > len(lines) || d.Pos.Col > len(lines[d.Pos.Line-1])+1 {
			t.Errorf("finding %v is outside of the file with %d lines", d, len(lines))
		}
	}
}

// FuzzReadYAML checks that all findings have a position in the file.
func FuzzReadYAML(f *testing.F) {
	f.Add([]byte("title: a\nwords: [b, c]\ninner: &i {name: x, count: 1}\nmany: [*i, {<<: *i}]\n"))
	f.Add([]byte("titel: é\nby_name: {ü: [}\n---\n"))
	f.Add([]byte("any: &a [*a]\nmatrix: *a\nlately: [{<<: [*a, *a]}]\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		if bytes.ContainsAny(src, "\r\u0085\u2028\u2029") || bytes.Contains(src, []byte{0}) {
			return // YAML has other line ends and encodings than checkPositions
		}
		n, diags := ReadYAML("", src)
		checkPositions(t, src, diags)
		var v testDocument
		checkPositions(t, src, Options{}.Decode("", n, &v))
		Options{Lenient: true, FoldCase: true}.Decode("", n, &v)
	})
}

// FuzzReadTOML checks that ReadTOML accepts every file that go-toml accepts, and that all
// findings have a position in the file.
func FuzzReadTOML(f *testing.F) {
	f.Add([]byte("a = 1\n[b]\nc = 'x'\n[[d]]\ne.f = 2024-01-02\n[[d]]\ng = [1, {h = 2}]\n"))
	f.Add([]byte("a = 1\na.b = 2\n[a]\nx = "))
	f.Fuzz(func(t *testing.T, src []byte) {
		n, diags := ReadTOML("", src)
		checkPositions(t, src, diags)
		var v testDocument
		Options{}.Decode("", n, &v)
		var m map[string]any
		if err := toml.Unmarshal(src, &m); err == nil && len(diags) > 0 && diags[0].Code == "bad-syntax" {
			t.Errorf("go-toml accepts %q, but ReadTOML finds %v", src, diags)
		}
	})
}

// FuzzReadJSON checks that ReadJSON accepts the same files as encoding/json, and that all
// findings have a position in the file.
func FuzzReadJSON(f *testing.F) {
	f.Add([]byte(`{"title": "a", "words": ["b", 1, null], "inner": {"count": 1}}`))
	f.Add([]byte("{\"a\": \n tru}"))
	f.Fuzz(func(t *testing.T, src []byte) {
		n, diags := ReadJSON("", src)
		checkPositions(t, src, diags)
		var m any
		dec := json.NewDecoder(bytes.NewReader(src))
		dec.UseNumber()
		err := dec.Decode(&m)
		if (err == nil) != (n != nil) {
			t.Errorf("error of encoding/json is %v, but findings of ReadJSON are %v", err, diags)
		}
	})
}
