package mapping

import (
	"iter"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/glob"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Rule applies to all pages whose URL path or file matches a glob. It sets values of the pages,
// or leaves the pages out.
type Rule struct {
	Match   string      // doublestar glob, such as "/blog/**"; see Rules
	Set     sitemap.URL // fields of the page's sitemap entry to set; Loc replaces the URL of the page
	Exclude bool        // leave the pages out
	Listing Listing     // position of the pages in llms.txt
	Pos     diag.Pos    // position of the rule in the settings file
}

// A Listing determines where llms.txt lists the pages that a rule matches. A field with its zero
// value is not set.
type Listing struct {
	Section  string // heading of the section with the pages
	Limit    int    // maximum number of pages to list
	Optional bool   // list the pages in the section "Optional"
}

// Rules is a list of rules with compiled globs. It is safe for concurrent use. The zero Rules
// contains no rules.
//
// A glob that begins with "/" is compared with the decoded URL path relative to the base URL. Any
// other glob is compared with the path of the built file and the path of the content file, relative
// to their folders. "/tags/*" matches "/tags/go" but not "/tags/go/". "/tags/**" matches "/tags/",
// "/tags/go" and "/tags/go/".
type Rules struct {
	rules []Rule
	globs glob.List // compiled globs of the rules, in the same order
}

// NewRules returns Rules with the given rules. If the globs of some rules are invalid, the error
// quotes the first of these globs.
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

// Len returns the number of rules in r.
func (r *Rules) Len() int { return len(r.rules) }

// At returns the rule with the index i.
func (r *Rules) At(i int) *Rule { return &r.rules[i] }

// FirstMatch returns the index of the first rule whose glob matches urlPath, a decoded path
// relative to the base URL, such as "/blog/a". It returns -1 if no rule matches.
func (r *Rules) FirstMatch(urlPath string) int {
	if all := r.matchingIndexes(urlPath); len(all) > 0 {
		return all[0]
	}
	return -1
}

// Matching returns an iterator over the rules that match a page, with their indexes, in the order
// of the rules. file is the path of the built file, and content the path of the content file. Each
// of the three paths may be "".
func (r *Rules) Matching(file, content, urlPath string) iter.Seq2[int, *Rule] {
	return func(yield func(int, *Rule) bool) {
		found := slices.Concat(r.matchingIndexes(urlPath), r.matchingIndexes(file), r.matchingIndexes(content))
		slices.Sort(found)
		for _, i := range slices.Compact(found) {
			if !yield(i, &r.rules[i]) {
				return
			}
		}
	}
}

// matchingIndexes returns the sorted indexes of the rules whose globs match path. A path that
// begins with a slash is a URL path. Any other path is the path of a file.
func (r *Rules) matchingIndexes(path string) []int {
	if path == "" {
		return nil
	}
	return slices.DeleteFunc(r.globs.MatchingIndexes(path), func(i int) bool {
		return (r.rules[i].Match[0] == '/') != (path[0] == '/')
	})
}
