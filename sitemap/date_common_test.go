package sitemap

import (
	"math/rand/v2"
	"testing"
	"time"
)

var commonExamples = []string{
	"2024-07-02 10:00:00 +0200", "2024-01-02 10:00:00", "2024-07-02T10:00:00", "2024-01-02 10:00", "2024-01-02T10:00",
	"2024-07-02T10:00:00+0200", "2024-07-02 10:00:00+02:00", "2024/01/02",
	"Tue, 02 Jan 2024 10:00:00 +0200", "Tue, 02 Jan 2024 10:00:00 GMT", "Jan 2, 2024", "January 2, 2024", "May 12, 2024", "2 January 2024 at 3:04 PM", "31 December 2024 at 12:59 AM", "2024-03-31 02:30:00",
}

func TestCommonDates(t *testing.T) {
	for _, s := range commonExamples {
		if _, ok := common(s, nil); !ok {
			t.Errorf("%q is not read", s)
		}
		asReadDate(t, s)
	}
}

// TestCommonDatesChanged puts other bytes into dates, takes some out and doubles some.
func TestCommonDatesChanged(t *testing.T) {
	const others = "0123456789-+:/., TtZz aAmMjJnN\x00\xff"
	r := rand.New(rand.NewPCG(3, 4))
	for _, s := range commonExamples {
		for range 10_000 {
			b := []byte(s)
			for range 1 + r.IntN(2) {
				switch at := r.IntN(len(b)); r.IntN(5) {
				case 0:
					b = append(b[:at], b[at+1:]...)
				case 1:
					b = append(b[:at+1], b[at:]...)
				default:
					b[at] = others[r.IntN(len(others))]
				}
			}
			asReadDate(t, string(b))
		}
	}
}

// asReadDate demands that what common reads the parser reads as well.
func asReadDate(t *testing.T, s string) {
	t.Helper()
	if isNoDate(s) {
		return
	}
	for _, zone := range []*time.Location{nil, berlin} {
		got, ok := common(s, zone)
		if !ok {
			return
		}
		if want, err := parseDate(s, zone); err != nil || got != want {
			t.Fatalf("%q is %v, to the parser %v, %v", s, got, want, err)
		}
	}
}
