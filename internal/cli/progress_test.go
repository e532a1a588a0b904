package cli

import "testing"

func TestProgressLine(t *testing.T) {
	var p progress
	p.setFiles(1234)
	files := *p.line.Load()
	p.setRequests(9, 25)
	for want, got := range map[string]string{
		"reading 1,234 files":                    files,
		"requesting the live site: 9 of 25 URLs": *p.line.Load(),
		"reading 20":                             Screen{width: 11}.truncateLine("reading 20,000 files"),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
