package submit

import (
	"fmt"

	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/mapping"
)

// notHere says why this is not the moment to tell anybody of anything: the run of
// a preview or of a pull request.
func notHere(getenv func(string) string) string {
	if what, yes := hosting.Preview(getenv); yes {
		return "this is a preview deployment (" + what + ")"
	}
	if what, yes := hosting.PullRequest(getenv); yes {
		return "this is the run of a pull request (" + what + ")"
	}
	return ""
}

// notThis says why no change of a site at such an address is submitted.
func notThis(s *config.Settings, getenv func(string) string) string {
	for _, p := range s.Site.Parts() {
		if mapping.LocalHost(p.Base.String()) {
			return fmt.Sprintf("%s is on this machine", p.Base)
		}
		if why, yes := hosting.OneDeployment(p.Base.Host(), getenv); yes {
			return fmt.Sprintf("%s is the address of one deployment (%s)", p.Base, why)
		}
	}
	return ""
}
