package page

import (
	"bytes"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/sitemap"
)

// A dateKey is a place in the HTML that tells when the page changed.
type dateKey uint8

// The places, the one to be believed first.
const (
	keyDateModified dateKey = iota
	keyArticleModified
	keyOGUpdated
	numDateKeys
)

// DateKeys are the keys that a Reader reads URL.LastMod from, the one to be
// believed first.
var DateKeys = []string{"dateModified", "article:modified_time", "og:updated_time"}

// html reads the html start tag. A later one only adds what the first left out.
func (r *Reader) html() {
	if r.langSeen || !r.has(attrLang) {
		return
	}
	r.langSeen = true
	r.f.Lang = r.kept(r.attr(attrLang), &r.lang)
}

// kept returns b as valid UTF-8, in the memory of the page's own address or of the last
// text of its kind, if it is the same.
func (r *Reader) kept(b []byte, last *string) string {
	if string(b) == r.Own { // a switch would copy b
		return r.Own
	}
	if string(b) != *last {
		*last = text(b)
	}
	return *last
}

// text returns b as valid UTF-8.
func text(b []byte) string { return strings.ToValidUTF8(string(b), "\ufffd") }

// base reads a base element; the first that has an href counts.
func (r *Reader) base() {
	if r.has(attrHref) && !r.baseSeen {
		r.baseSeen = true
		r.f.Base = text(r.attr(attrHref))
	}
}

// title reads a title element; the first counts.
func (r *Reader) title() {
	s := r.rawText("title", r.titles && !r.titleSeen)
	if r.titles && !r.titleSeen {
		r.scratch = appendText(r.scratch[:0], r.buf[s.lo:s.hi], false)
		r.f.Title = r.plain(r.scratch)
	}
	r.titleSeen = true
	r.shape.cut = r.unclosed(s)
	r.shape.titled = !r.shape.cut
}

// scriptElement passes a script and reads it when it is JSON-LD.
func (r *Reader) scriptElement() {
	ld := fold(r.attr(attrType), "application/ld+json")
	s := r.script()
	r.shape.cut = r.unclosed(s)
	r.shape.document = r.shape.document || ld
	if ld {
		r.ld.read(r.buf[s.lo:s.hi], s.lo)
	} else if r.gone == 0 {
		r.lastScript = s
		r.refresh(scriptedRefresh(r.buf[s.lo:s.hi], r.buf[r.lastNoscript.lo:r.lastNoscript.hi], true))
	}
}

// meta reads a meta element.
func (r *Reader) meta() {
	if r.has(attrContent) {
		if r.has(attrName) {
			r.metaKey(r.attr(attrName), true)
		}
		if r.has(attrProperty) {
			r.metaKey(r.attr(attrProperty), false)
		}
	}
	if fold(r.attr(attrHTTPEquiv), "refresh") {
		r.refresh(r.attr(attrContent))
	}
	r.charset()
}

// metaKey reads the meta element called so. Open Graph's keys stand in property
// attributes by their own rules and in name attributes by habit; the standard's
// only in the latter.
func (r *Reader) metaKey(key []byte, isName bool) {
	switch string(r.inLower(key)) {
	case "robots", "googlebot":
		if isName {
			r.robots()
		}
	case "generator":
		r.f.Generated = r.f.Generated || isName && !editors.Match(r.attr(attrContent))
	case "og:url": // the page's own address, see https://ogp.me/#metadata; the first counts
		if r.f.OGURL == "" {
			r.f.OGURL = r.kept(r.attr(attrContent), &r.address)
		}
	case "og:image":
		if src := r.attr(attrContent); r.o.Images && isImageSource(src) {
			r.pictures.add(src, levelIncluded)
		}
	case "description":
		if isName && r.titles && r.f.Summary == "" {
			r.f.Summary = r.metaText()
		}
	case "og:site_name":
		if r.titles && r.f.SiteName == "" {
			r.f.SiteName = r.metaText()
		}
	case "article:published_time":
		if r.o.Titles && r.f.Published.IsZero() {
			r.f.Published, _ = sitemap.ParseDate(string(r.attr(attrContent)), r.o.Zone) // one that is none says nothing
		}
	case "og:updated_time":
		r.modified(keyOGUpdated)
	case "article:modified_time":
		r.modified(keyArticleModified)
	}
}

// editors matches the names of programs in which people write pages by hand.
var editors = regexp.MustCompile(`(?i)^\s*$|HTML Tidy|Office|Microsoft|FrontPage|Dreamweaver|GoLive|Mozilla|Nvu|KompoZer|BlueGriffon|Bluefish|Emacs|\bvim?\b|TextEdit|Cocoa|Notepad|Sublime`)

// metaText returns the content of a meta element as plain text.
func (r *Reader) metaText() string {
	r.scratch = append(r.scratch[:0], r.attr(attrContent)...)
	return r.plain(r.scratch)
}

// modified reads a date; the first of a kind that is one counts.
func (r *Reader) modified(key dateKey) {
	if v := r.attr(attrContent); len(v) > 0 && r.dates[key].IsZero() {
		r.dates[key] = r.date(DateKeys[key], v)
	}
}

// date reads the date of the tag read last, and reports one that is none.
func (r *Reader) date(key string, value []byte) sitemap.Date {
	d, err := sitemap.ParseDate(string(value), r.o.Zone)
	if err != nil {
		r.badDate(r.tag.start, key, string(value))
	}
	return d
}

// maxFindings is how many findings one page gets; more of them tell no more.
const maxFindings = 20

func (r *Reader) badDate(at int, key, value string) {
	r.warn(at, "bad-date", "write it as 2006-01-02 or 2006-01-02T15:04:05Z", "%s %q is not a date", key, value)
}

// warn adds a finding about what stands at buf[at]. The arguments are cut to
// what a finding shows.
func (r *Reader) warn(at int, code, hint, format string, args ...string) {
	if code != "long-head" && len(r.f.Diags) >= maxFindings {
		return
	}
	cut := make([]any, len(args))
	for i, arg := range args {
		cut[i] = cutString(arg)
	}
	d := r.f.Diags.Warnf(r.at(at), code, hint, format, cut...)
	if len(args) > 0 {
		d.Subject = cut[0].(string)
	}
}

// cutString returns as much of s as a finding shows.
func cutString(s string) string {
	const most = 200
	if len(s) > most {
		return string(cut([]byte(s[:most+4]), most)) + "…"
	}
	return s
}

// refresh reads the content of a refresh; the first that is well-formed is in force.
func (r *Reader) refresh(content []byte) {
	if r.refreshSeen {
		return
	}
	seconds, target, ok := parseRefresh(content)
	if !ok {
		return
	}
	r.refreshSeen = true
	if seconds >= slowRefresh || !leadsAway(target) {
		return
	}
	r.f.Refresh = text(target)
	r.skip(Redirect)
}

// noscript passes a noscript element of the head. What stands there is for those
// without scripts; a refresh is a redirect for all where the script before or behind it
// leads to the same address, as on the pages that Zola and mike write.
func (r *Reader) noscript() {
	text := r.rawText("noscript", true)
	if r.gone > 0 || text.hi > firstRead {
		return
	}
	r.lastNoscript = text
	r.refresh(scriptedRefresh(r.buf[r.lastScript.lo:r.lastScript.hi], r.buf[text.lo:text.hi], false))
}

// skip gives a reason to leave the page out, at the tag read last. Of several reasons
// the first in the order of Reasons stays; of several tags with the same, the first.
func (r *Reader) skip(why Reason) {
	if r.f.Skip != Listed && r.f.Skip <= why {
		return
	}
	r.f.Skip = why
	r.f.SkipPos = r.at(r.tag.start)
	if r.o.NoNotes {
		return
	}
	r.f.SkipNote = text(cut(bytes.Join(bytes.Fields(r.buf[r.tag.start:r.pos]), []byte{' '}), 200))
}

// robots reads a robots meta element; the strictest of several wins.
func (r *Reader) robots() {
	d := parseRobots(r.attr(attrContent))
	if d.NoIndex("googlebot") {
		r.skip(NoIndex)
	}
	if d.UnavailableAfter == "" {
		return
	}
	// RFC 822, RFC 850 or ISO 8601; the earliest of several wins.
	if end := r.date(unavailableAfter, []byte(d.UnavailableAfter)); !end.IsZero() && (r.f.Expiry.IsZero() || end.Compare(r.f.Expiry) < 0) {
		r.f.Expiry = end
	}
}

// link reads a link element.
func (r *Reader) link() {
	if !r.has(attrRel) {
		return
	}
	rel := r.tag.val[attrRel]
	if rel.hi-rel.lo < len("canonical") || string(r.buf[rel.lo:rel.hi]) == "stylesheet" {
		return
	}
	var canonical, alternate, style bool
	for w := range words(r.attr(attrRel)) {
		canonical = canonical || fold(w, "canonical")
		alternate = alternate || fold(w, "alternate")
		style = style || fold(w, "stylesheet")
	}
	if canonical && r.has(attrHref) {
		r.canonicalLink()
	}
	if alternate && !style && r.o.Alternates {
		r.alternate()
	}
}

// canonicalLink reads a canonical link. Two that differ contradict each other,
// and neither counts; one that cannot be an http(s) address does not count.
func (r *Reader) canonicalLink() {
	v := fixSlashes(r.attr(attrHref))
	if r.canonical == "" && r.Own != "" && string(v) == r.Own {
		r.canonical = r.Own
		return
	}
	if why := notHTTP(v); why != "" {
		r.warn(r.tag.start, "bad-canonical", "write the page's own absolute https:// address", "canonical %q "+why, string(v))
		return
	}
	if r.canonical == "" {
		r.canonical = r.kept(v, &r.address)
		if !r.o.NoNotes {
			r.f.CanonicalPos = r.at(r.tag.start)
		}
		return
	}
	if !r.contradicted && text(v) != r.canonical {
		r.contradicted = true
		r.warn(r.tag.start, "two-canonicals", "keep one canonical link",
			"canonical %q contradicts %q above it; neither counts", string(v), r.canonical)
	}
}

// authority matches the beginning of an address that browsers read as https:// or //.
var authority = regexp.MustCompile(`^(?:((?i:https?:))[/\\]+|[/\\]{2,})`)

// fixSlashes returns ref with two slashes before the host, as browsers read https:/host and
// ///host.
func fixSlashes(ref []byte) []byte {
	m := authority.FindSubmatchIndex(ref)
	if m == nil {
		return ref
	}
	var scheme []byte
	if m[2] >= 0 {
		scheme = ref[m[2]:m[3]]
	}
	return slices.Concat(scheme, doubleSlash, ref[m[1]:])
}

// notHTTP returns why ref cannot be the address of a page, or "".
func notHTTP(ref []byte) string {
	if len(ref) == 0 {
		return "is empty"
	}
	if s := schemeOf(ref); s != nil && !fold(s, "http") && !fold(s, "https") {
		return "is not http(s)"
	}
	u, err := url.Parse(string(ref))
	switch {
	case err != nil:
		return "is not an address"
	case u.Scheme != "" && u.Host == "":
		return "has no host"
	}
	return ""
}

// schemeOf returns the scheme that ref begins with, RFC 3986 section 3.1, or nil.
func schemeOf(ref []byte) []byte {
	if !is(ref[0], letter) {
		return nil
	}
	for i, c := range ref {
		switch {
		case c == ':':
			return ref[:i]
		case !isAlnum(c) && c != '+' && c != '-' && c != '.':
			return nil
		}
	}
	return nil
}

// maxAlternates bounds what a page can make a Reader remember.
const maxAlternates = 1000

// alternate reads a link to the page in another language. One that names the
// type of something else, such as a feed, is none.
func (r *Reader) alternate() {
	if len(r.attr(attrHreflang)) == 0 || len(r.attr(attrHref)) == 0 || r.alternates.texts == 2*maxAlternates {
		return
	}
	if t := r.attr(attrType); len(t) > 0 && !fold(t, "text/html") && !fold(t, "application/xhtml+xml") {
		return
	}
	r.alternates.add(r.attr(attrHreflang))
	r.alternates.add(r.attr(attrHref))
}
