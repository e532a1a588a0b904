package strict

import (
	"math/rand/v2"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/sitewalk/sitewalk/internal/thorough"
)

func TestMain(m *testing.M) {
	thorough.Quick()
	m.Run()
}

// sameTree reports whether two trees are equal but for comments.
func sameTree(a, b *yaml.Node) bool {
	if a.Kind != b.Kind || a.ShortTag() != b.ShortTag() || a.Value != b.Value || a.Style != b.Style ||
		a.Line != b.Line || a.Column != b.Column || len(a.Content) != len(b.Content) || b.Alias != nil || b.Anchor != "" {
		return false
	}
	for i := range a.Content {
		if !sameTree(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}

var plains = map[string]struct {
	src   string
	plain bool
}{
	"scalars":              {"title: A page: no\nb: c\n", false},
	"words":                {"title: A page\nslug: a-page\ndraft: false\nweight: 10\nx: ~\ny: .5\n", true},
	"dates":                {"date: 2024-01-02\nlastmod: 2024-01-02T03:04:05Z\nother: 2024-01-02 03:04:05 +0200\n", true},
	"quotes":               {"a: \"b: c # d\"\ne: 'f, g'\nh: \"\"\n", true},
	"escapes":              {"a: \"b \\\" c \\\\\"\n", true},
	"other escapes":        {"a: \"b\\n\"\n", false},
	"doubled quote":        {"a: 'it''s'''\n", true},
	"text behind a quote":  {"a: \"b\" c\n", false},
	"address":              {"a: https://example.com/a#b\n", true},
	"nothing":              {"a:\nb:  \nc:", true},
	"flow list":            {"a: [b, \"c d\", e f , 'g']\nh: []\ni: [ ]\n", true},
	"flow list, nested":    {"a: [[b]]\n", false},
	"flow list, no item":   {"a: [b,]\n", false},
	"flow list, open":      {"a: [b\n", false},
	"flow map":             {"a: {b: c}\n", false},
	"list":                 {"a:\n  - b\n  - \"c\"\nd: e\n", true},
	"list, not indented":   {"a:\n- b\n- c\nd: e\n", true},
	"list of maps":         {"a:\n  - b: c\n    d:\n      - e\n  -   f: g\nh:\n- i: j\n  k: l\n- m:\n  - n\n", true},
	"list of maps, uneven": {"a:\n  - b: c\n     d: e\n", false},
	"list of nothing":      {"a:\n  -\n  - b\n", false},
	"top list":             {"- a\n- b\n", true},
	"map":                  {"a:\n  b: c\n  d:\n      e: [f]\n      g:\ng: h\n", true},
	"windows lines":        {"a: b\r\n\r\nc: d\r\n", true},
	"other letters":        {"title: Größe – ж\ntags: [ä, ö]\nx: \"ü\"\n", true},
	"blank and comments":   {"# c\n\na: b\n\n  # d\nc: d\n# e\n", true},
	"comment behind":       {"a: b # c\nd: \"e\"   # f\ng: [h, i] # j\nk:\n  - l # m\nn: o#p\n", true},
	"comment for a value":  {"a: # b\nc: d\n", false},
	"text behind a list":   {"a: [b] c\n", false},
	"tab":                  {"a:\tb\n", false},
	"more lines":           {"a: b\n  c\n", false},
	"text below":           {"a:\n  b c\n", false},
	"block of text":        {"a: |\n  b\n  # c: 'd\n\ne: >-\n    f\n    g\nh: |-\n  i\n# j\nk:\n  l: >\n   m\n  n: o\n", true},
	"text with a gap":      {"a: |\n  b\n\n  c\n", false},
	"text, uneven":         {"a: |\n  b\n   c\n", false},
	"text without an end":  {"a: |\n  b", false},
	"text, empty":          {"a: |\nb: c\n", false},
	"text, other marks":    {"a: |2\n  b\n", false},
	"anchor":               {"a: &b c\nd: *b\n", false},
	"merge":                {"<<: {a: b}\n", false},
	"tag":                  {"a: !!str 1\n", false},
	"second document":      {"a: b\n---\nc: d\n", false},
	"indented less":        {"a:\n    b: c\n  d: e\n", false},
	"indented more":        {"a: b\n  c: d\n", false},
	"indented at the top":  {"  a: b\n", false},
	"control character":    {"a: b\x01\n", false},
	"next line":            {"a: b\u0085c\n", false},
	"line separator":       {"a: b\u2028c\n", false},
	"not UTF-8":            {"a: \xff\n", false},
	"only a comment":       {"# a\n", false},
	"empty":                {"", false},
	"key with a space":     {"a b: c\n", false},
	"quoted key":           {"\"a\": c\n", false},
	"words that are truth": {"true: yes\nnull: Null\nno: TRUE\n", true},
	"numbers":              {"a: 0x10\nb: 1_000\nc: 1e3\nd: 10:20\ne: 007\n", true},
	"nested too deep":      {strings.Join([]string{"a:", " a:", "  a:", "   a:", "    a:", "     a:", "      a:", "       a:", "        a: b"}, "\n"), false},
	"many":                 {"a: [" + strings.Repeat("b, ", 300) + "b]\n", true},
}

func TestPlain(t *testing.T) {
	var p Plain
	for name, test := range plains {
		t.Run(name, func(t *testing.T) {
			got, ok := p.Read(test.src, 0)
			if ok != test.plain {
				t.Fatalf("plain: %v, want %v", ok, test.plain)
			}
			want, diags := YAML("", []byte(test.src))
			if ok && (len(diags) > 0 || !sameTree(want, got)) {
				t.Errorf("got  %s\nwant %s %v", tree(got), tree(want), diags)
			}
		})
	}
}

// FuzzPlain holds that what is read as plain is what YAML reads.
func FuzzPlain(f *testing.F) {
	for _, test := range plains {
		f.Add(test.src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		var p Plain
		got, ok := p.Read(src, 0)
		if !ok {
			return
		}
		want, diags := YAML("", []byte(src))
		if len(diags) > 0 || !sameTree(want, got) {
			t.Errorf("%q\ngot  %s\nwant %s %v", src, tree(got), tree(want), diags)
		}
	})
}

// TestPlainAtRandom puts documents together from pieces of YAML: what is read as
// plain is what YAML reads.
func TestPlainAtRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var p Plain
	plain := 0
	for range 20_000 {
		src := randomYAML(r)
		got, ok := p.Read(src, 0)
		if !ok {
			continue
		}
		plain++
		want, diags := YAML("", []byte(src))
		if len(diags) > 0 || !sameTree(want, got) {
			t.Fatalf("%q\ngot  %s\nwant %s %v", src, tree(got), tree(want), diags)
		}
	}
	if plain < 2_000 {
		t.Errorf("%d documents were plain, want more", plain)
	}
}

var (
	yamlStarts = []string{"a:", "b:", "c-d:", "- ", "f", "- e:", "k.1:", "# x", "", "true:", "-", "- - ", "'g':", "? ", "---", "..."}
	yamlValues = []string{
		"b", `"q"`, "", "|", ">-", "b c", ">", "|-", "1", "~", "null", "no", "TRUE", ".5", "2024-01-02", "2024-01-02T03:04:05Z", "2024-13-45", "0x1f", "é ß",
		"[a, b]", "[ 'a' ,b c ]", "[]", `"q # r"`, `"q\"r"`, `"q\\"`, `'s'`, `'s''t'`, "a:b", "a#b", "http://e.com/?q=a&b", "(a) + b", "é, ß (x); $1",
		"-1", `"\n"`, `'s`, `"t`, `"u" v`, "[,]", "[a", "[a: b]", "[a,]", "{a: b}", "{}", "|+", "> # c", "&x y", "*x", "!!str z", "a: b", "a:", "-", "- a", "@a", "`a", "%a", "<<", "=", "\t", "a\tb", "---", "...",
	}
	yamlEnds    = []string{"\n", "\n", "\n", "\r\n", " \n", " # c\n", "#c\n", "\n\n", "\n  # d\n", "", " ", "\n ", "\n  ", "\n    "}
	yamlIndents = []string{"", "", "", "  ", "  ", "    ", " ", "\t"}
)

func randomYAML(r *rand.Rand) string {
	one := func(list []string) string { // from its begin, more often than not
		x := r.Float64()
		return list[int(x*x*x*float64(len(list)))]
	}
	var b strings.Builder
	for range 1 + r.IntN(6) {
		b.WriteString(one(yamlIndents) + one(yamlStarts))
		if r.IntN(4) > 0 {
			b.WriteString(" " + one(yamlValues))
		}
		b.WriteString(one(yamlEnds))
	}
	return b.String()
}
