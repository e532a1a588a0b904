package page

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
)

// FingerprintOptions tune what counts as a page's content. Each selector is an
// element, an #id, a .class or several of them on one element: "div.note.small".
// Elements match in any case, ids and classes exactly.
type FingerprintOptions struct {
	// Include names the elements that are the content, in place of main and
	// article. On a page that has none of them the defaults hold.
	Include []string
	// Exclude names elements that do not count, wherever they stand.
	Exclude []string
}

// maxSelectors is the largest number of selectors: each is compared with each element.
const maxSelectors = 100

// Check returns an error that names the first invalid selector, or the limit of their number.
func (o FingerprintOptions) Check() error {
	if n := len(o.Include) + len(o.Exclude); n > maxSelectors {
		return fmt.Errorf("there are %d selectors; at most %d are read", n, maxSelectors)
	}
	for _, s := range slices.Concat(o.Include, o.Exclude) {
		if _, err := parseSelector(s); err != nil {
			return err
		}
	}
	return nil
}

// FingerprintVersion names the algorithm behind Facts.Fingerprint. It changes
// whenever an unchanged page could get another fingerprint.
const FingerprintVersion = "2"

// FingerprintSize is how many bytes a fingerprint has.
const FingerprintSize = 16

// Version names the algorithm and the options. Fingerprints of different
// versions say nothing about each other.
func (o FingerprintOptions) Version() string {
	if len(o.Include) == 0 && len(o.Exclude) == 0 {
		return FingerprintVersion
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q", o.Include, o.Exclude))
	return FingerprintVersion + "-" + base64.RawURLEncoding.EncodeToString(sum[:6])
}

// Fingerprinter returns a function that returns the fingerprint of a page as the options
// have it. The function may not be called by two goroutines at once.
func (o *Options) Fingerprinter() func(src []byte) string {
	var r *Reader
	return func(src []byte) string {
		if r == nil {
			r = NewReader(Options{Zone: o.Zone, Body: true, Fingerprint: o.Fingerprint})
		}
		var f Facts
		r.Bytes(src, &f)
		return f.Fingerprint
	}
}

// A selector matches elements; empty fields match all.
type selector struct {
	element string // in lower case
	id      string
	classes []string
}

func parseSelector(s string) (sel selector, err error) {
	rest := s
	for i := 0; rest != ""; i++ {
		kind := byte(0)
		if rest[0] == '#' || rest[0] == '.' {
			kind, rest = rest[0], rest[1:]
		}
		n := strings.IndexAny(rest, "#.")
		if n < 0 {
			n = len(rest)
		}
		name := rest[:n]
		rest = rest[n:]
		switch {
		case name == "" || strings.ContainsAny(name, " \t\n\f\r>+~*[]:,()\"'") || kind == 0 && i > 0 || kind == '#' && sel.id != "":
			return sel, selectorError(s)
		case kind == '#':
			sel.id = name
		case kind == '.':
			sel.classes = append(sel.classes, name)
		default:
			sel.element = strings.ToLower(name)
		}
	}
	if s == "" {
		return sel, selectorError(s)
	}
	return sel, nil
}

func selectorError(s string) error {
	return fmt.Errorf("selector %q is none; write an element, #id or .class, as in %q", s, "div.note")
}

// parseSelectors leaves out what is none.
func parseSelectors(list []string) (out []selector) {
	for _, s := range list {
		if sel, err := parseSelector(s); err == nil {
			out = append(out, sel)
		}
	}
	return out
}

// matches reports whether the tag read last is one of the elements.
func (r *Reader) matches(list []selector) bool {
	for i := range list {
		if r.matchesOne(&list[i]) {
			return true
		}
	}
	return false
}

func (r *Reader) matchesOne(s *selector) bool {
	if s.element != "" && !fold(r.name(), s.element) || s.id != "" && string(r.attr(attrID)) != s.id {
		return false
	}
	for _, c := range s.classes {
		if !hasWord(r.attr(attrClass), c) {
			return false
		}
	}
	return true
}

// hasWord reports whether want is one of the words of b.
func hasWord(b []byte, want string) bool {
	for w := range words(b) {
		if string(w) == want {
			return true
		}
	}
	return false
}
