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

// A googleRun is a run of consoleClient with its expected requests and result.
type googleRun struct {
	google   *fakeGoogle
	env      map[string]string
	file     string // of credentials
	property string
	tell     bool
	time     time.Duration // for all; 0 is an hour
}

// run returns the result and all texts that the user can see.
func (v *googleRun) run(t *testing.T) (s GoogleSitemap, told string, err error) {
	t.Helper()
	env := map[string]string{}
	if v.env == nil && v.file == "" {
		env[tokenEnv] = tokenOfTest
	}
	for name, value := range v.env {
		env[name] = value
	}
	dir := t.TempDir()
	if v.file != "" {
		env[fileEnv] = "key.json"
		if err := os.WriteFile(filepath.Join(dir, "key.json"), []byte(v.file), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if v.time == 0 {
		v.time = time.Hour
	}
	ctx, cancel := context.WithTimeout(t.Context(), v.time)
	defer cancel()
	var said []string
	c := &consoleClient{scope: readScope, now: time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC), GoogleOptions: GoogleOptions{
		Getenv: func(name string) string { return env[name] }, Dir: dir, Property: v.property,
		Client: &http.Client{Transport: v.google}, Logf: func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) },
	}}
	if v.tell {
		c.scope = submitScope
	}
	found := &diag.Report{MaxKept: -1}
	all, err := c.processSitemaps(ctx, []string{addressOfTest}, found)
	if len(all) > 0 {
		s = all[0]
	}
	for _, k := range found.Kinds() {
		for _, d := range k.List {
			said = append(said, d.String()+"\nhint: "+d.Hint)
		}
	}
	return s, strings.Join(append(said, fmt.Sprintf("%+v", s)), "\n"), err
}

func TestFindPropertyPrefersLongest(t *testing.T) {
	for name, tt := range map[string]struct {
		sites    map[string]string
		property string
		tell     bool
		want     string
		says     string
	}{
		"domain":              {sites: map[string]string{"sc-domain:example.com": "siteOwner"}, tell: true, want: "sc-domain:example.com"},
		"prefix":              {sites: map[string]string{"https://www.example.com/": "siteFullUser"}, tell: true, want: "https://www.example.com/"},
		"the longest prefix":  {sites: map[string]string{"https://www.example.com/": "siteOwner", "https://www.example.com/docs/": "siteOwner", "sc-domain:example.com": "siteOwner"}, tell: true, want: "https://www.example.com/docs/"},
		"the nearest domain":  {sites: map[string]string{"sc-domain:example.com": "siteOwner", "sc-domain:www.example.com": "siteOwner"}, tell: true, want: "sc-domain:www.example.com"},
		"what may submit":     {sites: map[string]string{"https://www.example.com/docs/": "siteRestrictedUser", "sc-domain:example.com": "siteFullUser"}, tell: true, want: "sc-domain:example.com"},
		"restricted may read": {sites: map[string]string{"https://www.example.com/docs/": "siteRestrictedUser", "sc-domain:example.com": "siteFullUser"}, want: "https://www.example.com/docs/"},
		"restricted":          {sites: map[string]string{"sc-domain:example.com": "siteRestrictedUser"}, tell: true, says: "may use no property that contains " + addressOfTest},
		"unverified":          {sites: map[string]string{"sc-domain:example.com": "siteUnverifiedUser"}, says: "may use no property that contains " + addressOfTest},
		"others":              {sites: map[string]string{"sc-domain:ample.com": "siteOwner", "http://www.example.com/": "siteOwner", "https://www.example.com/doc": "siteOwner"}, says: "may use no property that contains " + addressOfTest},
		"none":                {sites: map[string]string{}, says: "may use no property that contains"},
		"named":               {sites: map[string]string{"https://www.example.com/": "siteOwner", "sc-domain:example.com": "siteOwner"}, property: "sc-domain:example.com", tell: true, want: "sc-domain:example.com"},
		"named for another":   {sites: map[string]string{"https://www.example.com/": "siteOwner"}, property: "https://example.fr/", tell: true, want: "https://www.example.com/"},
		"named and not seen":  {sites: map[string]string{"https://www.example.com/": "siteOwner"}, property: "sc-domain:example.com", tell: true, want: "sc-domain:example.com", says: "has no permission, asked of " + addressOfTest + " [google-refused]\nhint: in Search Console, under Settings, Users and permissions, add it with full permission"},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGoogle(t)
			g.sites = tt.sites
			s, told, err := (&googleRun{google: g, property: tt.property, tell: tt.tell}).run(t)
			if strings.Contains(tt.says+told, "google-refused") && strings.Contains(told, "google-unknown") {
				t.Errorf("says what it does not know: %s", told)
			}
			if err != nil || s.Property != tt.want || !strings.Contains(told, tt.says) {
				t.Errorf("%v: property %q, want %q; says\n%s\nwant %s", err, s.Property, tt.want, told, tt.says)
			}
			if done := tt.want != "" && tt.says == ""; s.Submitted != (done && tt.tell) {
				t.Errorf("submitted: %v", s.Submitted)
			}
			if tt.property != "" && tt.says == "" && tt.want == tt.property && strings.HasSuffix(g.asked[0], "/sites") {
				t.Error("a property that is named is looked for")
			}
		})
	}
}

func TestConsoleSendsRequests(t *testing.T) {
	const at = "/webmasters/v3/sites/sc-domain%3Aexample.com/sitemaps/https%3A%2F%2Fwww.example.com%2Fdocs%2Fsitemap.xml"
	for name, tt := range map[string]struct {
		known, tell bool
		want        []string
	}{
		"submitted before": {true, true, []string{"PUT " + at, "GET " + at}},
		"submitted first":  {false, true, []string{"PUT " + at, "GET " + at}},
		"read only":        {false, false, []string{"GET " + at}},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGoogle(t)
			if tt.known {
				g.sitemaps["sc-domain:example.com "+addressOfTest] = `{}`
			}
			if _, told, err := (&googleRun{google: g, tell: tt.tell}).run(t); err != nil {
				t.Error(err, told)
			}
			if want := append([]string{"GET /webmasters/v3/sites"}, tt.want...); !slices.Equal(g.asked, want) {
				t.Errorf("asked\n%q, want\n%q", g.asked, want)
			}
		})
	}
}

func TestConsoleReadsAnswers(t *testing.T) {
	for name, tt := range map[string]struct{ answer, line, finding string }{
		"pending":       {`{"lastSubmitted": "2026-11-23T10:00:00.000Z", "isPending": true, "errors": "0", "warnings": "0"}`, "last submitted 2026-11-23T10:00:00Z, not downloaded yet, pending, 0 errors, 0 warnings", "note: Google has not downloaded " + addressOfTest + " yet [google-unread]"},
		"forgotten":     {`{"lastSubmitted": "2026-11-01T10:00:00.000Z", "lastDownloaded": "1970-01-01T00:00:00.000Z", "isPending": true}`, "not downloaded yet", "warning: Google has not downloaded " + addressOfTest + " since it was submitted on 2026-11-01 [google-unread]"},
		"sound":         {`{"lastSubmitted": "2026-11-01T10:00:00Z", "lastDownloaded": "2026-11-02T10:00:00Z", "isSitemapsIndex": true, "type": "sitemap", "errors": "0", "warnings": 0}`, "last downloaded 2026-11-02T10:00:00Z, 0 errors, 0 warnings", ""},
		"errors":        {`{"lastDownloaded": "2026-11-02T10:00:00Z", "errors": "2", "warnings": "0"}`, "2 errors", "error: Google counts 2 errors in " + addressOfTest + ", as downloaded on 2026-11-02 [google-errors]"},
		"warnings":      {`{"lastDownloaded": "2026-11-02T10:00:00Z", "errors": "0", "warnings": "1"}`, "1 warning", "warning: Google counts 1 warning in " + addressOfTest + ", as downloaded on 2026-11-02 [google-warnings]"},
		"not submitted": {"", "", "warning: Google does not know " + addressOfTest + " as a sitemap of sc-domain:example.com [google-unknown]"},
		"no JSON":       {"<html>", "", "error: Search Console: its answer is not one of the API"},
		"bad counts":    {`{"errors": "many"}`, "", "its answer is not one of the API"},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGoogle(t)
			if tt.answer != "" {
				g.sitemaps["sc-domain:example.com "+addressOfTest] = tt.answer
			}
			s, told, err := (&googleRun{google: g}).run(t)
			if err != nil || !strings.Contains(s.String(), tt.line) || !strings.Contains(told, tt.finding) || tt.finding == "" && strings.Contains(told, "[google") {
				t.Errorf("%v: %s\n%s\nwant %s\n%s", err, s.String(), told, tt.line, tt.finding)
			}
		})
	}
}

// TestConsoleExplainsRefusals checks the finding for each error that the API documents.
func TestConsoleExplainsRefusals(t *testing.T) {
	for name, tt := range map[string]struct {
		code            int
		reason, message string
		says            string
		tries           int
	}{
		"401":            {401, "authError", "Invalid Credentials", "it does not accept the token of SITEWALK_GOOGLE_TOKEN", 1},
		"403 permission": {403, "forbidden", "User does not have sufficient permission", "it answers 403", 1},
		"403 disabled":   {403, "accessNotConfigured", "Google Search Console API has not been used in project 123456 before or it is disabled.", "https://console.cloud.google.com/apis/library/searchconsole.googleapis.com", 1},
		"403 scopes":     {403, "insufficientPermissions", "Request had insufficient authentication scopes.", "its token needs the scope https://www.googleapis.com/auth/webmasters", 1},
		"403 no project": {403, "accessNotConfigured", "The API requires a quota project, which is not set by default.", "set GOOGLE_CLOUD_QUOTA_PROJECT to your project", 1},
		"403 quota":      {403, "quotaExceeded", "Quota exceeded", "it answers 403: the quota of requests is used up", 3},
		"429":            {429, "rateLimitExceeded", "Slow down", "it answers 429: the quota of requests is used up, asked of " + addressOfTest + " [google-failed]", 3},
		"500":            {500, "backendError", "Sorry", "it answers 500, asked of " + addressOfTest + " [google-failed]", 3},
		"302":            {302, "", "", "SITEWALK_GOOGLE_API", 1},
		"404":            {404, "notFound", "Not found", "it answers 404", 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newGoogle(t)
				tries := 0
				g.api = func(w http.ResponseWriter, r *http.Request) {
					tries++
					refuse(w, tt.code, tt.reason, tt.message)
				}
				_, told, err := (&googleRun{google: g}).run(t)
				if err != nil || !strings.Contains(told, tt.says) || tries != tt.tries {
					t.Errorf("%v after %d requests: says\n%s\nwant %s", err, tries, told, tt.says)
				}
			})
		})
	}
}

func TestLoginReadsCredentials(t *testing.T) {
	g := newGoogle(t)
	another := newGoogle(t)
	var err error
	if another.key, err = makeKey(); err != nil {
		t.Fatal(err)
	}
	broken := strings.Replace(g.keyFile(), "BEGIN PRIVATE KEY-----", "BEGIN PRIVATE KEY-----!", 1)
	for name, tt := range map[string]struct {
		env          map[string]string
		file         string
		tell         bool
		says         string // "" is that it went well
		scope, quota string
	}{
		"a token":                         {env: map[string]string{tokenEnv: tokenOfTest + "\n"}},
		"a token with a project":          {env: map[string]string{tokenEnv: tokenOfTest, quotaEnv: "my-project"}, quota: "my-project"},
		"a key":                           {file: g.keyFile(), scope: readScope},
		"a key that submits":              {file: g.keyFile(), tell: true, scope: submitScope},
		"a person":                        {file: personFile(), says: "is not the key of a service account"},
		"the key of another":              {file: strings.Replace(another.keyFile(), "{", `{"x": "",`, 1), says: "no token came for " + email + ": oauth2.googleapis.com answers 400"},
		"a torn key":                      {file: broken, says: "no token came for " + email},
		"no JSON":                         {file: "-----BEGIN", says: "is not the key of a service account"},
		"no credentials":                  {file: `{"installed": {}}`, says: "is not the key of a service account"},
		"no file":                         {env: map[string]string{fileEnv: "missing.json"}, says: "GOOGLE_APPLICATION_CREDENTIALS: no such file"},
		"no token":                        {env: map[string]string{tokenEnv: "two words"}, says: "SITEWALK_GOOGLE_TOKEN gives no token"},
		"nothing":                         {env: map[string]string{"HOME": "/nowhere"}, says: "there is nothing to log in to Google with"},
		"a key that names another server": {file: strings.Replace(g.keyFile(), "https://oauth2.googleapis.com/", "https://googleapis.com.example/", 1), scope: readScope},
		"another API":                     {env: map[string]string{tokenEnv: tokenOfTest, "SITEWALK_GOOGLE_API": "http://elsewhere.example/"}, says: "SITEWALK_GOOGLE_API is not an https address"},
	} {
		t.Run(name, func(t *testing.T) {
			g.t, g.scope, g.quota = t, "", ""
			s, told, err := (&googleRun{google: g, env: tt.env, file: tt.file, tell: tt.tell}).run(t)
			if went := s.Property != ""; err != nil || went != (tt.says == "") || !strings.Contains(told, tt.says) {
				t.Errorf("%v: says\n%s\nwant %s", err, told, tt.says)
			}
			if g.scope != tt.scope || g.quota != tt.quota {
				t.Errorf("scope %q and project %q, want %q and %q", g.scope, g.quota, tt.scope, tt.quota)
			}
			hidden(t, told, tt.file)
		})
	}
}

// hidden fails the test if a text contains a part of the token or of the key file.
func hidden(t *testing.T, text, file string) {
	t.Helper()
	secrets := []string{tokenOfTest, refreshOfTest, secretOfTest, "0123456789abcdef"}
	for line := range strings.SplitSeq(file, `\n`) {
		if len(line) == 64 { // of the key
			secrets = append(secrets, line)
		}
	}
	for _, s := range secrets {
		for i := 0; i+12 <= len(s); i += 4 {
			if strings.Contains(text, s[i:i+12]) {
				t.Fatalf("a secret is told:\n%s", text)
			}
		}
	}
}

// TestConsoleHidesSecrets uses servers that repeat the whole request in every part of their
// answer.
func TestConsoleHidesSecrets(t *testing.T) {
	g := newGoogle(t)
	for _, code := range []int{200, 301, 400, 401, 403, 404, 418} {
		for name, shape := range map[string]string{
			"text": "%s", "message": `{"error": {"message": %q, "status": %[1]q, "errors": [{"reason": %[1]q, "message": %[1]q}]}}`,
			"sites":   `{"siteEntry": [{"siteUrl": "https://%s/", "permissionLevel": "siteOwner"}, {"siteUrl": "sc-domain:%[1]s", "permissionLevel": "siteOwner"}]}`,
			"sitemap": `{"siteEntry": [{"siteUrl": "sc-domain:example.com", "permissionLevel": "siteOwner"}], "type": %q, "errors": "1", "contents": [{"type": %[1]q, "submitted": "1"}]}`,
			"token":   `{"error": %q, "error_description": %[1]q, "error_uri": %[1]q}`,
		} {
			for _, file := range []string{"", g.keyFile(), personFile()} {
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
				_, told, _ := (&googleRun{google: g, file: file, tell: true}).run(t)
				hidden(t, told, file)
				g.tokens = echo
				_, told, _ = (&googleRun{google: g, file: file}).run(t)
				hidden(t, told, file)
				if told == "" {
					t.Errorf("%d %s: nothing is said", code, name)
				}
			}
		}
	}
}

// TestConsoleLimitsSlowAnswers uses servers that answer late, never, or without end.
func TestConsoleLimitsSlowAnswers(t *testing.T) {
	never := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	endless := func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, maxGoogleAnswer+2)) }
	for name, tt := range map[string]struct {
		api, tokens http.HandlerFunc
		says        string
		took        time.Duration
	}{
		"API never":     {api: never, says: "no complete answer within 30s", took: 3*answerTimeout + 15*time.Second},
		"API endless":   {api: endless, says: "its answer has more than 4 MiB"},
		"token never":   {tokens: never, says: "there was no token within 30s", took: answerTimeout},
		"token endless": {tokens: endless, says: "no token came for " + email},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newGoogle(t)
				g.api, g.tokens = tt.api, tt.tokens
				start := time.Now()
				_, told, err := (&googleRun{google: g, file: g.keyFile()}).run(t)
				if took := time.Since(start); err != nil || took != tt.took || !strings.Contains(told, tt.says) {
					t.Errorf("%v in %v, want %v: says\n%s\nwant %s", err, took, tt.took, told, tt.says)
				}
			})
		})
	}
	t.Run("the command's time", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			g := newGoogle(t)
			g.api = never
			if _, told, err := (&googleRun{google: g, time: 10 * time.Second}).run(t); err == nil {
				t.Errorf("no error: %s", told)
			}
		})
	})
}
