package site

import (
	"time"

	"github.com/sitewalk/sitewalk/sitemap"
)

// A Span is the time during which the same files give the same result.
type Span struct {
	From  time.Time // zero: always until now
	Until time.Time // zero: for ever
}

// Holds reports whether a time lies within the span.
func (p Span) Holds(now time.Time) bool {
	return !now.Before(p.From) && (p.Until.IsZero() || now.Before(p.Until))
}

// passed and ahead take a moment into account at which an answer changes, before
// and after the time of the fold.
func (p *Span) passed(moment time.Time) {
	if moment.After(p.From) {
		p.From = moment
	}
}

func (p *Span) ahead(moment time.Time) {
	if p.Until.IsZero() || moment.Before(p.Until) {
		p.Until = moment
	}
}

// meet narrows the span to what it has in common with another.
func (p *Span) meet(o Span) {
	p.passed(o.From)
	if !o.Until.IsZero() {
		p.ahead(o.Until)
	}
}

// come reports whether a date has come, or comes within the slack. Whatever
// depends on the time asks here, so that it is known for how long a fold holds:
// as long as no answer that was given becomes another one.
func (s *view) come(d sitemap.Date, slack time.Duration) bool {
	if d.After(s.now.Add(slack)) {
		s.span.ahead(d.Time().Add(-slack))
		return false
	}
	if d.After(s.span.From.Add(slack)) { // seldom, and only then d.Time is worth its price
		s.span.passed(d.Time().Add(-slack))
	}
	return true
}

// today returns the day of a fold, whose end is the end of the fold's span.
func (s *view) today() sitemap.Date {
	now := s.now.In(s.o.Zone)
	y, m, d := now.Date()
	s.span.passed(time.Date(y, m, d, 0, 0, 0, 0, s.o.Zone))
	s.span.ahead(time.Date(y, m, d+1, 0, 0, 0, 0, s.o.Zone))
	return sitemap.DayOf(now)
}
