package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// million is the rows of 1,000,000 URLs.
const million = "1,000,000 URLs"

// encoding is the rows of the writer alone, and of a build from a list.
func (b *bench) encoding() []comparison {
	ours := b.encode("sitewalk")
	copies := side{name: "cp of the same files", args: []string{"cp", "-r", b.memory("plain"), b.memory("copy")}, into: b.memory("copy")}
	fromList := side{
		name: "sitewalk", into: b.memory("from"),
		args: []string{b.at("sitewalk"), "build", "--from", b.memory("list/urls.txt"), "-b", "https://example.com/", "-o", b.memory("from"), "-q"},
	}
	return []comparison{
		{name: million + " to memory", ours: ours, theirs: copies, ready: b.plain},
		{name: million + " to memory", ours: ours, theirs: b.encode("encoding/xml"), ready: b.plain},
		{name: million + " to memory, gzipped", ours: b.encode("gzip"), ready: b.pigz},
		{name: million + " from a list", ours: fromList, runs: 3, ready: b.npm},
	}
}

// memory returns a path in a file system that is no disk, where there is one.
func (b *bench) memory(name string) string {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		return filepath.Join("/dev/shm/sitewalk-compare", name)
	}
	return b.at(filepath.Join("memory", name))
}

func (b *bench) encode(with string) side {
	s := b.stage("encode", with, b.memory("out"))
	s.into = b.memory("out")
	return s
}

// plain writes the files that others copy and compress.
func (b *bench) plain(*comparison) error { return b.fill("sitewalk", "plain") }

// list writes the list of URLs.
func (b *bench) list(*comparison) error { return b.fill("list", "list") }

// fill lets an encoder write to an empty folder.
func (b *bench) fill(with, name string) error {
	if err := empty(b.memory(name)); err != nil {
		return err
	}
	return b.must(b.at("stage"), "encode", with, b.memory(name))
}

// pigz makes the other side pigz at the level whose size is nearest.
func (b *bench) pigz(c *comparison) error {
	if !installed("pigz") {
		const install = "apt-get install -y -qq --no-install-recommends pigz"
		if err := b.must("sh", "-c", install+" || { apt-get update -qq && "+install+"; }"); err != nil {
			c.missing = "pigz is not installed"
			return nil
		}
	}
	if err := b.plain(c); err != nil {
		return err
	}
	if err := b.fill("gzip", "zipped"); err != nil {
		return err
	}
	ours, err := b.size("zipped", "*.gz")
	if err != nil {
		return err
	}
	files, _ := filepath.Glob(filepath.Join(b.memory("plain"), "*.xml"))
	nearest := 0.0
	for level := 1; level <= 9; level++ {
		args := append([]string{"pigz", "-k", "-n", "-f", "-" + strconv.Itoa(level)}, files...)
		if err := b.must(args...); err != nil {
			return err
		}
		theirs, err := b.size("plain", "*.gz")
		if err != nil {
			return err
		}
		if r := theirs / ours; nearest == 0 || off(r) < off(nearest) {
			nearest = r
			c.theirs = side{name: fmt.Sprintf("pigz -%d, %.2f of the bytes", level, r), args: args}
		}
	}
	return nil
}

// off is how far a ratio is from 1.
func off(r float64) float64 { return max(r, 1/r) }

// size returns how many bytes the files of a folder have.
func (b *bench) size(name, glob string) (float64, error) {
	files, err := filepath.Glob(filepath.Join(b.memory(name), glob))
	if err != nil || len(files) == 0 {
		return 0, fmt.Errorf("no %s in %s: %w", glob, name, err)
	}
	var all int64
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			return 0, err
		}
		all += info.Size()
	}
	return float64(all), nil
}

// npm makes the other side the command line of npm's sitemap, on the same list.
func (b *bench) npm(c *comparison) error {
	if err := b.npmInstall("sitemap"); err != nil {
		return err
	}
	program := b.at("npm/node_modules/.bin/sitemap")
	if _, err := exec.LookPath(program); err != nil || !installed("node") {
		c.missing = "npm's sitemap is not installed"
		return nil
	}
	if err := b.list(c); err != nil {
		return err
	}
	out := b.memory("npm")
	c.theirs = side{
		name: "npm's sitemap " + version("node", program, "--version"), dir: out, into: out,
		args: []string{"sh", "-c", `exec "$0" --index --limit 50000 --index-base-url https://example.com/ < "$1" > index.xml`, program, b.memory("list/urls.txt")},
	}
	return nil
}
