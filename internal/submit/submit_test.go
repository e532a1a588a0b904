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
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestRequestBodyMatchesProtocol compares request bodies with the examples in the IndexNow
// documentation, except for white space.
// See https://www.indexnow.org/documentation
func TestRequestBodyMatchesProtocol(t *testing.T) {
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

// TestSendHandlesEachAnswer checks each status that an engine may answer, with a fake clock.
func TestSendHandlesEachAnswer(t *testing.T) {
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
		"400":               {answers: []func(http.ResponseWriter, *http.Request){answer(400, "", "bad")}, codes: "submit-refused*1", says: "it answers 400: it does not understand the request", asked: 1},
		"403":               {answers: []func(http.ResponseWriter, *http.Request){answer(403, "", jsonBody)}, codes: "submit-refused*1", says: "it answers 403: it does not accept the key", asked: 1},
		"404":               {answers: []func(http.ResponseWriter, *http.Request){answer(404, "", "<html>404")}, codes: "submit-refused*1", says: "404: no answer of IndexNow", asked: 1},
		"405":               {answers: []func(http.ResponseWriter, *http.Request){answer(405, "", "")}, codes: "submit-refused*1", says: "405", asked: 1},
		"422":               {answers: []func(http.ResponseWriter, *http.Request){answer(422, "", "")}, codes: "submit-refused*1", says: "not of the host", asked: 1},
		"a redirect":        {answers: []func(http.ResponseWriter, *http.Request){answer(308, "Location: https://example.com/", "")}, codes: "submit-refused*1", says: "308", asked: 1},
		"429 once":          {answers: []func(http.ResponseWriter, *http.Request){answer(429, "", "")}, took: 10 * time.Second, asked: 2},
		"429 with seconds":  {answers: []func(http.ResponseWriter, *http.Request){answer(429, "Retry-After: 90", "")}, took: 90 * time.Second, asked: 2},
		"429 with a date":   {answers: []func(http.ResponseWriter, *http.Request){answer(429, "Retry-After: Sat, 01 Jan 2000 00:02:00 GMT", "")}, took: 2 * time.Minute, asked: 2},
		"429 for an hour":   {answers: []func(http.ResponseWriter, *http.Request){answer(429, "Retry-After: 3600", "")}, codes: "submit-failed*1", says: "429: too many requests", asked: 1, left: 3},
		"429 for centuries": {answers: []func(http.ResponseWriter, *http.Request){answer(429, "Retry-After: 99999999999999999999", "")}, codes: "submit-failed*1", asked: 1, left: 3},
		"429 with nonsense": {answers: []func(http.ResponseWriter, *http.Request){answer(429, "Retry-After: soon", "")}, took: 10 * time.Second, asked: 2},
		"429 again and again": {
			answers: slices.Repeat([]func(http.ResponseWriter, *http.Request){answer(429, "", "")}, 9),
			codes:   "submit-failed*1", took: (10 + 20 + 40) * time.Second, asked: 4, left: 3,
		},
		"503 once": {answers: []func(http.ResponseWriter, *http.Request){answer(503, "", "")}, took: 10 * time.Second, asked: 2},
		"500 again and again": {
			answers: slices.Repeat([]func(http.ResponseWriter, *http.Request){answer(500, "", "<h1>Sorry</h1>")}, 9),
			codes:   "submit-failed*1", says: "500: it is out of order", took: (10 + 20 + 40) * time.Second, asked: 4, left: 3,
		},
		"slow once":   {answers: []func(http.ResponseWriter, *http.Request){slow}, took: answerTimeout + 10*time.Second, asked: 2},
		"broken once": {answers: []func(http.ResponseWriter, *http.Request){broken}, took: 10 * time.Second, asked: 2},
		"slow for ever": {
			answers: slices.Repeat([]func(http.ResponseWriter, *http.Request){slow}, 9),
			codes:   "submit-failed*1", says: "no answer within 30s", took: 4*answerTimeout + 70*time.Second, asked: 4, left: 3,
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
				if got := codes(s); got != tt.codes || s.Unsent != tt.left {
					t.Errorf("findings %q and %d left, want %q and %d", got, s.Unsent, tt.codes, tt.left)
				}
				for _, k := range s.Findings.Kinds() {
					if text := k.List[0].Message; !strings.Contains(text, tt.says) {
						t.Errorf("says %q, want %q", text, tt.says)
					}
				}
				if took := time.Since(start).Round(time.Second); took != tt.took || len(w.engine.raw) != tt.asked {
					t.Errorf("%d requests in %v, want %d in %v", len(w.engine.raw), took, tt.asked, tt.took)
				}
			})
		})
	}
}

// TestSendAllCountsRestAfterRefusedKey checks that the URLs which are not sent after a refused
// key are counted.
func TestSendAllCountsRestAfterRefusedKey(t *testing.T) {
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
		if err != nil || codes(s) != "submit-refused*1" || s.Unsent != 2000 || len(w.engine.raw) != 1 {
			t.Errorf("%v, %s: %d left after %d requests", err, codes(s), s.Unsent, len(w.engine.raw))
		}
	})
}

// TestSendAllSendsEachURLOnce checks that 25,000 URLs of three hosts are sent once each.
func TestSendAllSendsEachURLOnce(t *testing.T) {
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
	})
}

// TestRunWaitsForDeploy checks that nothing is sent before the live site contains the changes.
func TestRunWaitsForDeploy(t *testing.T) {
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
				start := time.Now()
				s, err := w.submit(func(o *Options) { o.Wait = tt.wait })
				if tt.fails == "" && err != nil || tt.fails != "" && (err == nil || !strings.Contains(err.Error(), tt.fails)) {
					t.Errorf("error %v, want %q", err, tt.fails)
				}
				want := "https://example.com/a https://example.com/b https://example.com/gone"
				if tt.fails != "" {
					want = ""
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

// TestRunSkipsPrivateSites checks that nothing is sent for previews, local sites, single
// deployments and builds without an indexable page.
func TestRunSkipsPrivateSites(t *testing.T) {
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

// TestRunSendsToEngine checks that the changes are sent to Options.Engine.
func TestRunSendsToEngine(t *testing.T) {
	w := newWorld(t)
	w.publish("https://example.com/", "a")
	w.changes("https://example.com/", "changed https://example.com/a")
	s, err := w.submit(func(o *Options) { o.Engine = "https://www.bing.com/indexnow" })
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Answers) != 1 || s.Answers[0].Engine != "https://www.bing.com/indexnow" {
		t.Errorf("told %v", s.Answers)
	}
	for _, bad := range []string{"google", "bing", "ftp://example.com/"} {
		if _, err := w.submit(func(o *Options) { o.Engine = bad }); err == nil || !strings.Contains(err.Error(), "engine") {
			t.Errorf("engine %q: %v", bad, err)
		}
	}
}

// TestRunCountsRestAfterInterrupt interrupts a run during its first request. All URLs must be
// counted as unsent.
func TestRunCountsRestAfterInterrupt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.publish("https://example.com/", "a")
		w.changes("https://example.com/", "changed https://example.com/a")
		ctx, stop := context.WithCancelCause(t.Context())
		w.engine.received = func(int) { stop(errors.New("interrupted")) }
		s, err := Run(ctx, w.options())
		if _, ok := errors.AsType[StoppedError](err); !ok || err.Error() != "interrupted; 1 URL is left" || s.Unsent != 1 {
			t.Errorf("error %v, %d left", err, s.Unsent)
		}
	})
}

// TestRunReadsSlowList checks that the time limit for requests does not apply to reading a list
// from a slow program.
func TestRunReadsSlowList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.publish("https://example.com/", "", "a")
		w.changes("https://example.com/", "added https://example.com/a")
		s, err := w.submit(func(o *Options) {
			o.Changes, o.Build.Timeout = "-", time.Second
			o.Build.Stdin = io.MultiReader(later(time.Hour), bytes.NewReader(w.read("changes.json")))
		})
		if err != nil || len(w.engine.sent()) != 1 {
			t.Errorf("%d sent, %v: %+v", len(w.engine.sent()), err, s)
		}
	})
}

// A later reader returns io.EOF after a pause.
type later time.Duration

func (l later) Read([]byte) (int, error) {
	time.Sleep(time.Duration(l))
	return 0, io.EOF
}

// TestRunLeavesOutOtherHosts checks that URLs of other sites are not sent.
func TestRunLeavesOutOtherHosts(t *testing.T) {
	w := newWorld(t)
	w.publish("https://xn--bcher-kva.example/", "a")
	w.changes("https://xn--bcher-kva.example/", "changed https://xn--bcher-kva.example/a", "changed https://www.xn--bcher-kva.example/b", "added https://example.org/c")
	s, err := w.submit(nil)
	if err != nil || s.Outside != 2 || len(w.engine.got) != 1 || w.engine.got[0].Host != "xn--bcher-kva.example" {
		t.Errorf("error %v, %d outside, sent %v", err, s.Outside, w.engine.got)
	}
}

// TestReadListRejectsOtherFiles checks the errors for files that are not lists of changes.
func TestReadListRejectsOtherFiles(t *testing.T) {
	for src, fails := range map[string]string{
		"":                                   "unexpected end of JSON input",
		"{\n\n  \"command\": \"diff\",\n}":   "invalid character",
		"[]":                                 "cannot unmarshal array",
		`{"command": "build", "version": 1}`: "not a list of changes",
		`{"command": "diff", "version": 2}`:  "version 2",
		`{"command": "diff", "version": 1}`:  "no changes",
		`{"command": "diff", "version": 1, "error": "gone"}`: "gone",
		"{\"command\": \"diff\",\n\"version\": \"1\"}":       "cannot unmarshal string",
	} {
		if _, err := parseList([]byte(src)); err == nil || !strings.Contains(err.Error(), fails) {
			t.Errorf("%q: %v, want %q", src, err, fails)
		}
	}
}

// FuzzReadList checks that ReadList does not panic and returns only complete changes.
func FuzzReadList(f *testing.F) {
	f.Add([]byte(`{"version": 1, "command": "diff", "changes": {"is": 1, "list": [{"class": "added", "url": "https://example.com/", "level": "note"}]}}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		l, err := parseList(src)
		if err != nil {
			return
		}
		for _, c := range l.Changes {
			if c.URL == "" || c.Kind == "" {
				t.Errorf("incomplete change %+v", c)
			}
		}
	})
}
