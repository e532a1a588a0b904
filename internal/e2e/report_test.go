//go:build e2e

package e2e

import (
	"cmp"
	"encoding/json"
	"html"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// titles are what a page may call itself, to break out of the report.
var titles = []string{
	"</script><script>window.owned=1</script>", "<img src=https://evil.invalid/x onerror=alert(1)>", "]]>", "::error::hostile",
	"\u202egnp.exe", `" onmouseover="alert(1)`, "javascript:alert(1)", "__proto__", "{{.}}", "${alert(1)}",
}

// hostileSite has a page for each title, beside the lake.
func hostileSite(t *testing.T) string {
	t.Helper()
	dir := lake(t, 60)
	for i, title := range titles {
		name := "public/hostile/" + string(rune('a'+i)) + "/index.html"
		write(t, dir, name, "<!doctype html><html lang=en><title>"+html.EscapeString(title)+"</title>")
	}
	write(t, dir, "public/hostile/hidden/index.html", "<!doctype html><title>Hidden</title><meta name=robots content=noindex>")
	write(t, dir, "sitemap.yaml", "base_url: https://example.internal/\n")
	return dir
}

// TestReportInBrowser looks at the html report light and dark, wide and narrow.
func TestReportInBrowser(t *testing.T) {
	dir := hostileSite(t)
	do(t, dir, sitewalk, "-q", "--report", "html=report.html")
	s := look(t, dir, "report.html")[0]
	s.open(t)
	if h := s.named("heading", 1); !slices.Equal(h, []string{"sitewalk build of https://example.internal/"}) {
		t.Errorf("main headings %q", h)
	}
	if h := s.named("heading", 2); !slices.Equal(h, []string{"The site", "Pages"}) {
		t.Errorf("headings %q", h)
	}
	for role, names := range map[string][]string{
		"banner": {""}, "main": {""}, "navigation": {"Parts of the report"}, "search": {""}, "searchbox": {"Filter"},
		"combobox": {"Show", "Reason", "Language"},
	} {
		if got := s.named(role, 0); !slices.Equal(got, names) {
			t.Errorf("%s: %q, want %q", role, got, names)
		}
	}
	if links := s.named("link", 0); slices.Contains(links, "") {
		t.Errorf("a link without a name: %q", links)
	}
}

// open fails unless every view of a report can be read by everybody, on this side of the
// least contrast that WCAG 2.2 (1.4.3) allows, without scrolling to the side and without
// a request; what is folded is not shown.
func (s *sight) open(t *testing.T) {
	t.Helper()
	for _, v := range s.Views {
		if len(v.Barriers) > 0 {
			t.Errorf("%s: %q", v.View, v.Barriers)
		}
		if len(v.Said) > 0 || len(v.Elsewhere) > 0 || v.Wider > 0 || v.Texts == 0 || v.Least.Ratio < 4.5 {
			t.Errorf("%s: the console says %q; requests to %q; %d texts, %d pixels too wide; contrast %.2f of %q",
				v.View, v.Said, v.Elsewhere, v.Texts, v.Wider, v.Least.Ratio, v.Least.Text)
		}
	}
}

// TestReportOfCheck looks at the report of a site with findings.
func TestReportOfCheck(t *testing.T) {
	dir := hostileSite(t)
	do(t, dir, sitewalk, "-q")
	write(t, dir, "public/new/index.html", "<!doctype html><title>New</title><a href=/nowhere/>gone</a>")
	_, stderr, _ := try(t, dir, nil, sitewalk, "check", "--links", "-q", "--report", "html=report.html")
	if !exists(filepath.Join(dir, "report.html")) {
		t.Fatal(stderr)
	}
	s := look(t, dir, "report.html")[0]
	s.open(t)
	if h := s.named("heading", 2); !slices.Contains(h, "Findings") {
		t.Errorf("headings %q", h)
	}
}

// TestReportOfDiff looks at the report of a deploy: what changed stands in it once,
// with what to do and what to paste, and the table of the pages, too.
func TestReportOfDiff(t *testing.T) {
	dir := hostileSite(t)
	var old strings.Builder
	for _, path := range []string{"", "hostile/hidden/", "lost/", "lost/%3Cscript%3E/", "was/a/"} {
		old.WriteString("https://example.internal/" + path + "\n")
	}
	write(t, dir, "old.txt", old.String())
	_, stderr, _ := try(t, dir, nil, sitewalk, "diff", "old.txt", "-q", "--report", "html=report.html")
	if !exists(filepath.Join(dir, "report.html")) {
		t.Fatal(stderr)
	}
	s := look(t, dir, "report.html")[0]
	s.open(t)
	if h := s.named("heading", 2); !slices.Equal(h, []string{"What changed", "The site", "Pages"}) {
		t.Errorf("headings %q", h)
	}
	if links := s.named("link", 0); slices.Contains(links, "") {
		t.Errorf("a link without a name: %q", links)
	}
}

// TestReportIsUsed uses the report by keyboard, without scripts and on paper, and
// opens one of 100,000 pages.
func TestReportIsUsed(t *testing.T) {
	dir := hostileSite(t)
	do(t, dir, sitewalk, "-q", "--report", "html=report.html")
	large := testsite.MemoryDir(t) // a disk takes longer to write and delete 100,000 files than all else here
	if err := (testsite.SyntheticSite{Pages: 100_000, Head: 600, Size: 1000, BaseURL: "https://example.internal/"}).Write(filepath.Join(large, "public")); err != nil {
		t.Fatal(err)
	}
	do(t, large, sitewalk, "build", "public", "-b", "https://example.internal/", "-q", "--report", "html=report.html")
	if info, err := os.Stat(filepath.Join(large, "report.html")); err != nil || info.Size() > 15<<20 {
		t.Errorf("the report of 100,000 pages: %v, %d bytes", err, info.Size())
	}
	var met struct {
		All, Focus, Filtered, Hash, First, Told, Linked, Large string
		Sorted, Seen                                           []string
		Unfolded, Print, Plain                                 int
		Times                                                  []float64
	}
	shots := cmp.Or(os.Getenv("SITEWALK_SHOTS"), t.TempDir())
	script, err := os.ReadFile(filepath.Join("testdata", "browser", "report.cjs"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, npmDir(t), "report.cjs", string(script))
	out, stderr, err := try(t, npmDir(t), []string{"CHROMIUM=" + tool(t, "chromium-headless-shell")}, tool(t, "node"), "report.cjs", shots,
		"file://"+filepath.Join(dir, "report.html"), "file://"+filepath.Join(large, "report.html"))
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	if err := json.Unmarshal([]byte(out), &met); err != nil {
		t.Fatal(err)
	}
	if len(met.Seen) > 0 || met.Unfolded != 2 {
		t.Errorf("something was asked for or run: %q, %d elements", met.Seen, met.Unfolded)
	}
	for what, pair := range map[string][2]string{
		"all": {met.All, "71 of 71 pages"}, "focus": {met.Focus, "input text"}, "filtered": {met.Filtered, "11 of 71 pages"},
		"hash": {met.Hash, "#q=hostile"}, "sorted": {strings.Join(met.Sorted, ","), "Title descending"},
		"linked": {met.Linked, "1 of 71 pages"}, "large, with the home page": {met.Large, "100,001 of 100,001 pages"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %q, want %q", what, pair[0], pair[1])
		}
	}
	if !strings.Contains(met.Told, "https://example.internal/") || !strings.Contains(met.Told, "public/") {
		t.Errorf("a page is explained as %q", met.Told)
	}
	if met.Print != 0 || met.Plain != 71 {
		t.Errorf("%d controls on paper, %d rows without scripts", met.Print, met.Plain)
	}
	if fastest := slices.Min(met.Times); fastest > 4000 { // 2,200 where 30 processes share two processors
		t.Errorf("100,000 pages take the browser %.0f ms to open", fastest)
	}
}
