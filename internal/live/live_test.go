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
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/list"
	"github.com/sitewalk/sitewalk/sitemap"
)

const aPage = "<!doctype html><html><head><title>A</title></head><body>Text</body></html>"

// A site answers in the process, so that its clock may be a made one.
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

// TestFaults puts each fault in the place of a page: it is found and named, and nothing else.
func TestFaults(t *testing.T) {
	header := func(name, value string) site {
		return func(w http.ResponseWriter, _ *http.Request) { w.Header().Set(name, value); io.WriteString(w, aPage) }
	}
	answers := func(status int, body string) site {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status); io.WriteString(w, body) }
	}
	marked := func(status int, name, value string) site {
		return func(w http.ResponseWriter, _ *http.Request) { w.Header().Set(name, value); w.WriteHeader(status) }
	}
	to := func(where string) site {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, where, http.StatusFound) }
	}
	built := Want{Built: true, Title: "A"}
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
		"Cloudflare":                {marked(403, "Cf-Mitigated", "challenge"), Request{Kind: Listed}, "live-blocked*1"},
		"Cloudflare with 503":       {answers(503, "<title>Just a moment...</title>"), Request{Kind: Listed}, "live-blocked*1"},
		"Vercel":                    {marked(429, "X-Vercel-Mitigated", "deny"), Request{Kind: Listed}, "live-blocked*1"},
		"AWS WAF":                   {marked(202, "X-Amzn-Waf-Action", "challenge"), Request{Kind: Listed}, "live-blocked*1"},
		"Cloudflare's script":       {answers(200, aPage+"/cdn-cgi/challenge-platform/"), Request{Kind: Listed}, ""},
		"soft 404":                  {answers(200, aPage), Request{Kind: Absent, Want: Want{Status: 404}}, "live-soft-404*1"},
		"soft 404 by a redirect":    {to("/"), Request{Kind: Absent, Want: Want{Status: 404}}, "live-soft-404*1"},
		"a slash before the 404":    {to("/a"), Request{Kind: Absent, Want: Want{Status: 404}}, ""},
		"404":                       {answers(404, ""), Request{Kind: Absent, Want: Want{Status: 404}}, ""},
		"403 where nothing is":      {answers(403, ""), Request{Kind: Absent, Want: Want{Status: 404}}, ""},
		"rule":                      {to("/b"), Request{Kind: Known, Want: Want{Status: 302, To: "https://example.com/b"}}, ""},
		"rule that is not obeyed":   {answers(404, ""), Request{Kind: Known, Want: Want{Status: 302, To: "https://example.com/b"}}, "host-differs*1"},
		"rule that leads elsewhere": {to("/c"), Request{Kind: Known, Want: Want{Status: 302, To: "https://example.com/b"}}, "host-differs*1"},
		"rule for ever":             {to("/b"), Request{Kind: Known, Want: Want{Status: 301, To: "https://example.com/b"}}, "host-differs*1"},
		"hidden":                    {header("X-Robots-Tag", "none"), Request{Kind: Known, Want: Want{Hidden: true}}, ""},
		"hidden no more":            {answers(200, aPage), Request{Kind: Known, Want: Want{Hidden: true}}, "host-differs*1"},
		"login as a rule says":      {answers(401, ""), Request{Kind: Known, Want: Want{Status: 401}}, ""},
		"not served":                {answers(200, aPage), Request{Kind: Known, Want: Want{Status: 404}}, "host-differs*1"},
		"removed":                   {answers(404, ""), Request{Kind: Gone}, ""},
		"removed and there":         {answers(200, aPage), Request{Kind: Gone}, "live-old-deploy*1"},
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

// TestPace asks for many addresses: never faster than was agreed, and not at all for as
// long as the site asks.
func TestPace(t *testing.T) {
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
		o.Rate, o.AtOnce = 10, 3
		out, err := New(o).Run(t.Context(), listed(200))
		if err != nil || out.Right != 200 || codesOf(&found) != "" {
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

// TestStopped asks no more of a site that refuses all.
func TestStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var found diag.Report
		s := site(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
		out, err := New(s.options(&found)).Run(t.Context(), listed(1000))
		if err != nil || out.Asked > 30 || codesOf(&found) != "live-blocked*1 live-stopped*1" {
			t.Errorf("%+v, %v, %s", out, err, codesOf(&found))
		}
	})
}

// TestResume interrupts a run at several places: the next one asks for what was not
// answered, and both together for nothing twice.
func TestResume(t *testing.T) {
	for _, after := range []int{1, 2, 50, 98, 99} {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			asked := map[string]int{}
			ctx, stop := context.WithCancel(t.Context())
			s := site(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				asked[r.URL.Path]++
				if len(asked) > after {
					stop()
				}
				if r.URL.Path == "/0" {
					w.WriteHeader(http.StatusNotFound)
				}
				io.WriteString(w, aPage)
			})
			var found diag.Report
			o := s.options(&found)
			o.State = filepath.Join(t.TempDir(), "state")
			out, err := New(o).Run(ctx, listed(100))
			if err == nil || out.Asked > after+1 {
				t.Fatalf("%+v, %v", out, err)
			}
			before := out.Asked
			if src, _ := os.ReadFile(o.State); len(src) > 0 && before > 1 { // as if it was killed while it wrote
				os.WriteFile(o.State, append(src, "\n"+`{"url":"https://exam`...), 0o644)
			}
			found = diag.Report{}
			out, err = New(o).Run(t.Context(), listed(100))
			if err != nil || out.Asked != 100 || out.Right != 99 || out.Resumed != before || codesOf(&found) != "live-missing*1" {
				t.Errorf("after %d: %+v, %v, %s; %d before", after, out, err, codesOf(&found), before)
			}
			twice := 0
			for _, n := range asked {
				twice += n - 1
			}
			if twice > AtOnce {
				t.Errorf("%d addresses were asked for twice", twice)
			}
			if _, err := os.Stat(o.State); err == nil {
				t.Error("the state is still there")
			}
		})
	}
}

// TestHostile meets servers that want to keep or to lead astray who asks.
func TestHostile(t *testing.T) {
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

// A pipes is a listener whose connections stay within the process, so that the clock
// of a bubble is theirs as well.
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

// TestHTTP2 asks over one connection of HTTP/2.
func TestHTTP2(t *testing.T) {
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
	if err != nil || out.Right != 50 || len(from) != 1 {
		t.Errorf("%+v, %v, from %v", out, err, from)
	}
	for who := range from {
		if !strings.HasSuffix(who, "2") {
			t.Errorf("not by HTTP/2: %s", who)
		}
	}
}

// TestSecret sends the header to its site alone, and hides it where the site repeats it.
func TestSecret(t *testing.T) {
	const value = "Bearer 7c2f-very-secret"
	synctest.Test(t, func(t *testing.T) {
		s := site(func(w http.ResponseWriter, r *http.Request) {
			got := r.Header.Get("Authorization")
			if (r.URL.Host == "example.com" && r.URL.Scheme == "https") != (got == value) {
				t.Errorf("%s gets %q", r.URL, got)
			}
			switch r.URL.Path {
			case "/0":
				w.Header().Set("Location", "https://example.com/?"+got)
				w.WriteHeader(http.StatusFound)
			case "/1":
				w.Header().Set("X-Robots-Tag", "noindex, "+value)
			case "/2":
				io.WriteString(w, "<!doctype html><title>"+value+"</title>")
			case "/sitemap.xml":
				w.Header().Set("Location", "https://www.example.com/sitemap.xml")
				w.WriteHeader(http.StatusFound)
			}
		})
		var found diag.Report
		o := s.options(&found)
		secret, err := fetch.NewSecret("Authorization: "+value, "https://example.com/")
		if err != nil {
			t.Fatal(err)
		}
		o.Fetch.Secret, o.Fetch.Named = secret, []string{"https://example.com/", "https://www.example.com/"}
		o.State = filepath.Join(t.TempDir(), "state")
		plan := listed(4)
		plan[2].Want = Want{Built: true, Title: "A"}
		plan[3].URL = "http://example.com/3"
		ctx, stop := context.WithTimeout(t.Context(), time.Hour)
		defer stop()
		v := New(o)
		if err := v.Sitemap(ctx, "https://example.com/sitemap.xml", Reader{Budget: list.NewBudget(), Judge: func(list.File) {}, Each: func(sitemap.Entry, diag.Pos, fetch.Place) {}}); err != nil {
			t.Fatal(err)
		}
		if _, err := v.Run(ctx, plan); err != nil {
			t.Fatal(err)
		}
		all := fmt.Sprint(found.Kinds())
		if !strings.Contains(all, "[secret]") || strings.Contains(all, "very-secret") {
			t.Errorf("findings: %s", all)
		}
		if _, err := fetch.NewSecret("very-secret", "https://example.com/"); err == nil || strings.Contains(err.Error(), "very-secret") {
			t.Errorf("error %v", err)
		}
	})
}

// TestSample takes as much of each section, and always the same.
func TestSample(t *testing.T) {
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
