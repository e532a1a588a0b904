// Package live requests planned URLs from a live site, and reports answers that differ from the
// plan. It never follows redirects of pages. The package may change.
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

// A Kind is the reason for a request.
type Kind uint8

// Kinds of requests.
const (
	Listed Kind = 1 + iota // in the sitemap: expect status 200 and an indexable page
	Known                  // not listed; Want is the expected answer
	Absent                 // a URL that cannot exist
)

// A Request is one URL of a plan with the expected answer.
type Request struct {
	URL    string
	Kind   Kind
	From   fetch.Referrer // content that names the URL; zero if the user does
	Pos    diag.Pos       // the built file, or the line that decides about the URL
	Source diag.Pos       // content file of the page
	By     string         // text of the rule that decides
	Want   Want
}

// A Want is the expected answer to a request.
type Want struct {
	Status   int    // 0 means 200
	To       string // target of a redirect, or of a refresh for status 200
	IsHidden bool   // search engines must not index the page
	IsBuilt  bool   // a page was built for the URL, with Title
	Title    string
	Content  string // fingerprint of the page; "" if unknown
}

// Options configure a visit.
type Options struct {
	Fetch           fetch.Options
	Page            page.Options // how pages are read; with Body they are read completely
	Concurrency     int          // concurrent requests; 0 means DefaultConcurrency
	Rate            float64      // requests per second; 0 means DefaultRate
	IgnoredSitemaps []string     // URLs of sitemaps that are ignored in an index
	Findings        *diag.Report
	Host            string                // name of a host with known rules, or ""
	Progress        func(done, total int) // called after each answer; may be nil
}

// Default speed of a visit. Search engines crawl sites at this speed, too.
const (
	DefaultConcurrency = 4
	DefaultRate        = 10
)

// maxRefusals is the maximum number of refusals or failures in a row before a visit ends.
const maxRefusals = 20

// A Visit requests URLs of one site at a limited rate.
type Visit struct {
	o      Options
	pace   *pace
	robots map[string]*robots.Rules // by root URL
}

// New returns a visit without any request.
func New(o Options) *Visit {
	o.Concurrency, o.Rate = cmp.Or(o.Concurrency, DefaultConcurrency), cmp.Or(o.Rate, DefaultRate)
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	o.Page.Titles, o.Page.NoNotes = true, true
	return &Visit{o: o, pace: &pace{every: time.Duration(float64(time.Second) / o.Rate)}, robots: map[string]*robots.Rules{}}
}

// MinTime returns the minimum duration of n requests.
func (v *Visit) MinTime(n int) time.Duration { return time.Duration(n) * v.pace.every }

// DefaultTimeout returns the default time limit for requests that take at least minTime.
func DefaultTimeout(minTime time.Duration) time.Duration {
	return (10*time.Minute + 2*minTime).Round(time.Minute)
}

// WithTimeout returns a context that ends after timeout. 0 means the default timeout for n requests.
func (v *Visit) WithTimeout(ctx context.Context, timeout time.Duration, n int) (context.Context, context.CancelFunc) {
	return fetch.WithTimeout(ctx, cmp.Or(timeout, DefaultTimeout(v.MinTime(n))))
}

// An Outcome counts the URLs of a plan.
type Outcome struct {
	Known    int `json:"known"` // URLs before sampling
	Planned  int `json:"planned"`
	Answered int `json:"asked"` // URLs with an answer
	Correct  int `json:"right"` // URLs with the expected answer
}

// A run is one execution of a plan.
type run struct {
	*Visit
	plan []Request

	mu       sync.Mutex
	outcome  Outcome
	troubles []*trouble // by index in plan; nil if the answer is right or missing
	refusals int        // refusals in a row
}

// Run requests all URLs of a plan and adds findings about wrong answers. It returns an error if
// ctx ends first. The outcome and the findings then cover the completed requests.
func (v *Visit) Run(ctx context.Context, plan []Request) (*Outcome, error) {
	r := &run{Visit: v, plan: plan, troubles: make([]*trouble, len(plan)), outcome: Outcome{Planned: len(plan)}}
	asking, stop := context.WithCancel(ctx)
	defer stop()
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(v.o.Concurrency, len(plan)) {
		workers.Go(func() {
			reader := page.NewReader(v.o.Page)
			for i := range next {
				if a, ok := v.requestURL(asking, &plan[i], reader); ok && r.record(i, a) >= maxRefusals {
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
		return &r.outcome, r.errStopped(ctx)
	}
	return &r.outcome, nil
}

// record judges an answer, and returns the number of refusals in a row.
func (r *run) record(i int, a *answer) int {
	t := r.judge(&r.plan[i], a)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.troubles[i] = t
	r.outcome.Answered++
	if t == nil {
		r.outcome.Correct++
	}
	if t != nil && t.isRefusal {
		r.refusals++
	} else {
		r.refusals = 0
	}
	r.o.Progress(r.outcome.Answered, r.outcome.Planned)
	return r.refusals
}

// errStopped reports that a run was interrupted or timed out.
func (r *run) errStopped(ctx context.Context) error {
	hint := "--sample N asks fewer"
	if !errors.Is(ctx.Err(), context.Canceled) {
		hint += "; --timeout " + DefaultTimeout(r.MinTime(len(r.plan))).String() + " is enough for all"
	}
	return diag.Hintedf(hint, "%d of %d addresses were asked: %w", r.outcome.Answered, r.outcome.Planned, diag.Cause(context.Cause(ctx)))
}
