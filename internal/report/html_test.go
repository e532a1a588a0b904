package report

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/testsite"
)

// TestHTMLEscapesText checks that the page contains only elements of the template.
func TestHTMLEscapesText(t *testing.T) {
	r := hostileReport()
	out := writeForm(t, "html", r, nil)
	for _, name := range []string{"script", "img", "iframe", "link", "base", "object"} {
		want := strings.Count(pageHTML, "<"+name)
		if got := len(regexp.MustCompile(`(?i)<`+name+`[\s>/]`).FindAllString(out, -1)); got != want {
			t.Errorf("got %d elements %s, want %d", got, name, want)
		}
	}
	if strings.ContainsAny(out, "\x1b\x00\u202e\u0085") || strings.Contains(out, `href="javascript:`) {
		t.Error("got a control character or a javascript: URL")
	}
	before, got := parseHTML(t, out)
	if len(got.Pages) != len(evil) {
		t.Errorf("got %d pages, want %d", len(got.Pages), len(evil))
	}
	for _, p := range got.Pages {
		if all := fmt.Sprint(p); diag.Plain(all) != all {
			t.Errorf("embedded data: got control characters in %q", all)
		}
	}
	if !strings.Contains(before, "default-src &#39;none&#39;") {
		t.Error("got no Content-Security-Policy, want one")
	}
}

// parseHTML returns the HTML before the embedded data, and the decoded data.
func parseHTML(t *testing.T, report string) (before string, data siteData) {
	t.Helper()
	before, rest, _ := strings.Cut(report, `id="data">`)
	text, _, _ := strings.Cut(rest, "</script>")
	packed, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(text)))
	if err == nil {
		err = json.NewDecoder(packed).Decode(&data)
	}
	if err != nil {
		t.Fatal(err)
	}
	return before, data
}

// TestHTMLWithoutPages checks the report of a command without a built site.
func TestHTMLWithoutPages(t *testing.T) {
	out := writeForm(t, "html", &Report{Command: "check", Error: "there is no sitemap"}, nil)
	if strings.Contains(out, "<script") || !strings.Contains(out, "there is no sitemap") || strings.Contains(out, `id="pages"`) {
		t.Error(out)
	}
}

// TestHTMLContainsData checks that the embedded data contains the sorted pages and the
// explanations of their reasons.
func TestHTMLContainsData(t *testing.T) {
	r := &Report{Base: "https://example.com/"}
	for _, name := range []string{"", "a.html", "blog/", "blog/é/", "blog/ü/", "x/index.html"} {
		r.Pages = append(r.Pages, Page{URL: r.Base + name, File: "public/" + name + "index.html", Source: "content/" + strings.TrimSuffix(name, "/") + ".md", Reason: "noindex", Pos: diag.Pos{File: "a", Line: 2}})
	}
	want := append([]Page{{}}, r.Pages...)
	r.Pages = append(r.Pages, Page{})
	_, got := parseHTML(t, writeForm(t, "html", r, nil))
	if got.Base != r.Base || !slices.Equal(got.Pages, want) || got.Reasons["noindex"] == "" {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

// TestHTMLStaysSmallWithManyPages checks the size of a report with 100,000 pages.
func TestHTMLStaysSmallWithManyPages(t *testing.T) {
	pages := testsite.Repeat(10_000, 100_000)
	r := &Report{Base: "https://example.com/"}
	for i := range pages {
		name := fmt.Sprintf("section-%d/year-%d/a-page-with-a-name-%d/", i%37, i%11, i)
		r.Pages = append(r.Pages, Page{
			URL: r.Base + name, Listed: i%10 > 0, Reason: map[bool]string{true: "", false: "noindex"}[i%10 > 0], LastMod: "2025-03-01T09:30:00+01:00", By: "git",
			Lang: "en", Title: fmt.Sprintf("A title of a length that titles often have, %d", i),
			File: "public/" + name + "index.html", Source: "content/" + strings.TrimSuffix(name, "/") + ".md",
			Pos: diag.Pos{},
		})
	}
	if n := len(writeForm(t, "html", r, nil)); n > testsite.Repeat(2<<20, 15<<20) {
		t.Errorf("got %d bytes, want at most %d", n, testsite.Repeat(2<<20, 15<<20))
	}
}

// TestCountTables checks that the rows of count tables are sorted and link to their pages, and that
// each table has the number of its omitted rows.
func TestCountTables(t *testing.T) {
	pages := []Page{{URL: "https://example.com/", Listed: true, By: "git"}, {URL: "https://example.com/a/x", Reason: "noindex"}}
	for i := range maxCounts + 10 {
		pages = append(pages, Page{URL: fmt.Sprintf("https://example.com/%d/", i), Listed: true}, Page{URL: "https://example.com/a/", Listed: true, Lang: "de"})
	}
	tables := newCountTables(pages, "https://example.com/")
	var got []string
	for _, c := range tables {
		got = append(got, fmt.Sprint(c.Name, " ", c.Rows[0], " ", len(c.Rows), " ", c.More))
	}
	want := []string{
		"Sections {/a/ section=https%3A%2F%2Fexample.com%2Fa%2F 111} 100 11", "Left out {noindex reason=noindex 1} 1 ",
		"Languages {de lang=de&state=in 110} 1 ", "Dates {no date  220} 2 ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// TestSplitByClassCopiesNoChanges checks that splitByClass returns parts of the list instead of
// copies. The list may have millions of changes.
func TestSplitByClassCopiesNoChanges(t *testing.T) {
	c := &Changes{List: []Change{{Class: "added", URL: "a"}, {Class: "lost", URL: "b"}, {Class: "lost", URL: "c"}}}
	parts := c.splitByClass()
	if len(parts) != 2 || len(parts[0]) != 1 || len(parts[1]) != 2 || &parts[0][0] != &c.List[0] || &parts[1][1] != &c.List[2] {
		t.Errorf("got %v, want parts of the list", parts)
	}
	if parts := (&Changes{}).splitByClass(); parts != nil {
		t.Errorf("no changes: got %v, want nil", parts)
	}
}
