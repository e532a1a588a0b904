package sitemap

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

var commonExamples = []string{
	"2024-07-02 10:00:00 +0200", "2024-01-02 10:00:00", "2024-07-02T10:00:00", "2024-01-02 10:00", "2024-01-02T10:00",
	"2024-07-02T10:00:00+0200", "2024-07-02 10:00:00+02:00", "2024-03-31 02:30:00", "2024-02-29", "2024-02-29T00:00:00Z",
	"2024-12-31T23:59:59+07:30", "2024-01-01T00:00:00-00:00",
}

func TestCommonDates(t *testing.T) {
	for _, s := range commonExamples {
		if _, ok := parseCommonDate(s, nil); !ok {
			t.Errorf("%q is not read", s)
		}
		compareParsers(t, s)
	}
	for _, year := range []int{1, 4, 100, 400, 1582, 1900, 1969, 1970, 2000, 2023, 2024, 2100, 9999} {
		for month := range 14 {
			for day := range 33 {
				s := fmt.Sprintf("%04d-%02d-%02d", year, month, day)
				compareParsers(t, s)
				compareParsers(t, s+"T23:59:59Z")
			}
		}
	}
}

// TestCommonDatesChanged changes, removes and doubles bytes of dates.
func TestCommonDatesChanged(t *testing.T) {
	const others = "0123456789-+:/., TtZz aAmMjJnN\x00\xff"
	r := rand.New(rand.NewPCG(3, 4))
	for _, s := range append(commonExamples, "0001-01-02T00:00:00+14:00", "9999-12-31T23:59:59-14:00") {
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
			compareParsers(t, string(b))
		}
	}
}

// compareParsers checks that parseCommonDate and parseRareDate return the same date if both read s.
func compareParsers(t *testing.T, s string) {
	t.Helper()
	if isGoZeroTime(s) {
		return
	}
	for _, zone := range []*time.Location{nil, berlin, time.FixedZone("", 3600)} {
		got, ok := parseCommonDate(s, zone)
		if !ok {
			return
		}
		if want, err := parseRareDate(s, zone); err == nil && got != want {
			t.Fatalf("%q is %v, to the other parser %v", s, got, want)
		}
	}
}
