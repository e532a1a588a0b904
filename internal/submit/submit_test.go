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
// documentation, except for white space. See https://www.indexnow.org/documentation
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
			p := newTestProject(t)
			var lines, pages []string
			for _, loc := range want.URLs {
				lines = append(lines, "changed "+loc)
				pages = append(pages, strings.TrimPrefix(loc, tt.base))
			}
			s := p.publish(tt.base, pages...)
			for _, path := range slices.Collect(maps.Keys(s.files)) {
				before, _, _ := strings.Cut(path, "?")
				s.files[before] = s.files[path]
			}
			s.files[strings.TrimPrefix(tt.base, "https://www.example.com")+"sitemap.xml"] = strings.ReplaceAll(s.files[strings.TrimPrefix(tt.base, "https://www.example.com")+"sitemap.xml"], "&", "&amp;")
			p.writeChanges(tt.base, lines...)
			if sub, err := p.submit(nil); err != nil {
				t.Fatalf("error %v, findings %s", err, formatCodes(sub))
			}
			var compact bytes.Buffer
			_ = json.Compact(&compact, []byte(tt.want))
			sorted := strings.Replace(compact.String(), `"https://www.example.com/url1","https://www.example.com/folder/url2"`, `"https://www.example.com/folder/url2","https://www.example.com/url1"`, 1)
			all := "POST /indexnow\nContent-Type: application/json; charset=utf-8\n" + sorted
			if len(p.engine.requests) != 1 || p.engine.requests[0] != all {
				t.Errorf("requests: got\n%s\nwant\n%s", p.engine.requests, all)
			}
		})
	}
}

// respond returns a handler that writes a status, a header line and a body.
func respond(code int, header, body string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		if name, value, ok := strings.Cut(header, ": "); ok {
			w.Header().Set(name, value)
		}
		w.WriteHeader(code)
		fmt.Fprint(w, body)
	}
}

// TestSendHandlesEachStatus checks the findings, retries and pauses for each status of an engine.
// It uses a fake clock.
func TestSendHandlesEachStatus(t *testing.T) {
	slow := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	broken := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	const jsonBody = `{"errorCode":"UserForbiddedToAccessSite","message":"User is unauthorized"}`
	for name, tt := range map[string]struct {
		answers      []func(http.ResponseWriter, *http.Request)
		wantCodes    string
		message      string // part of each finding
		wantTime     time.Duration
		wantRequests int
		wantUnsent   int
	}{
		"200":                   {answers: []func(http.ResponseWriter, *http.Request){respond(200, "", "")}, wantRequests: 1},
		"200 with HTML":         {answers: []func(http.ResponseWriter, *http.Request){respond(200, "", "<html>Thank you")}, wantRequests: 1},
		"202":                   {answers: []func(http.ResponseWriter, *http.Request){respond(202, "", `{"queued":true}`)}, wantRequests: 1},
		"400":                   {answers: []func(http.ResponseWriter, *http.Request){respond(400, "", "bad")}, wantCodes: "submit-refused*1", message: "it answers 400: it does not understand the request", wantRequests: 1},
		"403":                   {answers: []func(http.ResponseWriter, *http.Request){respond(403, "", jsonBody)}, wantCodes: "submit-refused*1", message: "it answers 403: it does not accept the key", wantRequests: 1},
		"404":                   {answers: []func(http.ResponseWriter, *http.Request){respond(404, "", "<html>404")}, wantCodes: "submit-refused*1", message: "404: no answer of IndexNow", wantRequests: 1},
		"405":                   {answers: []func(http.ResponseWriter, *http.Request){respond(405, "", "")}, wantCodes: "submit-refused*1", message: "405", wantRequests: 1},
		"422":                   {answers: []func(http.ResponseWriter, *http.Request){respond(422, "", "")}, wantCodes: "submit-refused*1", message: "not of the host", wantRequests: 1},
		"redirect":              {answers: []func(http.ResponseWriter, *http.Request){respond(308, "Location: https://example.com/", "")}, wantCodes: "submit-refused*1", message: "308", wantRequests: 1},
		"429 once":              {answers: []func(http.ResponseWriter, *http.Request){respond(429, "", "")}, wantTime: 10 * time.Second, wantRequests: 2},
		"429 with seconds":      {answers: []func(http.ResponseWriter, *http.Request){respond(429, "Retry-After: 90", "")}, wantTime: 90 * time.Second, wantRequests: 2},
		"429 with a date":       {answers: []func(http.ResponseWriter, *http.Request){respond(429, "Retry-After: Sat, 01 Jan 2000 00:02:00 GMT", "")}, wantTime: 2 * time.Minute, wantRequests: 2},
		"429 for an hour":       {answers: []func(http.ResponseWriter, *http.Request){respond(429, "Retry-After: 3600", "")}, wantCodes: "submit-failed*1", message: "429: too many requests", wantRequests: 1, wantUnsent: 3},
		"429 for centuries":     {answers: []func(http.ResponseWriter, *http.Request){respond(429, "Retry-After: 99999999999999999999", "")}, wantCodes: "submit-failed*1", wantRequests: 1, wantUnsent: 3},
		"429 with invalid date": {answers: []func(http.ResponseWriter, *http.Request){respond(429, "Retry-After: soon", "")}, wantTime: 10 * time.Second, wantRequests: 2},
		"429 always": {
			answers:   slices.Repeat([]func(http.ResponseWriter, *http.Request){respond(429, "", "")}, 9),
			wantCodes: "submit-failed*1", wantTime: (10 + 20 + 40) * time.Second, wantRequests: 4, wantUnsent: 3,
		},
		"503 once": {answers: []func(http.ResponseWriter, *http.Request){respond(503, "", "")}, wantTime: 10 * time.Second, wantRequests: 2},
		"500 always": {
			answers:   slices.Repeat([]func(http.ResponseWriter, *http.Request){respond(500, "", "<h1>Sorry</h1>")}, 9),
			wantCodes: "submit-failed*1", message: "500: it is out of order", wantTime: (10 + 20 + 40) * time.Second, wantRequests: 4, wantUnsent: 3,
		},
		"no answer once":         {answers: []func(http.ResponseWriter, *http.Request){slow}, wantTime: answerTimeout + 10*time.Second, wantRequests: 2},
		"broken connection once": {answers: []func(http.ResponseWriter, *http.Request){broken}, wantTime: 10 * time.Second, wantRequests: 2},
		"no answer at all": {
			answers:   slices.Repeat([]func(http.ResponseWriter, *http.Request){slow}, 9),
			wantCodes: "submit-failed*1", message: "no answer within 30s", wantTime: 4*answerTimeout + 70*time.Second, wantRequests: 4, wantUnsent: 3,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newTestProject(t)
				p.publish("https://example.com/", "", "a", "b")
				p.writeChanges("https://example.com/", "added https://example.com/a", "changed https://example.com/b", "lost https://example.com/gone")
				p.engine.answers = tt.answers
				start := time.Now()
				s, err := p.submit(nil)
				if err != nil {
					t.Fatal(err)
				}
				if got := formatCodes(s); got != tt.wantCodes || s.Outcome.Unsent != tt.wantUnsent {
					t.Errorf("got findings %q and %d unsent, want %q and %d", got, s.Outcome.Unsent, tt.wantCodes, tt.wantUnsent)
				}
				for _, k := range s.Build.Findings.Kinds() {
					if text := k.List[0].Message; !strings.Contains(text, tt.message) {
						t.Errorf("finding: got %q, want %q", text, tt.message)
					}
				}
				if took := time.Since(start).Round(time.Second); took != tt.wantTime || len(p.engine.requests) != tt.wantRequests {
					t.Errorf("got %d requests in %v, want %d in %v", len(p.engine.requests), took, tt.wantRequests, tt.wantTime)
				}
			})
		})
	}
}

// TestSendAllCountsUnsentAfterRefusedKey checks that no second request is sent after the engine has
// rejected the key, and that the URLs of the second request count as unsent.
func TestSendAllCountsUnsentAfterRefusedKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newTestProject(t)
		p.writeFile("sitemap.yaml", "output: {indexnow: "+testKey+"}\n")
		const base = "https://example.com/"
		pages, lines := make([]string, 12_000), make([]string, 12_000)
		for i := range pages {
			pages[i] = fmt.Sprintf("page-%d", i)
			lines[i] = "changed " + base + pages[i]
		}
		p.publish(base, pages...)
		p.writeChanges(base, lines...)
		p.engine.answers = []func(http.ResponseWriter, *http.Request){respond(403, "", "")}
		s, err := p.submit(nil)
		if err != nil || formatCodes(s) != "submit-refused*1" || s.Outcome.Unsent != 2000 || len(p.engine.requests) != 1 {
			t.Errorf("got error %v, findings %s, %d unsent after %d requests, want submit-refused, 2000 unsent after 1 request", err, formatCodes(s), s.Outcome.Unsent, len(p.engine.requests))
		}
	})
}

// TestSendAllSendsEachURLOnce checks that 25,000 URLs of three hosts are sent once each, with at
// most 10,000 URLs in a request.
func TestSendAllSendsEachURLOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newTestProject(t)
		p.writeFile("sitemap.yaml", "output: {indexnow: "+testKey+`}
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
			p.publish(base, pages...)
		}
		p.writeChanges("https://example.com/", lines...)

		s, err := p.submit(nil)
		if err != nil || formatCodes(s) != "" {
			t.Fatalf("error %v, findings %s", err, formatCodes(s))
		}
		var sizes []string
		for _, sent := range p.engine.accepted {
			sizes = append(sizes, fmt.Sprint(sent.Host, " ", len(sent.URLs)))
		}
		if got := strings.Join(sizes, ", "); got != "example.com 10000, example.com 2000, example.de 3000, example.fr 10000" {
			t.Errorf("URLs in each request: got %s", got)
		}
		all := p.engine.acceptedURLs()
		if len(all) != 25_000 || len(slices.Compact(all)) != 25_000 {
			t.Errorf("got %d URLs, %d without duplicates, want 25000", len(all), len(slices.Compact(all)))
		}
	})
}

// TestRunWaitsForDeploy checks that Run sends nothing before the live site serves the key and the
// built sitemap.
func TestRunWaitsForDeploy(t *testing.T) {
	for name, tt := range map[string]struct {
		change   func(*fakeSite)
		wait     time.Duration
		wantErr  string // "" if the changes are sent
		wantTime time.Duration
	}{
		"live":                      {change: func(*fakeSite) {}},
		"missing key":               {change: func(s *fakeSite) { delete(s.files, "/"+testKey+".txt") }, wantErr: testKey + ".txt must contain the key: it answers 404"},
		"another key":               {change: func(s *fakeSite) { s.files["/"+testKey+".txt"] = "other" }, wantErr: "another text"},
		"key in a web page":         {change: func(s *fakeSite) { s.files["/"+testKey+".txt"] = "<p>" + testKey }, wantErr: "another text"},
		"key with a line end":       {change: func(s *fakeSite) { s.files["/"+testKey+".txt"] += "\r\n" }},
		"missing sitemap":           {change: func(s *fakeSite) { delete(s.files, "/sitemap.xml") }, wantErr: "https://example.com/ is not live: https://example.com/sitemap.xml answers 404 Not Found"},
		"sitemap without added URL": {change: func(s *fakeSite) { s.files["/sitemap.xml"] = strings.ReplaceAll(s.files["/sitemap.xml"], "/a<", "/z<") }, wantErr: "does not list https://example.com/a yet"},
		"sitemap with lost URL": {change: func(s *fakeSite) {
			s.files["/sitemap.xml"] = strings.ReplaceAll(s.files["/sitemap.xml"], "com/<", "com/gone<")
		}, wantErr: "still lists https://example.com/gone"},
		"sitemap with older dates": {change: func(s *fakeSite) {
			s.files["/sitemap.xml"] = strings.ReplaceAll(s.files["/sitemap.xml"], "01-02", "01-01")
		}, wantErr: "another date"},
		"never live": {change: func(s *fakeSite) { s.files["/sitemap.xml"] = "<html>" }, wait: 5 * time.Minute, wantTime: 5 * time.Minute, wantErr: "is not live"},
		"live after 95 s": {change: func(s *fakeSite) {
			s.oldFiles = map[string]string{"/sitemap.xml": strings.ReplaceAll(s.files["/sitemap.xml"], "/a<", "/z<")}
			s.deployTime = time.Now().Add(95 * time.Second)
		}, wait: 5 * time.Minute, wantTime: 100 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newTestProject(t)
				tt.change(p.publish("https://example.com/", "", "a", "b"))
				p.writeChanges("https://example.com/", "added https://example.com/a", "changed https://example.com/b", "lost https://example.com/gone", "hidden https://example.com/h", "re-dated https://example.com/")
				start := time.Now()
				s, err := p.submit(func(o *Options) { o.Wait = tt.wait })
				if tt.wantErr == "" && err != nil || tt.wantErr != "" && (err == nil || !strings.Contains(err.Error(), tt.wantErr)) {
					t.Errorf("error: got %v, want %q", err, tt.wantErr)
				}
				want := "https://example.com/a https://example.com/b https://example.com/gone"
				if tt.wantErr != "" {
					want = ""
				}
				if got := strings.Join(p.engine.acceptedURLs(), " "); got != want || s.Outcome.Hidden != 1 {
					t.Errorf("got URLs %q and %d hidden, want %q and 1", got, s.Outcome.Hidden, want)
				}
				if took := time.Since(start).Round(time.Second); took != tt.wantTime { // the rate is 10 requests a second
					t.Errorf("time: got %v, want %v", took, tt.wantTime)
				}
			})
		})
	}
}

// TestRunSkipsPrivateSites checks that Run sends nothing for previews, local sites, single
// deployments and builds without an indexable page.
func TestRunSkipsPrivateSites(t *testing.T) {
	for name, tt := range map[string]struct {
		env, base, wantReason string
		empty                 bool
	}{
		"Netlify preview":       {env: "NETLIFY=true CONTEXT=deploy-preview", wantReason: "preview deployment (CONTEXT=deploy-preview)"},
		"Vercel preview":        {env: "VERCEL_ENV=preview", wantReason: "VERCEL_ENV=preview"},
		"Cloudflare preview":    {env: "CF_PAGES_BRANCH=try", wantReason: "CF_PAGES_BRANCH=try"},
		"Workers preview":       {env: "WORKERS_CI_BRANCH=try", wantReason: "WORKERS_CI_BRANCH=try"},
		"GitHub":                {env: "GITHUB_EVENT_NAME=pull_request", wantReason: "pull request (GITHUB_EVENT_NAME=pull_request)"},
		"GitLab":                {env: "CI_PIPELINE_SOURCE=merge_request_event", wantReason: "pull request"},
		"Render":                {env: "IS_PULL_REQUEST=true", wantReason: "pull request"},
		"Amplify":               {env: "AWS_PULL_REQUEST_ID=12", wantReason: "pull request"},
		"Azure":                 {env: "BUILD_REASON=PullRequest", wantReason: "pull request"},
		"localhost":             {base: "http://localhost:1313/", wantReason: "is on this machine"},
		"loopback":              {base: "http://127.0.0.1:8080/", wantReason: "is on this machine"},
		"Netlify deployment":    {base: "https://63d1--site.netlify.app/", wantReason: "one deployment (of Netlify)"},
		"Cloudflare deployment": {base: "https://63d1.site.pages.dev/", wantReason: "one deployment (of Cloudflare Pages)"},
		"Vercel deployment":     {env: "VERCEL_ENV=production VERCEL_URL=site-63d1.vercel.app", base: "https://site-63d1.vercel.app/", wantReason: "VERCEL_URL"},
		"noindex build":         {empty: true, wantReason: "not public"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newTestProject(t)
			for pair := range strings.FieldsSeq(tt.env) {
				k, v, _ := strings.Cut(pair, "=")
				p.env[k] = v
			}
			base := "https://example.com/"
			if tt.base != "" {
				base = tt.base
			}
			p.writeChanges(base, "added "+base+"a")
			if tt.empty {
				p.writeFile("changes.json", strings.Replace(string(p.readFile("changes.json")), `"is": 9`, `"is": 0`, 1))
			}
			s, err := p.submit(nil)
			if err != nil || !strings.Contains(s.Outcome.Skipped, tt.wantReason) || s.Outcome.Skipped == "" || len(p.engine.requests) > 0 {
				t.Errorf("got error %v, reason %q, %d requests, want reason %q and no request", err, s.Outcome.Skipped, len(p.engine.requests), tt.wantReason)
			}
		})
	}
	for _, env := range []string{"NETLIFY=true CONTEXT=production", "VERCEL_ENV=production", "CF_PAGES_BRANCH=main CF_PAGES_URL=https://63d1.site.pages.dev", "GITHUB_EVENT_NAME=deployment_status"} {
		p := newTestProject(t)
		for pair := range strings.FieldsSeq(env) {
			k, v, _ := strings.Cut(pair, "=")
			p.env[k] = v
		}
		p.publish("https://example.com/", "a")
		p.writeChanges("https://example.com/", "added https://example.com/a")
		if s, err := p.submit(nil); err != nil || len(p.engine.acceptedURLs()) != 1 {
			t.Errorf("%s: got error %v, reason %q, want 1 URL sent", env, err, s.Outcome.Skipped)
		}
	}
}

// TestRunSendsToEngine checks that the changes are sent to Options.Engine, and that other values
// than URLs are errors.
func TestRunSendsToEngine(t *testing.T) {
	p := newTestProject(t)
	p.publish("https://example.com/", "a")
	p.writeChanges("https://example.com/", "changed https://example.com/a")
	s, err := p.submit(func(o *Options) { o.Engine = "https://www.bing.com/indexnow" })
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Outcome.Answers) != 1 || s.Outcome.Answers[0].Engine != "https://www.bing.com/indexnow" {
		t.Errorf("answers: got %v, want one of www.bing.com", s.Outcome.Answers)
	}
	for _, bad := range []string{"google", "bing", "ftp://example.com/"} {
		if _, err := p.submit(func(o *Options) { o.Engine = bad }); err == nil || !strings.Contains(err.Error(), "engine") {
			t.Errorf("engine %q: got error %v, want one about the engine", bad, err)
		}
	}
}

// TestRunCountsUnsentAfterInterrupt interrupts a run during its first request. All URLs must
// count as unsent.
func TestRunCountsUnsentAfterInterrupt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newTestProject(t)
		p.publish("https://example.com/", "a")
		p.writeChanges("https://example.com/", "changed https://example.com/a")
		ctx, stop := context.WithCancelCause(t.Context())
		p.engine.onRequest = func(int) { stop(errors.New("interrupted")) }
		s, err := Run(ctx, p.options())
		if _, ok := errors.AsType[StoppedError](err); !ok || err.Error() != "interrupted; 1 URL left" || s.Outcome.Unsent != 1 {
			t.Errorf("got error %v, %d unsent, want a StoppedError and 1 unsent", err, s.Outcome.Unsent)
		}
	})
}

// TestRunReadsSlowList checks that the time limit for requests does not apply to a list that a
// slow program writes to standard input.
func TestRunReadsSlowList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newTestProject(t)
		p.publish("https://example.com/", "", "a")
		p.writeChanges("https://example.com/", "added https://example.com/a")
		s, err := p.submit(func(o *Options) {
			o.Changes, o.Build.Timeout = "-", time.Second
			o.Build.Stdin = io.MultiReader(delayedEOF(time.Hour), bytes.NewReader(p.readFile("changes.json")))
		})
		if err != nil || len(p.engine.acceptedURLs()) != 1 {
			t.Errorf("got %d URLs, error %v, want 1 URL: %+v", len(p.engine.acceptedURLs()), err, s)
		}
	})
}

// A delayedEOF is a reader that returns io.EOF after a pause.
type delayedEOF time.Duration

func (l delayedEOF) Read([]byte) (int, error) {
	time.Sleep(time.Duration(l))
	return 0, io.EOF
}

// TestRunSkipsOtherHosts checks that Run does not send URLs of other hosts.
func TestRunSkipsOtherHosts(t *testing.T) {
	p := newTestProject(t)
	p.publish("https://xn--bcher-kva.example/", "a")
	p.writeChanges("https://xn--bcher-kva.example/", "changed https://xn--bcher-kva.example/a", "changed https://www.xn--bcher-kva.example/b", "added https://example.org/c")
	s, err := p.submit(nil)
	if err != nil || s.Outcome.Outside != 2 || len(p.engine.accepted) != 1 || p.engine.accepted[0].Host != "xn--bcher-kva.example" {
		t.Errorf("got error %v, %d outside, requests %v, want 2 outside and 1 request", err, s.Outcome.Outside, p.engine.accepted)
	}
}

// TestParseListRejectsOtherFiles checks the errors for files that are not lists of changes.
func TestParseListRejectsOtherFiles(t *testing.T) {
	for src, wantErr := range map[string]string{
		"":                                   "unexpected end of JSON input",
		"{\n\n  \"command\": \"diff\",\n}":   "invalid character",
		"[]":                                 "cannot unmarshal array",
		`{"command": "build", "version": 1}`: "not a list of changes",
		`{"command": "diff", "version": 2}`:  "version 2",
		`{"command": "diff", "version": 1}`:  "no changes",
		`{"command": "diff", "version": 1, "error": "gone"}`: "gone",
		"{\"command\": \"diff\",\n\"version\": \"1\"}":       "cannot unmarshal string",
	} {
		if _, err := parseDiffReport([]byte(src)); err == nil || !strings.Contains(err.Error(), wantErr) {
			t.Errorf("%q: got error %v, want %q", src, err, wantErr)
		}
	}
}

// FuzzParseDiffReport checks that parseDiffReport does not panic and returns only complete changes.
func FuzzParseDiffReport(f *testing.F) {
	f.Add([]byte(`{"version": 1, "command": "diff", "changes": {"is": 1, "list": [{"class": "added", "url": "https://example.com/", "level": "note"}]}}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		l, err := parseDiffReport(src)
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
