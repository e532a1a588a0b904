package diag

import "testing"

func TestCountFormatsNumbers(t *testing.T) {
	for n, want := range map[int]string{
		0: "0 pages", 1: "1 page", 2: "2 pages", 999: "999 pages", 1000: "1,000 pages", 12345: "12,345 pages",
		1234567: "1,234,567 pages", -1000: "-1,000 pages", -100: "-100 pages",
	} {
		if got := Count(n, "page"); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}
