package submit

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/fetch"
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
func (a *Answer) Short() string {
	u, _ := url.Parse(a.Engine) // as it was read before
	return u.Host
}

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
		s.say("%s: %s; again in %v", a.Short(), a.Meaning, pause)
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
	response, err := fetch.Client(s.o.Client, fetch.Stay).Do(request) // what is moved takes no URLs
	if err != nil {
		return Answer{Engine: engine, Meaning: fetch.Why(ctx, err).Error(), passing: true}
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(response.Body, maxMessage)) // the status is enough
	what, passing := statusOf(response.StatusCode)
	return Answer{
		Engine: engine, Status: response.StatusCode, Meaning: what.text, Message: oneLine(text),
		hint: what.hint, passing: passing, after: retryAfter(response.Header.Get("Retry-After"), time.Now()),
	}
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
		a, err := s.send(ctx, r)
		if err != nil {
			for _, r := range requests[i:] {
				s.Left += len(r.part)
			}
			return s.stopError(ctx, err)
		}
		refuses[key] = a.Status == http.StatusForbidden
		if a.passing { // the engine has trouble with everything
			refuses[r.engine] = true
			s.Left += len(r.part)
		}
	}
	return s.save()
}

// send makes one request.
func (s *Submission) send(ctx context.Context, r request) (Answer, error) {
	if ctx.Err() != nil {
		return Answer{}, ctx.Err()
	}
	takeBack := s.state.note(r.engine, r.part, true)
	if err := s.save(); err != nil {
		return Answer{}, err
	}
	a := s.deliver(ctx, r.engine, r.body(s.key()))
	a.Host, a.URLs = r.to.host, len(r.part)
	if a.OK() {
		s.state.note(r.engine, r.part, false)
	} else {
		takeBack()
		s.noteRefusal(&a, r.to)
	}
	s.Answers = append(s.Answers, a)
	return a, nil
}

// noteRefusal makes a finding of an answer that is none.
func (s *Submission) noteRefusal(a *Answer, to *scope) {
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
		s.Findings.Add(diag.Warnf(diag.Pos{}, "submit-failed", s.again(), "%s is not told of %s of %s: %s", a.Short(), urls, a.Host, text).About(about))
		return
	}
	s.Findings.Add(diag.Errorf(diag.Pos{}, "submit-refused", hint, "%s does not take %s of %s: %s", a.Short(), urls, a.Host, text).About(about))
}

// again says how the rest is sent.
func (s *Submission) again() string {
	if s.file == "" {
		return "run it again later; --state FILE remembers what was sent"
	}
	return "run it again later; what was sent is not sent again"
}
