// Package live asks a live site for the addresses of a plan, and says where the answers
// are not what the plan expects.
//
// It refuses to decide what a site should answer, to follow a redirect, to go where
// [fetch.May] does not lead, and to ask faster than it is told.
package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/robots"
	"github.com/sitewalk/sitewalk/page"
)

// A Kind says why an address is asked for.
type Kind uint8

// The kinds.
const (
	Listed Kind = 1 + iota // the sitemap lists it: 200, a page that may be indexed
	Known                  // the site has no page of its own there; Want says what its host should answer
	Absent                 // nothing can be there
	Gone                   // it was removed
)

// A Request is one address of a plan, and what its host should answer.
type Request struct {
	URL    string
	Kind   Kind
	From   fetch.Place // that names the address; zero: the user does
	Pos    diag.Pos    // the file that should be sent, or the line that says what should be
	Source diag.Pos    // the page's content file
	By     string      // the rule that decides, as it is written
	Want   Want
}

// A Want is what is known of an answer before it comes.
type Want struct {
	Status  int    // 0 is 200
	To      string // where a redirect leads, or with status 200 a page that refreshes
	Hidden  bool   // the page must not be indexed
	Built   bool   // a page was built for the address: it has Title
	Title   string
	Content string // its fingerprint; "" is not known
}

// Options say how to ask.
type Options struct {
	Fetch    fetch.Options
	Page     page.Options // how pages are read; with Body to their end
	AtOnce   int          // requests at the same time; 0 is [AtOnce]
	Rate     float64      // requests a second; 0 is [Rate]
	State    string       // file that remembers the answers until all have come; "" is none
	Apart    []string     // sitemaps that are asked for by themselves, and not where an index names them
	Findings *diag.Report
	Host     string                // the name of the host whose rules are known; "" is none
	Progress func(done, total int) // may be nil
}

// How fast a site is asked unless the user says otherwise. At this rate a site is
// crawled by search engines, too.
const (
	AtOnce = 4
	Rate   = 10
)

// mostRefusals is after how many refusals or failures in a row nothing more is asked.
const mostRefusals = 20

// A Visit asks one site, at one pace.
type Visit struct {
	o      Options
	pace   *pace
	robots map[string]*robots.Rules // by origin
}

// New returns a visit that has asked nothing yet.
func New(o Options) *Visit {
	o.AtOnce, o.Rate = cmp.Or(o.AtOnce, AtOnce), cmp.Or(o.Rate, Rate)
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	o.Page.Titles, o.Page.NoNotes = true, true
	return &Visit{o: o, pace: &pace{every: time.Duration(float64(time.Second) / o.Rate)}, robots: map[string]*robots.Rules{}}
}

// Takes is how long so many requests take at the least.
func (v *Visit) Takes(n int) time.Duration { return time.Duration(n) * v.pace.every }

// An Outcome counts the addresses of a plan.
type Outcome struct {
	Known   int `json:"known"` // before a sample was taken
	Planned int `json:"planned"`
	Asked   int `json:"asked"`   // that answered, in this run or in one that it goes on with
	Right   int `json:"right"`   // that answer as expected
	Resumed int `json:"resumed"` // that an interrupted run had asked already
}

// Left is how many did not answer yet.
func (o *Outcome) Left() int { return o.Planned - o.Asked }

var errRefused = errors.New("refused")

// Run asks for all addresses of a plan, and adds what is wrong to the findings: also
// when it ends early with an error.
func (v *Visit) Run(ctx context.Context, plan []Request) (*Outcome, error) {
	held, err := v.lock(ctx)
	if err != nil {
		return &Outcome{Planned: len(plan)}, err
	}
	defer held.Close()
	r := &run{Visit: v, plan: plan, found: make([]*trouble, len(plan)), Outcome: Outcome{Planned: len(plan)}}
	if err := r.recall(ctx); err != nil {
		return &r.Outcome, err
	}
	asking, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	next := make(chan int)
	var all sync.WaitGroup
	for range min(v.o.AtOnce, max(len(plan), 1)) {
		all.Go(func() { r.work(asking, next, stop) })
	}
	for i := range plan {
		if r.done[i] {
			continue
		}
		select {
		case next <- i:
			continue
		case <-asking.Done():
		}
		break
	}
	close(next)
	all.Wait()
	r.tell()
	switch err := context.Cause(asking); {
	case ctx.Err() != nil:
		return &r.Outcome, r.ended(ctx)
	case err != nil && err != errRefused:
		return &r.Outcome, err
	}
	return &r.Outcome, r.forget()
}

// A run is one run of a plan.
type run struct {
	*Visit
	plan []Request
	Outcome

	mu       sync.Mutex
	done     []bool     // of the plan
	found    []*trouble // of the plan; nil: the answer is right
	refusals int        // in a row
}

// work asks for the addresses whose numbers come.
func (r *run) work(ctx context.Context, next <-chan int, stop context.CancelCauseFunc) {
	reader := page.NewReader(r.o.Page)
	for i := range next {
		q := &r.plan[i]
		seen, ok := r.ask(ctx, q, reader)
		if !ok {
			continue // the time is up
		}
		if err := r.remember(ctx, q, seen); err != nil {
			stop(err)
		} else if r.take(i, seen) >= mostRefusals {
			stop(errRefused)
		}
	}
}

// take takes in an answer, and returns how many refusals in a row there are.
func (r *run) take(i int, seen *Seen) int {
	t := r.judge(&r.plan[i], seen)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done[i], r.found[i] = true, t
	r.Asked++
	if t == nil {
		r.Right++
	}
	if t != nil && t.refusal {
		r.refusals++
	} else {
		r.refusals = 0
	}
	r.o.Progress(r.Asked, r.Planned)
	return r.refusals
}

// ended is the error of a run that had no time left, or was interrupted.
func (r *run) ended(ctx context.Context) error {
	hint := "--state FILE lets the next run go on where this one ended; --sample N asks fewer"
	if r.o.State != "" {
		hint = fmt.Sprintf("run it again: %s knows what was answered", r.o.State)
	}
	if !errors.Is(ctx.Err(), context.Canceled) {
		hint += fmt.Sprintf("; --timeout %v is enough for all", Patience(r.Takes(r.Left())))
	}
	return diag.Hintedf(hint, "%d of %d addresses were asked: %w", r.Asked, r.Planned, diag.Cause(context.Cause(ctx)))
}

// Patience is for how long requests may go on that take so long if all answer at once.
func Patience(takes time.Duration) time.Duration {
	return (10*time.Minute + 2*takes).Round(time.Minute)
}
