package site

import (
	"time"

	"github.com/sitewalk/sitewalk/sitemap"
)

// note takes a moment into account at which an answer changes; zero is none.
func (s *view) note(moment time.Time) {
	if s.next.IsZero() || !moment.IsZero() && moment.Before(s.next) {
		s.next = moment
	}
}

// come reports whether a date has come, or comes within the slack. What
// depends on the time asks here, so that the next moment is known at which an
// answer that was given becomes another one.
func (s *view) come(d sitemap.Date, slack time.Duration) bool {
	if d.After(s.now.Add(slack)) {
		s.note(d.Time().Add(-slack))
		return false
	}
	return true
}

// today returns the day of a fold, at whose end another one begins.
func (s *view) today() sitemap.Date {
	now := s.now.In(s.o.Zone)
	y, m, d := now.Date()
	s.note(time.Date(y, m, d+1, 0, 0, 0, 0, s.o.Zone))
	return sitemap.DayOf(now)
}
