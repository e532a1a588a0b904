package cli

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/sitewalk/sitewalk/diag"
)

// A Progress shows on a terminal that long work goes on, in one line that is
// written over and over. Short work shows nothing.
type Progress struct {
	files, total atomic.Int64
	asking       atomic.Int64 // when addresses of a live site began to be asked for, in Unix nanoseconds; 0 is not yet
	screen       Screen
	stop         chan struct{}
	done         chan struct{}
}

const (
	progressAfter = 400 * time.Millisecond
	progressEvery = 100 * time.Millisecond
	// speedAfter is when a speed means something: the first files come from the
	// system's memory, or wait for the disk to wake.
	speedAfter = 2 * time.Second
	// pauseAfter is when reading has come to its end, most likely.
	pauseAfter = 500 * time.Millisecond
)

// StartProgress begins to show progress on w, until End is called.
func StartProgress(w io.Writer, s Screen) *Progress {
	p := &Progress{screen: s, stop: make(chan struct{}), done: make(chan struct{})}
	go p.run(w)
	return p
}

// Read sets the number of files that were read.
func (p *Progress) Read(files int) { p.files.Store(int64(files)) }

// Ask is told how many addresses of a live site have been asked for.
func (p *Progress) Ask(done, total int) {
	p.asking.CompareAndSwap(0, time.Now().UnixNano())
	p.total.Store(int64(total))
	p.files.Store(int64(done))
}

// End clears the line; nothing is printed afterwards.
func (p *Progress) End() {
	close(p.stop)
	<-p.done
}

func (p *Progress) run(w io.Writer) {
	defer close(p.done)
	start := time.Now()
	last, before := start, int64(0) // when files were read, and how many
	select {
	case <-p.stop:
		return
	case <-time.After(progressAfter):
	}
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	const wipe = "\r\x1b[K"
	for {
		if files := p.files.Load(); files != before {
			last, before = time.Now(), files
		}
		line := progressLine(int(before), last.Sub(start), time.Since(last))
		if since := p.asking.Load(); since > 0 {
			line = askingLine(int(p.files.Load()), int(p.total.Load()), time.Since(time.Unix(0, since)))
		}
		fmt.Fprint(w, wipe+p.screen.cut(line))
		select {
		case <-p.stop:
			fmt.Fprint(w, wipe)
			return
		case <-tick.C:
		}
	}
}

// progressLine says how far reading is, which took so long until it paused.
func progressLine(files int, took, pause time.Duration) string {
	if files > 0 && pause > pauseAfter {
		return diag.Number(files) + " files read; deciding what is listed"
	}
	line := "reading " + diag.Number(files) + " files"
	if took >= speedAfter {
		line += fmt.Sprintf(", %s a second", diag.Number(int(float64(files)/took.Seconds())))
	}
	return line
}

// askingLine says how many addresses of a live site have been asked for, and how long the
// others will take.
func askingLine(done, total int, took time.Duration) string {
	line := fmt.Sprintf("asking the live site: %s of %s", diag.Number(done), diag.Count(total, "URL"))
	if took >= speedAfter && done > 0 {
		left := took / time.Duration(done) * time.Duration(total-done)
		line += fmt.Sprintf(", %v left", left.Round(time.Second))
	}
	return line
}

// cut returns the beginning of a line that fits into one row.
func (s Screen) cut(line string) string {
	if s.width > 0 && len(line) >= s.width {
		return line[:s.width-1]
	}
	return line
}
