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

// hostileTitles are page titles that try to break out of a report.
var hostileTitles = []string{
	"</script><script>window.owned=1</script>", "<img src=https://evil.invalid/x onerror=alert(1)>", "]]>", "::error::hostile",
	"\u202egnp.exe", `" onmouseover="alert(1)`, "javascript:alert(1)", "__proto__", "{{.}}", "${alert(1)}",
}

// newHostileSite returns the folder of a site with 60 ordinary pages, a page with each of
// hostileTitles, and a noindex page.
func newHostileSite(t *testing.T) string {
	t.Helper()
	dir := newDatedSite(t, 60)
	for i, title := range hostileTitles {
		name := "public/hostile/" + string(rune('a'+i)) + "/index.html"
		writeFile(t, dir, name, "<!doctype html><html lang=en><title>"+html.EscapeString(title)+"</title>")
	}
	writeFile(t, dir, "public/hostile/hidden/index.html", "<!doctype html><title>Hidden</title><meta name=robots content=noindex>")
	writeFile(t, dir, "sitemap.yaml", "base_url: https://example.internal/\n")
	return dir
}

// TestBuildReportInBrowser opens the HTML report of a build in a browser. It checks that the report
// is accessible and has the expected headings, landmarks and form fields.
func TestBuildReportInBrowser(t *testing.T) {
	dir := newHostileSite(t)
	run(t, dir, sitewalk, "-q", "--report", "html=report.html")
	p := renderPages(t, dir, "report.html")[0]
	p.checkAccessible(t)
	if h := p.namesByRole("heading", 1); !slices.Equal(h, []string{"sitewalk build of https://example.internal/"}) {
		t.Errorf("main headings %q, want the command and the base URL", h)
	}
	if h := p.namesByRole("heading", 2); !slices.Equal(h, []string{"The site", "Pages"}) {
		t.Errorf("headings %q, want The site and Pages", h)
	}
	for role, names := range map[string][]string{
		"banner": {""}, "main": {""}, "navigation": {"Parts of the report"}, "search": {""}, "searchbox": {"Filter"},
		"combobox": {"Show", "Reason", "Language"},
	} {
		if got := p.namesByRole(role, 0); !slices.Equal(got, names) {
			t.Errorf("names of the role %s: %q, want %q", role, got, names)
		}
	}
	if links := p.namesByRole("link", 0); slices.Contains(links, "") {
		t.Errorf("links %q, want a name for each", links)
	}
}

// checkAccessible checks that every view is accessible, without console messages and without
// requests to other hosts. Texts need the contrast that WCAG 2.2 (1.4.3) requires, without
// horizontal scrolling. Unlike checkAllVisible, it allows hidden texts.
func (p *renderedPage) checkAccessible(t *testing.T) {
	t.Helper()
	for _, v := range p.Views {
		if len(v.Violations) > 0 {
			t.Errorf("%s: violations %q", v.View, v.Violations)
		}
		if len(v.Console) > 0 || len(v.ForeignRequests) > 0 || v.Overflow > 0 || v.Texts == 0 || v.MinContrast.Ratio < 4.5 {
			t.Errorf("%s: console messages %q, foreign requests %q; %d texts, %d pixels too wide; the contrast of %q is %.2f",
				v.View, v.Console, v.ForeignRequests, v.Texts, v.Overflow, v.MinContrast.Text, v.MinContrast.Ratio)
		}
	}
}

// TestCheckReportInBrowser opens the HTML report of check with findings in a browser. It checks that
// the report is accessible and has the heading Findings.
func TestCheckReportInBrowser(t *testing.T) {
	dir := newHostileSite(t)
	run(t, dir, sitewalk, "-q")
	writeFile(t, dir, "public/new/index.html", "<!doctype html><title>New</title><a href=/nowhere/>gone</a>")
	_, stderr, _ := tryRun(t, dir, nil, sitewalk, "check", "--links", "-q", "--report", "html=report.html")
	if !fileExists(filepath.Join(dir, "report.html")) {
		t.Fatal(stderr)
	}
	p := renderPages(t, dir, "report.html")[0]
	p.checkAccessible(t)
	if h := p.namesByRole("heading", 2); !slices.Contains(h, "Findings") {
		t.Errorf("headings %q, want Findings among them", h)
	}
}

// TestDiffReportInBrowser opens the HTML report of diff in a browser. It checks that the report is
// accessible and has the expected headings.
func TestDiffReportInBrowser(t *testing.T) {
	dir := newHostileSite(t)
	var old strings.Builder
	for _, path := range []string{"", "hostile/hidden/", "lost/", "lost/%3Cscript%3E/", "was/a/"} {
		old.WriteString("https://example.internal/" + path + "\n")
	}
	writeFile(t, dir, "old.txt", old.String())
	_, stderr, _ := tryRun(t, dir, nil, sitewalk, "diff", "old.txt", "-q", "--report", "html=report.html")
	if !fileExists(filepath.Join(dir, "report.html")) {
		t.Fatal(stderr)
	}
	p := renderPages(t, dir, "report.html")[0]
	p.checkAccessible(t)
	if h := p.namesByRole("heading", 2); !slices.Equal(h, []string{"What changed", "The site", "Pages"}) {
		t.Errorf("headings %q, want What changed, The site and Pages", h)
	}
	if links := p.namesByRole("link", 0); slices.Contains(links, "") {
		t.Errorf("links %q, want a name for each", links)
	}
}

// TestReportInteraction uses the HTML report with the keyboard, without scripts and in print, and
// opens a report of 100,000 pages.
func TestReportInteraction(t *testing.T) {
	dir := newHostileSite(t)
	run(t, dir, sitewalk, "-q", "--report", "html=report.html")
	large := testsite.MemoryDir(t) // writing 100,000 files to a disk would take most of the time
	if err := (testsite.SyntheticSite{Pages: 100_000, Head: 600, Size: 1000, BaseURL: "https://example.internal/"}).Write(filepath.Join(large, "public")); err != nil {
		t.Fatal(err)
	}
	run(t, large, sitewalk, "build", "public", "-b", "https://example.internal/", "-q", "--report", "html=report.html")
	if info, err := os.Stat(filepath.Join(large, "report.html")); err != nil || info.Size() > 15<<20 {
		t.Errorf("the report of 100,000 pages: %v, %d bytes, want at most 15 MiB", err, info.Size())
	}
	var got struct {
		All, Focus, Filtered, Hash, Details, Linked, Large string
		Sorted, Unexpected                                 []string
		ActiveElements, PrintedControls, RowsWithoutScript int
		Times                                              []float64
	}
	shots := cmp.Or(os.Getenv("SITEWALK_SHOTS"), t.TempDir())
	script, err := os.ReadFile(filepath.Join("testdata", "browser", "report.cjs"))
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, npmDir(t), "report.cjs", string(script))
	out, stderr, err := tryRun(t, npmDir(t), []string{"CHROMIUM=" + toolPath(t, "chromium-headless-shell")}, toolPath(t, "node"), "report.cjs", shots,
		"file://"+filepath.Join(dir, "report.html"), "file://"+filepath.Join(large, "report.html"))
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Unexpected) > 0 || got.ActiveElements != 2 {
		t.Errorf("unexpected requests, messages or dialogs: %q; %d scripts, images and frames, want 2", got.Unexpected, got.ActiveElements)
	}
	for name, pair := range map[string][2]string{
		"all": {got.All, "71 of 71 pages"}, "focus": {got.Focus, "input text"}, "filtered": {got.Filtered, "11 of 71 pages"},
		"hash": {got.Hash, "#q=hostile"}, "sorted": {strings.Join(got.Sorted, ","), "Title descending"},
		"linked": {got.Linked, "1 of 71 pages"}, "large, with the home page": {got.Large, "100,001 of 100,001 pages"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %q, want %q", name, pair[0], pair[1])
		}
	}
	if !strings.Contains(got.Details, "https://example.internal/") || !strings.Contains(got.Details, "public/") {
		t.Errorf("details of a page: %q, want its URL and its file", got.Details)
	}
	if got.PrintedControls != 0 || got.RowsWithoutScript != 71 {
		t.Errorf("%d controls in print, want 0; %d rows without scripts, want 71", got.PrintedControls, got.RowsWithoutScript)
	}
	if fastest := slices.Min(got.Times); fastest > 4000 { // 2,200 if 30 processes share two processors
		t.Errorf("opening the report of 100,000 pages takes %.0f ms, want at most 4000", fastest)
	}
}
