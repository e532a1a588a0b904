package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// largeSites are those of 1,000,000 pages, and what gensite is told. Each takes 9 GB
// on disk, so it is made when a row is about it, and removed by the next one that
// is not.
var largeSites = map[string][]string{
	"small-1000000": {"-n", "1000000", "-head", "1500", "-size", "2000"},
	"pairs-1000000": {"-n", "1000000", "-head", "1500", "-size", "2000", "-languages", "2"},
}

// millions compares sites of 1,000,000 pages with smaller ones.
func (b *bench) millions() []comparison {
	pairs, fewer := b.build("pairs-1000000", 1_000_000), b.build("pairs-100000", 100_000)
	fewer.name = "sitewalk, 100,000 pages"
	all := []comparison{{name: "1,000,000 pages in two languages, time per page", ours: pairs, theirs: fewer, goal: 1.5, memory: 900}}
	if b.all {
		large, small := b.build("small-1000000", 1_000_000), b.build("small-10000", 10_000)
		small.name = "sitewalk, 10,000 pages"
		all = append(all,
			comparison{name: "1,000,000 small pages, time per page", ours: large, theirs: small},
			comparison{name: "1,000,000 small pages", ours: b.build("small-1000000", 0), theirs: b.reference(2, filepath.Join(b.at("small-1000000"), "public"))})
	}
	for i := range all {
		all[i].runs, all[i].ready = min(3, b.runs), b.makeLarge
	}
	return all
}

// makeLarge makes the large site that a row is about.
func (b *bench) makeLarge(c *comparison) error {
	if err := b.removeLarge(*c); err != nil {
		return err
	}
	for name, args := range largeSites {
		if c.about(b.at(name)) {
			return b.site(name, args...)
		}
	}
	return nil
}

// removeLarge removes the large sites that a row is not about.
func (b *bench) removeLarge(c comparison) error {
	for name := range largeSites {
		if c.about(b.at(name)) {
			continue
		}
		if err := os.RemoveAll(b.at(name)); err != nil {
			return err
		}
	}
	return nil
}

// about reports whether a side of a comparison reads something below a folder.
func (c comparison) about(dir string) bool {
	return slices.ContainsFunc(slices.Concat(c.ours.args, c.theirs.args, []string{c.ours.dir, c.theirs.dir}), func(arg string) bool {
		return arg == dir || strings.HasPrefix(arg, dir+string(filepath.Separator))
	})
}
