package robots

import (
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/glob"
	"github.com/sitewalk/sitewalk/mapping"
)

// agents lists the user agents of the groups that matter. A major search engine without a group of its
// own obeys the group for all.
var agents = [...]string{"*", "googlebot", "bingbot"}

// Rules are the Allow and Disallow lines for all crawlers and for the major search engines.
// They are safe for concurrent use. The zero Rules forbid nothing.
type Rules struct {
	groups [len(agents)]group
}

// A group is the rules for one user agent.
type group struct {
	named bool
	rules []rule    // the strongest of each pattern
	tree  glob.Tree // of their patterns
}

// A rule is one Allow or Disallow line.
type rule struct {
	allow  bool
	length int // of the pattern, normalized
	line   Line
}

// A Mistake is a line that has no effect, and the reason.
type Mistake struct {
	Line
	Why string
}

// Parse reads the rules of a robots.txt. Like all crawlers, it skips lines that it does not
// understand.
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
	strongest [len(agents)]map[string]rule // by pattern; nil without a group
	current   [len(agents)]bool            // the group is for the agent
	mistakes  []Mistake
	inAgents  bool // the last line that counts named an agent
	hasAgent  bool // an agent was named at all
}

// addLine reads one line.
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

// agentName returns the name of a user agent in lower case, without a version.
func agentName(value string) string {
	name, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(value), "\t", " "), " ")
	name, _, _ = strings.Cut(name, "/")
	return name
}

// addRule adds an Allow or Disallow line to the current groups.
func (p *parser) addRule(l Line, value string) {
	pattern, ok := normalize(value)
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
		p.addRule(l, value[:i+1]+"$") // Google: a folder's index file is the folder
	}
}

// addStrongest adds a rule unless the pattern has a stronger one. The pattern begins with / or
// *; a * or $ in it that is no wildcard is percent-encoded.
func addStrongest(strongest map[string]rule, pattern string, new rule) {
	new.length = len(pattern)
	if old, known := strongest[pattern]; !known || new.isStronger(&old) {
		strongest[pattern] = new
	}
}

// newGroup returns the group with the strongest rule of each pattern.
func newGroup(strongest map[string]rule) group {
	g := group{named: strongest != nil}
	for pattern, rule := range strongest {
		g.tree.Add(len(g.rules), strings.Split(pattern, "*")...)
		g.rules = append(g.rules, rule)
	}
	return g
}

// isStronger reports whether r overrides another rule. The longer pattern wins, then Allow (RFC
// 9309, section 2.2.2), then the first line.
func (r *rule) isStronger(than *rule) bool {
	if r.length != than.length {
		return r.length > than.length
	}
	if r.allow != than.allow {
		return r.allow
	}
	return r.line.Number < than.line.Number
}

// ForbiddingLine returns a line that forbids a path, percent-encoded or not, perhaps with a query.
// It returns false if at least one major search engine may fetch the path.
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

// groupOf returns the group that an agent obeys.
func (r *Rules) groupOf(agent int) *group {
	if r.groups[agent].named {
		return &r.groups[agent]
	}
	return &r.groups[0]
}

// ForbiddenEngine returns the first major search engine that may not fetch a path which others
// may fetch, and the line that forbids it.
func (r *Rules) ForbiddenEngine(path string) (line Line, engine string, ok bool) {
	path = encodePath(path)
	if best := r.groups[0].decidingRule(path); best != nil && !best.allow {
		return Line{}, "", false // an allow-list
	}
	for i := 1; i < len(agents); i++ {
		if best := r.groupOf(i).decidingRule(path); best != nil && !best.allow {
			return best.line, agents[i], true
		}
	}
	return Line{}, "", false
}

// decidingRule returns the rule for a normalized path, or nil.
func (g *group) decidingRule(path string) (best *rule) {
	for _, n := range g.tree.Find(path + "$") { // a $ of its own ends the path
		if rule := &g.rules[n]; best == nil || rule.isStronger(best) {
			best = rule
		}
	}
	return best
}

var wildcardEscaper = strings.NewReplacer("*", "%2A", "$", "%24")

// encodePath normalizes a path with its query. It encodes *, $ and ? in the path, which are
// wildcards in patterns.
func encodePath(path string) string {
	path, query, hasQuery := strings.Cut(path, "?")
	path = strings.ReplaceAll(wildcardEscaper.Replace(mapping.CleanPath(path)), "?", "%3F")
	if hasQuery {
		path += "?" + wildcardEscaper.Replace(query)
	}
	return path
}

// normalize normalizes a pattern as encoded normalizes paths, but keeps its wildcards. It
// returns false for a pattern that matches no path.
func normalize(pattern string) (normalized string, ok bool) {
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
