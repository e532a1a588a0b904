package page

import (
	"time"

	"github.com/sitewalk/sitewalk/sitemap"
)

// Expiry returns the date after which the page must not be indexed, or the zero date. A date
// without a zone is in zone.
func (d Directives) Expiry(zone *time.Location) (sitemap.Date, error) {
	if d.UnavailableAfter == "" {
		return sitemap.Date{}, nil
	}
	return sitemap.ParseDate(d.UnavailableAfter, zone)
}
