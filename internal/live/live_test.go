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

const aPage = "<!doctype html><html><head><title>A</title></head><body>Text</body></html>"

// A site answers requests in the process, so that tests can use a fake clock.
type site func(w http.ResponseWriter, r *http.Request)

func (s site) RoundTrip(r *http.Request) (*http.Response, error) {
	rec := httptest.NewRecorder()
	rec.Header().Set("Content-Type", "text/html")
	s(rec, r)
	out := rec.Result()
	out.Request = r
	return out, r.Context().Err()
}

func (s site) options(found *diag.Report) Options {
	return Options{Findings: found, Fetch: fetch.Options{Client: &http.Client{Transport: s}}}
}

func listed(n int) []Request {
	plan := make([]Request, n)
	for i := range plan {
		plan[i] = Request{URL: fmt.Sprintf("https://example.com/%d", i), Kind: Listed}
	}
	return plan
}

func codesOf(found *diag.Report) string {
	var all []string
	for _, k := range found.Kinds() {
		all = append(all, fmt.Sprintf("%s*%d", k.Code, k.Count))
	}
	return strings.Join(all, " ")
}

// TestRunFindsEachFault serves a page with one fault at a time, and expects exactly the finding
// about this fault.
func TestRunFindsEachFault(t *testing.T) {
	header := func(name, value string) site {
		return func(w http.ResponseWriter, _ *http.Request) { w.Header().Set(name, value); io.WriteString(w, aPage) }
	}
	answers := func(status int, body string) site {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status); io.WriteString(w, body) }
	}
	to := func(where string) site {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, where, http.StatusFound) }
	}
	built := Want{IsBuilt: true, Title: "A"}
	for name, tt := range map[string]struct {
		site  site
		q     Request
		codes string
	}{
		"healthy":                   {answers(200, aPage), Request{Kind: Listed, Want: built}, ""},
		"missing":                   {answers(404, ""), Request{Kind: Listed}, "live-missing*1"},
		"gone":                      {answers(410, ""), Request{Kind: Listed}, "live-missing*1"},
		"redirected":                {to("/b"), Request{Kind: Listed}, "live-redirect*1"},
		"to a login elsewhere":      {to("https://login.example/"), Request{Kind: Listed}, "live-redirect*1"},
		"refreshes":                 {answers(200, "<meta http-equiv=refresh content='0;url=/b'>"), Request{Kind: Listed}, "live-redirect*1"},
		"noindex header":            {header("X-Robots-Tag", "noindex"), Request{Kind: Listed}, "live-hidden*1"},
		"noindex for googlebot":     {header("X-Robots-Tag", "googlebot: noindex"), Request{Kind: Listed}, "live-hidden*1"},
		"noindex meta":              {answers(200, "<!doctype html><meta name=robots content=noindex>"), Request{Kind: Listed}, "live-hidden*1"},
		"nofollow only":             {header("X-Robots-Tag", "nofollow"), Request{Kind: Listed}, ""},
		"canonical elsewhere":       {answers(200, "<!doctype html><link rel=canonical href=https://other.example/>"), Request{Kind: Listed}, "live-hidden*1"},
		"canonical in a header":     {header("Link", `</b>; rel="canonical"`), Request{Kind: Listed}, "live-hidden*1"},
		"own canonical":             {answers(200, "<!doctype html><link rel=canonical href=/a/#x>"), Request{Kind: Listed}, ""},
		"plain text":                {header("Content-Type", "text/plain"), Request{Kind: Listed, Want: built}, "live-type*1"},
		"empty":                     {answers(200, ""), Request{Kind: Listed, Want: built}, "live-empty*1"},
		"another page":              {answers(200, "<!doctype html><title>B</title>"), Request{Kind: Listed, Want: built}, "live-other-page*1"},
		"server error":              {answers(500, ""), Request{Kind: Listed}, "live-error*1"},
		"login":                     {answers(401, ""), Request{Kind: Listed}, "live-blocked*1"},
		"forbidden":                 {answers(403, ""), Request{Kind: Listed}, "live-blocked*1"},
		"too many requests":         {answers(429, ""), Request{Kind: Listed}, "live-blocked*1"},
		"soft 404":                  {answers(200, aPage), Request{Kind: Absent, Want: Want{Status: 404}}, "live-soft-404*1"},
		"soft 404 by a redirect":    {to("/"), Request{Kind: Absent, Want: Want{Status: 404}}, "live-soft-404*1"},
		"a slash before the 404":    {to("/a"), Request{Kind: Absent, Want: Want{Status: 404}}, ""},
		"404":                       {answers(404, ""), Request{Kind: Absent, Want: Want{Status: 404}}, ""},
		"403 where nothing is":      {answers(403, ""), Request{Kind: Absent, Want: Want{Status: 404}}, ""},
		"rule":                      {to("/b"), Request{Kind: Predicted, Want: Want{Status: 302, To: "https://example.com/b"}}, ""},
		"rule that is not obeyed":   {answers(404, ""), Request{Kind: Predicted, Want: Want{Status: 302, To: "https://example.com/b"}}, "host-differs*1"},
		"rule that leads elsewhere": {to("/c"), Request{Kind: Predicted, Want: Want{Status: 302, To: "https://example.com/b"}}, "host-differs*1"},
		"rule for ever":             {to("/b"), Request{Kind: Predicted, Want: Want{Status: 301, To: "https://example.com/b"}}, "host-differs*1"},
		"hidden":                    {header("X-Robots-Tag", "none"), Request{Kind: Predicted, Want: Want{IsHidden: true}}, ""},
		"hidden no more":            {answers(200, aPage), Request{Kind: Predicted, Want: Want{IsHidden: true}}, "host-differs*1"},
		"login as a rule says":      {answers(401, ""), Request{Kind: Predicted, Want: Want{Status: 401}}, ""},
		"not served":                {answers(200, aPage), Request{Kind: Predicted, Want: Want{Status: 404}}, "host-differs*1"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var found diag.Report
				tt.q.URL = "https://example.com/a/"
				if _, err := New(tt.site.options(&found)).Run(t.Context(), []Request{tt.q}); err != nil {
					t.Fatal(err)
				}
				if got := codesOf(&found); got != tt.codes {
					t.Errorf("found %q, want %q: %v", got, tt.codes, found.Kinds())
				}
			})
		})
	}
}

// TestPaceLimitsRate checks that requests are never faster than the rate, and that none is sent
// during the pause of a Retry-After header.
func TestPaceLimitsRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var at []time.Time
		most, now := 0, 0
		s := site(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			at = append(at, time.Now())
			n := len(at)
			now++
			most = max(most, now)
			mu.Unlock()
			time.Sleep(time.Second) // of the made clock
			mu.Lock()
			now--
			mu.Unlock()
			if n == 50 {
				w.Header().Set("Retry-After", "120")
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			io.WriteString(w, aPage)
		})
		var found diag.Report
		o := s.options(&found)
		o.Rate, o.Concurrency = 10, 3
		out, err := New(o).Run(t.Context(), listed(200))
		if err != nil || out.Correct != 200 || codesOf(&found) != "" {
			t.Errorf("%+v, %v, %s", out, err, codesOf(&found))
		}
		if most != 3 || len(at) != 201 {
			t.Errorf("%d at once, %d requests", most, len(at))
		}
		slices.SortFunc(at, time.Time.Compare)
		longest := time.Duration(0)
		for i := range at[1:] {
			gap := at[i+1].Sub(at[i])
			longest = max(longest, gap)
			if gap < 100*time.Millisecond {
				t.Errorf("request %d comes %v after the one before", i+1, gap)
			}
		}
		if longest < 118*time.Second {
			t.Errorf("the longest pause is %v, and the site wants 120 s", longest)
		}
	})
}

// TestRunStopsAfterRefusals checks that Run stops after maxRefusals refused requests.
func TestRunStopsAfterRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var found diag.Report
		s := site(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
		out, err := New(s.options(&found)).Run(t.Context(), listed(1000))
		if err != nil || out.Answered > 30 || codesOf(&found) != "live-blocked*1 live-stopped*1" {
			t.Errorf("%+v, %v, %s", out, err, codesOf(&found))
		}
	})
}

// TestRunSurvivesHostileServers runs against servers that never end an answer or mislead clients.
func TestRunSurvivesHostileServers(t *testing.T) {
	for name, tt := range map[string]struct {
		says  http.HandlerFunc
		codes string
	}{
		"endless page": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			for r.Context().Err() == nil {
				if _, err := w.Write(bytes.Repeat([]byte("<p>"), 1<<12)); err != nil {
					return
				}
			}
		}, ""},
		"slow": {func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "live-error*1"},
		"loop": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }, "live-redirect*1"},
		"huge header": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Huge", strings.Repeat("x", 1<<20))
		}, "live-error*1"},
		"lying length": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "100000")
			w.Header().Set("Content-Type", "text/html")
			w.Write([]byte("<!doctype html><title>A"))
		}, "live-error*1"},
		"to this machine": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://169.254.169.254/", http.StatusFound)
		}, "live-redirect*1"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := &pipes{open: make(chan net.Conn), closed: make(chan struct{})}
				server := &httptest.Server{Listener: l, Config: &http.Server{Handler: tt.says, ErrorLog: log.New(io.Discard, "", 0)}}
				server.Start()
				defer server.Close()
				way := &http.Transport{DialContext: l.dial, MaxResponseHeaderBytes: 256 << 10}
				defer way.CloseIdleConnections()
				defer server.CloseClientConnections()
				var found diag.Report
				v := New(Options{Findings: &found, Fetch: fetch.Options{Client: &http.Client{Transport: way}}})
				if _, err := v.Run(t.Context(), []Request{{URL: "http://example.com/", Kind: Listed}}); err != nil || codesOf(&found) != tt.codes {
					t.Errorf("%v, found %q, want %q: %v", err, codesOf(&found), tt.codes, found.Kinds())
				}
			})
		})
	}
}

// A pipes is a net.Listener whose connections stay inside the process, so that they use the fake
// clock of the test.
type pipes struct {
	open   chan net.Conn
	closed chan struct{}
	once   sync.Once // closes it
}

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
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

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.open:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error { p.once.Do(func() { close(p.closed) }); return nil }

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

// TestRunUsesHTTP2 checks that all requests use one HTTP/2 connection.
func TestRunUsesHTTP2(t *testing.T) {
	var mu sync.Mutex
	from := map[string]bool{}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		from[fmt.Sprint(r.RemoteAddr, r.ProtoMajor)] = true
		mu.Unlock()
		io.WriteString(w, aPage)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	plan := listed(50)
	for i := range plan {
		plan[i].URL = fmt.Sprintf("%s/%d", server.URL, i)
	}
	var found diag.Report
	out, err := New(Options{Findings: &found, Rate: 1000, Fetch: fetch.Options{Client: server.Client()}}).Run(t.Context(), plan)
	if err != nil || out.Correct != 50 || len(from) != 1 {
		t.Errorf("%+v, %v, from %v", out, err, from)
	}
	for who := range from {
		if !strings.HasSuffix(who, "2") {
			t.Errorf("not by HTTP/2: %s", who)
		}
	}
}

// TestRunHidesSecret checks that the secret header is sent only to its site. It also checks that
// findings contain no text of the site, which may repeat the header.
func TestRunHidesSecret(t *testing.T) {
	const value = "Bearer 7c2f-very-secret"
	echo := strings.ToUpper(value)
	synctest.Test(t, func(t *testing.T) {
		s := site(func(w http.ResponseWriter, r *http.Request) {
			got := r.Header.Get("Authorization")
			if (r.URL.Host == "example.com" && r.URL.Scheme == "https") != (got == value) {
				t.Errorf("%s gets %q", r.URL, got)
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
		var found diag.Report
		o := s.options(&found)
		secret, err := fetch.NewSecret("Authorization: "+value, "https://example.com/")
		if err != nil {
			t.Fatal(err)
		}
		o.Fetch.Secret, o.Fetch.Named = secret, []string{"https://example.com/", "https://www.example.com/"}
		plan := listed(8)
		plan[2].Want, plan[4].Want = Want{IsBuilt: true, Title: "A"}, Want{IsBuilt: true, Title: "A"}
		plan[3].URL = "http://example.com/3"
		ctx, stop := context.WithTimeout(t.Context(), time.Hour)
		defer stop()
		v := New(o)
		judged := 0
		handler := SitemapHandler{
			Budget: fetch.NewBudget(), OnFile: func(fetch.File) { judged++ },
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
		all := fmt.Sprint(found.Kinds())
		if len(plan) != 9 || judged != 0 || strings.Contains(strings.ToLower(all), "very-secret") {
			t.Errorf("%d requests, %d judged, findings: %s", len(plan), judged, all)
		}
		for _, text := range []string{"the URL in line 1 of the sitemap in line 1 of https://example.com/own.xml", "another host", "X-Robots-Tag", "another title", "not served as a web page", "another canonical", "robots.txt", "refreshes"} {
			if !strings.Contains(all, text) {
				t.Errorf("no finding has %q: %s", text, all)
			}
		}
		if _, err := fetch.NewSecret("very-secret", "https://example.com/"); err == nil || strings.Contains(err.Error(), "very-secret") {
			t.Errorf("error %v", err)
		}
	})
}

// TestSampleCoversSmallSections checks that a sample has about the same number of URLs of each
// section and is deterministic.
func TestSampleCoversSmallSections(t *testing.T) {
	var plan []Request
	for i := range 1000 {
		plan = append(plan, Request{URL: fmt.Sprintf("https://example.com/big/%d/", i)})
	}
	for i := range 5 {
		plan = append(plan, Request{URL: fmt.Sprintf("https://example.com/small/%d/", i)})
	}
	a, b := Sample(plan, 20), Sample(plan, 20)
	small := 0
	for i := range a {
		if a[i].URL != b[i].URL {
			t.Errorf("%s and %s", a[i].URL, b[i].URL)
		}
		if strings.Contains(a[i].URL, "small") {
			small++
		}
	}
	if len(a) != 20 || small != 5 {
		t.Errorf("%d, of which %d of the small section", len(a), small)
	}
}
