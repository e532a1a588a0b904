// Package fetch reads one file of a live site with the care that an answer from
// outside needs: bounded in time and in bytes, from one host.
//
// It refuses to follow a redirect to another host or to a plain connection, and
// to be told anything but "200 OK".
package fetch

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"
)

// Options say how to ask.
type Options struct {
	Timeout time.Duration // for the whole answer; 0 is 30 seconds
	Accept  string        // the media types that are wanted
	Client  *http.Client  // nil is the default; its redirect policy is replaced
}

// A StatusError is an answer that is not the file.
type StatusError struct {
	Code   int
	Status string // "404 Not Found"
}

// Error says what the site answers.
func (e *StatusError) Error() string {
	s := "the site answers " + e.Status
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
	if rel, err := filepath.Rel(dir, name); dir != "" && err == nil && filepath.IsLocal(rel) {
		name = rel
	}
	return filepath.ToSlash(name)
}

// A Body is an answer that is being read. Whoever opens it closes it.
type Body struct {
	ctx    context.Context
	cancel context.CancelFunc
	body   io.ReadCloser
	URL    string // that answered, after all redirects
}

// Open asks for a URL. The errors name no address, since the caller knows it as
// the user typed it; an answer other than "200 OK" is a [StatusError].
func Open(ctx context.Context, from string, o Options) (*Body, error) {
	b, response, err := o.ask(ctx, from, sameHost)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		b.Close()
		return nil, &StatusError{response.StatusCode, response.Status}
	}
	return b, nil
}

// ask begins to ask for a URL, with a policy of redirects.
func (o *Options) ask(ctx context.Context, from string, redirect func(*http.Request, []*http.Request) error) (*Body, *http.Response, error) {
	timeout := cmp.Or(o.Timeout, 30*time.Second)
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("there was no complete answer within %v", timeout))
	b := &Body{ctx: ctx, cancel: cancel}
	request, err := newRequest(ctx, from, o.Accept)
	if err != nil {
		cancel()
		return nil, nil, err
	}
	response, err := Client(o.Client, redirect).Do(request)
	if err != nil {
		err = Why(ctx, err)
		cancel()
		return nil, nil, err
	}
	b.body, b.URL = response.Body, response.Request.URL.String()
	return b, response, nil
}

// Client returns a client, nil being the default, with another policy of redirects.
func Client(from *http.Client, redirect func(*http.Request, []*http.Request) error) *http.Client {
	c := http.Client{}
	if from != nil {
		c = *from
	}
	c.CheckRedirect = redirect
	return &c
}

// Stay is the policy that follows no redirect.
func Stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

func newRequest(ctx context.Context, from, accept string) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return nil, Why(ctx, err)
	}
	if s := request.URL.Scheme; s != "http" && s != "https" {
		return nil, fmt.Errorf("%q is neither http nor https", s)
	}
	request.Header.Set("User-Agent", "sitewalk")
	request.Header.Set("Accept", accept+", */*;q=0.5")
	request.Header.Set("Cache-Control", "no-cache")
	return request, nil
}

// Read implements io.Reader.
func (b *Body) Read(p []byte) (int, error) {
	n, err := b.body.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = Why(b.ctx, err)
	}
	return n, err
}

// Close ends the answer, read or not.
func (b *Body) Close() error {
	b.cancel()
	return b.body.Close()
}

// Why says why a request failed, without the address: the time that was up
// rather than what that did to the connection.
func Why(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if u := (*url.Error)(nil); errors.As(err, &u) {
		return u.Err
	}
	return err
}

// sameHost follows redirects that stay on the site: another site's answer would
// not be this site's, and a plain one could be anybody's.
func sameHost(to *http.Request, via []*http.Request) error {
	from := via[0].URL
	switch {
	case len(via) > 5:
		return errors.New("the site redirects again and again")
	case !strings.EqualFold(to.URL.Hostname(), from.Hostname()):
		return fmt.Errorf("the site redirects to %s on another host; write that address if it is yours", to.URL.Redacted())
	case from.Scheme == "https" && to.URL.Scheme != "https":
		return fmt.Errorf("the site redirects from https to %s", to.URL.Redacted())
	}
	return nil
}

// Unpack returns what r holds, decompressed when it begins like gzip, whatever
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

// An Answer is what a site says to one request, whatever its status.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte // its beginning, unpacked
}

// Ask asks for a URL as a crawler does that sees each redirect, and returns the
// answer with up to limit bytes of its body.
func Ask(ctx context.Context, from string, limit int64, o Options) (*Answer, error) {
	b, response, err := o.ask(ctx, from, Stay)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	body, err := io.ReadAll(io.LimitReader(b, limit))
	if err != nil {
		return nil, err
	}
	return &Answer{response.StatusCode, response.Header, body}, nil
}
