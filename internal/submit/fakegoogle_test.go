package submit

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	testToken        = "ya29.A-very_secret-token-0123456789"
	testRefreshToken = "1//a-refresh-token-of-a-person"
	testClientSecret = "GOCSPX-a-client-secret"
	testEmail        = "ci@project.iam.gserviceaccount.com"
	testSitemapURL   = "https://www.example.com/docs/sitemap.xml"
)

// A fakeGoogle answers requests like Search Console and Google's token server. See
// https://developers.google.com/webmaster-tools/v1/sitemaps
type fakeGoogle struct {
	t           *testing.T
	key         *rsa.PrivateKey
	permissions map[string]string // permission level by property
	sitemaps    map[string]string // answer by property, space and sitemap URL
	requests    []string
	scope       string           // scope of the last token request
	quota       string           // X-Goog-User-Project header of the last request
	api         http.HandlerFunc // replaces serveAPI; or nil
	tokens      http.HandlerFunc // replaces serveToken; or nil
}

func generateKey() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) }

// accountKey returns the key of the service account in all tests. The key is generated only once,
// because that is slow.
var accountKey = sync.OnceValues(generateKey)

func newFakeGoogle(t *testing.T) *fakeGoogle {
	key, err := accountKey()
	if err != nil {
		t.Fatal(err)
	}
	return &fakeGoogle{t: t, key: key, permissions: map[string]string{"sc-domain:example.com": "siteOwner"}, sitemaps: map[string]string{}}
}

// RoundTrip answers a request inside the process.
func (g *fakeGoogle) RoundTrip(r *http.Request) (*http.Response, error) {
	rec := httptest.NewRecorder()
	switch {
	case r.URL.Host == "searchconsole.googleapis.com" && g.api != nil:
		g.api(rec, r)
	case r.URL.Host == "searchconsole.googleapis.com":
		g.serveAPI(rec, r)
	case r.URL.Host == "oauth2.googleapis.com" && g.tokens != nil:
		g.tokens(rec, r)
	case r.URL.Host == "oauth2.googleapis.com":
		g.serveToken(rec, r)
	default:
		g.t.Errorf("unexpected request to %s", r.URL)
	}
	if r.Context().Err() != nil {
		return nil, r.Context().Err()
	}
	out := rec.Result()
	out.Request = r
	return out, nil
}

// writeError writes an error in the format of Google's APIs.
func writeError(w http.ResponseWriter, code int, reason, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{
		"code": code, "message": message, "errors": []any{map[string]string{"message": message, "domain": "global", "reason": reason}},
	}})
}

// serveAPI answers a request to the API of Search Console.
func (g *fakeGoogle) serveAPI(w http.ResponseWriter, r *http.Request) {
	g.requests = append(g.requests, r.Method+" "+r.URL.EscapedPath())
	g.quota = r.Header.Get("X-Goog-User-Project")
	if r.Header.Get("Authorization") != "Bearer "+testToken {
		writeError(w, http.StatusUnauthorized, "authError", "Invalid Credentials")
		return
	}
	rest, _ := strings.CutPrefix(r.URL.EscapedPath(), "/webmasters/v3/sites")
	if rest == "" {
		type entry = map[string]string
		all := []entry{}
		for site, level := range g.permissions {
			all = append(all, entry{"siteUrl": site, "permissionLevel": level})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"siteEntry": all})
		return
	}
	property, loc, _ := strings.Cut(strings.TrimPrefix(rest, "/"), "/sitemaps/")
	property, _ = url.QueryUnescape(property)
	loc, _ = url.QueryUnescape(loc)
	level, exists := g.permissions[property]
	body, known := g.sitemaps[property+" "+loc]
	switch {
	case !exists || level == "siteUnverifiedUser" || level == "siteRestrictedUser" && r.Method == http.MethodPut:
		writeError(w, http.StatusForbidden, "forbidden", "User does not have sufficient permission for site '"+property+"'. See also: https://support.google.com/webmasters/answer/2451999.")
	case r.Method == http.MethodPut:
		g.sitemaps[property+" "+loc] = `{"path": "` + loc + `", "lastSubmitted": "2026-11-24T10:00:00.123Z", "isPending": true, "isSitemapsIndex": false, "errors": "0", "warnings": "0"}`
		w.WriteHeader(http.StatusNoContent)
	case !known:
		writeError(w, http.StatusNotFound, "notFound", "Not found.")
	default:
		_, _ = io.WriteString(w, body)
	}
}

// serveToken answers a signed JWT of the service account with a token. See RFC 7523.
func (g *fakeGoogle) serveToken(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	writeTokenError := func(code string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"error": %q, "error_description": %q}`, code, r.Form.Encode())
	}
	switch r.Form.Get("grant_type") {
	case "urn:ietf:params:oauth:grant-type:jwt-bearer":
		claims, err := g.parseJWT(r.Form.Get("assertion"))
		if err != nil || claims["iss"] != testEmail || claims["aud"] != "https://oauth2.googleapis.com/token" {
			g.t.Logf("%v: %v", err, claims)
			writeTokenError("invalid_grant")
			return
		}
		g.scope, _ = claims["scope"].(string)
	default:
		writeTokenError("unsupported_grant_type")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"access_token": %q, "token_type": "Bearer", "expires_in": 3599}`, testToken)
}

// parseJWT checks the signature and the expiry of jwt, and returns its claims.
func (g *fakeGoogle) parseJWT(jwt string) (claims map[string]any, err error) {
	parts := strings.Split(jwt, ".")
	if len(parts) != 3 {
		return nil, fmt.Errorf("the JWT has %d parts, want 3", len(parts))
	}
	sig, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if err := rsa.VerifyPKCS1v15(&g.key.PublicKey, crypto.SHA256, sum[:], sig); err != nil {
		return nil, err
	}
	head, _ := base64.RawURLEncoding.DecodeString(parts[0])
	if !strings.Contains(string(head), `"RS256"`) {
		return nil, fmt.Errorf("the JWT has the header %s, want RS256", head)
	}
	body, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err == nil {
		err = json.Unmarshal(body, &claims)
	}
	if exp, _ := claims["exp"].(float64); err == nil && time.Unix(int64(exp), 0).Before(time.Now()) {
		err = fmt.Errorf("the JWT has expired")
	}
	return claims, err
}

// keyFile returns the content of the key file of the service account.
func (g *fakeGoogle) keyFile() string {
	der, _ := x509.MarshalPKCS8PrivateKey(g.key)
	src, _ := json.Marshal(map[string]string{
		"type": "service_account", "client_email": testEmail, "private_key_id": "0123456789abcdef0123456789abcdef01234567",
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})),
		"token_uri":   "https://oauth2.googleapis.com/token",
	})
	return string(src)
}

// userCredentials returns a credentials file of a person, which gcloud writes.
func userCredentials() string {
	return `{"type": "authorized_user", "client_id": "id", "client_secret": "` + testClientSecret + `", "refresh_token": "` + testRefreshToken + `", "quota_project_id": "my-project"}`
}
