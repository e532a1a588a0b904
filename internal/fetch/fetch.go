// Package fetch requests files of live sites, and reads lists of URLs from files and sites.
//
// Requests are bounded in time and bytes, and go only where [May] permits. A list is a
// sitemap, an index, a feed, a text file or a JSON report.
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

// Options say how to ask.
type Options struct {
	Timeout time.Duration // for the whole answer; 0, and more, is 30 seconds
	Accept  string        // the media types that are wanted
	Named   []string      // URLs that the user named; see May
	Client  *http.Client  // nil is the default; its redirect policy is replaced
	Secret  *Secret       // is sent to its own site; nil is none

	dialing // of the default client
}

// UserAgent names the program, with a page that explains to those who find it in their
// logs what it does.
const UserAgent = "sitewalk (+https://sitewalk.github.io/sitewalk/live/#user-agent)"

// slowest is how long a whole answer may take.
const slowest = 30 * time.Second

// Total is how long all answers that a command asks for may take, unless the user
// says otherwise.
const Total = 10 * time.Minute

// Within returns a context for all that a command asks of the network, and for the
// lists of the user that may lead there. It ends after total; 0 is [Total].
func Within(ctx context.Context, total time.Duration) (context.Context, context.CancelFunc) {
	total = cmp.Or(total, Total)
	return context.WithTimeoutCause(ctx, total, diag.Hintedf("--timeout TIME gives it more",
		"more than %v have passed in all", total))
}

// A StatusError is an answer that is not the file.
type StatusError struct{ Code int }

// Error says what the site answers.
func (e *StatusError) Error() string {
	s := strings.TrimSpace(fmt.Sprintf("the site answers %d %s", e.Code, http.StatusText(e.Code))) // the server's own phrase may be anything
	if e.Code == http.StatusUnauthorized || e.Code == http.StatusForbidden {
		s += ": it wants a login, or keeps programs out"
	}
	return s
}

// Absent reports whether err says that the site has no such file.
func Absent(err error) bool {
	var e *StatusError
	return errors.As(err, &e) && (e.Code == http.StatusNotFound || e.Code == http.StatusGone)
}

// IsURL reports whether a name that a user typed is meant as a URL.
func IsURL(name string) bool { return strings.Contains(name, "://") }

// WithoutPassword returns a name as it may stand in a message: a URL without its password.
func WithoutPassword(name string) string {
	if u, err := url.Parse(name); err == nil && IsURL(name) {
		return u.Redacted()
	}
	return name
}

// Shown returns the name of a file or a URL as it may stand in a message: as the user
// would type it in dir, "" being anywhere, and without a password.
func Shown(dir, name string) string {
	if IsURL(name) {
		return WithoutPassword(name)
	}
	return filepath.ToSlash(files.Shown(dir, name))
}

// A Place is an address that answered. The zero Place is what the user typed.
type Place struct {
	URL   *url.URL // after all redirects
	reach reach    // of the network address that answered
}

// A Reply is what a site says to one request, while it is read. The caller closes it.
type Reply struct {
	At       Place
	Hops     int // redirects that led there
	Status   int
	Header   http.Header
	Unpacked bool // the body came compressed, as its header said

	ctx    context.Context
	cancel context.CancelCauseFunc
	body   io.ReadCloser
}

// Open asks for a URL that the user named. The errors name no address, since the
// caller knows it as the user typed it; an answer other than "200 OK" is a
// [StatusError].
func Open(ctx context.Context, to string, o Options) (*Reply, error) {
	return Place{}.Open(ctx, to, o)
}

// Open asks for a URL that the answer of a place names, if that may lead there; see
// [May].
func (from Place) Open(ctx context.Context, to string, o Options) (*Reply, error) {
	r, err := from.Follow(ctx, to, o)
	if err == nil && r.Status != http.StatusOK {
		r.Close()
		return nil, &StatusError{r.Status}
	}
	return r, err
}

// Follow asks for a URL that the answer of a place names, and follows redirects where the
// rule leads: any other status is an answer. See [May].
func (from Place) Follow(ctx context.Context, to string, o Options) (*Reply, error) {
	return o.ask(ctx, from, to, o.follow)
}

// Ask asks for a URL that the answer of a place names, as a crawler does that sees each
// redirect: any status is an answer. See [May].
func (from Place) Ask(ctx context.Context, to string, o Options) (*Reply, error) {
	return o.ask(ctx, from, to, Stay)
}

// ask begins to ask for a URL, with a policy of redirects.
func (o *Options) ask(ctx context.Context, from Place, to string, redirect func(*http.Request, []*http.Request) error) (*Reply, error) {
	timeout := min(cmp.Or(o.Timeout, slowest), slowest)
	stop := func() {}
	// A command whose time ends in the same moment ends for its own reason.
	if end, ok := ctx.Deadline(); !ok || end.After(time.Now().Add(timeout)) {
		ctx, stop = context.WithTimeoutCause(ctx, timeout, timeoutError(timeout))
	}
	ctx, cancel := context.WithCancelCause(ctx)
	r := &Reply{ctx: ctx, cancel: func(err error) { cancel(err); stop() }}
	t := &trip{dialing: o.dialing, least: from.reach, cancel: cancel}
	request, err := newRequest(context.WithValue(ctx, tripKey{}, t), to, o.Accept)
	if err == nil && from.URL != nil {
		err = May(from.URL, request.URL, o.Named)
	}
	var response *http.Response
	if err == nil {
		o.Secret.addTo(request)
		response, err = Client(o.Client, redirect).Do(request)
	}
	if err != nil {
		err = Why(ctx, err)
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

// Client returns a client, nil being the default, with another policy of redirects.
func Client(from *http.Client, redirect func(*http.Request, []*http.Request) error) *http.Client {
	c := http.Client{Transport: ways}
	if from != nil {
		c = *from
	}
	c.CheckRedirect = redirect
	return &c
}

// Do makes a request, follows no redirect, and returns with the answer up to limit bytes
// of its body. If reading fails, it returns the answer and the error.
func Do(client *http.Client, request *http.Request, limit int64) (*http.Response, []byte, error) {
	request.Header.Set("User-Agent", UserAgent)
	response, err := Client(client, Stay).Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, limit))
	return response, body, err
}

// Stay is the policy that follows no redirect.
func Stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// follow is the policy that goes where the rule leads.
func (o *Options) follow(to *http.Request, via []*http.Request) error {
	if len(via) > 5 {
		return errors.New("the site redirects again and again")
	}
	if err := May(via[len(via)-1].URL, to.URL, o.Named); err != nil {
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
		err = Why(r.ctx, err)
	}
	return n, err
}

// Close ends the answer, read or not.
func (r *Reply) Close() error {
	r.cancel(nil)
	return r.body.Close()
}

// Why returns why a request failed, without its address. If ctx has ended, that is the
// reason, and not the broken connection.
func Why(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if u := (*url.Error)(nil); errors.As(err, &u) {
		err = u.Err
	}
	if len(err.Error()) > maxWhy { // it quotes what the server sent
		return fmt.Errorf("%.*s…", maxWhy, err)
	}
	return err
}

// maxWhy is the maximum length of the reason of a failure.
const maxWhy = 300

// SafeReason returns why a request failed, without any text that a server sent.
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

// Unpack returns what r holds, decompressed when it begins like gzip, for any
// its name or its headers say. More than limit bytes, before or after, end in
// tooLarge; 0 is no limit.
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

// A limitReader ends with an error after left bytes.
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
