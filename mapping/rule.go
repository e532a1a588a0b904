package mapping

import (
	"fmt"
	"iter"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Rule says something of all pages that a glob matches.
type Rule struct {
	Match   string      // doublestar glob; see Rules
	Set     sitemap.URL // what the rule says; Loc is another address for the page
	Exclude bool
	Pos     diag.Pos // where the rule stands
}

// Rules are rules ready to be matched, safe for concurrent use. A pattern that
// begins with "/" is matched against the decoded URL path below the base, any
// other against the path of the built file in its tree and that of the content
// file in its own. As everywhere with doublestar, "/tags/*" matches "/tags/go"
// and not "/tags/go/", and "/tags/**" matches both and "/tags/" itself. The zero
// Rules match nothing.
type Rules struct {
	rules []Rule
	globs []glob
}

// NewRules prepares rules. A pattern that is no valid glob is an error that
// quotes it.
func NewRules(rules []Rule) (*Rules, error) {
	r := &Rules{rules: rules, globs: make([]glob, len(rules))}
	for i := range rules {
		g, err := newGlob(rules[i].Match)
		if err != nil {
			return nil, err
		}
		r.globs[i] = g
	}
	return r, nil
}

// Len returns how many rules there are.
func (r *Rules) Len() int { return len(r.rules) }

// At returns rule i.
func (r *Rules) At(i int) *Rule { return &r.rules[i] }

// Matching returns, in order, the rules that match a page. file is "" for a page
// that no file stands for, content for one whose content file is not known.
func (r *Rules) Matching(file, content, urlPath string) iter.Seq2[int, *Rule] {
	return func(yield func(int, *Rule) bool) {
		for i := range r.globs {
			g := &r.globs[i]
			matches := g.url && g.of(urlPath) || !g.url && (g.of(file) || g.of(content))
			if matches && !yield(i, &r.rules[i]) {
				return
			}
		}
	}
}

// A glob is a pattern with what can be told of its matches at a glance: they
// begin with prefix and end with suffix. Most paths are refused by these, so
// that 50 rules on 100,000 pages cost no more than reading a few of them.
type glob struct {
	pattern        string
	prefix, suffix string
	url            bool // matched against URL paths
	rest           bool // pattern is prefix, then "/**" or "**" and nothing else: prefix decides
}

func newGlob(pattern string) (glob, error) {
	if pattern == "" {
		return glob{}, fmt.Errorf("the pattern is empty; write a glob such as %q", "blog/**")
	}
	if !doublestar.ValidatePattern(pattern) {
		return glob{}, fmt.Errorf("%q is no valid glob; close each [ and {, and write \\[ or \\{ for the character itself", pattern)
	}
	g := glob{pattern: pattern, url: pattern[0] == '/'}
	first := strings.IndexAny(pattern, `*?[{\`)
	if first < 0 {
		g.prefix, g.suffix = pattern, pattern
		return g, nil
	}
	g.prefix = pattern[:first]
	g.rest = pattern[first:] == "**" && strings.HasSuffix(g.prefix, "/") || pattern == "**"
	if strings.HasPrefix(pattern[first:], "**") || pattern[first] == '{' {
		g.prefix = strings.TrimSuffix(g.prefix, "/") // a/** matches a, too
	}
	if last := strings.LastIndexAny(pattern, `*?]}`); !strings.Contains(pattern[last+1:], `\`) {
		g.suffix = strings.TrimPrefix(pattern[last+1:], "/") // **/a matches a, too
	}
	return g, nil
}

// of reports whether a path that is known matches.
func (g *glob) of(path string) bool { return path != "" && g.match(path) }

func (g *glob) match(s string) bool {
	if !strings.HasPrefix(s, g.prefix) || !strings.HasSuffix(s, g.suffix) {
		return false
	}
	if g.rest {
		return g.pattern == "**" || len(s) == len(g.prefix) || s[len(g.prefix)] == '/'
	}
	return doublestar.MatchUnvalidated(g.pattern, s)
}
