package main

import (
	"cmp"
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
	theirs  side // without args: only ours is measured
	cold    bool
	runs    int     // 0: as many as asked for
	goal    float64 // most that the time of ours may be of theirs
	limit   float64 // most milliseconds of ours
	memory  float64 // most MiB of ours
	missing string  // why it cannot be measured
	ready   func(c *comparison) error
	watch   string // folder of pages that ours watches, one of which is edited; "": none
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
		b.missed(c, c.missing)
		return
	}
	ours, theirs, err := b.samples(c)
	if err != nil {
		b.missed(c, "failed: "+strings.ReplaceAll(err.Error(), "\n", " "))
		return
	}
	b.row(c, ours, theirs)
}

// missed writes a row that could not be measured.
func (b *bench) missed(c comparison, why string) {
	fmt.Fprintf(&b.out, "| %s | %s |\n", c.name, why)
	fmt.Fprintf(os.Stderr, "goal %s\n", c.goals())
}

// samples runs both sides in turns.
func (b *bench) samples(c comparison) (ours, theirs []sample, err error) {
	runs := cmp.Or(c.runs, b.runs)
	if c.watch != "" {
		ours, err = watched(c, runs)
		return ours, nil, err
	}
	for i := range runs + 1 {
		o, err := b.once(c.ours, c.cold)
		if err != nil {
			return nil, nil, err
		}
		var t sample
		if c.theirs.args != nil {
			if t, err = b.once(c.theirs, c.cold); err != nil {
				return nil, nil, err
			}
		}
		if i > 0 { // the first run warms the caches
			ours, theirs = append(ours, o), append(theirs, t)
		}
	}
	return ours, theirs, nil
}

func (b *bench) row(c comparison, ours, theirs []sample) {
	median, spread := quartiles(ours, sample.time)
	mib, _ := quartiles(ours, sample.memory)
	fmt.Fprintf(&b.out, "| %s | %.3f s | %s |", c.name, median, mebibytes(mib))
	fmt.Fprintf(os.Stderr, "goal %s\n", c.goals())
	if c.theirs.args == nil {
		fmt.Fprintln(&b.out)
		return
	}
	theirMedian, theirSpread := quartiles(theirs, sample.time)
	fmt.Fprintf(&b.out, " %s | %.3f s | **%.3g** |\n", c.theirs.name, theirMedian, c.ratio(ours, theirs, sample.time))
	fmt.Fprintf(os.Stderr, "spread %.3f s and %.3f s, ratio of processor times %.3g\n", spread, theirSpread, c.ratio(ours, theirs, sample.processor))
}

// mebibytes is empty where memory was not measured.
func mebibytes(mib float64) string {
	if mib == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f MiB", mib)
}

// goals returns the limits of the row, such as "≤ 1.5 ×, ≤ 100 MiB".
func (c comparison) goals() string {
	var all []string
	if c.goal > 0 {
		all = append(all, fmt.Sprintf("≤ %.3g ×", c.goal))
	}
	if c.limit > 0 {
		all = append(all, fmt.Sprintf("≤ %.0f ms", c.limit))
	}
	if c.memory > 0 {
		all = append(all, fmt.Sprintf("≤ %.0f MiB", c.memory))
	}
	return strings.Join(all, ", ")
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
