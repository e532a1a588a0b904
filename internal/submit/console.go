package submit

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/fetch"
)

const (
	googleAPI       = "https://searchconsole.googleapis.com/" // SITEWALK_GOOGLE_API overrides it
	maxGoogleAnswer = 4 << 20                                 // bytes; 10,000 properties fit
	readScope       = "https://www.googleapis.com/auth/webmasters.readonly"
	submitScope     = "https://www.googleapis.com/auth/webmasters"
	domainPrefix    = "sc-domain:"
)

var googleRetry = fetch.Retry{Tries: 3, First: 5 * time.Second}

// GoogleOptions select the account and the property of Search Console.
type GoogleOptions struct {
	Getenv   func(string) string
	Dir      string // project folder; relative names of key files are relative to it
	Property string // property for the sitemaps that it contains; for others, the longest matching property is used
	Client   *http.Client
	Logf     func(format string, args ...any) // receives progress messages; may be nil
}

// A GoogleSitemap contains the data of Search Console about a sitemap.
type GoogleSitemap struct {
	URL        string    `json:"sitemap"`
	Property   string    `json:"property,omitempty"`
	Submitted  bool      `json:"submitted"` // this run submitted the sitemap
	Known      bool      `json:"known"`     // someone has submitted the sitemap to the property
	Pending    bool      `json:"pending"`
	LastSubmit time.Time `json:"last_submitted,omitzero"`
	Downloaded time.Time `json:"last_downloaded,omitzero"`
	Errors     int64     `json:"errors"`
	Warnings   int64     `json:"warnings"`

	isAnswered bool // Google answered the request for the sitemap
}

// CheckGoogle reads the data of Search Console about sitemaps, and adds findings to found. It
// returns an error only if ctx ends.
func CheckGoogle(ctx context.Context, o GoogleOptions, sitemaps []string, now time.Time, found *diag.Report) ([]GoogleSitemap, error) {
	c := &consoleClient{GoogleOptions: o, scope: readScope}
	all, err := c.run(ctx, sitemaps, found)
	for i := range all {
		found.Add(all[i].findings(now)...)
	}
	return all, err
}

// A consoleClient is a client for Search Console. It never prints text of an answer, because the text
// may repeat the token.
type consoleClient struct {
	GoogleOptions
	scope   string // readScope or submitScope
	account *account
}

// run submits the sitemaps if scope permits, and reads Google's data about them. It adds
// findings for refused requests. It returns an error only if ctx ends.
func (c *consoleClient) run(ctx context.Context, sitemaps []string, found *diag.Report) (all []GoogleSitemap, err error) {
	c.account, err = c.login(ctx)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		found.Add(googleFinding(err, ""))
		return nil, nil
	}
	for _, loc := range sitemaps {
		s := GoogleSitemap{URL: loc}
		err := c.submitAndRead(ctx, &s)
		if ctx.Err() != nil {
			return all, context.Cause(ctx)
		}
		if err != nil {
			found.Add(googleFinding(err, loc))
		}
		all = append(all, s)
	}
	return all, nil
}

// submitAndRead finds the property of a sitemap, submits the sitemap if scope permits, and reads
// Google's data about the sitemap.
func (c *consoleClient) submitAndRead(ctx context.Context, s *GoogleSitemap) (err error) {
	if s.Property, err = c.findProperty(ctx, s.URL); err != nil {
		return err
	}
	if c.scope == submitScope {
		if err := c.request(ctx, http.MethodPut, sitemapPath(s.Property, s.URL), nil); err != nil {
			return err
		}
		s.Submitted = true
	}
	return c.read(ctx, s)
}

// read reads Google's data about a sitemap.
func (c *consoleClient) read(ctx context.Context, s *GoogleSitemap) error {
	var raw struct {
		LastSubmitted, LastDownloaded time.Time
		IsPending                     bool
		Errors, Warnings              json.Number
	}
	err := c.request(ctx, http.MethodGet, sitemapPath(s.Property, s.URL), &raw)
	if e, ok := errors.AsType[*googleError](err); ok && e.status == http.StatusNotFound {
		s.isAnswered = true
		return nil
	}
	if err != nil {
		return err
	}
	s.Known, s.isAnswered = true, true
	s.LastSubmit, s.Downloaded = apiTime(raw.LastSubmitted), apiTime(raw.LastDownloaded)
	s.Pending, s.Errors, s.Warnings = raw.IsPending, apiCount(raw.Errors), apiCount(raw.Warnings)
	return nil
}

// apiCount returns an int64 of the API, which encodes it as a string.
func apiCount(n json.Number) int64 {
	v, _ := n.Int64()
	return v
}

// apiTime converts a time of the API, which uses 1970-01-01 for a missing time.
func apiTime(t time.Time) time.Time {
	if t.Unix() <= 0 {
		return time.Time{}
	}
	return t.UTC()
}

// sitemapPath returns the path of a sitemap in the API.
func sitemapPath(property, loc string) string {
	return "webmasters/v3/sites/" + url.QueryEscape(property) + "/sitemaps/" + url.QueryEscape(loc)
}

// plannedRequest returns the request that would submit the sitemap at loc.
func (c *consoleClient) plannedRequest(loc string) string {
	property := "PROPERTY"
	if propertyCovers(c.Property, loc) {
		property = c.Property
	}
	return http.MethodPut + " " + c.baseURL() + sitemapPath(property, loc)
}

// baseURL returns the URL of the API, with a slash at the end.
func (c *consoleClient) baseURL() string {
	return strings.TrimSuffix(cmp.Or(c.Getenv("SITEWALK_GOOGLE_API"), googleAPI), "/") + "/"
}

// propertyCovers reports whether a property contains the URL loc.
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

// findProperty returns the configured property if it contains loc. Otherwise it returns the
// longest usable property that contains loc. URL-prefix properties have priority over domain
// properties.
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
			text: fmt.Sprintf("%s may use no property that contains %s", c.account.name(), loc),
			hint: "add the site to Search Console; there, under Settings, Users and permissions, add the account with full permission",
		}
	}
	return best, nil
}

// A googleError is a refused request, or the reason for a missing token.
type googleError struct {
	text, hint  string
	isTemporary bool
	status      int         // 0 if there is no answer
	header      http.Header // header of the answer
}

func (e *googleError) Error() string { return e.text }

// googleFinding returns the finding for an error about the sitemap at loc. loc is "" for an
// error about the account.
func googleFinding(err error, loc string) diag.Diagnostic {
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

// request sends a request until the answer is final, and decodes the JSON answer into out
// unless out is nil.
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
		if c.Logf != nil {
			c.Logf("Search Console: %v; again in %v", err, pause)
		}
		if err := fetch.Sleep(ctx, pause); err != nil {
			return err
		}
	}
}

func (c *consoleClient) requestOnce(ctx context.Context, method, path string, out any) error {
	ctx, cancel := context.WithTimeoutCause(ctx, answerTimeout, fmt.Errorf("there was no complete answer within %v", answerTimeout))
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, c.baseURL()+path, nil)
	if err != nil || r.URL.Scheme != "https" && !(r.URL.Scheme == "http" && isLoopback(r.URL.Hostname())) {
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
		return &googleError{text: "its answer is not one of the API"}
	}
	return nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// newGoogleError returns the error for an answer with an error status.
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
		e.text += ": the Search Console API is not enabled for " + c.account.name()
		e.hint = "enable it, and wait a few minutes: https://console.cloud.google.com/apis/library/searchconsole.googleapis.com; for the token of a person, set " + quotaEnv + " to your project"
	case code == http.StatusForbidden:
		e.text += ": " + c.account.name() + " has no permission"
		e.hint = "in Search Console, under Settings, Users and permissions, add it with full permission; its token needs the scope " + submitScope
	case code == http.StatusNotFound:
		e.text += ": there is no such property or sitemap"
		e.hint = "add the property in Search Console, or write it as Search Console does"
	default:
		e.hint = "is SITEWALK_GOOGLE_API the API of Search Console, and does no proxy stand between? The default is " + googleAPI
	}
	return e
}
