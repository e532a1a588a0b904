package robots

import (
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/glob"
	"github.com/sitewalk/sitewalk/mapping"
)

// agents lists the user agents whose groups sitewalk reads: all crawlers ("*") and the major
// search engines. A search engine without a group of its own obeys the group "*".
var agents = [...]string{"*", "googlebot", "bingbot"}

// Rules contains the Allow and Disallow lines for all crawlers and for the major search engines.
// The zero Rules forbids nothing. Rules is safe for concurrent use.
type Rules struct {
	groups [len(agents)]group
}

// A group contains the rules for one user agent.
type group struct {
	named bool      // robots.txt has a "User-agent" line for this agent
	rules []rule    // the strongest rule of each pattern
	tree  glob.Tree // the patterns of rules, numbered by index
}

// A rule is one Allow or Disallow line.
type rule struct {
	allow  bool
	length int // length of the normalized pattern in bytes
	line   Line
}

// A Mistake is a line of robots.txt that has no effect.
type Mistake struct {
	Line
	Reason string // the reason, such as "the path must begin with / or *"
}

// Parse returns the rules of the robots.txt file src, and the lines that have no effect. Like all
// crawlers, it skips lines that it does not understand.
func Parse(src []byte) (*Rules, []Mistake) {
	var p parser
	for l := range Lines(src) {
		p.addLine(l)
	}
	r := new(Rules)
	for i := range r.groups {
		r.groups[i] = newGroup(p.strongest[i])
	}
	return r, p.mistakes
}

type parser struct {
	strongest [len(agents)]map[string]rule // for each agent: the strongest rule of each pattern; nil if the agent has no group
	current   [len(agents)]bool            // for each agent: the current group applies to the agent
	mistakes  []Mistake
	inAgents  bool // the last line with a meaning was a "User-agent" line
	hasAgent  bool // a "User-agent" line was read
}

// addLine adds one line of robots.txt to the groups or to the mistakes.
func (p *parser) addLine(l Line) {
	switch l.Key {
	case UserAgent:
		if !p.inAgents {
			p.current = [len(agents)]bool{}
		}
		p.inAgents, p.hasAgent = true, true
		i := slices.Index(agents[:], agentName(l.Value))
		if i < 0 {
			return
		}
		p.current[i] = true
		if p.strongest[i] == nil {
			p.strongest[i] = map[string]rule{}
		}
	case Allow, Disallow:
		p.inAgents = false
		if !p.hasAgent {
			p.mistakes = append(p.mistakes, Mistake{l, "it stands before the first User-agent"})
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

// addRule adds the Allow or Disallow line l to the current groups. value is the path of the rule.
func (p *parser) addRule(l Line, value string) {
	pattern, ok := normalizePattern(value)
	if !ok {
		p.mistakes = append(p.mistakes, Mistake{l, "the path must begin with / or *"})
		return
	}
	allow := l.Key == Allow
	for i, isCurrent := range p.current {
		if isCurrent {
			addStrongest(p.strongest[i], pattern, rule{allow: allow, line: l})
		}
	}
	if i := strings.LastIndexByte(value, '/'); allow && i >= 0 && strings.HasPrefix(value[i+1:], "index.htm") {
		p.addRule(l, value[:i+1]+"$") // Google: a rule that allows the index file of a folder also allows the folder
	}
}

// addStrongest adds the rule new for pattern, unless the pattern already has a stronger rule. The
// pattern begins with "/" or "*". A "*" or "$" that is not a wildcard is percent-encoded in
// pattern.
func addStrongest(strongest map[string]rule, pattern string, new rule) {
	new.length = len(pattern)
	if old, known := strongest[pattern]; !known || new.isStronger(&old) {
		strongest[pattern] = new
	}
}

// newGroup returns the group of a user agent. A nil map means that robots.txt does not name the
// agent.
func newGroup(strongest map[string]rule) group {
	g := group{named: strongest != nil}
	for pattern, rule := range strongest {
		g.tree.AddPattern(len(g.rules), strings.Split(pattern, "*")...)
		g.rules = append(g.rules, rule)
	}
	return g
}

// isStronger reports whether the rule r overrides the rule other. The rule with the longer pattern
// wins, then Allow wins over Disallow, then the earlier line wins.
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

// ForbiddingLine returns the line that forbids path to all major search engines. The result ok is
// false if at least one of them may fetch the path. path may have a query, and may be
// percent-encoded or not.
func (r *Rules) ForbiddingLine(path string) (line Line, ok bool) {
	path = encodePath(path)
	for i := range r.groups {
		best := r.groupOf(i).decidingRule(path)
		if best == nil || best.allow {
			return Line{}, false
		}
		if i == 0 {
			line = best.line
		}
	}
	return line, true
}

// groupOf returns the group that applies to an agent, given by its index in agents.
func (r *Rules) groupOf(agent int) *group {
	if r.groups[agent].named {
		return &r.groups[agent]
	}
	return &r.groups[0]
}

// ForbiddenEngine finds a major search engine that may not fetch path although the group "*"
// allows it. It returns the name of the first such engine and the line that forbids path. The
// result ok is false if there is none.
func (r *Rules) ForbiddenEngine(path string) (line Line, engine string, ok bool) {
	path = encodePath(path)
	if best := r.groups[0].decidingRule(path); best != nil && !best.allow {
		return Line{}, "", false // robots.txt forbids path by default and lists the allowed agents
	}
	for i := 1; i < len(agents); i++ {
		if best := r.groupOf(i).decidingRule(path); best != nil && !best.allow {
			return best.line, agents[i], true
		}
	}
	return Line{}, "", false
}

// decidingRule returns the strongest rule of g that matches the normalized path, or nil if none
// matches.
func (g *group) decidingRule(path string) (best *rule) {
	for _, n := range g.tree.FindPrefixMatches(path + "$") { // the added "$" matches a pattern's "$", which means the end of the path
		if rule := &g.rules[n]; best == nil || rule.isStronger(best) {
			best = rule
		}
	}
	return best
}

var wildcardEscaper = strings.NewReplacer("*", "%2A", "$", "%24")

// encodePath normalizes a path with an optional query. It percent-encodes "*", "$" and "?" in the
// path, because "*" and "$" are wildcards in patterns and "?" begins the query.
func encodePath(path string) string {
	path, query, hasQuery := strings.Cut(path, "?")
	path = strings.ReplaceAll(wildcardEscaper.Replace(mapping.NormalizePath(path)), "?", "%3F")
	if hasQuery {
		path += "?" + wildcardEscaper.Replace(query)
	}
	return path
}

// normalizePattern normalizes the path of a rule as encodePath does, but keeps the wildcards. The
// result ok is false if the pattern cannot match any path.
func normalizePattern(pattern string) (normalized string, ok bool) {
	if pattern == "" || pattern[0] != '/' && pattern[0] != '*' {
		return "", false
	}
	pattern, end := strings.CutSuffix(pattern, "$")
	texts := strings.Split(pattern, "*")
	for i, text := range texts {
		texts[i] = encodePath(text)
	}
	normalized = strings.Join(texts, "*")
	if end {
		normalized += "$"
	}
	return normalized, true
}
