package list

import (
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// obsolete is what a list says that no search engine reads any more.
type obsolete struct {
	pos   diag.Pos // of the first
	names []string
}

func (o *obsolete) add(pos diag.Pos, name string) {
	if o.names == nil {
		o.pos = pos
	}
	if !slices.Contains(o.names, name) {
		o.names = append(o.names, name)
	}
}

// tell says once for all files what is left behind.
func (o *obsolete) tell(findings *diag.Report) {
	if o.names == nil {
		return
	}
	findings.Add(diag.Notef(o.pos, "obsolete-field", "", "dropped, because search engines no longer read it: %s", strings.Join(o.names, ", ")))
}
