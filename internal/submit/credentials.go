package submit

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/jwt"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/files"
)

// Environment variables with the login for Google.
const (
	tokenEnv = "SITEWALK_GOOGLE_TOKEN"
	fileEnv  = "GOOGLE_APPLICATION_CREDENTIALS"
	quotaEnv = "GOOGLE_CLOUD_QUOTA_PROJECT"
)

const (
	tokenURL         = "https://oauth2.googleapis.com/token"
	maxGoogleKeyFile = 1 << 20 // maximum size in bytes of a key file
	loginGuide       = "docs/submit.md explains in five steps how to give your CI access to Search Console"
)

// An account authenticates requests to Google's API.
type account struct {
	token string
	from  string // environment variable that contains the token or the name of the key file
	email string // "" if unknown
	quota string // Google Cloud project whose quota the requests use; "" for a service account
}

// displayName returns the name of the account for findings: its email address, or "the account of "
// and the environment variable if the email address is unknown.
func (a *account) displayName() string { return cmp.Or(a.email, "the account of "+a.from) }

var tokenPattern = regexp.MustCompile(`^[A-Za-z0-9._~+/-]+=*$`) // RFC 6750, section 2.1

// login returns an account with a token for the API. It takes the token from the environment
// variable SITEWALK_GOOGLE_TOKEN. Without this variable, it requests a token with the key file of a
// service account. The variable GOOGLE_APPLICATION_CREDENTIALS contains the name of the key file.
func (c *consoleClient) login(ctx context.Context) (*account, error) {
	a := &account{from: tokenEnv, token: strings.TrimSpace(c.Getenv(tokenEnv)), quota: c.Getenv(quotaEnv)}
	if a.token == "" {
		a = &account{from: fileEnv}
		if err := c.loginWithKeyFile(ctx, a, c.Getenv(fileEnv)); err != nil {
			return a, err
		}
	}
	if !tokenPattern.MatchString(a.token) {
		return a, &googleError{text: a.from + " gives no token", hint: loginGuide}
	}
	return a, nil
}

// loginWithKeyFile reads the key file of a service account, requests a token with the key, and
// stores the token in a. name is the name of the file.
func (c *consoleClient) loginWithKeyFile(ctx context.Context, a *account, name string) error {
	if name == "" {
		return &googleError{
			text: "there is no login for Google",
			hint: "set " + tokenEnv + " to a token, or " + fileEnv + " to the path of a key file; " + loginGuide,
		}
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(c.Dir, name)
	}
	src, err := files.ReadUserFile(ctx, name, maxGoogleKeyFile)
	if err != nil {
		return &googleError{text: fmt.Sprintf("%s: %v", a.from, diag.Cause(err)), hint: "it must name a key file"}
	}
	var key struct {
		Type  string
		Email string `json:"client_email"`
		Key   string `json:"private_key"`
		KeyID string `json:"private_key_id"`
	}
	if json.Unmarshal(src, &key) != nil || key.Type != "service_account" || key.Key == "" {
		return &googleError{
			text: "the file of " + a.from + " is not the key of a service account",
			hint: "for other accounts, set " + tokenEnv + " to a token; " + loginGuide,
		}
	}
	a.email = key.Email
	ctx, cancel := context.WithTimeoutCause(ctx, answerTimeout, fmt.Errorf("there was no token within %v", answerTimeout))
	defer cancel()
	client := fetch.Client(c.Client, fetch.NoRedirects)
	transport := &contextTransport{ctx: ctx, next: cmp.Or(client.Transport, http.DefaultTransport)}
	client.Transport = transport
	config := jwt.Config{Email: key.Email, PrivateKey: []byte(key.Key), PrivateKeyID: key.KeyID, Scopes: []string{c.scope}, TokenURL: tokenURL}
	t, err := config.TokenSource(context.WithValue(ctx, oauth2.HTTPClient, client)).Token()
	if err != nil {
		return newTokenError(ctx, a, err, transport.err)
	}
	a.token = t.AccessToken
	return nil
}

// A contextTransport sends requests with the context ctx, and stores the error of the last request
// in err. Package oauth2/jwt sends its requests without a context, and keeps only the text of
// errors.
type contextTransport struct {
	ctx  context.Context
	next http.RoundTripper
	err  error
}

// RoundTrip sends a request with the context c.ctx. It implements http.RoundTripper.
func (c *contextTransport) RoundTrip(r *http.Request) (response *http.Response, err error) {
	response, err = c.next.RoundTrip(r.WithContext(c.ctx))
	c.err = err
	return response, err
}

// newTokenError returns the error for a failed request for a token. err is the error of package
// oauth2/jwt. network is the error of the transport, or nil. The text of the result does not quote
// the answer, which may contain a key.
func newTokenError(ctx context.Context, a *account, err, network error) error {
	e := &googleError{text: "no token came for " + a.displayName(), hint: "make another key; " + loginGuide}
	answer, isAnswer := errors.AsType[*oauth2.RetrieveError](err)
	switch {
	case ctx.Err() != nil:
		e.text, e.isTemporary = e.text+": "+context.Cause(ctx).Error(), true
	case isAnswer && answer.Response != nil:
		e.text += fmt.Sprintf(": %s answers %d", answer.Response.Request.URL.Host, answer.Response.StatusCode)
		e.isTemporary = fetch.IsTemporary(answer.Response.StatusCode)
	case network != nil:
		e.text, e.isTemporary = e.text+": "+fetch.SafeReason(network), true
	}
	return e
}
