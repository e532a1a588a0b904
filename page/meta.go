package page

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sitewalk/sitewalk/sitemap"
)

// A dateKey identifies a name under which a page gives the date of its last change, such as
// og:updated_time.
type dateKey uint8

// The keys, highest priority first.
const (
	keyDateModified dateKey = iota
	keyArticleModified
	keyOGUpdated
	numDateKeys
)

// DateKeys lists the keys from which a Reader reads URL.LastMod. The first key has the highest
// priority.
var DateKeys = []string{
	keyDateModified:    "dateModified",
	keyArticleModified: "article:modified_time",
	keyOGUpdated:       "og:updated_time",
}

// readLang sets Facts.Lang to the lang attribute of the first html tag with this attribute.
func (r *Reader) readLang() {
	if !r.langSeen && r.hasAttr("lang") {
		r.langSeen = true
		r.f.Lang = toValidUTF8(r.attrValue("lang"))
	}
}

// toValidUTF8 returns b as a string, with U+FFFD in place of invalid UTF-8.
func toValidUTF8(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return strings.ToValidUTF8(string(b), "\ufffd")
}

// readBase sets Facts.Base to the href attribute of the first base tag with this attribute.
func (r *Reader) readBase() {
	if r.hasAttr("href") && !r.baseSeen {
		r.baseSeen = true
		r.f.Base = toValidUTF8(r.attrValue("href"))
	}
}

// readTitle reads a title element. It sets Facts.Title to the text of the first title element, if
// an option needs the title.
func (r *Reader) readTitle() {
	s := r.readRawText("title")
	if r.needsTitles && !r.titleSeen {
		r.scratch = appendText(r.scratch[:0], r.bytes(s), false)
		r.f.Title = toOneLine(r.scratch)
	}
	r.titleSeen = true
	r.shape.isCut = r.endsInsideText(s)
	r.shape.hasTitle = !r.shape.isCut
}

// readScript reads a script element. It reads the dates of a JSON-LD script. It records any other
// script for readNoscriptRefresh and readScriptRedirect.
func (r *Reader) readScript() {
	isLD := equalFold(r.attrValue("type"), "application/ld+json")
	r.hasScriptFile = r.hasScriptFile || r.hasAttr("src")
	s := r.readRawText("script")
	r.shape.isCut = r.endsInsideText(s)
	if isLD {
		r.shape.isDocument = true
		r.readJSONLD(s)
	} else {
		r.scripts = append(r.scripts, s)
	}
}

// readMeta handles the last tag, a meta tag.
func (r *Reader) readMeta() {
	r.readMetaContent(r.attrValue("name"), true)
	r.readMetaContent(r.attrValue("property"), false)
	if equalFold(r.attrValue("http-equiv"), "refresh") {
		r.readRefresh(r.attrValue("content"), r.lastTagSpan())
	}
	r.readCharset()
}

// readMetaContent reads the content of the current meta tag. key is the value of its name or
// property attribute, such as "og:url". isName is true if key is the value of the name attribute.
// readMetaContent ignores unknown keys. It accepts Open Graph keys in both attributes, because many
// pages write them as names. It accepts other keys only as names.
func (r *Reader) readMetaContent(key []byte, isName bool) {
	switch string(r.toLower(key)) {
	case "robots", "googlebot":
		if isName {
			r.readRobots()
		}
	case "generator":
		r.f.Generated = r.f.Generated || isName && !editors.Match(r.attrValue("content"))
	case "og:url": // the URL of the page; the first one counts. See https://ogp.me/#metadata
		if r.f.OGURL == "" {
			r.f.OGURL = toValidUTF8(r.attrValue("content"))
		}
	case "og:image":
		if src := r.attrValue("content"); r.o.Images && isImageSource(src) {
			r.pictures.addPicture(src, levelIncluded)
		}
	case "description":
		if isName && r.needsTitles && r.f.Summary == "" {
			r.f.Summary = r.metaContentText()
		}
	case "og:site_name":
		if r.needsTitles && r.f.SiteName == "" {
			r.f.SiteName = r.metaContentText()
		}
	case "article:published_time":
		if r.o.Titles && r.f.Published.IsZero() {
			r.f.Published, _ = sitemap.ParseDate(string(r.attrValue("content")), r.o.Zone) // zero if invalid
		}
	case "og:updated_time":
		r.readModifiedDate(keyOGUpdated)
	case "article:modified_time":
		r.readModifiedDate(keyArticleModified)
	}
}

// editors matches the content of a generator element that names an editor such as Dreamweaver, and
// not a site generator. It also matches empty content.
var editors = regexp.MustCompile(`(?i)^\s*$|HTML Tidy|Office|Microsoft|FrontPage|Dreamweaver|GoLive|Mozilla|Nvu|KompoZer|BlueGriffon|Bluefish|Emacs|\bvim?\b|TextEdit|Cocoa|Notepad|Sublime`)

// metaContentText returns the content attribute of the current meta tag as plain text.
func (r *Reader) metaContentText() string { return toOneLine(bytes.Clone(r.attrValue("content"))) }

// readModifiedDate reads the date of the last change from the current meta tag, and stores it as
// the date of key. If several tags have the same key, the first valid date counts. Empty content is
// ignored, and an invalid date reported.
func (r *Reader) readModifiedDate(key dateKey) {
	if v := r.attrValue("content"); len(v) > 0 && r.dates[key].IsZero() {
		r.dates[key] = r.readDate(DateKeys[key], v)
	}
}

// setLastMod sets URL.LastMod to the date of the first key in DateKeys that has a date, and
// LastModBy to this key. It does nothing if the page has no date.
func (r *Reader) setLastMod() {
	if r.ld.hasDate {
		r.dates[keyDateModified] = r.ld.bestDate()
	}
	if i := slices.IndexFunc(r.dates[:], func(d sitemap.Date) bool { return !d.IsZero() }); i >= 0 {
		r.f.URL.LastMod, r.f.LastModBy = r.dates[i], DateKeys[i]
	}
}

// readDate parses value, a date in the current tag. key is the name of the date in a finding, such
// as "og:updated_time". If the date is invalid, readDate reports it and returns the zero Date.
func (r *Reader) readDate(key string, value []byte) sitemap.Date {
	d, err := sitemap.ParseDate(string(value), r.o.Zone)
	if err != nil {
		r.reportBadDate(r.tag.start, key, string(value))
	}
	return d
}

func (r *Reader) reportBadDate(offset int, key, value string) {
	r.addWarning(offset, "bad-date", "write it as 2006-01-02 or 2006-01-02T15:04:05Z", "%s %q is not a date", key, value)
}

// maxFindings is the maximum number of findings about one page, in addition to "long-head" and
// "long-page".
const maxFindings = 20

// addWarning adds a finding about the byte at offset. It shortens long args. The first of args
// becomes the subject of the finding. If the page already has maxFindings findings, addWarning does
// nothing, unless code is "long-head".
func (r *Reader) addWarning(offset int, code, hint, format string, args ...string) {
	if code != "long-head" && len(r.f.Diags) >= maxFindings {
		return
	}
	cut := make([]any, len(args))
	for i, arg := range args {
		cut[i] = shorten(arg)
	}
	d := r.f.Diags.Warnf(r.position(offset), code, hint, format, cut...)
	if len(args) > 0 {
		d.Subject = cut[0].(string)
	}
}

// shorten returns s, or at most its first 200 bytes with an ellipsis if s is longer. It does not
// cut a character.
func shorten(s string) string {
	const maxLength = 200
	if len(s) > maxLength {
		return string(truncate([]byte(s), maxLength)) + "…"
	}
	return s
}

// lastTagSpan returns the range of the last tag in the buffer.
func (r *Reader) lastTagSpan() span { return span{r.tag.start, r.pos} }

// addSkipReason adds a reason to leave the page out to Facts.Skips. cause is the range of the tag
// or script that gives the reason. Its first 200 bytes, as one line, become the note of the Skip.
func (r *Reader) addSkipReason(reason Reason, cause span) {
	if r.f.Skips.Has(reason) {
		return
	}
	note := truncate(bytes.Join(bytes.Fields(r.bytes(cause)), []byte{' '}), 200)
	r.f.Skips.Add(reason, r.position(cause.lo), toValidUTF8(note))
}

// readRobots handles a meta tag called robots or googlebot. It adds the reason NoIndex if the tag
// forbids indexing, and sets Facts.Expiry to the date in unavailable_after. It reports an invalid
// date. If the page has several such tags, one NoIndex is sufficient, and the earliest date counts.
func (r *Reader) readRobots() {
	d := parseRobots(r.attrValue("content"))
	if d.NoIndex("googlebot") {
		r.addSkipReason(NoIndex, r.lastTagSpan())
	}
	if d.UnavailableAfter == "" {
		return
	}
	end := r.readDate(unavailableAfter, []byte(d.UnavailableAfter))
	if !end.IsZero() && (r.f.Expiry.IsZero() || end.Compare(r.f.Expiry) < 0) {
		r.f.Expiry = end
	}
}

// readLink handles a link tag. It reads canonical links, and alternates in other languages if
// Options.Alternates is set.
func (r *Reader) readLink() {
	var canonical, alternate, style bool
	for w := range words(r.attrValue("rel")) {
		canonical = canonical || equalFold(w, "canonical")
		alternate = alternate || equalFold(w, "alternate")
		style = style || equalFold(w, "stylesheet")
	}
	if canonical && r.hasAttr("href") {
		r.readCanonical()
	}
	if alternate && !style && r.o.Alternates {
		r.readAlternate()
	}
}

// readCanonical sets Facts.Canonical to the address in the last tag, a canonical link. It reports
// and ignores an empty link, and a link whose scheme is neither http nor https. If two canonical
// links differ, neither counts, and Facts.Canonical stays "".
func (r *Reader) readCanonical() {
	v := fixSlashesBeforeHost(r.attrValue("href"))
	switch why := whyNotPageAddress(v); {
	case why != "":
		r.addWarning(r.tag.start, "bad-canonical", "write the page's own absolute https:// address", "canonical %q "+why, string(v))
	case r.hasCanonicalConflict:
	case r.f.Canonical == "":
		r.f.Canonical = toValidUTF8(v)
		r.f.CanonicalPos = r.position(r.tag.start)
	case string(v) != r.f.Canonical:
		r.addWarning(r.tag.start, "two-canonicals", "keep one canonical link",
			"canonical %q contradicts %q above it; neither counts", string(v), r.f.Canonical)
		r.hasCanonicalConflict, r.f.Canonical = true, ""
	}
}

// fixSlashesBeforeHost returns ref with two slashes before the host, as browsers read it. For
// example, https:/host becomes https://host, and ///host becomes //host. A ref with a scheme other
// than http and https stays as it is, and so does a ref without slashes.
func fixSlashesBeforeHost(ref []byte) []byte {
	scheme := schemeOf(ref)
	rest := bytes.TrimLeft(ref[len(scheme):], `/\`)
	slashes := ref[len(scheme) : len(ref)-len(rest)]
	switch {
	case string(slashes) == "//", len(slashes) == 0, len(slashes) == 1 && len(scheme) == 0:
		return ref
	case scheme != nil && !isHTTPScheme(scheme):
		return ref
	}
	return slices.Concat(scheme, doubleSlash, rest)
}

// whyNotPageAddress returns why ref cannot be the address of a page, such as "is empty", or "" if
// it can.
func whyNotPageAddress(ref []byte) string {
	if len(ref) == 0 {
		return "is empty"
	}
	if s := schemeOf(ref); s != nil && !isHTTPScheme(s) {
		return "is not http(s)"
	}
	return ""
}

func isHTTPScheme(scheme []byte) bool {
	return equalFold(scheme, "http:") || equalFold(scheme, "https:")
}

// schemeOf returns the scheme of ref with a colon, such as "https:". It returns nil if ref has no
// scheme.
// See RFC 3986, section 3.1.
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

// maxAlternates is the maximum number of alternates that are read from a page.
const maxAlternates = 1000

// readAlternate adds the last tag, a link to the page in another language, to the alternates. It
// ignores a link without hreflang or href, and a link to another format, such as a feed.
func (r *Reader) readAlternate() {
	if len(r.attrValue("hreflang")) == 0 || len(r.attrValue("href")) == 0 || len(r.f.URL.Alternates) == maxAlternates {
		return
	}
	if t := r.attrValue("type"); len(t) > 0 && !equalFold(t, "text/html") && !equalFold(t, "application/xhtml+xml") {
		return
	}
	lang := toValidUTF8(r.attrValue("hreflang"))
	r.f.URL.Alternates = append(r.f.URL.Alternates, sitemap.Alternate{Lang: lang, Href: toValidUTF8(r.attrValue("href"))})
}
