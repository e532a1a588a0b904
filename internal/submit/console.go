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
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/fetch"
)

const (
	googleAPI       = "https://searchconsole.googleapis.com/" // SITEWALK_GOOGLE_API overrides it
	maxGoogleAnswer = 4 << 20                                 // bytes of an answer; 10,000 properties fit
	maxGooglePause  = time.Minute
	readScope       = "https://www.googleapis.com/auth/webmasters.readonly"
	submitScope     = "https://www.googleapis.com/auth/webmasters"
	domainPrefix    = "sc-domain:"
)

var googleRetry = fetch.Retry{Tries: 3, TooMany: 5 * time.Second, Trouble: 5 * time.Second}

// GoogleOptions select the account and the property of Search Console.
type GoogleOptions struct {
	Getenv   func(string) string
	Dir      string // of the project; relative names of key files are relative to it
	Property string // used for the sitemaps in it; otherwise the longest matching one
	Client   *http.Client
	Say      func(format string, args ...any) // reports progress; may be nil
}

// A GoogleSitemap is what Search Console knows of a sitemap.
type GoogleSitemap struct {
	URL        string          `json:"sitemap"`
	Property   string          `json:"property,omitempty"`
	Submitted  bool            `json:"submitted"` // by this run
	Known      bool            `json:"known"`     // it was submitted to the property at some time
	Type       string          `json:"type,omitempty"`
	Index      bool            `json:"index"`
	Pending    bool            `json:"pending"`
	LastSubmit time.Time       `json:"last_submitted,omitzero"`
	Downloaded time.Time       `json:"last_downloaded,omitzero"`
	Errors     int64           `json:"errors"`
	Warnings   int64           `json:"warnings"`
	Contents   []GoogleContent `json:"contents,omitempty"`

	isAnswered bool // Google said whether it knows the sitemap
}

// A GoogleContent counts the entries of a type in a sitemap.
type GoogleContent struct {
	Type string `json:"type"`
	URLs int64  `json:"submitted"`
}

// CheckGoogle reads what Search Console knows of sitemaps, and adds what is wrong to found.
func CheckGoogle(ctx context.Context, o GoogleOptions, sitemaps []string, now time.Time, found *diag.Report) (all []GoogleSitemap, err error) {
	c := &console{GoogleOptions: o, scope: readScope}
	for _, loc := range sitemaps {
		s, err := c.run(ctx, loc, false, found)
		if err != nil {
			return all, err
		}
		found.Add(s.findings(now)...)
		all = append(all, s)
	}
	return all, nil
}

// A console is Search Console as one account sees it. It prints no text of an answer, which
// could repeat the token.
type console struct {
	GoogleOptions
	scope   string // readScope or submitScope
	account *account
}

// run reads what Google knows of a sitemap. With submitScope it first submits a sitemap that
// changed, or that Google does not know. It adds refusals to found. The error is that of ctx.
func (c *console) run(ctx context.Context, loc string, isChanged bool, found *diag.Report) (GoogleSitemap, error) {
	s := GoogleSitemap{URL: loc}
	err := c.exchange(ctx, &s, isChanged)
	if ctx.Err() != nil {
		return s, context.Cause(ctx)
	}
	if err != nil {
		r := &googleError{text: err.Error()}
		errors.As(err, &r)
		found.Add(r.finding(loc))
	}
	return s, nil
}

func (c *console) exchange(ctx context.Context, s *GoogleSitemap, isChanged bool) (err error) {
	if s.Property, err = c.findProperty(ctx, s.URL); err != nil {
		return err
	}
	if !isChanged || c.scope == readScope {
		if err := c.read(ctx, s); err != nil || s.Known || c.scope == readScope {
			return err
		}
	}
	if err := c.request(ctx, http.MethodPut, sitemapPath(s.Property, s.URL), s.Property, nil); err != nil {
		return err
	}
	s.Submitted = true
	return c.read(ctx, s)
}

// countOf returns an int64 of the API, which writes it as a string.
func countOf(n json.Number) int64 {
	v, _ := n.Int64()
	return v
}

// read reads what Google knows of a sitemap.
func (c *console) read(ctx context.Context, s *GoogleSitemap) error {
	var raw struct {
		LastSubmitted, LastDownloaded time.Time
		IsPending, IsSitemapsIndex    bool
		Type                          string
		Errors, Warnings              json.Number
		Contents                      []struct {
			Type      string
			Submitted json.Number
		}
	}
	err := c.request(ctx, http.MethodGet, sitemapPath(s.Property, s.URL), s.Property, &raw)
	if r := (*googleError)(nil); errors.As(err, &r) && r.isUnknown {
		s.isAnswered = true
		return nil
	}
	if err != nil {
		return err
	}
	s.Known, s.isAnswered = true, true
	s.LastSubmit, s.Downloaded = apiTime(raw.LastSubmitted), apiTime(raw.LastDownloaded)
	s.Pending, s.Index, s.Errors, s.Warnings = raw.IsPending, raw.IsSitemapsIndex, countOf(raw.Errors), countOf(raw.Warnings)
	if raw.Type != "" {
		s.Type = apiWord(raw.Type)
	}
	for _, content := range raw.Contents {
		s.Contents = append(s.Contents, GoogleContent{apiWord(content.Type), countOf(content.Submitted)})
	}
	return nil
}

// apiTime returns a time of the API, which writes the beginning of 1970 for no time.
func apiTime(t time.Time) time.Time {
	if t.Unix() <= 0 {
		return time.Time{}
	}
	return t.UTC()
}

// apiWords are the types of sitemaps and contents.
var apiWords = []string{"notSitemap", "urlList", "sitemap", "rssFeed", "atomFeed", "web", "image", "video", "news", "mobile", "androidApp", "iosApp", "pattern", "dataFeed"}

// apiWord returns the word of apiWords that text means, in capitals or camel case, or "other".
func apiWord(text string) string {
	for _, w := range apiWords {
		if strings.EqualFold(w, strings.ReplaceAll(text, "_", "")) {
			return w
		}
	}
	return "other"
}

// sitemapPath returns the path of a sitemap in the API.
func sitemapPath(property, loc string) string {
	return "webmasters/v3/sites/" + url.QueryEscape(property) + "/sitemaps/" + url.QueryEscape(loc)
}

// plan returns the request that would submit the sitemap at loc.
func (c *console) plan(loc string) string {
	property := "PROPERTY"
	if propertyCovers(c.Property, loc) {
		property = c.Property
	}
	return http.MethodPut + " " + c.baseURL() + sitemapPath(property, loc)
}

// baseURL returns the address of the API, with a slash at the end.
func (c *console) baseURL() string {
	return strings.TrimSuffix(cmp.Or(c.Getenv("SITEWALK_GOOGLE_API"), googleAPI), "/") + "/"
}

// propertyCovers reports whether a property contains an address.
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

// levels are what an account may do with a property, the least first.
var levels = []string{"siteUnverifiedUser", "siteRestrictedUser", "siteFullUser", "siteOwner"}

// findProperty returns the property of the sitemap at loc: the named one, or the longest one
// that the account may use. An address counts as longer than a domain.
func (c *console) findProperty(ctx context.Context, loc string) (string, error) {
	if propertyCovers(c.Property, loc) {
		return c.Property, nil
	}
	var answer struct {
		SiteEntry []struct{ SiteURL, PermissionLevel string }
	}
	if err := c.request(ctx, http.MethodGet, "webmasters/v3/sites", "", &answer); err != nil {
		return "", err
	}
	minLevel := slices.Index(levels, "siteRestrictedUser")
	if c.scope == submitScope {
		minLevel = slices.Index(levels, "siteFullUser")
	}
	best, bestLevel := "", -1
	length := func(property string) int {
		if domain, isDomain := strings.CutPrefix(property, domainPrefix); isDomain {
			return len(domain) - 1<<20
		}
		return len(property)
	}
	for _, p := range answer.SiteEntry {
		level := min(slices.Index(levels, p.PermissionLevel), minLevel)
		if level >= 0 && propertyCovers(p.SiteURL, loc) && cmp.Or(cmp.Compare(level, bestLevel), length(p.SiteURL)-length(best)) > 0 {
			best, bestLevel = p.SiteURL, level
		}
	}
	if bestLevel == minLevel {
		return best, nil
	}
	who := c.account.name()
	hint := "in Search Console, under Settings, Users and permissions, add " + who + " with full permission"
	if best != "" {
		return "", &googleError{isOfAPI: true, text: who + " has too few permissions for " + best, hint: hint}
	}
	return "", &googleError{isOfAPI: true, text: fmt.Sprintf("%s sees no property that holds %s", who, loc), hint: "add the site to Search Console, and " + hint}
}

// A googleError is a refusal of Google, or the reason why there is no token.
type googleError struct {
	text, hint  string
	isTemporary bool
	isUnknown   bool // the API does not know what was asked for
	isOfAPI     bool // and not of the account, which is the same for every sitemap
	after       time.Duration
	status      int
}

func (e *googleError) Error() string { return e.text }

// finding returns the finding about the sitemap at loc.
func (e *googleError) finding(loc string) diag.Diagnostic {
	text := e.text
	switch {
	case !e.isOfAPI:
		loc = ""
	case strings.Contains(text, loc):
		text = "Search Console: " + text
	default:
		text = "Search Console: " + text + ", asked of " + loc
	}
	if e.isTemporary {
		return diag.Warnf(diag.Pos{}, "google-failed", "run it again later", "%s", text).About(loc)
	}
	return diag.Errorf(diag.Pos{}, "google-refused", e.hint, "%s", text).About(loc)
}

// request makes a request of the API, up to three times, and decodes the answer into out
// unless out is nil. property is the one that the request is about, or "".
func (c *console) request(ctx context.Context, method, path, property string, out any) error {
	if c.account == nil {
		a, err := c.login(ctx)
		if err != nil {
			return err
		}
		c.account = a
	}
	for n := 0; ; n++ {
		err := c.requestOnce(ctx, method, path, property, out)
		r := (*googleError)(nil)
		if ctx.Err() != nil || !errors.As(err, &r) || !r.isTemporary {
			return err
		}
		pause, ok := googleRetry.Pause(ctx, n, r.status, r.after)
		if !ok || pause > maxGooglePause {
			return err
		}
		if c.Say != nil {
			c.Say("Search Console: %v; again in %v", err, pause)
		}
		if err := fetch.Sleep(ctx, pause); err != nil {
			return err
		}
	}
}

func (c *console) requestOnce(ctx context.Context, method, path, property string, out any) error {
	ctx, cancel := context.WithTimeoutCause(ctx, answerIn, fmt.Errorf("there was no complete answer within %v", answerIn))
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
		return &googleError{isOfAPI: true, isTemporary: true, text: context.Cause(ctx).Error()}
	case err != nil:
		return &googleError{isOfAPI: true, isTemporary: true, text: fetch.SafeReason(err)}
	case len(body) > maxGoogleAnswer:
		return &googleError{isOfAPI: true, text: fmt.Sprintf("its answer has more than %d MiB", maxGoogleAnswer>>20)}
	case response.StatusCode/100 != 2:
		return c.refusal(response, body, property)
	case out != nil && json.Unmarshal(body, out) != nil:
		return &googleError{isOfAPI: true, text: "its answer is not one of the API"}
	}
	return nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// refusal explains an answer that is an error.
func (c *console) refusal(response *http.Response, body []byte, property string) error {
	var answer struct {
		Error struct {
			Errors, Details []struct{ Reason string }
		}
	}
	isAPI := json.Unmarshal(body, &answer) == nil && strings.Contains(string(body), `"error"`)
	reasons := fmt.Sprint(answer.Error.Errors, answer.Error.Details)
	has := func(pattern string) bool { return regexp.MustCompile(`(?i)` + pattern).MatchString(reasons) }
	who, code := c.account.name(), response.StatusCode
	e := &googleError{isOfAPI: true, status: code, after: fetch.RetryAfter(response.Header), text: fmt.Sprintf("it answers %d", code)}
	switch {
	case code == http.StatusTooManyRequests || has("Exceeded"):
		e.text, e.isTemporary = e.text+": the quota of requests is used up", true
	case code >= 500:
		e.isTemporary = true
	case code == http.StatusUnauthorized:
		e.text += ": it does not accept the token of " + c.account.from
		e.hint = "a token lasts for an hour: make it in the same job, or log in again"
	case has("accessNotConfigured|SERVICE_DISABLED"):
		e.text += ": the Search Console API is not enabled for " + who
		e.hint = "enable it, and wait a few minutes: https://console.cloud.google.com/apis/library/searchconsole.googleapis.com; for a login of gcloud also: gcloud auth application-default set-quota-project PROJECT"
	case has("insufficientPermissions|insufficientScopes|SCOPE_INSUFFICIENT"):
		e.text += ": the token of " + c.account.from + " was not made for Search Console"
		e.hint = "ask for the scope " + submitScope
	case code == http.StatusForbidden && property != "":
		e.text += fmt.Sprintf(": %s has no permission for the property %s", who, property)
		e.hint = "in Search Console, under Settings, Users and permissions, add it with full permission"
	case code == http.StatusNotFound && isAPI && property != "":
		e.isUnknown = true
		e.text += ": there is no property " + property
		e.hint = "add it in Search Console, or write it as Search Console does"
	default:
		e.hint = "is SITEWALK_GOOGLE_API the API of Search Console, and does no proxy stand between? The default is " + googleAPI
	}
	return e
}
