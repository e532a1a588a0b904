package sitemap

// A Channel is what a feed says of itself. Title, Link and Self are required.
type Channel struct {
	Title       string
	Description string // of RSS, which requires one; the Title when empty
	Link        string // the site, absolute and percent-encoded
	Self        string // the feed, likewise
	Lang        string // BCP 47 tag or ""
	Updated     Date   // the newest date of the entries
}

// AppendRSSOpen appends the beginning of an RSS 2.0 feed.
func AppendRSSOpen(b []byte, c *Channel) []byte { return b }

// AppendRSSItem appends one item.
func AppendRSSItem(b []byte, e *Entry) []byte { return b }

// AppendRSSClose appends the end of an RSS 2.0 feed.
func AppendRSSClose(b []byte) []byte { return append(b, "</channel>\n</rss>\n"...) }
