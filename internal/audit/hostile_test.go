package audit

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/testsite"
)

// space is the namespace attribute of a sitemap.
const space = `xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`

// indexOf returns a sitemap index that lists the sitemaps at locs.
func indexOf(locs ...string) string {
	return "<sitemapindex " + space + "><sitemap><loc>" + strings.Join(locs, "</loc></sitemap><sitemap><loc>") + "</loc></sitemap></sitemapindex>"
}

// rawResponse returns a handler that writes texts to the connection as the whole response, without
// a status line or headers of its own. Then it closes or resets the connection.
func rawResponse(reset bool, texts ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer c.Close()
		for _, text := range texts {
			if _, err := io.WriteString(c, text); err != nil {
				return
			}
		}
		if tcp, ok := c.(*net.TCPConn); ok && reset {
			_ = tcp.SetLinger(0)
		}
	}
}

// endless returns a handler that writes head, and then more without end.
func endless(head, more string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		more := []byte(strings.Repeat(more, 1+(64<<10)/len(more)))
		_, err := io.WriteString(w, head)
		for err == nil && r.Context().Err() == nil {
			_, err = w.Write(more)
		}
	}
}

// body returns a handler that writes text.
func body(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }
}

// redirect returns a handler that redirects to the URL to with status 302.
func redirect(to string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusFound)
	}
}

// gzipped returns text compressed with gzip.
func gzipped(text string) string {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	_, _ = io.WriteString(z, text)
	_ = z.Close()
	return b.String()
}

// TestCheckSurvivesHostileServers runs check and diff with hostile servers. The output must name
// the problem. Memory must stay bounded, and another server must get no request.
func TestCheckSurvivesHostileServers(t *testing.T) {
	var elsewhere atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	defer other.Close()
	_, port, _ := net.SplitHostPort(other.Listener.Addr().String())
	const page = "<urlset " + space + "><url><loc>https://example.com/</loc></url></urlset>"
	comment := "<!-- " + strings.Repeat("x", 1000) + " -->"
	bomb := gzipped(`{"x": "`) + strings.Repeat(gzipped(strings.Repeat("x", 1<<20)), 65)
	const ok = "HTTP/1.1 200 OK\r\n"
	for name, tt := range map[string]struct {
		serve        http.HandlerFunc
		want         string // expected text in the output of check and diff
		wantDiff     string // expected text in the output of diff, if it differs; "-" skips diff
		scheme       string // "https" or "h2"; "" means http
		untrusted    bool   // the client does not trust the certificate
		slow         bool   // the server never ends its response, so the time limit applies
		thoroughOnly bool   // check reads 64 MiB like in "endless JSON arrays", so it runs only in a thorough test
	}{
		"endless comments":                {serve: endless("<urlset "+space+">", comment), want: "larger than 64 MiB", wantDiff: "-", thoroughOnly: true},
		"endless JSON string":             {serve: endless(`{"x": "`, "x"), want: "larger than 64 MiB", wantDiff: "JSON of more than 64 MiB", thoroughOnly: true},
		"endless JSON arrays":             {serve: endless(`{"x": `, "["), want: "larger than 64 MiB", wantDiff: "exceeded max depth"},
		"endless line":                    {serve: endless("https://example.com/", "x"), want: "larger than 64 MiB", wantDiff: "line 1 has more than", thoroughOnly: true},
		"endless attribute":               {serve: endless(`<urlset x="`, "x"), want: "larger than 64 MiB", wantDiff: "bytes without an end", thoroughOnly: true},
		"endless headers":                 {serve: rawResponse(false, ok, strings.Repeat("X-A: "+strings.Repeat("x", 1000)+"\r\n", 2000)), want: "server response headers exceeded"},
		"endless header line":             {serve: rawResponse(false, ok, "X-A: ", strings.Repeat("x", 2<<20)), want: "server response headers exceeded"},
		"many cookies":                    {serve: rawResponse(false, ok, strings.Repeat("Set-Cookie: "+strings.Repeat("x", 4000)+"=1\r\n", 500)), want: "server response headers exceeded"},
		"many early hints":                {serve: rawResponse(false, strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", 50_000)), want: "server response headers exceeded"},
		"Content-Length too long":         {serve: rawResponse(false, ok, "Content-Length: 100000\r\n\r\n", page), want: "unexpected EOF"},
		"Content-Length too short":        {serve: rawResponse(false, ok, "Connection: close\r\nContent-Length: 60\r\n\r\n", page), want: "ends inside"},
		"two Content-Lengths":             {serve: rawResponse(false, ok, "Content-Length: 5\r\nContent-Length: 50\r\n\r\n", page), want: "Content-Length"},
		"invalid chunk":                   {serve: rawResponse(false, ok, "Transfer-Encoding: chunked\r\n\r\nzz\r\n", page), want: "chunk"},
		"chunk of 16 EiB":                 {serve: rawResponse(false, ok, "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n", page), want: "chunk"},
		"not HTTP":                        {serve: rawResponse(false, "\x1b[2J\x1b]0;owned\a\r\n\r\n"), want: "malformed HTTP"},
		"HTTP 0.9":                        {serve: rawResponse(false, page), want: "malformed HTTP"},
		"control characters":              {serve: rawResponse(false, "HTTP/1.1 404 \x1b[31m\u202e\u009bgone\r\n\r\n"), want: "the site answers 404 Not Found"},
		"connection reset":                {serve: rawResponse(true, ok, "Content-Length: 100000\r\n\r\n", page), want: "connection reset"},
		"empty response":                  {serve: rawResponse(false), want: "EOF"},
		"no response":                     {serve: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, want: "no complete answer within", slow: true},
		"slow response":                   {serve: serveSlowly, want: "no complete answer within", slow: true},
		"status 206":                      {serve: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(206) }, want: "the site answers 206"},
		"status 999":                      {serve: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(999) }, want: "the site answers 999"},
		"web page":                        {serve: body("<!doctype html><title>Not found</title>"), want: "it is a web page", wantDiff: "it is a web page"},
		"NUL bytes":                       {serve: body(strings.Repeat("\x00", 1<<20)), want: "line 1 has more than 65536 bytes"},
		"NUL bytes in XML":                {serve: body("<urlset " + space + "><url><loc>\x00</loc></url></urlset>"), want: "U+0000"},
		"other charset":                   {serve: body("\xff\xfe" + page), want: "neither XML nor a URL"},
		"unknown charset":                 {serve: body(`<?xml version="1.0" encoding="x-evil"?>` + page), want: "x-evil"},
		"entities":                        {serve: body(`<!DOCTYPE urlset [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "http://127.0.0.1:` + port + `/">]><urlset ` + space + `><url><loc>&b;</loc></url></urlset>`), want: "has declarations"},
		"gzip bomb":                       {serve: body(bomb), want: "larger than 64 MiB", wantDiff: "JSON of more than 64 MiB", thoroughOnly: true},
		"gzip in gzip in gzip":            {serve: body(gzipped(gzipped(gzipped(page)))), want: "compressed with gzip"},
		"gzip bomb with Content-Encoding": {serve: gzipEncoded(bomb), want: "larger than 64 MiB", wantDiff: "JSON of more than 64 MiB", thoroughOnly: true},
		"Content-Encoding without gzip":   {serve: gzipEncoded(page), want: "gzip"},
		"truncated gzip":                  {serve: body(gzipped(page)[:40]), want: "unexpected EOF"},
		"endless empty gzip members":      {serve: endless(gzipped(page), gzipped("")), want: "no complete answer within", slow: true},
		"redirect to itself":              {serve: func(w http.ResponseWriter, r *http.Request) { redirect(r.URL.Path)(w, r) }, want: "redirects again and again"},
		"endless redirects":               {serve: func(w http.ResponseWriter, r *http.Request) { redirect(r.URL.Path+"x")(w, r) }, want: "redirects again and again"},
		"redirect to another port":        {serve: redirect(other.URL + "/"), want: "which is on another port"},
		"redirect to another host":        {serve: redirect("http://localhost:" + port + "/"), want: "which is on another host"},
		"redirect to link-local address":  {serve: redirect("http://169.254.169.254/latest/meta-data/"), want: "which is on another host"},
		"redirect with user name":         {serve: redirect("http://127.0.0.1@localhost:" + port + "/"), want: "which is on another host"},
		"redirect to file URL":            {serve: redirect("file:///etc/passwd"), want: "which is neither http nor https"},
		"redirect to script":              {serve: redirect("javascript:alert(1)"), want: "which is neither http nor https"},
		"redirect to invalid URL":         {serve: redirect("http://[::1"), want: "Location"},
		"redirect of 200 kB":              {serve: redirect("http://localhost/" + strings.Repeat("x", 200<<10)), want: "which is on another host"},
		"redirect from https to http":     {serve: redirect(other.URL + "/"), scheme: "https", want: "which is http, and the page that redirects there is https"},
		"index of itself":                 {serve: serveIndexOfItself, want: "names itself", wantDiff: "lists no URL"},
		"index of 60,000 sitemaps":        {serve: serveLargeIndex, want: "50000", wantDiff: "an index names more than 50000"},
		"children on other hosts":         {serve: body(indexOf(other.URL+"/a.xml", "http://localhost:"+port+"/b.xml", "file:///etc/passwd", "//169.254.169.254/", "http://[::1]:"+port+"/", "http://169.254.169.254/")), want: "is not requested", wantDiff: "lists no URL"},
		"child with URL of 512 KiB":       {serve: body(indexOf("http://127.0.0.1/" + strings.Repeat("x", 1<<19))), want: "which is not an address", wantDiff: "lists no URL"},
		"http child of https index":       {serve: body(indexOf(other.URL + "/a.xml")), scheme: "https", want: "which is http, and the page that redirects there is https", wantDiff: "lists no URL"},
		"untrusted certificate":           {serve: body(page), scheme: "https", untrusted: true, want: "certificate"},
		"aborted HTTP/2 response":         {serve: serveAborted, scheme: "h2", want: "INTERNAL_ERROR"},
		"large HTTP/2 header":             {serve: func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X", strings.Repeat("x", 2<<20)) }, scheme: "h2", want: "COMPRESSION_ERROR"},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewUnstartedServer(tt.serve)
			server.Config.ErrorLog = log.New(io.Discard, "", 0)
			var client *http.Client
			switch {
			case tt.scheme == "":
				server.Start()
			default:
				server.EnableHTTP2 = tt.scheme == "h2"
				server.StartTLS()
				if client = server.Client(); tt.untrusted {
					client.Transport.(*http.Transport).TLSClientConfig = &tls.Config{}
				}
				client.Transport.(*http.Transport).MaxResponseHeaderBytes = 256 << 10
			}
			defer server.Close()
			elsewhere.Store(0)
			o := Options{Client: client, Input: config.Input{Now: time.Now(), Getenv: func(string) string { return "" }, Dir: t.TempDir()}}
			if tt.slow {
				o.Timeout = 50 * time.Millisecond
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if !tt.thoroughOnly || testsite.Repeat(0, 1) == 1 {
				c, err := RunCheck(t.Context(), o, server.URL+"/sitemap.xml")
				if text := visibleText(err, c.Findings.Kinds()); !strings.Contains(text, tt.want) || len(text) > 10_000 {
					t.Errorf("check: got %.1000s, want %q", text, tt.want)
				}
			}
			if want := cmp.Or(tt.wantDiff, tt.want); want != "-" {
				_, err := RunDiff(t.Context(), o, server.URL+"/sitemap.xml", server.URL+"/sitemap.xml")
				if text := visibleText(err, nil); !strings.Contains(text, want) || len(text) > 2000 {
					t.Errorf("diff: got %.1000s, want %q", text, want)
				}
			}
			runtime.ReadMemStats(&after)
			if mib := (after.TotalAlloc - before.TotalAlloc) >> 20; mib > 768 { // of both commands, including garbage and the overhead of the race detector
				t.Errorf("got %d MiB of allocations, want at most 768", mib)
			}
			if n := elsewhere.Load(); n > 0 {
				t.Errorf("the other server got %d requests, want none", n)
			}
		})
	}
}

// visibleText returns the error and the findings as text.
func visibleText(err error, kinds any) string { return fmt.Sprint(err, " ", kinds) }

// serveLargeIndex serves an index that names 60,000 sitemaps, but only three different ones. None
// of them exists.
func serveLargeIndex(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/sitemap.xml" {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	all := make([]string, 60_000)
	for i := range all {
		all[i] = fmt.Sprintf("http://%s/%d.txt", r.Host, i%3)
	}
	body(indexOf(all...))(w, r)
}

// serveIndexOfItself serves an index that lists only its own URL.
func serveIndexOfItself(w http.ResponseWriter, r *http.Request) {
	body(indexOf("http://"+r.Host+r.URL.Path))(w, r)
}

// serveSlowly sends a space every 10 ms without end.
func serveSlowly(w http.ResponseWriter, r *http.Request) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for r.Context().Err() == nil {
		<-tick.C
		_, _ = io.WriteString(w, " ")
		_ = http.NewResponseController(w).Flush()
	}
}

// gzipEncoded returns a handler that sends text with the header Content-Encoding: gzip.
func gzipEncoded(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = io.WriteString(w, text)
	}
}

// serveAborted sends the beginning of a sitemap and aborts the connection.
func serveAborted(w http.ResponseWriter, _ *http.Request) {
	_, _ = io.WriteString(w, "<urlset>")
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}
