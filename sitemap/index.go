package sitemap

// AppendIndexOpen appends the beginning of a sitemap index.
func AppendIndexOpen(b []byte, o Opening) []byte {
	b = appendProlog(b, o)
	return append(b, `<sitemapindex xmlns="`+Namespace+"\">\n"...)
}

// AppendIndexEntry appends one child of an index; the zero Date says nothing.
func AppendIndexEntry(b []byte, loc string, lastmod Date) []byte {
	b = append(b, "<sitemap>"...)
	b = appendElement(b, "loc", loc)
	b = appendDate(b, "lastmod", lastmod)
	return append(b, "</sitemap>\n"...)
}

// AppendIndexClose appends the end of a sitemap index.
func AppendIndexClose(b []byte) []byte { return append(b, "</sitemapindex>\n"...) }
