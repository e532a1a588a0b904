package submit

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	// tries is how often one request is made.
	tries = 4
	// answerIn is how long an engine may take to answer.
	answerIn = 30 * time.Second
	// patience is the longest Retry-After that is waited for: a longer one is for
	// another run.
	patience = 10 * time.Minute
	// maxMessage is how much of an answer is read.
	maxMessage = 2 << 10
)

// The first pauses before a request is made again; each next one is doubled.
const (
	afterTooMany = time.Minute
	afterTrouble = 5 * time.Second
)

// An Answer is what came of one request.
type Answer struct {
	Engine  string `json:"engine"` // its address
	Host    string `json:"host"`
	URLs    int    `json:"urls"`
	Status  int    `json:"status"`            // 0 is no answer
	Meaning string `json:"meaning"`           // in words
	Message string `json:"message,omitempty"` // what the engine says besides
	Tries   int    `json:"tries"`

	hint    string
	passing bool          // it may be another one next time
	after   time.Duration // Retry-After
}

// OK reports whether the engine received the URLs.
func (a *Answer) OK() bool {
	return a.Status == http.StatusOK || a.Status == http.StatusAccepted
}

// Short is the engine's host.
func (a *Answer) Short() string { return short(a.Engine) }

// deliver makes a request until there is an answer that stays.
func (s *Submission) deliver(ctx context.Context, engine string, body []byte) Answer {
	var a Answer
	for n := range tries {
		a = s.post(ctx, engine, body)
		a.Tries = n + 1
		first := afterTrouble
		if a.Status == http.StatusTooManyRequests {
			first = afterTooMany
		}
		pause := cmp.Or(a.after, first<<n)
		if !a.passing || n == tries-1 || pause > patience {
			break
		}
		s.say("%s: %s; again in %v", short(engine), a.Meaning, pause)
		if sleep(ctx, pause) != nil {
			break
		}
	}
	return a
}

// post makes one request. It is not cut short by an interrupt, so that what was
// sent is known.
func (s *Submission) post(ctx context.Context, engine string, body []byte) Answer {
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), answerIn, fmt.Errorf("there was no answer within %v", answerIn))
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, engine, bytes.NewReader(body))
	if err != nil {
		return Answer{Engine: engine, Meaning: err.Error()}
	}
	request.Header.Set("Content-Type", contentType)
	request.Header.Set("User-Agent", "sitewalk")
	response, err := s.client().Do(request)
	if err != nil {
		return Answer{Engine: engine, Meaning: cause(ctx, err), passing: true}
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(response.Body, maxMessage)) // the status is enough
	what, passing := statusOf(response.StatusCode)
	return Answer{
		Engine: engine, Status: response.StatusCode, Meaning: what.text, Message: oneLine(text),
		hint: what.hint, passing: passing, after: retryAfter(response.Header.Get("Retry-After"), time.Now()),
	}
}

// client never follows a redirect: what is moved takes no URLs.
func (s *Submission) client() *http.Client {
	c := http.Client{}
	if s.o.Client != nil {
		c = *s.o.Client
	}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &c
}

// cause says why there is no answer, without the address.
func cause(ctx context.Context, err error) string {
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if u := (*url.Error)(nil); errors.As(err, &u) {
		err = u.Err
	}
	return err.Error()
}

// retryAfter reads a Retry-After header, RFC 9110, 10.2.3: seconds or a date. 0 is
// none.
func retryAfter(v string, now time.Time) time.Duration {
	if sec, err := strconv.ParseInt(strings.TrimSpace(v), 10, 32); err == nil && sec >= 0 {
		return time.Duration(sec) * time.Second
	}
	if t, err := http.ParseTime(v); err == nil {
		return max(0, t.Sub(now)).Round(time.Second)
	}
	return 0
}

// oneLine is what an engine says on one line, without what is no text: an error
// page tells nobody anything.
func oneLine(body []byte) string {
	text := strings.Join(strings.Fields(strings.ToValidUTF8(string(body), "")), " ")
	if strings.HasPrefix(text, "<") || text == "{}" {
		return ""
	}
	if r := []rune(text); len(r) > 200 {
		text = string(r[:200]) + "…"
	}
	return text
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// tell sends the changes of all scopes to one engine.
func (s *Submission) tell(ctx context.Context, engine string) error {
	for i := range s.scopes {
		due, r := s.state.due(engine, s.scopes[i].changes, time.Now())
		s.rests(r)
		left := len(due)
		for part := range slices.Chunk(due, most) {
			a, err := s.send(ctx, engine, &s.scopes[i], part)
			if err != nil {
				return err
			}
			if a.passing { // the engine has trouble with everything
				s.Left += left + s.dueOf(engine, s.scopes[i+1:])
				return s.save()
			}
			left -= len(part)
			if a.Status == http.StatusForbidden { // with every URL of this key
				s.Left += left
				break
			}
		}
	}
	return s.save()
}

// dueOf counts what of some scopes is to be sent to an engine now.
func (s *Submission) dueOf(engine string, scopes []scope) (n int) {
	for i := range scopes {
		due, _ := s.state.due(engine, scopes[i].changes, time.Now())
		n += len(due)
	}
	return n
}

// send makes one request of a part of the changes of a scope.
func (s *Submission) send(ctx context.Context, engine string, to *scope, part []Change) (Answer, error) {
	if ctx.Err() != nil {
		return Answer{}, ctx.Err()
	}
	takeBack := s.state.note(engine, part, true)
	if err := s.save(); err != nil {
		return Answer{}, err
	}
	a := s.deliver(ctx, engine, to.parcel(s.key(), part).body())
	a.Host, a.URLs = to.host, len(part)
	if a.OK() {
		s.state.note(engine, part, false)
	} else {
		takeBack()
		s.noteRefusal(&a, to)
	}
	s.Answers = append(s.Answers, a)
	return a, nil
}

// noteRefusal makes a finding of an answer that is none.
func (s *Submission) noteRefusal(a *Answer, to *scope) {
	text := a.Meaning
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
		s.warn("submit-failed", s.again(), short(a.Engine)+" "+a.Host, "%s is not told of %s of %s: %s", short(a.Engine), count(a.URLs, "URL"), a.Host, text)
		return
	}
	s.errorf("submit-refused", hint, short(a.Engine)+" "+a.Host, "%s does not take %s of %s: %s", short(a.Engine), count(a.URLs, "URL"), a.Host, text)
}

// again says how the rest is sent.
func (s *Submission) again() string {
	if s.file == "" {
		return "run it again later; --state FILE remembers what was sent"
	}
	return "run it again later; what was sent is not sent again"
}

// short is an engine's name, or its address.
func short(engine string) string {
	if u, err := url.Parse(engine); err == nil && u.Host != "" {
		return u.Host
	}
	return engine
}
