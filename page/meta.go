package page

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sitewalk/sitewalk/sitemap"
)

// A dateKey identifies a key for the date of the last change in HTML, such as og:updated_time.
type dateKey uint8

// The keys by priority.
const (
	keyDateModified dateKey = iota
	keyArticleModified
	keyOGUpdated
	numDateKeys
)

// DateKeys lists the names of the keys from which a Reader reads URL.LastMod, by priority.
var DateKeys = []string{
	keyDateModified:    "dateModified",
	keyArticleModified: "article:modified_time",
	keyOGUpdated:       "og:updated_time",
}

// readLang sets Facts.Lang to the language of the first html tag that has one.
func (r *Reader) readLang() {
	if !r.langSeen && r.hasAttr(attrLang) {
		r.langSeen = true
		r.f.Lang = toValidUTF8(r.attr(attrLang))
	}
}

// toValidUTF8 returns b as a string of valid UTF-8.
func toValidUTF8(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return strings.ToValidUTF8(string(b), "\ufffd")
}

// readBase sets Facts.Base to the address of the first base tag that has one.
func (r *Reader) readBase() {
	if r.hasAttr(attrHref) && !r.baseSeen {
		r.baseSeen = true
		r.f.Base = toValidUTF8(r.attr(attrHref))
	}
}

// readTitle reads a title element. It sets Facts.Title to the text of the first one, if it is
// needed.
func (r *Reader) readTitle() {
	s := r.rawText("title")
	if r.hasTitles && !r.titleSeen {
		r.scratch = appendText(r.scratch[:0], r.bytes(s), false)
		r.f.Title = toPlainText(r.scratch)
	}
	r.titleSeen = true
	r.shape.isCut = r.isUnclosed(s)
	r.shape.hasTitle = !r.shape.isCut
}

// readScript reads a script element and, if it is JSON-LD, its data.
func (r *Reader) readScript() {
	isLD := equalFold(r.attr(attrType), "application/ld+json")
	s := r.rawText("script")
	r.shape.isCut = r.isUnclosed(s)
	if isLD {
		r.shape.isDocument = true
		r.readJSONLD(s)
	}
}

// readMeta handles a meta tag.
func (r *Reader) readMeta() {
	if r.hasAttr(attrContent) {
		if r.hasAttr(attrName) {
			r.readMetaKey(r.attr(attrName), true)
		}
		if r.hasAttr(attrProperty) {
			r.readMetaKey(r.attr(attrProperty), false)
		}
	}
	if equalFold(r.attr(attrHTTPEquiv), "refresh") {
		r.readRefresh(r.attr(attrContent), r.lastTag())
	}
	r.readCharset()
}

// readMetaKey reads the last meta tag for a key such as "og:url". isName reports whether the key is
// in the name attribute, not in the property attribute. Open Graph keys count in both, because many
// pages write them as names. Other keys count only as names.
func (r *Reader) readMetaKey(key []byte, isName bool) {
	switch string(r.inLower(key)) {
	case "robots", "googlebot":
		if isName {
			r.readRobots()
		}
	case "generator":
		r.f.Generated = r.f.Generated || isName && !editors.Match(r.attr(attrContent))
	case "og:url": // the URL of the page; the first one counts. See https://ogp.me/#metadata
		if r.f.OGURL == "" {
			r.f.OGURL = toValidUTF8(r.attr(attrContent))
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

// editors matches the generator names that editors for people, such as Dreamweaver, write into
// pages.
var editors = regexp.MustCompile(`(?i)^\s*$|HTML Tidy|Office|Microsoft|FrontPage|Dreamweaver|GoLive|Mozilla|Nvu|KompoZer|BlueGriffon|Bluefish|Emacs|\bvim?\b|TextEdit|Cocoa|Notepad|Sublime`)

// metaText returns the content attribute of the last meta tag as plain text.
func (r *Reader) metaText() string { return toPlainText(bytes.Clone(r.attr(attrContent))) }

// readModified reads the date of the last change from the last meta tag. The first valid date for
// each key counts.
func (r *Reader) readModified(key dateKey) {
	if v := r.attr(attrContent); len(v) > 0 && r.dates[key].IsZero() {
		r.dates[key] = r.readDate(DateKeys[key], string(v))
	}
}

// readDate parses value, a date in the last tag. It reports an invalid date and returns the zero
// date for it.
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

// maxFindings is the maximum number of findings about one page.
const maxFindings = 20

// warn adds a finding about the byte at offset at. It shortens long args. The first arg becomes the
// subject of the finding.
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

// cutString returns s, cut to 200 bytes and with an ellipsis if it is longer.
func cutString(s string) string {
	const maxLength = 200
	if len(s) > maxLength {
		return string(truncate([]byte(s), maxLength)) + "…"
	}
	return s
}

// readRefresh handles a meta refresh with the given content at a range of the buffer. It excludes
// the page as a redirect if the refresh is fast and leads to another page. The first valid refresh
// counts.
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
	r.f.Refresh = toValidUTF8(target)
	r.addSkip(Redirect, at)
}

// lastTag returns the range of the last tag in the buffer.
func (r *Reader) lastTag() span { return span{r.tag.start, r.pos} }

// addSkip adds the reason why to Facts.Skips. at is the range of the tag that gives the reason.
func (r *Reader) addSkip(why Reason, at span) {
	if r.f.Skips.Has(why) {
		return
	}
	note := ""
	if !r.o.NoNotes {
		note = toValidUTF8(truncate(bytes.Join(bytes.Fields(r.bytes(at)), []byte{' '}), 200))
	}
	r.f.Skips.Add(why, r.position(at.lo), note)
}

// readRobots handles a robots meta tag. If the page has several, the strictest directive counts.
func (r *Reader) readRobots() {
	d := parseRobots(r.attr(attrContent))
	if d.NoIndex("googlebot") {
		r.addSkip(NoIndex, r.lastTag())
	}
	if d.UnavailableAfter == "" {
		return
	}
	end := r.readDate(unavailableAfter, d.UnavailableAfter)
	if !end.IsZero() && (r.f.Expiry.IsZero() || end.Compare(r.f.Expiry) < 0) {
		r.f.Expiry = end
	}
}

// readLink handles a link tag: a canonical link or an alternate in another language.
func (r *Reader) readLink() {
	if !r.hasAttr(attrRel) {
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
	if canonical && r.hasAttr(attrHref) {
		r.readCanonical()
	}
	if alternate && !style && r.o.Alternates {
		r.readAlternate()
	}
}

// readCanonical handles a canonical link. If two links differ, the page has no canonical link. A
// link that is not an http or https address is ignored.
func (r *Reader) readCanonical() {
	v := fixSlashes(r.attr(attrHref))
	switch why := whyNotHTTP(v); {
	case why != "":
		r.warn(r.tag.start, "bad-canonical", "write the page's own absolute https:// address", "canonical %q "+why, string(v))
	case r.canonical == "":
		r.canonical = toValidUTF8(v)
		if !r.o.NoNotes {
			r.f.CanonicalPos = r.position(r.tag.start)
		}
	case !r.hasCanonicalConflict && string(v) != r.canonical:
		r.hasCanonicalConflict = true
		r.warn(r.tag.start, "two-canonicals", "keep one canonical link",
			"canonical %q contradicts %q above it; neither counts", string(v), r.canonical)
	}
}

// fixSlashes returns ref with two slashes before the host, as browsers read https:/host and
// ///host.
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

// whyNotHTTP returns why ref cannot be the address of a page, such as "is empty", or "".
func whyNotHTTP(ref []byte) string {
	if len(ref) == 0 {
		return "is empty"
	}
	if s := schemeOf(ref); s != nil && !isHTTP(s) {
		return "is not http(s)"
	}
	return ""
}

func isHTTP(scheme []byte) bool { return equalFold(scheme, "http:") || equalFold(scheme, "https:") }

// schemeOf returns the scheme at the beginning of ref with its colon, such as "https:", or nil. See
// RFC 3986, section 3.1.
func schemeOf(ref []byte) []byte {
	for i, c := range ref {
		switch {
		case i == 0 && !hasClass(c, letter):
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

// readAlternate adds the link to the page in another language to the alternates. It ignores links
// to other formats, such as a feed.
func (r *Reader) readAlternate() {
	if len(r.attr(attrHreflang)) == 0 || len(r.attr(attrHref)) == 0 || len(r.f.URL.Alternates) == maxAlternates {
		return
	}
	if t := r.attr(attrType); len(t) > 0 && !equalFold(t, "text/html") && !equalFold(t, "application/xhtml+xml") {
		return
	}
	lang := toValidUTF8(r.attr(attrHreflang))
	r.f.URL.Alternates = append(r.f.URL.Alternates, sitemap.Alternate{Lang: lang, Href: toValidUTF8(r.attr(attrHref))})
}

// slowRefresh is the minimum delay, in seconds, of a refresh that is not a redirect. With this
// delay, people can read the page.
const slowRefresh = 10

// parseRefresh parses the content of a meta refresh, such as "5; url=/new/", as the HTML standard
// does in the "shared declarative refresh steps". seconds is at most slowRefresh. target is empty
// if the page reloads itself. ok is false if the standard ignores the content.
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
	if s[0] != ';' && s[0] != ',' && !hasClass(s[0], space) {
		return 0, nil, false
	}
	if s = trim(s); len(s) > 0 && (s[0] == ';' || s[0] == ',') {
		s = trim(s[1:])
	}
	return seconds, unquote(trimURLKey(s)), true
}

// trimURLKey returns s without the prefix "url =". It returns s unchanged without this prefix.
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

// unquote returns the text between the quotation mark at the beginning of s and the next one.
// Without a quotation mark, it returns s. It trims white space.
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

// canShowOtherPage reports whether a refresh to target can open another page. A fragment or a
// script cannot.
func canShowOtherPage(target []byte) bool {
	return len(target) > 0 && target[0] != '#' && !hasPrefixFold(target, "javascript:")
}

var (
	scriptMoves = regexp.MustCompile(`location(\.href)?\s*=[^=]|location\.(replace|assign)\s*\(`)
	onlyRefresh = regexp.MustCompile(`(?i)^\s*<meta\s+http-equiv=["']?refresh["']?\s+content=["']([^"'<>]*)["']\s*/?>\s*$`)
)

// readScriptedRefresh handles a noscript element that contains only a meta refresh, as mike writes
// it. The refresh is a redirect if a script in the head redirects to the same address.
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
