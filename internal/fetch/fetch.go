// Package fetch requests files from live sites, and reads lists of URLs from files and sites. A
// list is a sitemap, a sitemap index, a feed, a text file or a JSON report. [Referrer.Open] limits
// the time of a request, and ReadList also limits the size of the lists. CheckRequest decides which
// hosts sitewalk may request because of a redirect or a URL in a list.
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
	"unicode/utf8"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
)

// Options are the options of a request.
type Options struct {
	Timeout time.Duration // time limit for the whole answer; 0 means 30 seconds, which is also the maximum
	Accept  string        // media types for the Accept header: "application/xml, text/xml"
	Named   []string      // URLs that the user configured; they permit requests to other hosts, see CheckRequest
	Client  *http.Client  // nil means the default client; its redirect policy is replaced
	Secret  *Secret       // additional header for a protected site; may be nil
}

// userAgent is the User-Agent header of all requests. The URL in it explains the requests to site
// owners who find them in their logs.
const userAgent = "sitewalk (+https://sitewalk.github.io/sitewalk/live/#user-agent)"

// maxTimeout is the maximum time for one complete answer, including its body.
const maxTimeout = 30 * time.Second

// DefaultTotal is the default time limit for all requests of one command together.
const DefaultTotal = 10 * time.Minute

// WithTimeout returns a context that ends after total, the time limit for all requests of a
// command. If total is 0, the limit is DefaultTotal.
func WithTimeout(ctx context.Context, total time.Duration) (context.Context, context.CancelFunc) {
	total = cmp.Or(total, DefaultTotal)
	return context.WithTimeoutCause(ctx, total, diag.Hintedf("--timeout TIME gives it more",
		"more than %v have passed in all", total))
}

// A StatusError reports an HTTP status other than 200.
type StatusError struct{ Code int }

// Error returns the status code and its standard name: "the site answers 404 Not Found". For 401
// and 403, it adds the probable reason.
func (e *StatusError) Error() string {
	s := strings.TrimSpace(fmt.Sprintf("the site answers %d %s", e.Code, http.StatusText(e.Code))) // the server's own reason phrase is not trusted
	if e.Code == http.StatusUnauthorized || e.Code == http.StatusForbidden {
		s += ": it requires a login, or blocks programs"
	}
	return s
}

// IsNotFound reports whether err is a StatusError with status 404 or 410.
func IsNotFound(err error) bool {
	var e *StatusError
	return errors.As(err, &e) && (e.Code == http.StatusNotFound || e.Code == http.StatusGone)
}

// IsURL reports whether name is a URL and not a file name. name is a command-line argument or a
// setting.
func IsURL(name string) bool { return strings.Contains(name, "://") }

// WithoutPassword returns name for use in messages. If name is a URL with a password, "xxxxx"
// replaces the password.
func WithoutPassword(name string) string {
	if u, err := url.Parse(name); err == nil && IsURL(name) {
		if _, ok := u.User.Password(); ok {
			return u.Redacted()
		}
	}
	return name
}

// DisplayName returns the name of a file or URL for use in messages. The name of a file below the
// folder dir is relative to dir. "xxxxx" replaces the password of a URL.
func DisplayName(dir, name string) string {
	if IsURL(name) {
		return WithoutPassword(name)
	}
	return filepath.ToSlash(files.DisplayPath(dir, name))
}

// A Referrer is the URL of the answer that names the next URL to request, for example in a redirect
// or in a sitemap index. The zero Referrer means that the user named the next URL.
type Referrer struct {
	URL   *url.URL     // the URL after all redirects
	scope addressScope // smallest permitted scope of the next address; 0 permits all
}

// A Reply is the answer to a request, with its status, header and body. The caller must close it.
type Reply struct {
	At       Referrer // the URL that answered
	Status   int
	Header   http.Header
	Unpacked bool // the transport already decompressed the body

	ctx    context.Context
	cancel func()
	body   io.ReadCloser
}

// Open requests target, and follows permitted redirects. target is a URL that the answer of ref
// contains, or that the user named if ref is zero. Open returns an error if CheckRequest does not
// permit a request, and a StatusError if the status is not 200. Errors do not contain target.
func (ref Referrer) Open(ctx context.Context, target string, o Options) (*Reply, error) {
	r, err := ref.Follow(ctx, target, o)
	if err == nil && r.Status != http.StatusOK {
		r.Close()
		return nil, &StatusError{r.Status}
	}
	return r, err
}

// Follow is like [Referrer.Open], but also returns answers with a status other than 200.
func (ref Referrer) Follow(ctx context.Context, target string, o Options) (*Reply, error) {
	return o.send(ctx, ref, target, o.checkRedirect)
}

// RequestOnce is like [Referrer.Follow], but does not follow redirects: it returns the first
// answer.
func (ref Referrer) RequestOnce(ctx context.Context, target string, o Options) (*Reply, error) {
	return o.send(ctx, ref, target, NoRedirects)
}

// send sends a GET request for target and returns the answer. target is a URL that the answer of
// referrer contains, or that the user named if referrer is zero. policy is the redirect policy for
// http.Client.CheckRedirect.
func (o *Options) send(ctx context.Context, referrer Referrer, target string, policy func(*http.Request, []*http.Request) error) (*Reply, error) {
	timeout := min(cmp.Or(o.Timeout, maxTimeout), maxTimeout)
	ctx, stop := context.WithTimeoutCause(ctx, timeout, timeoutError(timeout))
	ctx, cancel := context.WithCancelCause(ctx)
	r := &Reply{ctx: ctx, cancel: func() { cancel(nil); stop() }}
	t := &redirectChain{minScope: referrer.scope, cancel: cancel}
	request, err := newRequest(context.WithValue(ctx, chainKey{}, t), target, o.Accept)
	if err == nil && referrer.URL != nil {
		err = CheckRequest(referrer.URL, request.URL, o.Named)
	}
	var response *http.Response
	if err == nil {
		o.Secret.setHeader(request)
		response, err = Client(o.Client, policy).Do(request)
	}
	if err != nil {
		err = Reason(ctx, err)
		r.cancel()
		return nil, err
	}
	r.At, r.body = Referrer{response.Request.URL, t.currentMinScope()}, response.Body
	r.Status, r.Header, r.Unpacked = response.StatusCode, response.Header, response.Uncompressed
	return r, nil
}

// Client returns a copy of base whose redirect policy is policy. If base is nil, it copies the
// default client.
func Client(base *http.Client, policy func(*http.Request, []*http.Request) error) *http.Client {
	c := http.Client{Transport: defaultTransport}
	if base != nil {
		c = *base
	}
	c.CheckRedirect = policy
	return &c
}

// Do sends a request without following redirects. It returns the response, whose body is closed,
// and at most limit bytes of the body. If it cannot read the body, it returns both the response and
// an error.
func Do(client *http.Client, request *http.Request, limit int64) (*http.Response, []byte, error) {
	request.Header.Set("User-Agent", userAgent)
	response, err := Client(client, NoRedirects).Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, limit))
	return response, body, err
}

// NoRedirects is a redirect policy that never follows a redirect.
func NoRedirects(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// checkRedirect is a redirect policy that permits at most five redirects. It returns an error for a
// redirect that CheckRequest does not permit. It sends the header of o.Secret only to the protected
// site.
func (o *Options) checkRedirect(next *http.Request, via []*http.Request) error {
	if len(via) > 5 {
		return errors.New("the site redirects again and again")
	}
	if err := CheckRequest(via[len(via)-1].URL, next.URL, o.Named); err != nil {
		return fmt.Errorf("the site redirects to %.150s, which %w; write that address if it is yours", next.URL.Redacted(), err)
	}
	o.Secret.setHeader(next) // net/http copies the headers of the first request, also to other hosts
	return nil
}

func newRequest(ctx context.Context, target, accept string) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return nil, err
	}
	if s := request.URL.Scheme; s != "http" && s != "https" {
		return nil, fmt.Errorf("%q is neither http nor https", s)
	}
	request.Header.Set("User-Agent", userAgent)
	request.Header.Set("Accept", accept+", */*;q=0.5")
	request.Header.Set("Cache-Control", "no-cache")
	return request, nil
}

// Read reads from the body of the answer. Errors other than io.EOF do not contain the URL.
func (r *Reply) Read(p []byte) (int, error) {
	n, err := r.body.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = Reason(r.ctx, err)
	}
	return n, err
}

// Close closes the body, and cancels the request if the body was not read completely.
func (r *Reply) Close() error {
	r.cancel()
	return r.body.Close()
}

// Reason returns the error err of a request without the URL of the request, and shortens a long
// text. If ctx has ended, it returns the cause of ctx instead.
func Reason(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if u := (*url.Error)(nil); errors.As(err, &u) {
		err = u.Err
	}
	if utf8.RuneCountInString(err.Error()) > maxReason { // the error text may quote the server at any length
		return fmt.Errorf("%.*s…", maxReason, err)
	}
	return err
}

// maxReason is the number of characters to which Reason shortens an error text.
const maxReason = 300

// SafeReason returns the reason why a request failed with err. Unlike the error that Reason
// returns, the result contains no text from the server.
func SafeReason(err error) string {
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

// A timeoutError is the error for an answer that is not complete within a time limit. Its value is
// the time limit.
type timeoutError time.Duration

func (e timeoutError) Error() string {
	return fmt.Sprintf("there was no complete answer within %v", time.Duration(e))
}

// Unpack returns a reader of the content of r. If the content begins with the magic number of gzip,
// the reader decompresses it. Unpack ignores file names and headers such as Content-Encoding. It
// returns an error if the gzip header is broken. After limit bytes of compressed or decompressed
// content, the reader returns the error tooLarge. A limit of 0 means no limit.
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

// A limitReader reads from r. It returns the error tooLarge if r contains more than left bytes.
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
