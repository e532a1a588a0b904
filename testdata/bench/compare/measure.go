package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
)

// A side is one program of a comparison.
type side struct {
	name  string
	args  []string
	dir   string // working directory
	pages int    // for ratios of the time per page; 0 compares whole times
	into  string // folder that is emptied before each run
	self  bool   // it prints the seconds and the processor seconds of its work
}

// A comparison is one row of the table.
type comparison struct {
	name    string
	ours    side
	theirs  side // without args: only ours is measured, against limit
	cold    bool
	runs    int     // 0: as many as asked for
	goal    float64 // most that ours may be of theirs
	memory  bool    // of ours, in MiB, against limit
	limit   float64 // MiB or milliseconds
	missing string  // why it cannot be measured
	ready   func(c *comparison) error
}

// A sample is one run.
type sample struct {
	seconds  float64
	cpu      float64 // seconds, of all threads
	mib      float64
	fromDisk bool
}

func (s sample) time() float64      { return s.seconds }
func (s sample) processor() float64 { return s.cpu }
func (s sample) memory() float64    { return s.mib }

func (b *bench) compare(c comparison) {
	if c.ready != nil && c.missing == "" {
		if err := c.ready(&c); err != nil {
			c.missing = "failed: " + strings.ReplaceAll(err.Error(), "\n", " ")
		}
	}
	if c.missing != "" {
		fmt.Fprintf(&b.out, "| %s | %s | – | | – | | – | – | ≤ %.3g |\n", c.name, c.missing, c.goal)
		return
	}
	runs := c.runs
	if runs == 0 {
		runs = b.runs
	}
	var ours, theirs []sample
	for i := range runs + 1 {
		o, err := b.once(c.ours, c.cold)
		var t sample
		if err == nil && c.theirs.args != nil {
			t, err = b.once(c.theirs, c.cold)
		}
		if err != nil {
			fmt.Fprintf(&b.out, "| %s | failed: %s | – | | – | | – | – | |\n", c.name, strings.ReplaceAll(err.Error(), "\n", " "))
			return
		}
		if i > 0 { // the first run warms the caches
			ours, theirs = append(ours, o), append(theirs, t)
		}
	}
	b.row(c, ours, theirs)
}

func (b *bench) row(c comparison, ours, theirs []sample) {
	if c.memory {
		median, spread := quartiles(ours, sample.memory)
		if c.theirs.args != nil {
			theirMedian, theirSpread := quartiles(theirs, sample.memory)
			fmt.Fprintf(&b.out, "| %s | %s | %.0f MiB | %.0f | %.0f MiB | %.0f | | %.3g | ≤ %.3g |\n",
				c.name, c.theirs.name, median, spread, theirMedian, theirSpread, median/theirMedian, c.goal)
			return
		}
		goal := ""
		if c.limit > 0 {
			goal = fmt.Sprintf("≤ %.0f MiB", c.limit)
		}
		fmt.Fprintf(&b.out, "| %s | – | %.0f MiB | %.0f | | | | | %s |\n", c.name, median, spread, goal)
		return
	}
	median, spread := quartiles(ours, sample.time)
	if c.theirs.args == nil {
		fmt.Fprintf(&b.out, "| %s | – | %.1f ms | %.1f | | | | | ≤ %.0f ms |\n", c.name, 1000*median, 1000*spread, c.limit)
		return
	}
	theirMedian, theirSpread := quartiles(theirs, sample.time)
	goal := ""
	if c.goal > 0 {
		goal = fmt.Sprintf("≤ %.3g", c.goal)
	}
	fmt.Fprintf(&b.out, "| %s | %s | %.3f s | %.3f | %.3f s | %.3f | %.3g | %.3g | %s |\n",
		c.name, c.theirs.name, median, spread, theirMedian, theirSpread,
		c.ratio(ours, theirs, sample.processor), c.ratio(ours, theirs, sample.time), goal)
}

// ratio compares the medians, for each page where the sizes differ.
func (c comparison) ratio(ours, theirs []sample, get func(sample) float64) float64 {
	a, _ := quartiles(ours, get)
	b, _ := quartiles(theirs, get)
	if c.ours.pages > 0 {
		return a / b * float64(c.theirs.pages) / float64(c.ours.pages)
	}
	return a / b
}

// quartiles returns the median and the distance between the quartiles.
func quartiles(samples []sample, get func(sample) float64) (median, spread float64) {
	values := make([]float64, len(samples))
	for i, s := range samples {
		values[i] = get(s)
	}
	slices.Sort(values)
	n := len(values)
	return values[n/2], values[n*3/4] - values[n/4]
}

// once measures one run. One that was to find warm caches and did not is repeated:
// some systems take away what was cached for half a minute, in the middle of a row,
// and in the middle of what runs so long.
func (b *bench) once(s side, cold bool) (took sample, err error) {
	for range mostTries {
		if cold {
			if err := dropCaches(); err != nil {
				return sample{}, err
			}
		}
		if err := empty(s.into); err != nil {
			return sample{}, err
		}
		if took, err = measure(s); err != nil || cold || !took.fromDisk || took.seconds > mostSeconds {
			break
		}
	}
	return took, err
}

const (
	mostTries   = 8
	mostSeconds = 5 // of a run that is repeated
)

func empty(dir string) error {
	if dir == "" {
		return nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.MkdirAll(dir, 0o755)
}

func dropCaches() error {
	syscall.Sync()
	return os.WriteFile("/proc/sys/vm/drop_caches", []byte("3\n"), 0o200)
}
