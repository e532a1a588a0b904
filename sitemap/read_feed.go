package sitemap

import (
	"cmp"
	"html"
	"strings"
)

// readFeedField reads one child of an item of RSS or an entry of Atom, whose names do not
// collide. What a feed says beyond the fields of a sitemap is no extension of one and is
// skipped in silence.
func (r *Reader) readFeedField() error {
	e, name, markup := &r.item.Entry, r.xml.local, r.xml.attr("type") == "html"
	switch {
	case r.xml.space != r.space && (r.xml.space != NamespaceAtom || name != "updated"):
		return r.skip()
	case name == "title":
		return r.readFeedText(&e.Title, markup)
	case name == "summary":
		return r.readFeedText(&e.Summary, markup)
	case name == "description":
		return r.readFeedText(&e.Summary, true)
	case name == "link" && r.format == FormatRSS:
		return r.readFeedText(&e.Loc, false)
	case name == "link":
		if rel := r.xml.attr("rel"); rel == "" || rel == "alternate" {
			e.Loc = cmp.Or(e.Loc, strings.TrimSpace(r.xml.attr("href")))
		}
	case name == "guid":
		return r.readGUID()
	case name == "updated", name == "modified": // the latter in Atom 0.3
		return r.readDate(&e.LastMod)
	case name == "pubDate", name == "published", name == "issued": // the latter as above
		return r.readDate(&e.Published)
	}
	return r.skip()
}

// readGUID reads a guid, which is the URL where there is no link.
func (r *Reader) readGUID() error {
	permaLink := r.xml.attr("isPermaLink") != "false"
	text, err := r.text()
	if err == nil && permaLink && r.item.Loc == "" {
		r.item.Loc = string(text)
	}
	return err
}

// readFeedText reads a text that may be HTML: its references are resolved, and
// with tags in it it says nothing.
func (r *Reader) readFeedText(to *string, markup bool) error {
	text, err := r.text()
	if err != nil {
		return err
	}
	*to = string(text)
	if !markup {
		return nil
	}
	if strings.Contains(*to, "<") {
		*to = ""
	}
	*to = strings.TrimSpace(html.UnescapeString(*to))
	return nil
}
