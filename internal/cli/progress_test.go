package cli

import (
	"testing"
	"time"
)

// TestAskingLine says how long the rest of a visit takes, once that can be known.
func TestAskingLine(t *testing.T) {
	for _, tt := range []struct {
		done, total int
		took        time.Duration
		want        string
	}{
		{0, 25_000, 0, "asking the live site: 0 of 25,000 URLs"},
		{9, 25_000, time.Second, "asking the live site: 9 of 25,000 URLs"},
		{0, 25_000, time.Minute, "asking the live site: 0 of 25,000 URLs"},
		{20, 25_000, 2 * time.Second, "asking the live site: 20 of 25,000 URLs, 41m38s left"},
		{24_990, 25_000, 2499 * time.Second, "asking the live site: 24,990 of 25,000 URLs, 1s left"},
		{1, 1, time.Minute, "asking the live site: 1 of 1 URL, 0s left"},
	} {
		if got := askingLine(tt.done, tt.total, tt.took); got != tt.want {
			t.Errorf("%d of %d after %v: %q, want %q", tt.done, tt.total, tt.took, got, tt.want)
		}
	}
}

func TestProgressLine(t *testing.T) {
	for want, got := range map[string]string{
		"reading 1,234 files":                        progressLine(1234, time.Second, 0),
		"reading 20,000 files, 10,000 a second":      progressLine(20000, 2*time.Second, 0),
		"reading 20":                                 Screen{width: 11}.cut("reading 20,000 files"),
		"reading 0 files":                            Screen{width: 80}.cut(progressLine(0, 0, 0)),
		"60,000 files read; deciding what is listed": progressLine(60000, time.Second, time.Second),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
