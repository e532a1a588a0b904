package fetch

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// A Secret is an HTTP header that gives access to a protected site. It is sent only in requests for
// that site. If the site uses https, it is not sent over http. While a Secret is in use, do not
// print texts from an answer except URLs, because the site may repeat the secret. A nil Secret
// sends no header.
type Secret struct {
	name, value string
	site        *url.URL
}

// NewSecret returns the Secret for the site that contains the URL site. text is the header in the
// form "Name: value". Errors do not contain text.
func NewSecret(text, site string) (*Secret, error) {
	name, value, ok := strings.Cut(text, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || value == "" || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
		return nil, errors.New(`it is no header; write "Name: value"`)
	}
	u, err := url.Parse(site)
	if err != nil {
		return nil, fmt.Errorf("it is for a site whose address is not valid")
	}
	return &Secret{name, value, u}, nil
}

// setHeader sets the header in the request r if r is for the protected site. Otherwise, it removes
// the header from r. If s is nil, it does nothing.
func (s *Secret) setHeader(r *http.Request) {
	switch {
	case s == nil:
	case hasSameHostAndPort(r.URL, s.site) && (r.URL.Scheme == "https" || s.site.Scheme == "http"):
		r.Header.Set(s.name, s.value)
	default:
		r.Header.Del(s.name)
	}
}
