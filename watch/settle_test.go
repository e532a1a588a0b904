package watch

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// A rain is a source in which something happens again and again.
type rain struct {
	changes *changes
	every   time.Duration // 0: never
	until   time.Time
}

func (r *rain) wait(ctx context.Context, d time.Duration) (bool, error) {
	pause := d
	rains := r.every > 0 && time.Now().Before(r.until) && (d == 0 || r.every <= d)
	if rains {
		pause = r.every
	}
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case <-time.After(pause):
	}
	return rains, nil
}

func (r *rain) finishBatch() error { r.changes.rescan = true; return nil }

func (r *rain) close() error { return nil }

// TestCeiling lets something happen all the time. A batch comes exactly at the
// ceiling, whatever the quiet period, and as soon as it is quiet otherwise. The
// time is the bubble's, so that nothing depends on the machine.
func TestCeiling(t *testing.T) {
	for name, tt := range map[string]struct {
		quiet, every, lasts, want time.Duration
	}{
		"all the time":            {Quiet, time.Millisecond, time.Hour, Ceiling},
		"slower":                  {Quiet, 99 * time.Millisecond, time.Hour, Ceiling},
		"long quiet period":       {Ceiling, 1900 * time.Millisecond, time.Hour, Ceiling},
		"for a moment":            {Quiet, time.Millisecond, 20 * time.Millisecond, 120 * time.Millisecond},
		"slower than it is quiet": {Quiet, 200 * time.Millisecond, time.Hour, Quiet},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := &rain{changes: new(changes), every: tt.every, until: time.Now().Add(tt.lasts)}
				w := &Watcher{o: Options{Quiet: tt.quiet}, source: r, changes: r.changes}
				for range 5 {
					if !time.Now().Before(r.until) {
						break
					}
					start := time.Now().Add(tt.every) // of the first drop
					b, err := w.Next(t.Context(), 0)
					if err != nil || b.isEmpty() {
						t.Fatalf("%+v %v", b, err)
					}
					if b.Busy != (tt.want == Ceiling) {
						t.Errorf("busy: %v", b.Busy)
					}
					if got := time.Since(start); got != tt.want && tt.lasts == time.Hour || got > tt.want {
						t.Errorf("a batch after %v, want %v", got, tt.want)
					}
				}
			})
		})
	}
}

// TestLimit returns without changes at the limit and no earlier, however often it looks.
func TestLimit(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := New(Options{Trees: []Tree{{Dir: dir}}, Poll: 30 * time.Millisecond})
		start := time.Now()
		b, err := w.Next(t.Context(), time.Minute)
		if got := time.Since(start); err != nil || !b.isEmpty() || got != time.Minute {
			t.Errorf("%+v %v after %v", b, err, got)
		}
	})
}

// TestPollQuiet waits for quiet as long as it is told to, however often it looks.
func TestPollQuiet(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		p := newPoller(Options{Trees: []Tree{{Dir: dir}}, Poll: 10 * time.Millisecond}, new(changes))
		start := time.Now()
		happened, err := p.wait(t.Context(), Quiet)
		if got := time.Since(start); err != nil || happened || got != Quiet {
			t.Errorf("%v %v after %v, want %v", happened, err, got, Quiet)
		}
	})
}
