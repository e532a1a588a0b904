package cli

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"unicode"
)

// TestOutputEscapesServerText checks that the output of commands contains no control characters
// from the responses of a server.
func TestOutputEscapesServerText(t *testing.T) {
	const evil = "\x1b[2J\x1b]0;owned\a\u009b31m\u202e\u2066\r\n::error::x\x00"
	answers := map[string]string{
		"/text":     evil + "\n",
		"/json":     `{"pages": [{"url": "https://example.com/\u001b[2J\u202e\u009b", "listed": true, "lastmod": "\u001b[2J"}, {"url": "\u001b]0;x\u0007", "listed": true}]}`,
		"/keys":     `{"pages": {"\u001b[2J": 1}}`,
		"/xml":      "<urlset xmlns=\"\u202e\u009b\"><url><loc>https://example.com/\u202e\u009b&#x202e;</loc><x\u202e>&#x9b;</x\u202e><lastmod>\u202e\u009b31m</lastmod></url><\u202e/></urlset>",
		"/index":    "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><sitemap><loc>https://\u202e\u009b31m.example/</loc></sitemap><sitemap><loc>\u2066</loc></sitemap></sitemapindex>",
		"/encoding": "<?xml version=\"1.0\" encoding=\"\x1b[2J\"?><urlset/>",
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if text, ok := answers[r.URL.Path]; ok {
			_, _ = io.WriteString(w, text)
			return
		}
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer c.Close()
		_, _ = io.WriteString(c, map[string]string{
			"/status":   "HTTP/1.1 500 " + strings.ReplaceAll(evil, "\r\n", "") + "\r\n\r\n",
			"/location": "HTTP/1.1 302 Found\r\nLocation: https://\u202eevil\u009b31m.example/\u202e\r\n\r\n",
			"/garbage":  evil,
			"/header":   "HTTP/1.1 200 OK\r\nX\x1b[2J\u202e\r\n\r\n",
			"/more":     "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n" + evil,
		}[r.URL.Path])
	}))
	defer server.Close()
	for _, path := range strings.Fields("/text /json /keys /xml /index /encoding /status /location /garbage /header /more") {
		for _, args := range [][]string{{"check", server.URL + path}, {"check", "-v", "--report", "github", server.URL + path}, {"diff", server.URL + path, server.URL + path}} {
			var out bytes.Buffer
			Run(t.Context(), Env{Args: args, Stdout: &out, Stderr: &out, Getenv: func(string) string { return "" }, Dir: t.TempDir(), Now: time.Now})
			if i := strings.IndexFunc(out.String(), func(r rune) bool {
				return r != '\n' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
			}); i >= 0 || out.Len() == 0 || out.Len() > 10_000 {
				t.Errorf("%s: got control character at byte %d, or an empty or large output: %q", args, i, out.String())
			}
		}
	}
}
