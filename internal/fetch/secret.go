package fetch

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// A Secret is a header that proves to a protected site who asks. It is sent to that site
// alone, never from https to http, and no text that [Secret.Hide] returns has it. A nil
// Secret is none.
type Secret struct {
	name, value string
	site        *url.URL
	hide        *strings.Replacer
}

// NewSecret reads "Name: value", which is for the site of an address. The error does not
// repeat the text.
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
	return &Secret{name, value, u, hider(value)}, nil
}

// hider replaces a value, and each word of it that is long enough to be a secret, in any
// of the spellings in which a site may send it back.
func hider(value string) *strings.Replacer {
	var pairs []string
	for _, word := range append([]string{value}, strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(" \t;,=", r) })...) {
		if word == value || len(word) >= 6 {
			for _, as := range []string{word, url.QueryEscape(word), url.PathEscape(word)} {
				pairs = append(pairs, as, "[secret]")
			}
		}
	}
	return strings.NewReplacer(pairs...)
}

// Hide returns a text in which the value does not stand.
func (s *Secret) Hide(text string) string {
	if s == nil {
		return text
	}
	return s.hide.Replace(text)
}

// addTo adds the header to a request to the secret's site, and takes it from any other.
func (s *Secret) addTo(r *http.Request) {
	switch {
	case s == nil:
	case sameSite(r.URL, s.site) && (r.URL.Scheme == "https" || s.site.Scheme == "http"):
		r.Header.Set(s.name, s.value)
	default:
		r.Header.Del(s.name)
	}
}
