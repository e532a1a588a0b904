package main

import (
	"os"
	"path/filepath"
)

// links compares check --links with a program that reads the same files whole, and
// does nothing with them.
func (b *bench) links() []comparison {
	const name = "100,000 pages of 50 links"
	public := filepath.Join(b.at("site-links"), "public")
	whole := side{name: "C, whole files, 2 threads", args: []string{b.at("reference"), "2", public, "whole"}}
	check := func(more ...string) side {
		args := []string{b.at("sitewalk"), "check", public, "-b", "https://example.com/", "-q"}
		return side{name: "sitewalk check", args: append(args, more...), dir: b.work}
	}
	return []comparison{
		{name: name + ", check --links", ours: check("--links"), theirs: whole, goal: 1.5, ready: b.linked},
		{name: name + ", check alone", ours: check(), theirs: whole, ready: b.linked},
		{name: name + ", check --links, peak memory", ours: check("--links"), memory: true, runs: 3, limit: 200, ready: b.linked},
		{name: name + ", check --links --fragments, peak memory", ours: check("--links", "--fragments"), memory: true, runs: 3, limit: 200, ready: b.linked},
	}
}

// linked makes the site of links with its sitemap.
func (b *bench) linked(*comparison) error {
	if err := b.site("site-links", "-n", "100000", "-links", "50"); err != nil {
		return err
	}
	public := filepath.Join(b.at("site-links"), "public")
	if _, err := os.Stat(filepath.Join(public, "sitemap.xml")); err == nil {
		return nil
	}
	return b.must(b.at("sitewalk"), "build", public, "-b", "https://example.com/", "-q")
}
