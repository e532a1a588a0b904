// Package live requests the URLs of a plan from a live site. It reports each answer that differs
// from the expected answer in the plan. It never follows redirects of pages. It also reads the
// sitemaps of the site, and waits until they match a new deploy.
package live

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/robots"
	"github.com/sitewalk/sitewalk/page"
)

// A Kind is the reason why a URL is requested. It determines which answer is expected.
type Kind uint8

// The kinds of requests.
const (
	Listed    Kind = 1 + iota // the sitemap lists the URL: expect status 200 and an indexable page
	Predicted                 // the sitemap does not list the URL: expect the answer Request.Want
	Absent                    // the URL does not exist: expect status 404
)

// A Request is one URL of a plan, together with the expected answer.
type Request struct {
	URL    string
	Kind   Kind
	From   fetch.Referrer // the sitemap that lists the URL; zero if the URL comes from the build
	Pos    diag.Pos       // the built file, the line of the rule that decides the answer, or the entry in the sitemap
	Source diag.Pos       // content file from which the page was built
	By     string         // text of the rule that decides the answer, or ""
	Want   Want
}

// A Want is the expected answer to a request.
type Want struct {
	Status   int    // HTTP status; 0 means 200
	To       string // target URL of a redirect, or of a meta refresh if the status is 200
	IsHidden bool   // the page must forbid indexing
	IsBuilt  bool   // the build contains a page for this URL
	Title    string // expected title; compared only if IsBuilt is true
	Content  string // expected fingerprint of the page's content; "" if unknown
}

// Options are the options of a Visit.
type Options struct {
	Fetch           fetch.Options
	Page            page.Options // options for parsing pages; with ContentHash set, pages are read to their end
	Concurrency     int          // number of concurrent requests; 0 means DefaultConcurrency
	Rate            float64      // maximum number of requests per second; 0 means DefaultRate
	IgnoredSitemaps []string     // URLs of child sitemaps that are not read
	Findings        *diag.Report
	Host            string                // name of the configured host, such as "netlify"; "" if unknown
	Progress        func(done, total int) // called after each answer, never concurrently; may be nil
}

// Default limits of a visit. Search engines crawl sites at a similar speed.
const (
	DefaultConcurrency = 4  // concurrent requests
	DefaultRate        = 10 // requests per second
)

// maxRefusals is the number of consecutive refused or failed requests after which a visit stops.
const maxRefusals = 20

// A Visit sends requests to one site at a limited rate.
type Visit struct {
	o      Options
	pace   *pace
	robots map[string]*robots.Rules // rules of robots.txt, by the root URL of the host
}

// New returns a Visit with the options o. It does not send a request.
func New(o Options) *Visit {
	o.Concurrency, o.Rate = cmp.Or(o.Concurrency, DefaultConcurrency), cmp.Or(o.Rate, DefaultRate)
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	o.Page.Titles = true
	return &Visit{o: o, pace: &pace{every: time.Duration(float64(time.Second) / o.Rate)}, robots: map[string]*robots.Rules{}}
}

// MinTime returns the minimum time that n requests take at the configured rate.
func (v *Visit) MinTime(n int) time.Duration { return time.Duration(n) * v.pace.every }

// defaultTimeout returns a generous time limit for requests that take at least minTime: 10 minutes
// plus twice minTime.
func defaultTimeout(minTime time.Duration) time.Duration {
	return (10*time.Minute + 2*minTime).Round(time.Minute)
}

// WithTimeoutOrDefault returns a context that ends after timeout. If timeout is 0, it uses the
// default timeout for n requests.
func (v *Visit) WithTimeoutOrDefault(ctx context.Context, timeout time.Duration, n int) (context.Context, context.CancelFunc) {
	return fetch.WithTimeout(ctx, cmp.Or(timeout, defaultTimeout(v.MinTime(n))))
}

// An Outcome counts the URLs of a plan, the answers, and the correct answers.
type Outcome struct {
	Known    int `json:"known"` // number of URLs before a sample was taken; the caller of Run sets it
	Planned  int `json:"planned"`
	Answered int `json:"answered"` // number of URLs with an answer
	Correct  int `json:"correct"`  // number of URLs with the expected answer
}

// A run is the state of one call of Visit.Run.
type run struct {
	*Visit
	plan []Request

	mu       sync.Mutex
	outcome  Outcome
	problems []*problem // by index in plan; nil if the answer is right or there is none yet
	refusals int        // number of consecutive refusals
}

// Run requests all URLs of a plan, and adds findings about wrong answers. After maxRefusals refused
// or failed requests in a row, it stops without an error, and adds a finding about that. If ctx
// ends first, Run returns an error, and the outcome and the findings cover the answers so far.
func (v *Visit) Run(ctx context.Context, plan []Request) (*Outcome, error) {
	r := &run{Visit: v, plan: plan, problems: make([]*problem, len(plan)), outcome: Outcome{Planned: len(plan)}}
	asking, stop := context.WithCancel(ctx)
	defer stop()
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(v.o.Concurrency, len(plan)) {
		workers.Go(func() {
			reader := page.NewReader(v.o.Page)
			for i := range next {
				if a, ok := v.requestURL(asking, &plan[i], reader); ok && r.recordAnswer(i, a) >= maxRefusals {
					stop()
				}
			}
		})
	}
	for i := range plan {
		select {
		case next <- i:
			continue
		case <-asking.Done():
		}
		break
	}
	close(next)
	workers.Wait()
	r.addFindings()
	if ctx.Err() != nil {
		return &r.outcome, r.newStoppedError(ctx)
	}
	return &r.outcome, nil
}

// recordAnswer checks the answer to request i of the plan and stores the result. It returns the
// number of consecutive requests, up to this one, that were refused or failed.
func (r *run) recordAnswer(i int, a *answer) (refusals int) {
	p := r.checkAnswer(&r.plan[i], a)
	if p != nil {
		p.detail = r.truncateSiteText(p.detail)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.problems[i] = p
	r.outcome.Answered++
	if p == nil {
		r.outcome.Correct++
	}
	if p != nil && p.isRefusal {
		r.refusals++
	} else {
		r.refusals = 0
	}
	r.o.Progress(r.outcome.Answered, r.outcome.Planned)
	return r.refusals
}

// newStoppedError returns the error of a run that was interrupted or timed out.
func (r *run) newStoppedError(ctx context.Context) error {
	hint := "--sample N requests fewer"
	if !errors.Is(ctx.Err(), context.Canceled) {
		hint += "; --timeout " + defaultTimeout(r.MinTime(len(r.plan))).String() + " is enough for all"
	}
	return diag.Hintedf(hint, "%d of %d addresses were requested: %w", r.outcome.Answered, r.outcome.Planned, diag.Cause(context.Cause(ctx)))
}
