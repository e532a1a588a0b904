package mapping

import (
	"iter"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/glob"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Rule sets values for all pages that a glob matches.
type Rule struct {
	Match   string      // doublestar glob; see Rules
	Set     sitemap.URL // what the rule says; Loc is another address for the page
	Exclude bool
	Listing Listing  // where llms.txt lists the page
	Pos     diag.Pos // where the rule stands
}

// A Listing is the position of matching pages in llms.txt. A zero field is not set.
type Listing struct {
	Section  string // the heading that they stand under
	Limit    int    // how many of them are listed
	Optional bool   // they stand in the section that may be skipped
}

// Rules is a list of compiled rules. It is safe for concurrent use. A pattern that begins with "/"
// matches the decoded URL path below the base. Any other pattern matches the path of the built
// file or of the content file, each in its tree. "/tags/*" matches "/tags/go" but not "/tags/go/",
// and "/tags/**" matches both, and "/tags/". The zero Rules match nothing.
type Rules struct {
	rules []Rule
	globs glob.List // one for each rule
}

// NewRules compiles rules. The error quotes the first invalid pattern.
func NewRules(rules []Rule) (*Rules, error) {
	r := &Rules{rules: rules}
	for i := range rules {
		g, err := glob.New(rules[i].Match)
		if err != nil {
			return nil, err
		}
		r.globs = append(r.globs, g)
	}
	return r, nil
}

// Len returns the number of rules.
func (r *Rules) Len() int { return len(r.rules) }

// At returns rule i.
func (r *Rules) At(i int) *Rule { return &r.rules[i] }

// First returns the index of the first rule that matches a URL path below the base, or -1.
func (r *Rules) First(urlPath string) int {
	if all := r.matching(urlPath); len(all) > 0 {
		return all[0]
	}
	return -1
}

// Matching yields the matching rules of a page in order. file is "" for a page without a file, and
// content is "" if the content file is unknown.
func (r *Rules) Matching(file, content, urlPath string) iter.Seq2[int, *Rule] {
	return func(yield func(int, *Rule) bool) {
		found := slices.Concat(r.matching(urlPath), r.matching(file), r.matching(content))
		slices.Sort(found)
		for _, i := range slices.Compact(found) {
			if !yield(i, &r.rules[i]) {
				return
			}
		}
	}
}

// matching returns the indexes of the rules that match a path: rules for URLs if the path begins
// with a slash, otherwise rules for files.
func (r *Rules) matching(path string) []int {
	if path == "" {
		return nil
	}
	return slices.DeleteFunc(r.globs.MatchingIndexes(path), func(i int) bool {
		return (r.rules[i].Match[0] == '/') != (path[0] == '/')
	})
}
