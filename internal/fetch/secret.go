package fetch

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// A Secret is an HTTP header that gives access to a protected site. Requests send it only to that
// site, and do not send it over http if the site uses https. While a Secret is in use, do not
// print texts of an answer other than URLs, because the site may repeat the secret. A nil Secret
// sends no header.
type Secret struct {
	name, value string
	site        *url.URL
}

// NewSecret parses text, which has the form "Name: value", as the header for a site. site is any
// URL of the site. The error does not contain text.
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

// addTo adds the header to a request for the protected site. It removes the header from a request
// for another site.
func (s *Secret) addTo(r *http.Request) {
	switch {
	case s == nil:
	case sameSite(r.URL, s.site) && (r.URL.Scheme == "https" || s.site.Scheme == "http"):
		r.Header.Set(s.name, s.value)
	default:
		r.Header.Del(s.name)
	}
}
