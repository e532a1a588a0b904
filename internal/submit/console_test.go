package submit

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sitewalk/sitewalk/diag"
)

// A consoleRun contains the input of a run of consoleClient.
type consoleRun struct {
	google      *fakeGoogle
	env         map[string]string
	credentials string // content of GOOGLE_APPLICATION_CREDENTIALS
	property    string
	submits     bool
	timeout     time.Duration // time limit of the run; 0 for an hour
}

// run returns the status of testSitemapURL, and everything that the user can see: log lines,
// findings, hints and the status.
func (v *consoleRun) run(t *testing.T) (s GoogleSitemap, output string, err error) {
	t.Helper()
	env := map[string]string{}
	if v.env == nil && v.credentials == "" {
		env[tokenEnv] = testToken
	}
	for name, value := range v.env {
		env[name] = value
	}
	dir := t.TempDir()
	if v.credentials != "" {
		env[fileEnv] = "key.json"
		if err := os.WriteFile(filepath.Join(dir, "key.json"), []byte(v.credentials), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if v.timeout == 0 {
		v.timeout = time.Hour
	}
	ctx, cancel := context.WithTimeout(t.Context(), v.timeout)
	defer cancel()
	var lines []string
	c := &consoleClient{scope: readScope, now: time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC), GoogleOptions: GoogleOptions{
		Getenv: func(name string) string { return env[name] }, Dir: dir, Property: v.property,
		Client: &http.Client{Transport: v.google}, Logf: func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) },
	}}
	if v.submits {
		c.scope = submitScope
	}
	found := &diag.Report{MaxKept: -1}
	all, err := c.processSitemaps(ctx, []string{testSitemapURL}, found)
	if len(all) > 0 {
		s = all[0]
	}
	for _, k := range found.Kinds() {
		for _, d := range k.List {
			lines = append(lines, d.String()+"\nhint: "+d.Hint)
		}
	}
	return s, strings.Join(append(lines, fmt.Sprintf("%+v", s)), "\n"), err
}

// TestFindPropertyPrefersLongest checks which property is used for a sitemap. The permission of
// the account must suffice, and the longest property is preferred.
func TestFindPropertyPrefersLongest(t *testing.T) {
	for name, tt := range map[string]struct {
		sites    map[string]string
		property string
		submits  bool
		want     string
		message  string
	}{
		"domain":                            {sites: map[string]string{"sc-domain:example.com": "siteOwner"}, submits: true, want: "sc-domain:example.com"},
		"prefix":                            {sites: map[string]string{"https://www.example.com/": "siteFullUser"}, submits: true, want: "https://www.example.com/"},
		"longest prefix":                    {sites: map[string]string{"https://www.example.com/": "siteOwner", "https://www.example.com/docs/": "siteOwner", "sc-domain:example.com": "siteOwner"}, submits: true, want: "https://www.example.com/docs/"},
		"longest domain":                    {sites: map[string]string{"sc-domain:example.com": "siteOwner", "sc-domain:www.example.com": "siteOwner"}, submits: true, want: "sc-domain:www.example.com"},
		"restricted prefix":                 {sites: map[string]string{"https://www.example.com/docs/": "siteRestrictedUser", "sc-domain:example.com": "siteFullUser"}, submits: true, want: "sc-domain:example.com"},
		"restricted prefix, only reading":   {sites: map[string]string{"https://www.example.com/docs/": "siteRestrictedUser", "sc-domain:example.com": "siteFullUser"}, want: "https://www.example.com/docs/"},
		"restricted domain":                 {sites: map[string]string{"sc-domain:example.com": "siteRestrictedUser"}, submits: true, message: "may use no property that contains " + testSitemapURL},
		"unverified domain":                 {sites: map[string]string{"sc-domain:example.com": "siteUnverifiedUser"}, message: "may use no property that contains " + testSitemapURL},
		"other sites":                       {sites: map[string]string{"sc-domain:ample.com": "siteOwner", "http://www.example.com/": "siteOwner", "https://www.example.com/doc": "siteOwner"}, message: "may use no property that contains " + testSitemapURL},
		"no property":                       {sites: map[string]string{}, message: "may use no property that contains"},
		"given property":                    {sites: map[string]string{"https://www.example.com/": "siteOwner", "sc-domain:example.com": "siteOwner"}, property: "sc-domain:example.com", submits: true, want: "sc-domain:example.com"},
		"given property of another site":    {sites: map[string]string{"https://www.example.com/": "siteOwner"}, property: "https://example.fr/", submits: true, want: "https://www.example.com/"},
		"given property without permission": {sites: map[string]string{"https://www.example.com/": "siteOwner"}, property: "sc-domain:example.com", submits: true, want: "sc-domain:example.com", message: "has no permission, asked of " + testSitemapURL + " [google-refused]\nhint: in Search Console, under Settings, Users and permissions, add it with full permission"},
	} {
		t.Run(name, func(t *testing.T) {
			g := newFakeGoogle(t)
			g.permissions = tt.sites
			s, output, err := (&consoleRun{google: g, property: tt.property, submits: tt.submits}).run(t)
			if strings.Contains(tt.message+output, "google-refused") && strings.Contains(output, "google-unknown") {
				t.Errorf("output has google-unknown after a refused request: %s", output)
			}
			if err != nil || s.Property != tt.want || !strings.Contains(output, tt.message) {
				t.Errorf("got error %v, property %q, want %q; output\n%s\nwant %s", err, s.Property, tt.want, output, tt.message)
			}
			if done := tt.want != "" && tt.message == ""; s.Submitted != (done && tt.submits) {
				t.Errorf("submitted: got %v, want %v", s.Submitted, done && tt.submits)
			}
			if tt.property != "" && tt.message == "" && tt.want == tt.property && strings.HasSuffix(g.requests[0], "/sites") {
				t.Error("the properties are requested, but the property is given")
			}
		})
	}
}

func TestConsoleSendsRequests(t *testing.T) {
	const at = "/webmasters/v3/sites/sc-domain%3Aexample.com/sitemaps/https%3A%2F%2Fwww.example.com%2Fdocs%2Fsitemap.xml"
	for name, tt := range map[string]struct {
		known, submits bool
		want           []string
	}{
		"submitted again":              {true, true, []string{"PUT " + at, "GET " + at}},
		"submitted for the first time": {false, true, []string{"PUT " + at, "GET " + at}},
		"read only":                    {false, false, []string{"GET " + at}},
	} {
		t.Run(name, func(t *testing.T) {
			g := newFakeGoogle(t)
			if tt.known {
				g.sitemaps["sc-domain:example.com "+testSitemapURL] = `{}`
			}
			if _, output, err := (&consoleRun{google: g, submits: tt.submits}).run(t); err != nil {
				t.Errorf("error %v, output\n%s", err, output)
			}
			if want := append([]string{"GET /webmasters/v3/sites"}, tt.want...); !slices.Equal(g.requests, want) {
				t.Errorf("requests: got\n%q, want\n%q", g.requests, want)
			}
		})
	}
}

// TestConsoleReportsSitemapStatus checks the status line and the finding for the answers of the
// API about a sitemap.
func TestConsoleReportsSitemapStatus(t *testing.T) {
	for name, tt := range map[string]struct{ answer, line, finding string }{
		"pending":                  {`{"lastSubmitted": "2026-11-23T10:00:00.000Z", "isPending": true, "errors": "0", "warnings": "0"}`, "last submitted 2026-11-23T10:00:00Z, not downloaded yet, pending, 0 errors, 0 warnings", "note: Google has not downloaded " + testSitemapURL + " yet [google-unread]"},
		"not downloaded for weeks": {`{"lastSubmitted": "2026-11-01T10:00:00.000Z", "lastDownloaded": "1970-01-01T00:00:00.000Z", "isPending": true}`, "not downloaded yet", "warning: Google has not downloaded " + testSitemapURL + " since it was submitted on 2026-11-01 [google-unread]"},
		"no errors":                {`{"lastSubmitted": "2026-11-01T10:00:00Z", "lastDownloaded": "2026-11-02T10:00:00Z", "isSitemapsIndex": true, "type": "sitemap", "errors": "0", "warnings": 0}`, "last downloaded 2026-11-02T10:00:00Z, 0 errors, 0 warnings", ""},
		"errors":                   {`{"lastDownloaded": "2026-11-02T10:00:00Z", "errors": "2", "warnings": "0"}`, "2 errors", "error: Google counts 2 errors in " + testSitemapURL + ", as downloaded on 2026-11-02 [google-errors]"},
		"warnings":                 {`{"lastDownloaded": "2026-11-02T10:00:00Z", "errors": "0", "warnings": "1"}`, "1 warning", "warning: Google counts 1 warning in " + testSitemapURL + ", as downloaded on 2026-11-02 [google-warnings]"},
		"not submitted":            {"", "", "warning: Google does not know " + testSitemapURL + " as a sitemap of sc-domain:example.com [google-unknown]"},
		"HTML":                     {"<html>", "", "error: Search Console: the answer does not come from the API"},
		"invalid count":            {`{"errors": "many"}`, "", "the answer does not come from the API"},
	} {
		t.Run(name, func(t *testing.T) {
			g := newFakeGoogle(t)
			if tt.answer != "" {
				g.sitemaps["sc-domain:example.com "+testSitemapURL] = tt.answer
			}
			s, output, err := (&consoleRun{google: g}).run(t)
			if err != nil || !strings.Contains(s.String(), tt.line) || !strings.Contains(output, tt.finding) || tt.finding == "" && strings.Contains(output, "[google") {
				t.Errorf("got error %v, status %s, output\n%s\nwant status %s, finding %s", err, s.String(), output, tt.line, tt.finding)
			}
		})
	}
}

// TestConsoleReportsErrors checks the finding and the number of requests for each error that the
// API documents.
func TestConsoleReportsErrors(t *testing.T) {
	for name, tt := range map[string]struct {
		code            int
		reason, message string
		text            string
		wantTries       int
	}{
		"401":            {401, "authError", "Invalid Credentials", "it does not accept the token of SITEWALK_GOOGLE_TOKEN", 1},
		"403 permission": {403, "forbidden", "User does not have sufficient permission", "it answers 403", 1},
		"403 disabled":   {403, "accessNotConfigured", "Google Search Console API has not been used in project 123456 before or it is disabled.", "https://console.cloud.google.com/apis/library/searchconsole.googleapis.com", 1},
		"403 scopes":     {403, "insufficientPermissions", "Request had insufficient authentication scopes.", "its token needs the scope https://www.googleapis.com/auth/webmasters", 1},
		"403 no project": {403, "accessNotConfigured", "The API requires a quota project, which is not set by default.", "set GOOGLE_CLOUD_QUOTA_PROJECT to your project", 1},
		"403 quota":      {403, "quotaExceeded", "Quota exceeded", "it answers 403: the quota of requests is used up", 3},
		"429":            {429, "rateLimitExceeded", "Slow down", "it answers 429: the quota of requests is used up, asked of " + testSitemapURL + " [google-failed]", 3},
		"500":            {500, "backendError", "Sorry", "it answers 500, asked of " + testSitemapURL + " [google-failed]", 3},
		"302":            {302, "", "", "SITEWALK_GOOGLE_API", 1},
		"404":            {404, "notFound", "Not found", "it answers 404", 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newFakeGoogle(t)
				tries := 0
				g.api = func(w http.ResponseWriter, r *http.Request) {
					tries++
					writeError(w, tt.code, tt.reason, tt.message)
				}
				_, output, err := (&consoleRun{google: g}).run(t)
				if err != nil || !strings.Contains(output, tt.text) || tries != tt.wantTries {
					t.Errorf("got error %v after %d requests, want %d; output\n%s\nwant %s", err, tries, tt.wantTries, output, tt.text)
				}
			})
		})
	}
}

// TestLoginReadsCredentials checks the sources of a token, and the messages about invalid
// credentials.
func TestLoginReadsCredentials(t *testing.T) {
	g := newFakeGoogle(t)
	another := newFakeGoogle(t)
	var err error
	if another.key, err = generateKey(); err != nil {
		t.Fatal(err)
	}
	broken := strings.Replace(g.keyFile(), "BEGIN PRIVATE KEY-----", "BEGIN PRIVATE KEY-----!", 1)
	for name, tt := range map[string]struct {
		env          map[string]string
		file         string
		submits      bool
		message      string // "" if the login succeeds
		scope, quota string
	}{
		"token":                         {env: map[string]string{tokenEnv: testToken + "\n"}},
		"token with a quota project":    {env: map[string]string{tokenEnv: testToken, quotaEnv: "my-project"}, quota: "my-project"},
		"key":                           {file: g.keyFile(), scope: readScope},
		"key for submitting":            {file: g.keyFile(), submits: true, scope: submitScope},
		"credentials of a person":       {file: userCredentials(), message: "is not the key of a service account"},
		"key of another account":        {file: strings.Replace(another.keyFile(), "{", `{"x": "",`, 1), message: "no token came for " + testEmail + ": oauth2.googleapis.com answers 400"},
		"damaged key":                   {file: broken, message: "no token came for " + testEmail},
		"key file without JSON":         {file: "-----BEGIN", message: "is not the key of a service account"},
		"key file of another kind":      {file: `{"installed": {}}`, message: "is not the key of a service account"},
		"missing key file":              {env: map[string]string{fileEnv: "missing.json"}, message: "GOOGLE_APPLICATION_CREDENTIALS: no such file"},
		"invalid token":                 {env: map[string]string{tokenEnv: "two words"}, message: "SITEWALK_GOOGLE_TOKEN gives no token"},
		"no credentials":                {env: map[string]string{"HOME": "/nowhere"}, message: "there is no login for Google"},
		"key with another token server": {file: strings.Replace(g.keyFile(), "https://oauth2.googleapis.com/", "https://googleapis.com.example/", 1), scope: readScope},
		"API without https":             {env: map[string]string{tokenEnv: testToken, "SITEWALK_GOOGLE_API": "http://elsewhere.example/"}, message: "SITEWALK_GOOGLE_API is not an https address"},
	} {
		t.Run(name, func(t *testing.T) {
			g.t, g.scope, g.quota = t, "", ""
			s, output, err := (&consoleRun{google: g, env: tt.env, credentials: tt.file, submits: tt.submits}).run(t)
			if ok := s.Property != ""; err != nil || ok != (tt.message == "") || !strings.Contains(output, tt.message) {
				t.Errorf("got error %v, output\n%s\nwant %s", err, output, tt.message)
			}
			if g.scope != tt.scope || g.quota != tt.quota {
				t.Errorf("got scope %q and quota project %q, want %q and %q", g.scope, g.quota, tt.scope, tt.quota)
			}
			checkNoSecrets(t, output, tt.file)
		})
	}
}

// checkNoSecrets fails the test if text contains a part of a token or of the key file.
func checkNoSecrets(t *testing.T, text, file string) {
	t.Helper()
	secrets := []string{testToken, testRefreshToken, testClientSecret, "0123456789abcdef"}
	for line := range strings.SplitSeq(file, `\n`) {
		if len(line) == 64 { // a line of the PEM key
			secrets = append(secrets, line)
		}
	}
	for _, s := range secrets {
		for i := 0; i+12 <= len(s); i += 4 {
			if strings.Contains(text, s[i:i+12]) {
				t.Fatalf("the output contains a secret:\n%s", text)
			}
		}
	}
}

// TestConsoleHidesSecrets checks that the output contains no secret, even if servers repeat the
// whole request in every part of their answer.
func TestConsoleHidesSecrets(t *testing.T) {
	g := newFakeGoogle(t)
	for _, code := range []int{200, 301, 400, 401, 403, 404, 418} {
		for name, shape := range map[string]string{
			"text": "%s", "message": `{"error": {"message": %q, "status": %[1]q, "errors": [{"reason": %[1]q, "message": %[1]q}]}}`,
			"sites":   `{"siteEntry": [{"siteUrl": "https://%s/", "permissionLevel": "siteOwner"}, {"siteUrl": "sc-domain:%[1]s", "permissionLevel": "siteOwner"}]}`,
			"sitemap": `{"siteEntry": [{"siteUrl": "sc-domain:example.com", "permissionLevel": "siteOwner"}], "type": %q, "errors": "1", "contents": [{"type": %[1]q, "submitted": "1"}]}`,
			"token":   `{"error": %q, "error_description": %[1]q, "error_uri": %[1]q}`,
		} {
			for _, file := range []string{"", g.keyFile(), userCredentials()} {
				echo := func(w http.ResponseWriter, r *http.Request) {
					body := ""
					if r.Body != nil {
						src, _ := io.ReadAll(r.Body)
						body = string(src)
					}
					w.Header().Set("X-Echo", r.Header.Get("Authorization"))
					w.WriteHeader(code)
					fmt.Fprintf(w, shape, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")+body+file)
				}
				g.api, g.tokens = echo, nil
				_, output, _ := (&consoleRun{google: g, credentials: file, submits: true}).run(t)
				checkNoSecrets(t, output, file)
				g.tokens = echo
				_, output, _ = (&consoleRun{google: g, credentials: file}).run(t)
				checkNoSecrets(t, output, file)
				if output == "" {
					t.Errorf("%d %s: there is no output", code, name)
				}
			}
		}
	}
}

// TestConsoleLimitsAnswers checks the limits for time and size with servers whose answers never
// come or never end.
func TestConsoleLimitsAnswers(t *testing.T) {
	never := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	endless := func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, maxGoogleAnswer+2)) }
	for name, tt := range map[string]struct {
		api, tokens http.HandlerFunc
		message     string
		wantTime    time.Duration
	}{
		"API without an answer":               {api: never, message: "no complete answer within 30s", wantTime: 3*answerTimeout + 15*time.Second},
		"API with an endless answer":          {api: endless, message: "its answer has more than 4 MiB"},
		"token server without an answer":      {tokens: never, message: "there was no token within 30s", wantTime: answerTimeout},
		"token server with an endless answer": {tokens: endless, message: "no token came for " + testEmail},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newFakeGoogle(t)
				g.api, g.tokens = tt.api, tt.tokens
				start := time.Now()
				_, output, err := (&consoleRun{google: g, credentials: g.keyFile()}).run(t)
				if took := time.Since(start); err != nil || took != tt.wantTime || !strings.Contains(output, tt.message) {
					t.Errorf("got error %v in %v, want %v; output\n%s\nwant %s", err, took, tt.wantTime, output, tt.message)
				}
			})
		})
	}
	t.Run("time limit of the command", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			g := newFakeGoogle(t)
			g.api = never
			if _, output, err := (&consoleRun{google: g, timeout: 10 * time.Second}).run(t); err == nil {
				t.Errorf("got no error, output\n%s", output)
			}
		})
	})
}
