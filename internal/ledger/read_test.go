package ledger_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/internal/testsite"
)

const file = "# sitewalk ledger 1\n# fingerprint 1\n/a/ A 2024-01-02\n# end\n"

func packed(t *testing.T, s string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(s))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// readLedger compares the result of Read with the expected day of the page /a/, or an error that
// contains fails, and with the codes of the findings.
func readLedger(t *testing.T, from string, o ledger.ReadOptions, day, fails, codes string) {
	t.Helper()
	var findings diag.Report
	l, err := ledger.Read(t.Context(), from, o, &findings)
	if err != nil {
		if fails == "" || !strings.Contains(err.Error(), fails) {
			t.Errorf("error %q, want %q", err, fails)
		}
		return
	}
	var got []string
	for _, k := range findings.Kinds() {
		got = append(got, k.Code)
	}
	if strings.Join(got, " ") != codes {
		t.Errorf("findings %v, want %s", findings.Kinds(), codes)
	}
	if date, _ := l.Date("/a/"); fails != "" || date.String() != day {
		t.Errorf("day %q, want %q, error %q", date, day, fails)
	}
}

func put(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sitemap.ledger")
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadFile(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none")
	readLedger(t, put(t, file), ledger.ReadOptions{}, "2024-01-02", "", "")
	readLedger(t, put(t, packed(t, file)), ledger.ReadOptions{}, "2024-01-02", "", "")
	readLedger(t, missing, ledger.ReadOptions{}, "", "", "ledger-first-run")
	readLedger(t, t.TempDir(), ledger.ReadOptions{}, "", "it is a folder, not a regular file; nothing is written", "")
	readLedger(t, put(t, "# Read me\n"), ledger.ReadOptions{}, "", "it is not a ledger", "")
	readLedger(t, put(t, "# Read me\n"), ledger.ReadOptions{Continue: true}, "", "", "ledger-unread")
	readLedger(t, put(t, file), ledger.ReadOptions{MaxBytes: 20}, "", "larger than a ledger may be", "")
	readLedger(t, put(t, packed(t, strings.Repeat(file, 1000))), ledger.ReadOptions{MaxBytes: 5000}, "", "larger than a ledger may be", "")
	readLedger(t, put(t, packed(t, file)[:30]), ledger.ReadOptions{}, "", "unexpected EOF", "")
	readLedger(t, "ftp://example.com/l", ledger.ReadOptions{}, "", `"ftp" is neither http nor https`, "")
	readLedger(t, "http://exa mple/\n", ledger.ReadOptions{}, "", "invalid", "")
}

func TestReadURL(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, file) }))
	t.Cleanup(other.Close)
	done := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/ok", func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.Header.Get("User-Agent"), "sitewalk (+https://") || r.Header.Get("Cache-Control") != "no-cache" {
			t.Errorf("headers %v", r.Header)
		}
		fmt.Fprint(w, file)
	})
	mux.HandleFunc("/gzip", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		fmt.Fprint(w, packed(t, file))
	})
	mux.HandleFunc("/file.gz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, packed(t, file)) })
	mux.HandleFunc("/bomb", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		fmt.Fprint(w, packed(t, strings.Repeat("x", 1<<20)))
	})
	mux.HandleFunc("/html", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<!doctype html><p>Hello") })
	mux.HandleFunc("/500", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, file, http.StatusInternalServerError) })
	mux.HandleFunc("/410", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "gone", http.StatusGone) })
	mux.HandleFunc("/204", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/here", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/ok", http.StatusFound) })
	mux.HandleFunc("/loop", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/loop", http.StatusMovedPermanently)
	})
	mux.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, strings.Replace(other.URL, "127.0.0.1", "localhost", 1), http.StatusMovedPermanently)
	})
	mux.HandleFunc("/slow", func(http.ResponseWriter, *http.Request) { <-done })
	mux.HandleFunc("/drip", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, file)
		w.(http.Flusher).Flush()
		<-done
	})
	mux.HandleFunc("/endless", func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := fmt.Fprint(w, strings.Repeat("/a/ A 2024-01-02\n", 1000)); err != nil {
				return
			}
		}
	})
	mux.HandleFunc("/torn", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		fmt.Fprint(w, file)
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(done) }) // before Close, which waits for the answers
	for path, want := range map[string]struct{ day, fails, codes string }{
		"/ok": {day: "2024-01-02"}, "/gzip": {day: "2024-01-02"}, "/file.gz": {day: "2024-01-02"}, "/here": {day: "2024-01-02"},
		"/none": {codes: "ledger-first-run"}, "/410": {codes: "ledger-first-run"},
		"/html":    {fails: "it is a web page, not a ledger; nothing is written"},
		"/500":     {fails: "the site answers 500 Internal Server Error"},
		"/204":     {fails: "the site answers 204"},
		"/away":    {fails: "on another host; write that address if it is yours"},
		"/loop":    {fails: "redirects again and again"},
		"/bomb":    {fails: "larger than a ledger may be"},
		"/slow":    {fails: "no complete answer within"},
		"/drip":    {fails: "no complete answer within"},
		"/endless": {fails: "larger than a ledger may be"},
		"/torn":    {fails: "unexpected EOF"},
	} {
		t.Run(path[1:], func(t *testing.T) {
			t.Parallel()
			o := ledger.ReadOptions{Timeout: 10 * time.Second, MaxBytes: 100_000}
			if strings.HasPrefix(want.fails, "no complete answer") {
				o.Timeout = time.Duration(testsite.Repeat(60, 300)) * time.Millisecond
			}
			readLedger(t, s.URL+path, o, want.day, want.fails, want.codes)
			if want.fails == "" {
				return
			}
			o.Continue = true
			readLedger(t, s.URL+path, o, "", "", "ledger-unread")
		})
	}
}

func TestReadURLChecksTLS(t *testing.T) {
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, file) }))
	defer plain.Close()
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/down" {
			http.Redirect(w, r, plain.URL, http.StatusFound)
		}
		fmt.Fprint(w, file)
	}))
	defer s.Close()
	o := ledger.ReadOptions{Client: s.Client()}
	readLedger(t, s.URL+"/", o, "2024-01-02", "", "")
	readLedger(t, s.URL+"/down", o, "", "which is http, while what leads there is https", "")
	readLedger(t, s.URL+"/", ledger.ReadOptions{}, "", "certificate", "")
}

func TestReadReportsRefusedConnection(t *testing.T) {
	s := httptest.NewServer(nil)
	s.Close()
	readLedger(t, s.URL, ledger.ReadOptions{}, "", "refused", "")
}

func TestReadHidesPasswords(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	defer s.Close()
	from := strings.Replace(s.URL, "http://", "http://me:secret@", 1)
	var findings diag.Report
	_, err := ledger.Read(t.Context(), from, ledger.ReadOptions{}, &findings)
	if kinds := findings.Kinds(); err != nil || len(kinds) != 1 || strings.Contains(fmt.Sprint(kinds), "secret") {
		t.Errorf("%v %v", kinds, err)
	}
	s.Close()
	if _, err = ledger.Read(t.Context(), from, ledger.ReadOptions{}, &findings); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("error %v", err)
	}
}

func TestReadStopsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := ledger.Read(ctx, "http://127.0.0.1:1/", ledger.ReadOptions{Continue: true}, new(diag.Report))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
