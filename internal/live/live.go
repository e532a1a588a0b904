// Package live requests the addresses of a plan from a live site, and reports answers that
// differ from the plan. It never follows the redirect of a page.
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

// A Kind is the reason why an address is requested.
type Kind uint8

// The kinds.
const (
	Listed Kind = 1 + iota // in the sitemap: expect 200, a page that may be indexed
	Known                  // not a page of the site; Want is the expected answer
	Absent                 // an address that cannot exist
	Gone                   // removed from the site
)

// A Request is one address of a plan, and the expected answer.
type Request struct {
	URL    string
	Kind   Kind
	From   fetch.Place // that names the address; zero: the user does
	Pos    diag.Pos    // the built file, or the line that decides about the address
	Source diag.Pos    // the page's content file
	By     string      // the rule that decides, as written
	Want   Want
}

// A Want is what is known of an answer before it comes.
type Want struct {
	Status   int    // 0 means 200
	To       string // target of a redirect, or with status 200 of a refresh
	IsHidden bool   // the page must not be indexed
	IsBuilt  bool   // a page was built for the address: it has Title
	Title    string
	Content  string // the page's fingerprint; "" if unknown
}

// Options configure a visit.
type Options struct {
	Fetch    fetch.Options
	Page     page.Options // how pages are read; with Body to their end
	AtOnce   int          // concurrent requests; 0 means [AtOnce]
	Rate     float64      // requests per second; 0 means [Rate]
	Apart    []string     // sitemaps that are not read when an index names them
	Findings *diag.Report
	Host     string                // name of the host whose rules are known, or ""
	Progress func(done, total int) // may be nil
}

// The default speed. Search engines crawl sites at this rate, too.
const (
	AtOnce = 4
	Rate   = 10
)

// maxRefusals is the number of refusals or failures in a row after which a visit ends.
const maxRefusals = 20

// A Visit requests addresses of one site, at one pace.
type Visit struct {
	o      Options
	pace   *pace
	robots map[string]*robots.Rules // by origin
}

// New returns a visit that has requested nothing yet.
func New(o Options) *Visit {
	o.AtOnce, o.Rate = cmp.Or(o.AtOnce, AtOnce), cmp.Or(o.Rate, Rate)
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	o.Page.Titles, o.Page.NoNotes = true, true
	return &Visit{o: o, pace: &pace{every: time.Duration(float64(time.Second) / o.Rate)}, robots: map[string]*robots.Rules{}}
}

// MinTime returns the shortest time that n requests take.
func (v *Visit) MinTime(n int) time.Duration { return time.Duration(n) * v.pace.every }

// DefaultTimeout returns the time limit for requests that take at least minTime.
func DefaultTimeout(minTime time.Duration) time.Duration {
	return (10*time.Minute + 2*minTime).Round(time.Minute)
}

// Within returns a context that ends after timeout; 0 means the default for n requests.
func (v *Visit) Within(ctx context.Context, timeout time.Duration, n int) (context.Context, context.CancelFunc) {
	return fetch.Within(ctx, cmp.Or(timeout, DefaultTimeout(v.MinTime(n))))
}

// An Outcome counts the addresses of a plan.
type Outcome struct {
	Known   int `json:"known"` // before a sample was taken
	Planned int `json:"planned"`
	Asked   int `json:"asked"` // that answered
	Right   int `json:"right"` // that answered as expected
}

// A run is one run of a plan.
type run struct {
	*Visit
	plan []Request

	mu       sync.Mutex
	outcome  Outcome
	troubles []*trouble // by index in plan; nil: the answer is right, or missing
	refusals int        // in a row
}

// Run requests all addresses of a plan and adds what is wrong to the findings, also when it
// ends early with an error.
func (v *Visit) Run(ctx context.Context, plan []Request) (*Outcome, error) {
	r := &run{Visit: v, plan: plan, troubles: make([]*trouble, len(plan)), outcome: Outcome{Planned: len(plan)}}
	asking, stop := context.WithCancel(ctx)
	defer stop()
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(v.o.AtOnce, len(plan)) {
		workers.Go(func() {
			reader := page.NewReader(v.o.Page)
			for i := range next {
				if a, ok := v.ask(asking, &plan[i], reader); ok && r.record(i, a) >= maxRefusals {
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
	r.outcome.Asked++
	if t == nil {
		r.outcome.Right++
	}
	if t != nil && t.isRefusal {
		r.refusals++
	} else {
		r.refusals = 0
	}
	r.o.Progress(r.outcome.Asked, r.outcome.Planned)
	return r.refusals
}

// errStopped reports that a run was interrupted or had no time left.
func (r *run) errStopped(ctx context.Context) error {
	hint := "--sample N asks fewer"
	if !errors.Is(ctx.Err(), context.Canceled) {
		hint += "; --timeout " + DefaultTimeout(r.MinTime(len(r.plan))).String() + " is enough for all"
	}
	return diag.Hintedf(hint, "%d of %d addresses were asked: %w", r.outcome.Asked, r.outcome.Planned, diag.Cause(context.Cause(ctx)))
}
