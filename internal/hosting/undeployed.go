package hosting

import "github.com/sitewalk/sitewalk/internal/diag"

// undeployed are the files of the publish directory that a host's own tool does not
// deploy.
type undeployed struct {
	index
	rules []Verdict
}

func (u *undeployed) add(p pattern, pos diag.Pos, text string) {
	u.index.add(p)
	u.rules = append(u.rules, Verdict{Pos: pos, Text: text})
}

// Undeployed returns the rule by which a file of the publish directory is not
// deployed.
func (s *Site) Undeployed(file string) (Verdict, bool) {
	if s == nil || len(s.left.rules) == 0 {
		return Verdict{}, false
	}
	for i := range s.left.matching("/" + file) {
		return s.left.rules[i], true
	}
	return Verdict{}, false
}

// deployed is exists for the files that are deployed.
func (s *Site) deployed(exists func(file string) bool) func(string) bool {
	if len(s.left.rules) == 0 {
		return exists
	}
	return func(file string) bool {
		_, out := s.Undeployed(file)
		return !out && exists(file)
	}
}
