package live

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/page"
)

// A Seen is what is remembered of an answer.
type Seen struct {
	Status    int    `json:"status,omitempty"` // 0 is no answer
	To        string `json:"to,omitempty"`     // of a redirect
	Type      string `json:"type,omitempty"`
	HTML      bool   `json:"html,omitempty"`   // it is a web page
	Empty     bool   `json:"empty,omitempty"`  // it has nothing but white space
	Hidden    string `json:"hidden,omitempty"` // what keeps search engines from indexing it
	Refresh   string `json:"refresh,omitempty"`
	Canonical string `json:"canonical,omitempty"`
	Title     string `json:"title,omitempty"`
	Content   string `json:"content,omitempty"` // its fingerprint
	Mark      string `json:"mark,omitempty"`    // whose check for robots answers in its place
	Error     string `json:"error,omitempty"`   // why there is no answer
}

const (
	maxHead  = 1 << 20  // bytes that are read of a page up to the end of its head
	maxError = 16 << 10 // of an answer that is no page
	maxDrain = 64 << 10 // that are read to keep a connection
	maxText  = 300      // bytes that are kept of a text that a site sends
)

// retry is for an address whose site asks to come back later, or fails.
var retry = fetch.Retry{Tries: 3, TooMany: 10 * time.Second, Trouble: time.Second}

// ask asks for an address until there is an answer that stays; ok is false when the time
// is up before.
func (v *Visit) ask(ctx context.Context, q *Request, reader *page.Reader) (seen *Seen, ok bool) {
	for n := 0; ; n++ {
		if v.pace.wait(ctx) != nil {
			return nil, false
		}
		reply, err := q.From.Ask(ctx, q.URL, v.o.Fetch)
		var later time.Duration
		if err == nil {
			later = fetch.RetryAfter(reply.Header)
			seen, err = v.read(reply, q.URL, reader)
			reply.Close()
		}
		if ctx.Err() != nil {
			return nil, false
		}
		if err != nil {
			seen = &Seen{Error: v.text(err.Error())}
		}
		if !v.again(ctx, n, seen, later) {
			return seen, true
		}
	}
}

// passing reports whether an answer may be another one soon.
func passing(s *Seen) bool {
	return s.Mark == "" && (s.Status == 0 || s.Status == http.StatusTooManyRequests || s.Status >= 500 && s.Status != http.StatusNotImplemented)
}

// again waits until an address may be asked for again, and lets all others wait where
// the site asks for it. It returns false if the answer stays, or there is not enough time.
func (v *Visit) again(ctx context.Context, n int, s *Seen, later time.Duration) bool {
	pause, ok := retry.Pause(ctx, n, s.Status, later)
	if !ok || !passing(s) {
		return false
	}
	if s.Status == http.StatusTooManyRequests || s.Status == http.StatusServiceUnavailable {
		v.pace.hold(pause)
		return true
	}
	return fetch.Sleep(ctx, pause) == nil
}

// read reads of an answer what the visit wants to know.
func (v *Visit) read(r *fetch.Reply, loc string, reader *page.Reader) (*Seen, error) {
	s := &Seen{Status: r.Status, Type: v.text(r.Header.Get("Content-Type")), Mark: markOf(r.Header)}
	own, err := url.Parse(loc)
	if err != nil {
		return nil, err
	}
	if r.Status != http.StatusOK {
		if to := r.Header.Get("Location"); to != "" && r.Status >= 300 && r.Status < 400 {
			s.To = v.text(resolve(own, to))
		}
		body, _ := io.ReadAll(io.LimitReader(r, maxError)) // the status is enough
		s.Mark = cmp.Or(s.Mark, markIn(r.Status, body))
		return s, nil
	}
	for _, tag := range r.Header.Values("X-Robots-Tag") {
		if s.Hidden == "" && page.ParseRobots(tag).NoIndex("googlebot", "bingbot") {
			s.Hidden = v.text("X-Robots-Tag: " + tag)
		}
	}
	s.Canonical = v.text(canonicalIn(r.Header, own))
	most := int64(maxHead)
	if v.o.Page.Body {
		most = page.MaxBytes
	}
	return s, v.page(s, own, bufio.NewReader(io.LimitReader(r, most)), reader)
}

// page reads of the body of an answer what a web page says of itself.
func (v *Visit) page(s *Seen, own *url.URL, body *bufio.Reader, reader *page.Reader) error {
	begin, err := body.Peek(512)
	if err != nil && err != io.EOF {
		return err
	}
	s.Empty = len(bytes.TrimSpace(begin)) == 0 && err == io.EOF
	if s.HTML = isWebPage(s.Type, begin); !s.HTML {
		return nil
	}
	var f page.Facts
	reader.Own = own.String()
	if err := reader.HTML(body, &f); err != nil {
		return err
	}
	if f.Skip == page.NoIndex {
		s.Hidden = cmp.Or(s.Hidden, "its robots meta element")
	}
	base := own
	if b, err := own.Parse(f.Base); err == nil {
		base = b
	}
	if f.Refresh != "" {
		if s.Refresh = v.text(resolve(base, f.Refresh)); sameAddress(s.Refresh, own.String()) {
			s.Refresh = ""
		}
	}
	if f.Canonical != "" {
		s.Canonical = v.text(resolve(base, f.Canonical))
	}
	s.Title, s.Content = v.text(f.Title), f.Fingerprint
	_, _ = io.CopyN(io.Discard, body, maxDrain)
	return nil
}

// text returns a text that a site sends as it may be kept and printed.
func (v *Visit) text(s string) string {
	if s = v.o.Fetch.Secret.Hide(s); len(s) > maxText {
		s = strings.ToValidUTF8(s[:maxText], "") + "…"
	}
	return s
}

// htmlStart is how web pages begin, behind comments.
var htmlStart = regexp.MustCompile(`(?i)^(\x{feff})?\s*(<!--(?s:.*?)-->\s*)*<(!doctype html|html|head|body|title|meta|link)\b`)

// isWebPage reports whether an answer is a web page, by its type or what it begins with.
func isWebPage(contentType string, begin []byte) bool {
	return isHTML(contentType) || htmlStart.Match(begin)
}

// isHTML reports whether a Content-Type is that of web pages.
func isHTML(contentType string) bool {
	media, _, _ := mime.ParseMediaType(contentType)
	if media == "" {
		media, _, _ = strings.Cut(contentType, ";")
	}
	media = strings.ToLower(strings.TrimSpace(media))
	return media == "text/html" || media == "application/xhtml+xml"
}

// resolve returns an address that stands at another one, or as it is if it is none.
func resolve(at *url.URL, ref string) string {
	u, err := at.Parse(strings.TrimSpace(ref))
	if err != nil {
		return ref
	}
	return u.String()
}

// linkCanonical finds the canonical link in a Link header, RFC 8288.
var linkCanonical = regexp.MustCompile(`(?i)<([^>]*)>[^,<]*;\s*rel\s*=\s*"?canonical"?`)

func canonicalIn(h http.Header, own *url.URL) string {
	for _, line := range h.Values("Link") {
		if m := linkCanonical.FindStringSubmatch(line); m != nil {
			return resolve(own, m[1])
		}
	}
	return ""
}

// sameAddress reports whether two addresses lead to the same place: without regard to a
// fragment, to a query that only the first has, and to how they are encoded.
func sameAddress(a, b string) bool {
	x, err1 := url.Parse(a)
	y, err2 := url.Parse(b)
	if err1 != nil || err2 != nil {
		return a == b
	}
	return strings.EqualFold(x.Scheme, y.Scheme) && strings.EqualFold(x.Host, y.Host) &&
		cmp.Or(x.Path, "/") == cmp.Or(y.Path, "/") && (y.RawQuery == "" || x.RawQuery == y.RawQuery)
}
