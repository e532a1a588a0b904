package page

import (
	"time"

	"github.com/sitewalk/sitewalk/sitemap"
)

// Expiry parses UnavailableAfter. It returns the zero Date if there is no such date. A date without
// a zone is in zone.
func (d Directives) Expiry(zone *time.Location) (sitemap.Date, error) {
	if d.UnavailableAfter == "" {
		return sitemap.Date{}, nil
	}
	return sitemap.ParseDate(d.UnavailableAfter, zone)
}
