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

// serve publishes the folder "live" of a script at $LIVE, as good and as bad as
// servers are: the first part of the path says how.
func serve(env *testscript.Env) {
	files := http.FileServer(http.Dir(filepath.Join(env.WorkDir, "live")))
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	env.Defer(server.Close)
	env.Setenv("LIVE", server.URL)
	mux.Handle("/", files)
	mux.HandleFunc("/410/", answer(http.StatusGone, "gone"))
	mux.HandleFunc("/500/", answer(http.StatusInternalServerError, "sorry"))
	mux.HandleFunc("/501/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "3600") // beyond the timeout, so sitewalk does not ask again
		answer(http.StatusNotImplemented, "sorry")(w, r)
	})
	mux.HandleFunc("/html/", answer(http.StatusOK, "<!doctype html><title>Welcome</title>"))
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
		http.ServeFile(packed{w, z}, r, filepath.Join(env.WorkDir, "live", filepath.Base(r.URL.Path)))
	})
	mux.HandleFunc("/google/", searchConsole(env.WorkDir))
	mux.HandleFunc("/soft/", func(w http.ResponseWriter, r *http.Request) { // any address is a page
		name := filepath.Base(r.URL.Path)
		if name != "sitemap.xml" {
			name = "index.html"
		}
		src, _ := os.ReadFile(filepath.Join(env.WorkDir, "live", name))
		_, _ = w.Write(src)
	})
	mux.HandleFunc("/locked/", func(w http.ResponseWriter, r *http.Request) { // as /, for visitors with a token
		if r.Header.Get("Authorization") != "Bearer token" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		http.StripPrefix("/locked", files).ServeHTTP(w, r)
	})
	mux.HandleFunc("/403/", answer(http.StatusForbidden, "no"))
	mux.HandleFunc("/says/", func(w http.ResponseWriter, r *http.Request) { // "/says/NAME:VALUE/…" is a page with that header
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

// searchConsole is the API of Search Console at $LIVE/google: the file live/google/sites is
// what an account sees, and live/google/sitemap what Google says of the one sitemap. What is
// submitted stands in the file "told".
func searchConsole(dir string) http.HandlerFunc {
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
			if f, err := os.OpenFile(filepath.Join(dir, "told"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err == nil {
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

// proxy answers for every host, so that nothing that a script asks for leaves this
// machine: http://HOST/ is the folder live/HOST, and what ends in /indexnow an
// engine, whose path says how it answers. What that is sent stands in the file
// "told".
func proxy(env *testscript.Env) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodConnect {
			w.WriteHeader(http.StatusNotImplemented)
			return
		}
		if strings.HasSuffix(r.URL.Host, ".invalid") {
			panic(http.ErrAbortHandler) // there is no such host
		}
		how, engine := strings.CutSuffix(r.URL.Path, "/indexnow")
		if !engine {
			http.FileServer(http.Dir(filepath.Join(env.WorkDir, "live", r.URL.Host))).ServeHTTP(w, r)
			return
		}
		body, _ := io.ReadAll(r.Body)
		f, err := os.OpenFile(filepath.Join(env.WorkDir, "told"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err == nil {
			fmt.Fprintf(f, "%s %s %s\n", r.Method, r.URL, body)
			err = f.Close()
		}
		switch {
		case err != nil:
			w.WriteHeader(http.StatusTeapot)
		case how == "/403":
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, `{"errorCode":"UserForbiddedToAccessSite"}`)
		case how == "/later":
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusTooManyRequests)
		case how == "/new":
			w.WriteHeader(http.StatusAccepted)
		}
	}))
	env.Defer(server.Close)
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY"} {
		env.Setenv(name, server.URL)
	}
}

// expand puts the values of the environment into a file: "expand FROM TO".
func expand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: expand FROM TO")
	}
	text := os.Expand(ts.ReadFile(args[0]), ts.Getenv)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o644))
}

func answer(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

// A packed answer compresses what is written to it without saying so.
type packed struct {
	http.ResponseWriter
	z *gzip.Writer
}

func (p packed) WriteHeader(status int) {
	p.Header().Del("Content-Length")
	p.ResponseWriter.WriteHeader(status)
}

func (p packed) Write(b []byte) (int, error) { return p.z.Write(b) }
