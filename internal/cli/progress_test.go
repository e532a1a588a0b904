package cli

import "testing"

func TestProgressLine(t *testing.T) {
	for want, got := range map[string]string{
		"reading 0 files":                          progressLine("reading", 0, 0, "files"),
		"reading 1,234 files":                      progressLine("reading", 1234, 0, "files"),
		"reading 1,234 of 12,340 files (10%)":      progressLine("reading", 1234, 12340, "files"),
		"asking the live site: 9 of 25 URLs (36%)": progressLine("asking the live site:", 9, 25, "URLs"),
		"reading 20":                               Screen{width: 11}.truncateLine("reading 20,000 files"),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
