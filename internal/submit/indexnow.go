package submit

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/fetch"
)

// sharedEngine is the URL of the IndexNow service that forwards each request to all search
// engines.
const sharedEngine = "https://api.indexnow.org/indexnow"

const (
	contentType   = "application/json; charset=utf-8"
	maxURLs       = 10_000 // maximum number of URLs in one request of the IndexNow protocol
	answerTimeout = 30 * time.Second
)

// indexNowRetry limits how often a request to an IndexNow engine is sent, and sets the pause before
// it is sent again.
var indexNowRetry = fetch.Retry{Tries: 4, First: 10 * time.Second}

// checkEngine returns an error if engine is not an http or https URL.
func checkEngine(engine string) error {
	u, err := url.Parse(engine)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return diag.Hintedf("without --engine, one request serves all engines", "engine %q is not the address of an IndexNow engine", engine)
	}
	return nil
}

// A request is one request to the IndexNow engine. It contains changed URLs of one target.
type request struct {
	to      *target
	changes []Change
}

// A payload is the JSON body of an IndexNow request.
type payload struct {
	Host        string   `json:"host"`
	Key         string   `json:"key"`
	KeyLocation string   `json:"keyLocation,omitempty"` // URL of the key file; omitted if the file is at the root of the host
	URLs        []string `json:"urlList"`
}

// jsonBody returns the JSON body of the request. key is the IndexNow key of the site.
func (r *request) jsonBody(key string) []byte {
	p := payload{Host: r.to.host, Key: key}
	if u, err := url.Parse(r.to.base); err == nil && u.Path != "/" {
		p.KeyLocation = r.to.keyURL(key)
	}
	for _, c := range r.changes {
		p.URLs = append(p.URLs, c.URL)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(p) // encoding strings cannot fail
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// An EngineAnswer is the answer of a search engine to one request.
type EngineAnswer struct {
	Engine  string `json:"engine"`  // URL of the engine
	Host    string `json:"host"`    // host of the sent URLs
	URLs    int    `json:"urls"`    // number of sent URLs
	Status  int    `json:"status"`  // HTTP status; 0 if there was no answer
	Meaning string `json:"meaning"` // explanation of the status, such as "received"; the error if there was no answer
	Tries   int    `json:"tries"`   // number of attempts
}

// OK reports whether the engine accepted the URLs (status 200 or 202).
func (a *EngineAnswer) OK() bool { return a.Status == http.StatusOK || a.Status == http.StatusAccepted }

// EngineHost returns the host in the URL of the engine, with the port if the URL has one.
func (a *EngineAnswer) EngineHost() string {
	u, err := url.Parse(a.Engine)
	if err != nil {
		return a.Engine
	}
	return u.Host
}

// statusMeanings explains the status codes of the IndexNow protocol.
// See https://www.indexnow.org/documentation
var statusMeanings = map[int]string{
	http.StatusOK:                  "received",
	http.StatusAccepted:            "received; the key is not checked yet",
	http.StatusBadRequest:          "it does not understand the request",
	http.StatusForbidden:           "it does not accept the key",
	http.StatusUnprocessableEntity: "URLs that are not of the host, or not below the key's file",
	http.StatusTooManyRequests:     "too many requests",
}

// explainStatus returns an explanation of the status code of an answer, such as "received" for 200.
func explainStatus(status int) string {
	if text := statusMeanings[status]; text != "" {
		return text
	}
	if status >= 500 {
		return "it is out of order"
	}
	return "no answer of IndexNow"
}

// sendAll sends the requests one after another, and adds their answers to s.Outcome.Answers. After
// a temporary failure, it skips all further requests. After the engine has rejected the key of a
// target, it skips the further requests for this target. It adds the number of URLs that were
// skipped, or whose request failed temporarily, to s.Outcome.Unsent. It returns an error only if
// ctx ends.
func (s *Submission) sendAll(ctx context.Context, requests []request) error {
	hasFailed, rejected := false, map[*target]bool{}
	for i, r := range requests {
		if hasFailed || rejected[r.to] {
			s.Outcome.Unsent += len(r.changes)
			continue
		}
		a := s.sendRequest(ctx, r)
		if !a.OK() && ctx.Err() != nil {
			for _, rest := range requests[i:] {
				s.Outcome.Unsent += len(rest.changes)
			}
			return StoppedError{fmt.Errorf("%w; %s left", context.Cause(ctx), diag.Count(s.Outcome.Unsent, "URL"))}
		}
		s.Outcome.Answers = append(s.Outcome.Answers, a)
		if !a.OK() {
			s.reportFailure(&a, r.to)
			rejected[r.to] = a.Status == http.StatusForbidden
		}
		if fetch.IsTemporary(a.Status) {
			hasFailed = true
			s.Outcome.Unsent += len(r.changes)
		}
	}
	return nil
}

// sendRequest sends one request, repeats it after a temporary failure, and returns the last answer.
func (s *Submission) sendRequest(ctx context.Context, r request) EngineAnswer {
	body := r.jsonBody(s.indexNowKey())
	for n := 0; ; n++ {
		a, header := s.postOnce(ctx, body)
		a.Host, a.URLs, a.Tries = r.to.host, len(r.changes), n+1
		pause, again := indexNowRetry.Pause(ctx, n, a.Status, header)
		if !again {
			return a
		}
		s.o.Logf("%s: %s; again in %v", a.EngineHost(), a.Meaning, pause)
		if fetch.Sleep(ctx, pause) != nil {
			return a
		}
	}
}

// postOnce sends a request to the engine once, without retries. It returns the answer and the
// header of the response. If there is no response, the status of the answer is 0, and the header is
// nil.
func (s *Submission) postOnce(ctx context.Context, body []byte) (EngineAnswer, http.Header) {
	engine := s.o.Engine
	ctx, cancel := context.WithTimeoutCause(ctx, answerTimeout, fmt.Errorf("there was no answer within %v", answerTimeout))
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, engine, bytes.NewReader(body))
	if err != nil {
		return EngineAnswer{Engine: engine, Meaning: err.Error()}, nil
	}
	r.Header.Set("Content-Type", contentType)
	response, _, err := fetch.Do(s.o.Client, r, 0)
	if response == nil { // if there is a status, an incomplete body does not matter
		return EngineAnswer{Engine: engine, Meaning: fetch.Reason(ctx, err).Error()}, nil
	}
	status := response.StatusCode
	return EngineAnswer{Engine: engine, Status: status, Meaning: explainStatus(status)}, response.Header
}

// reportFailure adds a finding about a failed request: a warning after a temporary failure,
// otherwise an error.
func (s *Submission) reportFailure(a *EngineAnswer, t *target) {
	text, urls, subject := a.Meaning, diag.Count(a.URLs, "URL"), a.EngineHost()+" "+a.Host
	if a.Status != 0 {
		text = fmt.Sprintf("it answers %d: %s", a.Status, a.Meaning)
	}
	if fetch.IsTemporary(a.Status) {
		s.Build.Findings.Add(diag.Warnf(diag.Pos{}, "submit-failed", "run it again later", "%s of %s could not be sent to %s: %s", urls, a.Host, a.EngineHost(), text).About(subject))
		return
	}
	hint := "is that the address of an IndexNow engine? --dry-run prints the request"
	switch a.Status {
	case http.StatusForbidden:
		hint = t.keyURL(s.indexNowKey()) + " must answer programs, too, with the key and nothing else; a key that was refused once may have to be replaced: sitewalk init --indexnow"
	case http.StatusUnprocessableEntity:
		hint = t.keyURL(s.indexNowKey()) + " is valid for URLs below its own folder only"
	}
	s.Build.Findings.Add(diag.Errorf(diag.Pos{}, "submit-refused", hint, "%s refuses %s of %s: %s", a.EngineHost(), urls, a.Host, text).About(subject))
}
