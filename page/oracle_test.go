package page

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"

	"github.com/sitewalk/sitewalk/sitemap"
)

// headFacts contains the facts on which the Reader and the oracle must agree.
type headFacts struct {
	Lang, Title, Summary, SiteName, Base, Canonical, Refresh string
	Skip                                                     Reason
	LastMod, Expiry, Published                               sitemap.Date
	LastModBy                                                string
	Alternates                                               string
	Codes                                                    string
}

func factsOf(f *Facts) headFacts {
	h := headFacts{
		Lang: f.Lang, Title: f.Title, Summary: f.Summary, SiteName: f.SiteName, Published: f.Published, Base: f.Base, Canonical: f.Canonical, Refresh: f.Refresh,
		Skip: f.Skips.First().Reason, LastMod: f.URL.LastMod, Expiry: f.Expiry, LastModBy: f.LastModBy,
	}
	for _, a := range f.URL.Alternates {
		h.Alternates += a.Lang + "=" + a.Href + "\n"
	}
	var codes []string
	for _, d := range f.Diags {
		codes = append(codes, d.Code)
	}
	slices.Sort(codes)
	h.Codes = strings.Join(slices.Compact(codes), " ")
	return h
}

// oracleFacts reads headFacts with golang.org/x/net/html, a full parser of the HTML standard, with
// scripting enabled. The parser decides where tags begin and end, and which elements are in the
// head. The code under test parses the values of the elements. A new meta key must also be added to
// named. read is the Reader that has read the head of src, and stopped where the body begins.
func oracleFacts(src []byte, read *Reader) (headFacts, error) {
	src = oracleDecode(src, min(read.pos, len(src)))
	doc, err := html.Parse(bytes.NewReader(src))
	if err != nil {
		return headFacts{}, err
	}
	o := oracle{r: NewReader(Options{Titles: true, Alternates: true}), f: &Facts{}}
	o.read(doc)
	if len(read.buf) <= maxScriptRedirect {
		o.scriptRedirect(read.buf[read.pos:])
	}
	return factsOf(o.f), nil
}

// oracleDecode returns src converted to UTF-8. A page without a named encoding is in UTF-8 if its
// first read bytes are valid UTF-8.
func oracleDecode(src []byte, read int) []byte {
	var enc encoding.Encoding
	switch {
	case bytes.HasPrefix(src, []byte("\xef\xbb\xbf")):
		return src[3:]
	case bytes.HasPrefix(src, []byte("\xff\xfe")):
		enc = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
		src = src[2:]
	case bytes.HasPrefix(src, []byte("\xfe\xff")):
		enc = unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
		src = src[2:]
	default:
		doc, err := html.Parse(bytes.NewReader(src))
		if err != nil {
			return src
		}
		known := false
		if enc, known = oracleEncoding(doc); !known && !utf8.Valid(src[:read]) {
			enc = charmap.Windows1252
		}
	}
	if enc == nil {
		return src
	}
	out, _ := io.ReadAll(enc.NewDecoder().Reader(bytes.NewReader(src)))
	return out
}

func oracleEncoding(doc *html.Node) (enc encoding.Encoding, known bool) {
	for n := range headChildren(doc) {
		label, ok := oracleLabel(n)
		if n.DataAtom != atom.Meta || label == "" && !ok {
			continue
		}
		enc, err := htmlindex.Get(label)
		if err != nil {
			continue
		}
		switch name, _ := htmlindex.Name(enc); name {
		case "utf-8", "utf-16le", "utf-16be", "replacement":
			return nil, true
		}
		return enc, true
	}
	return nil, false
}

// oracleLabel returns the label of the encoding that a meta element names. ok reports whether it
// has a charset attribute.
func oracleLabel(n *html.Node) (label string, ok bool) {
	label, ok = attrOfNode(n, "charset")
	if pragma, _ := attrOfNode(n, "http-equiv"); !ok && strings.EqualFold(pragma, "content-type") {
		content, _ := attrOfNode(n, "content")
		if m := charsetLabel.FindStringSubmatch(content); m != nil {
			label = m[1]
		}
	}
	return label, ok
}

// headChildren yields the child elements of the head element.
func headChildren(doc *html.Node) func(yield func(*html.Node) bool) {
	return func(yield func(*html.Node) bool) {
		root := child(doc, atom.Html)
		if root == nil {
			return
		}
		head := child(root, atom.Head)
		if head == nil {
			return
		}
		for n := head.FirstChild; n != nil; n = n.NextSibling {
			if n.Type == html.ElementNode && !yield(n) {
				return
			}
		}
	}
}

func child(n *html.Node, a atom.Atom) *html.Node {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == a {
			return c
		}
	}
	return nil
}

func attrOfNode(n *html.Node, key string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == key && a.Namespace == "" {
			return strings.TrimFunc(a.Val, func(c rune) bool { return c <= ' ' }), true
		}
	}
	return "", false
}

func textOfNode(n *html.Node) string {
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

type oracle struct {
	r         *Reader
	f         *Facts
	canonical []string
	refreshed bool
	scripts   string
	scripted  bool   // a script in the head has a src attribute
	noscript  string // text of the last noscript element with a refresh
	titled    bool
	based     bool
}

func (o *oracle) read(doc *html.Node) {
	o.r.f = o.f
	if root := child(doc, atom.Html); root != nil {
		lang, _ := attrOfNode(root, "lang")
		o.f.Lang = strings.ToValidUTF8(lang, "\ufffd")
	}
	for n := range headChildren(doc) {
		switch n.DataAtom {
		case atom.Title:
			if !o.titled {
				o.f.Title = toOneLine([]byte(textOfNode(n)))
			}
			o.titled = true
		case atom.Base:
			if href, ok := attrOfNode(n, "href"); ok && !o.based {
				o.based, o.f.Base = true, strings.ToValidUTF8(href, "\ufffd")
			}
		case atom.Meta:
			o.meta(n)
		case atom.Link:
			o.link(n)
		case atom.Script:
			if kind, _ := attrOfNode(n, "type"); strings.EqualFold(kind, "application/ld+json") {
				script := textOfNode(n)
				o.r.reset([]byte(script), 0)
				o.r.readJSONLD(span{0, len(script)})
			} else {
				o.scripts += textOfNode(n)
			}
			if _, ok := attrOfNode(n, "src"); ok {
				o.scripted = true
			}
		case atom.Noscript:
			if onlyRefresh.MatchString(textOfNode(n)) {
				o.noscript = textOfNode(n)
			}
		}
	}
	o.scriptedRefresh()
	if len(slices.Compact(o.canonical)) == 1 {
		o.f.Canonical = o.canonical[0]
	} else if len(o.canonical) > 1 {
		o.f.Diags.Warnf(noPos, "two-canonicals", "", "")
	}
	o.r.setLastMod()
}

func (o *oracle) scriptedRefresh() {
	m := onlyRefresh.FindStringSubmatch(o.noscript)
	if m == nil || !scriptMoves.MatchString(o.scripts) {
		return
	}
	_, target, _ := parseRefresh([]byte(m[1]))
	for _, quote := range []string{`"`, "'", "`"} {
		if len(target) > 0 && strings.Contains(o.scripts, quote+string(target)+quote) {
			o.refresh(m[1])
			return
		}
	}
}

// scriptRedirect reads a redirect by a script. body is the part of the page after the head.
func (o *oracle) scriptRedirect(body []byte) {
	text, links, script := "", []string(nil), false
	tokens := html.NewTokenizer(bytes.NewReader(body))
	for kind := tokens.Next(); kind != html.ErrorToken; kind = tokens.Next() {
		t := tokens.Token()
		src := slices.ContainsFunc(t.Attr, func(a html.Attribute) bool { return a.Key == "src" })
		switch {
		case kind == html.TextToken && script:
			o.scripts += t.Data
		case kind == html.TextToken:
			text += t.Data
		case kind != html.StartTagToken && kind != html.SelfClosingTagToken:
		case !slices.Contains(strings.Fields("html body p div br strong b h1 a script noscript"), t.Data), t.Data == "script" && src:
			return
		case t.Data == "noscript":
			tokens.Next()
		case t.Data == "a":
			links = append(links, "")
			for _, a := range t.Attr {
				if a.Key == "href" {
					links[len(links)-1] = strings.TrimFunc(a.Val, func(c rune) bool { return c <= ' ' })
				}
			}
		}
		script = kind == html.StartTagToken && t.Data == "script"
	}
	m := scriptTarget.FindStringSubmatch(o.scripts)
	if m == nil || o.scripted || strings.TrimSpace(text) != "" && len(links) == 0 || o.f.Skips.Has(Redirect) {
		return
	}
	for _, to := range links {
		if to != m[1] {
			return
		}
	}
	o.f.Refresh = strings.ToValidUTF8(m[1], "\ufffd")
	o.f.Skips.Add(Redirect, noPos, "")
}

func (o *oracle) meta(n *html.Node) {
	name, _ := attrOfNode(n, "name")
	property, _ := attrOfNode(n, "property")
	content, ok := attrOfNode(n, "content")
	pragma, _ := attrOfNode(n, "http-equiv")
	if !ok {
		return
	}
	o.named(strings.ToLower(name), content, true)
	o.named(strings.ToLower(property), content, false)
	if strings.EqualFold(pragma, "refresh") {
		o.refresh(content)
	}
}

func (o *oracle) refresh(content string) {
	if o.refreshed {
		return
	}
	seconds, target, ok := parseRefresh([]byte(content))
	o.refreshed = ok
	if ok && seconds < slowRefresh && mayOpenOtherPage(target) {
		o.f.Refresh = strings.ToValidUTF8(string(target), "\ufffd")
		o.f.Skips.Add(Redirect, noPos, "")
	}
}

func (o *oracle) named(key, content string, isName bool) {
	switch {
	case isName && (key == "robots" || key == "googlebot"):
		d := ParseRobots(content)
		if d.NoIndex("googlebot") {
			o.f.Skips.Add(NoIndex, noPos, "")
		}
		if d.UnavailableAfter == "" {
			return
		}
		if e, err := d.Expiry(time.UTC); err != nil {
			o.f.Diags.Warnf(noPos, "bad-date", "", "")
		} else if o.f.Expiry.IsZero() || e.Compare(o.f.Expiry) < 0 {
			o.f.Expiry = e
		}
	case isName && key == "description":
		if o.f.Summary == "" {
			o.f.Summary = toOneLine([]byte(content))
		}
	case key == "og:site_name":
		if o.f.SiteName == "" {
			o.f.SiteName = toOneLine([]byte(content))
		}
	case key == "article:published_time":
		if o.f.Published.IsZero() {
			o.f.Published, _ = sitemap.ParseDate(content, time.UTC)
		}
	case key == "article:modified_time":
		o.date(keyArticleModified, content)
	case key == "og:updated_time":
		o.date(keyOGUpdated, content)
	}
}

func (o *oracle) date(key dateKey, content string) {
	if content == "" || !o.r.dates[key].IsZero() {
		return
	}
	d, err := sitemap.ParseDate(content, time.UTC)
	if err != nil {
		o.f.Diags.Warnf(noPos, "bad-date", "", "")
	}
	o.r.dates[key] = d
}

func (o *oracle) link(n *html.Node) {
	rel, _ := attrOfNode(n, "rel")
	href, hasHref := attrOfNode(n, "href")
	rels := strings.FieldsFunc(strings.ToLower(rel), isSpaceRune)
	if slices.Contains(rels, "canonical") && hasHref {
		href = string(fixSlashesBeforeHost([]byte(href)))
		if whyNotPageAddress([]byte(href)) != "" {
			o.f.Diags.Warnf(noPos, "bad-canonical", "", "")
		} else if href = strings.ToValidUTF8(href, "\ufffd"); !slices.Contains(o.canonical, href) {
			o.canonical = append(o.canonical, href)
		}
	}
	lang, _ := attrOfNode(n, "hreflang")
	kind, _ := attrOfNode(n, "type")
	kind = strings.ToLower(kind)
	if slices.Contains(rels, "alternate") && !slices.Contains(rels, "stylesheet") && lang != "" && href != "" &&
		len(o.f.URL.Alternates) < maxAlternates && (kind == "" || kind == "text/html" || kind == "application/xhtml+xml") {
		o.f.URL.Alternates = append(o.f.URL.Alternates, sitemap.Alternate{
			Lang: strings.ToValidUTF8(lang, "\ufffd"), Href: strings.ToValidUTF8(href, "\ufffd"),
		})
	}
}
