package scripts

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// startLiveServer serves the folder "live" of a script at $LIVE. The first segment of the path
// selects the behaviour of the server, such as an error or a redirect.
func startLiveServer(env *testscript.Env) {
	files := http.FileServer(http.Dir(filepath.Join(env.WorkDir, "live")))
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	env.Defer(server.Close)
	env.Setenv("LIVE", server.URL)
	mux.Handle("/", files)
	mux.HandleFunc("/410/", respondWith(http.StatusGone, "gone"))
	mux.HandleFunc("/500/", respondWith(http.StatusInternalServerError, "sorry"))
	mux.HandleFunc("/501/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "3600") // longer than the timeout, so sitewalk does not retry
		respondWith(http.StatusNotImplemented, "sorry")(w, r)
	})
	mux.HandleFunc("/html/", respondWith(http.StatusOK, "<!doctype html><title>Welcome</title>"))
	mux.HandleFunc("/loop/", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Path+"x", http.StatusFound)
	})
	mux.HandleFunc("/moved/", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, strings.TrimPrefix(r.URL.Path, "/moved"), http.StatusMovedPermanently)
	})
	mux.HandleFunc("/elsewhere/", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://elsewhere.invalid/sitemap.ledger", http.StatusFound)
	})
	mux.HandleFunc("/gzip/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		z := gzip.NewWriter(w)
		defer z.Close()
		http.ServeFile(gzipWriter{w, z}, r, filepath.Join(env.WorkDir, "live", filepath.Base(r.URL.Path)))
	})
	mux.HandleFunc("/google/", newSearchConsole(env.WorkDir))
	mux.HandleFunc("/soft/", func(w http.ResponseWriter, r *http.Request) { // every path is a page
		name := filepath.Base(r.URL.Path)
		if name != "sitemap.xml" {
			name = "index.html"
		}
		src, _ := os.ReadFile(filepath.Join(env.WorkDir, "live", name))
		_, _ = w.Write(src)
	})
	mux.HandleFunc("/locked/", func(w http.ResponseWriter, r *http.Request) { // like "/", but requires a token
		if r.Header.Get("Authorization") != "Bearer token" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		http.StripPrefix("/locked", files).ServeHTTP(w, r)
	})
	mux.HandleFunc("/403/", respondWith(http.StatusForbidden, "no"))
	mux.HandleFunc("/header/", func(w http.ResponseWriter, r *http.Request) { // "/header/NAME:VALUE/…" is a page with this header; a "|" in VALUE becomes "/"
		name, value, _ := strings.Cut(strings.Split(r.URL.Path, "/")[2], ":")
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set(name, strings.ReplaceAll(value, "|", "/"))
		_, _ = io.WriteString(w, "<!doctype html><title>A page</title><p>Text")
	})
	mux.HandleFunc("/torn/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		_, _ = w.Write([]byte("# sitewalk ledger 1\n"))
	})
}

// newSearchConsole returns a fake Search Console API for $LIVE/google. The file live/google/sites
// lists the properties of the account, and live/google/sitemap is the state of every sitemap. The
// API appends the submissions to the file requests.log.
func newSearchConsole(dir string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		name := "sites"
		if strings.Contains(r.URL.EscapedPath(), "/sitemaps/") {
			name = "sitemap"
		}
		body, err := os.ReadFile(filepath.Join(dir, "live", "google", name))
		switch {
		case r.Header.Get("Authorization") != "Bearer a-token-of-ci":
			w.WriteHeader(http.StatusUnauthorized)
		case r.Method == http.MethodPut:
			if f, err := os.OpenFile(filepath.Join(dir, "requests.log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err == nil {
				fmt.Fprintf(f, "%s %s\n", r.Method, r.URL.EscapedPath())
				_ = f.Close()
			}
			return
		case err != nil:
			w.WriteHeader(http.StatusNotFound)
		default:
			_, _ = w.Write(body)
			return
		}
		fmt.Fprint(w, `{"error": {"message": "no", "status": "NO"}}`)
	}
}

// startProxy starts a proxy that answers the requests to all hosts. It serves http://HOST/ from the
// folder live/HOST. A path that ends in /indexnow is a fake IndexNow engine: the path before it
// selects the response, and the engine appends its requests to the file requests.log.
func startProxy(env *testscript.Env) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodConnect {
			w.WriteHeader(http.StatusNotImplemented)
			return
		}
		if strings.HasSuffix(r.URL.Host, ".invalid") {
			panic(http.ErrAbortHandler) // the host does not exist
		}
		response, isEngine := strings.CutSuffix(r.URL.Path, "/indexnow")
		if !isEngine {
			http.FileServer(http.Dir(filepath.Join(env.WorkDir, "live", r.URL.Host))).ServeHTTP(w, r)
			return
		}
		body, _ := io.ReadAll(r.Body)
		f, err := os.OpenFile(filepath.Join(env.WorkDir, "requests.log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err == nil {
			fmt.Fprintf(f, "%s %s %s\n", r.Method, r.URL, body)
			err = f.Close()
		}
		switch {
		case err != nil:
			w.WriteHeader(http.StatusTeapot)
		case response == "/403":
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, `{"errorCode":"UserForbiddedToAccessSite"}`)
		case response == "/later":
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusTooManyRequests)
		case response == "/new":
			w.WriteHeader(http.StatusAccepted)
		}
	}))
	env.Defer(server.Close)
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY"} {
		env.Setenv(name, server.URL)
	}
}

// expand implements "expand FROM TO": it writes FROM to TO with the environment variables expanded.
func expand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: expand FROM TO")
	}
	text := os.Expand(ts.ReadFile(args[0]), ts.Getenv)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o644))
}

func respondWith(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

// A gzipWriter compresses the body of a response without setting Content-Encoding.
type gzipWriter struct {
	http.ResponseWriter
	z *gzip.Writer
}

// WriteHeader removes Content-Length, which is the length of the uncompressed body.
func (w gzipWriter) WriteHeader(status int) {
	w.Header().Del("Content-Length")
	w.ResponseWriter.WriteHeader(status)
}

// Write compresses b.
func (w gzipWriter) Write(b []byte) (int, error) { return w.z.Write(b) }
