package site

import (
	"fmt"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
)

// locals reports, once for all, the pages that name a local server.
func (f *fold) locals() {
	var first *facts.Page
	n := 0
	for _, r := range f.pages {
		if r.Rest == nil || r.Rest.Local == "" {
			continue
		}
		if n++; first == nil {
			first = r
		}
	}
	if n == 0 {
		return
	}
	more := ""
	if n > 1 {
		more = fmt.Sprintf("; so do %s", diag.Count(n-1, "more page"))
	}
	f.report.Add(diag.Warnf(f.pos(&record{Page: first}), "local-address", "build the site for production before you publish it",
		"it names %s, as a development server writes addresses%s; they are read as %s", first.Rest.Local, more, f.parts[first.Part].Base).About(first.Rest.Local))
}
