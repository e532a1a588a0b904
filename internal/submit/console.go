package submit

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/mapping"
)

const (
	googleAPI       = "https://searchconsole.googleapis.com/" // replaced by the environment variable SITEWALK_GOOGLE_API
	maxGoogleAnswer = 4 << 20                                 // maximum size in bytes of an answer; a list of 10,000 properties fits
	readScope       = "https://www.googleapis.com/auth/webmasters.readonly"
	submitScope     = "https://www.googleapis.com/auth/webmasters"
	domainPrefix    = "sc-domain:"
)

// googleRetry limits how often a request to Google is sent, and sets the pause before it is sent
// again.
var googleRetry = fetch.Retry{Tries: 3, First: 5 * time.Second}

// GoogleOptions are the options for requests to Google Search Console.
type GoogleOptions struct {
	Getenv   func(string) string
	Dir      string // project folder; the name of a key file is relative to it
	Property string // property to use for the sitemaps that it contains; for all other sitemaps, the property is looked up
	Client   *http.Client
	Logf     func(format string, args ...any) // prints a progress message
}

// A GoogleSitemap contains the data that Google Search Console has about a sitemap.
type GoogleSitemap struct {
	URL        string    `json:"sitemap"`
	Property   string    `json:"property,omitempty"`
	Submitted  bool      `json:"submitted"` // this run submitted the sitemap
	Known      bool      `json:"known"`     // the sitemap was submitted to the property, now or earlier
	Pending    bool      `json:"pending"`   // Google has not processed the sitemap yet
	LastSubmit time.Time `json:"last_submitted,omitzero"`
	Downloaded time.Time `json:"last_downloaded,omitzero"`
	Errors     int64     `json:"errors"`
	Warnings   int64     `json:"warnings"`
}

// CheckGoogle returns the data of Search Console about the sitemaps, and adds findings to found. It
// returns an error only if ctx ends.
func CheckGoogle(ctx context.Context, o GoogleOptions, sitemaps []string, now time.Time, found *diag.Report) ([]GoogleSitemap, error) {
	c := &consoleClient{GoogleOptions: o, scope: readScope, now: now}
	return c.processSitemaps(ctx, sitemaps, found)
}

// A consoleClient sends requests to the API of Search Console. Its errors do not quote answers,
// because an answer may repeat the token.
type consoleClient struct {
	GoogleOptions
	scope   string // readScope or submitScope
	account *account
	now     time.Time // current time for findings; not used with submitScope
}

// processSitemaps returns the data of Search Console about the sitemaps. With submitScope, it
// submits each sitemap before it reads the data. With readScope, it adds findings about the data to
// found. It also adds a finding for a failed login and for each failed request. It returns an error
// only if ctx ends.
func (c *consoleClient) processSitemaps(ctx context.Context, sitemaps []string, found *diag.Report) (all []GoogleSitemap, err error) {
	c.account, err = c.login(ctx)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		found.Add(newGoogleFinding(err, ""))
		return nil, nil
	}
	for _, loc := range sitemaps {
		s := GoogleSitemap{URL: loc}
		err := c.submitAndRead(ctx, &s)
		if ctx.Err() != nil {
			return all, context.Cause(ctx)
		}
		switch {
		case err != nil:
			found.Add(newGoogleFinding(err, loc))
		case c.scope == readScope:
			found.Add(s.newFindings(c.now)...)
		}
		all = append(all, s)
	}
	return all, nil
}

// submitAndRead finds the property of the sitemap s and reads the data about s. If the scope is
// submitScope, it submits the sitemap first.
func (c *consoleClient) submitAndRead(ctx context.Context, s *GoogleSitemap) (err error) {
	if s.Property, err = c.findProperty(ctx, s.URL); err != nil {
		return err
	}
	if c.scope == submitScope {
		if err := c.request(ctx, http.MethodPut, sitemapAPIPath(s.Property, s.URL), nil); err != nil {
			return err
		}
		s.Submitted = true
	}
	return c.readStatus(ctx, s)
}

// readStatus stores the data of Search Console about the sitemap s in s. If Search Console does not
// know the sitemap, s.Known stays false.
func (c *consoleClient) readStatus(ctx context.Context, s *GoogleSitemap) error {
	var raw struct {
		LastSubmitted, LastDownloaded time.Time
		IsPending                     bool
		Errors, Warnings              json.Number
	}
	err := c.request(ctx, http.MethodGet, sitemapAPIPath(s.Property, s.URL), &raw)
	if e, ok := errors.AsType[*googleError](err); ok && e.status == http.StatusNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	s.Known, s.Pending = true, raw.IsPending
	if raw.LastSubmitted.Unix() > 0 { // the API uses 1970-01-01 for a missing time
		s.LastSubmit = raw.LastSubmitted.UTC()
	}
	if raw.LastDownloaded.Unix() > 0 {
		s.Downloaded = raw.LastDownloaded.UTC()
	}
	s.Errors, _ = raw.Errors.Int64()
	s.Warnings, _ = raw.Warnings.Int64()
	return nil
}

// sitemapAPIPath returns the path of the sitemap at loc in the API, such as
// "webmasters/v3/sites/…/sitemaps/…".
func sitemapAPIPath(property, loc string) string {
	return "webmasters/v3/sites/" + url.QueryEscape(property) + "/sitemaps/" + url.QueryEscape(loc)
}

// formatPlannedRequest returns the method and the URL of the request that would submit the sitemap
// at loc. If the configured property does not contain loc, the URL contains "PROPERTY" instead of a
// property.
func (c *consoleClient) formatPlannedRequest(loc string) string {
	property := "PROPERTY"
	if propertyCovers(c.Property, loc) {
		property = c.Property
	}
	return http.MethodPut + " " + c.apiBaseURL() + sitemapAPIPath(property, loc)
}

// apiBaseURL returns the base URL of the API, with a trailing slash.
func (c *consoleClient) apiBaseURL() string {
	return strings.TrimSuffix(cmp.Or(c.Getenv("SITEWALK_GOOGLE_API"), googleAPI), "/") + "/"
}

// propertyCovers reports whether the Search Console property contains the URL loc. A property is a
// URL prefix such as "https://example.com/", or a domain with its subdomains such as
// "sc-domain:example.com".
func propertyCovers(property, loc string) bool {
	domain, isDomain := strings.CutPrefix(property, domainPrefix)
	if !isDomain {
		return strings.HasSuffix(property, "/") && strings.HasPrefix(loc, property)
	}
	u, err := url.Parse(loc)
	if err != nil {
		return false
	}
	host, domain := fetch.HostOf(u), fetch.HostOf(&url.URL{Host: domain})
	return domain != "" && (host == domain || strings.HasSuffix(host, "."+domain))
}

// findProperty returns the property for the sitemap at loc. If the configured property contains
// loc, it returns this property. Otherwise, it requests all properties that the account may use,
// and compares those that contain loc. It returns the longest URL prefix, or the longest domain if
// there is no URL prefix. If no property contains loc, it returns an error.
func (c *consoleClient) findProperty(ctx context.Context, loc string) (string, error) {
	if propertyCovers(c.Property, loc) {
		return c.Property, nil
	}
	var answer struct {
		SiteEntry []struct{ SiteURL, PermissionLevel string }
	}
	if err := c.request(ctx, http.MethodGet, "webmasters/v3/sites", &answer); err != nil {
		return "", err
	}
	levels := []string{"siteOwner", "siteFullUser"}
	if c.scope == readScope {
		levels = append(levels, "siteRestrictedUser")
	}
	best := ""
	for _, p := range answer.SiteEntry {
		isDomain, bestIsDomain := strings.HasPrefix(p.SiteURL, domainPrefix), strings.HasPrefix(best, domainPrefix)
		isLonger := best == "" || bestIsDomain && !isDomain || bestIsDomain == isDomain && len(p.SiteURL) > len(best)
		if slices.Contains(levels, p.PermissionLevel) && propertyCovers(p.SiteURL, loc) && isLonger {
			best = p.SiteURL
		}
	}
	if best == "" {
		return "", &googleError{
			text: fmt.Sprintf("%s may use no property that contains %s", c.account.displayName(), loc),
			hint: "add the site to Search Console; there, under Settings, Users and permissions, add the account with full permission",
		}
	}
	return best, nil
}

// A googleError is the error of a failed login or a failed request to Google.
type googleError struct {
	text, hint  string
	isTemporary bool
	status      int         // HTTP status; 0 if there is no answer
	header      http.Header // header of the answer
}

func (e *googleError) Error() string { return e.text }

// newGoogleFinding returns the finding about err, the error of a request for the sitemap at loc.
// loc is "" if the login failed.
func newGoogleFinding(err error, loc string) diag.Diagnostic {
	e, ok := errors.AsType[*googleError](err)
	if !ok {
		e = &googleError{text: err.Error()}
	}
	text := "Search Console: " + e.text
	if !strings.Contains(text, loc) {
		text += ", asked of " + loc
	}
	if e.isTemporary {
		return diag.Warnf(diag.Pos{}, "google-failed", "run it again later", "%s", text).About(loc)
	}
	return diag.Errorf(diag.Pos{}, "google-refused", e.hint, "%s", text).About(loc)
}

// request sends a request to the API, and repeats it after a temporary failure. path is relative to
// the base URL of the API. request decodes the JSON answer into out, unless out is nil.
func (c *consoleClient) request(ctx context.Context, method, path string, out any) error {
	for n := 0; ; n++ {
		err := c.requestOnce(ctx, method, path, out)
		e, ok := errors.AsType[*googleError](err)
		if !ok || !e.isTemporary {
			return err
		}
		pause, again := googleRetry.Pause(ctx, n, 0, e.header)
		if !again {
			return err
		}
		c.Logf("Search Console: %v; again in %v", err, pause)
		if err := fetch.Sleep(ctx, pause); err != nil {
			return err
		}
	}
}

func (c *consoleClient) requestOnce(ctx context.Context, method, path string, out any) error {
	ctx, cancel := context.WithTimeoutCause(ctx, answerTimeout, fmt.Errorf("there was no complete answer within %v", answerTimeout))
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, c.apiBaseURL()+path, nil)
	if err != nil || r.URL.Scheme != "https" && !(r.URL.Scheme == "http" && mapping.IsLocalHost(r.URL.String())) {
		return &googleError{text: "SITEWALK_GOOGLE_API is not an https address", hint: "leave it out; Google's own is the default"}
	}
	r.Header.Set("Authorization", "Bearer "+c.account.token)
	if c.account.quota != "" {
		r.Header.Set("X-Goog-User-Project", c.account.quota)
	}
	response, body, err := fetch.Do(c.Client, r, maxGoogleAnswer+1)
	switch {
	case ctx.Err() != nil:
		return &googleError{isTemporary: true, text: context.Cause(ctx).Error()}
	case err != nil:
		return &googleError{isTemporary: true, text: fetch.SafeReason(err)}
	case len(body) > maxGoogleAnswer:
		return &googleError{text: fmt.Sprintf("its answer has more than %d MiB", maxGoogleAnswer>>20)}
	case response.StatusCode/100 != 2:
		return c.newGoogleError(response, string(body))
	case out != nil && json.Unmarshal(body, out) != nil:
		return &googleError{text: "the answer does not come from the API"}
	}
	return nil
}

// newGoogleError returns the error for an answer whose status is not 2xx.
func (c *consoleClient) newGoogleError(response *http.Response, body string) error {
	code := response.StatusCode
	e := &googleError{status: code, header: response.Header, text: fmt.Sprintf("it answers %d", code)}
	isQuota := strings.Contains(body, "quotaExceeded") || strings.Contains(body, "rateLimitExceeded")
	switch {
	case code == http.StatusTooManyRequests || code == http.StatusForbidden && isQuota:
		e.text, e.isTemporary = e.text+": the quota of requests is used up", true
	case code >= 500:
		e.isTemporary = true
	case code == http.StatusUnauthorized:
		e.text += ": it does not accept the token of " + c.account.from
		e.hint = "a token lasts for an hour: make it in the same job, or log in again"
	case code == http.StatusForbidden && (strings.Contains(body, "accessNotConfigured") || strings.Contains(body, "SERVICE_DISABLED")):
		e.text += ": the Search Console API is not enabled for " + c.account.displayName()
		e.hint = "enable it, and wait a few minutes: https://console.cloud.google.com/apis/library/searchconsole.googleapis.com; for the token of a person, set " + quotaEnv + " to your project"
	case code == http.StatusForbidden:
		e.text += ": " + c.account.displayName() + " has no permission"
		e.hint = "in Search Console, under Settings, Users and permissions, add it with full permission; its token needs the scope " + submitScope
	case code == http.StatusNotFound:
		e.text += ": there is no such property or sitemap"
		e.hint = "add the property in Search Console, or write it as Search Console does"
	default:
		e.hint = "is SITEWALK_GOOGLE_API the API of Search Console, and is there no proxy in between? The default is " + googleAPI
	}
	return e
}
