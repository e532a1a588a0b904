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

// comparisons are the rows of docs/performance.md, with their goals, and, if all are
// asked for, those that only who works at a stage of sitewalk needs.
func comparisons(b *bench) []comparison {
	rows := kept(b)
	if b.all {
		rows = slices.Concat(rows, stages(b), b.faulty(), b.encoding(), b.linkCheckers())
	}
	for _, dir := range b.real {
		rows = append(rows, b.foreign(dir))
	}
	if b.before != "" {
		rows = append(rows, b.earlier()...)
	}
	if b.large {
		rows = append(rows, b.millions()...)
	}
	for i := range rows {
		if rows[i].theirs.name == "sitewalk" {
			rows[i].theirs.name = "sitewalk without"
		}
	}
	return rows
}

// kept are the rows that a user cares for.
func kept(b *bench) []comparison {
	public := filepath.Join(b.at("site-100000"), "public")
	full := b.build("site-100000", 0)
	return slices.Concat([]comparison{
		{name: "100,000 pages", ours: full, theirs: b.reference(2, public), goal: 1.5, memory: 100},
		{name: "100,000 pages, cold caches", ours: full, theirs: b.reference(64, public), cold: true, runs: 5, goal: 1.5},
		{name: "100,000 pages in four languages", ours: b.build("site-languages", 0), theirs: full, goal: 1.6, memory: 130},
		{name: "100,000 pages, with a content tree", ours: b.withContent("site-100000"), theirs: full, goal: 2},
		{name: "10 pages, start to exit", ours: b.build("site-10", 0), limit: 15},
		b.edit("one edit of 100,000 pages under watch", "site-100000", 500),
		b.edit("one edit of 100,000 pages in four languages under watch", "site-languages", 900),
		b.againstSSCLI(),
		b.againstHugo(),
	}, b.links())
}

// stages compare parts of sitewalk, and sites of other shapes, with something else.
func stages(b *bench) []comparison {
	public := filepath.Join(b.at("site-100000"), "public")
	full := b.build("site-100000", 0)
	find := side{name: "find -type f", args: []string{"find", public, "-type", "f"}}
	return []comparison{
		{name: "100,000 pages", ours: full, theirs: find},
		{name: "no sitewalk: 100,000 pages", ours: b.reference(2, public), theirs: find},
		{
			name: "100,000 pages", ours: full, missing: missing("rg"),
			theirs: side{name: "rg -l noindex", args: []string{"rg", "-l", "noindex", "-g", "*.html", public}},
		},
		{name: "100,000 pages, listing alone", ours: b.stage("list", "sitewalk", public), theirs: b.stage("list", "fastwalk", public)},
		{name: "100,000 pages, listing alone", ours: b.stage("list", "sitewalk", public), theirs: b.stage("list", "filepath.WalkDir", public)},
		{name: "200,000 heads, scanning alone", ours: b.stage("head", "sitewalk"), theirs: b.stage("head", "x/net/html")},
		{name: "100,000 pages in four languages", ours: b.build("site-languages", 0), theirs: b.reference(2, filepath.Join(b.at("site-languages"), "public"))},
		{name: "100,000 pages, a third with alternates that do not exist", ours: b.build("site-dangling", 0), theirs: full},
		{name: "100,000 pages, alternates of all kinds", ours: b.build("site-mixed", 0), theirs: full},
		{name: "100,000 pages with a finding each", ours: b.build("site-wrong", 0), theirs: full},
	}
}

// earlier compares sitewalk with another program of it, on the sites that are kept.
func (b *bench) earlier() (all []comparison) {
	add := func(name string, ours side) {
		theirs := ours
		theirs.name, theirs.args = "sitewalk before", slices.Clone(ours.args)
		theirs.args[0] = b.before
		all = append(all, comparison{name: name, ours: ours, theirs: theirs, goal: 1.15})
	}
	add("beside an earlier program: 100,000 pages", b.build("site-100000", 0))
	add("beside an earlier program: 100,000 pages in four languages", b.build("site-languages", 0))
	add("beside an earlier program: 100,000 pages, with a content tree", b.withContent("site-100000"))
	return all
}

func (b *bench) withContent(site string) side {
	return b.build(site, 0, "--content", filepath.Join(b.at(site), "content"))
}

// faulty compares sites of which every page has a finding with the same site
// without: where it is about alternates, one whose pages have alternates, too.
func (b *bench) faulty() (all []comparison) {
	side := func(site string) side {
		ours := b.withContent(site)
		ours.args = append(ours.args, "--lastmod", "html,frontmatter")
		return ours
	}
	for _, code := range faults() {
		without := side("fault-")
		if strings.Contains(code, "alternate") {
			without = side("alone")
		}
		name := "20,000 small pages with sources, all with " + code
		all = append(all, comparison{name: name, ours: side("fault-" + code), theirs: without})
	}
	for _, name := range slices.Sorted(maps.Keys(dates)) {
		all = append(all, comparison{
			name: fmt.Sprintf("20,000 small pages with sources, all dates as in %q", dates[name]),
			ours: side("dates-" + name), theirs: side("fault-"),
		})
	}
	return all
}

// foreign compares sitewalk with the reference on a site that was not made for it.
func (b *bench) foreign(dir string) comparison {
	parent, name := filepath.Base(filepath.Dir(dir)), filepath.Base(dir)
	ours := b.build("real-"+parent+"-"+name, 0) // a folder of its own: no site may take another's sitemap for its last
	ours.args[2] = dir
	return comparison{name: "the real " + parent + "/" + name, ours: ours, theirs: b.reference(2, dir)}
}

func (b *bench) reference(threads int, dir string) side {
	return side{name: fmt.Sprintf("C, %d threads", threads), args: []string{b.at("reference"), fmt.Sprint(threads), dir}}
}

func (b *bench) againstSSCLI() comparison {
	c := comparison{name: "10,000 pages", ours: b.build("site-10000", 0), goal: 0.1, runs: 5}
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
		name: "10,000 pages", ours: b.build("site-10000", 0), theirs: b.hugo(), goal: 0.1, runs: 3, missing: missing("hugo"),
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

// footer explains the columns.
func (b *bench) footer() {
	fmt.Fprint(&b.out, `
Each row runs its two sides in turns and compares the medians. Do not compare times of different rows.

"C" is testdata/bench/c/reference.c. It lists the folders, opens each page, reads 8 KiB or the whole file, and closes it.
No program that reads the same pages by the same calls can be faster.

An edit under watch is the time until the sitemap has the new date.
`)
}
