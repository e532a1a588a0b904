package scripts

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/cli"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/internal/testsite"
)

// TestSecretHeaderIsNotPrinted checks a protected site that echoes the secret header in every part of its
// responses. No report and no output may contain a part of the secret.
func TestSecretHeaderIsNotPrinted(t *testing.T) {
	testsite.ChdirToRoot(t)
	const secret = "Bearer s3cr3t-Wert+of/CI=0123456789abcdef"
	var numRequests atomic.Int32 // with the secret; requests may overlap
	handler := func(w http.ResponseWriter, r *http.Request) {
		got := r.Header.Get("Authorization")
		if got != secret {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		numRequests.Add(1)
		w.Header().Set("Content-Type", "text/html")
		switch path := r.URL.Path; path {
		case "/robots.txt":
			w.Header().Set("Content-Type", "text/plain")
			fmt.Fprintf(w, "User-agent: *\nDisallow: /forbidden/*%s\nDisallow: /forbidden/ # %s\nDisallow: /forbidden/?%s\n", got, got, url.QueryEscape(got))
		case "/sitemap.xml":
			w.Header().Set("Content-Type", "application/xml; charset="+got)
			fmt.Fprintf(w, "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>http://%s/%s/</loc><lastmod>%s</lastmod></url></urlset>", r.Host, url.PathEscape(got), got)
		case "/moved/":
			w.Header().Set("Location", "/to?"+got)
			w.WriteHeader(http.StatusFound)
		case "/hidden/":
			w.Header().Set("X-Robots-Tag", "noindex, "+got)
		case "/typed/":
			w.Header().Set("Content-Type", "text/plain; of="+got)
			fmt.Fprint(w, got)
		case "/broken/":
			w.Header().Set("Retry-After", "3600") // longer than the timeout, so sitewalk does not retry
			w.WriteHeader(http.StatusNotImplemented)
			fmt.Fprint(w, got)
		case "/forbidden/":
			fmt.Fprint(w, "<!doctype html><title>Page</title>") // as built, so that sitewalk reports the rule of robots.txt
		case "/":
			w.Header().Set("Content-Type", "text/html; of="+got)
			fmt.Fprint(w, "<!doctype html><title>"+strings.ToUpper(got)+"</title>")
		default:
			fmt.Fprintf(w, "<!doctype html><title>%s</title><link rel=canonical href='/%[1]s'><meta http-equiv=refresh content='0;url=/x?%[1]s'><p>%[1]s", got)
		}
	}
	server := httptest.NewServer(http.HandlerFunc(handler))
	defer server.Close()
	dir := t.TempDir()
	files := map[string]string{"sitemap.yaml": "base_url: " + server.URL + "/\npages: {dir: public}\n", "public/robots.txt": "User-agent: *\n"}
	for _, name := range []string{"", "moved/", "hidden/", "typed/", "broken/", "forbidden/", "other/"} {
		files["public/"+name+"index.html"] = "<!doctype html><title>Page</title>"
	}
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run(t, dir, "-q")
	check := func(args ...string) string {
		var out bytes.Buffer
		code := cli.Run(t.Context(), cli.Env{
			Args: append([]string{"check", "--timeout", "10m"}, args...), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Dir: dir, Now: time.Now,
			Getenv: func(name string) string {
				return map[string]string{"SITEWALK_LIVE_HEADER": "Authorization: " + secret, "GITHUB_STEP_SUMMARY": filepath.Join(dir, "summary.md")}[name]
			},
		})
		if code == 0 || out.Len() == 0 {
			t.Errorf("%v: code %d: %s", args, code, &out)
		}
		return out.String()
	}
	checkLive := func(args ...string) string { return check(append([]string{"--live", "--rate", "1000"}, args...)...) }
	outputs := map[string]string{"-v": checkLive("-v", "--whole", "--wait", "1ms"), "alone": checkLive(server.URL + "/sitemap.xml"), "file": check("-v", "--strict", server.URL+"/sitemap.xml"), "llms": check("-v", "--strict", server.URL+"/llms.txt")}
	for _, form := range report.FormNames() {
		outputs[form] = checkLive("--report", form)
	}
	src, err := os.ReadFile(filepath.Join(dir, "summary.md"))
	if err != nil {
		t.Fatal(err)
	}
	outputs["summary.md"] = string(src)
	if n := numRequests.Load(); n < 20 {
		t.Fatalf("the site echoed the secret %d times, want at least 20: %s", n, outputs["text"])
	}
	for name, text := range outputs {
		for i := 0; i+8 <= len(secret); i++ {
			if part := secret[i : i+8]; strings.Contains(strings.ToLower(text), strings.ToLower(part)) || strings.Contains(text, url.QueryEscape(part)) {
				at := max(0, strings.Index(text, part)-200)
				t.Errorf("%s contains %q of the secret: …%s…", name, part, text[at:min(len(text), at+400)])
				break
			}
		}
	}
}
