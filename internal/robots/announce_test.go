package robots

import (
	"slices"
	"strings"
	"testing"
)

func TestUpdateSitemapLines(t *testing.T) {
	const u1, u2 = "https://example.com/sitemap.xml", "https://example.com/sitemap-index-2.xml"
	ours := func(u string) string { return ownComment + "\nSitemap: " + u + "\n" }
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	cr := func(s string) string { return strings.ReplaceAll(s, "\n", "\r") }
	tests := []struct {
		name, old string
		urls      []string
		want      string
	}{
		{"no file", "", []string{u1}, ours(u1)},
		{"appended", "User-agent: *\nDisallow:\n", []string{u1}, "User-agent: *\nDisallow:\n" + ours(u1)},
		{"no line feed at the end", "User-agent: *", []string{u1}, "User-agent: *\n" + ours(u1)},
		{"carriage returns", "User-agent: *\r\nDisallow:\r\n", []string{u1}, "User-agent: *\r\nDisallow:\r\n" + crlf(ours(u1))},
		{"the user's own line", "sitemap : " + u1 + "  # mine", []string{u1}, "sitemap : " + u1 + "  # mine"},
		{"behind a byte order mark", "\ufeffSitemap: " + u1, []string{u1}, "\ufeffSitemap: " + u1},
		{"the user's other line", "Sitemap: https://a.example/x.xml\n", []string{u1}, "Sitemap: https://a.example/x.xml\n" + ours(u1)},
		{"commented out", "#Sitemap: " + u1 + "\n", []string{u1}, "#Sitemap: " + u1 + "\n" + ours(u1)},
		{"already there", "a\n" + ours(u1), []string{u1}, "a\n" + ours(u1)},
		{"outdated", "a\n" + ours("http://old.example/sitemap.xml") + "b\n", []string{u1}, "a\nb\n" + ours(u1)},
		{"outdated, with carriage returns", crlf("a\n" + ours("http://old.example/") + "b\n"), []string{u1}, crlf("a\nb\n" + ours(u1))},
		{"outdated at the very end", "a\n" + strings.TrimSuffix(ours("http://old.example/"), "\n"), []string{u1}, "a\n" + ours(u1)},
		{"one more", ours(u1) + "b\n", []string{u1, u2}, "b\n" + ours(u1) + ours(u2)},
		{"one less", ours(u1) + "b\n" + ours(u2) + "c\n", []string{u1}, "b\nc\n" + ours(u1)},
		{"twice", ours(u1) + ours(u1), []string{u1}, ours(u1)},
		{"the user's as well", ours(u1) + "Sitemap: " + u1 + "\n", []string{u1}, "Sitemap: " + u1 + "\n"},
		{"a mark without a line", ownComment + "\nUser-agent: *\n", []string{u1}, "User-agent: *\n" + ours(u1)},
		{"carriage returns alone", "User-agent: *\rSitemap: " + u1 + "\r", []string{u1}, "User-agent: *\rSitemap: " + u1 + "\r"},
		{"carriage returns alone, outdated", "a\r" + cr(ours("http://old.example/")) + "b", []string{u1}, "a\rb\r" + cr(ours(u1))},
		{"in Google's other spelling", "site-map: " + u1 + "\n", []string{u1}, "site-map: " + u1 + "\n"},
		{"a development server's", "User-agent: *\nSitemap: http://localhost:3000/sitemap.xml\nb\n", []string{u1}, "User-agent: *\nb\n" + ours(u1)},
		{"a development server's beside the user's", "Sitemap: http://127.0.0.1/a.xml\nSitemap: " + u1 + "\n", []string{u1}, "Sitemap: " + u1 + "\n"},
		{"on a development server", "Sitemap: http://localhost/a.xml\n", []string{"http://localhost/b.xml"}, "Sitemap: http://localhost/a.xml\n" + ours("http://localhost/b.xml")},
		{"no text at all", "\xff\x00\n\n\n", []string{u1}, "\xff\x00\n\n\n" + ours(u1)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := string(UpdateSitemapLines([]byte(tt.old), tt.urls))
			if got != tt.want {
				t.Errorf("got\n%q, want\n%q", got, tt.want)
			}
			if again := string(UpdateSitemapLines([]byte(got), tt.urls)); again != got {
				t.Errorf("a second time it becomes\n%q", again)
			}
		})
	}
}

func FuzzUpdateSitemapLines(f *testing.F) {
	f.Add("User-agent: *\nDisallow:\n" + ownComment + "\nSitemap: https://example.com/sitemap.xml\n")
	f.Add(ownComment + "\n" + ownComment + "\nSitemap: a\nSitemap: b\n")
	f.Add(ownComment + "\n\r")
	f.Add(ownComment + "\r\nSitemap: x\r\nSitemap: https://example.com/sitemap.xml")
	f.Fuzz(func(t *testing.T, old string) {
		urls := []string{"https://example.com/sitemap.xml", "https://example.com/sitemap-index-2.xml"}
		got := string(UpdateSitemapLines([]byte(old), urls))
		if again := string(UpdateSitemapLines([]byte(got), urls)); again != got {
			t.Errorf("%q becomes %q and then %q", old, got, again)
		}
		for _, u := range urls {
			if !strings.Contains(got, u) {
				t.Errorf("%q becomes %q without %s", old, got, u)
			}
		}
		if !strings.Contains(old, ownComment) && !slices.ContainsFunc(SitemapLines([]byte(old)), func(l SitemapLine) bool { return l.IsLocal() }) && !strings.HasPrefix(got, old) {
			t.Errorf("%q becomes %q", old, got)
		}
	})
}
