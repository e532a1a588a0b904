package robots

import (
	"iter"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/mapping"
)

// agents lists the user agents whose groups sitewalk reads: "*" and the major search engines. "*"
// means all crawlers without a group of their own.
var agents = [...]string{"*", "googlebot", "bingbot"}

// Rules contains the Allow and Disallow lines of robots.txt for the user agents in agents. The zero
// Rules forbids nothing. Rules is safe for concurrent use.
type Rules struct {
	groups [len(agents)]group
}

// A group contains the rules for one user agent.
type group struct {
	named bool   // robots.txt has a "User-agent" line for this agent
	rules []rule // in the order of the file
}

// A rule is one Allow or Disallow line.
type rule struct {
	allow  bool
	length int      // length of the normalized pattern in bytes
	texts  []string // the normalized pattern, split at its stars
	line   Line
}

// A Mistake is a line of robots.txt that has no effect.
type Mistake struct {
	Line
	Reason string // the reason, such as "the path must begin with / or *"
}

// Parse parses the robots.txt file src. It returns the rules for the user agents in agents, and the
// Allow and Disallow lines that have no effect because of a mistake. It ignores the groups of other
// user agents, and lines with an unknown field name.
func Parse(src []byte) (*Rules, []Mistake) {
	p := parser{rules: new(Rules)}
	for l := range Lines(src) {
		p.addLine(l)
	}
	return p.rules, p.mistakes
}

type parser struct {
	rules    *Rules            // the rules so far
	current  [len(agents)]bool // for each agent: the current group applies to the agent
	mistakes []Mistake
	inAgents bool // no Allow or Disallow line follows the last "User-agent" line so far
	hasAgent bool // a "User-agent" line was read
}

// addLine processes the next line of robots.txt. A User-agent line changes the current groups. An
// Allow or Disallow line adds a rule to the current groups, or a mistake. If it has no path, it
// adds nothing.
func (p *parser) addLine(l Line) {
	switch l.Key {
	case UserAgent:
		if !p.inAgents {
			p.current = [len(agents)]bool{}
		}
		p.inAgents, p.hasAgent = true, true
		if i := slices.Index(agents[:], agentName(l.Value)); i >= 0 {
			p.current[i], p.rules.groups[i].named = true, true
		}
	case Allow, Disallow:
		p.inAgents = false
		if !p.hasAgent {
			p.mistakes = append(p.mistakes, Mistake{l, "it precedes the first User-agent"})
		} else if slices.Contains(p.current[:], true) && l.Value != "" {
			p.addRule(l, l.Value)
		}
	}
}

// agentName returns the user agent in value in lower case, without its version: "Googlebot/2.1"
// gives "googlebot".
func agentName(value string) string {
	name, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(value), "\t", " "), " ")
	name, _, _ = strings.Cut(name, "/")
	return name
}

// addRule adds the Allow or Disallow line l to the groups of the current user agents. value is the
// path of the rule, usually l.Value. For a rule that allows the index file of a folder, such as
// /a/index.html, addRule adds a second rule that allows the folder, /a/.
func (p *parser) addRule(l Line, value string) {
	pattern, ok := normalizePattern(value)
	if !ok {
		p.mistakes = append(p.mistakes, Mistake{l, "the path must begin with / or *"})
		return
	}
	allow := l.Key == Allow
	for i, isCurrent := range p.current {
		if isCurrent {
			g := &p.rules.groups[i]
			g.rules = append(g.rules, rule{allow, len(pattern), strings.Split(pattern, "*"), l})
		}
	}
	if i := strings.LastIndexByte(value, '/'); allow && i >= 0 && strings.HasPrefix(value[i+1:], "index.htm") {
		p.addRule(l, value[:i+1]+"$") // as Google's parser does
	}
}

// matches reports whether the pattern of r matches the beginning of path. path must be a result of
// normalizePath followed by "$", which a "$" at the end of a pattern matches.
func (r *rule) matches(path string) bool {
	rest, ok := strings.CutPrefix(path, r.texts[0])
	for _, text := range r.texts[1:] {
		if !ok {
			return false
		}
		_, rest, ok = strings.Cut(rest, text)
	}
	return ok
}

// isStronger reports whether the rule r overrides the rule other. A longer pattern overrides a
// shorter one. If the patterns are equally long, Allow overrides Disallow. If both rules are of the
// same kind, the earlier line overrides the later one.
// See RFC 9309, section 2.2.2.
func (r *rule) isStronger(other *rule) bool {
	if r.length != other.length {
		return r.length > other.length
	}
	if r.allow != other.allow {
		return r.allow
	}
	return r.line.Number < other.line.Number
}

// ForbiddingLine returns the line that forbids path to the user agent "*". ok is false if "*" or at
// least one major search engine may fetch path. path may be percent-encoded or not. It may have a
// query, which must be spelled as in the rules.
func (r *Rules) ForbiddingLine(path string) (line Line, ok bool) {
	path = normalizePath(path)
	for i := range r.groups {
		best := r.effectiveGroup(i).decidingRule(path)
		if best == nil || best.allow {
			return Line{}, false
		}
		if i == 0 {
			line = best.line
		}
	}
	return line, true
}

// effectiveGroup returns the group that a user agent obeys: its own group, or else the group "*".
// agent is an index in agents.
func (r *Rules) effectiveGroup(agent int) *group {
	if r.groups[agent].named {
		return &r.groups[agent]
	}
	return &r.groups[0]
}

// ForbiddenEngines returns an iterator over the major search engines that may not fetch path,
// although the group "*" allows path. For each engine, it yields the name and the line that forbids
// path.
func (r *Rules) ForbiddenEngines(path string) iter.Seq2[string, Line] {
	return func(yield func(engine string, line Line) bool) {
		if !slices.ContainsFunc(r.groups[1:], func(g group) bool { return g.named }) {
			return
		}
		path := normalizePath(path)
		if best := r.groups[0].decidingRule(path); best != nil && !best.allow {
			return // robots.txt forbids path by default and lists the allowed agents
		}
		for i := 1; i < len(agents); i++ {
			if best := r.effectiveGroup(i).decidingRule(path); best != nil && !best.allow && !yield(agents[i], best.line) {
				return
			}
		}
	}
}

// decidingRule returns the strongest rule of g that matches path, or nil if no rule matches. path
// is a result of normalizePath.
func (g *group) decidingRule(path string) (best *rule) {
	path += "$"
	for i := range g.rules {
		if r := &g.rules[i]; r.matches(path) && (best == nil || r.isStronger(best)) {
			best = r
		}
	}
	return best
}

var wildcardEscaper = strings.NewReplacer("*", "%2A", "$", "%24")

// normalizePath returns a path with an optional query in a form that can be compared with patterns.
// The path is percent-encoded, and an encoded "?" in the path stays encoded. In path and query,
// normalizePath also encodes "*" and "$", because these are wildcards in patterns. It does not
// change the query otherwise.
func normalizePath(path string) string {
	path, query, hasQuery := strings.Cut(path, "?")
	path = strings.ReplaceAll(wildcardEscaper.Replace(mapping.NormalizePath(path)), "?", "%3F")
	if hasQuery {
		path += "?" + wildcardEscaper.Replace(query)
	}
	return path
}

// normalizePattern returns the pattern of a rule in the form of normalizePath, but keeps the
// wildcards, "*" and a "$" at the end: "/a b*" becomes "/a%20b*". ok is false if the pattern
// matches no path, because it does not begin with "/" or "*".
func normalizePattern(pattern string) (normalized string, ok bool) {
	if pattern == "" || pattern[0] != '/' && pattern[0] != '*' {
		return "", false
	}
	pattern, end := strings.CutSuffix(pattern, "$")
	texts := strings.Split(pattern, "*")
	for i, text := range texts {
		texts[i] = normalizePath(text)
	}
	normalized = strings.Join(texts, "*")
	if end {
		normalized += "$"
	}
	return normalized, true
}
