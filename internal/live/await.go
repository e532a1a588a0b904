package live

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/sitemap"
)

// minPause is the minimum pause between two attempts of WaitForDeploy. The pause before the last
// attempt may be shorter.
const minPause = 10 * time.Second

// A Listing maps each URL of a sitemap to its lastmod, or to "" if the URL has none.
type Listing map[string]string

// Add adds the URL and the date of an entry. If a URL occurs several times, Add keeps the greatest
// date, compared as text.
func (l Listing) Add(e sitemap.Entry) { l[e.Loc] = max(l[e.Loc], e.LastMod.String()) }

// Compare returns an error that describes the first difference between the live listing l and the
// built listing. It returns nil if they are equal.
func (l Listing) Compare(built Listing) error {
	for _, loc := range slices.Sorted(maps.Keys(built)) {
		if date, ok := l[loc]; !ok {
			return fmt.Errorf("the live sitemap does not list %s yet", loc)
		} else if date != built[loc] {
			return fmt.Errorf("the live sitemap gives %s another date: %q, built %q", loc, date, built[loc])
		}
	}
	for _, loc := range slices.Sorted(maps.Keys(l)) {
		if _, ok := built[loc]; !ok {
			return fmt.Errorf("the live sitemap still lists %s", loc)
		}
	}
	return nil
}

// HideSecret returns err. If a secret header is in use, it returns an error with a fixed text
// instead, because the text of err may quote the site, and the site may repeat the secret. If err
// is nil, it returns nil.
func (v *Visit) HideSecret(err error) error {
	if err == nil || v.o.Fetch.Secret == nil {
		return err
	}
	return errors.New("the live sitemap differs from the built one")
}

// A Deploy describes the sitemaps that a site serves after a deploy.
type Deploy struct {
	Sitemaps []string            // URLs of the sitemaps
	Compare  func(Listing) error // returns the difference between the live listing and the expected one, or nil
	Until    time.Time           // WaitForDeploy gives up after this time
	Waiting  func(differs error) // called once, with the first difference, before the first pause
}

// WaitForDeploy reads the sitemaps of d again and again until d.Compare returns nil. After d.Until,
// it gives up and returns the last difference. If ctx ends, it returns the cause of ctx, or the
// last difference. Between two attempts, it pauses for minPause, or for the duration of the last
// attempt if that is longer. The pause ends at d.Until at the latest.
func (v *Visit) WaitForDeploy(ctx context.Context, d Deploy) error {
	for isFirst := true; ; isFirst = false {
		start := time.Now()
		differs := v.compareOnce(ctx, d)
		if differs == nil {
			return nil
		}
		pause := min(max(minPause, time.Since(start)), time.Until(d.Until))
		if pause <= 0 || ctx.Err() != nil {
			return differs
		}
		if isFirst {
			d.Waiting(differs)
		}
		if err := fetch.Sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// compareOnce reads the sitemaps of d once, and returns the result of d.Compare. If it could not
// read any entry, it returns the reason. It adds no findings to the report of the visit.
func (v *Visit) compareOnce(ctx context.Context, d Deploy) error {
	quiet := &Visit{o: v.o, pace: v.pace}
	quiet.o.Findings = &diag.Report{MaxKept: -1}
	listing, isRead := Listing{}, false
	handler := SitemapHandler{
		Budget: fetch.NewBudget(),
		OnFile: func(fetch.File) {},
		OnEntry: func(e sitemap.Entry, _ diag.Pos, _ fetch.Referrer) {
			isRead = true
			listing.Add(e)
		},
	}
	for _, loc := range d.Sitemaps {
		if err := quiet.ReadSitemaps(ctx, loc, handler); err != nil {
			return err
		}
	}
	if all := quiet.o.Findings.Kinds(); len(all) > 0 && !isRead {
		message, _, _ := strings.Cut(all[0].List[0].Message, consoleMessage)
		return errors.New(message)
	}
	return v.HideSecret(d.Compare(listing))
}
