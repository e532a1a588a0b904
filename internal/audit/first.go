package audit

import (
	"bytes"
	"errors"
	"net"

	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/mark"
)

// An oldList is what the beginning of the old list tells about it.
type oldList struct {
	isLive  bool // the list was requested from an address
	isEmpty bool
	isPage  bool // it is a web page, such as that of a parked domain
	isOurs  bool // a file carries our mark
	isXML   bool
}

// readHead looks at the beginning of a file of the list.
func (l *oldList) readHead(head []byte) {
	text := bytes.ToLower(bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff"))))
	l.isEmpty = l.isEmpty || len(text) == 0
	l.isXML = l.isXML || bytes.HasPrefix(text, []byte("<"))
	l.isPage = l.isPage || bytes.HasPrefix(text, []byte("<!doctype html")) || bytes.Contains(text, []byte("<html"))
	l.isOurs = l.isOurs || mark.In(head)
}

// isForeign reports whether another tool wrote the live list.
func (l *oldList) isForeign() bool { return l.isLive && l.isXML && !l.isOurs }

// whyNothingPublished returns why nothing can be published yet at the address of the live
// list, or "". err is the error of reading the list. A server error is no such reason.
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
