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

// gzipped returns s compressed with gzip.
func gzipped(t *testing.T, s string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(s))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// readLedger calls Read and checks the day of the page /a/ and the codes of the findings. If
// wantErr is set, Read must return an error that contains wantErr.
func readLedger(t *testing.T, from string, o ledger.ReadOptions, day, wantErr, codes string) {
	t.Helper()
	var findings diag.Report
	l, err := ledger.Read(t.Context(), from, o, &findings)
	if err != nil {
		if wantErr == "" || !strings.Contains(err.Error(), wantErr) {
			t.Errorf("got error %q, want %q", err, wantErr)
		}
		return
	}
	var got []string
	for _, k := range findings.Kinds() {
		got = append(got, k.Code)
	}
	if strings.Join(got, " ") != codes {
		t.Errorf("got findings %v, want %s", findings.Kinds(), codes)
	}
	if date, _ := l.Date("/a/"); wantErr != "" || date.String() != day {
		t.Errorf("got day %q, want %q, want error %q", date, day, wantErr)
	}
}

// writeLedger writes a ledger file and returns its path.
func writeLedger(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sitemap.ledger")
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadFile(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none")
	readLedger(t, writeLedger(t, file), ledger.ReadOptions{}, "2024-01-02", "", "")
	readLedger(t, writeLedger(t, gzipped(t, file)), ledger.ReadOptions{}, "2024-01-02", "", "")
	readLedger(t, missing, ledger.ReadOptions{}, "", "", "ledger-first-run")
	readLedger(t, t.TempDir(), ledger.ReadOptions{}, "", "it is a folder, not a regular file; nothing is written", "")
	readLedger(t, writeLedger(t, "# Read me\n"), ledger.ReadOptions{}, "", "it is not a ledger", "")
	readLedger(t, writeLedger(t, "# Read me\n"), ledger.ReadOptions{Continue: true}, "", "", "ledger-unread")
	readLedger(t, writeLedger(t, file), ledger.ReadOptions{MaxBytes: 20}, "", "larger than a ledger may be", "")
	readLedger(t, writeLedger(t, gzipped(t, strings.Repeat(file, 1000))), ledger.ReadOptions{MaxBytes: 5000}, "", "larger than a ledger may be", "")
	readLedger(t, writeLedger(t, gzipped(t, file)[:30]), ledger.ReadOptions{}, "", "unexpected EOF", "")
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
			t.Errorf("got request headers %v", r.Header)
		}
		fmt.Fprint(w, file)
	})
	mux.HandleFunc("/gzip", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		fmt.Fprint(w, gzipped(t, file))
	})
	mux.HandleFunc("/file.gz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, gzipped(t, file)) })
	mux.HandleFunc("/bomb", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		fmt.Fprint(w, gzipped(t, strings.Repeat("x", 1<<20)))
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
	t.Cleanup(func() { close(done) }) // before Close, which waits for the handlers
	for path, want := range map[string]struct{ day, err, codes string }{
		"/ok": {day: "2024-01-02"}, "/gzip": {day: "2024-01-02"}, "/file.gz": {day: "2024-01-02"}, "/here": {day: "2024-01-02"},
		"/none": {codes: "ledger-first-run"}, "/410": {codes: "ledger-first-run"},
		"/html":    {err: "it is a web page, not a ledger; nothing is written"},
		"/500":     {err: "the site answers 500 Internal Server Error"},
		"/204":     {err: "the site answers 204"},
		"/away":    {err: "on another host; write that address if it is yours"},
		"/loop":    {err: "redirects again and again"},
		"/bomb":    {err: "larger than a ledger may be"},
		"/slow":    {err: "no complete answer within"},
		"/drip":    {err: "no complete answer within"},
		"/endless": {err: "larger than a ledger may be"},
		"/torn":    {err: "unexpected EOF"},
	} {
		t.Run(path[1:], func(t *testing.T) {
			t.Parallel()
			o := ledger.ReadOptions{Timeout: 10 * time.Second, MaxBytes: 100_000}
			if strings.HasPrefix(want.err, "no complete answer") {
				o.Timeout = time.Duration(testsite.Repeat(60, 300)) * time.Millisecond
			}
			readLedger(t, s.URL+path, o, want.day, want.err, want.codes)
			if want.err == "" {
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
	readLedger(t, s.URL+"/down", o, "", "which is http, and the page that redirects there is https", "")
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
		t.Errorf("got findings %v, error %v, want one finding without the password", kinds, err)
	}
	s.Close()
	if _, err = ledger.Read(t.Context(), from, ledger.ReadOptions{}, &findings); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("got error %v, want one without the password", err)
	}
}

func TestReadStopsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := ledger.Read(ctx, "http://127.0.0.1:1/", ledger.ReadOptions{Continue: true}, new(diag.Report))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want context.Canceled", err)
	}
}
