package engine

import (
	"fmt"
	"time"

	"github.com/sitewalk/sitewalk/watch"
)

// A phase is how the files stand to what a fresh build would write.
type phase int

const (
	unread    phase = iota // the site was not read yet, or could not be
	unwritten              // it was read, and could not be written
	skipped                // the settings say that nothing is written
	idle                   // the files are right, or stay on purpose
)

// A state is where following stands, and what it has tried and said. Only a step
// changes it.
type state struct {
	phase    phase
	broken   bool      // the settings on disk are of no use; the last good ones stay
	begun    bool      // there was a build
	delays   int       // batches in a row of which nothing was made
	tries    int       // failed attempts in a row
	trouble  string    // what was reported last, so that it is reported once
	repairs  int       // of our files, one close after the other
	repaired time.Time // when the last one was
	edited   time.Time // when content changed of which nothing was built since
	blamed   bool      // it was said that the generator's server may be the cause
}

// An event is something that following acts upon, with all that the loop has found
// out about it.
type event interface{ act(s *state, p *plan) }

// A seen event is a batch, or the end of patience.
type seen struct {
	at       time.Time
	all      bool   // anything may have changed
	busy     bool   // changes go on, and one of our files is missing
	settings bool   // what they are read from says something else, or another day has begun
	commits  bool   // git may say something else
	differs  bool   // files of the site or the time may make another list
	pages    bool   // built files changed
	content  bool   // content files changed, whether they matter or not
	spoiled  string // the first of our files that is not as we left it
	server   string // why a server builds nothing in the publish directory; "": there is none
}

// A loaded event ends an attempt to read the settings.
type loaded struct {
	trouble  string // why they are of no use; "" is none
	replaced bool   // good settings came in between, so the batch is of other trees
	skip     string // why nothing is to be written with the good ones; "" is none
	batch    seen   // that asked for it
}

// A built event ends an attempt to build.
type built struct {
	at      time.Time
	phase   phase
	trouble string // "" is none
	cut     bool   // it was stopped; a batch will name what stopped it
	repair  bool   // it was one
	server  string // why there is no publish directory
}

// A plan is what is to be done, in this order.
type plan struct {
	report   bool     // say what is wrong
	announce bool     // say what was built
	notes    []string // say these about following
	askGit   bool     // forget git's answers, so that git is asked again
	load     bool     // read the settings, for a loaded event
	pause    bool     // wait before a repair, as other programs go on writing
	write    bool     // learn what changed, and write, for a built event
	all      bool     // as if all had changed
	repair   bool     // as only our files had
}

// step returns the state after an event, and what is to be done.
func step(s state, e event) (state, plan) {
	var p plan
	e.act(&s, &p)
	return s, p
}

// mostDelays is how many batches in a row may end at the ceiling, with a file of
// ours missing, before anything is built: a program is wiping the folder, and finds
// it not empty when we write into it.
const mostDelays = 5

func (e seen) act(s *state, p *plan) {
	if s.delays++; e.busy && s.delays < mostDelays {
		return
	}
	s.delays = 0
	if p.load = s.broken || e.settings; !p.load {
		e.heed(s, p)
	}
}

// heed does what a batch asks that does not change the settings.
func (e seen) heed(s *state, p *plan) {
	e.awaitPages(s, p)
	p.askGit = e.commits
	switch {
	case s.phase == skipped:
	case e.all || s.phase == unread:
		p.write, p.all = true, true
	case e.differs || e.commits || s.phase == unwritten:
		p.write = true
	case e.spoiled != "":
		e.restore(s, p)
	}
}

// unbuiltAfter is how long a generator may take to build the page of a content
// file that changed before its development server is thought of, which keeps
// pages in memory.
const unbuiltAfter = 10 * time.Second

func (e seen) awaitPages(s *state, p *plan) {
	switch {
	case e.server == "":
	case e.pages:
		s.edited = time.Time{}
	case e.content && s.edited.IsZero():
		s.edited = e.at
	}
	if !s.edited.IsZero() && e.at.Sub(s.edited) >= unbuiltAfter {
		s.blame(e.server, p)
	}
}

// blame says once why nothing may have been built.
func (s *state) blame(server string, p *plan) {
	if server != "" && !s.blamed {
		s.blamed = true
		p.notes = append(p.notes, server)
	}
}

// Repairs that follow each other closer than closeRepairs are counted, and from
// manyRepairs on there is a pause before each: another watch in the same folder
// does not give in either.
const (
	closeRepairs = 5 * time.Second
	manyRepairs  = 5
)

func (e seen) restore(s *state, p *plan) {
	p.write, p.repair = true, true
	if s.repairs++; e.at.Sub(s.repaired) > closeRepairs {
		s.repairs = 0
	}
	if s.repairs == manyRepairs {
		p.notes = append(p.notes, fmt.Sprintf("another program writes over %s again and again; it is restored every %v", e.spoiled, watch.Ceiling))
	}
	p.pause = s.repairs >= manyRepairs
}

func (e loaded) act(s *state, p *plan) {
	if s.broken = e.trouble != ""; s.broken {
		s.fail(e.trouble, p)
	}
	switch {
	case s.broken && !e.replaced:
		e.batch.heed(s, p)
	case e.skip != "":
		s.phase, p.notes = skipped, []string{"nothing written: " + e.skip}
	default:
		s.phase, p.write, p.all = unread, true, true
	}
}

func (e built) act(s *state, p *plan) {
	s.phase = e.phase
	if e.repair {
		s.repaired = e.at
	}
	switch {
	case e.cut:
	case e.trouble == "":
		p.announce = true
		s.tries, s.trouble, s.begun = 0, "", true
	default:
		if s.fail(e.trouble, p); p.report && !s.begun {
			s.blame(e.server, p)
		}
	}
}

// fail reports once what is wrong.
func (s *state) fail(trouble string, p *plan) {
	if s.tries++; s.trouble != trouble {
		s.trouble, s.tries = trouble, 0
		p.report = true
	}
}

// The waits after failed attempts: a full disk gives no sign when it has room
// again.
const (
	firstRetry = time.Second
	lastRetry  = 16 * time.Second
)

// clockCheck is how often the clock is looked at while nothing happens: it may be
// set, and timers do not count while a machine sleeps.
const clockCheck = time.Minute

// patience is how long to wait for changes: until they are quiet, until a new
// attempt, or until time alone makes a difference, which it does after next.
func (s *state) patience(now time.Time, quiet, next time.Duration) time.Duration {
	switch {
	case s.delays > 0:
		return quiet
	case s.broken || s.phase == unread || s.phase == unwritten:
		return min(firstRetry<<min(s.tries, 10), lastRetry)
	case !s.edited.IsZero() && !s.blamed:
		next = min(next, s.edited.Add(unbuiltAfter).Sub(now))
	}
	return max(min(next, clockCheck), time.Millisecond)
}
