package main

import (
	"cmp"
	"os"
	"path/filepath"
)

// links compares check --links with a program that reads the same files whole, and
// does nothing with them, and with one that checks the same links. Without any time for
// what is done with the tags, ours would take 1.9 times the processor time of the first.
func (b *bench) links() []comparison {
	const name = "100,000 pages of 50 links"
	public := filepath.Join(b.at("site-links"), "public")
	whole := side{name: "C, whole files, 2 threads", args: []string{b.at("reference"), "2", public, "whole"}}
	ours := b.checkLinks(public)
	linked := b.withLinks("site-links", "100000")
	htmltest := side{name: "htmltest 0.17.0", args: []string{b.at("modules/htmltest/htmltest"), "--skip-external", public}, dir: b.work}
	built := func(c *comparison) error { return cmp.Or(b.goBuild("github.com/wjdp/htmltest", "v0.17.0"), linked(c)) }
	return []comparison{
		{name: name + ", check --links", ours: ours, theirs: whole, goal: 2.5, memory: 200, ready: linked},
		{name: name + ", check --links", ours: ours, theirs: htmltest, runs: 3, goal: 0.1, ready: built},
	}
}

// linkCheckers compares check --links with tools that check the links of a folder,
// told to leave other sites alone. They take minutes for what is more than a few
// pages.
func (b *bench) linkCheckers() []comparison {
	public := filepath.Join(b.at("site-links-500"), "public")
	ours := b.checkLinks(public)
	const name, runs, goal = "500 pages of 50 links, check --links", 3, 0.1
	few := b.withLinks("site-links-500", "500")
	proofer := comparison{
		name: name, ours: ours, runs: runs, goal: goal, ready: few, missing: missing("htmlproofer"),
		theirs: side{name: "html-proofer", args: []string{"htmlproofer", "--disable-external", "--checks-to-ignore", "ImageCheck,ScriptCheck", "--log-level", "error", public}},
	}
	linkinator := b.at("npm/node_modules/.bin/linkinator")
	crawler := comparison{
		name: name, ours: ours, runs: runs, goal: goal,
		theirs: side{name: "linkinator", args: []string{linkinator, public, "--recurse", "--silent", "--skip", `^https?://(?!localhost)`}, dir: b.work},
		ready:  func(c *comparison) error { return cmp.Or(b.npmInstall("linkinator@6"), few(c)) },
	}
	return []comparison{proofer, crawler}
}

func (b *bench) checkLinks(public string) side {
	args := []string{b.at("sitewalk"), "check", public, "-b", "https://example.com/", "-q", "--links"}
	return side{name: "sitewalk check", args: args, dir: b.work}
}

// withLinks returns what makes a site of links with its sitemap.
func (b *bench) withLinks(site, pages string) func(*comparison) error {
	return func(*comparison) error {
		if err := b.site(site, "-n", pages, "-links", "50"); err != nil {
			return err
		}
		public := filepath.Join(b.at(site), "public")
		if _, err := os.Stat(filepath.Join(public, "sitemap.xml")); err == nil {
			return nil
		}
		return b.must(b.at("sitewalk"), "build", public, "-b", "https://example.com/", "-q")
	}
}
