package site

import (
	"encoding/binary"

	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/sitemap"
)

// matchRules sets Rules of each page, and r.Hits.
func (r *Result) matchRules() {
	r.Hits = make([]int, r.World.Options.Rules.Len())
	parts := files.ParallelParts(len(r.pages), func(from, to int) *ruleMatcher {
		matcher := newRuleMatcher(r.World.Options.Rules)
		for i := from; i < to; i++ {
			p := &r.pages[i]
			p.Rules = matcher.ruleSetOf(p.Facts.File, p.contentName(), p.Facts.Path)
		}
		return matcher
	})
	for _, matcher := range parts {
		for i, n := range matcher.hits {
			r.Hits[i] += n
		}
	}
}

// A RuleSet contains all rules that match a page. Pages that match the same rules share one
// RuleSet.
type RuleSet struct {
	URL      sitemap.URL     // values that the rules set together; Loc replaces the page's URL
	Exclude  *mapping.Rule   // the last rule that excludes the page, or nil
	Matching []*mapping.Rule // all rules that match, in the order of the configuration
}

// A ruleMatcher finds the RuleSet of each page, and counts the pages that each rule matches.
type ruleMatcher struct {
	rules *mapping.Rules
	sets  map[string]*RuleSet
	key   []byte
	hits  []int
}

func newRuleMatcher(rules *mapping.Rules) *ruleMatcher {
	return &ruleMatcher{rules: rules, sets: map[string]*RuleSet{}, hits: make([]int, rules.Len())}
}

// ruleSetOf returns the RuleSet of a page, or nil if no rule matches. file is the page file,
// content the content file, and urlPath the path of the page's URL. file and content may be "".
func (s *ruleMatcher) ruleSetOf(file, content, urlPath string) *RuleSet {
	s.key = s.key[:0]
	for i := range s.rules.Matching(file, content, urlPath) {
		s.key = binary.AppendUvarint(s.key, uint64(i))
		s.hits[i]++
	}
	if len(s.key) == 0 {
		return nil
	}
	if set := s.sets[string(s.key)]; set != nil {
		return set
	}
	set := new(RuleSet)
	for _, r := range s.rules.Matching(file, content, urlPath) {
		set.URL = r.Set.Or(set.URL)
		set.Matching = append(set.Matching, r)
		if r.Exclude {
			set.Exclude = r
		}
	}
	s.sets[string(s.key)] = set
	return set
}
