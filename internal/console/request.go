package console

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/internal/fetch"
)

const (
	// answerIn is how long an answer may take.
	answerIn = 30 * time.Second
	// maxAnswer is how much of an answer is read: 10,000 properties take less.
	maxAnswer = 4 << 20
	// longest is the longest pause that is waited for.
	longest = time.Minute
)

var retry = fetch.Retry{Tries: 3, TooMany: 5 * time.Second, Trouble: 5 * time.Second}

// An answerError is an answer of the API that is not the one that was asked for.
type answerError struct {
	status  int    // 0 is no answer
	reason  string // a word of the API
	project string // the number of the account's project, where the API is to be enabled
	isAPI   bool   // it is an error of the API, and not a page of any server
	why     string // in place of an answer

	after time.Duration
}

func (e *answerError) Error() string { return cmp.Or(e.why, fmt.Sprintf("it answers %d", e.status)) }

// passing reports whether another try may help.
func (e *answerError) passing() bool {
	return e.status == 0 || e.status == http.StatusTooManyRequests || e.status >= 500 || strings.HasSuffix(e.reason, "Exceeded")
}

// request makes a request of the API, again if trouble may pass, and decodes its answer
// into out; nil is none.
func (c *Console) request(ctx context.Context, method, path string, out any) error {
	if err := c.login(ctx); err != nil {
		return err
	}
	for n := 0; ; n++ {
		err := c.once(ctx, method, path, out)
		var a *answerError
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err == nil || !errors.As(err, &a) || !a.passing() {
			return err
		}
		pause, ok := retry.Pause(ctx, n, a.status, a.after)
		if !ok || pause > longest {
			return err
		}
		c.o.Say("Search Console: %v; again in %v", err, pause)
		if err := fetch.Sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// once makes a request one time.
func (c *Console) once(ctx context.Context, method, path string, out any) error {
	ctx, cancel := context.WithTimeoutCause(ctx, answerIn, fmt.Errorf("there was no complete answer within %v", answerIn))
	defer cancel()
	base, err := c.api()
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, method, base+path, nil)
	if err != nil {
		return &answerError{why: "its address cannot be requested"}
	}
	r.Header.Set("Authorization", "Bearer "+c.account.token)
	if c.account.quota != "" {
		r.Header.Set("X-Goog-User-Project", c.account.quota)
	}
	response, body, err := fetch.Do(c.o.Client, r, maxAnswer+1)
	switch {
	case err != nil:
		return &answerError{why: why(ctx, err)}
	case len(body) > maxAnswer:
		return &answerError{status: response.StatusCode, why: fmt.Sprintf("its answer has more than %d MiB", maxAnswer>>20)}
	case response.StatusCode/100 != 2:
		return c.refused(response, body)
	case out != nil && json.Unmarshal(body, out) != nil:
		return &answerError{status: response.StatusCode, why: "its answer is not one of the API"}
	}
	return nil
}

// api returns the address below which the API is. A token goes to another machine by
// https alone.
func (c *Console) api() (string, error) {
	named := c.o.Getenv("SITEWALK_GOOGLE_API")
	if named == "" {
		return defaultAPI, nil
	}
	u, err := url.Parse(named)
	if err != nil || u.Host == "" || u.Scheme != "https" && !(u.Scheme == "http" && isLoopback(u.Hostname())) {
		return "", &refusal{text: "SITEWALK_GOOGLE_API is not an address of https", hint: "leave it out; Google's own is the default"}
	}
	return strings.TrimSuffix(named, "/") + "/", nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

var (
	reasonWord    = regexp.MustCompile(`^[A-Za-z_]{3,50}$`)
	projectNumber = regexp.MustCompile(`\bprojects?[ /=](\d{4,20})\b`)
)

// refused reads an error of the API. Its text stays out of the program: what a server
// writes there may be what it was sent.
func (c *Console) refused(response *http.Response, body []byte) error {
	e := &answerError{status: response.StatusCode, after: fetch.RetryAfter(response.Header)}
	var answer struct {
		Error struct {
			Message string
			Status  string
			Errors  []struct{ Reason string }
			Details []struct{ Reason string }
		}
	}
	if json.Unmarshal(body, &answer) != nil {
		return e
	}
	a := &answer.Error
	e.isAPI = a.Message != "" || a.Status != ""
	for _, d := range a.Errors {
		e.reason = cmp.Or(e.reason, d.Reason)
	}
	for _, d := range a.Details { // the newer form is the more exact one
		e.reason = cmp.Or(d.Reason, e.reason)
	}
	if strings.Contains(a.Message, "quota project") {
		e.reason = noQuotaProject
	}
	if !reasonWord.MatchString(e.reason) || c.echoes(e.reason) {
		e.reason = ""
	}
	if m := projectNumber.FindStringSubmatch(a.Message); m != nil && !c.echoes(m[1]) {
		e.project = m[1]
	}
	return e
}

// echoes reports whether a text has a part of the token, in any case of its letters.
func (c *Console) echoes(text string) bool {
	const part = 8
	text, token := strings.ToLower(text), strings.ToLower(c.account.token)
	for i := 0; i+part <= len(token); i++ {
		if strings.Contains(text, token[i:i+part]) {
			return true
		}
	}
	return false
}

// why says why there was no answer, in words that no server chose.
func why(ctx context.Context, err error) string {
	if ctx.Err() != nil {
		return context.Cause(ctx).Error()
	}
	if e, ok := errors.AsType[*net.DNSError](err); ok {
		return e.Error()
	}
	if e, ok := errors.AsType[*net.OpError](err); ok {
		return e.Error()
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return "this machine does not trust its certificate"
	}
	return "the connection broke, or what answers does not speak HTTP"
}
