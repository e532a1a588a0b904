package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// events are what perf counts: cycles in the program and in the kernel for it.
var events = []string{"cycles:u", "cycles:k"}

// cycles writes where the time of a build goes, next to that of the reference.
func (b *bench) cycles() {
	public := filepath.Join(b.at("site-100000"), "public")
	b.out.WriteString("\n## Where the time goes\n\n")
	if !installed("perf") {
		b.out.WriteString("perf is not installed.\n")
		return
	}
	if _, _, err := b.count(side{args: []string{"true"}}, 1); err != nil {
		fmt.Fprintf(&b.out, "Not counted: %v.\n", err)
		return
	}
	b.out.WriteString(`Processor cycles a page, counted by perf, medians; 100,000 pages, warm. The C
program's own work is next to none, and the kernel's is the same for both: what
sitewalk can still lose is in its own column: the scanning of heads, the entering
and leaving of system calls, and what follows the walk, which is sorting, folding,
measuring and printing.

| program | its own | the kernel's |
|---|---:|---:|
`)
	for _, s := range []side{b.build("site-100000", 0), b.build("site-100000", 0, "--jobs", "2"), b.reference(2, public), b.withContent()} {
		if strings.Contains(strings.Join(s.args, " "), "--jobs") {
			s.name += " --jobs 2"
		}
		if own, kernel, err := b.count(s, 100_000); err != nil {
			fmt.Fprintf(&b.out, "| %s | failed: %v | |\n", s.name, err)
		} else {
			fmt.Fprintf(&b.out, "| %s | %.0f | %.0f |\n", s.name, own, kernel)
		}
	}
}

// count returns the cycles of a program, for each page.
func (b *bench) count(s side, pages int) (own, kernel float64, err error) {
	counts := make([][]float64, len(events))
	for range b.runs + 1 {
		args := append([]string{"stat", "-x", ";", "-e", strings.Join(events, ","), "--"}, s.args...)
		cmd := exec.Command("perf", args...)
		var says strings.Builder
		cmd.Dir, cmd.Stderr = s.dir, &says
		if err := cmd.Run(); err != nil {
			return 0, 0, err
		}
		for i, event := range events {
			n, err := counted(says.String(), event)
			if err != nil {
				return 0, 0, err
			}
			counts[i] = append(counts[i], n/float64(pages))
		}
	}
	for i := range counts {
		slices.Sort(counts[i])
	}
	return counts[0][b.runs/2], counts[1][b.runs/2], nil
}

// counted finds the count of an event in what perf says, whose lines begin with
// the count, a unit and the event's name.
func counted(says, event string) (float64, error) {
	for line := range strings.Lines(says) {
		if f := strings.Split(line, ";"); len(f) > 2 && f[2] == event && f[0] != "<not supported>" {
			return strconv.ParseFloat(f[0], 64)
		}
	}
	return 0, fmt.Errorf("perf counts no %s on this machine", event)
}
