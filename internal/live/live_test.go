package live

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/sitemap"
)

const validPage = "<!doctype html><html><head><title>A</title></head><body>Text</body></html>"

// A fakeSite answers requests inside the process, so that tests can use a fake clock.
type fakeSite func(w http.ResponseWriter, r *http.Request)

func (s fakeSite) RoundTrip(r *http.Request) (*http.Response, error) {
	rec := httptest.NewRecorder()
	rec.Header().Set("Content-Type", "text/html")
	s(rec, r)
	out := rec.Result()
	out.Request = r
	return out, r.Context().Err()
}

func (s fakeSite) options(found *diag.Report) Options {
	return Options{Findings: found, Fetch: fetch.Options{Client: &http.Client{Transport: s}}}
}

// listedRequests returns n requests of the kind Listed.
func listedRequests(n int) []Request {
	plan := make([]Request, n)
	for i := range plan {
		plan[i] = Request{URL: fmt.Sprintf("https://example.com/%d", i), Kind: Listed}
	}
	return plan
}

// formatCodes returns the codes of the findings and the number of findings with each code.
func formatCodes(found *diag.Report) string {
	var all []string
	for _, k := range found.Kinds() {
		all = append(all, fmt.Sprintf("%s*%d", k.Code, k.Count))
	}
	return strings.Join(all, " ")
}

// TestRunReportsEachFault serves a page with one fault at a time, and expects exactly the finding
// about this fault.
func TestRunReportsEachFault(t *testing.T) {
	serveWithHeader := func(name, value string) fakeSite {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(name, value)
			io.WriteString(w, validPage)
		}
	}
	serve := func(status int, body string) fakeSite {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status); io.WriteString(w, body) }
	}
	redirect := func(where string) fakeSite {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, where, http.StatusFound) }
	}
	built := Want{IsBuilt: true, Title: "A"}
	for name, tt := range map[string]struct {
		site    fakeSite
		request Request
		want    string
	}{
		"healthy":                            {serve(200, validPage), Request{Kind: Listed, Want: built}, ""},
		"missing":                            {serve(404, ""), Request{Kind: Listed}, "live-missing*1"},
		"gone":                               {serve(410, ""), Request{Kind: Listed}, "live-missing*1"},
		"redirect":                           {redirect("/b"), Request{Kind: Listed}, "live-redirect*1"},
		"redirect to another host":           {redirect("https://login.example/"), Request{Kind: Listed}, "live-redirect*1"},
		"meta refresh":                       {serve(200, "<meta http-equiv=refresh content='0;url=/b'>"), Request{Kind: Listed}, "live-redirect*1"},
		"noindex header":                     {serveWithHeader("X-Robots-Tag", "noindex"), Request{Kind: Listed}, "live-hidden*1"},
		"noindex for googlebot":              {serveWithHeader("X-Robots-Tag", "googlebot: noindex"), Request{Kind: Listed}, "live-hidden*1"},
		"noindex meta":                       {serve(200, "<!doctype html><meta name=robots content=noindex>"), Request{Kind: Listed}, "live-hidden*1"},
		"nofollow only":                      {serveWithHeader("X-Robots-Tag", "nofollow"), Request{Kind: Listed}, ""},
		"canonical on another host":          {serve(200, "<!doctype html><link rel=canonical href=https://other.example/>"), Request{Kind: Listed}, "live-hidden*1"},
		"canonical in a header":              {serveWithHeader("Link", `</b>; rel="canonical"`), Request{Kind: Listed}, "live-hidden*1"},
		"own canonical":                      {serve(200, "<!doctype html><link rel=canonical href=/a/#x>"), Request{Kind: Listed}, ""},
		"plain text":                         {serveWithHeader("Content-Type", "text/plain"), Request{Kind: Listed, Want: built}, "live-type*1"},
		"empty page":                         {serve(200, ""), Request{Kind: Listed, Want: built}, "live-empty*1"},
		"page with another title":            {serve(200, "<!doctype html><title>B</title>"), Request{Kind: Listed, Want: built}, "live-other-page*1"},
		"server error":                       {serve(500, ""), Request{Kind: Listed}, "live-error*1"},
		"login":                              {serve(401, ""), Request{Kind: Listed}, "live-blocked*1"},
		"forbidden":                          {serve(403, ""), Request{Kind: Listed}, "live-blocked*1"},
		"too many requests":                  {serve(429, ""), Request{Kind: Listed}, "live-blocked*1"},
		"soft 404":                           {serve(200, validPage), Request{Kind: Absent, Want: Want{Status: 404}}, "live-soft-404*1"},
		"soft 404 by a redirect":             {redirect("/"), Request{Kind: Absent, Want: Want{Status: 404}}, "live-soft-404*1"},
		"404 after a redirect without slash": {redirect("/a"), Request{Kind: Absent, Want: Want{Status: 404}}, ""},
		"404":                                {serve(404, ""), Request{Kind: Absent, Want: Want{Status: 404}}, ""},
		"403 for a missing page":             {serve(403, ""), Request{Kind: Absent, Want: Want{Status: 404}}, ""},
		"predicted redirect":                 {redirect("/b"), Request{Kind: Predicted, Want: Want{Status: 302, To: "https://example.com/b"}}, ""},
		"404 for predicted redirect":         {serve(404, ""), Request{Kind: Predicted, Want: Want{Status: 302, To: "https://example.com/b"}}, "host-differs*1"},
		"predicted redirect to another page": {redirect("/c"), Request{Kind: Predicted, Want: Want{Status: 302, To: "https://example.com/b"}}, "host-differs*1"},
		"temporary for permanent redirect":   {redirect("/b"), Request{Kind: Predicted, Want: Want{Status: 301, To: "https://example.com/b"}}, "host-differs*1"},
		"predicted noindex":                  {serveWithHeader("X-Robots-Tag", "none"), Request{Kind: Predicted, Want: Want{IsHidden: true}}, ""},
		"page without predicted noindex":     {serve(200, validPage), Request{Kind: Predicted, Want: Want{IsHidden: true}}, "host-differs*1"},
		"predicted login":                    {serve(401, ""), Request{Kind: Predicted, Want: Want{Status: 401}}, ""},
		"page for predicted 404":             {serve(200, validPage), Request{Kind: Predicted, Want: Want{Status: 404}}, "host-differs*1"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var report diag.Report
				tt.request.URL = "https://example.com/a/"
				if _, err := New(tt.site.options(&report)).Run(t.Context(), []Request{tt.request}); err != nil {
					t.Fatal(err)
				}
				if got := formatCodes(&report); got != tt.want {
					t.Errorf("findings: got %q, want %q: %v", got, tt.want, report.Kinds())
				}
			})
		})
	}
}

// TestRunLimitsRate checks that Run does not exceed the rate and the concurrency, and that it
// sends no request during the pause of a Retry-After header.
func TestRunLimitsRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var times []time.Time
		maxActive, active := 0, 0
		s := fakeSite(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			times = append(times, time.Now())
			n := len(times)
			active++
			maxActive = max(maxActive, active)
			mu.Unlock()
			time.Sleep(time.Second) // of the fake clock
			mu.Lock()
			active--
			mu.Unlock()
			if n == 50 {
				w.Header().Set("Retry-After", "120")
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			io.WriteString(w, validPage)
		})
		var report diag.Report
		o := s.options(&report)
		o.Rate, o.Concurrency = 10, 3
		outcome, err := New(o).Run(t.Context(), listedRequests(200))
		if err != nil || outcome.Correct != 200 || formatCodes(&report) != "" {
			t.Errorf("got outcome %+v, error %v, findings %s, want 200 correct", outcome, err, formatCodes(&report))
		}
		if maxActive != 3 || len(times) != 201 {
			t.Errorf("got %d requests, up to %d at the same time, want 201 and 3", len(times), maxActive)
		}
		slices.SortFunc(times, time.Time.Compare)
		longestGap := time.Duration(0)
		for i := range times[1:] {
			gap := times[i+1].Sub(times[i])
			longestGap = max(longestGap, gap)
			if gap < 100*time.Millisecond {
				t.Errorf("pause before request %d: got %v, want at least 100 ms", i+1, gap)
			}
		}
		if longestGap < 118*time.Second {
			t.Errorf("longest pause: got %v, want at least 118 s for Retry-After: 120", longestGap)
		}
	})
}

// TestRunStopsAfterRefusals checks that Run stops after maxRefusals refused requests.
func TestRunStopsAfterRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var report diag.Report
		s := fakeSite(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
		outcome, err := New(s.options(&report)).Run(t.Context(), listedRequests(1000))
		if err != nil || outcome.Answered > 30 || formatCodes(&report) != "live-blocked*1 live-stopped*1" {
			t.Errorf("got outcome %+v, error %v, findings %s, want at most 30 answers", outcome, err, formatCodes(&report))
		}
	})
}

// TestRunSurvivesHostileServers checks that Run ends for servers with endless, slow or misleading
// answers.
func TestRunSurvivesHostileServers(t *testing.T) {
	for name, tt := range map[string]struct {
		handler http.HandlerFunc
		want    string
	}{
		"endless page": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			for r.Context().Err() == nil {
				if _, err := w.Write(bytes.Repeat([]byte("<p>"), 1<<12)); err != nil {
					return
				}
			}
		}, ""},
		"slow":          {func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "live-error*1"},
		"redirect loop": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }, "live-redirect*1"},
		"huge header": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Huge", strings.Repeat("x", 1<<20))
		}, "live-error*1"},
		"wrong Content-Length": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "100000")
			w.Header().Set("Content-Type", "text/html")
			w.Write([]byte("<!doctype html><title>A"))
		}, "live-error*1"},
		"redirect to a link-local address": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://169.254.169.254/", http.StatusFound)
		}, "live-redirect*1"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				listener := &pipeListener{open: make(chan net.Conn), closed: make(chan struct{})}
				server := &httptest.Server{Listener: listener, Config: &http.Server{Handler: tt.handler, ErrorLog: log.New(io.Discard, "", 0)}}
				server.Start()
				defer server.Close()
				transport := &http.Transport{DialContext: listener.dial, MaxResponseHeaderBytes: 256 << 10}
				defer transport.CloseIdleConnections()
				defer server.CloseClientConnections()
				var report diag.Report
				v := New(Options{Findings: &report, Fetch: fetch.Options{Client: &http.Client{Transport: transport}}})
				if _, err := v.Run(t.Context(), []Request{{URL: "http://example.com/", Kind: Listed}}); err != nil || formatCodes(&report) != tt.want {
					t.Errorf("error %v, findings %q, want %q: %v", err, formatCodes(&report), tt.want, report.Kinds())
				}
			})
		})
	}
}

// A pipeListener is a net.Listener whose connections stay inside the process, so that they use
// the fake clock of the test.
type pipeListener struct {
	open   chan net.Conn
	closed chan struct{}
	once   sync.Once // closes the channel closed
}

func (p *pipeListener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.open <- there:
		return here, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-p.open:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipeListener) Close() error { p.once.Do(func() { close(p.closed) }); return nil }

func (p *pipeListener) Addr() net.Addr { return &net.TCPAddr{} }

// TestRunUsesHTTP2 checks that all requests use one HTTP/2 connection.
func TestRunUsesHTTP2(t *testing.T) {
	var mu sync.Mutex
	connections := map[string]bool{}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		connections[fmt.Sprint(r.RemoteAddr, r.ProtoMajor)] = true
		mu.Unlock()
		io.WriteString(w, validPage)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	plan := listedRequests(50)
	for i := range plan {
		plan[i].URL = fmt.Sprintf("%s/%d", server.URL, i)
	}
	var report diag.Report
	outcome, err := New(Options{Findings: &report, Rate: 1000, Fetch: fetch.Options{Client: server.Client()}}).Run(t.Context(), plan)
	if err != nil || outcome.Correct != 50 || len(connections) != 1 {
		t.Errorf("got outcome %+v, error %v, connections %v, want 50 correct from one connection", outcome, err, connections)
	}
	for connection := range connections {
		if !strings.HasSuffix(connection, "2") {
			t.Errorf("connection %s does not use HTTP/2", connection)
		}
	}
}

// TestRunHidesSecret checks that the secret header is sent only to its site. Findings must not
// quote the site, which may repeat the header.
func TestRunHidesSecret(t *testing.T) {
	const value = "Bearer 7c2f-very-secret"
	echo := strings.ToUpper(value)
	synctest.Test(t, func(t *testing.T) {
		s := fakeSite(func(w http.ResponseWriter, r *http.Request) {
			got := r.Header.Get("Authorization")
			if (r.URL.Host == "example.com" && r.URL.Scheme == "https") != (got == value) {
				t.Errorf("request to %s has the Authorization %q", r.URL, got)
			}
			switch r.URL.Path {
			case "/robots.txt":
				w.Header().Set("Content-Type", "text/plain")
				fmt.Fprintf(w, "User-agent: *\nDisallow: /6 # %[1]s\nDisallow: /6?%[1]s\n", echo)
			case "/0":
				w.Header().Set("Location", "https://very-secret.example/?very-secret")
				w.WriteHeader(http.StatusFound)
			case "/1":
				w.Header().Set("X-Robots-Tag", "noindex, "+echo)
			case "/2":
				io.WriteString(w, "<!doctype html><title>"+echo+"</title>")
			case "/4":
				w.Header().Set("Content-Type", "text/very-secret")
				io.WriteString(w, "text")
			case "/5":
				io.WriteString(w, "<!doctype html><link rel=canonical href='/"+echo+"'>")
			case "/7":
				io.WriteString(w, "<!doctype html><meta http-equiv=refresh content='0;url=/"+echo+"'>")
			case "/sitemap.xml":
				w.Header().Set("Location", "https://www.example.com/sitemap.xml")
				w.WriteHeader(http.StatusFound)
			case "/own.xml":
				fmt.Fprintf(w, "<sitemapindex xmlns='%s'><sitemap><loc>https://example.com/%s.xml</loc></sitemap></sitemapindex>", sitemap.Namespace, echo)
			}
			if strings.HasSuffix(r.URL.Path, "SECRET.xml") {
				fmt.Fprintf(w, "<urlset xmlns='%s'><url><loc>https://example.com/404/%s</loc></url></urlset>", sitemap.Namespace, echo)
			}
			if strings.HasPrefix(r.URL.Path, "/404/") {
				w.WriteHeader(http.StatusNotFound)
			}
		})
		var report diag.Report
		o := s.options(&report)
		secret, err := fetch.NewSecret("Authorization: "+value, "https://example.com/")
		if err != nil {
			t.Fatal(err)
		}
		o.Fetch.Secret, o.Fetch.Named = secret, []string{"https://example.com/", "https://www.example.com/"}
		plan := listedRequests(8)
		plan[2].Want, plan[4].Want = Want{IsBuilt: true, Title: "A"}, Want{IsBuilt: true, Title: "A"}
		plan[3].URL = "http://example.com/3"
		ctx, stop := context.WithTimeout(t.Context(), time.Hour)
		defer stop()
		v := New(o)
		fileCount := 0
		handler := SitemapHandler{
			Budget: fetch.NewBudget(), OnFile: func(fetch.File) { fileCount++ },
			OnEntry: func(e sitemap.Entry, pos diag.Pos, by fetch.Referrer) {
				plan = append(plan, Request{URL: e.Loc, Kind: Listed, From: by, Pos: pos})
			},
		}
		if err := v.ReadRobots(ctx, "https://example.com/", ""); err != nil {
			t.Fatal(err)
		}
		for _, loc := range []string{"https://example.com/sitemap.xml", "https://example.com/own.xml"} {
			if err := v.ReadSitemaps(ctx, loc, handler); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := v.Run(ctx, plan); err != nil {
			t.Fatal(err)
		}
		findings := fmt.Sprint(report.Kinds())
		if len(plan) != 9 || fileCount != 0 || strings.Contains(strings.ToLower(findings), "very-secret") {
			t.Errorf("got %d requests and %d files, want 9 and 0, and no secret in the findings: %s", len(plan), fileCount, findings)
		}
		for _, text := range []string{"the URL in line 1 of the sitemap in line 1 of https://example.com/own.xml", "another host", "X-Robots-Tag", "another title", "not served as a web page", "another canonical", "robots.txt", "refreshes"} {
			if !strings.Contains(findings, text) {
				t.Errorf("no finding contains %q: %s", text, findings)
			}
		}
		if _, err := fetch.NewSecret("very-secret", "https://example.com/"); err == nil || strings.Contains(err.Error(), "very-secret") {
			t.Errorf("header without a name: got error %v, want one without the secret", err)
		}
	})
}

// TestSampleIncludesSmallSections checks that a sample contains all URLs of a small section, and
// that the same plan always has the same sample.
func TestSampleIncludesSmallSections(t *testing.T) {
	var plan []Request
	for i := range 1000 {
		plan = append(plan, Request{URL: fmt.Sprintf("https://example.com/big/%d/", i)})
	}
	for i := range 5 {
		plan = append(plan, Request{URL: fmt.Sprintf("https://example.com/small/%d/", i)})
	}
	a, b := Sample(plan, 20), Sample(plan, 20)
	smallCount := 0
	for i := range a {
		if a[i].URL != b[i].URL {
			t.Errorf("second sample has %s at %d, want %s", b[i].URL, i, a[i].URL)
		}
		if strings.Contains(a[i].URL, "small") {
			smallCount++
		}
	}
	if len(a) != 20 || smallCount != 5 {
		t.Errorf("got %d URLs, %d of the small section, want 20 and 5", len(a), smallCount)
	}
}
