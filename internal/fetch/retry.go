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

// A Retry limits how often a request is repeated.
type Retry struct {
	Tries int           // requests in all
	First time.Duration // pause after the first failure; each later pause is twice as long
}

// IsTemporary reports whether a status may be another one next time. 0 means no answer.
func IsTemporary(status int) bool {
	return status == 0 || status == http.StatusTooManyRequests || status >= 500
}

// Pause returns the pause before request n+2, after request n+1 was answered with status
// and header. A Retry-After header sets the pause. Pause returns false if the answer is
// final: the status is not temporary, no try is left, or ctx ends before the pause.
func (r Retry) Pause(ctx context.Context, n, status int, header http.Header) (time.Duration, bool) {
	pause := cmp.Or(retryAfter(header), r.First<<n)
	end, hasEnd := ctx.Deadline()
	return pause, IsTemporary(status) && n+1 < r.Tries && (!hasEnd || pause <= time.Until(end))
}

// retryAfter returns the time in a Retry-After header, which is in seconds or a date, or 0.
// RFC 9110, section 10.2.3.
func retryAfter(h http.Header) time.Duration {
	v := strings.TrimSpace(h.Get("Retry-After"))
	if sec, err := strconv.ParseUint(v, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
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
