package robots

import (
	"strings"

	"github.com/sitewalk/sitewalk/internal/glob"
	"github.com/sitewalk/sitewalk/mapping"
)

// Rules are the Allow and Disallow lines for all crawlers. They are safe for
// concurrent use. The zero Rules forbid nothing.
type Rules struct {
	rules []rule    // the strongest of each pattern
	tree  glob.Tree // of their patterns
}

// A rule is one Allow or Disallow line.
type rule struct {
	allow  bool
	length int // of the pattern, normalized
	line   Line
}

// A Mistake is a line that says nothing, and why.
type Mistake struct {
	Line
	Why string
}

// Parse reads the rules of a robots.txt. Lines that are not understood are skipped,
// as all crawlers do.
func Parse(src []byte) (*Rules, []Mistake) {
	p := parser{strongest: map[string]rule{}}
	for l := range Lines(src) {
		p.line(l)
	}
	return p.compiled(), p.mistakes
}

type parser struct {
	strongest map[string]rule // by pattern
	mistakes  []Mistake
	agents    bool // the last line that counts named an agent
	hasAgent  bool // an agent was named at all
	all       bool // the group is for all agents
}

func (p *parser) line(l Line) {
	switch l.Key {
	case UserAgent:
		if !p.agents {
			p.all = false
		}
		p.agents, p.hasAgent = true, true
		name, _, _ := strings.Cut(strings.ReplaceAll(l.Value, "\t", " "), " ")
		p.all = p.all || name == "*"
	case Allow, Disallow:
		p.agents = false
		if !p.hasAgent {
			p.mistakes = append(p.mistakes, Mistake{l, "it stands before the first User-agent"})
		} else if p.all && l.Value != "" {
			p.rule(l, l.Value)
		}
	}
}

func (p *parser) rule(l Line, value string) {
	pattern, ok := normalize(value)
	if !ok {
		p.mistakes = append(p.mistakes, Mistake{l, "the path must begin with / or *"})
		return
	}
	if strings.Contains(value, "?") {
		return // it is about queries, which pages do not have
	}
	allow := l.Key == Allow
	p.add(pattern, rule{allow: allow, line: l})
	if i := strings.LastIndexByte(value, '/'); allow && i >= 0 && strings.HasPrefix(value[i+1:], "index.htm") {
		p.rule(l, value[:i+1]+"$") // Google: a folder's index file is the folder
	}
}

// add takes a rule in. The pattern begins with / or *; a * or $ in it that stands for
// itself is percent-encoded.
func (p *parser) add(pattern string, new rule) {
	new.length = len(pattern)
	if old, known := p.strongest[pattern]; !known || new.isStronger(&old) {
		p.strongest[pattern] = new
	}
}

// compiled returns the rules that were read.
func (p *parser) compiled() *Rules {
	r := new(Rules)
	for pattern, rule := range p.strongest {
		r.tree.Add(len(r.rules), strings.Split(pattern, "*")...)
		r.rules = append(r.rules, rule)
	}
	return r
}

// isStronger reports whether a rule decides over another one: that with the longer
// pattern, of two that are equally long the Allow, RFC 9309 section 2.2.2, and else
// the first.
func (r *rule) isStronger(than *rule) bool {
	if r.length != than.length {
		return r.length > than.length
	}
	if r.allow != than.allow {
		return r.allow
	}
	return r.line.Number < than.line.Number
}

// Forbids returns the line that forbids all crawlers a path, percent-encoded or not.
func (r *Rules) Forbids(path string) (Line, bool) {
	best := r.decides(encoded(path))
	if best == nil || best.allow {
		return Line{}, false
	}
	return best.line, true
}

// decides returns the rule that decides about a normalized path, or nil.
func (r *Rules) decides(path string) (best *rule) {
	for _, n := range r.tree.Find(path + "$") { // a $ of its own ends the path
		if rule := &r.rules[n]; best == nil || rule.isStronger(best) {
			best = rule
		}
	}
	return best
}

var marks = strings.NewReplacer("*", "%2A", "$", "%24")

// encoded normalizes a path so that a * or $ in it is not taken for a mark.
func encoded(path string) string { return marks.Replace(mapping.CleanPath(path)) }

// normalize normalizes a pattern as paths are, but for its marks. It is false for one
// that stands for no path.
func normalize(pattern string) (normalized string, ok bool) {
	if pattern == "" || pattern[0] != '/' && pattern[0] != '*' {
		return "", false
	}
	pattern, end := strings.CutSuffix(pattern, "$")
	texts := strings.Split(pattern, "*")
	for i, text := range texts {
		texts[i] = encoded(text)
	}
	normalized = strings.Join(texts, "*")
	if end {
		normalized += "$"
	}
	return normalized, true
}
