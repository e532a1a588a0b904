package hosting

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/mapping"
)

// splitRow returns the cells of line, a row of a Markdown table.
func splitRow(line string) []string {
	cells := strings.Split(strings.Trim(line, "|\n"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

// manualTable returns the rows of the table in docs/hosts.md that has the given heading.
func manualTable(t *testing.T, heading string) (rows [][]string) {
	t.Helper()
	src, err := os.ReadFile("../../docs/hosts.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(src), heading+"\n|")
	if !ok {
		t.Fatalf("docs/hosts.md has no table %q", heading)
	}
	_, rest, _ = strings.Cut(rest, "\n")
	for line := range strings.Lines(rest) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		rows = append(rows, splitRow(line))
	}
	return rows
}

// settingFiles lists, for each host, the configuration file for a setting in the manual, and a
// format for its content.
var settingFiles = map[string]struct{ file, text string }{
	"vercel":     {"vercel.json", "{%s}"},
	"cloudflare": {"wrangler.json", `{"assets": {"directory": "public", %s}}`},
	"firebase":   {"firebase.json", `{"hosting": {"public": "public", %s}}`},
	"azure":      {"staticwebapp.config.json", "{%s}"},
}

var setting = regexp.MustCompile("`(\\w+): ([\\w-]+)`")

// TestManualAddresses compares the URLs in the manual with the styles of the hosts, and checks that
// the table has a row for every host.
func TestManualAddresses(t *testing.T) {
	var named []string
	for _, cells := range manualTable(t, "| host | `a.html` | `a/index.html` |") {
		pairs := setting.FindAllStringSubmatch(cells[0], -1)
		for name := range strings.SplitSeq(cells[0], ", ") {
			if strings.HasPrefix(name, "`") {
				continue // a setting
			}
			named = append(named, name)
			in := Input{Name: name, Root: fstest.MapFS{}, PublishName: "public", RootName: "."}
			if pairs != nil {
				f := settingFiles[name]
				in.Root = fstest.MapFS{f.file: {Data: fmt.Appendf(nil, f.text, settingText(pairs))}}
			}
			h, diags := Load(in)
			if slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Code != "no-404-page" }) {
				t.Fatal(cells, diags)
			}
			files, folders := h.Endings()
			html, dir := formatURLs(h, "a.html", files), formatURLs(h, "a/index.html", folders)
			if cells[1] != html || cells[2] != dir {
				t.Errorf("%v is in the manual; %s has %s and %s", cells, name, html, dir)
			}
		}
	}
	for _, name := range Names()[1:] {
		if !slices.Contains(named, name) {
			t.Errorf("the manual has no address of %s", name)
		}
	}
}

// settingText returns settings as the members of a JSON object.
func settingText(pairs [][]string) string {
	var text []string
	for _, p := range pairs {
		value := p[2]
		if value != "true" && value != "false" {
			value = `"` + value + `"`
		}
		text = append(text, fmt.Sprintf("%q: %s", p[1], value))
	}
	return strings.Join(text, ", ")
}

// formatURLs returns the URL that the host's style gives to a file, and then the other URLs at
// which the host serves the file.
func formatURLs(h *Host, file string, endings []mapping.Ending) string {
	own := h.Style().URLPath(file)
	all := []string{own}
	for _, e := range endings {
		if other := e.Style().URLPath(file); other != own {
			all = append(all, other)
		}
	}
	return "`" + strings.Join(all, "` or `") + "`"
}

// TestManualFiles checks that the table has a row for every host with configuration files, and for
// no other host.
func TestManualFiles(t *testing.T) {
	var named []string
	for _, cells := range manualTable(t, "| host | file | what counts |") {
		if cells[0] != "" {
			named = append(named, cells[0])
		}
	}
	for _, h := range platforms {
		if (h.read != nil) != slices.Contains(named, h.name) {
			t.Errorf("%s reads files of its own: %v; the manual has a row: %v", h.name, h.read != nil, slices.Contains(named, h.name))
		}
	}
}

// TestManualClues checks that the manual names each file in the publish directory that is evidence
// for a host.
func TestManualClues(t *testing.T) {
	src, err := os.ReadFile("../../docs/hosts.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(src), "\n## How the host is found\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, clue := range fileClues {
		if clue.publishOnly && !strings.Contains(section, "`"+clue.file+"`") {
			t.Errorf("\"How the host is found\" in docs/hosts.md does not name %s", clue.file)
		}
	}
}
