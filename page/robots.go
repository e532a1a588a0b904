package page

import (
	"bytes"
	"slices"
	"strings"
)

// Directives contains the directives of a robots meta element or an X-Robots-Tag header.
// See https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
type Directives struct {
	// UnavailableAfter is the date in the first directive unavailable_after for all agents, as
	// written. It is "" if there is no such directive.
	UnavailableAfter string

	all    bool     // a directive "noindex" or "none" applies to all agents
	agents []string // agents with a directive "noindex" or "none" of their own, in lower case
}

// NoIndex reports whether the directives forbid indexing to all agents, or to an agent in agents,
// such as "googlebot". The names must be in lower case.
func (d Directives) NoIndex(agents ...string) bool {
	return d.all || slices.ContainsFunc(d.agents, func(a string) bool { return slices.Contains(agents, a) })
}

// ParseRobots parses the content of a robots meta element, or the value of an X-Robots-Tag header.
// In a header, directives may follow the name of an agent, as in "googlebot: noindex, nofollow".
// Such directives apply only to this agent. "noindex" and "none" take precedence over "index". Of
// several unavailable_after dates for all agents, the first counts.
func ParseRobots(value string) Directives { return parseRobots([]byte(value)) }

const unavailableAfter = "unavailable_after"

// valueDirectives lists the directives that have a value after a colon. Any other word before a
// colon is the name of an agent.
var valueDirectives = []string{unavailableAfter, "max-snippet", "max-image-preview", "max-video-preview"}

func parseRobots(s []byte) (d Directives) {
	agent := ""
	for {
		word, rest := nextDirective(s)
		if len(word) == 0 {
			return d
		}
		s = rest
		switch {
		case !equalFold(word, "noindex") && !equalFold(word, "none"):
		case agent == "":
			d.all = true
		default:
			d.agents = append(d.agents, agent)
		}
		after := trimSpace(s)
		if len(after) == 0 || after[0] != ':' {
			continue
		}
		s = trimSpace(after[1:])
		switch {
		case equalFold(word, unavailableAfter):
			var date []byte
			date, s = cutDate(s)
			if agent == "" && d.UnavailableAfter == "" {
				d.UnavailableAfter = toValidUTF8(date)
			}
		case slices.ContainsFunc(valueDirectives, func(v string) bool { return equalFold(word, v) }):
			_, s = nextDirective(s)
		default:
			agent = strings.ToLower(toValidUTF8(word))
		}
	}
}

// nextDirective returns the first word of s, and the rest of s after this word. White space,
// commas, semicolons and colons separate words. word is empty if s contains no word.
func nextDirective(s []byte) (word, rest []byte) {
	const separators = whiteSpace + ",;:"
	s = bytes.TrimLeft(s, separators)
	if end := bytes.IndexAny(s, separators); end >= 0 {
		return s[:end], s[end:]
	}
	return s, nil
}

// directives lists the words that may follow the date of unavailable_after. A comma alone does not
// end the date, because a date may contain commas.
var directives = append([]string{
	"all", "follow", "index", "indexifembedded", "noarchive", "nocache", "nofollow", "noimageindex", "noindex",
	"none", "nosnippet", "notranslate",
}, valueDirectives...)

// cutDate returns the date at the beginning of s, and the rest of s. The date ends at a comma or
// semicolon that is followed by the name of a directive, such as nofollow, or else at the end of s.
func cutDate(s []byte) (date, rest []byte) {
	for i := 0; i < len(s); i++ {
		if s[i] != ',' && s[i] != ';' {
			continue
		}
		word, rest := nextDirective(s[i:])
		if slices.ContainsFunc(directives, func(v string) bool { return equalFold(word, v) }) {
			return trimSpace(s[:i]), s[i:]
		}
		i = len(s) - len(rest) - 1 // skip further commas before the word
	}
	return trimSpace(s), nil
}
