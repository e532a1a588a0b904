package submit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/thorough"
)

// TestRequest holds the request to the examples of the protocol, byte by byte but
// for the white space that these have for readers.
// https://www.indexnow.org/documentation
func TestRequest(t *testing.T) {
	for name, tt := range map[string]struct{ base, want string }{
		"key at the root": {"https://www.example.com/", `{
  "host": "www.example.com",
  "key": "` + testKey + `",
  "urlList": ["https://www.example.com/url1",
              "https://www.example.com/folder/url2",
              "https://www.example.com/url3"]
}`},
		"key below a path": {"https://www.example.com/catalog/", `{
  "host": "www.example.com",
  "key": "` + testKey + `",
  "keyLocation": "https://www.example.com/catalog/` + testKey + `.txt",
  "urlList": ["https://www.example.com/catalog/folder/url2",
              "https://www.example.com/catalog/url1?a=1&b=%C3%BC",
              "https://www.example.com/catalog/url3"]
}`},
	} {
		t.Run(name, func(t *testing.T) {
			var want struct {
				URLs []string `json:"urlList"`
			}
			if err := json.Unmarshal([]byte(tt.want), &want); err != nil {
				t.Fatal(err)
			}
			w := newWorld(t)
			var lines, pages []string
			for _, loc := range want.URLs {
				lines = append(lines, "changed "+loc)
				pages = append(pages, strings.TrimPrefix(loc, tt.base))
			}
			s := w.publish(tt.base, pages...)
			for _, p := range slices.Collect(maps.Keys(s.files)) {
				before, _, _ := strings.Cut(p, "?")
				s.files[before] = s.files[p]
			}
			s.files[strings.TrimPrefix(tt.base, "https://www.example.com")+"sitemap.xml"] = strings.ReplaceAll(s.files[strings.TrimPrefix(tt.base, "https://www.example.com")+"sitemap.xml"], "&", "&amp;")
			w.changes(tt.base, lines...)
			if sub, err := w.submit(nil); err != nil {
				t.Fatal(err, codes(sub))
			}
			var compact bytes.Buffer
			_ = json.Compact(&compact, []byte(tt.want))
			sorted := strings.Replace(compact.String(), `"https://www.example.com/url1","https://www.example.com/folder/url2"`, `"https://www.example.com/folder/url2","https://www.example.com/url1"`, 1)
			all := "POST /indexnow\nContent-Type: application/json; charset=utf-8\n" + sorted
			if len(w.engine.raw) != 1 || w.engine.raw[0] != all {
				t.Errorf("sent\n%s\nwant\n%s", w.engine.raw, all)
			}
		})
	}
}

func answer(code int, header, body string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		if name, value, ok := strings.Cut(header, ": "); ok {
			w.Header().Set(name, value)
		}
		w.WriteHeader(code)
		fmt.Fprint(w, body)
	}
}

// TestAnswers gives each answer that an engine may have, in virtual time.
func TestAnswers(t *testing.T) {
	slow := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	broken := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	const jsonBody = `{"errorCode":"UserForbiddedToAccessSite","message":"User is unauthorized"}`
	for name, tt := range map[string]struct {
		answers []func(http.ResponseWriter, *http.Request)
		codes   string
		says    string // by a finding
		took    time.Duration
		asked   int
		left    int
	}{
		"200":               {answers: []func(http.ResponseWriter, *http.Request){answer(200, "", "")}, asked: 1},
		"200 with a page":   {answers: []func(http.ResponseWriter, *http.Request){answer(200, "", "<html>Thank you")}, asked: 1},
		"202":               {answers: []func(http.ResponseWriter, *http.Request){answer(202, "", `{"queued":true}`)}, asked: 1},
		"400":               {answers: []func(http.ResponseWriter, *http.Request){answer(400, "", "bad")}, codes: "submit-refused*1", says: "it answers 400: it does not understand the request (bad)", asked: 1},
		"403":               {answers: []func(http.ResponseWriter, *http.Request){answer(403, "", jsonBody)}, codes: "submit-refused*1", says: "it answers 403: it does not accept the key", asked: 1},
		"404":               {answers: []func(http.ResponseWriter, *http.Request){answer(404, "", "<html>404")}, codes: "submit-refused*1", says: "404: no answer of IndexNow", asked: 1},
		"405":               {answers: []func(http.ResponseWriter, *http.Request){answer(405, "", "")}, codes: "submit-refused*1", says: "405", asked: 1},
		"422":               {answers: []func(http.ResponseWriter, *http.Request){answer(422, "", "")}, codes: "submit-refused*1", says: "not of the host", asked: 1},
		"a redirect":        {answers: []func(http.ResponseWriter, *http.Request){answer(308, "Location: https://example.com/", "")}, codes: "submit-refused*1", says: "308", asked: 1},
		"429 once":          {answers: []func(http.ResponseWriter, *http.Request){answer(429, "", "")}, took: time.Minute, asked: 2},
		"429 with seconds":  {answers: []func(http.ResponseWriter, *http.Request){answer(429, "Retry-After: 90", "")}, took: 90 * time.Second, asked: 2},
		"429 with a date":   {answers: []func(http.ResponseWriter, *http.Request){answer(429, "Retry-After: Sat, 01 Jan 2000 00:02:00 GMT", "")}, took: 2 * time.Minute, asked: 2},
		"429 for an hour":   {answers: []func(http.ResponseWriter, *http.Request){answer(429, "Retry-After: 3600", "")}, codes: "submit-failed*1", says: "429: too many requests", asked: 1, left: 3},
		"429 for centuries": {answers: []func(http.ResponseWriter, *http.Request){answer(429, "Retry-After: 99999999999999999999", "")}, codes: "submit-failed*1", asked: 1, left: 3},
		"429 with nonsense": {answers: []func(http.ResponseWriter, *http.Request){answer(429, "Retry-After: soon", "")}, took: time.Minute, asked: 2},
		"429 again and again": {
			answers: slices.Repeat([]func(http.ResponseWriter, *http.Request){answer(429, "", "")}, 9),
			codes:   "submit-failed*1", took: (1 + 2 + 4) * time.Minute, asked: 4, left: 3,
		},
		"503 once": {answers: []func(http.ResponseWriter, *http.Request){answer(503, "", "")}, took: 5 * time.Second, asked: 2},
		"500 again and again": {
			answers: slices.Repeat([]func(http.ResponseWriter, *http.Request){answer(500, "", "<h1>Sorry</h1>")}, 9),
			codes:   "submit-failed*1", says: "500: it is out of order", took: (5 + 10 + 20) * time.Second, asked: 4, left: 3,
		},
		"slow once":   {answers: []func(http.ResponseWriter, *http.Request){slow}, took: answerIn + 5*time.Second, asked: 2},
		"broken once": {answers: []func(http.ResponseWriter, *http.Request){broken}, took: 5 * time.Second, asked: 2},
		"slow for ever": {
			answers: slices.Repeat([]func(http.ResponseWriter, *http.Request){slow}, 9),
			codes:   "submit-failed*1", says: "no answer within 30s", took: 4*answerIn + 35*time.Second, asked: 4, left: 3,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				w.publish("https://example.com/", "", "a", "b")
				w.changes("https://example.com/", "added https://example.com/a", "changed https://example.com/b", "lost https://example.com/gone")
				w.engine.answers = tt.answers
				start := time.Now()
				s, err := w.submit(nil)
				if err != nil {
					t.Fatal(err)
				}
				if got := codes(s); got != tt.codes || s.Left != tt.left {
					t.Errorf("findings %q and %d left, want %q and %d", got, s.Left, tt.codes, tt.left)
				}
				for _, k := range s.Findings.Kinds() {
					if text := k.List[0].Message; !strings.Contains(text, tt.says) {
						t.Errorf("says %q, want %q", text, tt.says)
					}
				}
				if took := time.Since(start).Round(time.Second); took != tt.took || len(w.engine.raw) != tt.asked {
					t.Errorf("%d requests in %v, want %d in %v", len(w.engine.raw), took, tt.asked, tt.took)
				}
				told := tt.codes == ""
				if _, err := w.submit(nil); err != nil {
					t.Fatal(err)
				}
				if again := len(w.engine.raw) > tt.asked; again == told {
					t.Errorf("the next run sends: %v", again)
				}
			})
		})
	}
}

// TestRefusedRest counts what is not sent any more to an engine that refused the key.
func TestRefusedRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.write("sitemap.yaml", "output: {indexnow: "+testKey+"}\n")
		const base = "https://example.com/"
		pages, lines := make([]string, 12_000), make([]string, 12_000)
		for i := range pages {
			pages[i] = fmt.Sprintf("page-%d", i)
			lines[i] = "changed " + base + pages[i]
		}
		w.publish(base, pages...)
		w.changes(base, lines...)
		w.engine.answers = []func(http.ResponseWriter, *http.Request){answer(403, "", "")}
		s, err := w.submit(nil)
		if err != nil || codes(s) != "submit-refused*1" || s.Left != 2000 || len(w.engine.raw) != 1 {
			t.Errorf("%v, %s: %d left after %d requests", err, codes(s), s.Left, len(w.engine.raw))
		}
	})
}

// TestThreeHosts sends 25,000 URLs of three hosts, is killed at each request, and
// goes on: no URL is sent twice, and none is forgotten that no request held.
func TestThreeHosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.write("sitemap.yaml", "output: {indexnow: "+testKey+`}
sites:
  - {dir: fr, base_url: https://example.fr/}
  - {dir: de, base_url: https://example.de/}
`)
		var lines []string
		for base, n := range map[string]int{"https://example.com/": 12_000, "https://example.fr/": 10_000, "https://example.de/": 3000} {
			pages := make([]string, n)
			for i := range pages {
				pages[i] = fmt.Sprintf("page-%d", i)
				lines = append(lines, "changed "+base+pages[i])
			}
			w.publish(base, pages...)
		}
		w.changes("https://example.com/", lines...)
		whole := w.read("changes.json")

		s, err := w.submit(nil)
		if err != nil || codes(s) != "" {
			t.Fatal(err, codes(s))
		}
		var sizes []string
		for _, p := range w.engine.got {
			sizes = append(sizes, fmt.Sprint(p.Host, " ", len(p.URLs)))
		}
		if got := strings.Join(sizes, ", "); got != "example.com 10000, example.com 2000, example.de 3000, example.fr 10000" {
			t.Errorf("sent %s", got)
		}
		all := w.engine.sent()
		if len(all) != 25_000 || len(slices.Compact(all)) != 25_000 {
			t.Errorf("%d URLs are sent, %d different ones", len(all), len(slices.Compact(all)))
		}
		for killed := thorough.Or(3, 1); killed <= 4; killed += thorough.Or(2, 1) {
			w.write("changes.json", string(whole))
			w.engine.got, w.engine.raw = nil, nil
			var left []byte
			w.engine.received = func(n int) {
				if n == killed && left == nil {
					left = w.read("changes.json") // what a killed run leaves
				}
			}
			if _, err := w.submit(nil); err != nil {
				t.Fatal(err)
			}
			w.engine.received = nil
			w.engine.got = w.engine.got[:killed] // the others were never made
			w.write("changes.json", string(left))
			again, err := w.submit(nil)
			if err != nil {
				t.Fatal(err)
			}
			if all := w.engine.sent(); len(all) != 25_000 || len(slices.Compact(all)) != 25_000 {
				t.Errorf("killed at request %d: %d URLs are sent, %d different ones", killed, len(all), len(slices.Compact(all)))
			}
			if again.Open == 0 || again.Earlier < again.Open {
				t.Errorf("killed at request %d: %d sent earlier, %d without a known answer", killed, again.Earlier, again.Open)
			}
		}
	})
}

// TestNotReady holds that nothing is sent unless the site answers as its changes
// say.
func TestNotReady(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*webSite)
		wait   time.Duration
		fails  string // "" is sent
		took   time.Duration
	}{
		"ready":               {change: func(*webSite) {}},
		"key is missing":      {change: func(s *webSite) { delete(s.files, "/"+testKey+".txt") }, fails: testKey + ".txt must hold the key: it answers 404"},
		"key is another":      {change: func(s *webSite) { s.files["/"+testKey+".txt"] = "other" }, fails: "another text"},
		"key as a page":       {change: func(s *webSite) { s.files["/"+testKey+".txt"] = "<p>" + testKey }, fails: "another text"},
		"key and a line feed": {change: func(s *webSite) { s.files["/"+testKey+".txt"] += "\r\n" }},
		"page is not there":   {change: func(s *webSite) { delete(s.files, "/a") }, fails: "https://example.com/a answers 404"},
		"page redirects":      {change: func(s *webSite) { s.status["/a"] = 301 }, fails: "https://example.com/a answers 301"},
		"noindex in a header": {change: func(s *webSite) { s.headers["/a"] = "X-Robots-Tag: noindex" }, fails: "asks not to be indexed: X-Robots-Tag"},
		"noindex in the head": {change: func(s *webSite) { s.files["/b"] = "<meta name=robots content=noindex>" }, fails: "its robots meta element"},
		"removed and there":   {change: func(s *webSite) { s.files["/gone"] = "<p>Still here" }, fails: "was removed, and is served still"},
		"removed and hidden":  {change: func(s *webSite) { s.files["/gone"] = "<meta name=robots content=noindex>" }},
		"removed and moved":   {change: func(s *webSite) { s.status["/gone"] = 301 }},
		"removed with 410":    {change: func(s *webSite) { s.status["/gone"] = 410 }},
		"removed and broken":  {change: func(s *webSite) { s.status["/gone"] = 503 }, took: 3 * time.Second, fails: "answers 503"},
		"removed, at another": {change: func(s *webSite) { s.files["/gone"] = "<link rel=canonical href=/a>" }},
		"no sitemap":          {change: func(s *webSite) { delete(s.files, "/sitemap.xml") }, fails: "https://example.com/ is not live: https://example.com/sitemap.xml answers 404 Not Found"},
		"the old sitemap":     {change: func(s *webSite) { s.files["/sitemap.xml"] = strings.ReplaceAll(s.files["/sitemap.xml"], "/a<", "/z<") }, fails: "does not list https://example.com/a yet"},
		"with what was lost": {change: func(s *webSite) {
			s.files["/sitemap.xml"] = strings.ReplaceAll(s.files["/sitemap.xml"], "com/<", "com/gone<")
		}, fails: "still lists https://example.com/gone"},
		"with older dates": {change: func(s *webSite) {
			s.files["/sitemap.xml"] = strings.ReplaceAll(s.files["/sitemap.xml"], "01-02", "01-01")
		}, fails: "another date"},
		"never live": {change: func(s *webSite) { s.files["/sitemap.xml"] = "<html>" }, wait: 5 * time.Minute, took: 5 * time.Minute, fails: "is not live"},
		"live after a while": {change: func(s *webSite) {
			s.before = map[string]string{"/sitemap.xml": strings.ReplaceAll(s.files["/sitemap.xml"], "/a<", "/z<")}
			s.until = time.Now().Add(95 * time.Second)
		}, wait: 5 * time.Minute, took: 100 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				tt.change(w.publish("https://example.com/", "", "a", "b"))
				w.changes("https://example.com/", "added https://example.com/a", "changed https://example.com/b", "lost https://example.com/gone", "hidden https://example.com/h", "re-dated https://example.com/")
				before, start := w.read("changes.json"), time.Now()
				s, err := w.submit(func(o *Options) { o.Wait = tt.wait })
				if tt.fails == "" && err != nil || tt.fails != "" && (err == nil || !strings.Contains(err.Error(), tt.fails)) {
					t.Errorf("error %v, want %q", err, tt.fails)
				}
				want := "https://example.com/a https://example.com/b https://example.com/gone"
				if tt.fails != "" {
					want = ""
					if !bytes.Equal(before, w.read("changes.json")) {
						t.Error("the list of changes was written")
					}
				}
				if got := strings.Join(w.engine.sent(), " "); got != want || s.Hidden != 1 {
					t.Errorf("sent %q with %d hidden, want %q", got, s.Hidden, want)
				}
				if took := time.Since(start).Round(time.Second); took != tt.took { // the site is asked 10 times a second
					t.Errorf("took %v, want %v", took, tt.took)
				}
			})
		})
	}
}

// TestNothing holds that nobody is told of previews, of this machine, of single
// deployments, and of builds that are not for the public.
func TestNothing(t *testing.T) {
	for name, tt := range map[string]struct {
		env, base, says string
		empty           bool
	}{
		"Netlify preview":    {env: "NETLIFY=true CONTEXT=deploy-preview", says: "preview deployment (CONTEXT=deploy-preview)"},
		"Vercel preview":     {env: "VERCEL_ENV=preview", says: "VERCEL_ENV=preview"},
		"Cloudflare preview": {env: "CF_PAGES_BRANCH=try", says: "CF_PAGES_BRANCH=try"},
		"Workers preview":    {env: "WORKERS_CI_BRANCH=try", says: "WORKERS_CI_BRANCH=try"},
		"GitHub":             {env: "GITHUB_EVENT_NAME=pull_request", says: "pull request (GITHUB_EVENT_NAME=pull_request)"},
		"GitLab":             {env: "CI_PIPELINE_SOURCE=merge_request_event", says: "pull request"},
		"Render":             {env: "IS_PULL_REQUEST=true", says: "pull request"},
		"Amplify":            {env: "AWS_PULL_REQUEST_ID=12", says: "pull request"},
		"Azure":              {env: "BUILD_REASON=PullRequest", says: "pull request"},
		"localhost":          {base: "http://localhost:1313/", says: "is on this machine"},
		"loopback":           {base: "http://127.0.0.1:8080/", says: "is on this machine"},
		"one of Netlify":     {base: "https://63d1--site.netlify.app/", says: "one deployment (of Netlify)"},
		"one of Cloudflare":  {base: "https://63d1.site.pages.dev/", says: "one deployment (of Cloudflare Pages)"},
		"one of Vercel":      {env: "VERCEL_ENV=production VERCEL_URL=site-63d1.vercel.app", base: "https://site-63d1.vercel.app/", says: "VERCEL_URL"},
		"noindex build":      {empty: true, says: "not for the public"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			for pair := range strings.FieldsSeq(tt.env) {
				k, v, _ := strings.Cut(pair, "=")
				w.env[k] = v
			}
			base := "https://example.com/"
			if tt.base != "" {
				base = tt.base
			}
			w.changes(base, "added "+base+"a")
			if tt.empty {
				w.write("changes.json", strings.Replace(string(w.read("changes.json")), `"is": 9`, `"is": 0`, 1))
			}
			s, err := w.submit(nil)
			if err != nil || !strings.Contains(s.Skipped, tt.says) || s.Skipped == "" || len(w.engine.raw) > 0 {
				t.Errorf("error %v, skipped %q, want %q; %d requests", err, s.Skipped, tt.says, len(w.engine.raw))
			}
		})
	}
	for _, env := range []string{"NETLIFY=true CONTEXT=production", "VERCEL_ENV=production", "CF_PAGES_BRANCH=main CF_PAGES_URL=https://63d1.site.pages.dev", "GITHUB_EVENT_NAME=deployment_status"} {
		w := newWorld(t)
		for pair := range strings.FieldsSeq(env) {
			k, v, _ := strings.Cut(pair, "=")
			w.env[k] = v
		}
		w.publish("https://example.com/", "a")
		w.changes("https://example.com/", "added https://example.com/a")
		if s, err := w.submit(nil); err != nil || len(w.engine.sent()) != 1 {
			t.Errorf("%s: error %v, skipped %q", env, err, s.Skipped)
		}
	}
}

// TestState holds what is remembered between runs, in a file and over days.
func TestState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.publish("https://example.com/", "", "a", "b")
		run := func(want string, lines ...string) *Submission {
			t.Helper()
			w.engine.got = nil
			w.changes("https://example.com/", lines...)
			before := w.read("changes.json")
			s, err := w.submit(func(o *Options) { o.State = "cache/state.json" })
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(w.engine.sent(), " "); got != want {
				t.Errorf("sent %q, want %q", got, want)
			}
			if !bytes.Equal(before, w.read("changes.json")) {
				t.Error("the list of changes was written, too")
			}
			return s
		}
		const a, b, gone = "https://example.com/a", "https://example.com/b", "https://example.com/gone"
		run(a, "changed "+a)
		run("", "changed "+a)
		time.Sleep(time.Minute)
		s := run(b, "added "+a, "changed "+b) // a was sent as something else, a minute ago
		if s.Recent != 1 || s.wait.Round(time.Second) != 4*time.Minute {
			t.Errorf("%d have to wait %v", s.Recent, s.wait)
		}
		time.Sleep(4 * time.Minute)
		run(a, "added "+a, "changed "+b)
		run(gone, "lost "+gone)
		time.Sleep(40 * 24 * time.Hour)
		run(gone, "lost "+gone)
	})
}

// TestLatest finds the newest batch of each URL, in whatever order they stand, and of those
// of one second the one behind.
func TestLatest(t *testing.T) {
	s, err := ReadState([]byte(`{"submitted": [
		{"engine": "one", "at": "2026-01-03T00:00:00Z", "urls": {"a": "new", "b": "only"}},
		{"engine": "one", "at": "2026-01-02T00:00:00Z", "urls": {"a": "old", "c": "first"}},
		{"engine": "two", "at": "2026-01-04T00:00:00Z", "urls": {"a": "other"}},
		{"engine": "one", "at": "2026-01-02T00:00:00Z", "urls": {"c": "second"}}
	]}`))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for url, b := range s.latest("one") {
		got[url] = b.URLs[url]
	}
	if want := map[string]string{"a": "new", "b": "only", "c": "second"}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestStateIsKeptOrNothingSent holds that nobody is told of what could not be
// remembered.
func TestStateIsKeptOrNothingSent(t *testing.T) {
	for name, tt := range map[string]struct {
		state func(w *world) string
		fails string
	}{
		"a folder":        {func(w *world) string { return "." }, "--state .: "},
		"below a file":    {func(w *world) string { return "sitemap.yaml/state" }, ""},
		"no state at all": {func(w *world) string { return "sitemap.yaml" }, "--state sitemap.yaml: line 1"},
		"another version": {func(w *world) string { w.write("s", `{"version": 9, "submitted": []}`); return "s" }, "version 9"},
		"another file":    {func(w *world) string { w.write("s", `{"name": "package"}`); return "s" }, "does not say what was sent"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.publish("https://example.com/", "a")
			w.changes("https://example.com/", "changed https://example.com/a")
			_, err := w.submit(func(o *Options) { o.State = tt.state(w) })
			if err == nil || !strings.Contains(err.Error(), tt.fails) || len(w.engine.raw) > 0 {
				t.Errorf("error %v, want %q; %d requests", err, tt.fails, len(w.engine.raw))
			}
		})
	}
}

// TestStateIsLost loses the place of the state while an engine answers: what it answered
// and what is left is known all the same, and what the file says is told.
func TestStateIsLost(t *testing.T) {
	const hint = "c/state.json still says of 2 URLs that the answer is not known, and the next run does not send them"
	for name, tt := range map[string]struct {
		answer    func(http.ResponseWriter, *http.Request)
		interrupt bool
		answers   string // of all engines
		left      int
		fails     string
	}{
		"received":                 {answer: answer(200, "", ""), answers: "200", left: 2, fails: "what is sent cannot"},
		"refused":                  {answer: answer(403, "", ""), answers: "403", left: 2, fails: "what is sent cannot"},
		"too many":                 {answer: answer(429, "", ""), answers: "429", left: 4, fails: "what is sent cannot"},
		"received and interrupted": {answer: answer(200, "", ""), interrupt: true, answers: "200", left: 2, fails: "interrupted; 2 URLs are left; what is sent cannot"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				w.publish("https://example.com/", "", "a", "b")
				w.changes("https://example.com/", "added https://example.com/a", "changed https://example.com/b")
				w.engine.answers = []func(http.ResponseWriter, *http.Request){tt.answer}
				ctx, cancel := context.WithCancelCause(t.Context())
				interrupt := func() { cancel(errInterrupted) }
				defer interrupt()
				w.engine.received = func(int) {
					if err := os.RemoveAll(filepath.Join(w.dir, "c")); err != nil {
						t.Error(err)
					}
					w.write("c", "")
					if tt.interrupt {
						interrupt()
					}
				}
				var o Options
				_, _ = w.submit(func(given *Options) { o = *given; given.Engines = []string{"unknown"} })
				o.State, o.Engines = "c/state.json", []string{"bing", "yandex"}
				s, err := Run(ctx, o)
				var got []string
				for _, a := range s.Answers {
					got = append(got, fmt.Sprint(a.Status))
				}
				if strings.Join(got, " ") != tt.answers || s.Left != tt.left || err == nil || !strings.HasPrefix(err.Error(), tt.fails) {
					t.Errorf("answers %s, %d left, %v", got, s.Left, err)
				}
				if h, ok := errors.AsType[diag.Hinted](err); !ok || h.Hint != hint {
					t.Errorf("hint %q", h.Hint)
				}
			})
		})
	}
}

// TestEngines names the engines that are told.
func TestEngines(t *testing.T) {
	w := newWorld(t)
	w.publish("https://example.com/", "a")
	w.changes("https://example.com/", "changed https://example.com/a")
	w.write("sitemap.yaml", "output: {indexnow: "+testKey+"}\nsubmit: {ping: [\"https://search.example.net/ping?sitemap=\"]}\n")
	s, err := w.submit(func(o *Options) {
		o.Engines = []string{"bing", "yandex", "bing", "https://engine.example.net/indexnow"}
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range s.Answers {
		got = append(got, a.Engine)
	}
	if strings.Join(got, " ") != "https://www.bing.com/indexnow https://yandex.com/indexnow https://engine.example.net/indexnow" {
		t.Errorf("told %s", got)
	}
	if want := "https://search.example.net/ping?sitemap=https%3A%2F%2Fexample.com%2Fsitemap.xml"; len(w.engine.pings) != 1 || w.engine.pings[0] != want {
		t.Errorf("called %s, want %s", w.engine.pings, want)
	}
	for _, bad := range []string{"google", "internetarchive", "ftp://example.com/", ""} {
		if _, err := w.submit(func(o *Options) { o.Engines = []string{bad} }); err == nil || !strings.Contains(err.Error(), "engine") {
			t.Errorf("engine %q: %v", bad, err)
		}
	}
}

// errInterrupted is why the context of the program ends that a signal ends.
var errInterrupted = errors.New("interrupted")

// TestInterrupted ends a run between two requests: what was sent is remembered.
func TestInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		pages := make([]string, 10_001)
		var lines []string
		for i := range pages {
			pages[i] = fmt.Sprintf("%d", i)
			lines = append(lines, "changed https://example.com/"+pages[i])
		}
		w.publish("https://example.com/", pages...)
		w.changes("https://example.com/", lines...)
		ctx, stop := context.WithCancelCause(t.Context())
		w.engine.received = func(int) { stop(errInterrupted) }
		var o Options
		_, err := w.submit(func(given *Options) { o = *given; given.Engines = []string{"unknown"} })
		if err == nil {
			t.Fatal("an unknown engine is taken")
		}
		s, err := Run(ctx, o)
		if err == nil || err.Error() != "interrupted; 1 URL is left" || s.Left != 1 {
			t.Errorf("error %v, %d left", err, s.Left)
		}
		w.engine.received = nil
		if _, err := w.submit(nil); err != nil || len(slices.Compact(w.engine.sent())) != 10_001 || len(w.engine.sent()) != 10_001 {
			t.Errorf("error %v; %d URLs were sent", err, len(w.engine.sent()))
		}
	})
}

// TestStoppedInAWait ends a run while it waits to make a request again, or for an
// answer: the next one sends what was refused, and nothing that may have arrived.
func TestStoppedInAWait(t *testing.T) {
	tooMany := answer(429, "Retry-After: 300", "")
	slow := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	for name, tt := range map[string]struct {
		answer func(http.ResponseWriter, *http.Request)
		kill   bool          // it writes nothing more
		after  time.Duration // it is interrupted; 0 is when it waits
		online time.Duration // it has in all
		took   time.Duration
		fails  string
		open   int // messages that the next run does not send
	}{
		"killed after a 429":            {answer: tooMany, kill: true},
		"killed after a 503":            {answer: answer(503, "", ""), kill: true},
		"killed without an answer":      {answer: slow, kill: true},
		"interrupted after a 429":       {answer: tooMany, after: time.Minute, took: time.Minute, fails: "interrupted; 3 URLs are left"},
		"interrupted after a 503":       {answer: answer(503, "", ""), after: 2 * time.Second, took: 2 * time.Second, fails: "interrupted; 3 URLs are left"},
		"interrupted without an answer": {answer: slow, after: 5 * time.Second, took: 6 * time.Second, fails: "interrupted; whether 3 URLs have arrived is not known; 0 URLs are left", open: 3},
		"interrupted after a break":     {answer: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, after: 2 * time.Second, took: 2 * time.Second, fails: "interrupted; 3 URLs are left"},
		"no time after a 429":           {answer: answer(429, "Retry-After: 540", ""), after: time.Hour, took: 9 * time.Minute},
		"no time for an answer":         {answer: slow, after: time.Hour, online: 100 * time.Second, took: 101 * time.Second, fails: "more than 1m40s have passed in all; whether 3 URLs have arrived is not known; 0 URLs are left", open: 3},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				w.publish("https://example.com/", "", "a", "b")
				w.changes("https://example.com/", "added https://example.com/a", "changed https://example.com/b", "lost https://example.com/gone")
				w.engine.answers = []func(http.ResponseWriter, *http.Request){tt.answer}
				if strings.HasPrefix(name, "no time") {
					w.engine.answers = slices.Repeat(w.engine.answers, 3)
				}
				ctx, cancel := context.WithCancelCause(t.Context())
				interrupt := func() { cancel(errInterrupted) }
				defer interrupt()
				if tt.after > 0 {
					time.AfterFunc(tt.after, interrupt)
				}
				var left []byte
				var o Options
				_, _ = w.submit(func(given *Options) { o = *given; given.Engines = []string{"unknown"} })
				o.Build.Online = tt.online
				o.Say = func(string, ...any) {
					if left = w.read("changes.json"); tt.kill {
						interrupt()
					}
				}
				start := time.Now()
				s, err := Run(ctx, o)
				if took := time.Since(start); !tt.kill && (took < tt.took || took > tt.took+time.Second || fmt.Sprint(err) != tt.fails && (err != nil || tt.fails != "")) {
					t.Errorf("%v after %v, %d left", err, took, s.Left)
				}
				if tt.kill {
					w.write("changes.json", string(left))
				}
				w.engine.answers = nil
				again, err := w.submit(nil)
				if sent := len(w.engine.sent()); err != nil || sent != 3-tt.open || again.Open != tt.open {
					t.Errorf("the next run sends %d, %d are open: %v", sent, again.Open, err)
				}
			})
		})
	}
}

// TestSlowList reads a list of changes for longer than the network may take, as from a
// program that makes it.
func TestSlowList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.publish("https://example.com/", "", "a")
		w.changes("https://example.com/", "added https://example.com/a")
		s, err := w.submit(func(o *Options) {
			o.Changes, o.Build.Online = "-", time.Second
			o.Build.Stdin = io.MultiReader(later(time.Hour), bytes.NewReader(w.read("changes.json")))
		})
		if err != nil || len(w.engine.sent()) != 1 {
			t.Errorf("%d sent, %v: %+v", len(w.engine.sent()), err, s)
		}
	})
}

// A later reader is empty after a time.
type later time.Duration

func (l later) Read([]byte) (int, error) {
	time.Sleep(time.Duration(l))
	return 0, io.EOF
}

// TestTwoAtOnce runs two with one state: the second waits, and sends what is left.
func TestTwoAtOnce(t *testing.T) {
	for _, state := range []string{"", "cache/state.json"} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			w.publish("https://example.com/", "", "a", "b")
			w.changes("https://example.com/", "added https://example.com/a", "changed https://example.com/b")
			w.engine.answers = []func(http.ResponseWriter, *http.Request){answer(429, "Retry-After: 120", "")}
			var second *Submission
			var waits string
			ended := make(chan error)
			begin := func(string, ...any) {
				go func() {
					var err error
					second, err = w.submit(func(o *Options) {
						o.State, o.Say = state, func(format string, args ...any) { waits = fmt.Sprintf(format, args...) }
					})
					ended <- err
				}()
			}
			if _, err := w.submit(func(o *Options) { o.State, o.Say = state, begin }); err != nil {
				t.Error(err)
			}
			if err := <-ended; err != nil || second.Earlier != 2 || !strings.HasPrefix(waits, "waiting for another run that uses c") {
				t.Errorf("the second run: %v, %d were sent before; says %q", err, second.Earlier, waits)
			}
			if sent := w.engine.sent(); len(sent) != 2 {
				t.Errorf("sent %q", sent)
			}
		})
	}
}

// TestStateBehindALink runs two with one state by two names, one of which is a link that
// leads to nothing yet.
func TestStateBehindALink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.publish("https://example.com/", "", "a")
		w.changes("https://example.com/", "added https://example.com/a")
		if err := os.Symlink("state.json", filepath.Join(w.dir, "link.json")); err != nil {
			t.Skip(err)
		}
		w.engine.answers = []func(http.ResponseWriter, *http.Request){answer(429, "Retry-After: 120", "")}
		ended := make(chan error)
		begin := func(string, ...any) {
			go func() {
				_, err := w.submit(func(o *Options) { o.State = "state.json" })
				ended <- err
			}()
		}
		if _, err := w.submit(func(o *Options) { o.State, o.Say = "link.json", begin }); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil || len(w.engine.sent()) != 1 || len(w.read("state.json")) == 0 {
			t.Errorf("sent %q: %v", w.engine.sent(), err)
		}
	})
}

// TestOneHostInARequest leaves out what is not the site's.
func TestOneHostInARequest(t *testing.T) {
	w := newWorld(t)
	w.publish("https://xn--bcher-kva.example/", "a")
	w.changes("https://xn--bcher-kva.example/", "changed https://xn--bcher-kva.example/a", "changed https://www.xn--bcher-kva.example/b", "added https://example.org/c")
	s, err := w.submit(nil)
	if err != nil || s.Outside != 2 || len(w.engine.got) != 1 || w.engine.got[0].Host != "xn--bcher-kva.example" {
		t.Errorf("error %v, %d outside, sent %v", err, s.Outside, w.engine.got)
	}
}

// TestList refuses what is no list of changes, with the line of the mistake.
func TestList(t *testing.T) {
	for src, fails := range map[string]string{
		"":                                   "unexpected end of JSON input",
		"{\n\n  \"command\": \"diff\",\n}":   "line 4: invalid character",
		"[]":                                 "no JSON object",
		`{"command": "build", "version": 1}`: "not a list of changes",
		`{"command": "diff", "version": 2}`:  "version 2",
		`{"command": "diff", "version": 1}`:  "no changes",
		`{"command": "diff", "version": 1, "error": "gone"}`: "gone",
		"{\"command\": \"diff\",\n\"version\": \"1\"}":       "line 2: json: cannot unmarshal string",
	} {
		if _, err := ReadList([]byte(src)); err == nil || !strings.Contains(err.Error(), fails) {
			t.Errorf("%q: %v, want %q", src, err, fails)
		}
	}
}

// FuzzReaders reads anything: what is read is written and read again as the same,
// and nothing of the document is lost.
func FuzzReaders(f *testing.F) {
	f.Add([]byte(`{"version": 1, "command": "diff", "x": [1, {"y": "<&>"}], "changes": {"is": 1, "list": [{"class": "added", "url": "https://example.com/", "level": "note"}]}, "submitted": []}`))
	f.Add([]byte("\ufeff{\"version\": 1, \"submitted\": [{\"engine\": \"e\", \"at\": \"2026-01-02T03:04:05Z\", \"open\": true, \"urls\": {\"u\": \"added\"}}]}"))
	f.Add([]byte(`{"version": 1, "submitted": [{"engine": "e", "at": "2026-01-02T03:04:05Z", "urls": {"u": "a"}}, {"engine": "e", "at": "2026-01-02T03:04:06+01:00", "urls": {"u": "b"}}]}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		if s, err := ReadState(src); err == nil {
			text := s.Document()
			again, err := ReadState(text)
			if err != nil || !bytes.Equal(text, again.Document()) {
				t.Errorf("%q is written as %q, and that as %q: %v", src, text, again.Document(), err)
			}
		}
		l, err := ReadList(src)
		if err != nil {
			return
		}
		text := l.State.Document()
		again, err := ReadList(text)
		if err != nil {
			t.Fatalf("%q is written as %q: %v", src, text, err)
		}
		if !bytes.Equal(text, again.State.Document()) || !slices.Equal(l.Changes, again.Changes) || l.Hidden != again.Hidden || l.URLs != again.URLs {
			t.Errorf("%q is another list when it is written", src)
		}
	})
}
