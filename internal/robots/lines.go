// Package robots reads robots.txt as Google's parser does: the rules for search engines and the
// sitemaps that it names. It also writes the Sitemap lines of sitewalk.
package robots

import (
	"iter"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/mapping"
)

// MaxBytes is the maximum number of bytes that Google reads of a robots.txt.
// https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt#file-format
const MaxBytes = 500 << 10

// maxLine is the maximum number of bytes that Google's parser reads of a line.
const maxLine = 8*2083 - 1

// A Key is the kind of a line.
type Key uint8

// The keys. Other is for blank lines, comments and unknown keys.
const (
	Other Key = iota
	UserAgent
	Allow
	Disallow
	Sitemap
)

// keys are the beginnings of the names of keys, in lower case, with the spellings that
// Google's parser forgives.
var keys = [...][]string{
	UserAgent: {"user-agent", "useragent", "user agent"},
	Allow:     {"allow"},
	Disallow:  {"disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"},
	Sitemap:   {"sitemap", "site-map"},
}

// A Line is one line of a robots.txt.
type Line struct {
	Key   Key
	Value string
	Text  string // key and value as they are written, without a comment and the blanks around

	Number     int // from 1
	Column     int // of the value, in bytes from 1
	Start, End int // offsets in the file, with the line break
}

// IsLocal reports whether the value is a URL of the local machine. Development servers of
// generators write such URLs.
func (l *Line) IsLocal() bool { return mapping.LocalHost(strings.ToLower(l.Value)) }

// Lines yields the lines of a robots.txt. They end in \n, \r or both. The caller limits the
// file to Max bytes.
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

// lineEnd returns the offset behind the line at start and its line break.
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

// blanks are the characters that Google's parser skips around keys and values.
const blanks = " \t\r\n\v\f"

// parseLine parses "key: value", or a key and a value with blanks between them, before a
// comment. As in Google's parser, a NUL ends the line too.
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
