package sitemap

import (
	"cmp"
	"html"
	"strings"
)

func (r *Reader) nextRSS() error {
	if err := r.seek("item", "channel"); err != nil {
		return err
	}
	err := r.feedEntry((*Reader).readRSSField)
	r.item.LastMod = cmp.Or(r.item.LastMod, r.item.Published)
	return err
}

// feedEntry reads an entry of a feed, where the URL may stand for the title.
func (r *Reader) feedEntry(read func(*Reader) error) error {
	err := r.entry(read)
	if r.item.Title == r.item.Loc {
		r.item.Title = ""
	}
	return err
}

// readRSSField reads one child of an item. What a feed says beyond the fields
// of a sitemap is no extension of one and is skipped in silence.
func (r *Reader) readRSSField() error {
	e := &r.item.Entry
	switch {
	case r.xml.space == NamespaceAtom && string(r.xml.local) == "updated":
		return r.readDate(&e.LastMod)
	case r.xml.space != r.space:
		return r.skip()
	}
	switch string(r.xml.local) {
	case "title":
		return r.readFeedText(&e.Title, false)
	case "link":
		return r.readFeedText(&e.Loc, false)
	case "description":
		return r.readFeedText(&e.Summary, true)
	case "pubDate":
		return r.readDate(&e.Published)
	case "guid":
		return r.readGUID()
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

func (r *Reader) nextAtom() error {
	if err := r.seek("entry", ""); err != nil {
		return err
	}
	return r.feedEntry((*Reader).readAtomField)
}

func (r *Reader) readAtomField() error {
	if r.xml.space != r.space {
		return r.skip()
	}
	e := &r.item.Entry
	markup := r.xml.attr("type") == "html"
	switch string(r.xml.local) {
	case "title":
		return r.readFeedText(&e.Title, markup)
	case "summary":
		return r.readFeedText(&e.Summary, markup)
	case "link":
		if rel := r.xml.attr("rel"); rel == "" || rel == "alternate" {
			e.Loc = cmp.Or(e.Loc, strings.TrimSpace(r.xml.attr("href")))
		}
	case "updated", "modified": // the latter in Atom 0.3
		return r.readDate(&e.LastMod)
	case "published", "issued": // as above
		return r.readDate(&e.Published)
	}
	return r.skip()
}
