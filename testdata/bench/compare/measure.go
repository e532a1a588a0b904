package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// A usage contains the resources that one run of a program used.
type usage struct {
	Seconds, CPUSeconds, MiB float64
	Err                      string
}

// compare measures a row and adds it to the report.
func (b *bench) compare(c comparison) error {
	for _, site := range c.sites {
		if err := b.generate(site); err != nil {
			return err
		}
	}
	for _, prepare := range c.prepare {
		if err := prepare(); err != nil {
			return err
		}
	}
	runs := cmp.Or(c.runs, b.runs)
	if c.edits != "" {
		edits, err := measureEdits(c, runs)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b.report, "| %s | %.3f s | | %.0f MiB |\n", c.name, medianOf(edits).Seconds, medianOf(edits).MiB)
		return nil
	}
	var sitewalk, other []usage
	for i := range runs + 1 {
		u, err := measure(c.sitewalk, c.isCold)
		if err != nil {
			return err
		}
		var v usage
		if c.other.args != nil {
			if v, err = measure(c.other, c.isCold); err != nil {
				return err
			}
		}
		if i > 0 { // the first run warms the caches
			sitewalk, other = append(sitewalk, u), append(other, v)
		}
	}
	u, v := medianOf(sitewalk), medianOf(other)
	fmt.Fprintf(&b.report, "| %s | %.3f s | %.2f s | %.0f MiB |", c.name, u.Seconds, u.CPUSeconds, u.MiB)
	if c.other.args != nil {
		fmt.Fprintf(&b.report, " %s | %.3f s | %.2f s | **%.3g** |", c.other.name, v.Seconds, v.CPUSeconds, u.Seconds/v.Seconds)
	}
	b.report.WriteByte('\n')
	return nil
}

// medianOf returns the median of each resource.
func medianOf(runs []usage) usage {
	median := func(get func(usage) float64) float64 {
		var values []float64
		for _, u := range runs {
			values = append(values, get(u))
		}
		slices.Sort(values)
		return values[len(values)/2]
	}
	return usage{
		Seconds:    median(func(u usage) float64 { return u.Seconds }),
		CPUSeconds: median(func(u usage) float64 { return u.CPUSeconds }),
		MiB:        median(func(u usage) float64 { return u.MiB }),
	}
}

// childCommand is the first argument with which Compare starts itself to run one program. Linux
// gives a program at least the peak memory of its parent, so the parent must be small.
const childCommand = "run-one-program"

// runChild runs a program, and writes its usage as JSON to file descriptor 3.
func runChild(args []string) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	start := time.Now()
	err := cmd.Run()
	u := usage{Seconds: time.Since(start).Seconds()}
	if err != nil {
		u.Err = err.Error()
	}
	if state := cmd.ProcessState; state != nil {
		u.CPUSeconds = (state.UserTime() + state.SystemTime()).Seconds()
		u.MiB = float64(state.SysUsage().(*syscall.Rusage).Maxrss) / 1024
	}
	_ = json.NewEncoder(os.NewFile(3, "usage")).Encode(u) // without the usage, the parent reports an error
}

// measure runs p once.
func measure(p program, isCold bool) (u usage, err error) {
	if isCold {
		if err := dropCaches(); err != nil {
			return usage{}, err
		}
	}
	if err := emptyFolder(p.out); err != nil {
		return usage{}, err
	}
	self, err := os.Executable()
	if err != nil {
		return usage{}, err
	}
	from, to, err := os.Pipe()
	if err != nil {
		return usage{}, err
	}
	defer from.Close()
	cmd := exec.Command(self, append([]string{childCommand}, p.args...)...)
	cmd.Dir, cmd.ExtraFiles = p.dir, []*os.File{to}
	out, err := cmd.CombinedOutput()
	to.Close()
	if err == nil {
		err = json.NewDecoder(from).Decode(&u)
	}
	if err == nil && u.Err != "" {
		err = errors.New(u.Err)
	}
	if err != nil {
		return usage{}, fmt.Errorf("%s: %w: %.200s", p.args[0], err, out)
	}
	return u, nil
}

// emptyFolder removes everything in dir. It does nothing if dir is "".
func emptyFolder(dir string) error {
	if dir == "" {
		return nil
	}
	return cmp.Or(os.RemoveAll(dir), os.MkdirAll(dir, 0o755))
}

// dropCaches makes Linux forget all cached files. It needs root.
func dropCaches() error {
	syscall.Sync()
	return os.WriteFile("/proc/sys/vm/drop_caches", []byte("3\n"), 0o200)
}
