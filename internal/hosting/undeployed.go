package hosting

// Undeployed returns the rule by which a file of the publish directory is not
// deployed.
func (s *Site) Undeployed(file string) (Verdict, bool) {
	if s == nil || len(s.ignores.rules) == 0 {
		return Verdict{}, false
	}
	for match := range s.ignores.matching("/" + file) {
		return match.rule, true
	}
	return Verdict{}, false
}

// deployed is exists for the files that are deployed.
func (s *Site) deployed(exists func(file string) bool) func(string) bool {
	if len(s.ignores.rules) == 0 {
		return exists
	}
	return func(file string) bool {
		_, out := s.Undeployed(file)
		return !out && exists(file)
	}
}
