package site

import (
	"sync"
	"time"

	"github.com/sitewalk/sitewalk/sitemap"
)

// A clock answers what depends on the time of a fold, and notes the next moment at
// which one of its answers becomes another one. It is safe for concurrent use.
type clock struct {
	now time.Time

	noting sync.Mutex
	next   time.Time // zero: never
}

// note takes a moment into account at which an answer changes.
func (c *clock) note(moment time.Time) {
	c.noting.Lock()
	defer c.noting.Unlock()
	if c.next.IsZero() || moment.Before(c.next) {
		c.next = moment
	}
}

// come reports whether a date has come, or comes within the slack.
func (c *clock) come(d sitemap.Date, slack time.Duration) bool {
	if d.After(c.now.Add(slack)) {
		c.note(d.Time().Add(-slack))
		return false
	}
	return true
}

// today returns the day of the fold, at whose end another one begins.
func (c *clock) today(zone *time.Location) sitemap.Date {
	now := c.now.In(zone)
	y, m, d := now.Date()
	c.note(time.Date(y, m, d+1, 0, 0, 0, 0, zone))
	return sitemap.DayOf(now)
}

// future reports whether d has not come yet: a time to the second, a day when
// it has begun nowhere on earth.
func (c *clock) future(d sitemap.Date) bool { return !d.IsZero() && !c.come(d, slack(d)) }

// ahead reports whether a publish date has not come yet.
func (c *clock) ahead(d sitemap.Date) bool { return !d.IsZero() && !c.come(d, 0) }

// past reports whether d has come.
func (c *clock) past(d sitemap.Date) bool { return !d.IsZero() && c.come(d, 0) }

// slack is how far in the future a date may lie: a day that has begun
// somewhere on earth is not the future, and clocks differ a little.
func slack(d sitemap.Date) time.Duration {
	if d.Precision() == sitemap.Day {
		return 14 * time.Hour
	}
	return 5 * time.Minute
}
