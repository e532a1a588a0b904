package fetch

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// A Secret is a header that opens a protected site. Requests send it only to that site, and
// never by http to an https site. Code that uses a Secret must not print text of an answer other
// than URLs, because the site may repeat the secret. A nil Secret sends nothing.
type Secret struct {
	name, value string
	site        *url.URL
}

// NewSecret parses text, "Name: value", as a header for the site of a URL. The error does not
// contain text.
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

// addTo adds the header to a request for the secret's site, and removes it from any other
// request.
func (s *Secret) addTo(r *http.Request) {
	switch {
	case s == nil:
	case sameSite(r.URL, s.site) && (r.URL.Scheme == "https" || s.site.Scheme == "http"):
		r.Header.Set(s.name, s.value)
	default:
		r.Header.Del(s.name)
	}
}
