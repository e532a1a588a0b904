// Compare measures sitewalk in turns with other programs on generated sites, and prints
// docs/performance.md. Run it in the root of the repository, on Linux:
//
//	go run ./testdata/bench/compare -w /tmp/measure -o docs/performance.md
//
// Compare builds sitewalk and the reference in C. It writes the sites to the work folder, and
// installs static-sitemap-cli with npm and htmltest with the go command. If a program such as Hugo
// is missing, the report contains the error instead of the figures. Only root can measure with cold
// caches.
package main

import (
	"bytes"
	"embed"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// A bench contains the flags and the report.
type bench struct {
	work    string // folder for sites, programs and outputs
	runs    int    // measured runs of each program
	before  string // another sitewalk binary to compare with, or ""
	isLarge bool   // measure a million pages, too
	report  bytes.Buffer
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == childCommand {
		runChild(os.Args[2:])
		return
	}
	var b bench
	flag.StringVar(&b.work, "w", filepath.Join(os.TempDir(), "sitewalk-compare"), "work folder; later runs reuse its sites")
	flag.IntVar(&b.runs, "runs", 9, "measured runs of each program")
	flag.BoolVar(&b.isLarge, "large", false, "also measure 1,000,000 pages, which need 9 GB on disk")
	flag.StringVar(&b.before, "before", "", "also compare with this sitewalk binary")
	output := flag.String("o", "", "report file, written after each row; by default, the report goes to standard output")
	only := flag.String("only", "", "measure only rows whose name contains this text")
	flag.Parse()
	if err := b.run(*only, *output); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(2)
	}
}

// run measures the rows whose names contain only, and writes the report to the file output.
func (b *bench) run(only, output string) error {
	if err := b.buildPrograms(); err != nil {
		return err
	}
	b.printHeader()
	for _, c := range b.comparisons() {
		if !strings.Contains(c.name, only) {
			continue
		}
		fmt.Fprintf(os.Stderr, "%s; goal: %s\n", c.name, c.goal)
		if err := b.compare(c); err != nil {
			fmt.Fprintf(&b.report, "| %s | failed: %s |\n", c.name, strings.ReplaceAll(err.Error(), "\n", " "))
		}
		if output != "" { // an interrupted run keeps its rows
			if err := os.WriteFile(output, b.report.Bytes(), 0o644); err != nil {
				return err
			}
		}
	}
	b.printFooter()
	if output == "" {
		_, err := os.Stdout.Write(b.report.Bytes())
		return err
	}
	return os.WriteFile(output, b.report.Bytes(), 0o644)
}

// path returns the path of a file in the work folder.
func (b *bench) path(name ...string) string {
	return filepath.Join(append([]string{b.work}, name...)...)
}

func (b *bench) buildPrograms() error {
	if err := os.MkdirAll(b.work, 0o755); err != nil {
		return err
	}
	for _, command := range [][]string{
		{"go", "build", "-o", b.path("sitewalk"), "."},
		{"go", "build", "-o", b.path("gensite"), "./testdata/gensite"},
		{"cc", "-O2", "-pthread", "-o", b.path("reference"), "testdata/bench/c/reference.c"},
	} {
		if err := runCommand(command...); err != nil {
			return err
		}
	}
	return nil
}

// runCommand runs a command. The error contains the output.
func runCommand(args ...string) error {
	if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// sites lists the flags of gensite for each site. The site "standard" has the mix of pages that
// gensite describes.
var sites = map[string][]string{
	"ten":       {"-n", "10"},
	"hugo":      {"-n", "10000"},
	"standard":  {"-n", "100000", "-standard"},
	"languages": {"-n", "100000", "-standard", "-languages", "4"},
	"dangling":  {"-n", "100000", "-standard", "-dangling", "33"},
	"links":     {"-n", "100000", "-links", "50"},
	"small":     {"-n", "100000", "-head", "1500", "-size", "2000", "-languages", "2"},
	"million":   {"-n", "1000000", "-head", "1500", "-size", "2000", "-languages", "2"},
}

// generate writes the pages and the content files of a site, unless the work folder already
// contains the site.
func (b *bench) generate(site string) error {
	done := b.path(site, "done")
	if _, err := os.Stat(done); err == nil {
		return nil
	}
	args := append([]string{b.path("gensite")}, sites[site]...)
	if site == "standard" || site == "hugo" {
		args = append(args, "-content", b.path(site, "content"))
	}
	if err := runCommand(append(args, b.path(site, "public"))...); err != nil {
		return err
	}
	return os.WriteFile(done, nil, 0o644)
}

//go:embed hugo
var hugoFiles embed.FS

// writeHugoProject adds a configuration and templates to the site "hugo". Hugo then builds pages
// like the generated pages.
func (b *bench) writeHugoProject() error {
	project, err := fs.Sub(hugoFiles, "hugo")
	if err != nil {
		return err
	}
	for _, old := range []string{"layouts", "hugo.toml"} {
		if err := os.RemoveAll(b.path("hugo", old)); err != nil {
			return err
		}
	}
	return os.CopyFS(b.path("hugo"), project)
}

func (b *bench) installSSCLI() error {
	if _, err := os.Stat(b.sscli()); err == nil {
		return nil
	}
	return runCommand("npm", "install", "--prefix", b.path("npm"), "--no-audit", "--no-fund", "static-sitemap-cli")
}

func (b *bench) sscli() string { return b.path("npm", "node_modules", ".bin", "sscli") }

// installHTMLTest builds htmltest in a module of its own, because sitewalk does not depend on it.
func (b *bench) installHTMLTest() error {
	dir := b.path("htmltest")
	if _, err := os.Stat(filepath.Join(dir, "htmltest")); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	mod := "module none\n\nrequire github.com/wjdp/htmltest v0.17.0\n"
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o644); err != nil {
		return err
	}
	return runCommand("go", "build", "-C", dir, "-mod=mod", "-o", "htmltest", "github.com/wjdp/htmltest")
}

func (b *bench) printHeader() {
	fmt.Fprintf(&b.report, `# Performance

Measure sitewalk beside other programs, in a clone of the repository:

`+"```sh"+`
go run ./testdata/bench/compare -w /tmp/measure
`+"```"+`

The command prints this page.

- %s, %d processors, %s
- %s
- %s
- static-sitemap-cli %s

| work | time | CPU | memory | other program | time | CPU | ratio of times |
|---|---:|---:|---:|---|---:|---:|---:|
`, processorName(), runtime.NumCPU(), firstLineOf("uname", "-sr"), firstLineOf("go", "version"),
		firstLineOf("hugo", "version"), firstLineOf("node", b.sscli(), "--version"))
}

func (b *bench) printFooter() {
	fmt.Fprint(&b.report, `
Each row runs its two programs in turns. All figures are medians.

"C" is testdata/bench/c/reference.c. It lists the folders, opens each page, reads 8 KiB or the whole file, and closes it.

The time of an edit ends when the sitemap contains the new date.
`)
}

// firstLineOf runs a command and returns the first line of its output, such as its version.
func firstLineOf(args ...string) string {
	out, err := exec.Command(args[0], args[1:]...).CombinedOutput()
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if err != nil {
		return args[0] + ": not installed"
	}
	return line
}

func processorName() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
