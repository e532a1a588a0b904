package robots

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	long := strings.Repeat("x", maxLine)
	tests := []struct{ name, text, want string }{
		{"LF", "User-agent: *\nDisallow: /a\n", "1:13 1 *, 2:11 3 /a"},
		{"CR", "User-agent: *\rDisallow: /a\r", "1:13 1 *, 2:11 3 /a"},
		{"CRLF", "User-agent: *\r\n\r\nDisallow: /a", "1:13 1 *, 3:11 3 /a"},
		{"other spellings", "site-map: u\nuseragent:*\nDissallow : /a", "1:11 4 u, 2:11 1 *, 3:13 3 /a"},
		{"longer keys", "Sitemaps: u\nAllowed: /b", "1:11 4 u, 2:10 2 /b"},
		{"byte order mark", "\ufeffSitemap: u", "1:13 4 u"},
		{"blanks instead of the colon", "Sitemap \t u", "1:11 4 u"},
		{"surrounding blanks", " \tSitemap : u \t# mine", "1:13 4 u"},
		{"comment", "#Sitemap: u\nSitemap: #u", "2:10 4 "},
		{"NUL", "Sitemap: u\x00v\n\x00Sitemap: w\nAllow: /", "1:10 4 u, 3:8 2 /"},
		{"long line", "Sitemap: " + long, "1:10 4 " + long[:maxLine-len("Sitemap: ")]},
		{"lines without a key", "a b c\nhttps\n\n", ""},
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
				t.Fatalf("line %+v: want number %d and start %d", l, i+1, end)
			}
			end = l.End
			if at := l.Start + l.Column - 1; !strings.HasPrefix(text[at:], l.Value) {
				t.Errorf("line %+v: Value is not at Column in %q", l, text)
			}
		}
		if end != len(text) {
			t.Errorf("lines of %q end at %d, want %d", text, end, len(text))
		}
		Parse([]byte(text))
	})
}
