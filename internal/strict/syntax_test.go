package strict

import "testing"

// TestReadYAMLSuggestsFixes checks the position and the hint of syntax errors.
func TestReadYAMLSuggestsFixes(t *testing.T) {
	const quotes = `put a value that contains any of * & { } [ ] @ ! \ or a colon and a blank into quotes`
	const spaces = "indent with spaces; YAML does not allow tabs"
	for src, want := range map[string][2]string{
		"pages:\n\tdir: public\n":               {"f:2: ", spaces},
		"pages:\n  dir: public\n\texclude: a\n": {"f:2: ", spaces},
		"match: **/*.html # all\n":              {"f:1: ", quotes},
		"exclude: [**/*.html, b]\n":             {"f:1: ", quotes},
		"match: {a,b}/**\n":                     {"f:1: ", quotes},
		"a: x\nmatch: *html\n":                  {"f:2:8: ", quotes},
		"title: Foo: bar\n":                     {"f:1: ", quotes},
		"match: \"a\\d\"\n":                     {"f:1: ", quotes},
	} {
		_, ds := ReadYAML("f", []byte(src))
		if len(ds) != 1 || ds[0].Pos.String()+": " != want[0] || ds[0].Hint != want[1] {
			t.Errorf("%q: got findings %v, want position %s and hint %q", src, ds, want[0], want[1])
		}
	}
}

// TestDecodeSuggestsQuotes checks the hint about text that YAML reads as a list, a map or a tag
// because quotes are missing.
func TestDecodeSuggestsQuotes(t *testing.T) {
	const hint = "put a text that begins with [, { or ! into quotes"
	for src, want := range map[string]string{
		"a: [a-z]\n": hint,
		"a: {b,c}\n": hint,
		"a: !x/**\n": hint,
		"a: !x b\n":  hint,
		"a: true\n":  "",
		"a:\n- b\n":  "",
	} {
		n, _ := ReadYAML("f", []byte(src))
		var v struct {
			A Value[string] `yaml:"a"`
		}
		ds := (Options{}).Decode("f", n, &v)
		if len(ds) != 1 || ds[0].Hint != want {
			t.Errorf("%q: got findings %v, want the hint %q", src, ds, want)
		}
	}
}
