// Package fetch requests files from live sites, and reads lists of URLs from files and sites.
//
// Requests are limited in time and size, and CheckRequest restricts their targets. A list is a sitemap,
// an index, a feed, a text file or a JSON report. The package may change.
package fetch

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
)

// Options configure a request.
type Options struct {
	Timeout time.Duration // time limit for the whole answer; 0 means 30 seconds, the maximum
	Accept  string        // accepted media types
	Named   []string      // URLs that the user named; see CheckRequest
	Client  *http.Client  // nil means the default client; requests replace its redirect policy
	Secret  *Secret       // header for a protected site; may be nil

	dialing // for the default client
}

// UserAgent is the User-Agent header of all requests. The linked page explains the requests to
// people who find them in a log.
const UserAgent = "sitewalk (+https://sitewalk.github.io/sitewalk/live/#user-agent)"

// maxTimeout is the maximum time for a whole answer.
const maxTimeout = 30 * time.Second

// DefaultTotal is the default time limit for all requests of a command.
const DefaultTotal = 10 * time.Minute

// WithTimeout returns a context for all requests of a command. It ends after total; 0 means Total.
func WithTimeout(ctx context.Context, total time.Duration) (context.Context, context.CancelFunc) {
	total = cmp.Or(total, DefaultTotal)
	return context.WithTimeoutCause(ctx, total, diag.Hintedf("--timeout TIME gives it more",
		"more than %v have passed in all", total))
}

// A StatusError reports an answer with another status than 200.
type StatusError struct{ Code int }

// Error implements error.
func (e *StatusError) Error() string {
	s := strings.TrimSpace(fmt.Sprintf("the site answers %d %s", e.Code, http.StatusText(e.Code))) // the reason phrase of the server is not trusted
	if e.Code == http.StatusUnauthorized || e.Code == http.StatusForbidden {
		s += ": it wants a login, or keeps programs out"
	}
	return s
}

// IsNotFound reports whether err means that the site has no such file (status 404 or 410).
func IsNotFound(err error) bool {
	var e *StatusError
	return errors.As(err, &e) && (e.Code == http.StatusNotFound || e.Code == http.StatusGone)
}

// IsURL reports whether a name that the user typed is a URL.
func IsURL(name string) bool { return strings.Contains(name, "://") }

// WithoutPassword returns name for use in messages. If name is a URL, its password is removed.
func WithoutPassword(name string) string {
	if u, err := url.Parse(name); err == nil && IsURL(name) {
		return u.Redacted()
	}
	return name
}

// DisplayName returns the name of a file or URL for use in messages. A file in dir is relative to
// dir, and a URL has no password.
func DisplayName(dir, name string) string {
	if IsURL(name) {
		return WithoutPassword(name)
	}
	return filepath.ToSlash(files.Shown(dir, name))
}

// A Place is a URL that has answered. The zero Place means the user.
type Place struct {
	URL   *url.URL // after all redirects
	reach reach    // of the network address that answered
}

// A Reply is the answer to one request. The caller must close it.
type Reply struct {
	At       Place
	Hops     int // number of followed redirects
	Status   int
	Header   http.Header
	Unpacked bool // the transport decompressed the body

	ctx    context.Context
	cancel context.CancelCauseFunc
	body   io.ReadCloser
}

// Open requests a URL that the user named. It returns a StatusError unless the status is 200.
// Errors do not contain the URL.
func Open(ctx context.Context, to string, o Options) (*Reply, error) {
	return Place{}.Open(ctx, to, o)
}

// Open requests the URL to, which the content of from names, if CheckRequest permits the request. It
// returns a StatusError unless the status is 200.
func (from Place) Open(ctx context.Context, to string, o Options) (*Reply, error) {
	r, err := from.Follow(ctx, to, o)
	if err == nil && r.Status != http.StatusOK {
		r.Close()
		return nil, &StatusError{r.Status}
	}
	return r, err
}

// Follow requests the URL to, which the content of from names. It follows redirects as far as
// CheckRequest permits. Any other status is not an error.
func (from Place) Follow(ctx context.Context, to string, o Options) (*Reply, error) {
	return o.send(ctx, from, to, o.follow)
}

// OpenOnce requests the URL to, which the content of from names, if CheckRequest permits the request. It does
// not follow redirects. No status is an error.
func (from Place) OpenOnce(ctx context.Context, to string, o Options) (*Reply, error) {
	return o.send(ctx, from, to, NoRedirects)
}

// send sends a request with a redirect policy.
func (o *Options) send(ctx context.Context, from Place, to string, redirect func(*http.Request, []*http.Request) error) (*Reply, error) {
	timeout := min(cmp.Or(o.Timeout, maxTimeout), maxTimeout)
	stop := func() {}
	// If the command ends in the same moment, the reason is the end of the command.
	if end, ok := ctx.Deadline(); !ok || end.After(time.Now().Add(timeout)) {
		ctx, stop = context.WithTimeoutCause(ctx, timeout, timeoutError(timeout))
	}
	ctx, cancel := context.WithCancelCause(ctx)
	r := &Reply{ctx: ctx, cancel: func(err error) { cancel(err); stop() }}
	t := &trip{dialing: o.dialing, minReach: from.reach, cancel: cancel}
	request, err := newRequest(context.WithValue(ctx, tripKey{}, t), to, o.Accept)
	if err == nil && from.URL != nil {
		err = CheckRequest(from.URL, request.URL, o.Named)
	}
	var response *http.Response
	if err == nil {
		o.Secret.addTo(request)
		response, err = Client(o.Client, redirect).Do(request)
	}
	if err != nil {
		err = Reason(ctx, err)
		r.cancel(nil)
		return nil, err
	}
	r.At, r.body = Place{response.Request.URL, t.reached()}, response.Body
	r.Status, r.Header, r.Unpacked = response.StatusCode, response.Header, response.Uncompressed
	for q := response.Request; q.Response != nil; q = q.Response.Request {
		r.Hops++
	}
	return r, nil
}

// Client returns a copy of from with the redirect policy redirect. nil means the default
// client.
func Client(from *http.Client, redirect func(*http.Request, []*http.Request) error) *http.Client {
	c := http.Client{Transport: defaultTransport}
	if from != nil {
		c = *from
	}
	c.CheckRedirect = redirect
	return &c
}

// Do sends a request without following redirects, and reads at most limit bytes of the body. If
// reading the body fails, Do returns the answer and the error.
func Do(client *http.Client, request *http.Request, limit int64) (*http.Response, []byte, error) {
	request.Header.Set("User-Agent", UserAgent)
	response, err := Client(client, NoRedirects).Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, limit))
	return response, body, err
}

// NoRedirects is a redirect policy that follows no redirect.
func NoRedirects(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// follow is a redirect policy that follows at most five redirects as far as CheckRequest permits.
func (o *Options) follow(to *http.Request, via []*http.Request) error {
	if len(via) > 5 {
		return errors.New("the site redirects again and again")
	}
	if err := CheckRequest(via[len(via)-1].URL, to.URL, o.Named); err != nil {
		return fmt.Errorf("the site redirects to %.150s, which %w; write that address if it is yours", to.URL.Redacted(), err)
	}
	o.Secret.addTo(to) // net/http copies the headers of the first request
	return nil
}

func newRequest(ctx context.Context, from, accept string) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return nil, err
	}
	if s := request.URL.Scheme; s != "http" && s != "https" {
		return nil, fmt.Errorf("%q is neither http nor https", s)
	}
	request.Header.Set("User-Agent", UserAgent)
	request.Header.Set("Accept", accept+", */*;q=0.5")
	request.Header.Set("Cache-Control", "no-cache")
	return request, nil
}

// Read implements io.Reader.
func (r *Reply) Read(p []byte) (int, error) {
	n, err := r.body.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = Reason(r.ctx, err)
	}
	return n, err
}

// Close cancels the rest of the answer and closes the body.
func (r *Reply) Close() error {
	r.cancel(nil)
	return r.body.Close()
}

// Reason returns the reason why a request failed, without the URL. If ctx has ended, the reason is
// the cause of ctx.
func Reason(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if u := (*url.Error)(nil); errors.As(err, &u) {
		err = u.Err
	}
	if len(err.Error()) > maxReason { // the text quotes the server
		return fmt.Errorf("%.*s…", maxReason, err)
	}
	return err
}

// maxReason is the maximum length of a reason in bytes.
const maxReason = 300

// SafeReason returns why a request failed, without any text from the server.
func SafeReason(err error) string {
	if e, ok := errors.AsType[*net.DNSError](err); ok {
		return e.Error()
	}
	if e, ok := errors.AsType[*net.OpError](err); ok {
		return e.Error()
	}
	if e, ok := errors.AsType[ruleError](err); ok {
		return "it leads to an address that " + e.Error()
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return "this machine does not trust its certificate"
	}
	if _, ok := errors.AsType[timeoutError](err); ok {
		return err.Error()
	}
	return "the connection broke, or what answers does not speak HTTP"
}

// A timeoutError reports that an answer took too long.
type timeoutError time.Duration

func (e timeoutError) Error() string {
	return fmt.Sprintf("there was no complete answer within %v", time.Duration(e))
}

// Unpack returns the content of r, decompressed if it begins with the gzip magic number. Names
// and headers do not matter. Reading more than limit bytes, before or after decompression,
// returns the error tooLarge. A limit of 0 means no limit.
func Unpack(r io.Reader, limit int64, tooLarge error) (io.Reader, error) {
	limit = cmp.Or(limit, math.MaxInt64)
	packed := bufio.NewReader(&limitReader{r, limit, tooLarge})
	if magic, _ := packed.Peek(2); string(magic) != "\x1f\x8b" {
		return packed, nil
	}
	z, err := gzip.NewReader(packed)
	if err != nil {
		return nil, fmt.Errorf("it begins like gzip and cannot be unpacked: %w", err)
	}
	return &limitReader{z, limit, tooLarge}, nil
}

// A limitReader returns an error after left bytes.
type limitReader struct {
	r        io.Reader
	left     int64
	tooLarge error
}

func (l *limitReader) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, l.tooLarge
	}
	return n, err
}
