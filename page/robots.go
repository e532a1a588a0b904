package page

import (
	"bytes"
	"slices"
	"strings"
)

// Directives are the directives of a robots meta element or an X-Robots-Tag header.
// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
type Directives struct {
	// UnavailableAfter is the date of the unavailable_after directive for all agents, as written,
	// or "".
	UnavailableAfter string

	all    bool     // noindex or none, for all agents
	agents []string // to which noindex is limited, in lower case
}

// NoIndex reports whether the directives forbid indexing to all agents or to one of agents. Agents
// are in lower case.
func (d Directives) NoIndex(agents ...string) bool {
	return d.all || slices.ContainsFunc(d.agents, func(a string) bool { return slices.Contains(agents, a) })
}

// ParseRobots parses the content of a robots meta element or the value of an X-Robots-Tag header.
// In a header, a directive and the following ones may be limited to one agent ("googlebot:
// noindex, nofollow"). Directives are whole words in any case, separated by commas or white space:
// noindexifembedded is not noindex. The strictest of conflicting directives wins.
func ParseRobots(value string) Directives { return parseRobots([]byte(value)) }

const unavailableAfter = "unavailable_after"

// valued lists the directives with a value after a colon. Any other word before a colon is the
// name of an agent.
var valued = []string{unavailableAfter, "max-snippet", "max-image-preview", "max-video-preview"}

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
		after := trim(s)
		if len(after) == 0 || after[0] != ':' {
			continue
		}
		s = trim(after[1:])
		switch {
		case equalFold(word, unavailableAfter):
			var date []byte
			date, s = untilDirective(s)
			if agent == "" && d.UnavailableAfter == "" {
				d.UnavailableAfter = text(date)
			}
		case slices.ContainsFunc(valued, func(v string) bool { return equalFold(word, v) }):
			_, s = nextDirective(s)
		default:
			agent = strings.ToLower(text(word))
		}
	}
}

// nextDirective returns the first word of s and the rest. White space, a comma, a semicolon or a
// colon ends the word.
func nextDirective(s []byte) (word, rest []byte) {
	const separators = "\t\n\f\r ,;:"
	s = bytes.TrimLeft(s, separators)
	if end := bytes.IndexAny(s, separators); end >= 0 {
		return s[:end], s[end:]
	}
	return s, nil
}

// directives lists the words that end the date of unavailable_after. A date may contain commas.
var directives = append([]string{
	"all", "follow", "index", "indexifembedded", "noarchive", "nocache", "nofollow", "noimageindex", "noindex",
	"none", "nosnippet", "notranslate",
}, valued...)

// untilDirective returns s up to the comma before the next directive, and the rest.
func untilDirective(s []byte) (date, rest []byte) {
	for i := 0; i < len(s); i++ {
		if s[i] != ',' && s[i] != ';' {
			continue
		}
		word, rest := nextDirective(s[i:])
		if slices.ContainsFunc(directives, func(v string) bool { return equalFold(word, v) }) {
			return trim(s[:i]), s[i:]
		}
		i = len(s) - len(rest) - 1 // skip further commas before the word
	}
	return trim(s), nil
}
