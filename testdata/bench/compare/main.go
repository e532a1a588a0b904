// Compare measures the whole program against what the kernel allows and
// against other tools, in alternation, and writes docs/performance.md:
//
//	cd testdata/bench && go run ./compare -w /tmp/measure -o ../../docs/performance.md
//
// It builds sitewalk and the C reference, generates the sites into the work
// folder unless they are there, and installs static-sitemap-cli, linkinator and
// sitemap with npm, pigz with apt-get and htmltest with the go command. What is not
// installed (rg, hugo, npm, htmlproofer) is left out and said. Dropping caches needs
// root.
package main

import (
	"bytes"
	"embed"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// A bench is what all comparisons share.
type bench struct {
	work   string // folder of sites, programs and outputs
	root   string // of the repository
	runs   int
	file   string   // of the report
	large  bool     // also a site of 1,000,000 pages
	all    bool     // also what docs/performance.md does not keep
	before string   // another program of sitewalk
	real   []string // folders of sites that were not made for this
	out    bytes.Buffer
}

func main() {
	if os.Args[0] == apart {
		if err := runApart(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, "compare:", err)
			os.Exit(2)
		}
		return
	}
	var b bench
	flag.StringVar(&b.work, "w", filepath.Join(os.TempDir(), "sitewalk-compare"), "work folder; sites in it are used again")
	flag.IntVar(&b.runs, "runs", 9, "measured runs of each side")
	flag.BoolVar(&b.large, "large", false, "also measure 1,000,000 pages (9 GB on disk at a time)")
	flag.BoolVar(&b.all, "all", false, "also measure what only who works at a stage of sitewalk needs")
	flag.StringVar(&b.before, "before", "", "also measure against this program of sitewalk")
	flag.Func("real", "also measure this folder, a site that was not made for it; may be given again", func(dir string) error {
		b.real = append(b.real, dir)
		return nil
	})
	flag.StringVar(&b.file, "o", "", "file to write the report to, after each row; default is the terminal")
	only := flag.String("only", "", "measure only comparisons whose name contains this")
	flag.Parse()
	if err := b.run(*only); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(2)
	}
	if b.file == "" {
		os.Stdout.Write(b.out.Bytes())
	}
}

func (b *bench) run(only string) error {
	rows := func() []comparison {
		return slices.DeleteFunc(comparisons(b), func(c comparison) bool { return !strings.Contains(c.name, only) })
	}
	if err := checkMemory(); err != nil {
		return err
	}
	if err := b.prepare(rows()); err != nil {
		return err
	}
	defer os.RemoveAll(b.memory("."))
	if b.large {
		defer b.removeLarge(comparison{})
	}
	b.header()
	for _, c := range rows() { // which may know more by now
		fmt.Fprintln(os.Stderr, c.name)
		b.compare(c)
		if err := b.save(); err != nil { // not lost if it is stopped
			return err
		}
	}
	b.footer()
	return b.save()
}

// save writes what there is of the report to its file.
func (b *bench) save() error {
	if b.file == "" {
		return nil
	}
	return os.WriteFile(b.file, b.out.Bytes(), 0o644)
}

// prepare builds the programs and makes the sites that rows are about.
func (b *bench) prepare(rows []comparison) error {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Replace.Dir}}", "github.com/sitewalk/sitewalk").Output()
	if err != nil {
		return fmt.Errorf("run it in testdata/bench: %w", err)
	}
	if b.root, err = filepath.Abs(strings.TrimSpace(string(out))); err != nil {
		return err
	}
	if err := os.MkdirAll(b.work, 0o755); err != nil {
		return err
	}
	for _, step := range [][]string{
		{"go", "build", "-C", b.root, "-o", b.at("sitewalk"), "."},
		{"cc", "-O2", "-pthread", "-o", b.at("reference"), filepath.Join(b.root, "testdata", "bench", "c", "reference.c")},
		{"go", "build", "-C", b.root, "-o", b.at("gensite"), "./testdata/gensite"},
		{"go", "build", "-o", b.at("stage"), "./stage"},
	} {
		if err := b.must(step...); err != nil {
			return err
		}
	}
	return b.sites(func(site string) bool {
		return slices.ContainsFunc(rows, func(c comparison) bool { return c.about(b.at(site)) })
	})
}

func (b *bench) at(name string) string { return filepath.Join(b.work, name) }

func (b *bench) must(args ...string) error {
	if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

func (b *bench) sites(needed func(site string) bool) error {
	for _, s := range b.siteArgs() {
		if !needed(s[0]) {
			continue
		}
		if err := b.site(s[0], s[1:]...); err != nil {
			return err
		}
	}
	if !needed("site-10000") {
		return nil
	}
	if err := b.hugoProject(); err != nil {
		return err
	}
	return b.npmInstall("static-sitemap-cli")
}

// npmInstall installs a package, unless one is there or npm is not.
func (b *bench) npmInstall(name string) error {
	bare, _, _ := strings.Cut(name, "@")
	if _, err := os.Stat(b.at("npm/node_modules/" + bare)); err == nil || !installed("npm") {
		return nil
	}
	return b.must("npm", "install", "--prefix", b.at("npm"), "--no-audit", "--no-fund", name)
}

// goBuild builds a program of another module, unless it is there.
func (b *bench) goBuild(module, version string) error {
	name := path.Base(module)
	dir := b.at("modules/" + name)
	if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	mod := "module none\n\nrequire " + module + " " + version + "\n"
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o644); err != nil {
		return err
	}
	return b.must("go", "build", "-C", dir, "-mod=mod", "-o", name, module)
}

// siteArgs are the sites to make: a name, and what gensite is told.
func (b *bench) siteArgs() [][]string {
	all := [][]string{
		{"site-10", "-n", "10"},
		{"site-10000", "-n", "10000", "-content", filepath.Join(b.at("site-10000"), "content")},
		{"site-100000", "-n", "100000", "-standard", "-content", filepath.Join(b.at("site-100000"), "content")},
		{"site-languages", "-n", "100000", "-standard", "-languages", "4"},
		{"site-dangling", "-n", "100000", "-standard", "-dangling", "33"},
		{"site-mixed", "-n", "100000", "-standard", "-languages", "4", "-dangling", "10", "-one-way", "5"},
		{"site-wrong", "-n", "100000", "-standard", "-fault", "bad-canonical"},
	}
	sourced := func(name string, more ...string) {
		all = append(all, append([]string{name, "-n", "20000", "-head", "1500", "-size", "2000", "-content", filepath.Join(b.at(name), "content")}, more...))
	}
	for _, code := range append(faults(), "") {
		sourced("fault-"+code, "-fault", code)
	}
	sourced("alone", "-alone")
	for name, layout := range dates {
		sourced("dates-"+name, "-dates", layout)
	}
	return append(all,
		[]string{"small-10000", "-n", "10000", "-head", "1500", "-size", "2000"},
		[]string{"pairs-100000", "-n", "100000", "-head", "1500", "-size", "2000", "-languages", "2"})
}

// dates are notations of dates that are not RFC 3339, by what is said of them.
var dates = map[string]string{
	"jekyll": "2006-01-02 15:04:05 -0700", "zoneless": "2006-01-02T15:04:05",
	"mail": time.RFC1123Z, "words": "2 January 2006 at 3:04 PM",
}

// faults are the codes of findings that every page of a site may have.
func faults() []string { return slices.Sorted(maps.Keys(testsite.Faults)) }

// site makes a site unless it is there.
func (b *bench) site(name string, args ...string) error {
	dir := b.at(name)
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	return b.must(append(append([]string{b.at("gensite")}, args...), filepath.Join(dir, "public"))...)
}

func installed(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

//go:embed hugo
var hugo embed.FS

// hugoProject makes the content of 10,000 pages a project of Hugo's whose
// templates write what the generated pages hold.
func (b *bench) hugoProject() error {
	project, err := fs.Sub(hugo, "hugo")
	if err != nil {
		return err
	}
	for _, old := range []string{"layouts", "hugo.toml"} {
		if err := os.RemoveAll(filepath.Join(b.at("site-10000"), old)); err != nil {
			return err
		}
	}
	return os.CopyFS(b.at("site-10000"), project)
}

// version returns the first line that a program says of itself.
func version(args ...string) string {
	out, err := exec.Command(args[0], args[1:]...).CombinedOutput()
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if err != nil {
		return args[0] + ": not installed"
	}
	return line
}

func (b *bench) header() {
	fmt.Fprintf(&b.out, `# Performance

You can measure sitewalk beside other programs on your machine:

`+"```sh"+`
cd testdata/bench && go run ./compare -w /tmp/measure
`+"```"+`

The command prints this page. `+"`go run ./compare -all`"+` adds single stages and other tools. Times and ratios depend on the machine.

- %s, %d processors, %s
- %s
- %s
- %s
- static-sitemap-cli %s

| work | sitewalk | memory | reference | time | ratio |
|---|---:|---:|---|---:|---:|
`, cpu(), runtime.NumCPU(), version("uname", "-sr"), version("go", "version"), version("cc", "--version"),
		version("hugo", "version"), b.sscliVersion())
}

func cpu() string {
	data, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(data)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

func (b *bench) sscliVersion() string {
	if b.sscli() == "" {
		return "not installed"
	}
	return version("node", b.sscli(), "--version")
}

func (b *bench) sscli() string {
	files, _ := filepath.Glob(b.at("npm/node_modules/.bin/sscli"))
	if len(files) == 0 || !installed("node") {
		return ""
	}
	return files[0]
}
