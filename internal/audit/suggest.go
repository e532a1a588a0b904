package audit

import (
	"strings"

	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/internal/strict"
)

// A suggester suggests the listed URL that a dead link probably means.
type suggester struct {
	res     *site.Result
	answers *explain.Answers
	byName  map[string]string // listed URLs by last name; "" if several URLs have the name
	tries   int
}

const (
	maxTries    = 1000 // maximum number of dead links with a suggestion
	maxSiblings = 1000 // maximum number of URLs compared in one folder
)

func newSuggester(res *site.Result) *suggester {
	s := &suggester{res: res, answers: explain.New(res), byName: map[string]string{}}
	for _, r := range res.List {
		loc := r.Entry.Loc
		_, name := splitName(loc)
		if _, taken := s.byName[name]; taken {
			loc = ""
		}
		s.byName[name] = loc
	}
	return s
}

// suggest returns the listed URL that loc probably means, or "". Candidates are: loc in another
// spelling, a URL with a similar name in the same folder, and the only URL with the same last
// name.
func (s *suggester) suggest(loc string) string {
	if s.tries++; s.tries > maxTries {
		return ""
	}
	if near := s.answers.Respelled(loc); near != "" {
		return near
	}
	folder, name := splitName(loc)
	var names []string
	urls := map[string]string{}
	for i, _ := s.res.List.Find(folder); i < len(s.res.List) && len(names) < maxSiblings; i++ {
		other := s.res.List[i].Entry.Loc
		if !strings.HasPrefix(other, folder) {
			break
		}
		if in, name := splitName(other); in == folder && name != "" {
			names, urls[name] = append(names, name), other
		}
	}
	if near := closest(name, names); near != "" {
		return urls[near]
	}
	if len(name) < 3 || name == "index" {
		return ""
	}
	return s.byName[name]
}

// splitName splits a URL into its folder and its last name. The name is in lower case and has
// no ".html".
func splitName(loc string) (folder, name string) {
	loc = strings.TrimSuffix(loc, "/")
	i := strings.LastIndexByte(loc, '/') + 1
	return loc[:i], strings.ToLower(strings.TrimSuffix(loc[i:], ".html"))
}

// closest returns the name with the smallest edit distance. It returns "" if the distance is
// too large or two names are equally close.
func closest(name string, names []string) (best string) {
	least, twice := 1+max(1, len(name)/4), false
	for _, other := range names {
		d := strict.EditDistance(name, other, least)
		switch {
		case other == name || d > least || d == least && best == "":
		case d < least:
			best, least, twice = other, d, false
		case other != best:
			twice = true
		}
	}
	if twice {
		return ""
	}
	return best
}
