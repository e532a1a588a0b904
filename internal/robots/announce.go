package robots

import (
	"bytes"
	"cmp"
	"strings"
)

// ownComment is the comment that sitewalk writes above each of its own Sitemap lines in
// robots.txt. The comment has its own line, because some crawlers read a comment after a URL as
// part of the URL.
const ownComment = "# sitewalk keeps the next line; remove this one to keep it yourself"

// UpdateSitemapLines returns the robots.txt file old with a Sitemap line for each URL in urls. It
// first removes each ownComment and the Sitemap line below the comment. It then appends an
// ownComment and a Sitemap line for each URL that is not listed yet. It also removes all Sitemap
// lines with URLs of the local machine, unless the first of urls is such a URL.
func UpdateSitemapLines(old []byte, urls []string) []byte {
	local := len(urls) > 0 && (&Line{Value: urls[0]}).IsLocal()
	out, listed, isBelowComment := make([]byte, 0, len(old)+256), map[string]bool{}, false
	for l := range Lines(old) {
		isComment := isOwnComment(old, l)
		isRemoved := isComment || l.Key == Sitemap && (isBelowComment || !local && l.IsLocal())
		isBelowComment = isComment
		if isRemoved {
			continue
		}
		out = append(out, old[l.Start:l.End]...)
		if l.Key == Sitemap {
			listed[l.Value] = true
		}
	}
	eol := firstLineBreak(string(out))
	for _, u := range urls {
		if listed[u] {
			continue
		}
		listed[u] = true
		if len(out) > 0 && out[len(out)-1] != eol[len(eol)-1] {
			out = append(out, eol...)
		}
		out = append(out, ownComment+eol+"Sitemap: "+u+eol...)
	}
	return out
}

// isOwnComment reports whether the line l of the robots.txt file text is ownComment.
func isOwnComment(text []byte, l Line) bool {
	return string(bytes.TrimSpace(text[l.Start:l.End])) == ownComment
}

// A SitemapLine is a "Sitemap: URL" line of robots.txt.
type SitemapLine struct {
	Line
	IsOwn bool // the line before is sitewalk's own comment
}

// SitemapLines returns all Sitemap lines of the robots.txt file text, in order.
func SitemapLines(text []byte) (all []SitemapLine) {
	isBelowComment := false
	for l := range Lines(text) {
		if l.Key == Sitemap {
			all = append(all, SitemapLine{l, isBelowComment})
		}
		isBelowComment = isOwnComment(text, l)
	}
	return all
}

// firstLineBreak returns the line break at the end of the first line of text, such as "\r\n". It
// returns "\n" if there is none.
func firstLineBreak(text string) string {
	line := text[:lineEnd(text, 0)]
	return cmp.Or(line[len(strings.TrimRight(line, "\r\n")):], "\n")
}
