package submit

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/files"
)

// Environment variables that select the Google account.
const (
	tokenEnv   = "SITEWALK_GOOGLE_TOKEN"
	fileEnv    = "GOOGLE_APPLICATION_CREDENTIALS"
	idTokenEnv = "SITEWALK_GOOGLE_ID_TOKEN_FILE"
	idURLEnv   = "ACTIONS_ID_TOKEN_REQUEST_URL"
	quotaEnv   = "GOOGLE_CLOUD_QUOTA_PROJECT"
)

const (
	maxKey          = 1 << 20         // maximum size of a key file in bytes
	metadataTimeout = 2 * time.Second // without a metadata server, a request often gets no answer
	loginGuide      = "docs/submit.md says in five steps how to let Search Console know your CI"
)

// An account authenticates requests to Google.
type account struct {
	token string
	from  string // source of the token, as the user knows it
	email string // "" if unknown
	quota string // project that is billed for requests of a user account
}

// name returns the name of the account in findings.
func (a *account) name() string { return cmp.Or(a.email, "the account of "+a.from) }

// login gets a token from the first available source. The order is: SITEWALK_GOOGLE_TOKEN, the
// file named by GOOGLE_APPLICATION_CREDENTIALS, the credentials of gcloud in the home folder,
// the metadata server.
func (c *console) login(ctx context.Context) (*account, error) {
	a := &account{from: "the metadata server"}
	var err error
	if token := strings.TrimSpace(c.Getenv(tokenEnv)); token != "" {
		a.from, a.token = tokenEnv, token
	} else if name := c.Getenv(fileEnv); name != "" {
		a.from = fileEnv
		err = c.readKeyFile(ctx, a, name)
	} else if name := c.gcloudFile(); files.IsRegular(name) {
		a.from = "gcloud"
		err = c.readKeyFile(ctx, a, name)
	} else {
		err = c.askMetadata(ctx, a)
	}
	if err == nil && !regexp.MustCompile(`^[A-Za-z0-9._~+/-]+=*$`).MatchString(a.token) { // RFC 6750, 2.1
		err = &googleError{text: a.from + " gives no token", hint: loginGuide}
	}
	return a, err
}

// gcloudFile returns the file that "gcloud auth application-default login" writes, or "". It
// ignores a home folder that is relative or inside the project, because files of a checkout
// must not serve as credentials.
func (c *console) gcloudFile() string {
	home := filepath.Join(c.Getenv("HOME"), ".config")
	if runtime.GOOS == "windows" {
		home = c.Getenv("APPDATA")
	}
	rel, err := filepath.Rel(c.Dir, home)
	if !filepath.IsAbs(home) || err == nil && filepath.IsLocal(rel) {
		return ""
	}
	return filepath.Join(home, "gcloud", "application_default_credentials.json")
}

// A keyFile contains the required fields of a credentials file.
type keyFile struct {
	Type             string
	ClientEmail      string `json:"client_email"`
	ImpersonationURL string `json:"service_account_impersonation_url"`
	QuotaProject     string `json:"quota_project_id"`
	Source           *struct {
		File, URL string
	} `json:"credential_source"`
	Nested *keyFile `json:"source_credentials"`
}

var (
	serviceAccount = regexp.MustCompile(`[A-Za-z0-9.-]{1,64}@[A-Za-z0-9-]{1,64}\.(iam|developer)\.gserviceaccount\.com\b`)
	projectName    = regexp.MustCompile(`^[a-z0-9:.-]{1,100}$`)
)

// readKeyFile gets a token with a credentials file.
func (c *console) readKeyFile(ctx context.Context, a *account, name string) error {
	if !filepath.IsAbs(name) {
		name = filepath.Join(c.Dir, name)
	}
	src, err := files.ReadTyped(ctx, name, maxKey)
	if err != nil {
		return &googleError{text: fmt.Sprintf("%s: %v", a.from, diag.Cause(err)), hint: "it has to name the file of a key"}
	}
	var file keyFile
	if json.Unmarshal(src, &file) != nil {
		return &googleError{text: "the file of " + a.from + " is not a JSON file of credentials", hint: loginGuide}
	}
	if !c.trusts(&file) {
		return &googleError{
			text: "the file of " + a.from + " reads a token from a place that the environment does not name",
			hint: "use the " + tokenEnv + " of google-github-actions/auth, or set " + idTokenEnv + " to the file in credential_source",
		}
	}
	a.email = serviceAccount.FindString(cmp.Or(file.ClientEmail, file.ImpersonationURL))
	quota := cmp.Or(c.Getenv(quotaEnv), file.QuotaProject)
	if file.Type == string(google.AuthorizedUser) && projectName.MatchString(quota) {
		a.quota = quota
	}
	ctx, cancel := context.WithTimeoutCause(ctx, answerTimeout, fmt.Errorf("there was no token within %v", answerTimeout))
	defer cancel()
	client := fetch.Client(c.Client, fetch.Stay)
	transport := &googleOnly{ctx: ctx, next: cmp.Or(client.Transport, http.DefaultTransport), idURL: c.Getenv(idURLEnv)}
	client.Transport = transport
	credentials, err := google.CredentialsFromJSONWithType(context.WithValue(ctx, oauth2.HTTPClient, client), src, google.CredentialsType(file.Type), c.scope)
	if err != nil {
		return &googleError{text: "the file of " + a.from + " is not a complete file of credentials", hint: loginGuide}
	}
	t, err := credentials.TokenSource.Token()
	if err != nil {
		return tokenError(ctx, a, err, transport.err)
	}
	a.token = t.AccessToken
	return nil
}

// trusts reports whether credentials read tokens only from a file or URL that the environment
// names. trusts rejects credentials that run a program.
func (c *console) trusts(file *keyFile) bool {
	if s := file.Source; s != nil {
		idURL, idFile := c.Getenv(idURLEnv), c.Getenv(idTokenEnv)
		isNamedURL := s.File == "" && idURL != "" && strings.HasPrefix(s.URL, idURL)
		isNamedFile := s.URL == "" && idFile != "" && s.File == idFile
		if !isNamedURL && !isNamedFile {
			return false
		}
	}
	return file.Nested == nil || c.trusts(file.Nested)
}

// A googleOnly sends token requests only to Google, and to the URL that the environment names
// for a CI job. It also ends requests with ctx, which package oauth2/jwt does not.
type googleOnly struct {
	ctx   context.Context
	next  http.RoundTripper
	idURL string // URL for the token of the CI job, or ""
	err   error  // error of the last request, which oauth2/jwt drops
}

var errNotGoogle = errors.New("not a host of Google")

// RoundTrip implements http.RoundTripper.
func (g *googleOnly) RoundTrip(r *http.Request) (*http.Response, error) {
	host := r.URL.Hostname()
	isGoogle := r.URL.Scheme == "https" && (host == "accounts.google.com" || strings.HasSuffix(host, ".googleapis.com"))
	if !isGoogle && (g.idURL == "" || !strings.HasPrefix(r.URL.String(), g.idURL)) {
		g.err = errNotGoogle
		return nil, g.err
	}
	response, err := g.next.RoundTrip(r.WithContext(g.ctx))
	g.err = err
	return response, err
}

// tokenError explains why there is no token. It does not quote the answer, which may contain a
// key.
func tokenError(ctx context.Context, a *account, err, network error) error {
	e := &googleError{text: "no token came for " + a.name(), hint: "make another key, or log in again; " + loginGuide}
	answer, isAnswer := errors.AsType[*oauth2.RetrieveError](err)
	switch {
	case ctx.Err() != nil:
		e.text, e.isTemporary = e.text+": "+context.Cause(ctx).Error(), true
	case errors.Is(network, errNotGoogle):
		e.text, e.hint = "the file of "+a.from+" names a server that is not Google's", "tokens are requested from googleapis.com alone"
	case isAnswer && answer.Response != nil:
		e.text += fmt.Sprintf(": %s answers %d", answer.Response.Request.URL.Host, answer.Response.StatusCode)
		e.isTemporary = fetch.IsTemporary(answer.Response.StatusCode)
	case network != nil:
		e.text, e.isTemporary = e.text+": "+fetch.SafeReason(network), true
	}
	return e
}

// askMetadata gets a token from the metadata server of a Google Cloud machine. The request does
// not use a proxy. See https://cloud.google.com/compute/docs/access/authenticate-workloads.
func (c *console) askMetadata(ctx context.Context, a *account) error {
	none := &googleError{
		text: "there is nothing to log in to Google with",
		hint: "set " + tokenEnv + " to a token, or " + fileEnv + " to the file of a key; " + loginGuide,
	}
	ctx, cancel := context.WithTimeout(ctx, metadataTimeout)
	defer cancel()
	to := "http://" + cmp.Or(c.Getenv("GCE_METADATA_HOST"), "169.254.169.254") +
		"/computeMetadata/v1/instance/service-accounts/default/token?scopes=" + url.QueryEscape(c.scope)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, to, nil)
	if err != nil {
		return none
	}
	r.Header.Set("Metadata-Flavor", "Google")
	direct := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, body, err := fetch.Do(cmp.Or(c.Client, direct), r, maxKey)
	if err != nil || response.Header.Get("Metadata-Flavor") != "Google" {
		return none
	}
	var answer struct {
		Token string `json:"access_token"`
	}
	if json.Unmarshal(body, &answer) != nil || answer.Token == "" {
		return none
	}
	a.token = answer.Token
	return nil
}
