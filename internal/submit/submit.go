// Package submit tells search engines which URLs of a site changed, by IndexNow
// (https://www.indexnow.org), and Google where its sitemap is, once the deploy that
// changed them is live.
//
// It refuses to tell of what did not change, of a site that is not for the public,
// and of one that does not yet answer as its changes say; and to print.
package submit

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/files"
)

// Options say what to submit, and where. One of Changes, Since and All says what.
type Options struct {
	Build engine.Options // how the site at hand is read
	Input config.Input

	Changes string   // file of a list of changes, as typed; "-" is standard input
	Since   string   // an earlier list that the site at hand is compared with
	All     bool     // every URL
	State   string   // file that remembers what was sent; "" is the list of changes
	Engines []string // names or addresses; none is the one that tells all others

	Wait   time.Duration // until the deploy is live
	DryRun bool          // go nowhere; Print gets the requests
	Print  io.Writer
	Client *http.Client                     // nil is the default
	Say    func(format string, args ...any) // called with what happens meanwhile; may be nil
}

// A Submission is what was done so far.
type Submission struct {
	Settings *config.Settings
	Findings *diag.Report
	Outcome
	Open        int  // of the earlier messages, how many have no known answer
	TellsGoogle bool // Search Console is told of the sitemaps, or would be

	o       Options
	scopes  []scope
	engines []string
	state   *State
	file    string        // that remembers what was sent; "" is none
	open    int           // URLs that the file says are being sent
	wait    time.Duration // until what is recent may be sent
	example string        // a URL of Outside
}

// An Outcome is what a report says of a submission; docs/json.md describes it.
type Outcome struct {
	Skipped string          `json:"skipped,omitempty"` // why no engine of IndexNow was to be sent anything; "" when one was
	Hosts   []Host          `json:"hosts"`             // what there is to tell of each
	Answers []Answer        `json:"answers"`           // of the engines, in their order
	Pings   []Ping          `json:"pings"`
	Google  []GoogleSitemap `json:"google,omitempty"` // what Search Console says
	Hidden  int             `json:"hidden"`           // URLs that are still served and hidden now, which are not submitted
	Outside int             `json:"outside"`          // URLs of other sites, which neither
	Earlier int             `json:"earlier"`          // messages that an earlier run sent
	Recent  int             `json:"recent"`           // messages that have to wait, because another one of their URL was just sent
	Left    int             `json:"left"`             // messages that were not sent
}

// A Host is how much there is to tell of one.
type Host struct {
	Name    string `json:"host"`
	Added   int    `json:"added"`
	Changed int    `json:"changed"`
	Removed int    `json:"removed"`
}

// URLs is how many there are to tell of.
func (h *Host) URLs() int { return h.Added + h.Changed + h.Removed }

// A Ping is what an address of submit.ping answered.
type Ping struct {
	URL    string `json:"url"`
	Status int    `json:"status"` // 0 is no answer
	Error  string `json:"error,omitempty"`
}

// Run tells search engines what changed. An error means that nothing was sent, or
// with ctx done that the rest was not.
func Run(ctx context.Context, o Options) (*Submission, error) {
	if o.Say == nil {
		o.Say = func(string, ...any) {}
	}
	s := &Submission{o: o, Findings: &diag.Report{Keep: o.Build.Keep}}
	s.Hosts, s.Answers, s.Pings = []Host{}, []Answer{}, []Ping{} // lists in a report, also without a row
	var err error
	if s.engines, err = endpoints(o.Engines); err != nil {
		return s, err
	}
	if s.Skipped = notHere(o.Input.Getenv); s.Skipped != "" {
		return s, nil
	}
	held, err := s.lock(ctx)
	if err != nil {
		return s, err
	}
	defer held.Close()
	if err := s.prepare(ctx); err != nil || s.Skipped != "" && !s.TellsGoogle {
		return s, err
	}
	requests := s.requests()
	if o.DryRun {
		return s, s.show(requests)
	}
	ctx, cancel := fetch.Within(ctx, cmp.Or(o.Build.Online, fetch.Total)+o.Wait)
	defer cancel()
	if len(requests) > 0 {
		if err := s.ready(ctx); err != nil {
			return s, err
		}
		if err := s.tell(ctx, s.requests()); err != nil { // ready may have waited until more is due
			return s, err
		}
	}
	s.postpone()
	if slices.ContainsFunc(s.Answers, func(a Answer) bool { return a.OK() }) {
		s.ping(ctx)
	}
	return s, s.submitToGoogle(ctx)
}

// prepare finds what is to be sent from where, or why nothing is.
func (s *Submission) prepare(ctx context.Context) error {
	l, skipped, err := s.gather(ctx)
	if s.Skipped = skipped; err == nil && skipped != "" {
		err = s.unlisted(ctx)
	}
	if err != nil || s.Settings == nil {
		return err
	}
	s.Findings.Levels, s.scopes = s.Settings.Findings, scopesOf(s.Settings)
	hidden := notThis(s.Settings, s.o.Input.Getenv)
	if hidden == "" && l != nil && l.URLs == 0 {
		hidden = "no page of the site may be indexed, so this build is not for the public"
	}
	s.Skipped = cmp.Or(hidden, skipped)
	s.TellsGoogle = s.Settings.Google && hidden == ""
	if l != nil {
		return s.plan(l)
	}
	for i := range s.scopes {
		s.scopes[i].changed = true
	}
	return nil
}

// plan decides which changes are sent.
func (s *Submission) plan(l *List) error {
	s.Hidden = l.Hidden
	s.share(l.Changes)
	switch {
	case s.key() == "" && !s.Settings.Google:
		return diag.Hintedf("make one with sitewalk init --indexnow, or write it as output.indexnow into sitemap.yaml; or use --key or INDEXNOW_KEY",
			"there is no key for IndexNow")
	case s.Skipped != "":
	case s.key() == "":
		s.Skipped = "there is no key for IndexNow; sitewalk init --indexnow makes one"
	case len(s.Hosts) == 0 && s.Outside > 0:
		return fmt.Errorf("all that changed lies outside of %s: %.200q", s.Settings.Site.Base, s.example)
	case len(s.Hosts) == 0:
		s.Skipped = "nothing changed"
	}
	if s.Skipped != "" {
		return nil
	}
	return s.recall()
}

// lock waits until no other run uses the file that remembers what was sent.
func (s *Submission) lock(ctx context.Context) (held *files.PathLock, err error) {
	name := cmp.Or(s.o.State, s.o.Changes)
	if s.o.DryRun || name == "" || name == "-" {
		return nil, nil
	}
	held, err = files.LockPath(ctx, s.path(name), 0)
	if errors.Is(err, files.ErrHeld) {
		s.o.Say("waiting for another run that uses %s", name)
		held, err = files.LockPath(ctx, s.path(name), math.MaxInt64)
	}
	return held, err
}

// recall reads what was sent before.
func (s *Submission) recall() error {
	if s.o.State != "" {
		s.file = files.LinkTarget(s.path(s.o.State)) // a link to the state that several projects share stays
		src, err := files.Read(s.file, maxList)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("--state %w", plainly(s.o.State, err))
		}
		if s.state, err = ReadState(src); err != nil {
			return fmt.Errorf("--state %s: %w", s.o.State, err)
		}
	}
	if s.state == nil {
		s.state = NewState()
	}
	s.state.forget(time.Now())
	return nil
}

// save remembers what was sent, whole or not at all.
func (s *Submission) save() error {
	if s.file == "" {
		return nil
	}
	err := files.MakeFolder(filepath.Dir(s.file), s.Settings.Writer.Publish)
	if err == nil {
		err = files.Replace(s.file, s.state.Document())
	}
	if err == nil {
		s.open = 0
		return nil
	}
	name := cmp.Or(s.o.State, s.o.Changes)
	err = fmt.Errorf("what is sent cannot be recorded in %s: %w", name, diag.Cause(err))
	if s.open > 0 {
		err = diag.Hinted{Err: err, Hint: fmt.Sprintf("%s still says of %s that the answer is not known, and the next run does not send them", name, diag.Count(s.open, "URL"))}
	}
	return err
}

// Rest says what was not sent, and why.
func (s *Submission) Rest() (lines []string) {
	say := func(n int, format string, args ...any) {
		if n > 0 {
			lines = append(lines, fmt.Sprintf(format, args...))
		}
	}
	say(s.Earlier, "%s sent by an earlier run", verb(s.Earlier, "was", "were"))
	say(s.Open, "%s of these have no known answer, because that run was cut off; they are not sent twice", diag.Count(s.Open, "URL"))
	say(s.Hidden, "%s hidden now and not submitted: the pages are still served", are(s.Hidden))
	say(s.Outside, "%s not of the site and not submitted: %.200q", are(s.Outside), s.example)
	say(s.Left, "%s left; %s", are(s.Left), s.again())
	return lines
}

// postpone says that some changes have to wait.
func (s *Submission) postpone() {
	if s.Recent > 0 {
		s.Findings.Add(diag.Warnf(diag.Pos{}, "submit-failed", fmt.Sprintf("run it again in %v", s.wait.Round(time.Second)),
			"%s to wait: another change was sent less than %v ago", verb(s.Recent, "has", "have"), pause))
	}
}

func are(n int) string { return verb(n, "is", "are") }

func verb(n int, one, several string) string {
	if n == 1 {
		return diag.Count(n, "URL") + " " + one
	}
	return diag.Count(n, "URL") + " " + several
}

// show prints the requests that would be made.
func (s *Submission) show(requests []request) error {
	w := bufio.NewWriter(s.o.Print)
	for _, r := range requests {
		fmt.Fprintf(w, "POST %s\nContent-Type: %s\n\n%s\n\n", r.engine, contentType, r.body(s.key()))
	}
	for i := range s.scopes {
		if s.TellsGoogle {
			fmt.Fprintf(w, "%s\n\n", s.console().plan(s.scopes[i].sitemap))
		}
	}
	return w.Flush()
}

// A StoppedError is the end of a run that was interrupted, or had no time left.
type StoppedError struct{ error }

// Unwrap returns what ended the run, with how much is left.
func (e StoppedError) Unwrap() error { return e.error }

// ping calls the addresses of the old kind, if anybody was told of anything.
func (s *Submission) ping(ctx context.Context) {
	const hint = "remove it from submit.ping if that does not change"
	for _, to := range s.Settings.Pings {
		for i := range s.scopes {
			if !s.scopes[i].changed {
				continue
			}
			p := Ping{URL: to + url.QueryEscape(s.scopes[i].sitemap)}
			status, _, err := s.ask(ctx, p.URL)
			if err != nil {
				p.Error = err.Error()
				s.Findings.Add(diag.Warnf(diag.Pos{}, "ping-failed", hint, "%s cannot be called: %v", to, err).About(p.URL))
			} else if p.Status = status; status/100 != 2 {
				s.Findings.Add(diag.Warnf(diag.Pos{}, "ping-failed", hint, "%s answers %d", to, status).About(p.URL))
			}
			s.Pings = append(s.Pings, p)
		}
	}
}

func (s *Submission) key() string { return s.Settings.Writer.Key }
