package cli

import (
	"slices"
	"strings"
	"testing"
)

func TestJoinGzip(t *testing.T) {
	for typed, want := range map[string]string{
		"--gzip also public":     "--gzip=also public",
		"-- --gzip also":         "-- --gzip also",
		"--gzip -- also":         "--gzip -- also",
		"--gzip public":          "--gzip public",
		"build --gzip only -- a": "build --gzip=only -- a",
	} {
		if got := joinGzipValue(strings.Fields(typed)); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s became %q", typed, got)
		}
	}
}
