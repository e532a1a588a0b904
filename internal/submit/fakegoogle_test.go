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
	tokenOfTest   = "ya29.A-very_secret-token-0123456789"
	refreshOfTest = "1//a-refresh-token-of-a-person"
	secretOfTest  = "GOCSPX-a-client-secret"
	email         = "ci@project.iam.gserviceaccount.com"
	addressOfTest = "https://www.example.com/docs/sitemap.xml"
)

// A fakeGoogle answers requests like Search Console and Google's token server.
// See https://developers.google.com/webmaster-tools/v1/sitemaps
type fakeGoogle struct {
	t        *testing.T
	key      *rsa.PrivateKey
	sites    map[string]string // levels by property
	sitemaps map[string]string // answers, by property and address
	asked    []string
	scope    string           // of the token that was given
	quota    string           // the header of the last request
	api      http.HandlerFunc // in place of the API's own answers
	tokens   http.HandlerFunc // in place of those of the server of tokens
}

func makeKey() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) }

// accountKey is the key of the service account in all tests. It is created only once, because
// that is slow.
var accountKey = sync.OnceValues(makeKey)

func newGoogle(t *testing.T) *fakeGoogle {
	key, err := accountKey()
	if err != nil {
		t.Fatal(err)
	}
	return &fakeGoogle{t: t, key: key, sites: map[string]string{"sc-domain:example.com": "siteOwner"}, sitemaps: map[string]string{}}
}

// RoundTrip answers a request inside the process.
func (g *fakeGoogle) RoundTrip(r *http.Request) (*http.Response, error) {
	rec := httptest.NewRecorder()
	switch {
	case r.URL.Host == "searchconsole.googleapis.com" && g.api != nil:
		g.api(rec, r)
	case r.URL.Host == "searchconsole.googleapis.com":
		g.serve(rec, r)
	case r.URL.Host == "oauth2.googleapis.com" && g.tokens != nil:
		g.tokens(rec, r)
	case r.URL.Host == "oauth2.googleapis.com":
		g.token(rec, r)
	default:
		g.t.Errorf("a request to %s", r.URL)
	}
	if r.Context().Err() != nil {
		return nil, r.Context().Err()
	}
	out := rec.Result()
	out.Request = r
	return out, nil
}

func refuse(w http.ResponseWriter, code int, reason, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{
		"code": code, "message": message, "errors": []any{map[string]string{"message": message, "domain": "global", "reason": reason}},
	}})
}

func (g *fakeGoogle) serve(w http.ResponseWriter, r *http.Request) {
	g.asked = append(g.asked, r.Method+" "+r.URL.EscapedPath())
	g.quota = r.Header.Get("X-Goog-User-Project")
	if r.Header.Get("Authorization") != "Bearer "+tokenOfTest {
		refuse(w, http.StatusUnauthorized, "authError", "Invalid Credentials")
		return
	}
	rest, _ := strings.CutPrefix(r.URL.EscapedPath(), "/webmasters/v3/sites")
	if rest == "" {
		type entry = map[string]string
		all := []entry{}
		for site, level := range g.sites {
			all = append(all, entry{"siteUrl": site, "permissionLevel": level})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"siteEntry": all})
		return
	}
	property, loc, _ := strings.Cut(strings.TrimPrefix(rest, "/"), "/sitemaps/")
	property, _ = url.QueryUnescape(property)
	loc, _ = url.QueryUnescape(loc)
	level, seen := g.sites[property]
	body, known := g.sitemaps[property+" "+loc]
	switch {
	case !seen || level == "siteUnverifiedUser" || level == "siteRestrictedUser" && r.Method == http.MethodPut:
		refuse(w, http.StatusForbidden, "forbidden", "User does not have sufficient permission for site '"+property+"'. See also: https://support.google.com/webmasters/answer/2451999.")
	case r.Method == http.MethodPut:
		g.sitemaps[property+" "+loc] = `{"path": "` + loc + `", "lastSubmitted": "2026-11-24T10:00:00.123Z", "isPending": true, "isSitemapsIndex": false, "errors": "0", "warnings": "0"}`
		w.WriteHeader(http.StatusNoContent)
	case !known:
		refuse(w, http.StatusNotFound, "notFound", "Not found.")
	default:
		_, _ = io.WriteString(w, body)
	}
}

// token returns a token for a signed JWT of the service account.
// See RFC 7523.
func (g *fakeGoogle) token(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	refused := func(code string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"error": %q, "error_description": %q}`, code, r.Form.Encode())
	}
	switch r.Form.Get("grant_type") {
	case "urn:ietf:params:oauth:grant-type:jwt-bearer":
		claims, err := g.verify(r.Form.Get("assertion"))
		if err != nil || claims["iss"] != email || claims["aud"] != "https://oauth2.googleapis.com/token" {
			g.t.Logf("%v: %v", err, claims)
			refused("invalid_grant")
			return
		}
		g.scope, _ = claims["scope"].(string)
	default:
		refused("unsupported_grant_type")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"access_token": %q, "token_type": "Bearer", "expires_in": 3599}`, tokenOfTest)
}

func (g *fakeGoogle) verify(jwt string) (claims map[string]any, err error) {
	parts := strings.Split(jwt, ".")
	if len(parts) != 3 {
		return nil, fmt.Errorf("%d parts", len(parts))
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
		return nil, fmt.Errorf("signed by %s", head)
	}
	body, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err == nil {
		err = json.Unmarshal(body, &claims)
	}
	if exp, _ := claims["exp"].(float64); err == nil && time.Unix(int64(exp), 0).Before(time.Now()) {
		err = fmt.Errorf("over")
	}
	return claims, err
}

// keyFile returns the content of the key file of the service account.
func (g *fakeGoogle) keyFile() string {
	der, _ := x509.MarshalPKCS8PrivateKey(g.key)
	src, _ := json.Marshal(map[string]string{
		"type": "service_account", "client_email": email, "private_key_id": "0123456789abcdef0123456789abcdef01234567",
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})),
		"token_uri":   "https://oauth2.googleapis.com/token",
	})
	return string(src)
}

func personFile() string {
	return `{"type": "authorized_user", "client_id": "id", "client_secret": "` + secretOfTest + `", "refresh_token": "` + refreshOfTest + `", "quota_project_id": "my-project"}`
}
