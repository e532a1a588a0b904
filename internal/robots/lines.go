// Package robots parses robots.txt in the same way as Google's parser. It returns the rules for
// search engines and the listed sitemaps, and it updates sitewalk's own Sitemap lines.
package robots

import (
	"iter"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/mapping"
)

// MaxBytes is the maximum size of a robots.txt in bytes. Google ignores all bytes after this size.
// See https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt#file-format
const MaxBytes = 500 << 10

// maxLine is the maximum length of a line in bytes. Google's parser ignores the rest of a longer
// line.
const maxLine = 8*2083 - 1

// A Key is the field name of a line, such as Disallow.
type Key uint8

// The field names that sitewalk reads. Other is the key of blank lines, comments and lines with
// an unknown field name.
const (
	Other Key = iota
	UserAgent
	Allow
	Disallow
	Sitemap
)

// keys lists, for each Key, the field names in lower case. A field name that only begins with one
// of these names means the same Key: "disallowed" means Disallow. The misspellings are those that
// Google's parser accepts.
var keys = [...][]string{
	UserAgent: {"user-agent", "useragent", "user agent"},
	Allow:     {"allow"},
	Disallow:  {"disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"},
	Sitemap:   {"sitemap", "site-map"},
}

// A Line is one line of a robots.txt, such as "Disallow: /private/".
type Line struct {
	Key   Key
	Value string // text after the field name and the colon, without a comment and the white space around it
	Text  string // the whole line, without a comment and the white space around it

	Number     int // line number, counted from 1
	Column     int // position of Value in the line, in bytes, counted from 1
	Start, End int // byte offsets of the line in the file; End is after the line break
}

// IsLocal reports whether the value of l is a URL of the local machine, such as
// "http://localhost:1313/sitemap.xml". Some generators write such URLs when they run a development
// server.
func (l *Line) IsLocal() bool { return mapping.IsLocalHost(strings.ToLower(l.Value)) }

// Lines returns an iterator over the lines of the robots.txt file src. A line ends in "\n", "\r" or
// "\r\n". The caller must cut src after MaxBytes.
func Lines(src []byte) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		text, start := string(src), 0
		for n := 1; start < len(text); n++ {
			end := lineEnd(text, start)
			l := parseLine(text[start:end], n == 1)
			l.Number, l.Start, l.End = n, start, end
			if !yield(l) {
				return
			}
			start = end
		}
	}
}

// lineEnd returns the offset of the end of the line that begins at start. The line includes its
// line break.
func lineEnd(text string, start int) int {
	i := strings.IndexAny(text[start:], "\r\n")
	if i < 0 {
		return len(text)
	}
	end := start + i + 1
	if strings.HasPrefix(text[end-1:], "\r\n") {
		end++
	}
	return end
}

// blanks lists the characters that Google's parser trims from field names and values.
const blanks = " \t\r\n\v\f"

// parseLine parses a line such as "key: value" or "key value", up to a comment or a NUL byte, like
// Google's parser. first is true for the first line of the file, which may begin with a byte order
// mark.
func parseLine(line string, first bool) (l Line) {
	bom := 0
	if first && strings.HasPrefix(line, "\ufeff") {
		bom = len("\ufeff")
	}
	text := line[bom:min(len(line), bom+maxLine)]
	if i := strings.IndexAny(text, "#\x00"); i >= 0 {
		text = text[:i]
	}
	key, value, ok := strings.Cut(text, ":")
	if words := strings.Fields(text); !ok && len(words) == 2 {
		key, value = words[0], text[strings.LastIndex(text, words[1]):]
	}
	l.Text, l.Value = strings.Trim(text, blanks), strings.Trim(value, blanks)
	l.Column = 1 + bom + len(text) - len(strings.TrimLeft(value, blanks))
	key = strings.ToLower(strings.Trim(key, blanks))
	for k, names := range keys {
		if slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(key, name) }) {
			l.Key = Key(k)
		}
	}
	return l
}
