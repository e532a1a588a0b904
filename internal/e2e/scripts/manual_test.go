package scripts

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/writer"
)

// flagName matches the flags in a text.
var flagName = regexp.MustCompile("(?:^|[\\s`(\\[])--([a-z][a-zA-Z-]+)")

// helpFlag matches the flags that the help of a command explains.
var helpFlag = regexp.MustCompile("(?m)^ +(?:-., )?--([a-z-]+)")

// otherPrograms lists the flags of other programs that the manual names.
var otherPrograms = []string{
	"filter", "unshallow", "cached", // git
	"renderToMemory", "watch", "baseURL", // Hugo
	"save-dev", "omit", "yes", // npm
	"batch", "cached", "debug", "edit", "full-name", "git-path", "is-shallow-repository", "name-status", "no-ext-diff", "no-pager", "no-textconv", "no-walk", "show-prefix", "stage", "stdin", // git
	"delete",                                                           // rsync
	"rm",                                                               // docker
	"ignore-missing",                                                   // sha256sum
	"repo",                                                             // gh
	"bundle", "certificate-identity-regexp", "certificate-oidc-issuer", // cosign
	"base", "root", "match", "ignore", "changefreq", "priority", "no-robots", "concurrent", "no-clean", "slash", // static-sitemap-cli
}

// TestManualFlags checks that every flag in the manual is a flag of a command, and that the manual
// names every flag.
func TestManualFlags(t *testing.T) {
	testsite.ChdirToRoot(t)
	known := map[string]bool{}
	for _, cmd := range commandNames(t) {
		for _, m := range helpFlag.FindAllStringSubmatch(run(t, ".", cmd, "--help"), -1) {
			known[m[1]] = true
		}
	}
	files, _ := filepath.Glob("docs/*.md")
	more, _ := filepath.Glob("docs/start/*.md")
	named := map[string]bool{}
	for _, name := range slices.Concat(files, more, []string{"README.md", "sitemap.yaml.example"}) {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(src)) {
			for _, m := range flagName.FindAllStringSubmatch(line, -1) {
				named[m[1]] = true
				if !known[m[1]] && !slices.Contains(otherPrograms, m[1]) {
					t.Errorf("%s: no command has a flag --%s: %s", name, m[1], strings.TrimSpace(line))
				}
			}
		}
	}
	for flag := range known {
		if !named[flag] && flag != "help" && flag != "version" {
			t.Errorf("the manual does not name --%s", flag)
		}
	}
}

// commandNames returns the names of the commands in the output of --help.
func commandNames(t *testing.T) []string {
	_, list, _ := strings.Cut(run(t, ".", "--help"), "\nCommands:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	var names []string
	for line := range strings.Lines(list) {
		if f := strings.Fields(line); len(f) > 0 && f[0] != "help" {
			names = append(names, f[0])
		}
	}
	if len(names) < 5 {
		t.Fatalf("--help lists the commands %v, want at least 5", names)
	}
	return names
}

// TestManualJSON checks that docs/json.md names the fields that --json prints.
func TestManualJSON(t *testing.T) {
	testsite.ChdirToRoot(t)
	src, err := os.ReadFile("docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	build, explain, _ := strings.Cut(string(src), "explain --json")
	build, submit, _ := strings.Cut(build, "\n## submit\n")
	build, check, _ := strings.Cut(build, "\n## check\n")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("<title>Home</title>"), 0o644); err != nil {
		t.Fatal(err)
	}
	var report map[string]any
	decodeJSON(t, run(t, dir, "build", ".", "-b", "https://example.com/", "--json", "-n"), &report)
	compareFields(t, "build", documentedFields(build), report, "error", "skipped", "failures", "fixed", "changes", "pages")
	all, _, _ := strings.Cut(build, "\n## build\n")
	run(t, dir, "build", ".", "-b", "https://example.com/")
	report = nil
	decodeJSON(t, run(t, dir, "check", ".", "-b", "https://example.com/", "--json"), &report)
	compareFields(t, "check", documentedFields(all+check), report, "google", "error", "failures", "fixed", "changes", "pages")
	report = nil
	decodeJSON(t, run(t, dir, "submit", "-b", "https://example.com/", "--json"), &report)
	compareFields(t, "submit", documentedFields(all+submit), report, "google", "error", "failures", "fixed", "changes", "pages", "base_url")
	var explained struct{ Explanations []map[string]any }
	decodeJSON(t, run(t, dir, "explain", "--dir", ".", "-b", "https://example.com/", "--json", "/"), &explained)
	compareFields(t, "explain", documentedFields(explain), explained.Explanations[0], "source", "pairing", "also", "rules", "similar", "unbuilt", "removed", "next", "last", "until", "findings")
}

func decodeJSON(t *testing.T, src string, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(src), v); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
}

// documentedFields returns the field names before the colon of each list item.
func documentedFields(list string) map[string]bool {
	names := map[string]bool{}
	for _, item := range regexp.MustCompile("(?m)^- (`[^:]*`): ").FindAllStringSubmatch(list, -1) {
		for _, name := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(item[1], -1) {
			names[name[1]] = true
		}
	}
	return names
}

// compareFields checks that the manual names the fields of an object that a command prints, and no
// others. The object may lack the optional fields.
func compareFields(t *testing.T, command string, manual map[string]bool, object map[string]any, optional ...string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if !manual[name] {
			t.Errorf("docs/json.md does not name %s of %s --json", name, command)
		}
	}
	for name := range manual {
		if _, ok := object[name]; !ok && !slices.Contains(optional, name) {
			t.Errorf("docs/json.md names %s, which %s --json does not print", name, command)
		}
	}
}

// TestManualTables checks that tables in the manual list the reasons, date sources, report forms
// and output formats of the program in the same order.
func TestManualTables(t *testing.T) {
	testsite.ChdirToRoot(t)
	var reasons, lines []string
	for _, r := range page.Reasons[1:] {
		reasons, lines = append(reasons, r.Name), append(lines, "| `"+r.Name+"` | "+r.Text+" |")
	}
	for _, table := range []struct {
		file, head string
		want       []string
	}{
		{"docs/the-list.md", "| reason | meaning |", reasons},
		{"docs/dates.md", "| source | says | is silent |", site.SourceNames()},
		{"docs/reports.md", "| form | for |", report.FormNames()},
		{"docs/files.md", "| format | ", writer.Formats},
	} {
		src, err := os.ReadFile(table.file)
		if err != nil {
			t.Fatal(err)
		}
		_, rows, _ := strings.Cut(string(src), table.head)
		rows, _, _ = strings.Cut(rows, "\n\n")
		var names []string
		for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(rows, -1) {
			names = append(names, m[1])
		}
		if !slices.Equal(names, table.want) {
			t.Errorf("the table in %s lists\n%q, want\n%q", table.file, names, table.want)
		}
		for _, line := range lines {
			if table.file == "docs/the-list.md" && !strings.Contains(rows, "\n"+line) {
				t.Errorf("%s has no line %s", table.file, line)
			}
		}
	}
	order := "lastmod: [" + strings.Join(site.SourceNames(), ", ") + "]\n"
	formats := "| `output.formats` | `" + strings.Join(writer.Formats, "`, `") + "` |"
	for file, line := range map[string]string{"docs/dates.md": order, "sitemap.yaml.example": order, "testdata/script/dates-order.txtar": order, "docs/configuration.md": formats} {
		if src, err := os.ReadFile(file); err != nil || !strings.Contains(string(src), line) {
			t.Errorf("%s has no line %s (%v)", file, line, err)
		}
	}
}

// TestReportFormsCovered checks that a script writes each form of a report, and that CHANGELOG.md
// names the form.
func TestReportFormsCovered(t *testing.T) {
	testsite.ChdirToRoot(t)
	scripts, changes := contents(t, "testdata/script/report-*.txtar"), contents(t, "CHANGELOG.md")
	for _, name := range report.FormNames() {
		if !regexp.MustCompile(`--report ` + name + `\b`).MatchString(scripts) {
			t.Errorf("no script in testdata/script/report-*.txtar writes the form %s", name)
		}
		if !regexp.MustCompile(`(?i)\b` + name + `\b`).MatchString(changes) {
			t.Errorf("CHANGELOG.md does not name the form %s", name)
		}
	}
}

// TestIntegrationsCovered checks that docs/install.md names each folder of integrations/, and that
// a test uses the folder.
func TestIntegrationsCovered(t *testing.T) {
	testsite.ChdirToRoot(t)
	integrations, err := os.ReadDir("integrations")
	if err != nil {
		t.Fatal(err)
	}
	manual := contents(t, "docs/install.md")
	tests := contents(t, "internal/e2e/channels/*_test.go") + contents(t, "tools/dist/*_test.go")
	for _, c := range integrations {
		if !regexp.MustCompile(`(?i)\b` + c.Name() + `\b`).MatchString(manual) {
			t.Errorf("docs/install.md does not name %s", c.Name())
		}
		if !regexp.MustCompile(`["/]` + c.Name() + `["/]`).MatchString(tests) {
			t.Errorf("no test in internal/e2e/channels or tools/dist uses integrations/%s", c.Name())
		}
	}
}

// contents returns the joined text of all files that match a pattern.
func contents(t *testing.T, pattern string) string {
	t.Helper()
	names, _ := filepath.Glob(pattern)
	var text strings.Builder
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(src)
	}
	return text.String()
}

var (
	link        = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading     = regexp.MustCompile("(?m)^#+ (.+)$")
	fencedBlock = regexp.MustCompile("(?ms)^```.*?^```$")
	notInAnchor = regexp.MustCompile(`[^\p{L}\p{N}_ -]`) // characters that GitHub removes
)

// anchors returns the anchors of the headings on a page, in GitHub's form.
func anchors(text string) []string {
	var all []string
	for _, m := range heading.FindAllStringSubmatch(fencedBlock.ReplaceAllString(text, ""), -1) {
		words := link.ReplaceAllString(m[1], "")
		all = append(all, strings.ReplaceAll(notInAnchor.ReplaceAllString(strings.ToLower(words), ""), " ", "-"))
	}
	return all
}

// TestManualLinks checks that every link of the manual to a file of the repository names an
// existing file and heading.
func TestManualLinks(t *testing.T) {
	testsite.ChdirToRoot(t)
	var pages []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/start/*.md", "integrations/*/*.md"} {
		names, _ := filepath.Glob(pattern)
		pages = append(pages, names...)
	}
	const repository = "https://github.com/sitewalk/sitewalk/blob/main/"
	numLinks := 0
	for _, name := range pages {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(fencedBlock.ReplaceAllString(string(src), ""), -1) {
			target, isAbsolute := strings.CutPrefix(m[1], repository)
			if !isAbsolute && strings.Contains(target, "://") {
				continue
			}
			numLinks++
			file, anchor, _ := strings.Cut(target, "#")
			switch {
			case isAbsolute:
			case file == "":
				file = name
			default:
				file = filepath.Join(filepath.Dir(name), file)
			}
			text, err := os.ReadFile(file)
			info, _ := os.Stat(file)
			if err != nil && (info == nil || !info.IsDir()) {
				t.Errorf("%s: the target of the link %s does not exist", name, m[1])
			} else if anchor != "" && !slices.Contains(anchors(string(text)), anchor) {
				t.Errorf("%s: the target of the link %s has no such heading", name, m[1])
			}
		}
	}
	if numLinks < 100 {
		t.Errorf("the manual has %d links, want at least 100", numLinks)
	}
}
