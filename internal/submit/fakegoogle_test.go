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
	subjectOfTest = "eyJhbGciOiJSUzI1NiJ9.subject-token-of-ci.signature"
	stsOfTest     = "ya29.d.federated-token-of-the-pool"
	email         = "ci@project.iam.gserviceaccount.com"
	addressOfTest = "https://www.example.com/docs/sitemap.xml"
)

// A fakeGoogle is Search Console and the server of tokens, as their references describe them.
// https://developers.google.com/webmaster-tools/v1/sitemaps
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
	metadata http.HandlerFunc // of a machine of Google Cloud; nil: this is none
	may      bool             // an account may be impersonated
}

func makeKey() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) }

// accountKey is the key of the service account in all tests: making one takes longer than a test.
var accountKey = sync.OnceValues(makeKey)

func newGoogle(t *testing.T) *fakeGoogle {
	key, err := accountKey()
	if err != nil {
		t.Fatal(err)
	}
	return &fakeGoogle{t: t, key: key, sites: map[string]string{"sc-domain:example.com": "siteOwner"}, sitemaps: map[string]string{}}
}

// RoundTrip implements http.RoundTripper: nothing leaves the process.
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
	case r.URL.Host == "169.254.169.254" && g.metadata == nil:
		return nil, fmt.Errorf("no route to %s", r.URL.Host)
	case r.URL.Host == "169.254.169.254":
		g.metadata(rec, r)
	case r.URL.Host == "sts.googleapis.com":
		g.federate(rec, r)
	case r.URL.Host == "iamcredentials.googleapis.com":
		g.impersonate(rec, r)
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

// token gives a token for a JWT of the service account, whose signature it checks, or for
// the refresh token of a person. RFC 7523, RFC 6749.
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
	case "refresh_token":
		if r.Form.Get("refresh_token") != refreshOfTest || r.Form.Get("client_secret") != secretOfTest {
			refused("invalid_grant")
			return
		}
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

// keyFile is the file of the service account's key.
func (g *fakeGoogle) keyFile() string {
	der, _ := x509.MarshalPKCS8PrivateKey(g.key)
	src, _ := json.Marshal(map[string]string{
		"type": "service_account", "client_email": email, "private_key_id": "0123456789abcdef0123456789abcdef01234567",
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})),
		"token_uri":   "https://oauth2.googleapis.com/token",
	})
	return string(src)
}

// federate gives a token of a pool of identities for the token of CI. RFC 8693.
func (g *fakeGoogle) federate(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	w.Header().Set("Content-Type", "application/json")
	if r.Form.Get("grant_type") != "urn:ietf:params:oauth:grant-type:token-exchange" || r.Form.Get("subject_token") != subjectOfTest || r.Form.Get("audience") != "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/github/providers/github" {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"error": "invalid_target", "error_description": %q}`, r.Form.Encode())
		return
	}
	fmt.Fprintf(w, `{"access_token": %q, "issued_token_type": "urn:ietf:params:oauth:token-type:access_token", "token_type": "Bearer", "expires_in": 3600}`, stsOfTest)
}

// impersonate gives a token of the service account to who may become it.
// https://cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/generateAccessToken
func (g *fakeGoogle) impersonate(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Scope []string `json:"scope"`
	}
	by := r.Header.Get("Authorization")
	switch {
	case json.NewDecoder(r.Body).Decode(&asked) != nil || r.URL.Path != "/v1/projects/-/serviceAccounts/"+email+":generateAccessToken":
		refuse(w, http.StatusBadRequest, "badRequest", "no")
	case !g.may || by != "Bearer "+stsOfTest && by != "Bearer "+tokenOfTest:
		refuse(w, http.StatusForbidden, "forbidden", "Permission 'iam.serviceAccounts.getAccessToken' denied for "+by)
	default:
		g.scope = strings.Join(asked.Scope, " ")
		fmt.Fprintf(w, `{"accessToken": %q, "expireTime": %q}`, tokenOfTest, time.Now().Add(time.Hour).UTC().Format(time.RFC3339))
	}
}

const impersonation = `"service_account_impersonation_url": "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/` + email + `:generateAccessToken"`

// federationFile is what google-github-actions/auth writes, with CI's token in a file.
func federationFile(file, more string) string {
	return `{"type": "external_account", "audience": "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/github/providers/github",
		"subject_token_type": "urn:ietf:params:oauth:token-type:jwt", "token_url": "https://sts.googleapis.com/v1/token",
		"credential_source": {"file": "` + file + `"}` + more + `}`
}

// impersonationFile is that of gcloud auth application-default login --impersonate-service-account.
func impersonationFile() string {
	person := strings.Replace(personFile(), "{", `{"token_uri": "https://oauth2.googleapis.com/token", `, 1)
	return `{"type": "impersonated_service_account", "delegates": [], ` + impersonation + `, "source_credentials": ` + person + `}`
}

func personFile() string {
	return `{"type": "authorized_user", "client_id": "id", "client_secret": "` + secretOfTest + `", "refresh_token": "` + refreshOfTest + `", "quota_project_id": "my-project"}`
}
