package live

import (
	"context"
	"sync"
	"time"

	"github.com/sitewalk/sitewalk/internal/fetch"
)

// A pace says when the next request may be made.
type pace struct {
	every time.Duration // between two

	mu   sync.Mutex
	next time.Time // before it none may be made
}

// wait returns when it is the caller's turn, or with the reason why ctx ended.
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

// hold delays every request for a time.
func (p *pace) hold(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if until := time.Now().Add(d); until.After(p.next) {
		p.next = until
	}
}
