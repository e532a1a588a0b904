package generator

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// spell returns a path with the characters that Hugo leaves in one, spaces
// as hyphens, in lower case unless the configuration keeps the case.
// https://gohugo.io/functions/urls/urlize/
func (h *hugoRules) spell(s string) string {
	s = hugoSanitize(s)
	if h.removeAccents {
		s = plainLetters(s)
	}
	if !h.keepCase {
		s = strings.ToLower(s)
	}
	return s
}

// hugoSanitize drops the characters that Hugo does not allow in a path and
// turns runs of white space between others into one hyphen.
func hugoSanitize(s string) string {
	if strings.IndexFunc(s, disallowed) < 0 && !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	pending, hyphen := false, false
	for i, r := range s {
		switch {
		case !disallowed(r) || r == '%' && isEscape(s[i:]):
			hyphen = r == '-'
			if pending && !hyphen {
				b.WriteByte('-')
			}
			pending = false
			b.WriteRune(r)
		case b.Len() > 0 && !hyphen && unicode.IsSpace(r):
			pending = true
		}
	}
	return b.String()
}

func disallowed(r rune) bool {
	if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
		return false
	}
	return !strings.ContainsRune(`./\_#+~-@`, r)
}

// isEscape reports whether a percent sign and two hexadecimal digits begin a text.
func isEscape(s string) bool {
	_, err := url.PathUnescape(s[:min(3, len(s))])
	return err == nil
}

// plainLetters returns s without its accents: letters taken apart, their marks
// dropped, put together again.
func plainLetters(s string) string {
	if isASCII(s) {
		return s
	}
	drop := func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}
	return norm.NFC.String(strings.Map(drop, norm.NFD.String(s)))
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
