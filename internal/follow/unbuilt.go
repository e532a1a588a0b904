package follow

import (
	"fmt"
	"time"

	"github.com/sitewalk/sitewalk/internal/build"
	"github.com/sitewalk/sitewalk/internal/facts"
)

// unbuiltAfter is how long a generator may take to build the page of a content
// file that changed before its development server is thought of, which keeps
// pages in memory.
const unbuiltAfter = 10 * time.Second

// noteEdits remembers when content changed of which no page was built since.
func (s *session) noteEdits(c facts.Change) {
	switch {
	case s.build.Settings.Server == "", s.build.Settings.Site.Pages == nil:
	case len(c.Pages) > 0:
		s.unbuilt = time.Time{}
	case len(c.Content) > 0 && s.unbuilt.IsZero():
		s.unbuilt = s.o.Now()
	}
}

// untilUnbuilt is how long to wait for a page of content that changed; limit when
// that is shorter or nothing is waited for.
func (s *session) untilUnbuilt(limit time.Duration) time.Duration {
	if s.unbuilt.IsZero() || s.serverTold {
		return limit
	}
	return min(limit, s.unbuilt.Add(unbuiltAfter).Sub(s.o.Now()))
}

// tellServer says once why nothing may have been built.
func (s *session) tellServer(why string) {
	if server := s.build.Settings.Server; server != "" && !s.serverTold {
		s.serverTold = true
		s.o.Tell.Note(why + server)
	}
}

// lookUnbuilt says so when content changed a while ago, and nothing was built.
func (s *session) lookUnbuilt() {
	if s.unbuilt.IsZero() || s.o.Now().Sub(s.unbuilt) < unbuiltAfter {
		return
	}
	dir := build.UserPath(s.o.Build.Dir, s.build.Settings.Site.Pages.Dir)
	s.tellServer(fmt.Sprintf("content changed %v ago, and nothing in %s has; ", unbuiltAfter, dir))
}
