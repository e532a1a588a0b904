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

// maxWait is the time limit for an edit under watch.
const maxWait = time.Minute

// measureEdits starts the watch of c and edits one page several times. Each usage contains the time
// from the edit until a sitemap contains the new date, and the peak memory so far.
func measureEdits(c comparison, runs int) ([]usage, error) {
	if err := emptyFolder(c.sitewalk.out); err != nil {
		return nil, err
	}
	page, err := findDatedPage(c.edits)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(c.sitewalk.args[0], c.sitewalk.args[1:]...)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	var edits []usage
	for i := range runs + 1 {
		took, err := page.edit(c.sitewalk.out, fmt.Sprintf("2001-01-%02dT03:04:05Z", i+1))
		if err != nil {
			return nil, err
		}
		if i > 0 { // the first edit includes the first build
			edits = append(edits, usage{Seconds: took.Seconds(), MiB: peakMemory(cmd.Process.Pid)})
		}
		time.Sleep(time.Second) // lets watch finish its work after the write
	}
	return edits, os.WriteFile(page.file, page.text, 0o644)
}

// A datedPage is a listed page with a date in its HTML.
type datedPage struct {
	file string
	text []byte // the original content of the file
	date []byte // the date in text
}

var (
	modifiedTime = regexp.MustCompile(`property="article:modified_time" content="([^"]+)"`)
	unlisted     = regexp.MustCompile(`noindex|http-equiv="refresh"`)
)

// findDatedPage returns the first listed page below dir that has a date.
func findDatedPage(dir string) (page datedPage, err error) {
	err = filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(file) != ".html" {
			return err
		}
		text, err := os.ReadFile(file)
		if match := modifiedTime.FindSubmatch(text); match != nil && !unlisted.Match(text) {
			page = datedPage{file, text, match[1]}
			return filepath.SkipAll
		}
		return err
	})
	if err == nil && page.file == "" {
		err = fmt.Errorf("no page in %s has a date", dir)
	}
	return page, err
}

// edit writes date into the page, and waits until a sitemap in the folder out contains date. It
// returns the waiting time.
func (p datedPage) edit(out, date string) (time.Duration, error) {
	if err := os.WriteFile(p.file, bytes.ReplaceAll(p.text, p.date, []byte(date)), 0o644); err != nil {
		return 0, err
	}
	for start := time.Now(); time.Since(start) < maxWait; time.Sleep(time.Millisecond) {
		sitemaps, _ := filepath.Glob(filepath.Join(out, "*.xml"))
		for _, file := range sitemaps {
			if info, err := os.Stat(file); err != nil || info.ModTime().Before(start) {
				continue
			}
			if text, err := os.ReadFile(file); err == nil && bytes.Contains(text, []byte(date)) {
				return time.Since(start), nil
			}
		}
	}
	return 0, fmt.Errorf("no sitemap contains the date %s of %s after %v", date, p.file, maxWait)
}

// peakMemory returns the peak memory of a process in MiB.
func peakMemory(pid int) float64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	var kib float64
	if _, rest, ok := bytes.Cut(status, []byte("VmHWM:")); ok {
		fmt.Sscan(string(rest), &kib)
	}
	return kib / 1024
}
