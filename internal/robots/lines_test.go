package robots

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestLinesParsesLines(t *testing.T) {
	long := strings.Repeat("x", maxLine)
	tests := []struct{ name, text, want string }{
		{"line feeds", "User-agent: *\nDisallow: /a\n", "1:13 1 *, 2:11 3 /a"},
		{"carriage returns", "User-agent: *\rDisallow: /a\r", "1:13 1 *, 2:11 3 /a"},
		{"both", "User-agent: *\r\n\r\nDisallow: /a", "1:13 1 *, 3:11 3 /a"},
		{"Google's spellings", "site-map: u\nuseragent:*\nDissallow : /a", "1:11 4 u, 2:11 1 *, 3:13 3 /a"},
		{"a key that goes on", "Sitemaps: u\nAllowed: /b", "1:11 4 u, 2:10 2 /b"},
		{"a byte order mark", "\ufeffSitemap: u", "1:13 4 u"},
		{"blanks for the colon", "Sitemap \t u", "1:11 4 u"},
		{"blanks around", " \tSitemap : u \t# mine", "1:13 4 u"},
		{"a comment", "#Sitemap: u\nSitemap: #u", "2:10 4 "},
		{"a NUL", "Sitemap: u\x00v\n\x00Sitemap: w\nAllow: /", "1:10 4 u, 3:8 2 /"},
		{"a long line", "Sitemap: " + long, "1:10 4 " + long[:maxLine-len("Sitemap: ")]},
		{"no key", "a b c\nhttps\n\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for l := range Lines([]byte(tt.text)) {
				if l.Key != Other {
					got = append(got, fmt.Sprintf("%d:%d %d %s", l.Number, l.Column, l.Key, l.Value))
				}
			}
			if s := strings.Join(got, ", "); s != tt.want {
				t.Errorf("got %s, want %s", s, tt.want)
			}
		})
	}
}

// FuzzLines checks that the lines cover the whole file, and that Column is the position of Value.
func FuzzLines(f *testing.F) {
	for _, s := range []string{"User-agent: *\r\nDisallow: /a\rsite-map: u # c\n\n", "\ufeffSitemap u", "a\x00b\nAllow:/", "\ufeff", ": :"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := slices.Collect(Lines([]byte(text)))
		end := 0
		for i, l := range lines {
			if l.Number != i+1 || l.Start != end || l.End <= l.Start {
				t.Fatalf("%+v is line %d and begins at %d", l, i+1, end)
			}
			end = l.End
			if at := l.Start + l.Column - 1; !strings.HasPrefix(text[at:], l.Value) {
				t.Errorf("%+v does not stand at its place in %q", l, text)
			}
		}
		if end != len(text) {
			t.Errorf("%q ends at %d", text, end)
		}
		Parse([]byte(text))
	})
}
