package sitemap

// AppendText appends one line of a text sitemap, which holds nothing but
// percent-encoded URLs and is not escaped.
func AppendText(b []byte, loc string) []byte {
	b = append(b, loc...)
	return append(b, '\n')
}
