package page

import (
	"bytes"
	"regexp"
	"slices"
)

// readRefresh handles a meta refresh with the given content. cause is the range of its tag. If the
// refresh opens another page in less than slowRefresh seconds, readRefresh sets Facts.Refresh, and
// adds the reason Redirect. Only the first valid refresh of a page counts.
func (r *Reader) readRefresh(content []byte, cause span) {
	if r.refreshSeen {
		return
	}
	seconds, target, ok := parseRefresh(content)
	if !ok {
		return
	}
	r.refreshSeen = true
	if seconds >= slowRefresh || !mayOpenOtherPage(target) {
		return
	}
	r.f.Refresh = toValidUTF8(target)
	r.addSkipReason(Redirect, cause)
}

// slowRefresh is the minimum delay, in seconds, of a meta refresh that is not a redirect. With this
// delay, people can read the page before it changes.
const slowRefresh = 10

// parseRefresh parses the content of a meta refresh: "5; url=/new/" has 5 seconds and the target
// "/new/". It follows the "shared declarative refresh steps" of the HTML standard. seconds is at
// most slowRefresh. target is empty if the page reloads itself. ok is false if browsers ignore the
// content.
func parseRefresh(s []byte) (seconds int, target []byte, ok bool) {
	s = trimSpace(s)
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
	if s[0] != ';' && s[0] != ',' && !hasClass(s[0], space) {
		return 0, nil, false
	}
	if s = trimSpace(s); len(s) > 0 && (s[0] == ';' || s[0] == ',') {
		s = trimSpace(s[1:])
	}
	return seconds, unquote(trimURLKey(s)), true
}

// trimURLKey removes the prefix "url=" from s: "url = /new/" becomes "/new/". It returns s
// unchanged if s does not have this prefix.
func trimURLKey(s []byte) []byte {
	if !hasPrefixFold(s, "url") {
		return s
	}
	rest := trimSpace(s[3:])
	if len(rest) == 0 || rest[0] != '=' {
		return s
	}
	return trimSpace(rest[1:])
}

// unquote returns the text in quotation marks at the beginning of s, without white space around it.
// If s does not begin with a quotation mark, it returns s, trimmed.
func unquote(s []byte) []byte {
	if len(s) > 0 && (s[0] == '"' || s[0] == '\'') {
		q := s[0]
		s = s[1:]
		if i := bytes.IndexByte(s, q); i >= 0 {
			s = s[:i]
		}
	}
	return trimSpace(s)
}

// mayOpenOtherPage reports whether a refresh to target may open another page. It returns false for
// an empty target, a fragment and a script.
func mayOpenOtherPage(target []byte) bool {
	return len(target) > 0 && target[0] != '#' && !hasPrefixFold(target, "javascript:")
}

var (
	scriptMoves = regexp.MustCompile(`location(\.href)?\s*=[^=]|location\.(replace|assign)\s*\(`)
	onlyRefresh = regexp.MustCompile(`(?i)^\s*<meta\s+http-equiv=["']?refresh["']?\s+content=["']([^"'<>]*)["']\s*/?>\s*$`)

	// scriptTarget matches a JavaScript statement that opens another page, such as
	// location.replace("latest/"), or the table of redirects that Quarto writes.
	scriptTarget = regexp.MustCompile(`\b(?:location(?:\.replace\(|\.assign\(|(?:\.href)?\s*=)|redirects\s*=\s*\{"":)\s*["']([^"'?#\x00-\x1f]+)["']`)
)

// readNoscriptRefresh handles a noscript element that contains only a meta refresh, as written by
// the documentation tool mike. If scripts in the head open an address and contain the target of the
// refresh as a string, it handles the refresh like one outside of noscript.
func (r *Reader) readNoscriptRefresh() {
	m := onlyRefresh.FindSubmatch(r.bytes(r.noscript))
	if m == nil {
		return
	}
	_, target, _ := parseRefresh(m[1])
	scripts := r.joinScripts()
	if len(target) > 0 && scriptMoves.Match(scripts) && slices.ContainsFunc([]string{`"`, `'`, "`"}, func(quote string) bool {
		return bytes.Contains(scripts, []byte(quote+string(target)+quote))
	}) {
		r.readRefresh(m[1], r.noscript)
	}
}

// joinScripts returns the texts of all scripts in r.scripts, with U+FFFD in place of NUL bytes.
func (r *Reader) joinScripts() (all []byte) {
	for _, script := range r.scripts {
		all = append(all, r.bytes(script)...)
	}
	return replaceNUL(all)
}

// maxScriptRedirect is the maximum size, in bytes, of a page that only redirects by a script.
const maxScriptRedirect = 2048

// readScriptRedirect sets Facts.Refresh and adds the reason Redirect for a small page that only
// redirects by a script, as Quarto writes it for an alias. The body of such a page is empty apart
// from scripts, or contains a text with links to the same address.
func (r *Reader) readScriptRedirect() {
	if !r.isComplete || len(r.buf) > maxScriptRedirect || r.hasScriptFile || r.f.Skips.Has(Redirect) {
		return
	}
	links, ok := r.readSmallBody()
	if !ok || len(r.scripts) == 0 {
		return
	}
	m := scriptTarget.FindSubmatch(r.joinScripts())
	if m == nil || slices.ContainsFunc(links, func(to string) bool { return to != string(m[1]) }) {
		return
	}
	r.f.Refresh = toValidUTF8(m[1])
	r.addSkipReason(Redirect, r.scripts[0])
}

// readSmallBody adds the scripts in the body to r.scripts, and returns the addresses of its links.
// ok is false if the body contains a text without a link, or something else, for example an image
// or a script with a src. Afterwards, the reader is again at the beginning of the body.
func (r *Reader) readSmallBody() (links []string, ok bool) {
	defer func(pos int) { r.pos = pos }(r.pos)
	hasText := false
	for {
		switch r.nextToken() {
		case tokenText:
			hasText = hasText || len(trimSpace(r.bytes(r.text))) > 0
		case tokenStart:
			switch string(r.lowerTagName()) {
			case "html", "body", "p", "div", "br", "strong", "b", "h1":
			case "a":
				links = append(links, string(r.attrValue("href")))
			case "script":
				if r.hasAttr("src") {
					return nil, false
				}
				r.scripts = append(r.scripts, r.readRawText("script"))
			case "noscript":
				r.skipRawElement("noscript")
			default:
				return nil, false
			}
		case tokenCut, tokenNone:
			return links, !hasText || len(links) > 0
		}
	}
}
