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

// A Retry limits the attempts for one request.
type Retry struct {
	Tries int           // maximum number of attempts
	First time.Duration // pause after the first failed attempt; it doubles after each further failed attempt
}

// IsTemporary reports whether an attempt that failed with this status may succeed later. Status 0
// means that there was no answer.
func IsTemporary(status int) bool {
	return status == 0 || status == http.StatusTooManyRequests || status >= 500
}

// Pause returns the pause before the next attempt: the duration in the header Retry-After, or
// r.First doubled pauses times. pauses is the number of earlier pauses. status and header come from
// the last answer. ok is false if there is no next attempt: the status is not temporary, no attempt
// is left, or ctx would end during the pause.
func (r Retry) Pause(ctx context.Context, pauses, status int, header http.Header) (pause time.Duration, ok bool) {
	pause = cmp.Or(retryAfter(header), r.First<<pauses)
	end, hasEnd := ctx.Deadline()
	return pause, IsTemporary(status) && pauses+1 < r.Tries && (!hasEnd || pause <= time.Until(end))
}

// retryAfter returns the duration in the header Retry-After, whose value is a number of seconds or
// a date. It returns 0 if the header is missing or malformed. See RFC 9110, section 10.2.3.
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

// Sleep waits for the duration d. If ctx ends first, Sleep returns the cause of ctx.
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
