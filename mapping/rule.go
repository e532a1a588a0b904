package mapping

import (
	"iter"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/glob"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Rule says something of all pages that a glob matches.
type Rule struct {
	Match   string      // doublestar glob; see Rules
	Set     sitemap.URL // what the rule says; Loc is another address for the page
	Exclude bool
	Listing Listing  // where llms.txt lists the page
	Pos     diag.Pos // where the rule stands
}

// A Listing is what a rule says of the place of its pages in llms.txt. Zero fields say
// nothing.
type Listing struct {
	Section  string // the heading that they stand under
	Limit    int    // how many of them are listed
	Optional bool   // they stand in the section that may be skipped
}

// Rules are rules ready to be matched, safe for concurrent use. A pattern that
// begins with "/" is matched against the decoded URL path below the base, any
// other against the path of the built file in its tree and that of the content
// file in its own. As everywhere with doublestar, "/tags/*" matches "/tags/go"
// and not "/tags/go/", and "/tags/**" matches both and "/tags/" itself. The zero
// Rules match nothing.
type Rules struct {
	rules []Rule
	globs glob.List // one for each rule
}

// NewRules prepares rules. A pattern that is no valid glob is an error that
// quotes it.
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

// Len returns how many rules there are.
func (r *Rules) Len() int { return len(r.rules) }

// At returns rule i.
func (r *Rules) At(i int) *Rule { return &r.rules[i] }

// First returns the index of the first rule that matches a URL path below the base, or
// -1.
func (r *Rules) First(urlPath string) int {
	if all := r.matching(urlPath); len(all) > 0 {
		return all[0]
	}
	return -1
}

// Matching returns, in order, the rules that match a page. file is "" for a page
// that no file stands for, content for one whose content file is not known.
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

// matching returns the rules that match a path: those for URLs if it begins with a slash,
// else those for files.
func (r *Rules) matching(path string) []int {
	if path == "" {
		return nil
	}
	return slices.DeleteFunc(r.globs.Matching(path), func(i int) bool {
		return (r.rules[i].Match[0] == '/') != (path[0] == '/')
	})
}
