package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"
)

// edit is the row of one edit of a site under watch.
func (b *bench) edit(name, site string, limit float64) comparison {
	ours := b.build(site, 0, "--quiet-period", "1ms")
	ours.args[1], ours.into = "watch", b.at("out-"+site)
	return comparison{name: name, ours: ours, watch: filepath.Join(b.at(site), "public"), limit: limit}
}

// mostWait is how long a sitemap may take to have what it is waited for.
const mostWait = time.Minute

// watched measures how long the sitemap takes to have the new date of a page, and how
// much memory watch takes.
func watched(c comparison, runs int) ([]sample, error) {
	into := c.ours.into
	if err := empty(into); err != nil {
		return nil, err
	}
	page, err := firstDated(c.watch)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(c.ours.args[0], c.ours.args[1:]...)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	var all []sample
	for i := range runs + 1 {
		date := fmt.Sprintf("2001-01-%02dT03:04:05Z", i+1)
		took, err := page.edit(into, date)
		if err != nil {
			return nil, err
		}
		if i > 0 { // the first comes with the first build
			all = append(all, sample{seconds: took.Seconds(), mib: resident(cmd.Process.Pid)})
		}
		time.Sleep(time.Second) // what watch does behind the write is not in the next edit
	}
	return all, page.restore()
}

// A dated page says when it was modified.
type dated struct {
	file string
	text []byte
	date []byte // in the text
}

var (
	modified = regexp.MustCompile(`property="article:modified_time" content="([^"]+)"`)
	out      = regexp.MustCompile(`noindex|http-equiv="refresh"`)
)

// firstDated returns the first page that has a date, and is listed.
func firstDated(dir string) (first dated, err error) {
	err = filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(file) != ".html" {
			return err
		}
		text, err := os.ReadFile(file)
		if at := modified.FindSubmatch(text); at != nil && !out.Match(text) {
			first = dated{file, text, at[1]}
			return filepath.SkipAll
		}
		return err
	})
	if err == nil && first.file == "" {
		err = fmt.Errorf("no page in %s has a date", dir)
	}
	return first, err
}

// edit gives the page a date and waits until a sitemap has it.
func (d dated) edit(into, date string) (time.Duration, error) {
	if err := os.WriteFile(d.file, bytes.ReplaceAll(d.text, d.date, []byte(date)), 0o644); err != nil {
		return 0, err
	}
	for start := time.Now(); time.Since(start) < mostWait; time.Sleep(time.Millisecond) {
		sitemaps, _ := filepath.Glob(filepath.Join(into, "*.xml"))
		for _, file := range sitemaps {
			if info, err := os.Stat(file); err != nil || info.ModTime().Before(start) {
				continue
			}
			if text, err := os.ReadFile(file); err == nil && bytes.Contains(text, []byte(date)) {
				return time.Since(start), nil
			}
		}
	}
	return 0, fmt.Errorf("%s: no sitemap has its date %s after %v", d.file, date, mostWait)
}

func (d dated) restore() error { return os.WriteFile(d.file, d.text, 0o644) }

// resident returns the most MiB that a process has taken.
func resident(pid int) float64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	var kib float64
	if _, rest, ok := bytes.Cut(status, []byte("VmHWM:")); ok {
		fmt.Sscan(string(rest), &kib)
	}
	return kib / 1024
}
