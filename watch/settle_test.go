package watch

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// A steadySource is a fake source with a change at each interval until the time until.
type steadySource struct {
	changes  *changes
	interval time.Duration // 0 means no changes
	until    time.Time
}

func (s *steadySource) wait(ctx context.Context, d time.Duration) (bool, error) {
	pause := d
	willChange := s.interval > 0 && time.Now().Before(s.until) && (d == 0 || s.interval <= d)
	if willChange {
		pause = s.interval
	}
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case <-time.After(pause):
	}
	return willChange, nil
}

func (s *steadySource) finishBatch() error { s.changes.rescan = true; return nil }

func (s *steadySource) close() error { return nil }

// TestNextEndsBatchAtMaxTime checks that a batch ends exactly after MaxBatchTime if changes
// continue, and otherwise after the quiet period. The test uses virtual time.
func TestNextEndsBatchAtMaxTime(t *testing.T) {
	for name, tt := range map[string]struct {
		quiet, interval, duration, want time.Duration // want: time from the first change to the end of the batch
	}{
		"continuous changes":                {DefaultQuiet, time.Millisecond, time.Hour, MaxBatchTime},
		"interval just below quiet period":  {DefaultQuiet, 99 * time.Millisecond, time.Hour, MaxBatchTime},
		"long quiet period":                 {MaxBatchTime, 1900 * time.Millisecond, time.Hour, MaxBatchTime},
		"few changes":                       {DefaultQuiet, time.Millisecond, 20 * time.Millisecond, 120 * time.Millisecond},
		"interval longer than quiet period": {DefaultQuiet, 200 * time.Millisecond, time.Hour, DefaultQuiet},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &steadySource{changes: new(changes), interval: tt.interval, until: time.Now().Add(tt.duration)}
				w := &Watcher{o: Options{Quiet: tt.quiet}, source: s, changes: s.changes}
				for range 5 {
					if !time.Now().Before(s.until) {
						break
					}
					start := time.Now().Add(tt.interval) // time of the first change
					b, err := w.Next(t.Context(), 0)
					if err != nil || b.isEmpty() {
						t.Fatalf("got batch %+v and error %v, want changes", b, err)
					}
					if b.Busy != (tt.want == MaxBatchTime) {
						t.Errorf("Busy: got %v, want %v", b.Busy, !b.Busy)
					}
					if got := time.Since(start); got != tt.want && tt.duration == time.Hour || got > tt.want {
						t.Errorf("the batch ends after %v, want %v", got, tt.want)
					}
				}
			})
		})
	}
}

// TestNextReturnsEmptyBatchAtLimit checks that Next returns an empty batch exactly at the limit if
// no file changes, even if the polling interval is much shorter.
func TestNextReturnsEmptyBatchAtLimit(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := New(Options{Trees: []Tree{{Dir: dir}}, Poll: 30 * time.Millisecond})
		start := time.Now()
		b, err := w.Next(t.Context(), time.Minute)
		if got := time.Since(start); err != nil || !b.isEmpty() || got != time.Minute {
			t.Errorf("got batch %+v and error %v after %v, want an empty batch after %v", b, err, got, time.Minute)
		}
	})
}

// TestPollerWaitsForFullTime checks that wait of a poller returns false exactly after the given
// time, even if the polling interval is shorter.
func TestPollerWaitsForFullTime(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		p := newPoller(Options{Trees: []Tree{{Dir: dir}}, Poll: 10 * time.Millisecond}, new(changes))
		start := time.Now()
		changed, err := p.wait(t.Context(), DefaultQuiet)
		if got := time.Since(start); err != nil || changed || got != DefaultQuiet {
			t.Errorf("got %v and error %v after %v, want false after %v", changed, err, got, DefaultQuiet)
		}
	})
}
