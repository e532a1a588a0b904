package submit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/live"
	"github.com/sitewalk/sitewalk/sitemap"
)

const (
	// sample is how many URLs of each scope are asked for.
	sample = 200
	// maxPage is how much is read of a key's file, and of what a ping answers.
	maxPage = 1 << 20
)

// ready returns an error unless the site is as the changes say, and an engine will
// find what it looks for.
func (s *Submission) ready(ctx context.Context) error {
	until := time.Now().Add(s.o.Wait)
	for i := range s.scopes {
		to := &s.scopes[i]
		if !to.changed {
			continue
		}
		err := s.await(ctx, to, until)
		if err == nil {
			err = s.knowsKey(ctx, to)
		}
		if err == nil {
			err = s.looks(ctx, to)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// await waits until the deploy is live: until the live sitemap is the one that was built, or
// where that is not at hand, what the changes say of it.
func (s *Submission) await(ctx context.Context, to *scope, until time.Time) error {
	if to.live {
		return nil
	}
	built, err := s.builtListing(ctx, to)
	if err != nil {
		return err
	}
	visit := live.New(live.Options{Fetch: fetch.Options{Client: s.o.Client}, Apart: s.Settings.SitemapURLs(), Findings: new(diag.Report)})
	err = visit.Await(ctx, live.Deploy{
		Sitemaps: []string{to.sitemap}, Until: until,
		Compare: func(l live.Listing) error {
			switch {
			case len(l) == 0 && len(to.changes) == 0:
				return errors.New("the live sitemap lists nothing")
			case built != nil:
				return l.Compare(built)
			}
			return differs(l, to.changes)
		},
		Waiting: func(differs error) { s.o.Say("waiting for %s: %v", to.sitemap, differs) },
	})
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return diag.Hintedf("run it when the deploy is live; --wait TIME waits for that",
			"%s is not live: %w", to.base, err)
	}
	to.live = true
	return nil
}

// builtListing reads the sitemap at hand, nil when there is none.
func (s *Submission) builtListing(ctx context.Context, to *scope) (live.Listing, error) {
	if !engine.Exists(to.file) {
		return nil, nil
	}
	out, findings := live.Listing{}, diag.Report{}
	apart := func(_ diag.Pos, loc string) bool { return slices.Contains(s.Settings.SitemapURLs(), loc) }
	err := fetch.ReadList(ctx, to.file, fetch.ListOptions{Skip: apart}, &findings, func(e sitemap.Entry, _ diag.Pos) { out.Add(e) })
	if kinds := findings.Kinds(); err == nil && len(kinds) > 0 && len(kinds[0].List) > 0 { // a part is missing
		err = errors.New(kinds[0].List[0].Message)
	}
	return out, err
}

// differs says how a live sitemap differs from what changes say of it.
func differs(l live.Listing, changes []Change) error {
	now, want := live.Listing{}, live.Listing{} // of the URLs that changed
	for _, c := range changes {
		if date, ok := l[c.URL]; ok {
			now[c.URL] = date
		}
		if c.Kind != Removed {
			want[c.URL] = c.Date
		}
	}
	return now.Compare(want)
}

// ask asks the site as an engine would.
func (s *Submission) ask(ctx context.Context, loc string) (status int, body []byte, err error) {
	r, err := fetch.Place{}.Ask(ctx, loc, fetch.Options{Accept: "text/html", Client: s.o.Client})
	if err != nil {
		return 0, nil, err
	}
	defer r.Close()
	body, err = io.ReadAll(io.LimitReader(r, maxPage))
	return r.Status, body, err
}

// knowsKey returns an error unless the key's file answers with the key.
func (s *Submission) knowsKey(ctx context.Context, to *scope) error {
	loc := to.keyURL(s.key())
	status, body, err := s.ask(ctx, loc)
	switch {
	case err != nil:
	case status != http.StatusOK:
		err = fmt.Errorf("it answers %d", status)
	case strings.TrimSpace(strings.TrimPrefix(string(body), "\ufeff")) != s.key():
		err = errors.New("it answers with another text")
	default:
		return nil
	}
	return diag.Hintedf("write the key as output.indexnow into sitemap.yaml, build and publish; sitewalk build writes the file",
		"%s must hold the key: %w", loc, err)
}

// looks returns an error unless a sample of the URLs answers as the changes say.
func (s *Submission) looks(ctx context.Context, to *scope) error {
	kinds := map[string]live.Kind{Added: live.Listed, Changed: live.Listed, Removed: live.Gone}
	plan := make([]live.Request, len(to.changes))
	for i, c := range to.changes {
		plan[i] = live.Request{URL: c.URL, Kind: kinds[c.Kind]}
	}
	found := diag.Report{Keep: 1}
	visit := live.New(live.Options{Fetch: fetch.Options{Client: s.o.Client}, Findings: &found})
	if _, err := visit.Run(ctx, live.Sample(plan, sample)); err != nil {
		return err
	}
	for _, k := range found.Kinds() {
		if k.Severity == diag.Error {
			return diag.Hintedf(k.List[0].Hint, "%s", k.List[0].Message)
		}
	}
	return nil
}
