package live

import (
	"context"
	"sync"
	"time"

	"github.com/sitewalk/sitewalk/internal/fetch"
)

// A pace limits the rate of requests. It is safe for concurrent use.
type pace struct {
	every time.Duration // minimum time between two requests

	mu   sync.Mutex
	next time.Time // earliest time of the next request
}

// wait blocks until the caller may send a request. It returns an error if ctx ends first.
func (p *pace) wait(ctx context.Context) error {
	for {
		p.mu.Lock()
		now := time.Now()
		pause := p.next.Sub(now)
		if pause <= 0 {
			p.next = now.Add(p.every)
		}
		p.mu.Unlock()
		if pause <= 0 {
			return ctx.Err()
		}
		if err := fetch.Sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// delayAll makes all requests wait for at least the time d, starting now.
func (p *pace) delayAll(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if until := time.Now().Add(d); until.After(p.next) {
		p.next = until
	}
}
