package frontmatter

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// show formats the fields of the facts that are set, followed by the findings.
func show(f page.Facts) string {
	var b strings.Builder
	say := func(name string, v any) {
		if rv := reflect.ValueOf(v); !rv.IsZero() {
			fmt.Fprintf(&b, "%s: %v\n", name, v)
		}
	}
	say("lastmod", f.URL.LastMod)
	say("lastmod by", f.LastModBy)
	say("changefreq", f.URL.ChangeFreq)
	say("priority", f.URL.Priority)
	say("alternates", f.URL.Alternates)
	for _, m := range f.URL.Images {
		say("image", m.Loc)
	}
	for _, v := range f.URL.Videos {
		say("video", string(sitemap.AppendURL(nil, &sitemap.URL{Videos: []sitemap.Video{v}})))
	}
	if f.URL.News != nil {
		say("news", fmt.Sprintf("%+v", *f.URL.News))
	}
	say("date", f.Date)
	say("date by", f.DateBy)
	say("publish", f.Publish)
	say("expiry", f.Expiry)
	say("title", f.Title)
	say("summary", f.Summary)
	say("lang", f.Lang)
	say("translation", f.TranslationKey)
	say("permalink", f.Permalink)
	say("slug", f.Slug)
	say("aliases", f.Aliases)
	say("categories", f.Categories)
	say("refresh", f.Refresh)
	if f.Skips.First().Reason != page.Listed {
		fmt.Fprintf(&b, "skip: %v at %d:%d by %q\n", f.Skips.First().Reason, f.Skips.First().Pos.Line, f.Skips.First().Pos.Col, f.Skips.First().Note)
	}
	for _, d := range f.Diags {
		fmt.Fprintf(&b, "%v\n", d)
		if d.Hint != "" {
			fmt.Fprintf(&b, "\thint: %s\n", d.Hint)
		}
	}
	return b.String()
}

// read calls Read with the text of a file.
func read(src, name string, o Options) (f page.Facts, ok bool) {
	ok, err := NewReader(o).Read(strings.NewReader(src), name, &f)
	if err != nil {
		panic(err)
	}
	return f, ok
}

// kinds contains the conventions of some generators, by the name of the generator.
var kinds = map[string]Conventions{
	"hugo":       {NestedKey: "params", TitleInURL: true},
	"jekyll":     {Fences: []string{"---"}, AtFirstByte: true, GeneratorKeys: []string{"category", "categories"}, NameDate: DateBeginsName, NameDateIn: "_posts"},
	"zola":       {Fences: []string{"---", "+++"}, GeneratorKeys: []string{"path", "render"}, NestedKey: "extra", NameDate: DateBeginsName},
	"eleventy":   {Fences: yamlOnly, NameDate: DateAnywhereInPath, NoDateWords: []string{"last modified", "git last modified"}},
	"pelican":    {Fences: yamlOnly, AllowsHeaders: true, TitleInURL: true, GeneratorKeys: []string{"status", "save_as"}, NameDate: DateBeginsName},
	"docusaurus": {Fences: yamlOnly, GeneratorKeys: []string{"id"}},
	"mkdocs":     {Fences: yamlOnly},
	"vitepress":  {Fences: yamlOnly},
	"astro":      {Fences: yamlOnly},
}

var yamlOnly = []string{"---", "---yaml", "---toml", "---json"}

// optionsOf returns the options of the generator in a file name such as "hugo-dates.md". The
// prefix "any" means the zero Options.
func optionsOf(name string) Options {
	generator, _, _ := strings.Cut(filepath.Base(name), "-")
	if generator == "any" {
		return Options{}
	}
	return Options{Conventions: kinds[generator]}
}

// TestReadMatchesFiles compares the facts of each file in testdata with the .txt file next to it.
// UPDATE=1 writes the .txt files.
func TestReadMatchesFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test files: %v", err)
	}
	more, _ := filepath.Glob("testdata/*.org")
	for _, file := range append(files, more...) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			f, ok := read(string(src), filepath.Base(file), optionsOf(file))
			got := fmt.Sprintf("front matter: %v\n%s", ok, show(f))
			testsite.CompareWithFile(t, strings.TrimSuffix(file, filepath.Ext(file))+".txt", got)
		})
	}
}

func TestReadFindsEndOfFrontMatter(t *testing.T) {
	tests := map[string]struct {
		src, generator string
		title          string
		ok             bool
	}{
		"yaml":                     {"---\ntitle: a\n---\ntitle: no\n", "", "a", true},
		"yaml, windows lines":      {"---\r\ntitle: a\r\n---\r\nx\r\n", "", "a", true},
		"yaml, byte order mark":    {"\ufeff---\ntitle: a\n---\n", "", "a", true},
		"yaml, blank lines before": {"\n \n---\ntitle: a\n---\n", "", "a", true},
		"jekyll wants line one":    {"\n---\ntitle: a\n---\n", "jekyll", "", false},
		"three dots":               {"---\ntitle: a\n...\ntitle: b\n---\n", "jekyll", "a", true},
		"blanks after":             {"---  \ntitle: a\n--- \t\nb", "", "a", true},
		"no line end":              {"---\ntitle: a\n---", "", "a", true},
		"indented line in text":    {"---\ntext: |\n  ---\n  more\ntitle: a\n---\n", "", "a", true},
		"toml":                     {"+++\ntitle = 'a'\n+++\n", "", "a", true},
		"toml is not for jekyll":   {"+++\ntitle = 'a'\n+++\n", "jekyll", "", false},
		"toml by name":             {"---toml\ntitle = 'a'\n---\n", "", "a", true},
		"json":                     {"{\"title\": \"a\"}\ntext", "", "a", true},
		"json, lines":              {"{\n  \"title\": \"a\"\n}\ntext", "", "a", true},
		"json, braces in text":     {"{\"x\": \"}\", \"title\": \"a\"} }", "", "a", true},
		"json by name":             {"---json\n{\"title\": \"a\"}\n---\n", "", "a", true},
		"json between semicolons":  {";;;\n{\"title\": \"a\"}\n;;;\n", "", "a", true},
		"org":                      {"#+title: a\n#+other: b\n* Head\n#+title: c\n", "", "a", true},
		"template":                 {"{{ template }}", "", "", false},
		"liquid":                   {"{% include a %}", "", "", false},
		"text":                     {"# Head\n---\ntitle: a\n---\n", "", "", false},
		"rule":                     {"---\n\nSome text.\n", "", "", false},
		"empty":                    {"", "", "", false},
		"nothing inside":           {"---\n---\n", "", "", true},
		"only a mark":              {"\ufeff", "", "", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			f, ok := read(test.src, "a.md", Options{Conventions: kinds[test.generator]})
			if f.Title != test.title || ok != test.ok || len(f.Diags) > 0 {
				t.Errorf("title %q, front matter %v, %v; want %q, %v", f.Title, ok, f.Diags, test.title, test.ok)
			}
		})
	}
}

// An endless reader returns the byte "x" without end, and counts its bytes.
type endless struct{ n int }

func (e *endless) Read(p []byte) (int, error) {
	e.n += len(p)
	return copy(p, bytes.Repeat([]byte("x"), len(p))), nil
}

func TestReadIsBounded(t *testing.T) {
	tests := map[string]struct {
		begin string
		most  int
	}{
		"no front matter":  {"text ", 8 << 10},
		"a short one":      {"---\ntitle: a\n---\n", 16 << 10},
		"an unclosed one":  {"---\ntitle: ", MaxBytes + 16<<10},
		"json, short":      {`{"title": "a"} `, 16 << 10},
		"json, never ends": {`{"title": "`, MaxBytes + 16<<10},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			e := &endless{}
			if _, err := NewReader(Options{}).Read(io.MultiReader(strings.NewReader(test.begin), e), "a.md", &page.Facts{}); err != nil {
				t.Fatal(err)
			}
			if e.n > test.most {
				t.Errorf("read %d bytes, want at most %d", e.n, test.most)
			}
		})
	}
}

func TestReadReturnsTheStreamsError(t *testing.T) {
	broken := errors.New("broken")
	for _, begin := range []string{"", "---\ntitle: a\n", `{"title": `, "#+title: a\n", "\n"} {
		r := io.MultiReader(strings.NewReader(begin), iotest.ErrReader(broken))
		if _, err := NewReader(Options{}).Read(r, "a.md", &page.Facts{}); !errors.Is(err, broken) {
			t.Errorf("after %q: error %v", begin, err)
		}
	}
}

func TestReadInSmallPieces(t *testing.T) {
	src := "---\ntitle: a\ntext: " + strings.Repeat("é", 5000) + "\ndate: 2024-01-02\n---\n"
	var f page.Facts
	ok, err := NewReader(Options{}).Read(iotest.OneByteReader(strings.NewReader(src)), "a.md", &f)
	if err != nil || !ok || f.Date.String() != "2024-01-02" || len(f.Diags) > 0 {
		t.Errorf("%v %v %+v", ok, err, f)
	}
}
