package cli

import (
	"io"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"
)

// A progress shows on a terminal that long work goes on. Short work shows
// nothing.
type progress struct {
	files atomic.Int64
	stop  chan struct{}
	done  chan struct{}
}

const (
	progressAfter = 400 * time.Millisecond
	progressEvery = 100 * time.Millisecond
)

func startProgress(w io.Writer) *progress {
	p := &progress{stop: make(chan struct{}), done: make(chan struct{})}
	go p.run(w)
	return p
}

// read is told how many files have been read.
func (p *progress) read(files int) { p.files.Store(int64(files)) }

// end clears the line; nothing is printed afterwards.
func (p *progress) end() {
	close(p.stop)
	<-p.done
}

func (p *progress) run(w io.Writer) {
	defer close(p.done)
	select {
	case <-p.stop:
		return
	case <-time.After(progressAfter):
	}
	bar := progressbar.NewOptions64(-1,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription("reading pages"),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionSetItsString("files"),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSpinnerType(14),
	)
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for {
		_ = bar.Set64(p.files.Load())
		select {
		case <-p.stop:
			_ = bar.Finish()
			return
		case <-tick.C:
		}
	}
}
