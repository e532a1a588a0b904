package page

import (
	"bytes"
	"regexp"
	"slices"
)

// slowRefresh is the delay in seconds from which a refresh is no redirect but a
// page that people read.
const slowRefresh = 10

// parseRefresh reads the content of a refresh by the HTML standard's shared
// declarative refresh steps. ok is false when the standard ignores it; target
// is empty when the page only reloads itself.
func parseRefresh(s []byte) (seconds int, target []byte, ok bool) {
	s = trim(s)
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		seconds = min(10*seconds+int(s[n]-'0'), slowRefresh)
		n++
	}
	if n == 0 && !bytes.HasPrefix(s, []byte(".")) {
		return 0, nil, false
	}
	for n < len(s) && ('0' <= s[n] && s[n] <= '9' || s[n] == '.') {
		n++
	}
	if s = s[n:]; len(s) == 0 {
		return seconds, nil, true
	}
	if s[0] != ';' && s[0] != ',' && !is(s[0], space) {
		return 0, nil, false
	}
	if s = trim(s); len(s) > 0 && (s[0] == ';' || s[0] == ',') {
		s = trim(s[1:])
	}
	return seconds, unquote(afterURL(s)), true
}

// afterURL returns what follows "url =" at the beginning of s, or s.
func afterURL(s []byte) []byte {
	if !hasFold(s, "url") {
		return s
	}
	rest := trim(s[3:])
	if len(rest) == 0 || rest[0] != '=' {
		return s
	}
	return trim(rest[1:])
}

// unquote returns what stands between the quote that begins s and the next one.
func unquote(s []byte) []byte {
	if len(s) > 0 && (s[0] == '"' || s[0] == '\'') {
		q := s[0]
		s = s[1:]
		if i := bytes.IndexByte(s, q); i >= 0 {
			s = s[:i]
		}
	}
	return trim(s)
}

// leadsAway reports whether a refresh to target can show another page.
func leadsAway(target []byte) bool {
	return len(target) > 0 && target[0] != '#' && !hasFold(target, "javascript:")
}

var (
	scriptMoves = regexp.MustCompile(`location(\.href)?\s*=[^=]|location\.(replace|assign)\s*\(`)
	onlyRefresh = regexp.MustCompile(`(?i)^\s*<meta\s+http-equiv=["']?refresh["']?\s+content=["']([^"'<>]*)["']\s*/?>\s*$`)
)

// readScriptedRefresh reads a noscript element that has only a refresh. It is a redirect if a
// script in the head moves to the same address, as in the redirects of mike.
func (r *Reader) readScriptedRefresh() {
	m := onlyRefresh.FindSubmatch(r.bytes(r.noscript))
	if m == nil {
		return
	}
	_, target, _ := parseRefresh(m[1])
	head := slices.Concat(r.buf[:r.noscript.lo], r.buf[r.noscript.hi:r.pos])
	if len(target) > 0 && scriptMoves.Match(head) && slices.ContainsFunc([]string{`"`, `'`, "`"}, func(quote string) bool {
		return bytes.Contains(head, []byte(quote+string(target)+quote))
	}) {
		r.readRefresh(m[1], r.noscript)
	}
}
