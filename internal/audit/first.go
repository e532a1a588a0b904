package audit

import (
	"bytes"
	"errors"
	"net"

	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/writer"
)

// An oldList describes the old list, judging by the beginning of its files.
type oldList struct {
	isLive  bool // the list was read from a URL
	isEmpty bool
	isPage  bool // the list is a web page, such as a parked domain
	isOurs  bool // sitewalk wrote a file of the list
	isXML   bool
}

// readHead records the beginning of a file of the list.
func (l *oldList) readHead(head []byte) {
	text := bytes.ToLower(bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff"))))
	l.isEmpty = l.isEmpty || len(text) == 0
	l.isXML = l.isXML || bytes.HasPrefix(text, []byte("<"))
	l.isPage = l.isPage || bytes.HasPrefix(text, []byte("<!doctype html")) || bytes.Contains(text, []byte("<html"))
	l.isOurs = l.isOurs || writer.IsMarked(head)
}

// isForeign reports whether another tool wrote the live list.
func (l *oldList) isForeign() bool { return l.isLive && l.isXML && !l.isOurs }

// whyNothingPublished returns why nothing may be published yet at the URL of the live list, or
// "". err is the error of reading the list. A server error is not such a reason.
func (l *oldList) whyNothingPublished(err error) string {
	var dns *net.DNSError
	switch {
	case !l.isLive:
	case fetch.Absent(err):
		return "the site has no such file yet"
	case errors.As(err, &dns) && dns.IsNotFound:
		return "no name server knows the host yet"
	case l.isPage:
		return "the site answers with a web page, and not with a sitemap"
	case l.isEmpty:
		return "the site answers with an empty file"
	}
	return ""
}
