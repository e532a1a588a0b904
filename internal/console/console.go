// Package console tells Google's Search Console the address of a sitemap, and reads what
// Google says of it, by the API of
// https://developers.google.com/webmaster-tools/v1/api_reference_index.
//
// It refuses to print a token, a key, or any text that a server sends.
package console

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
)

// defaultAPI is where the API is served; SITEWALK_GOOGLE_API names another address.
const defaultAPI = "https://searchconsole.googleapis.com/"

// Options say who asks Google, and of which property.
type Options struct {
	Getenv   func(string) string
	Dir      string // from which the key's file is named
	Property string // for the sitemaps that it holds; "" and others: the one that holds most of their address
	Tell     bool   // ask for the right to submit, and not to read alone
	Client   *http.Client
	Say      func(format string, args ...any) // called with what happens meanwhile; may be nil
}

// A Console is what one account may see of Search Console.
type Console struct {
	o          Options
	account    *account
	properties []Property // nil: not known yet
}

// New returns a Console. It asks for nothing yet.
func New(o Options) *Console {
	if o.Say == nil {
		o.Say = func(string, ...any) {}
	}
	return &Console{o: o}
}

// A Sitemap is what Google says of one.
type Sitemap struct {
	URL        string    `json:"sitemap"`
	Property   string    `json:"property,omitempty"`
	Told       bool      `json:"submitted"` // by this run
	Known      bool      `json:"known"`     // it was submitted to the property at some time
	Type       string    `json:"type,omitempty"`
	Index      bool      `json:"index"`
	Pending    bool      `json:"pending"`
	Submitted  time.Time `json:"last_submitted,omitzero"`
	Downloaded time.Time `json:"last_downloaded,omitzero"`
	Errors     int64     `json:"errors"`
	Warnings   int64     `json:"warnings"`
	Lists      []Content `json:"contents,omitempty"`

	answered bool // Google said whether it knows the sitemap
}

// A Content is how many entries of a type a sitemap lists.
type Content struct {
	Type string `json:"type"`
	URLs int64  `json:"submitted"`
}

// Run asks Google of the sitemap at an address. With Options.Tell it submits the sitemap
// first if it changed, or if Google does not know it. What Google refuses is added to
// found; the error is that of a context that ended.
func (c *Console) Run(ctx context.Context, loc string, changed bool, found *diag.Report) (Sitemap, error) {
	s := Sitemap{URL: loc}
	err := c.run(ctx, &s, changed)
	if err == nil || ctx.Err() != nil {
		return s, err
	}
	refused := &refusal{text: err.Error()}
	errors.As(err, &refused)
	found.Add(refused.finding(loc))
	return s, nil
}

func (c *Console) run(ctx context.Context, s *Sitemap, changed bool) (err error) {
	if s.Property, err = c.propertyOf(ctx, s.URL); err != nil {
		return err
	}
	at := sitemapPath(s.Property, s.URL)
	if !changed || !c.o.Tell {
		if err := c.read(ctx, s, at); err != nil || s.Known || !c.o.Tell {
			return err
		}
	}
	if err := c.request(ctx, http.MethodPut, at, nil); err != nil {
		return c.explain(ctx, err, s.Property)
	}
	s.Told = true
	return c.read(ctx, s, at)
}

// read reads what Google says of a sitemap; of one that was never submitted, nothing.
func (c *Console) read(ctx context.Context, s *Sitemap, at string) error {
	var raw rawSitemap
	err := c.request(ctx, http.MethodGet, at, &raw)
	if a := (*answerError)(nil); errors.As(err, &a) && a.status == http.StatusNotFound && a.isAPI {
		s.answered = true
		return nil
	}
	if err != nil {
		return c.explain(ctx, err, s.Property)
	}
	s.Known, s.answered = true, true
	raw.fill(s)
	return nil
}

// A rawSitemap is a WmxSitemap, as the reference of the API has it. It writes an int64 as
// a string.
type rawSitemap struct {
	LastSubmitted   time.Time   `json:"lastSubmitted"`
	LastDownloaded  time.Time   `json:"lastDownloaded"`
	IsPending       bool        `json:"isPending"`
	IsSitemapsIndex bool        `json:"isSitemapsIndex"`
	Type            string      `json:"type"`
	Errors          json.Number `json:"errors"`
	Warnings        json.Number `json:"warnings"`
	Contents        []struct {
		Type      string      `json:"type"`
		Submitted json.Number `json:"submitted"`
	} `json:"contents"`
}

// The words of the API: the reference has them in capitals, the answers in camel case.
var (
	sitemapTypes = []string{"notSitemap", "urlList", "sitemap", "rssFeed", "atomFeed"}
	contentTypes = []string{"web", "image", "video", "news", "mobile", "androidApp", "iosApp", "pattern", "dataFeed"}
)

// notSitemap is the type of a file that Google takes for something else.
const notSitemap = "notSitemap"

// wordOf returns the one of words that the API means, else "other".
func wordOf(words []string, said string) string {
	said = strings.ReplaceAll(said, "_", "")
	for _, w := range words {
		if strings.EqualFold(w, said) {
			return w
		}
	}
	return "other"
}

// moment returns a time of the API, which may be the beginning of 1970 in place of none.
func moment(t time.Time) time.Time {
	if t.Unix() <= 0 {
		return time.Time{}
	}
	return t.UTC()
}

func (r *rawSitemap) fill(s *Sitemap) {
	s.Submitted, s.Downloaded = moment(r.LastSubmitted), moment(r.LastDownloaded)
	s.Pending, s.Index = r.IsPending, r.IsSitemapsIndex
	s.Errors, _ = r.Errors.Int64()
	s.Warnings, _ = r.Warnings.Int64()
	if r.Type != "" {
		s.Type = wordOf(sitemapTypes, r.Type)
	}
	for _, c := range r.Contents {
		n, _ := c.Submitted.Int64()
		s.Lists = append(s.Lists, Content{wordOf(contentTypes, c.Type), n})
	}
}

// sitemapPath is the path of a sitemap in the API. Both addresses are escaped whole.
func sitemapPath(property, loc string) string {
	return "webmasters/v3/sites/" + url.QueryEscape(property) + "/sitemaps/" + url.QueryEscape(loc)
}

// Plan returns the request that would submit the sitemap at an address, of which the
// property may have to be found first.
func (c *Console) Plan(loc string) string {
	base, err := c.api()
	if err != nil {
		base = defaultAPI
	}
	return http.MethodPut + " " + base + sitemapPath(cmp.Or(c.named(loc), "PROPERTY"), loc)
}
