package robots

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// mark precedes each Sitemap line that sitewalk writes into robots.txt. It has a line of its
// own because some crawlers read a comment behind a URL as part of it.
const mark = "# sitewalk keeps the next line; remove this one to keep it yourself"

// UpdateSitemapLines returns old with exactly one Sitemap line for each of urls. It removes lines with
// our mark for other URLs or for URLs that the user's lines name, and lines for a generator's
// development server. Every other byte stays.
func UpdateSitemapLines(old []byte, urls []string) []byte {
	lines := SitemapLines(old)
	local := len(urls) > 0 && (&Line{Value: urls[0]}).IsLocal()
	for i := range lines {
		lines[i].Ours = lines[i].Ours || !local && lines[i].IsLocal()
	}
	said, theirs := map[string]bool{}, map[string]bool{}
	for _, l := range lines {
		said[l.Value], theirs[l.Value] = true, theirs[l.Value] || !l.Ours
	}
	want := slices.DeleteFunc(slices.Clone(urls), func(u string) bool { return said[u] })
	out, from, eol := make([]byte, 0, len(old)+256), 0, lineBreak(string(old))
	for _, l := range lines {
		if !l.Ours {
			continue
		}
		out = append(out, old[from:l.from]...)
		from = l.End
		switch {
		case slices.Contains(urls, l.Value) && !theirs[l.Value]:
			theirs[l.Value] = true // a second one goes
			out = append(out, old[l.from:l.End]...)
		case len(want) > 0:
			out = appendSitemapLine(out, want[0], eol)
			want = want[1:]
		}
	}
	out = append(out, old[from:]...)
	for _, u := range want {
		if len(out) > 0 && out[len(out)-1] != eol[len(eol)-1] {
			out = append(out, eol...)
		}
		out = appendSitemapLine(out, u, eol)
	}
	return out
}

func appendSitemapLine(out []byte, loc, eol string) []byte {
	return append(out, mark+eol+"Sitemap: "+loc+eol...)
}

// A SitemapLine is a Sitemap line of robots.txt.
type SitemapLine struct {
	Line
	Ours bool // our mark precedes it
	from int  // the offset of the line, with our mark
}

// SitemapLines returns the Sitemap lines of a robots.txt.
func SitemapLines(text []byte) (all []SitemapLine) {
	from := -1 // the offset of the line before if it is our mark
	for l := range Lines(text) {
		if l.Key == Sitemap && from >= 0 {
			all = append(all, SitemapLine{l, true, from})
		} else if l.Key == Sitemap {
			all = append(all, SitemapLine{l, false, l.Start})
		}
		from = -1
		if string(bytes.TrimSpace(text[l.Start:l.End])) == mark {
			from = l.Start
		}
	}
	return all
}

// lineBreak returns the line break of the first line of a file.
func lineBreak(text string) string {
	line := text[:lineEnd(text, 0)]
	return cmp.Or(line[len(strings.TrimRight(line, "\r\n")):], "\n")
}
