package fetch

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// A Secret is a header that opens a protected site. It is sent to that site alone, and never
// by http to a site of https. Who uses a Secret must print no text of an answer: the site may
// send the secret back in any spelling. A nil Secret sends nothing.
type Secret struct {
	name, value string
	site        *url.URL
}

// NewSecret parses text, "Name: value", as a header for the site of an address. The error
// does not repeat text.
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

// addTo adds the header to a request to the secret's site, and removes it from any other.
func (s *Secret) addTo(r *http.Request) {
	switch {
	case s == nil:
	case sameSite(r.URL, s.site) && (r.URL.Scheme == "https" || s.site.Scheme == "http"):
		r.Header.Set(s.name, s.value)
	default:
		r.Header.Del(s.name)
	}
}
