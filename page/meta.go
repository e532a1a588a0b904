package page

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sitewalk/sitewalk/sitemap"
)

// A dateKey is a place of the last change's date in HTML.
type dateKey uint8

// The places by priority.
const (
	keyDateModified dateKey = iota
	keyArticleModified
	keyOGUpdated
	numDateKeys
)

// DateKeys lists the keys that a Reader reads URL.LastMod from, by priority.
var DateKeys = []string{"dateModified", "article:modified_time", "og:updated_time"}

// readLang reads the language of the first html tag with one.
func (r *Reader) readLang() {
	if !r.langSeen && r.has(attrLang) {
		r.langSeen = true
		r.f.Lang = text(r.attr(attrLang))
	}
}

// text returns b as valid UTF-8.
func text(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return strings.ToValidUTF8(string(b), "\ufffd")
}

// readBase reads the address of the first base element with one.
func (r *Reader) readBase() {
	if r.has(attrHref) && !r.baseSeen {
		r.baseSeen = true
		r.f.Base = text(r.attr(attrHref))
	}
}

// readTitle reads the first title element.
func (r *Reader) readTitle() {
	s := r.rawText("title")
	if r.hasTitles && !r.titleSeen {
		r.scratch = appendText(r.scratch[:0], r.bytes(s), false)
		r.f.Title = plain(r.scratch)
	}
	r.titleSeen = true
	r.shape.isCut = r.isUnclosed(s)
	r.shape.hasTitle = !r.shape.isCut
}

// readScript reads a script element, whose text may be JSON-LD.
func (r *Reader) readScript() {
	isLD := equalFold(r.attr(attrType), "application/ld+json")
	s := r.rawText("script")
	r.shape.isCut = r.isUnclosed(s)
	if isLD {
		r.shape.isDocument = true
		r.readJSONLD(s)
	}
}

// readMeta reads a meta element.
func (r *Reader) readMeta() {
	if r.has(attrContent) {
		if r.has(attrName) {
			r.readMetaKey(r.attr(attrName), true)
		}
		if r.has(attrProperty) {
			r.readMetaKey(r.attr(attrProperty), false)
		}
	}
	if equalFold(r.attr(attrHTTPEquiv), "refresh") {
		r.readRefresh(r.attr(attrContent), r.lastTag())
	}
	r.readCharset()
}

// readMetaKey reads the meta element with a key. Open Graph keys belong in property attributes and
// are common in name attributes. Other keys are read only from name attributes.
func (r *Reader) readMetaKey(key []byte, isName bool) {
	switch string(r.inLower(key)) {
	case "robots", "googlebot":
		if isName {
			r.readRobots()
		}
	case "generator":
		r.f.Generated = r.f.Generated || isName && !editors.Match(r.attr(attrContent))
	case "og:url": // the page's own address, see https://ogp.me/#metadata; the first counts
		if r.f.OGURL == "" {
			r.f.OGURL = text(r.attr(attrContent))
		}
	case "og:image":
		if src := r.attr(attrContent); r.o.Images && isImageSource(src) {
			r.pictures.add(src, levelIncluded)
		}
	case "description":
		if isName && r.hasTitles && r.f.Summary == "" {
			r.f.Summary = r.metaText()
		}
	case "og:site_name":
		if r.hasTitles && r.f.SiteName == "" {
			r.f.SiteName = r.metaText()
		}
	case "article:published_time":
		if r.o.Titles && r.f.Published.IsZero() {
			r.f.Published, _ = r.parseDate(string(r.attr(attrContent))) // zero if invalid
		}
	case "og:updated_time":
		r.readModified(keyOGUpdated)
	case "article:modified_time":
		r.readModified(keyArticleModified)
	}
}

// editors matches the names of programs for editing pages by hand.
var editors = regexp.MustCompile(`(?i)^\s*$|HTML Tidy|Office|Microsoft|FrontPage|Dreamweaver|GoLive|Mozilla|Nvu|KompoZer|BlueGriffon|Bluefish|Emacs|\bvim?\b|TextEdit|Cocoa|Notepad|Sublime`)

// metaText returns the content of a meta element as plain text.
func (r *Reader) metaText() string { return plain(bytes.Clone(r.attr(attrContent))) }

// readModified reads a date. The first valid date of a key counts.
func (r *Reader) readModified(key dateKey) {
	if v := r.attr(attrContent); len(v) > 0 && r.dates[key].IsZero() {
		r.dates[key] = r.readDate(DateKeys[key], string(v))
	}
}

// readDate reads a date of the last tag, and reports an invalid one.
func (r *Reader) readDate(key, value string) sitemap.Date {
	d, err := r.parseDate(value)
	if err != nil {
		r.reportBadDate(r.tag.start, key, value)
	}
	return d
}

func (r *Reader) reportBadDate(at int, key, value string) {
	r.warn(at, "bad-date", "write it as 2006-01-02 or 2006-01-02T15:04:05Z", "%s %q is not a date", key, value)
}

// maxFindings is the maximum number of findings for one page.
const maxFindings = 20

// warn adds a finding about buf[at]. It shortens args.
func (r *Reader) warn(at int, code, hint, format string, args ...string) {
	if code != "long-head" && len(r.f.Diags) >= maxFindings {
		return
	}
	cut := make([]any, len(args))
	for i, arg := range args {
		cut[i] = cutString(arg)
	}
	d := r.f.Diags.Warnf(r.position(at), code, hint, format, cut...)
	if len(args) > 0 {
		d.Subject = cut[0].(string)
	}
}

// cutString shortens s for a finding.
func cutString(s string) string {
	const maxLength = 200
	if len(s) > maxLength {
		return string(cut([]byte(s), maxLength)) + "…"
	}
	return s
}

// readRefresh reads the content of a refresh. The first valid one counts.
func (r *Reader) readRefresh(content []byte, at span) {
	if r.refreshSeen {
		return
	}
	seconds, target, ok := parseRefresh(content)
	if !ok {
		return
	}
	r.refreshSeen = true
	if seconds >= slowRefresh || !canShowOtherPage(target) {
		return
	}
	r.f.Refresh = text(target)
	r.skip(Redirect, at)
}

// lastTag returns the span of the last tag.
func (r *Reader) lastTag() span { return span{r.tag.start, r.pos} }

// skip adds a reason to leave the page out, with its position and its text.
func (r *Reader) skip(why Reason, at span) {
	if r.f.Skips.Has(why) {
		return
	}
	note := ""
	if !r.o.NoNotes {
		note = text(cut(bytes.Join(bytes.Fields(r.bytes(at)), []byte{' '}), 200))
	}
	r.f.Skips.Add(why, r.position(at.lo), note)
}

// readRobots reads a robots meta element. The strictest of several elements counts.
func (r *Reader) readRobots() {
	d := parseRobots(r.attr(attrContent))
	if d.NoIndex("googlebot") {
		r.skip(NoIndex, r.lastTag())
	}
	if d.UnavailableAfter == "" {
		return
	}
	end := r.readDate(unavailableAfter, d.UnavailableAfter)
	if !end.IsZero() && (r.f.Expiry.IsZero() || end.Compare(r.f.Expiry) < 0) {
		r.f.Expiry = end
	}
}

// readLink reads a link element.
func (r *Reader) readLink() {
	if !r.has(attrRel) {
		return
	}
	rel := r.tag.val[attrRel]
	if rel.hi-rel.lo < len("canonical") || string(r.buf[rel.lo:rel.hi]) == "stylesheet" {
		return
	}
	var canonical, alternate, style bool
	for w := range words(r.attr(attrRel)) {
		canonical = canonical || equalFold(w, "canonical")
		alternate = alternate || equalFold(w, "alternate")
		style = style || equalFold(w, "stylesheet")
	}
	if canonical && r.has(attrHref) {
		r.readCanonical()
	}
	if alternate && !style && r.o.Alternates {
		r.readAlternate()
	}
}

// readCanonical reads a canonical link. If two links differ, both are ignored. An address that is
// not http(s) is ignored.
func (r *Reader) readCanonical() {
	v := fixSlashes(r.attr(attrHref))
	switch why := notHTTP(v); {
	case why != "":
		r.warn(r.tag.start, "bad-canonical", "write the page's own absolute https:// address", "canonical %q "+why, string(v))
	case r.canonical == "":
		r.canonical = text(v)
		if !r.o.NoNotes {
			r.f.CanonicalPos = r.position(r.tag.start)
		}
	case !r.hasCanonicalConflict && string(v) != r.canonical:
		r.hasCanonicalConflict = true
		r.warn(r.tag.start, "two-canonicals", "keep one canonical link",
			"canonical %q contradicts %q above it; neither counts", string(v), r.canonical)
	}
}

// fixSlashes returns ref with two slashes before the host. Browsers read https:/host and ///host
// in this way.
func fixSlashes(ref []byte) []byte {
	scheme := schemeOf(ref)
	rest := bytes.TrimLeft(ref[len(scheme):], `/\`)
	slashes := ref[len(scheme) : len(ref)-len(rest)]
	switch {
	case string(slashes) == "//", len(slashes) == 0, len(slashes) == 1 && len(scheme) == 0:
		return ref
	case scheme != nil && !isHTTP(scheme):
		return ref
	}
	return slices.Concat(scheme, doubleSlash, rest)
}

// notHTTP returns why ref is not the address of a page, or "".
func notHTTP(ref []byte) string {
	if len(ref) == 0 {
		return "is empty"
	}
	if s := schemeOf(ref); s != nil && !isHTTP(s) {
		return "is not http(s)"
	}
	return ""
}

func isHTTP(scheme []byte) bool { return equalFold(scheme, "http:") || equalFold(scheme, "https:") }

// schemeOf returns the scheme that ref begins with and its colon, RFC 3986 section 3.1, or nil.
func schemeOf(ref []byte) []byte {
	for i, c := range ref {
		switch {
		case i == 0 && !is(c, letter):
			return nil
		case c == ':':
			return ref[:i+1]
		case !isAlnum(c) && c != '+' && c != '-' && c != '.':
			return nil
		}
	}
	return nil
}

// maxAlternates is the maximum number of alternates read from a page.
const maxAlternates = 1000

// readAlternate reads a link to the page in another language. It ignores links with the type of
// another format, such as a feed.
func (r *Reader) readAlternate() {
	if len(r.attr(attrHreflang)) == 0 || len(r.attr(attrHref)) == 0 || len(r.f.URL.Alternates) == maxAlternates {
		return
	}
	if t := r.attr(attrType); len(t) > 0 && !equalFold(t, "text/html") && !equalFold(t, "application/xhtml+xml") {
		return
	}
	lang := text(r.attr(attrHreflang))
	r.f.URL.Alternates = append(r.f.URL.Alternates, sitemap.Alternate{Lang: lang, Href: text(r.attr(attrHref))})
}

// slowRefresh is the minimum delay in seconds of a refresh that is not a redirect: people can read
// the page.
const slowRefresh = 10

// parseRefresh parses the content of a refresh as the HTML standard does (shared declarative
// refresh steps). ok is false if the standard ignores the content. target is empty if the page
// only reloads itself.
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
	return seconds, unquote(trimURLKey(s)), true
}

// trimURLKey returns the part of s after "url =", or s if s does not begin with it.
func trimURLKey(s []byte) []byte {
	if !hasPrefixFold(s, "url") {
		return s
	}
	rest := trim(s[3:])
	if len(rest) == 0 || rest[0] != '=' {
		return s
	}
	return trim(rest[1:])
}

// unquote returns the text between the quote at the beginning of s and the next quote.
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

// canShowOtherPage reports whether a refresh to target can show another page.
func canShowOtherPage(target []byte) bool {
	return len(target) > 0 && target[0] != '#' && !hasPrefixFold(target, "javascript:")
}

var (
	scriptMoves = regexp.MustCompile(`location(\.href)?\s*=[^=]|location\.(replace|assign)\s*\(`)
	onlyRefresh = regexp.MustCompile(`(?i)^\s*<meta\s+http-equiv=["']?refresh["']?\s+content=["']([^"'<>]*)["']\s*/?>\s*$`)
)

// readScriptedRefresh reads a noscript element that contains only a refresh. The refresh is a
// redirect if a script in the head redirects to the same address, as mike writes it.
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
