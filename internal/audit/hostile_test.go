package audit

import (
	"bytes"
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

// raw returns a handler that writes texts to the connection without HTTP headers, and then closes
// or resets the connection.
func raw(reset bool, texts ...string) http.HandlerFunc {
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

// pack returns text compressed with gzip.
func pack(text string) string {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	_, _ = io.WriteString(z, text)
	_ = z.Close()
	return b.String()
}

// TestCheckSurvivesHostileServers lets check and diff read from hostile servers. The message names
// the problem, memory stays bounded, and no other server gets a request.
func TestCheckSurvivesHostileServers(t *testing.T) {
	var elsewhere atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	defer other.Close()
	_, port, _ := net.SplitHostPort(other.Listener.Addr().String())
	const page = "<urlset " + space + "><url><loc>https://example.com/</loc></url></urlset>"
	comment := "<!-- " + strings.Repeat("x", 1000) + " -->"
	bomb := pack(`{"x": "`) + strings.Repeat(pack(strings.Repeat("x", 1<<20)), 65)
	const ok = "HTTP/1.1 200 OK\r\n"
	for name, tt := range map[string]struct {
		serve   http.HandlerFunc
		says    string // expected text in the output of check and diff
		diff    string // expected text of diff, if it differs; "-" skips diff
		scheme  string // "https" or "h2"; "" means http
		strange bool   // the client does not trust the certificate
		slow    bool   // the server never ends its response, so the time limit applies
		alike   bool   // like "endless JSON arrays": check reads 64 MiB, so it runs only in a thorough test
	}{
		"endless comments":             {serve: endless("<urlset "+space+">", comment), says: "larger than 64 MiB", diff: "-", alike: true},
		"endless JSON string":          {serve: endless(`{"x": "`, "x"), says: "larger than 64 MiB", diff: "JSON of more than 64 MiB", alike: true},
		"endless JSON arrays":          {serve: endless(`{"x": `, "["), says: "larger than 64 MiB", diff: "exceeded max depth"},
		"endless line":                 {serve: endless("https://example.com/", "x"), says: "larger than 64 MiB", diff: "line 1 has more than", alike: true},
		"endless attribute":            {serve: endless(`<urlset x="`, "x"), says: "larger than 64 MiB", diff: "bytes without an end", alike: true},
		"endless headers":              {serve: raw(false, ok, strings.Repeat("X-A: "+strings.Repeat("x", 1000)+"\r\n", 2000)), says: "server response headers exceeded"},
		"endless header line":          {serve: raw(false, ok, "X-A: ", strings.Repeat("x", 2<<20)), says: "server response headers exceeded"},
		"a flood of cookies":           {serve: raw(false, ok, strings.Repeat("Set-Cookie: "+strings.Repeat("x", 4000)+"=1\r\n", 500)), says: "server response headers exceeded"},
		"a flood of early hints":       {serve: raw(false, strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", 50_000)), says: "server response headers exceeded"},
		"too long a Content-Length":    {serve: raw(false, ok, "Content-Length: 100000\r\n\r\n", page), says: "unexpected EOF"},
		"too short a Content-Length":   {serve: raw(false, ok, "Connection: close\r\nContent-Length: 60\r\n\r\n", page), says: "ends inside"},
		"two Content-Lengths":          {serve: raw(false, ok, "Content-Length: 5\r\nContent-Length: 50\r\n\r\n", page), says: "Content-Length"},
		"chunks that are none":         {serve: raw(false, ok, "Transfer-Encoding: chunked\r\n\r\nzz\r\n", page), says: "chunk"},
		"a chunk of 16 EiB":            {serve: raw(false, ok, "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n", page), says: "chunk"},
		"no HTTP":                      {serve: raw(false, "\x1b[2J\x1b]0;owned\a\r\n\r\n"), says: "malformed HTTP"},
		"HTTP 0.9":                     {serve: raw(false, page), says: "malformed HTTP"},
		"control characters":           {serve: raw(false, "HTTP/1.1 404 \x1b[31m\u202e\u009bgone\r\n\r\n"), says: "the site answers 404 Not Found"},
		"a connection that is reset":   {serve: raw(true, ok, "Content-Length: 100000\r\n\r\n", page), says: "connection reset"},
		"nothing at all":               {serve: raw(false), says: "EOF"},
		"silence":                      {serve: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, says: "no complete answer within", slow: true},
		"a slow drip":                  {serve: drip, says: "no complete answer within", slow: true},
		"206":                          {serve: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(206) }, says: "the site answers 206"},
		"999":                          {serve: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(999) }, says: "the site answers 999"},
		"200 with a page":              {serve: body("<!doctype html><title>Not found</title>"), says: "it is a web page", diff: "it is a web page"},
		"NUL bytes":                    {serve: body(strings.Repeat("\x00", 1<<20)), says: "line 1 has more than 65536 bytes"},
		"NUL bytes in XML":             {serve: body("<urlset " + space + "><url><loc>\x00</loc></url></urlset>"), says: "U+0000"},
		"another charset":              {serve: body("\xff\xfe" + page), says: "neither XML nor a URL"},
		"a charset of none":            {serve: body(`<?xml version="1.0" encoding="x-evil"?>` + page), says: "x-evil"},
		"entities":                     {serve: body(`<!DOCTYPE urlset [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "http://127.0.0.1:` + port + `/">]><urlset ` + space + `><url><loc>&b;</loc></url></urlset>`), says: "has declarations"},
		"a gzip bomb":                  {serve: body(bomb), says: "larger than 64 MiB", diff: "JSON of more than 64 MiB", alike: true},
		"gzip in gzip in gzip":         {serve: body(pack(pack(pack(page)))), says: "compressed with gzip"},
		"gzip bomb by the header":      {serve: encoded(bomb), says: "larger than 64 MiB", diff: "JSON of more than 64 MiB", alike: true},
		"gzip by the header and not":   {serve: encoded(page), says: "gzip"},
		"gzip that is cut":             {serve: body(pack(page)[:40]), says: "unexpected EOF"},
		"gzip of nothing for ever":     {serve: endless(pack(page), pack("")), says: "no complete answer within", slow: true},
		"a redirect to itself":         {serve: func(w http.ResponseWriter, r *http.Request) { redirect(r.URL.Path)(w, r) }, says: "redirects again and again"},
		"redirects without an end":     {serve: func(w http.ResponseWriter, r *http.Request) { redirect(r.URL.Path+"x")(w, r) }, says: "redirects again and again"},
		"a redirect to another port":   {serve: redirect(other.URL + "/"), says: "which is on another port"},
		"a redirect to another name":   {serve: redirect("http://localhost:" + port + "/"), says: "which is on another host"},
		"a redirect to this network":   {serve: redirect("http://169.254.169.254/latest/meta-data/"), says: "which is on another host"},
		"a redirect by a user":         {serve: redirect("http://127.0.0.1@localhost:" + port + "/"), says: "which is on another host"},
		"a redirect to a file":         {serve: redirect("file:///etc/passwd"), says: "which is neither http nor https"},
		"a redirect to a script":       {serve: redirect("javascript:alert(1)"), says: "which is neither http nor https"},
		"a redirect to no address":     {serve: redirect("http://[::1"), says: "Location"},
		"a redirect of 200 kB":         {serve: redirect("http://localhost/" + strings.Repeat("x", 200<<10)), says: "which is on another host"},
		"a redirect to http":           {serve: redirect(other.URL + "/"), scheme: "https", says: "which is http, while what leads there is https"},
		"an index of itself":           {serve: itself, says: "names itself", diff: "lists no URL"},
		"an index of 60,000":           {serve: many, says: "50000", diff: "an index names more than 50000"},
		"children elsewhere":           {serve: body(indexOf(other.URL+"/a.xml", "http://localhost:"+port+"/b.xml", "file:///etc/passwd", "//169.254.169.254/", "http://[::1]:"+port+"/", "http://169.254.169.254/")), says: "is not requested", diff: "lists no URL"},
		"a child of 1 MB":              {serve: body(indexOf("http://127.0.0.1/" + strings.Repeat("x", 1<<19))), says: "which is not an address", diff: "lists no URL"},
		"a child by http":              {serve: body(indexOf(other.URL + "/a.xml")), scheme: "https", says: "which is http, while what leads there is https", diff: "lists no URL"},
		"an unknown certificate":       {serve: body(page), scheme: "https", strange: true, says: "certificate"},
		"HTTP/2 that is cut":           {serve: cut, scheme: "h2", says: "INTERNAL_ERROR"},
		"HTTP/2 with a header too big": {serve: func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X", strings.Repeat("x", 2<<20)) }, scheme: "h2", says: "COMPRESSION_ERROR"},
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
				if client = server.Client(); tt.strange {
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
			if !tt.alike || testsite.Repeat(0, 1) == 1 {
				c, err := RunCheck(t.Context(), o, server.URL+"/sitemap.xml")
				if text := told(err, c.Findings.Kinds()); !strings.Contains(text, tt.says) || len(text) > 10_000 {
					t.Errorf("check says %.1000s, want %q", text, tt.says)
				}
			}
			if says := tt.diff; says != "-" {
				if says == "" {
					says = tt.says
				}
				_, err := RunDiff(t.Context(), o, server.URL+"/sitemap.xml", server.URL+"/sitemap.xml")
				if text := told(err, nil); !strings.Contains(text, says) || len(text) > 2000 {
					t.Errorf("diff says %.1000s, want %q", text, says)
				}
			}
			runtime.ReadMemStats(&after)
			if mib := (after.TotalAlloc - before.TotalAlloc) >> 20; mib > 768 { // both commands, with garbage and the overhead of the race detector
				t.Errorf("%d MiB were allocated", mib)
			}
			if n := elsewhere.Load(); n > 0 {
				t.Errorf("another server was asked %d times", n)
			}
		})
	}
}

// told returns all text that the user would see.
func told(err error, kinds any) string { return fmt.Sprint(err, " ", kinds) }

// many serves an index that names 60,000 sitemaps, but only three different ones. None of them
// exists.
func many(w http.ResponseWriter, r *http.Request) {
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

// itself serves an index that lists only its own URL.
func itself(w http.ResponseWriter, r *http.Request) {
	body(indexOf("http://"+r.Host+r.URL.Path))(w, r)
}

// drip sends a space every 10 ms without end.
func drip(w http.ResponseWriter, r *http.Request) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for r.Context().Err() == nil {
		<-tick.C
		_, _ = io.WriteString(w, " ")
		_ = http.NewResponseController(w).Flush()
	}
}

// encoded returns a handler that sends text with the header Content-Encoding: gzip.
func encoded(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = io.WriteString(w, text)
	}
}

// cut sends the beginning of a sitemap and aborts the connection.
func cut(w http.ResponseWriter, _ *http.Request) {
	_, _ = io.WriteString(w, "<urlset>")
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}
