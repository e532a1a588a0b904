package live

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/page"
)

// An answer contains the facts about the site's response to the request for one URL.
type answer struct {
	Status    int    // HTTP status; 0 if there was no response
	Location  string // absolute target URL of a redirect, or ""
	Type      string // Content-Type header
	IsHTML    bool
	IsEmpty   bool   // the body is shorter than 512 bytes and contains only white space
	Hidden    string // header or element that forbids indexing: "X-Robots-Tag: noindex"; "" if none does; never text from the site
	Refresh   string // absolute target URL of a meta refresh to another page, or ""
	Canonical string // absolute canonical URL, or ""
	Title     string
	Content   string // fingerprint of the page's content, or ""
	Error     string // reason why there was no complete response
}

const (
	maxHead  = 1 << 20  // bytes read of a page if only its head is needed
	maxDrain = 64 << 10 // bytes read to the end of a body so that the connection can be reused
	maxText  = 300      // bytes printed of a text from the site
)

// retry limits how often one URL is requested, and sets the pause before the next request.
var retry = fetch.Retry{Tries: 3, First: time.Second}

// requestURL requests the URL of q and returns the answer. It repeats the request after a temporary
// failure. If there is no complete response, a.Error contains the reason. ok is false if ctx ends
// first.
func (v *Visit) requestURL(ctx context.Context, q *Request, reader *page.Reader) (a *answer, ok bool) {
	for attempt := 0; ; attempt++ {
		if v.pace.wait(ctx) != nil {
			return nil, false
		}
		reply, err := q.From.RequestOnce(ctx, q.URL, v.o.Fetch)
		var header http.Header
		if err == nil {
			header = reply.Header
			a, err = v.readAnswer(reply, reader)
			reply.Close()
		}
		if ctx.Err() != nil {
			return nil, false
		}
		if err != nil {
			a = &answer{Error: v.reasonText(err)}
		}
		if !v.delayForRetry(ctx, attempt, a.Status, header) {
			return a, true
		}
	}
}

// delayForRetry reports whether a request should be repeated. attempt is the number of the last
// attempt, beginning at 0. status and header come from the answer to this attempt. If the request
// should be repeated, delayForRetry delays all requests of the visit, because the site may be
// overloaded.
func (v *Visit) delayForRetry(ctx context.Context, attempt, status int, header http.Header) (again bool) {
	pause, again := retry.Pause(ctx, attempt, status, header)
	if again {
		v.pace.delayAll(pause)
	}
	return again
}

// readAnswer extracts the facts that checkAnswer needs from the response r.
func (v *Visit) readAnswer(r *fetch.Reply, reader *page.Reader) (*answer, error) {
	a, own := &answer{Status: r.Status, Type: r.Header.Get("Content-Type")}, r.At.URL
	if r.Status != http.StatusOK {
		if to := r.Header.Get("Location"); to != "" && r.Status >= 300 && r.Status < 400 {
			a.Location = resolveRef(own, to)
		}
		_, _ = io.CopyN(io.Discard, r, maxDrain)
		return a, nil
	}
	for _, tag := range r.Header.Values("X-Robots-Tag") {
		if page.ParseRobots(tag).NoIndex("googlebot", "bingbot") {
			a.Hidden = "X-Robots-Tag: noindex"
		}
	}
	a.Canonical = canonicalFromHeader(r.Header, own)
	maxBytes := int64(maxHead)
	if v.o.Page.ContentHash {
		maxBytes = page.MaxBytes
	}
	return a, a.addBodyFacts(own, bufio.NewReader(io.LimitReader(r, maxBytes)), reader)
}

// addBodyFacts adds the facts about the body to the answer: whether it is empty, and the facts of
// an HTML page. own is the URL of the page.
func (a *answer) addBodyFacts(own *url.URL, body *bufio.Reader, reader *page.Reader) error {
	begin, err := body.Peek(512)
	if err != nil && err != io.EOF {
		return err
	}
	a.IsEmpty = len(bytes.TrimSpace(begin)) == 0 && err == io.EOF
	a.IsHTML = isHTML(a.Type) || htmlStart.Match(begin)
	if !a.IsHTML {
		return nil
	}
	var f page.Facts
	if err := reader.ReadHTML(body, &f); err != nil {
		return err
	}
	if f.Skips.Has(page.NoIndex) {
		a.Hidden = cmp.Or(a.Hidden, "its robots meta element")
	}
	base := own
	if b, err := own.Parse(f.Base); err == nil {
		base = b
	}
	if f.Refresh != "" {
		if to := resolveRef(base, f.Refresh); !matchesURL(to, own.String()) {
			a.Refresh = to
		}
	}
	if f.Canonical != "" {
		a.Canonical = resolveRef(base, f.Canonical)
	}
	a.Title, a.Content = f.Title, f.Fingerprint
	_, _ = io.CopyN(io.Discard, body, maxDrain)
	return nil
}

// truncateSiteText returns text from the site, truncated for a finding. While a secret header is in
// use, it returns "", because the site may repeat the secret in any form.
func (v *Visit) truncateSiteText(text string) string {
	switch {
	case v.o.Fetch.Secret != nil:
		return ""
	case len(text) <= maxText:
		return text
	}
	return strings.ToValidUTF8(text[:maxText], "") + "…"
}

// reasonText returns the text of err, an error of package fetch, for a finding. While a secret
// header is in use, it leaves out everything that the site could have written.
func (v *Visit) reasonText(err error) string {
	if v.o.Fetch.Secret != nil {
		return fetch.SafeReason(err)
	}
	return err.Error()
}

// htmlStart matches the beginning of an HTML page, optionally after comments.
var htmlStart = regexp.MustCompile(`(?i)^(\x{feff})?\s*(<!--(?s:.*?)-->\s*)*<(!doctype html|html|head|body|title|meta|link)\b`)

// isHTML reports whether a Content-Type header means HTML or XHTML.
func isHTML(contentType string) bool {
	media, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	media = strings.TrimSpace(media)
	return media == "text/html" || media == "application/xhtml+xml"
}

// resolveRef resolves the URL reference ref against base. It returns ref unchanged if ref is not
// a valid reference.
func resolveRef(base *url.URL, ref string) string {
	u, err := base.Parse(strings.TrimSpace(ref))
	if err != nil {
		return ref
	}
	return u.String()
}

// linkCanonical matches the canonical URL in a Link header.
// See RFC 8288.
var linkCanonical = regexp.MustCompile(`(?i)<([^>]*)>[^,<]*;\s*rel\s*=\s*"?canonical"?`)

func canonicalFromHeader(h http.Header, own *url.URL) string {
	for _, line := range h.Values("Link") {
		if m := linkCanonical.FindStringSubmatch(line); m != nil {
			return resolveRef(own, m[1])
		}
	}
	return ""
}

// matchesURL reports whether the URLs loc and target are equal. It ignores their fragments, the
// percent-encoding of their paths, and the case of scheme and host. If target has no query, it also
// ignores the query of loc.
func matchesURL(loc, target string) bool {
	l, err1 := url.Parse(loc)
	w, err2 := url.Parse(target)
	if err1 != nil || err2 != nil {
		return loc == target
	}
	return strings.EqualFold(l.Scheme, w.Scheme) && strings.EqualFold(l.Host, w.Host) &&
		cmp.Or(l.Path, "/") == cmp.Or(w.Path, "/") && (w.RawQuery == "" || l.RawQuery == w.RawQuery)
}
