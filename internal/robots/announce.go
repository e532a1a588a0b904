package robots

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// ownComment is the comment that sitewalk writes above each of its own Sitemap lines in
// robots.txt. The comment has its own line, because some crawlers read a comment after a URL as
// part of the URL.
const ownComment = "# sitewalk keeps the next line; remove this one to keep it yourself"

// UpdateSitemapLines returns the robots.txt old with a Sitemap line for each of urls. It writes
// each missing line below ownComment. It removes a line below ownComment if its URL is not in urls,
// or if it repeats the URL of another Sitemap line. Unless the first of urls is local, it also
// removes Sitemap lines with the URL of a local development server.
func UpdateSitemapLines(old []byte, urls []string) []byte {
	lines := SitemapLines(old)
	local := len(urls) > 0 && (&Line{Value: urls[0]}).IsLocal()
	for i := range lines {
		lines[i].IsOwn = lines[i].IsOwn || !local && lines[i].IsLocal()
	}
	said, theirs := map[string]bool{}, map[string]bool{}
	for _, l := range lines {
		said[l.Value], theirs[l.Value] = true, theirs[l.Value] || !l.IsOwn
	}
	want := slices.DeleteFunc(slices.Clone(urls), func(u string) bool { return said[u] })
	out, from, eol := make([]byte, 0, len(old)+256), 0, firstLineBreak(string(old))
	for _, l := range lines {
		if !l.IsOwn {
			continue
		}
		out = append(out, old[from:l.from]...)
		from = l.End
		switch {
		case slices.Contains(urls, l.Value) && !theirs[l.Value]:
			theirs[l.Value] = true // keep this line and drop repetitions
			out = append(out, old[l.from:l.End]...)
		case len(want) > 0:
			out = appendOwnSitemapLine(out, want[0], eol)
			want = want[1:]
		}
	}
	out = append(out, old[from:]...)
	for _, u := range want {
		if len(out) > 0 && out[len(out)-1] != eol[len(eol)-1] {
			out = append(out, eol...)
		}
		out = appendOwnSitemapLine(out, u, eol)
	}
	return out
}

// appendOwnSitemapLine appends ownComment and, below it, the Sitemap line for loc. eol ends both
// lines.
func appendOwnSitemapLine(out []byte, loc, eol string) []byte {
	return append(out, ownComment+eol+"Sitemap: "+loc+eol...)
}

// A SitemapLine is a "Sitemap: URL" line of robots.txt.
type SitemapLine struct {
	Line
	IsOwn bool // the line before is sitewalk's own comment
	from  int  // byte offset of the line, or of the own comment before it
}

// SitemapLines returns all Sitemap lines of the robots.txt file text, in order.
func SitemapLines(text []byte) (all []SitemapLine) {
	from := -1 // offset of the previous line if that line is ownComment, else -1
	for l := range Lines(text) {
		if l.Key == Sitemap && from >= 0 {
			all = append(all, SitemapLine{l, true, from})
		} else if l.Key == Sitemap {
			all = append(all, SitemapLine{l, false, l.Start})
		}
		from = -1
		if string(bytes.TrimSpace(text[l.Start:l.End])) == ownComment {
			from = l.Start
		}
	}
	return all
}

// firstLineBreak returns the line break at the end of the first line of text, such as "\r\n". It
// returns "\n" if there is none.
func firstLineBreak(text string) string {
	line := text[:lineEnd(text, 0)]
	return cmp.Or(line[len(strings.TrimRight(line, "\r\n")):], "\n")
}
