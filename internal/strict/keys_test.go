package strict

import (
	"strings"
	"testing"
)

func TestNearestWord(t *testing.T) {
	words := []string{"base_url", "pages", "content", "host", "lastmod", "output"}
	for word, want := range map[string]string{
		"baseURL": "base_url", "base-url": "base_url", "bas_url": "base_url", "pagse": "pages", "last_mod": "lastmod",
		"ouput": "output", "hots": "host", "zebra": "", "": "", strings.Repeat("x", 1000): "",
	} {
		if got := NearestWord(word, words); got != want {
			t.Errorf("NearestWord(%.20q) = %q, want %q", word, got, want)
		}
	}
}

func TestEditDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"ab", "ba", 1}, {"abc", "abd", 1}, {"abc", "ab", 1}, {"abcd", "badc", 2}, {"abc", "xyz", 3}, {"a", "abcdefgh", 6}} {
		if got := EditDistance(tt.a, tt.b, 5); got != tt.want {
			t.Errorf("distance of %q and %q is %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := EditDistance(tt.b, tt.a, 5); got != tt.want {
			t.Errorf("distance of %q and %q is %d, want %d", tt.b, tt.a, got, tt.want)
		}
	}
}
