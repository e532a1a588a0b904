package console

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/files"
)

// The variables that say who asks, as sitewalk and Google's tools call them.
const (
	tokenEnv = "SITEWALK_GOOGLE_TOKEN"
	fileEnv  = "GOOGLE_APPLICATION_CREDENTIALS"
	quotaEnv = "GOOGLE_CLOUD_QUOTA_PROJECT"
)

// The scopes of the API.
const (
	readScope = "https://www.googleapis.com/auth/webmasters.readonly"
	tellScope = "https://www.googleapis.com/auth/webmasters"
)

// scope returns what a token is asked for.
func (c *Console) scope() string {
	if c.o.Tell {
		return tellScope
	}
	return readScope
}

// maxKey is how large the file of a key may be.
const maxKey = 1 << 20

// An account is who asks Google.
type account struct {
	token string
	from  string // what gave the token, as the user knows it
	email string // "" is not known
	quota string // the project that pays for the requests of a person's account
	err   error  // why there is no token
}

// name is what a sentence calls the account.
func (a *account) name() string { return cmp.Or(a.email, "the account of "+a.from) }

// login gets a token once.
func (c *Console) login(ctx context.Context) error {
	if c.account == nil {
		a := &account{}
		a.err = c.fill(ctx, a)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if a.err == nil && !tokenText.MatchString(a.token) {
			a.err = &refusal{text: a.from + " gives no token", hint: guide}
		}
		c.account = a
	}
	return c.account.err
}

// tokenText is what may stand in the header, RFC 6750, 2.1.
var tokenText = regexp.MustCompile(`^[A-Za-z0-9._~+/-]+=*$`)

const guide = "docs/submit.md says in five steps how to let Search Console know your CI"

// fill finds the token in the first place that has one.
func (c *Console) fill(ctx context.Context, a *account) error {
	if a.token = strings.TrimSpace(c.o.Getenv(tokenEnv)); a.token != "" {
		a.from = tokenEnv
		return nil
	}
	if name := c.o.Getenv(fileEnv); name != "" {
		a.from = fileEnv
		if !filepath.IsAbs(name) {
			name = filepath.Join(c.o.Dir, name)
		}
		src, err := files.ReadTyped(ctx, name, maxKey)
		if err != nil {
			return &refusal{text: fmt.Sprintf("%s: %v", fileEnv, diag.Cause(err)), hint: "it has to name the file of a key"}
		}
		return c.exchange(ctx, a, src)
	}
	if src, err := files.Read(c.gcloudFile(), maxKey); err == nil {
		a.from = "gcloud"
		return c.exchange(ctx, a, src)
	}
	a.from = "the metadata server"
	return c.metadata(ctx, a)
}

// gcloudFile is where gcloud auth application-default login puts its file.
func (c *Console) gcloudFile() string {
	const name = "application_default_credentials.json"
	if runtime.GOOS == "windows" {
		return filepath.Join(c.o.Getenv("APPDATA"), "gcloud", name)
	}
	return filepath.Join(c.o.Getenv("HOME"), ".config", "gcloud", name)
}

// keyTypes are the types of files that Google's tools take.
var keyTypes = []string{
	string(google.ServiceAccount), string(google.AuthorizedUser), string(google.ExternalAccount),
	string(google.ImpersonatedServiceAccount), string(google.ExternalAccountAuthorizedUser),
}

// exchange gets a token for a file of credentials.
func (c *Console) exchange(ctx context.Context, a *account, src []byte) error {
	file := textsOf(src)
	if file == nil {
		return &refusal{text: a.from + " names a file that is no JSON of credentials", hint: guide}
	}
	kind := file["type"]
	if !slices.Contains(keyTypes, kind) {
		return &refusal{text: a.from + ` names a file whose "type" is not one of ` + strings.Join(keyTypes, ", "), hint: guide}
	}
	a.email = emailText.FindString(cmp.Or(file["client_email"], file["service_account_impersonation_url"]))
	quota := cmp.Or(c.o.Getenv(quotaEnv), file["quota_project_id"])
	if kind == string(google.AuthorizedUser) && projectName.MatchString(quota) {
		a.quota = quota
	}
	ctx, cancel := context.WithTimeoutCause(ctx, answerIn, fmt.Errorf("there was no token within %v", answerIn))
	defer cancel()
	client := fetch.Client(c.o.Client, fetch.Stay)
	asked := &witness{ctx: ctx, next: cmp.Or[http.RoundTripper](client.Transport, http.DefaultTransport)}
	client.Transport = asked
	ctx = context.WithValue(ctx, oauth2.HTTPClient, client)
	found, err := google.CredentialsFromJSONWithType(ctx, src, google.CredentialsType(kind), c.scope())
	if err != nil {
		return &refusal{text: fmt.Sprintf("the file of %s lacks what its type %s needs", a.from, kind), hint: guide}
	}
	t, err := found.TokenSource.Token()
	if err != nil {
		return asked.explain(ctx, a)
	}
	a.token = t.AccessToken
	return nil
}

// textsOf returns the texts of a JSON object by their names, nil of anything else.
func textsOf(src []byte) map[string]string {
	var all map[string]json.RawMessage
	if json.Unmarshal(src, &all) != nil || all == nil {
		return nil
	}
	texts := map[string]string{}
	for name, raw := range all {
		var text string
		_ = json.Unmarshal(raw, &text) // what is no text counts as none
		texts[name] = text
	}
	return texts
}

var (
	// emailText finds the address of a service account in a text.
	emailText = regexp.MustCompile(`[A-Za-z0-9.-]{1,64}@[A-Za-z0-9-]{1,64}\.(iam|developer)\.gserviceaccount\.com\b`)
	// projectName is what may stand in a header as the name of a project.
	projectName = regexp.MustCompile(`^[a-z0-9:.-]{1,100}$`)
)

// A witness remembers what came of the last request for a token: errors of oauth2 have
// the text of the answer, which may be a key. It also ends each request with ctx, which
// oauth2/jwt does not.
type witness struct {
	ctx    context.Context
	next   http.RoundTripper
	host   string // that was asked last; "" is none
	status int
	code   string // of RFC 6749, which errors of oauth2 do not have for each kind of key
	err    error
}

// RoundTrip implements http.RoundTripper.
func (w *witness) RoundTrip(r *http.Request) (*http.Response, error) {
	w.host, w.status, w.code = r.URL.Host, 0, ""
	var response *http.Response
	response, w.err = w.next.RoundTrip(r.WithContext(w.ctx))
	if w.err != nil {
		return nil, w.err
	}
	if w.status = response.StatusCode; w.status >= 400 {
		var src []byte
		src, w.err = io.ReadAll(io.LimitReader(response.Body, maxKey))
		response.Body.Close()
		w.code = textsOf(src)["error"]
		response.Body = io.NopCloser(bytes.NewReader(src))
	}
	return response, w.err
}

// tokenErrors are the words of RFC 6749, 5.2, and what to do.
var tokenErrors = map[string]string{
	"invalid_grant":       "the key was deleted, the login has ended, or the clock of this machine is wrong: make another key, or log in again",
	"invalid_client":      "the client of the file was deleted: log in again",
	"unauthorized_client": "the account may not ask for this scope: it has to be a service account, or a login with the scope " + tellScope,
	"invalid_scope":       "log in with the scope " + tellScope,
	"access_denied":       "an administrator has to allow it",
	"invalid_request":     "is the file whole?",
	"invalid_target":      "the pool of identities or its provider does not exist, or is disabled",
}

// explain says why no token came.
func (w *witness) explain(ctx context.Context, a *account) error {
	hint, known := tokenErrors[w.code]
	switch {
	case ctx.Err() != nil || w.err != nil:
		return &refusal{text: fmt.Sprintf("no token came for %s: %s", a.from, why(ctx, w.err)), passing: true}
	case w.host == "":
		return &refusal{text: "the file of " + a.from + " has no key that can be used", hint: "make another key; is the file whole?"}
	case known:
		return &refusal{text: fmt.Sprintf("%s does not accept %s: %s", w.host, a.name(), w.code), hint: hint}
	case w.status == http.StatusTooManyRequests || w.status >= 500:
		return &refusal{text: fmt.Sprintf("no token came for %s: %s answers %d", a.from, w.host, w.status), passing: true}
	case w.status == http.StatusForbidden:
		return &refusal{
			text: fmt.Sprintf("%s answers 403: %s may not be impersonated", w.host, a.name()),
			hint: "who asks needs the role roles/iam.serviceAccountTokenCreator or workloadIdentityUser on that service account, and the API iamcredentials.googleapis.com has to be enabled",
		}
	}
	return &refusal{text: fmt.Sprintf("no token came for %s: %s answers %d", a.from, w.host, w.status), hint: guide}
}
