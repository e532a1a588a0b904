package site

import (
	"sync"
	"time"

	"github.com/sitewalk/sitewalk/sitemap"
)

// A clock compares dates with the time of a ListPages call. It also records when one of these
// comparisons will next have a different result. It is safe for concurrent use.
type clock struct {
	now time.Time

	noting sync.Mutex
	next   time.Time // next time at which the result of a comparison changes; zero if none changes
}

// noteNextChange records that the result of a comparison changes at the time moment. The clock
// keeps only the earliest such time.
func (c *clock) noteNextChange(moment time.Time) {
	c.noting.Lock()
	defer c.noting.Unlock()
	if c.next.IsZero() || moment.Before(c.next) {
		c.next = moment
	}
}

// hasCome reports whether d is at or before the clock's time plus slack. If not, it records when
// the result will change. slack may be negative.
func (c *clock) hasCome(d sitemap.Date, slack time.Duration) bool {
	if d.After(c.now.Add(slack)) {
		c.noteNextChange(d.Time().Add(-slack))
		return false
	}
	return true
}

// today returns the day of the clock's time in zone. It records when the next day begins.
func (c *clock) today(zone *time.Location) sitemap.Date {
	now := c.now.In(zone)
	y, m, d := now.Date()
	c.noteNextChange(time.Date(y, m, d+1, 0, 0, 0, 0, zone))
	return sitemap.DayOf(now)
}

// isFuture reports whether d is in the future by more than futureTolerance. A day without a time is
// thus in the future only if it has not yet begun in any time zone. isFuture returns false for the
// zero date.
func (c *clock) isFuture(d sitemap.Date) bool {
	return !d.IsZero() && !c.hasCome(d, futureTolerance(d))
}

// isPending reports whether the publish date d is still in the future. It is false for the zero
// date.
func (c *clock) isPending(d sitemap.Date) bool { return !d.IsZero() && !c.hasCome(d, 0) }

// isPast reports whether d is now or in the past. It is false for the zero date.
func (c *clock) isPast(d sitemap.Date) bool { return !d.IsZero() && c.hasCome(d, 0) }

// futureTolerance returns how far d may be after the clock's time without being in the future. The
// result is 14 hours for a day without a time, because the day may already have begun in another
// time zone. For a date with a time, it is 5 minutes, because the clocks of two computers differ a
// little.
func futureTolerance(d sitemap.Date) time.Duration {
	if d.Precision() == sitemap.Day {
		return 14 * time.Hour
	}
	return 5 * time.Minute
}
