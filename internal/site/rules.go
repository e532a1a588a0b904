package site

import (
	"encoding/binary"

	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/sitemap"
)

// matchRules finds the rules that match each page, and returns how many pages
// each rule matches.
func matchRules(w *World, pages []Page) []int {
	hits := make([]int, w.Options.Rules.Len())
	parts := files.ParallelParts(len(pages), func(from, to int) *ruleSets {
		sets := newRuleSets(w.Options.Rules)
		for i := from; i < to; i++ {
			r := &pages[i]
			r.Rules = sets.get(r.Facts.File, r.ContentName(), w.Path(r))
		}
		return sets
	})
	for _, sets := range parts {
		for i, n := range sets.hits {
			hits[i] += n
		}
	}
	return hits
}

// A RuleSet combines all rules that match a page. Pages that match the same rules share one
// RuleSet.
type RuleSet struct {
	URL      sitemap.URL     // what they say together; Loc is an override
	Exclude  *mapping.Rule   // the last one that excludes the page, or nil
	Matching []*mapping.Rule // all of them, in order
}

// ruleSets creates and shares RuleSets, and counts the pages that each rule matches.
type ruleSets struct {
	rules *mapping.Rules
	sets  map[string]*RuleSet
	key   []byte
	hits  []int
}

func newRuleSets(rules *mapping.Rules) *ruleSets {
	return &ruleSets{rules: rules, sets: map[string]*RuleSet{}, hits: make([]int, rules.Len())}
}

// get returns the RuleSet of one page, or nil if no rule matches.
func (s *ruleSets) get(file, content, urlPath string) *RuleSet {
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
