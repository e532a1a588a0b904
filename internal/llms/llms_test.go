package llms

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// format returns the content of a file as text, with one line for each title, summary, section and
// link.
func format(f *File) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n> %s\n", f.Title, f.Summary)
	for _, s := range f.Sections {
		fmt.Fprintf(&b, "## %s\n", s.Name)
		for _, l := range s.Links {
			fmt.Fprintf(&b, "%d:%d %s|%s|%s\n", l.Line, l.Column, l.Text, l.URL, l.Note)
		}
	}
	return b.String()
}

func TestParse(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{
			"example of the specification", "# A\n\n> B\n> c\n\nfree [x](/x)\n\n## D\n\n- [e](/f): g\n- [h](/i)\n\n## Optional\n\n- [j](k)\n",
			"# A\n> B c\n## \n6:10 x|/x|\n## D\n10:7 e|/f|g\n11:7 h|/i|\n## Optional\n15:7 j|k|\n",
		},
		{"carriage returns", "# A\r\n\r\n> B\r\n## C\r\n- [d](e): f\r\n", "# A\n> B\n## C\n5:7 d|e|f\n"},
		{"byte order mark", "\ufeff# A", "# A\n> \n"},
		{"byte order mark before link", "\ufeff[a](b)", "# \n> \n## \n1:8 a|b|\n"},
		{"underlined title", "A\n===\n\n## B\n", "# A\n> \n## B\n"},
		{"deep headings", "# A\n### B ###\n* [c](d) - e\n# F\n1. [g](h)", "# A\n> \n## B\n3:7 c|d|- e\n## F\n5:8 g|h|\n"},
		{"no heading", "#A\n####### B", "# \n> \n"},
		{"title with final #", "# C# and F\\#\n## \\#", "# C# and F#\n> \n## #\n"},
		{"code", "# A\n```sh\n# b [c](d)\n```\n`[e](f)` ``[g](`h)`` `[i](j)", "# A\n> \n## \n5:27 i|j|\n"},
		{"comment", "# A\n<!-- # B\n[c](d)\n## E --> [f](g) <!-- [h](i) -->\n", "# A\n> \n## \n4:14 f|g|\n"},
		{"comment after note", "- [a](b): c <!-- d -->", "# \n> \n## \n1:7 a|b|c\n"},
		{"escapes", `- [a\[b\] &lt;c> &amp;d](/e\)&amp;f): \*g \h`, "# \n> \n## \n1:26 a[b] <c> &d|/e)&f|*g \\h\n"},
		{"nested brackets", "[a [b] c](d) [e](f(g)h) [[i](j)", "# \n> \n## \n1:11 a [b] c|d|\n1:18 e|f(g)h|\n1:30 i|j|\n"},
		{"images", "![a](b) [![c](d)](e)", "# \n> \n## \n1:19 ![c](d)|e|\n"},
		{"titles and angle brackets", `[a](b "c") [d](<e f>) [g](h i)`, "# \n> \n## \n1:5 a|b|\n1:16 d|e f|\n"},
		{"bare URLs", "see https://e.com/a. <https://e.com/b> and (https://e.com/c) https://", "# \n> \n## \n1:5 |https://e.com/a|\n1:23 |https://e.com/b|\n1:45 |https://e.com/c|\n"},
		{"URL as link text", "- [https://e.com/a](https://e.com/b)", "# \n> \n## \n1:21 https://e.com/a|https://e.com/b|\n"},
		{"backslash in URL", `[a](docs\über.md)`, "# \n> \n## \n1:5 a|docs\\über.md|\n"},
		{"empty link", "[a]() [b]( )", "# \n> \n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := format(Parse([]byte(tt.text))); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}

func TestAppend(t *testing.T) {
	f := &File{
		Title: "The\nC# <b>book</b> #", Summary: " a & b &amp; \\* ",
		Sections: []Section{{"#", []Link{
			{Text: "list[int] \\", URL: "https://e.com/a_(b) c", Note: "see [x](y)\r\nand\u202emore"},
			{Text: "plain"},
			{},
		}}, {Name: "Empty"}},
	}
	const want = "# The C# &lt;b>book&lt;/b> \\#\n\n> a & b &amp;amp; \\\\*\n\n## \\#\n\n" +
		"- [list&#91;int&#93; \\\\](https://e.com/a_%28b%29%20c): see [x]\\(y) andmore\n- [plain]()\n- []()\n\n## Empty\n\n"
	if got := string(f.Append(nil)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// parseListItems parses text and removes the links that are not at the beginning of a list item.
func parseListItems(text []byte) *File {
	f := Parse(text)
	f.Sections = slices.DeleteFunc(f.Sections, func(s Section) bool { return escapeHeading(s.Name) == "" })
	for i := range f.Sections {
		f.Sections[i].Links = slices.DeleteFunc(f.Sections[i].Links, func(l Link) bool { return !l.Item })
	}
	return f
}

// FuzzParse checks that the list items of a written file are the same if the file is parsed and
// written again.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"# A\n\n> B\n\nc\n\n## D\n\n- [e](f): g\n", "A\n=\n- [a\\](b)](c) `d` ``e`", "<!-- [a](b)\n--> [c](<d e> \"f\")", "&amp;&#x26;&lt;&copy",
		"- [](h) https://a", "## #\n# \\\n> > a", strings.Repeat("[](", 40), "# &#10; &NewLine;",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		once := parseListItems(text).Append(nil)
		if twice := parseListItems(once).Append(nil); string(twice) != string(once) {
			t.Errorf("%q: written and parsed again: got %q, want %q", text, twice, once)
		}
	})
}

// TestParseIsLinear checks that the time of Parse grows linearly for text that takes simple parsers
// quadratic time.
func TestParseIsLinear(t *testing.T) {
	linear := func(name string, input func(size int) string) {
		t.Run(name, func(t *testing.T) {
			testsite.RequireLinear(t, func(size int) []byte { return []byte(input(size)) }, func(src []byte) { Parse(src) })
		})
	}
	for _, s := range []string{"[", "](", "[](", "[a](", "` ", "`a``", "<!--", "<", "<http://", "http://", "\\", "&", "&a", "[a](<", "[a](b \"", "- [", "> ", "#", "\n> a", "[[](a)", "](](a)"} {
		linear(s, func(size int) string { return strings.Repeat(s, size/len(s)) })
	}
	for _, s := range []string{"](a)", `\!](a)`} { // all brackets are in the text of the first link
		linear("around "+s, func(size int) string { return strings.Repeat("[", size) + strings.Repeat(s, size) })
	}
}
