package submit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/live"
)

// maxIndexNowKeyFile is the maximum number of bytes that are read from the IndexNow key file on the
// live site.
const maxIndexNowKeyFile = 1 << 20

// waitForDeployAndCheckKey waits until the deploy of each target is live, for at most the time in
// --wait. It returns an error if a deploy is not live by then. If URLs of a target will be sent to
// IndexNow, it also returns an error if the site does not serve the right key file. It skips
// targets for which nothing will be submitted.
func (s *Submission) waitForDeployAndCheckKey(ctx context.Context) error {
	until := time.Now().Add(s.o.Wait)
	for i := range s.targets {
		t := &s.targets[i]
		if !s.sendsChanges(t) && !s.SubmitsToGoogle {
			continue
		}
		if err := s.waitUntilLive(ctx, t, until); err != nil {
			return err
		}
		if !s.sendsChanges(t) {
			continue
		}
		if err := s.checkKeyFile(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// waitUntilLive waits until compareWithLive finds no difference between the live sitemap and the
// changes of the target. It returns an error if there is still a difference at the time until, or
// if ctx ends.
func (s *Submission) waitUntilLive(ctx context.Context, t *target, until time.Time) error {
	visit := live.New(live.Options{Fetch: fetch.Options{Client: s.o.Client}, IgnoredSitemaps: s.Build.Settings.SitemapURLs(), Findings: new(diag.Report)})
	err := visit.WaitForDeploy(ctx, live.Deploy{
		Sitemaps: []string{t.sitemap}, Until: until, Compare: t.compareWithLive,
		Waiting: func(differs error) { s.o.Logf("waiting for %s: %v", t.sitemap, differs) },
	})
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return diag.Hintedf("run it when the deploy is live; --wait TIME waits for that", "%s is not live: %w", t.base, err)
	}
	return nil
}

// compareWithLive checks that the live sitemap contains the added and changed URLs of the target
// with their dates, and none of the removed URLs. It returns the first difference as an error, or
// nil. If there are no changes, an empty live sitemap is an error.
func (t *target) compareWithLive(listing live.Listing) error {
	if len(listing) == 0 && len(t.changes) == 0 {
		return errors.New("the live sitemap lists nothing")
	}
	got, want := live.Listing{}, live.Listing{} // listings that contain only the changed URLs
	for _, c := range t.changes {
		if date, ok := listing[c.URL]; ok {
			got[c.URL] = date
		}
		if c.Kind != Removed {
			want[c.URL] = c.Date
		}
	}
	return got.Compare(want)
}

// checkKeyFile requests the IndexNow key file of the target. It returns an error if the file cannot
// be read, or if its text is not the key.
func (s *Submission) checkKeyFile(ctx context.Context, t *target) error {
	loc := t.keyURL(s.indexNowKey())
	r, err := fetch.Referrer{}.RequestOnce(ctx, loc, fetch.Options{Accept: "text/plain", Client: s.o.Client})
	if err == nil {
		defer r.Close()
		var body []byte
		body, err = io.ReadAll(io.LimitReader(r, maxIndexNowKeyFile))
		switch {
		case r.Status != http.StatusOK:
			err = fmt.Errorf("it answers %d", r.Status)
		case err == nil && strings.TrimSpace(strings.TrimPrefix(string(body), "\ufeff")) != s.indexNowKey():
			err = errors.New("it answers with another text")
		}
	}
	if err != nil {
		return diag.Hintedf("write the key as output.indexnow into sitemap.yaml, build and publish; sitewalk build writes the file",
			"%s must contain the key: %w", loc, err)
	}
	return nil
}
