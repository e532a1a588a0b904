package page

import (
	"bytes"
	"regexp"
	"slices"
)

var (
	scriptMoves = regexp.MustCompile(`location(\.href)?\s*=[^=]|location\.(replace|assign)\s*\(`)
	onlyRefresh = regexp.MustCompile(`(?i)^\s*<meta\s+http-equiv=["']?refresh["']?\s+content=["']([^"'<>]*)["']\s*/?>\s*$`)

	// scriptTarget matches a JavaScript statement that opens another page, such as
	// location.replace("latest/"), or the table of redirects that Quarto writes.
	scriptTarget = regexp.MustCompile(`\b(?:location(?:\.replace\(|\.assign\(|(?:\.href)?\s*=)|redirects\s*=\s*\{"":)\s*["']([^"'?#\x00-\x1f]+)["']`)
)

// readNoscriptRefresh handles a noscript element that contains only a meta refresh, as written by
// the documentation tool mike. If a script in the head opens the same address, the page is a
// redirect.
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

// readScriptRedirect handles a small page that only redirects by a script, as Quarto writes it for
// an alias. The body of such a page is empty, or contains a text with a link to the same address.
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
// ok is false if the body contains more than scripts and a text with a link, for example an image
// or the script of an application. Afterwards, the reader is again at the beginning of the body.
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
