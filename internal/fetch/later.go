package fetch

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// RetryAfter reads a Retry-After header, RFC 9110, 10.2.3: seconds or a date. 0 is
// none.
func RetryAfter(v string, now time.Time) time.Duration {
	if sec, err := strconv.ParseUint(strings.TrimSpace(v), 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(sec, math.MaxInt64/uint64(time.Second))) * time.Second
	}
	if t, err := http.ParseTime(v); err == nil {
		return max(0, t.Sub(now)).Round(time.Second)
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
