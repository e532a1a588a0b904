package sitemap

// AppendAtomOpen appends the beginning of an Atom 1.0 feed.
func AppendAtomOpen(b []byte, c *Channel) []byte { return b }

// AppendAtomEntry appends one entry.
func AppendAtomEntry(b []byte, e *Entry) []byte { return b }

// AppendAtomClose appends the end of an Atom 1.0 feed.
func AppendAtomClose(b []byte) []byte { return append(b, "</feed>\n"...) }
