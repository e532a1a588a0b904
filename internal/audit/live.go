package audit

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/live"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// LiveOptions are the options for the check of the live site. The check requests the URLs of the
// sitemap. If there is a built site, it also compares the responses with the built pages.
type LiveOptions struct {
	Concurrency int                              // number of concurrent requests; 0 means live.DefaultConcurrency
	Rate        float64                          // maximum number of requests per second; 0 means live.DefaultRate
	Sample      int                              // maximum number of URLs to request; 0 means all
	Content     bool                             // compare the content of pages with the built pages, and not only their titles
	Wait        time.Duration                    // maximum time to wait until the live sitemap equals the built one; 0 means no waiting
	Logf        func(format string, args ...any) // prints a progress message
}

// absentName is a file name that no site is expected to have. The check of a live site requests it
// to test the response to a missing page.
const absentName = "sitewalk-check-no-such-page"

// newPlanner returns a planner with an empty plan for the live site. siteURL is a URL of that site.
func (c *CheckRun) newPlanner(siteURL string) (*planner, error) {
	o := c.o.Live
	l := live.Options{
		Fetch:       fetch.Options{Timeout: c.o.Timeout, Client: c.o.Client, Named: append(c.Settings.BaseURLs(), siteURL, c.o.Input.Flags.Value("base-url"))},
		Page:        c.Settings.Site.Page.HeadOnly(),
		Concurrency: o.Concurrency, Rate: o.Rate, Progress: c.o.Build.RequestProgress, Findings: c.Findings,
	}
	if len(c.Settings.Site.Sites) > 0 {
		l.IgnoredSitemaps = c.Settings.SitemapURLs()
	}
	var err error
	if l.Fetch.Secret, err = c.o.secretFor(siteURL); err != nil {
		return nil, err
	}
	if h := c.Settings.Site.Hosting; h.IsKnown() {
		l.Host = h.Name()
	}
	l.Page.ContentHash = o.Content && c.Settings.Site.Page.ContentHash
	return &planner{check: c, visit: live.New(l), planned: map[string]bool{}, elsewhere: map[string]int{}, liveListing: live.Listing{}}, nil
}

// checkLiveSitemap requests the sitemap at the URL target. Then it requests the listed URLs of the
// same site, or a sample of them. It also requests a URL that should not exist.
func (c *CheckRun) checkLiveSitemap(ctx context.Context, target string) error {
	if c.o.Live.Wait > 0 {
		return errors.New("--wait needs a built site: a sitemap alone does not show which deploy to wait for")
	}
	p, err := c.newPlanner(target)
	if err != nil {
		return err
	}
	ctx, cancel := p.withTimeout(ctx)
	defer cancel()
	k := &sitemapChecker{Findings: c.Findings, Now: c.o.Input.Now}
	err = p.addSitemaps(ctx, []string{target}, k)
	k.Finish(ctx, nil)
	if err != nil {
		return err
	}
	if c.URLs > 0 {
		u, err := url.Parse(target)
		if err != nil {
			return err
		}
		absent := (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).JoinPath("..", absentName) // without a password
		p.addAbsentURL(absent.String(), explain.Response{Status: http.StatusNotFound})
	}
	return p.requestPlan(ctx)
}

// checkLiveSite requests URLs of the live site, and compares the responses with the built site.
func (c *CheckRun) checkLiveSite(ctx context.Context) error {
	s := c.Settings
	p, err := c.newPlanner(s.Site.Base.String())
	if err != nil {
		return err
	}
	if err := p.waitForDeploy(ctx); err != nil {
		return err
	}
	ctx, cancel := p.withTimeout(ctx)
	defer cancel()
	p.addPages()
	if err := p.addSitemaps(ctx, c.served, nil); err != nil {
		return err
	}
	p.compareListings()
	p.check.built, p.liveListing = nil, nil // frees memory before the many requests
	p.addUnlistedPages(ctx)
	for i := range c.Result.World.Parts {
		part := &c.Result.World.Parts[i]
		p.addRuleExamples(ctx, part)
		loc := part.Base.String() + absentName
		a := p.check.explainer.PredictResponse(ctx, loc)
		if a.To == loc+"/" { // the host adds a slash before it looks for the file
			loc = a.To
			a = p.check.explainer.PredictResponse(ctx, loc)
		}
		p.addAbsentURL(loc, a)
	}
	return p.requestPlan(ctx)
}

// waitForDeploy waits until the live sitemap equals the built one, if the user passed --wait. After
// the time limit, the check continues and reports the differences. waitForDeploy returns an error
// only if ctx ends.
func (p *planner) waitForDeploy(ctx context.Context) error {
	wait := p.check.o.Live.Wait
	if wait == 0 {
		return nil
	}
	waiting, cancel := fetch.WithTimeout(ctx, wait+cmp.Or(p.check.o.Build.Timeout, fetch.DefaultTotal))
	defer cancel()
	err := p.visit.WaitForDeploy(waiting, live.Deploy{
		Sitemaps: p.check.served, Until: time.Now().Add(wait),
		Compare: func(l live.Listing) error { return l.Compare(p.check.built) },
		Waiting: func(differs error) { p.check.o.Live.Logf("waiting up to %v for the deploy: %v", wait, differs) },
	})
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		p.check.o.Live.Logf("the deploy is not live after %v: %v", wait, err)
	}
	return nil
}

// withTimeout returns a context that ends after the time in --timeout, for all further requests
// together. Without --timeout, the context has no time limit.
func (p *planner) withTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	if p.check.o.Build.Timeout == 0 {
		return context.WithCancel(ctx)
	}
	return fetch.WithTimeout(ctx, p.check.o.Build.Timeout)
}

// A planner collects the URLs to request from the live site, together with the response that each
// URL should have.
type planner struct {
	check       *CheckRun // the check that receives the findings and the outcome
	visit       *live.Visit
	plan        []live.Request
	planned     map[string]bool // URLs in plan
	liveListing live.Listing    // entries of the live sitemap
	elsewhere   map[string]int  // number of URLs on each foreign host that the live sitemap lists
}

// addRequest adds a request to the plan. It does nothing if the plan already contains the URL.
func (p *planner) addRequest(q live.Request) {
	if !p.planned[q.URL] {
		p.planned[q.URL] = true
		p.plan = append(p.plan, q)
	}
}

// addPages adds each page that the built site lists to the plan.
func (p *planner) addPages() {
	w := p.check.Result.World
	for _, listed := range p.check.Result.List {
		q := live.Request{URL: listed.Loc, Kind: live.Listed, Pos: diag.Pos{File: w.Pos(listed).File}, Source: w.ContentPos(listed)}
		if listed.File() != "" && p.check.Settings.Site.Pages != nil {
			q.Want.IsBuilt = true
			if listed.Facts.Fingerprint != nil {
				q.Want.Content = string(listed.Facts.Fingerprint[:])
			}
			q.Want.Title = listed.Facts.Rare().Title
		}
		p.addRequest(q)
	}
}

// addSitemaps reads the live sitemaps at locs, and adds the listed URLs of this site to the plan.
// It counts the listed URLs of other sites in p.elsewhere. If k is not nil and no secret header is
// configured, k checks the files and the entries. Before the first sitemap of each host,
// addSitemaps requests the robots.txt of the host.
func (p *planner) addSitemaps(ctx context.Context, locs []string, k *sitemapChecker) error {
	ctx, cancel := p.visit.WithTimeoutOrDefault(ctx, p.check.o.Build.Timeout, len(p.plan))
	defer cancel()
	handler := live.SitemapHandler{
		Budget: p.check.o.budget,
		OnFile: func(f fetch.File) {
			if k != nil {
				p.check.Sitemaps = append(p.check.Sitemaps, f.Name)
				k.CheckFile(f)
			}
		},
		OnEntry: func(e sitemap.Entry, pos diag.Pos, by fetch.Referrer) {
			p.liveListing.Add(e)
			if k != nil {
				p.check.URLs++
			}
			if k != nil && p.check.o.Header == "" { // findings about an entry would quote the protected sitemap
				k.CheckURL(e, pos)
			}
			u, err := url.Parse(e.Loc)
			if err != nil || sitemap.CheckLoc(e.Loc) != nil {
				return
			}
			if fetch.CheckRequest(by.URL, u, p.check.Settings.BaseURLs()) != nil {
				p.elsewhere[u.Host]++
				return
			}
			p.addRequest(live.Request{URL: e.Loc, Kind: live.Listed, From: by, Pos: pos})
		},
	}
	for _, loc := range locs {
		if err := p.visit.ReadRobots(ctx, loc, p.check.robotsFile); err != nil {
			return err
		}
		if err := p.visit.ReadSitemaps(ctx, loc, handler); err != nil {
			return err
		}
	}
	return nil
}

// compareListings adds a finding for each other site whose URLs the live sitemap lists. If the live
// sitemap lists only this site, compareListings adds a finding if it differs from the built
// sitemap. It does not compare an empty live sitemap.
func (p *planner) compareListings() {
	hosts := slices.Sorted(maps.Keys(p.elsewhere))
	for _, host := range hosts {
		named := ", " + host
		if p.check.o.Header != "" { // the site may repeat the header
			named = ""
		}
		p.check.Findings.Add(diag.Errorf(diag.Pos{}, "live-sitemap", "build the site for the address at which it is published",
			"the live sitemap lists %s of another site%s; Search Console says %q", diag.Count(p.elsewhere[host], "URL"), named, "URL not allowed").About(named))
	}
	if len(p.liveListing) == 0 || len(hosts) > 0 {
		return
	}
	if differs := p.visit.HideSecret(p.liveListing.Compare(p.check.built)); differs != nil {
		p.check.Findings.Add(diag.Errorf(diag.Pos{}, "live-old-deploy", "run it when the deploy is live, or with --wait 5m; then look for a cache that is older", "%v: it is not the deploy that was built", differs))
	}
}

// addUnlistedPages adds some of the unlisted pages to the plan: those that redirect, have a
// noindex, or are not served by the host.
func (p *planner) addUnlistedPages(ctx context.Context) {
	for filePage := range p.check.Result.FilePages() {
		if filePage.Reason().Has(page.ShownLive) {
			p.addUnlistedURL(ctx, filePage.Loc, "")
		}
	}
}

// addRuleExamples adds an example URL for each redirect or error rule of the host to the plan.
func (p *planner) addRuleExamples(ctx context.Context, part *site.Part) {
	for _, e := range part.Hosting.RuleExamples(part.Exists) {
		if loc, err := part.Base.Loc(e.URLPath); err == nil {
			p.addUnlistedURL(ctx, loc, e.Answer.Text)
		}
	}
}

// addUnlistedURL adds loc to the plan, with the response that the configuration of the host
// predicts. It skips the URL of a listed page, a URL of another site, and a URL that a program on
// the server answers. rule is the text of the rule to name in findings; "" means the rule that
// decides about loc.
func (p *planner) addUnlistedURL(ctx context.Context, loc, rule string) {
	if loc == "" || p.check.isIgnored(loc) {
		return
	}
	a := p.check.explainer.PredictResponse(ctx, loc)
	q := live.Request{URL: loc, Kind: live.Predicted, Pos: a.Exclusion.Pos, By: cmp.Or(rule, decidingRule(a)), Want: live.Want{Status: a.Status, To: a.To}}
	if q.Want.IsHidden = a.Status == http.StatusOK && a.Exclusion.Reason == page.NoIndex && p.isHiddenAt(loc, &a); q.Want.IsHidden {
		q.Want.To = ""
	}
	if a.Status != 0 && !a.Listed && a.ListedURL == "" {
		p.addRequest(q)
	}
}

// isHiddenAt reports whether the page that a describes is hidden from search engines at loc, one of
// the page's URLs. A noindex in the page hides the page at all its URLs, but a header rule may
// match only some of the URLs.
func (p *planner) isHiddenAt(loc string, a *explain.Response) bool {
	if from := a.Exclusion.Pos.File; from == a.File || from == a.Source {
		return true
	}
	part, urlPath, ok := p.check.Result.World.FindPart(loc)
	if !ok {
		return false
	}
	_, hides := part.Hosting.NoIndexRule(urlPath)
	return hides
}

// addAbsentURL adds loc, a URL that the site does not have, to the plan. The site should respond
// with the status of a, such as 404.
func (p *planner) addAbsentURL(loc string, a explain.Response) {
	p.addRequest(live.Request{URL: loc, Kind: live.Absent, Pos: a.Exclusion.Pos, By: decidingRule(a), Want: live.Want{Status: a.Status}})
}

// decidingRule returns the text of the rule that decides about an answer, or "" if there is none.
// The rule may be a line for the host, or a noindex in the page.
func decidingRule(a explain.Response) string {
	if a.Exclusion.Pos.File == "" {
		return ""
	}
	return a.Exclusion.Text
}

// requestPlan requests the URLs in the plan, or a sample of them, and stores the outcome in
// p.check.Live.
func (p *planner) requestPlan(ctx context.Context) error {
	plan := live.Sample(p.plan, p.check.o.Live.Sample)
	if takes := p.visit.MinTime(len(plan)); takes > time.Minute {
		p.check.o.Live.Logf("requesting %s takes about %v; --sample N requests fewer, --rate N is faster", diag.Count(len(plan), "URL"), takes.Round(time.Minute))
	}
	ctx, cancel := p.visit.WithTimeoutOrDefault(ctx, p.check.o.Build.Timeout, len(plan))
	defer cancel()
	out, err := p.visit.Run(ctx, plan)
	out.Known = len(p.plan)
	p.check.Live = out
	return err
}
