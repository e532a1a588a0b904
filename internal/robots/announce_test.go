package robots

import (
	"slices"
	"strings"
	"testing"
)

func TestUpdateSitemapLines(t *testing.T) {
	const u1, u2 = "https://example.com/sitemap.xml", "https://example.com/sitemap-index-2.xml"
	announce := func(u string) string { return ownComment + "\nSitemap: " + u + "\n" }
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	cr := func(s string) string { return strings.ReplaceAll(s, "\n", "\r") }
	tests := []struct {
		name, old string
		urls      []string
		want      string
	}{
		{"no file", "", []string{u1}, announce(u1)},
		{"file without Sitemap line", "User-agent: *\nDisallow:\n", []string{u1}, "User-agent: *\nDisallow:\n" + announce(u1)},
		{"no line feed at the end", "User-agent: *", []string{u1}, "User-agent: *\n" + announce(u1)},
		{"CRLF", "User-agent: *\r\nDisallow:\r\n", []string{u1}, "User-agent: *\r\nDisallow:\r\n" + crlf(announce(u1))},
		{"Sitemap line of the user", "sitemap : " + u1 + "  # mine", []string{u1}, "sitemap : " + u1 + "  # mine"},
		{"byte order mark", "\ufeffSitemap: " + u1, []string{u1}, "\ufeffSitemap: " + u1},
		{"Sitemap line of the user for another sitemap", "Sitemap: https://a.example/x.xml\n", []string{u1}, "Sitemap: https://a.example/x.xml\n" + announce(u1)},
		{"comment", "#Sitemap: " + u1 + "\n", []string{u1}, "#Sitemap: " + u1 + "\n" + announce(u1)},
		{"own line", "a\n" + announce(u1), []string{u1}, "a\n" + announce(u1)},
		{"outdated own line", "a\n" + announce("http://old.example/sitemap.xml") + "b\n", []string{u1}, "a\nb\n" + announce(u1)},
		{"outdated own line with CRLF", crlf("a\n" + announce("http://old.example/") + "b\n"), []string{u1}, crlf("a\nb\n" + announce(u1))},
		{"outdated own line without line feed", "a\n" + strings.TrimSuffix(announce("http://old.example/"), "\n"), []string{u1}, "a\n" + announce(u1)},
		{"additional sitemap", announce(u1) + "b\n", []string{u1, u2}, "b\n" + announce(u1) + announce(u2)},
		{"removed sitemap", announce(u1) + "b\n" + announce(u2) + "c\n", []string{u1}, "b\nc\n" + announce(u1)},
		{"duplicate own line", announce(u1) + announce(u1), []string{u1}, announce(u1)},
		{"own line and line of the user", announce(u1) + "Sitemap: " + u1 + "\n", []string{u1}, "Sitemap: " + u1 + "\n"},
		{"own comment without a Sitemap line", ownComment + "\nUser-agent: *\n", []string{u1}, "User-agent: *\n" + announce(u1)},
		{"CR only", "User-agent: *\rSitemap: " + u1 + "\r", []string{u1}, "User-agent: *\rSitemap: " + u1 + "\r"},
		{"outdated own line with CR only", "a\r" + cr(announce("http://old.example/")) + "b", []string{u1}, "a\rb\r" + cr(announce(u1))},
		{"site-map", "site-map: " + u1 + "\n", []string{u1}, "site-map: " + u1 + "\n"},
		{"line of a development server", "User-agent: *\nSitemap: http://localhost:3000/sitemap.xml\nb\n", []string{u1}, "User-agent: *\nb\n" + announce(u1)},
		{"lines of a development server and the user", "Sitemap: http://127.0.0.1/a.xml\nSitemap: " + u1 + "\n", []string{u1}, "Sitemap: " + u1 + "\n"},
		{"sitemap of a development server", "Sitemap: http://localhost/a.xml\n", []string{"http://localhost/b.xml"}, "Sitemap: http://localhost/a.xml\n" + announce("http://localhost/b.xml")},
		{"binary file", "\xff\x00\n\n\n", []string{u1}, "\xff\x00\n\n\n" + announce(u1)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := string(UpdateSitemapLines([]byte(tt.old), tt.urls))
			if got != tt.want {
				t.Errorf("got\n%q\nwant\n%q", got, tt.want)
			}
			if again := string(UpdateSitemapLines([]byte(got), tt.urls)); again != got {
				t.Errorf("second update: got\n%q\nwant\n%q", again, got)
			}
		})
	}
}

// FuzzUpdateSitemapLines checks that the result contains all URLs, and that a second update
// changes nothing. If no line is removed, the result must begin with the old content.
func FuzzUpdateSitemapLines(f *testing.F) {
	f.Add("User-agent: *\nDisallow:\n" + ownComment + "\nSitemap: https://example.com/sitemap.xml\n")
	f.Add(ownComment + "\n" + ownComment + "\nSitemap: a\nSitemap: b\n")
	f.Add(ownComment + "\n\r")
	f.Add(ownComment + "\r\nSitemap: x\r\nSitemap: https://example.com/sitemap.xml")
	f.Fuzz(func(t *testing.T, old string) {
		urls := []string{"https://example.com/sitemap.xml", "https://example.com/sitemap-index-2.xml"}
		got := string(UpdateSitemapLines([]byte(old), urls))
		if again := string(UpdateSitemapLines([]byte(got), urls)); again != got {
			t.Errorf("second update of %q: got %q, want %q", old, again, got)
		}
		for _, u := range urls {
			if !strings.Contains(got, u) {
				t.Errorf("update of %q: got %q, which does not contain %s", old, got, u)
			}
		}
		if !strings.Contains(old, ownComment) && !slices.ContainsFunc(SitemapLines([]byte(old)), func(l SitemapLine) bool { return l.IsLocal() }) && !strings.HasPrefix(got, old) {
			t.Errorf("update of %q: got %q, which does not begin with the old content", old, got)
		}
	})
}
