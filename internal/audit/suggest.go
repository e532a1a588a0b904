package audit

import (
	"strings"

	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/internal/strict"
)

// A suggester suggests the listed URL that a dead link probably means.
type suggester struct {
	list    site.List
	answers *explain.Answers
	tries   int
	byName  map[string]string // listed URLs by last name; "" if several URLs have the name
}

const (
	maxTries    = 1000 // maximum number of dead links with a suggestion
	maxSiblings = 1000 // maximum number of URLs compared in one folder
)

func newSuggester(res *site.Result) *suggester {
	s := &suggester{list: res.List, answers: explain.New(res), byName: map[string]string{}}
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
// spelling, the only URL with the same last name, and a URL with a similar name in the same
// folder.
func (s *suggester) suggest(loc string) string {
	if s.tries++; s.tries > maxTries {
		return ""
	}
	if near := s.answers.Respelled(loc); near != "" {
		return near
	}
	folder, name := splitName(loc)
	if len(name) < 3 || name == "index" {
		return ""
	}
	if to := s.byName[name]; to != "" {
		return to
	}
	var names []string
	urls := map[string]string{}
	for i, _ := s.list.Find(folder); i < len(s.list) && len(names) < maxSiblings; i++ {
		other := s.list[i].Entry.Loc
		if !strings.HasPrefix(other, folder) {
			break
		}
		if in, name := splitName(other); in == folder {
			names, urls[name] = append(names, name), other
		}
	}
	return urls[strict.NearestWord(name, names)]
}

// splitName splits a URL into its folder and its last name. The name is in lower case and has
// no ".html".
func splitName(loc string) (folder, name string) {
	loc = strings.TrimSuffix(loc, "/")
	i := strings.LastIndexByte(loc, '/') + 1
	return loc[:i], strings.ToLower(strings.TrimSuffix(loc[i:], ".html"))
}
