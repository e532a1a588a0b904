package strict

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/testsite"
	"gopkg.in/yaml.v3"
)

func TestMain(m *testing.M) {
	testsite.SpeedUp()
	m.Run()
}

type testItem struct {
	Name  Value[string] `yaml:"name"`
	Count int           `yaml:"count"`
}

type testDocument struct {
	Title   Value[string]            `yaml:"title"`
	Ratio   Value[float64]           `yaml:"ratio"`
	Switch  Value[bool]              `yaml:"switch"`
	Words   []Value[string]          `yaml:"words"`
	Inner   *testItem                `yaml:"inner"`
	Many    []Value[testItem]        `yaml:"many"`
	ByName  map[string]string        `yaml:"by_name"`
	Any     yaml.Node                `yaml:"any"`
	Matrix  [][]int                  `yaml:"matrix"`
	Lately  Value[[]Value[testItem]] `yaml:"lately"`
	Skipped string
}

func decode(src string, o Options) (testDocument, diag.List) {
	var v testDocument
	n, diags := ReadYAML("f.yaml", []byte(src))
	return v, append(diags, o.Decode("f.yaml", n, &v)...).Sorted()
}

// formatFindings returns one line for each finding, with the hint in parentheses.
func formatFindings(diags diag.List) string {
	var lines []string
	for _, d := range diags {
		s := strings.TrimPrefix(d.String(), "f.yaml:")
		if d.Hint != "" {
			s += " (" + d.Hint + ")"
		}
		lines = append(lines, s)
	}
	return strings.Join(lines, "\n")
}

func TestDecodeReportsMistakes(t *testing.T) {
	const keys = " (the keys here are title, ratio, switch, words, inner, many, by_name, any, matrix, lately)"
	tests := map[string]struct{ src, want string }{
		"valid":                 {"title: a\nratio: 1\nswitch: no\nwords: [a, 2, 2024-01-02]\ninner: {name: b, count: 0x10}\n", ""},
		"empty":                 {"", ""},
		"comments only":         {"# nothing\n", ""},
		"null":                  {"title:\nwords: ~\ninner: null\n", ""},
		"single value for list": {"words: a\nmany: {name: a}\n", ""},
		"byte order mark":       {"\ufefftitle: a\n", ""},
		"CRLF":                  {"title: a\r\nwords: [a]\r\n", ""},
		"unknown key":           {"color: red\n", `1:1: error: unknown key "color" [unknown-key]` + keys},
		"misspelled key":        {"titel: a\n", `1:1: error: unknown key "titel", did you mean "title"? [unknown-key]` + keys},
		"key in other case":     {"By-Name: {}\n", `1:1: error: unknown key "By-Name", did you mean "by_name"? [unknown-key]` + keys},
		"unknown key in map":    {"inner: {name: a, counts: 1}\n", `1:18: error: unknown key "counts" in inner, did you mean "count"? [unknown-key] (the keys here are name, count)`},
		"unknown key in list":   {"many:\n  - name: a\n    nam: b\n", `3:5: error: unknown key "nam" in many[1], did you mean "name"? [unknown-key] (the keys here are name, count)`},
		"duplicate key":         {"title: a\nwords: []\ntitle: b\n", `3:1: error: key "title" is set here for the second time, first in line 1 [duplicate-key] (keep one of the two)`},
		"text for number":       {"ratio: high\n", `1:8: error: ratio is the text "high"; it must be a number [wrong-type]`},
		"quoted number":         {"ratio: '1'\n", `1:8: error: ratio is the text "1"; it must be a number [wrong-type]`},
		"fraction":              {"inner: {count: 1.5}\n", `1:16: error: inner.count is the number 1.5; it must be a whole number [wrong-type]`},
		"huge number":           {"inner: {count: 99999999999999999999}\n", `1:16: error: inner.count is the number 99999999999999999999; it must be a whole number [wrong-type]`},
		"text for boolean":      {"switch: maybe\n", `1:9: error: switch is the text "maybe"; it must be true or false [wrong-type]`},
		"quoted boolean":        {"switch: 'no'\n", `1:9: error: switch is the text "no"; it must be true or false [wrong-type]`},
		"boolean for text":      {"title: yes\nwords: [true]\n", "2:9: error: words[1] is true; it must be text [wrong-type]"},
		"list for text":         {"title: [a]\n", `1:8: error: title is a list; it must be text [wrong-type] (put a text that begins with [, { or ! into quotes)`},
		"text for map":          {"inner: a\n", `1:8: error: inner is the text "a"; it must be a map of keys and values [wrong-type]`},
		"list for map":          {"inner: []\n", `1:8: error: inner is a list; it must be a map of keys and values [wrong-type]`},
		"list for file":         {"- a\n", `1:1: error: the file is a list; it must be a map of keys and values [wrong-type]`},
		"map for list item":     {"words: [a, {b: c}]\n", `1:12: error: words[2] is a map; it must be text [wrong-type] (put a text that begins with [, { or ! into quotes)`},
		"several mistakes":      {"ratio: a\nb: c\nswitch: d\n", "1:8: error: ratio is the text \"a\"; it must be a number [wrong-type]\n2:1: error: unknown key \"b\" [unknown-key]" + keys + "\n3:9: error: switch is the text \"d\"; it must be true or false [wrong-type]"},
		"column counts bytes":   {"by_name: {é: ü, ö: [x]}\n", `1:23: error: by_name.ö is a list; it must be text [wrong-type] (put a text that begins with [, { or ! into quotes)`},
		"second document":       {"title: a\n---\ntitle: b\n", `2:1: error: a second document begins here and is not read [bad-syntax] (keep one document in this file)`},
		"list for key":          {"? [a]\n: b\n", `1:3: error: a key is a list; it must be text [wrong-type]`},
		"merge key":             {"inner: &i {name: a}\nmany:\n  - <<: *i\n    count: 2\n  - <<: [*i, {count: 3}]\n", ""},
		"text for merge key":    {"inner: {<<: a}\n", `1:13: error: a merge key is the text "a"; it must be a map or a list of maps [wrong-type]`},
		"alias":                 {"title: &t a\nwords: [*t, *t]\n", ""},
		"alias of wrong type":   {"any: &t [a]\ntitle: *t\n", `1:6: error: title is a list; it must be text [wrong-type] (put a text that begins with [, { or ! into quotes)`},
		"unknown anchor":        {"title: a\nwords: [*t]\n", `2:9: error: not valid YAML: unknown anchor 't' referenced [bad-syntax] (put a value that contains any of * & { } [ ] @ ! \ or a colon and a blank into quotes)`},
		"unclosed list":         {"title: a\nwords: [a\ninner: {}\n", `2: error: not valid YAML: did not find expected ',' or ']' [bad-syntax] (put a value that contains any of * & { } [ ] @ ! \ or a colon and a blank into quotes)`},
		"unclosed quote":        {"words: []\ntitle: 'a\n", `2: error: not valid YAML: found unexpected end of stream [bad-syntax] (put a value that contains any of * & { } [ ] @ ! \ or a colon and a blank into quotes)`},
		"wrong indentation":     {"title: a\n words: b\n", `2: error: not valid YAML: mapping values are not allowed in this context [bad-syntax] (put a value that contains any of * & { } [ ] @ ! \ or a colon and a blank into quotes)`},
		"list item among keys":  {"title: a\n- b\n", `2: error: not valid YAML: did not find expected key [bad-syntax] (put a value that contains any of * & { } [ ] @ ! \ or a colon and a blank into quotes)`},
		"tab":                   {"inner:\n\tname: a\n", `2: error: not valid YAML: found character that cannot start any token [bad-syntax] (indent with spaces; YAML does not allow tabs)`},
		"control character":     {"title: a\nwords: [\x01]\n", `2:9: error: not valid YAML: control characters are not allowed [bad-syntax] (save the file as UTF-8 without control characters)`},
		"bad UTF-8":             {"title: a\nwords: [\xff]\n", `2:9: error: not valid YAML: invalid leading UTF-8 octet [bad-syntax] (save the file as UTF-8 without control characters)`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if _, diags := decode(test.src, Options{}); formatFindings(diags) != test.want {
				t.Errorf("got\n%s\nwant\n%s", formatFindings(diags), test.want)
			}
		})
	}
}

func TestDecodeSetsFields(t *testing.T) {
	v, diags := decode("title: &t a\nratio: .5\nswitch: on\nwords: [*t, 2]\ninner: {<<: {name: x, count: 1}, count: 2}\n"+
		"by_name: {a: b}\nany: {x: [1]}\nmatrix: [[1], 2]\nlately: []\n", Options{})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	at := func(line, col int) diag.Pos { return diag.Pos{File: "f.yaml", Line: line, Col: col} }
	if want := (Value[string]{"a", at(1, 8)}); v.Title != want {
		t.Errorf("title: got %+v, want %+v", v.Title, want)
	}
	if v.Ratio.V != .5 || !v.Switch.V || v.Words[0].V != "a" || v.Words[1].V != "2" {
		t.Errorf("got ratio %v, switch %v, words %v, want 0.5, true, [a 2]", v.Ratio.V, v.Switch.V, v.Words)
	}
	if v.Inner.Name.V != "x" || v.Inner.Count != 2 {
		t.Errorf("inner: got %+v, want name x from the merged map and the map's own count 2", v.Inner)
	}
	if v.ByName["a"] != "b" || v.Any.Kind != yaml.MappingNode || !reflect.DeepEqual(v.Matrix, [][]int{{1}, {2}}) {
		t.Errorf("got by_name %v, any %v, matrix %v, want map[a:b], a map, [[1] [2]]", v.ByName, v.Any, v.Matrix)
	}
	if !v.Lately.IsSet() || len(v.Lately.V) != 0 {
		t.Errorf("lately: got %+v, want an empty list that is set", v.Lately)
	}
}

// TestDecodeKeepsValidParts checks that an invalid item does not prevent the decoding of the
// other items.
func TestDecodeKeepsValidParts(t *testing.T) {
	v, diags := decode("words: [a, [b], c]\ninner: {count: x, name: n}\n", Options{})
	if len(diags) != 2 || len(v.Words) != 2 || v.Inner == nil || v.Inner.Name.V != "n" {
		t.Errorf("got %+v and findings %v, want 2 words, the name n and 2 findings", v, diags)
	}
}

func TestDecodeIgnoresUnknownKeysAndCase(t *testing.T) {
	v, diags := decode("TITLE: a\nmine: [1]\nInner: {NAME: b}\n", Options{Lenient: true, FoldCase: true})
	if len(diags) > 0 || v.Title.V != "a" || v.Inner.Name.V != "b" {
		t.Errorf("got %+v and findings %v, want title a, name b and no finding", v, diags)
	}
	if _, diags := decode("title: a\nTitle: b\n", Options{FoldCase: true}); len(diags) != 1 || diags[0].Code != "duplicate-key" {
		t.Errorf("findings about a key in two cases: got %v, want duplicate-key", diags)
	}
}

func TestDecodeSuggestsKeys(t *testing.T) {
	o := Options{Suggest: func(key string) string { return map[string]string{"count": "inner.count"}[key] }}
	if _, diags := decode("count: 1\n", o); !strings.Contains(formatFindings(diags), `did you mean "inner.count"?`) {
		t.Errorf("got findings\n%s\nwant a suggestion of inner.count", formatFindings(diags))
	}
}

// TestDecodeLimitsAliases decodes small files whose aliases, merge keys or nesting produce very
// large or infinite values. Without limits, it would not end.
func TestDecodeLimitsAliases(t *testing.T) {
	aliasedList := "any: &a [x, x, x, x, x, x, x, x, x, x]\n"
	docs := map[string]string{
		"lists":  aliasedList + "by_name: {a: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a], b: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]}\nmatrix: [*c,*c,*c,*c]\n",
		"maps":   "any: [&a {a: 1, b: 1, c: 1}]\nmany:\n" + strings.Repeat("  - {<<: *a}\n", 40000),
		"cycle":  "any: &a {inner: *a}\ninner: *a\n",
		"merged": "any: &a {<<: *a}\ninner: *a\n",
		"deep":   "matrix: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "\n",
	}
	var merges strings.Builder
	merges.WriteString("any:\n  - &x0 {name: a}\n")
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&merges, "  - &x%d {<<: [*x%d, *x%d]}\n", i, i-1, i-1)
	}
	docs["doubled merges"] = merges.String() + "inner: *x29\n"
	for name, src := range docs {
		t.Run(name, func(t *testing.T) {
			_, diags := decode(src, Options{})
			if len(diags) > maxFindings {
				t.Errorf("got %d findings, want at most %d", len(diags), maxFindings)
			}
		})
	}
}
