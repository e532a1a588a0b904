package submit

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/fetch"
)

const (
	// answerIn is how long an engine may take to answer.
	answerIn = 30 * time.Second
	// grace is how long an answer is waited for when the run is interrupted, so that
	// what was sent is known.
	grace = time.Second
	// maxMessage is how much of an answer is read.
	maxMessage = 2 << 10
)

var retry = fetch.Retry{Tries: 4, TooMany: time.Minute, Trouble: 5 * time.Second}

// An Answer is what came of one request.
type Answer struct {
	Engine  string `json:"engine"` // its address
	Host    string `json:"host"`
	URLs    int    `json:"urls"`
	Status  int    `json:"status"`            // 0 is no answer
	Meaning string `json:"meaning"`           // in words
	Message string `json:"message,omitempty"` // what else the engine says
	Tries   int    `json:"tries"`

	hint    string
	unknown bool          // the run ended before it came
	passing bool          // it may be another one next time
	after   time.Duration // Retry-After
}

// OK reports whether the engine received the URLs.
func (a *Answer) OK() bool {
	return a.Status == http.StatusOK || a.Status == http.StatusAccepted
}

// Short is the engine's host.
func (a *Answer) Short() string {
	u, _ := url.Parse(a.Engine) // as it was read before
	return u.Host
}

// deliver makes a request until there is an answer that stays, or no time left to make
// it again. What was refused is no longer noted as sent while it waits.
func (s *Submission) deliver(ctx context.Context, r request) (a Answer, err error) {
	body := r.body(s.key())
	for n := 0; ; n++ {
		s.state.note(r.engine, r.part, time.Now())
		if err := s.save(); err != nil {
			return a, err
		}
		s.open = len(r.part)
		a = s.post(ctx, r.engine, body)
		a.Host, a.URLs, a.Tries = r.to.host, len(r.part), n+1
		switch {
		case a.OK():
			s.state.arrived(time.Now())
			return a, nil
		case a.Status == 0 && ctx.Err() != nil:
			a.unknown = true
			return a, nil
		}
		s.state.takeBack()
		pause, ok := retry.Pause(ctx, n, a.Status, a.after)
		if !a.passing || !ok {
			return a, nil
		}
		if err := s.save(); err != nil {
			return a, err
		}
		s.o.Say("%s: %s; again in %v", a.Short(), a.Meaning, pause)
		if fetch.Sleep(ctx, pause) != nil {
			return a, nil
		}
	}
}

// post makes one request. An interrupt does not cut it short before grace is over.
func (s *Submission) post(run context.Context, engine string, body []byte) Answer {
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(run), answerIn, fmt.Errorf("there was no answer within %v", answerIn))
	defer cancel()
	defer context.AfterFunc(run, func() {
		if fetch.Sleep(ctx, grace) == nil {
			cancel()
		}
	})()
	r, _ := http.NewRequestWithContext(ctx, http.MethodPost, engine, bytes.NewReader(body)) // endpoints has parsed the address
	r.Header.Set("Content-Type", contentType)
	response, text, err := fetch.Do(s.o.Client, r, maxMessage)
	if response == nil { // else the status is enough
		return Answer{Engine: engine, Meaning: fetch.Why(ctx, err).Error(), passing: true}
	}
	what, passing := statusOf(response.StatusCode)
	return Answer{
		Engine: engine, Status: response.StatusCode, Meaning: what.text, Message: wordIn(text),
		hint: what.hint, passing: passing, after: fetch.RetryAfter(response.Header),
	}
}

// plainWord matches the only answers that are printed: a word or a number.
var plainWord = regexp.MustCompile(`^([A-Za-z]{1,40}|[0-9]{1,9})$`)

// wordIn returns the word or number that is all of a body, or "".
func wordIn(body []byte) string { return plainWord.FindString(strings.TrimSpace(string(body))) }

// tell makes the requests, but for those that an engine would refuse as it did one
// before.
func (s *Submission) tell(ctx context.Context, requests []request) error {
	refuses := map[string]bool{} // an engine, or an engine and a key
	for i, r := range requests {
		key := r.engine + " " + r.to.base
		if refuses[r.engine] || refuses[key] {
			s.Left += len(r.part)
			continue
		}
		if ctx.Err() != nil {
			return s.stop(ctx, requests[i:], 0)
		}
		a, err := s.deliver(ctx, r)
		switch {
		case err != nil:
			s.leave(requests[i:])
			if a.Tries > 0 {
				s.answered(a, r.to)
			}
			return err
		case a.unknown:
			return s.stop(ctx, requests[i+1:], len(r.part))
		case !a.OK() && ctx.Err() != nil:
			return s.stop(ctx, requests[i:], 0)
		}
		s.answered(a, r.to)
		refuses[key] = a.Status == http.StatusForbidden
		if a.passing { // the engine has trouble with everything
			refuses[r.engine] = true
			s.Left += len(r.part)
		}
	}
	return s.save()
}

// leave counts requests that are not made.
func (s *Submission) leave(rest []request) {
	for _, r := range rest {
		s.Left += len(r.part)
	}
}

// stop ends a run before its time, with requests that were not made, and URLs of which it is
// not known whether they arrived.
func (s *Submission) stop(ctx context.Context, rest []request, unknown int) error {
	s.leave(rest)
	text := are(s.Left) + " left"
	if unknown > 0 {
		text = "whether " + verb(unknown, "has", "have") + " arrived is not known; " + text
	}
	stopped := StoppedError{fmt.Errorf("%w; %s", context.Cause(ctx), text)}
	if err := s.save(); err != nil {
		return fmt.Errorf("%w; %w", stopped, err)
	}
	return diag.Hinted{Err: stopped, Hint: s.again()}
}

// answered notes an answer, and makes a finding of a refusal.
func (s *Submission) answered(a Answer, to *scope) {
	s.Answers = append(s.Answers, a)
	if a.OK() {
		return
	}
	text, urls, about := a.Meaning, diag.Count(a.URLs, "URL"), a.Short()+" "+a.Host
	if a.Status != 0 {
		text = fmt.Sprintf("it answers %d: %s", a.Status, a.Meaning)
	}
	if a.Message != "" {
		text += " (" + a.Message + ")"
	}
	hint := a.hint
	if strings.Contains(hint, "%s") {
		hint = fmt.Sprintf(hint, to.keyURL(s.key()))
	}
	if a.passing {
		s.Findings.Add(diag.Warnf(diag.Pos{}, "submit-failed", s.again(), "%s of %s could not be sent to %s: %s", urls, a.Host, a.Short(), text).About(about))
		return
	}
	s.Findings.Add(diag.Errorf(diag.Pos{}, "submit-refused", hint, "%s refuses %s of %s: %s", a.Short(), urls, a.Host, text).About(about))
}

// again says how the rest is sent.
func (s *Submission) again() string {
	if s.file == "" {
		return "run it again later; --state FILE remembers what was sent"
	}
	return "run it again later; what was sent is not sent again"
}
