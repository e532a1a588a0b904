package sitemap

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

func TestRFC3339EveryDay(t *testing.T) {
	for _, year := range []int{1, 4, 100, 400, 1582, 1900, 1969, 1970, 2000, 2023, 2024, 2100, 9999} {
		for month := range 14 {
			for day := range 33 {
				s := fmt.Sprintf("%04d-%02d-%02d", year, month, day)
				sameAsParser(t, s)
				sameAsParser(t, s+"T23:59:59Z")
			}
		}
	}
}

func TestRFC3339Changed(t *testing.T) {
	const others = "0123456789-+:.TtZz \x00\xff"
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range []string{
		"2024-02-29", "2024-02-29T00:00:00Z", "0001-01-02T00:00:00+14:00", "9999-12-31T23:59:59-14:00",
		"2024-12-31T23:59:59+07:30", "2024-01-01T00:00:00-00:00",
	} {
		if _, ok := rfc3339(s); !ok && s[0] == '2' {
			t.Errorf("%q is not read", s)
		}
		for range 20_000 {
			b := []byte(s)
			for range 1 + r.IntN(2) {
				b[r.IntN(len(b))] = others[r.IntN(len(others))]
			}
			sameAsParser(t, string(b))
		}
	}
}

// sameAsParser demands that what rfc3339 reads the parser reads as well.
func sameAsParser(t *testing.T, s string) {
	t.Helper()
	if isNoDate(s) {
		return
	}
	got, ok := rfc3339(s)
	if !ok {
		return
	}
	zone := time.FixedZone("", 3600)
	if want, err := parseDate(s, zone); err != nil || got != want {
		t.Fatalf("%q is %v, to the parser %v, %v", s, got, want, err)
	}
}
