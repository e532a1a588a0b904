package strict

import "testing"

// TestSlips names what people mistype as they would, at its own place.
func TestSlips(t *testing.T) {
	const other = "has to be in quotes, since it begins with a character that means something else to YAML [bad-syntax]"
	for src, want := range map[string][2]string{
		"pages:\n\tdir: public\n":                  {"f:2:1: error: not valid YAML: a tab indents this line, and YAML takes spaces only [bad-syntax]", "replace the tab with spaces"},
		"pages:\n  dir: public\n\texclude: a\n":    {"f:3:1: error: not valid YAML: a tab indents this line, and YAML takes spaces only [bad-syntax]", "replace the tab with spaces"},
		"a:\r\n  - b\r\n \t- c\r\n":                {"f:3:2: error: not valid YAML: a tab indents this line, and YAML takes spaces only [bad-syntax]", "replace the tab with spaces"},
		"match: **/*.html # all\n":                 {"f:1:8: error: not valid YAML: **/*.html " + other, `write "**/*.html"`},
		"exclude: [**/*.html, b]\n":                {"f:1:11: error: not valid YAML: **/*.html " + other, `write "**/*.html"`},
		"exclude:\n  - a\n  - *.{html,htm}\n":      {"f:3:5: error: not valid YAML: *.{html,htm} " + other, `write "*.{html,htm}"`},
		"match: {a,b}/**\n":                        {"f:1:8: error: not valid YAML: {a,b}/** " + other, `write "{a,b}/**"`},
		"match: [!a]*\n":                           {"f:1:8: error: not valid YAML: [!a]* " + other, `write "[!a]*"`},
		"match: `x`\n":                             {"f:1:8: error: not valid YAML: `x` " + other, "write \"`x`\""},
		"a: x\nmatch: *html\n":                     {"f:2:8: error: not valid YAML: unknown anchor 'html' referenced [bad-syntax]", `write "*html" if that is a pattern`},
		"title: Foo: bar\n":                        {"f:1:8: error: not valid YAML: mapping values are not allowed in this context [bad-syntax]", `put a value that holds a colon and a space into quotes: "Foo: bar"`},
		"match: \"a\\d\"\n":                        {"f:1:9: error: not valid YAML: found unknown escape character [bad-syntax]", `write 'a\d' in single quotes, where a backslash is only that`},
		"rules:\n- match: a\n exclude: true\n":     {"f:3:2: error: not valid YAML: did not find expected key [bad-syntax]", "the keys of one map begin in the same column; this one is exclude"},
		"a: |\n b\nc: [\n":                         {"f:4: error: not valid YAML: did not find expected node content [bad-syntax]", ""},
		"\xc3\xbc: [\xc3\xbc, **/\xc3\xbc.html]\n": {"f:1:10: error: not valid YAML: **/\xc3\xbc.html " + other, "write \"**/\xc3\xbc.html\""},
		"rules: [{match: **/x, exclude: true}]\n":  {"f:1:17: error: not valid YAML: **/x " + other, `write "**/x"`},
		"base_url: @x\nbroken: [\nanother: **/a\n": {"f:1:11: error: not valid YAML: @x " + other, `write "@x"`},
	} {
		_, ds := YAML("f", []byte(src))
		if len(ds) != 1 || ds[0].String() != want[0] || ds[0].Hint != want[1] {
			t.Errorf("%q:\n%v\nwant\n%s\n%s", src, ds, want[0], want[1])
			for _, d := range ds {
				t.Log(d.Hint)
			}
		}
	}
}

// TestUnquotedText takes what YAML reads as a list, a map or a mark for a text
// whose quotes are missing.
func TestUnquotedText(t *testing.T) {
	for src, want := range map[string]string{
		"a: [a-z]\n": "put a text that begins with [ into quotes",
		"a: {b,c}\n": "put a text that begins with { into quotes",
		"a: !x/**\n": "put a text that begins with ! into quotes",
		"a: !x b\n":  "put a text that begins with ! into quotes",
		"a: true\n":  "",
		"a:\n- b\n":  "",
	} {
		n, _ := YAML("f", []byte(src))
		var v struct {
			A Value[string] `yaml:"a"`
		}
		ds := (Options{}).Decode("f", n, &v)
		if len(ds) != 1 || ds[0].Hint != want {
			t.Errorf("%q: %v, want the hint %q", src, ds, want)
		}
	}
}
