package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// A program is a command line that a comparison measures.
type program struct {
	name string   // name in the report
	args []string // program file and arguments
	dir  string   // working directory
	out  string   // folder that is emptied before each run, or ""
}

// A comparison is one row of the report.
type comparison struct {
	name     string
	goal     string         // for people who change sitewalk
	sitewalk program        // always measured
	other    program        // if it has no args, only sitewalk is measured
	sites    []string       // sites that the row needs
	prepare  []func() error // run after the sites are generated
	runs     int            // 0 means the flag -runs
	isCold   bool           // drop the caches before each run
	edits    string         // folder of pages; sitewalk watches it, and each run edits a page
}

// comparisons returns the rows of the report.
func (b *bench) comparisons() []comparison {
	standard, content := b.build("standard"), b.build("standard", "--content", b.path("standard", "content"))
	languages, dangling := b.build("languages"), b.build("dangling")
	without := standard
	without.name = "sitewalk without"
	rows := []comparison{
		{name: "100,000 pages", sites: []string{"standard"}, sitewalk: standard, other: b.reference("standard", "2"), goal: "at most 1.5 times C"},
		{name: "100,000 pages, cold caches", sites: []string{"standard"}, sitewalk: standard, other: b.reference("standard", "64"), isCold: true, runs: 5, goal: "at most 1.5 times C"},
		{name: "100,000 pages in four languages", sites: []string{"standard", "languages"}, sitewalk: languages, other: without, goal: "at most 1.6 times the time"},
		{name: "100,000 pages, a third with missing translations", sites: []string{"standard", "dangling"}, sitewalk: dangling, other: without, goal: "at most 110 MiB"},
		{name: "100,000 pages, with a content tree", sites: []string{"standard"}, sitewalk: content, other: without, goal: "at most 60 µs of CPU more per content file"},
		{name: "10 pages, start to exit", sites: []string{"ten"}, sitewalk: b.build("ten"), goal: "at most 15 ms"},
		b.editRow("one edit of 100,000 pages under watch", "standard", "at most 0.6 s"),
		b.editRow("one edit of 100,000 pages in four languages under watch", "languages", "at most 1 s"),
		{
			name: "10,000 pages", sites: []string{"hugo"}, prepare: []func() error{b.installSSCLI}, sitewalk: b.build("hugo"), runs: 5, goal: "10 times faster",
			other: program{name: "static-sitemap-cli", args: []string{"node", b.sscli(), "-b", "https://example.com/", "-r", b.path("hugo", "public"), "-o", "-f", "xml"}},
		},
		{
			name: "10,000 pages", sites: []string{"hugo"}, prepare: []func() error{b.writeHugoProject}, sitewalk: b.build("hugo"), runs: 3, goal: "10 times faster",
			other: program{name: "hugo, building that site", dir: b.path("hugo"), out: b.path("hugo-out"), args: []string{"hugo", "--quiet", "-d", b.path("hugo-out")}},
		},
		{
			name: "100,000 pages of 50 links, check --links", sites: []string{"links"}, prepare: []func() error{b.buildLinks}, sitewalk: b.checkLinks(), goal: "at most 2.5 times C",
			other: program{name: "C, whole files, 2 threads", args: []string{b.path("reference"), "2", b.path("links", "public"), "whole"}},
		},
		{
			name: "100,000 pages of 50 links, check --links", sites: []string{"links"}, prepare: []func() error{b.buildLinks, b.installHTMLTest}, sitewalk: b.checkLinks(), runs: 3, goal: "10 times faster",
			other: program{name: "htmltest 0.17.0", args: []string{b.path("htmltest", "htmltest"), "--skip-external", b.path("links", "public")}, dir: b.work},
		},
	}
	if b.before != "" {
		for _, c := range rows[:5] {
			if !c.isCold {
				c.name, c.other = c.name+", other version", c.sitewalk
				c.other.name, c.other.args = filepath.Base(b.before), slices.Concat([]string{b.before}, c.sitewalk.args[1:])
				c.goal = "at most the CPU of the other version"
				rows = append(rows, c)
			}
		}
	}
	if b.isLarge {
		small := b.build("small")
		small.name = "sitewalk, 100,000 of these pages"
		rows = append(rows, comparison{
			name: "1,000,000 small pages in two languages", sites: []string{"million", "small"}, sitewalk: b.build("million"), other: small, runs: 3,
			goal: "at most 15 times the time, 1 GiB",
		})
	}
	return rows
}

// build returns a build of a generated site, with additional flags.
func (b *bench) build(site string, flags ...string) program {
	args := []string{b.path("sitewalk"), "build", b.path(site, "public"), "-b", "https://example.com/", "-o", b.path("out-" + site), "-q", "--lastmod", "html"}
	return program{name: "sitewalk", args: append(args, flags...), dir: b.work}
}

// reference returns the reference in C, which reads the pages of a site.
func (b *bench) reference(site, threads string) program {
	return program{name: fmt.Sprintf("C, %s threads", threads), args: []string{b.path("reference"), threads, b.path(site, "public")}}
}

func (b *bench) checkLinks() program {
	return program{args: []string{b.path("sitewalk"), "check", b.path("links", "public"), "-b", "https://example.com/", "-q", "--links"}, dir: b.work}
}

// buildLinks writes the sitemap of the site "links", because check needs it.
func (b *bench) buildLinks() error {
	if _, err := os.Stat(b.path("links", "public", "sitemap.xml")); err == nil {
		return nil
	}
	return runCommand(b.path("sitewalk"), "build", b.path("links", "public"), "-b", "https://example.com/", "-q")
}

// editRow returns the row of an edit of one page while sitewalk watches a site.
func (b *bench) editRow(name, site, goal string) comparison {
	p := b.build(site, "--quiet-period", "1ms")
	p.args[1], p.out = "watch", b.path("out-"+site)
	return comparison{name: name, goal: goal, sites: []string{site}, sitewalk: p, edits: b.path(site, "public")}
}
