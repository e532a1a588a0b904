package cli

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sitewalk/sitewalk/diag"
)

// A progress shows the progress of long work in one line of a terminal, which it overwrites. It
// shows nothing for work that ends within progressDelay.
type progress struct {
	line   atomic.Pointer[string]
	screen Screen
	stop   chan struct{}
	done   chan struct{}
}

const (
	progressDelay    = 400 * time.Millisecond // before the line is shown
	progressInterval = 100 * time.Millisecond
)

// startProgress shows progress on w until the caller calls end. The caller may call end several
// times.
func startProgress(w io.Writer, s Screen) (p *progress, end func()) {
	p = &progress{screen: s, stop: make(chan struct{}), done: make(chan struct{})}
	p.setFiles(0)
	go p.showUntilStopped(w)
	return p, sync.OnceFunc(func() {
		close(p.stop)
		<-p.done
	})
}

// setFiles records how many files have been read.
func (p *progress) setFiles(read int) {
	line := fmt.Sprintf("reading %s files", diag.Number(read))
	p.line.Store(&line)
}

// setRequests records how many URLs of the live site have been requested.
func (p *progress) setRequests(done, total int) {
	line := fmt.Sprintf("requesting the live site: %s of %s URLs", diag.Number(done), diag.Number(total))
	p.line.Store(&line)
}

func (p *progress) showUntilStopped(w io.Writer) {
	defer close(p.done)
	select {
	case <-p.stop:
		return
	case <-time.After(progressDelay):
	}
	const clearLine = "\r\x1b[K"
	defer fmt.Fprint(w, clearLine)
	tick := time.NewTicker(progressInterval)
	defer tick.Stop()
	for {
		fmt.Fprint(w, clearLine+p.screen.truncateLine(*p.line.Load()))
		select {
		case <-p.stop:
			return
		case <-tick.C:
		}
	}
}

// truncateLine returns the beginning of line that fits into one row of the terminal. If the width
// of the terminal is unknown, it returns line.
func (s Screen) truncateLine(line string) string {
	if s.width > 0 && len(line) >= s.width {
		return line[:s.width-1]
	}
	return line
}
