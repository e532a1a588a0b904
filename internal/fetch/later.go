package fetch

import (
	"cmp"
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// A Retry says how often a request is made, and how long is waited in between.
type Retry struct {
	Tries   int
	TooMany time.Duration // the first pause after the status 429; each next one is twice as long
	Trouble time.Duration // and after any other failure
}

// Pause returns how long to wait after n other tries and one that was answered with a status,
// 0 being no answer, and a Retry-After header. It returns false if that was the last
// try, or ctx has not enough time left.
func (r *Retry) Pause(ctx context.Context, n, status int, retryAfter time.Duration) (time.Duration, bool) {
	pause := r.Trouble << n
	if status == http.StatusTooManyRequests {
		pause = r.TooMany << n
	}
	pause = cmp.Or(retryAfter, pause)
	end, ends := ctx.Deadline()
	return pause, n < r.Tries-1 && (!ends || pause <= time.Until(end))
}

// RetryAfter reads the Retry-After header, RFC 9110, 10.2.3: seconds or a date. 0 is
// none.
func RetryAfter(h http.Header) time.Duration {
	v := h.Get("Retry-After")
	if sec, err := strconv.ParseUint(strings.TrimSpace(v), 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(sec, math.MaxInt64/uint64(time.Second))) * time.Second
	}
	if t, err := http.ParseTime(v); err == nil {
		return max(0, time.Until(t)).Round(time.Second)
	}
	return 0
}

// Sleep waits, or returns the reason why ctx ended before.
func Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}
