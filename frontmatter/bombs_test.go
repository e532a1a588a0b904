package frontmatter

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/page"
)

// bombs contains content files that repeat one construct many times.
var bombs = map[string]struct{ before, unit, after string }{
	"keys":                  {"---\n", "a: b\n", "---\n"},
	"keys below another":    {"---\nextra:\n", "  a: b\n", "---\n"},
	"keys of many names":    {"---\nx:\n", "  %: b\n", "---\n"},
	"own keys":              {"---\nparams:\n", "  %: b\n", "---\n"},
	"lists":                 {"---\na: ", "[", "\n---\n"},
	"maps":                  {"---\na: ", "{a: ", "\n---\n"},
	"nested blocks":         {"---\n", "- ", "a\n---\n"},
	"question marks":        {"---\n", "? ", "a\n---\n"},
	"anchors":               {"---\n", "a: &a b\n", "---\n"},
	"aliases":               {"---\na: &a b\nc:\n", "- *a\n", "---\n"},
	"merges":                {"---\na: &a {b: c}\nd:\n", "  <<: *a\n", "---\n"},
	"tags":                  {"---\na: ", "!!a ", "b\n---\n"},
	"quoted text":           {"---\na: \"", "\\n", "\"\n---\n"},
	"quotes":                {"---\n", "a: \"\n", "---\n"},
	"long text":             {"---\na: |\n", "  a\n", "---\n"},
	"folded text":           {"---\na: >\n", "\n  a\n", "---\n"},
	"comments":              {"---\n", "# a\n", "---\n"},
	"aliases of a page":     {"---\naliases:\n", "- /a/\n", "---\n"},
	"bad aliases":           {"---\naliases:\n", "- {}\n", "---\n"},
	"bad images":            {"---\nimages:\n", "- {a: b}\n", "---\n"},
	"bad videos":            {"---\nvideos:\n", "- {a: b}\n", "---\n"},
	"bad dates":             {"---\n", "date: x\n", "---\n"},
	"categories":            {"---\ncategories: ", "a ", "\n---\n"},
	"fences":                {"---\n", " ---\n", "---\n"},
	"dots":                  {"---\n", " ...\n", "---\n"},
	"never closed":          {"---\n", "a: b\n", ""},
	"one line":              {"---\n", "a", ""},
	"blank lines":           {"", "\n", "---\n"},
	"TOML keys":             {"+++\n", "% = 1\n", "+++\n"},
	"TOML keys with dots":   {"+++\n", "a.%.c = 1\n", "+++\n"},
	"TOML dots":             {"+++\na", ".a", " = 1\n+++\n"},
	"TOML tables":           {"+++\n", "[a.%]\n", "+++\n"},
	"TOML arrays of tables": {"+++\n", "[[a]]\n", "+++\n"},
	"TOML lists":            {"+++\na = ", "[", "\n+++\n"},
	"TOML maps":             {"+++\na = ", "{a=", "\n+++\n"},
	"TOML list":             {"+++\na = [", "1,", "]\n+++\n"},
	"TOML text":             {"+++\na = \"\"\"", "\\u0041\n", "\"\"\"\n+++\n"},
	"JSON lists":            {"{\"a\":", "[", "}"},
	"JSON maps":             {"", "{\"a\":", ""},
	"JSON keys":             {"{\"b\":1", ",\"%\":1", "}"},
	"JSON text":             {"{\"a\":\"", "\\u0041", "\"}"},
	"JSON braces":           {"{", "}{", ""},
	"JSON after a fence":    {";;;\n{\"a\":1", ",\n\"%\":1", "}\n;;;\n"},
	"Org keywords":          {"", "#+a%: b\n", ""},
	"Org lists":             {"#+tags: ", "a ", "\n"},
	"headers":               {"", "a%: b\n", "\n"},
	"fields":                {"a\n=\n\n", ":a%: b\n", "\n"},
	"underlines":            {"a\n", "=", "\n"},
	"headings":              {"", "a", "\n=\n"},
	"continued headers":     {"a: b\n", " c\n", "\n"},
	"aliases of a header":   {"aliases: a", ",b", "\n"},
}

// TestReadSurvivesYAMLBombs checks that the time to read front matter grows linearly with its size.
// Front matter between fences or in JSON is tried with one generator, or in a thorough run with
// two, because all generators parse it in the same way.
func TestReadSurvivesYAMLBombs(t *testing.T) {
	for name, b := range bombs {
		kinds := []string{"hugo", "pelican"}
		if alike := b.before != "" && strings.Contains("-+{;", b.before[:1]); alike {
			kinds = kinds[:testsite.Repeat(1, len(kinds))]
		}
		for _, kind := range kinds {
			t.Run(name+"/"+kind, func(t *testing.T) { linear(t, kind, b.before, b.unit, b.after) })
		}
	}
}

// FuzzBombs searches for further content files that take too long.
func FuzzBombs(f *testing.F) {
	for _, b := range bombs {
		if !testsite.IsFuzzing() {
			break // TestReadSurvivesYAMLBombs tries them all, and with names
		}
		f.Add("", b.before, b.unit, b.after)
	}
	f.Fuzz(func(t *testing.T, kind, before, unit, after string) {
		if len(before+unit+after) < 1<<10 {
			linear(t, kind, before, unit, after)
		}
	})
}

// linear checks that reading front matter with a repeated unit takes linear time. "%" in the unit
// is replaced by a number.
func linear(t *testing.T, kind, before, unit, after string) {
	t.Helper()
	var f page.Facts
	testsite.RequireLinear(t, func(size int) []byte {
		var b strings.Builder
		b.WriteString(before)
		for i := range size / max(1, len(unit)) {
			b.WriteString(strings.ReplaceAll(unit, "%", letters(i)))
		}
		return []byte(b.String() + after)
	}, func(src []byte) {
		_, _ = NewReader(Options{Conventions: kinds[kind]}).Read(bytes.NewReader(src), "a.md", &f) // bytes in memory do not fail
	})
}

// letters converts a number to a word of letters.
func letters(i int) string {
	if i < 26 {
		return string(rune('a' + i))
	}
	return letters(i/26-1) + string(rune('a'+i%26))
}
