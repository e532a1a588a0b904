package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// build is sitewalk on a generated site.
func (b *bench) build(site string, pages int, more ...string) side {
	args := []string{
		b.at("sitewalk"), "build", filepath.Join(b.at(site), "public"), "-b", "https://example.com/",
		"-o", b.at("out-" + site), "-q", "--lastmod", "html",
	}
	return side{name: "sitewalk", args: append(args, more...), dir: b.work, pages: pages}
}

// comparisons is the table of docs/performance.md, with its goals.
func comparisons(b *bench) []comparison {
	public := filepath.Join(b.at("site-100000"), "public")
	full := b.build("site-100000", 0)
	find := side{name: "find -type f", args: []string{"find", public, "-type", "f"}}
	all := []comparison{
		{name: "100,000 pages", ours: full, theirs: b.reference(2, public), goal: 1.25},
		{name: "100,000 pages, cold caches", ours: full, theirs: b.reference(64, public), cold: true, runs: 5, goal: 1.15},
		{name: "100,000 pages", ours: full, theirs: find, goal: 0.6},
		{
			name: "100,000 pages", ours: full, goal: 0.8, missing: missing("rg"),
			theirs: side{name: "rg -l noindex", args: []string{"rg", "-l", "noindex", "-g", "*.html", public}},
		},
		b.againstSSCLI(),
		b.againstHugo(),
		{name: "no sitewalk: 100,000 pages", ours: b.reference(2, public), theirs: find},
		{name: "no sitewalk: 10,000 pages", ours: b.reference(2, filepath.Join(b.at("site-10000"), "public")), theirs: b.hugo(), runs: 3, missing: missing("hugo")},
		{name: "100,000 pages, listing alone", ours: b.stage("list", "sitewalk", public), theirs: b.stage("list", "fastwalk", public), goal: 1},
		{name: "100,000 pages, listing alone", ours: b.stage("list", "sitewalk", public), theirs: b.stage("list", "filepath.WalkDir", public), goal: 1},
		{name: "200,000 heads, scanning alone", ours: b.stage("head", "sitewalk"), theirs: b.stage("head", "x/net/html"), goal: 1.0 / 12},
		{name: "100,000 pages, with a content tree", ours: b.build("site-100000", 0, "--content", filepath.Join(b.at("site-100000"), "content")), theirs: full, goal: 2},
		{name: "100,000 pages, peak memory", ours: full, memory: true, limit: 64},
		{name: "100,000 pages in four languages", ours: b.build("site-languages", 0), theirs: full, goal: 1.6},
		{name: "100,000 pages in four languages", ours: b.build("site-languages", 0), theirs: b.reference(2, filepath.Join(b.at("site-languages"), "public"))},
		{name: "100,000 pages in four languages, peak memory", ours: b.build("site-languages", 0), memory: true, runs: 3, limit: 110},
		{name: "100,000 pages, a third with alternates that do not exist", ours: b.build("site-dangling", 0), theirs: full, goal: 1.3},
		{name: "100,000 pages, a third with alternates that do not exist, peak memory", ours: b.build("site-dangling", 0), memory: true, runs: 3, limit: 90},
		{name: "100,000 pages, alternates of all kinds", ours: b.build("site-mixed", 0), theirs: full},
		{name: "100,000 pages with a finding each, peak memory", ours: b.build("site-wrong", 0), memory: true, runs: 3, limit: 64},
		{name: "100,000 pages with a finding each", ours: b.build("site-wrong", 0), theirs: full, goal: 1.25},
		{name: "10 pages, start to exit", ours: b.build("site-10", 0), limit: 15},
	}
	all = append(all, b.faulty()...)
	all = append(all, b.encoding()...)
	all = append(all, b.links()...)
	all = append(all, b.linkCheckers()...)
	for _, dir := range b.real {
		all = append(all, b.foreign(dir)...)
	}
	if b.large {
		all = append(all, b.millions()...)
	}
	for i := range all {
		if all[i].theirs.name == "sitewalk" {
			all[i].theirs.name = "sitewalk without"
		}
	}
	return all
}

// faulty holds sites of which every page has a finding against the same site
// without: where it is about alternates, one whose pages have alternates, too.
func (b *bench) faulty() (all []comparison) {
	side := func(site string) side {
		return b.build(site, 0, "--content", filepath.Join(b.at(site), "content"), "--lastmod", "html,frontmatter")
	}
	for _, code := range faults() {
		without := side("fault-")
		if strings.Contains(code, "alternate") {
			without = side("alone")
		}
		name := "20,000 small pages with sources, all with " + code
		all = append(all,
			comparison{name: name, ours: side("fault-" + code), theirs: without, goal: 1.25},
			comparison{name: name + ", peak memory", ours: side("fault-" + code), theirs: without, memory: true, runs: 3, goal: 1.1})
	}
	for _, name := range slices.Sorted(maps.Keys(dates)) {
		all = append(all, comparison{
			name: fmt.Sprintf("20,000 small pages with sources, all dates as in %q", dates[name]),
			ours: side("dates-" + name), theirs: side("fault-"), goal: 1.25,
		})
	}
	return all
}

// foreign holds sitewalk against the reference on a site that was not made for it.
func (b *bench) foreign(dir string) []comparison {
	parent, name := filepath.Base(filepath.Dir(dir)), filepath.Base(dir)
	ours := b.build("real-"+parent+"-"+name, 0) // a folder of its own: no site may take another's sitemap for its last
	ours.args[2] = dir
	name = "the real " + parent + "/" + name
	return []comparison{
		{name: name, ours: ours, theirs: b.reference(2, dir)},
		{name: name + ", peak memory", ours: ours, memory: true, runs: 3},
	}
}

func (b *bench) reference(threads int, dir string) side {
	return side{name: fmt.Sprintf("C, %d threads", threads), args: []string{b.at("reference"), fmt.Sprint(threads), dir}}
}

func (b *bench) againstSSCLI() comparison {
	c := comparison{name: "10,000 pages", ours: b.build("site-10000", 0), goal: 1.0 / 33, runs: 5}
	if c.theirs.name = "static-sitemap-cli"; b.sscli() == "" {
		c.missing = "static-sitemap-cli is not installed"
		return c
	}
	c.theirs.args = []string{"node", b.sscli(), "-b", "https://example.com/", "-r", filepath.Join(b.at("site-10000"), "public"), "-o", "-f", "xml"}
	return c
}

// againstHugo compares with Hugo's build of a site of the same pages, into an
// empty folder, as a fresh checkout does it.
func (b *bench) againstHugo() comparison {
	return comparison{
		name: "10,000 pages", ours: b.build("site-10000", 0), theirs: b.hugo(), goal: 1.0 / 100, runs: 3, missing: missing("hugo"),
	}
}

func (b *bench) hugo() side {
	out := b.at("hugo-public")
	return side{name: "hugo, building that site", dir: b.at("site-10000"), args: []string{"hugo", "--quiet", "-d", out}, into: out}
}

// stage is one stage alone.
func (b *bench) stage(args ...string) side {
	return side{name: args[1], args: append([]string{b.at("stage")}, args...), self: true}
}

func missing(program string) string {
	if installed(program) {
		return ""
	}
	return program + " is not installed"
}

// footer says what the numbers mean where they need it.
func (b *bench) footer() {
	b.out.WriteString(`
"C" is testdata/bench/c/reference.c: it lists the folders, opens each one and each
page relative to its folder, reads 8 KiB and closes, on as many threads as it
says; nothing that reads the same pages through the same calls can be faster. Where
it says so, it reads the files whole.
The rows "no sitewalk" hold this program, not sitewalk, against the reference:
where its ratio is above a goal, or near it, no program meets that goal here.
Hugo's templates are testdata/bench/compare/hugo; they write the heads of the
generated pages, and nothing that these do not have.

1,000,000 URLs are written to memory by testdata/bench/stage, which makes them
before its clock starts; "cp" copies the same files there, and pigz compresses
them at the level that leaves as many bytes, while sitewalk writes and
compresses in one. No sitemap library for Go is among them; encoding/xml stands
for those.
`)
}
