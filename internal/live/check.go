package live

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A problem describes a wrong answer. Problems with the same code and text, and the same kind of
// request, are reported in one finding.
type problem struct {
	code      string
	severity  diag.Severity
	text      string // predicate of the sentence about the URL: "answers 404 Not Found"
	hint      string
	detail    string // text that differs between URLs, such as "301 to https://example.com/b/"; it may contain text from the site
	isRefusal bool   // the site may be refusing all requests, or be down
}

func newErrorProblem(code, message, hint string) *problem {
	return &problem{code: code, severity: diag.Error, text: message, hint: hint}
}

func newWarningProblem(code, message, hint string) *problem {
	return &problem{code: code, severity: diag.Warning, text: message, hint: hint}
}

// withDetail sets the detail of p and returns p. Text from the site belongs into the detail, because
// Visit.Run removes all details while a secret header is in use.
func (p *problem) withDetail(detail string) *problem {
	p.detail = detail
	return p
}

// checkAnswer compares an answer with the expected answer of q. It returns nil if the answer is
// right.
func (v *Visit) checkAnswer(q *Request, a *answer) *problem {
	if q.Kind == Predicted && a.Status >= 400 && a.Status == q.Want.Status {
		return nil // for example, a rule of the host requires a login
	}
	if p := newRefusalProblem(a); p != nil && (q.Kind != Absent || a.Status == 0 || a.Status >= 500) {
		return p
	}
	switch q.Kind {
	case Predicted:
		return checkPredicted(q, a)
	case Absent:
		return checkAbsent(q, a)
	}
	return v.checkListed(q, a)
}

// newRefusalProblem returns a problem if the server did not answer, refused access with status
// 401, 403 or 429, or failed with status 5xx. For any other answer, it returns nil.
func newRefusalProblem(a *answer) (p *problem) {
	switch {
	case a.Status == 0:
		p = newErrorProblem("live-error", "gives no answer: "+a.Error, "is the site up? crawlers get the same answer, and come back later")
	case a.Status == http.StatusUnauthorized:
		p = newErrorProblem("live-blocked", "answers 401: the site requires a login", "search engines cannot log in; for a protected preview, set SITEWALK_LIVE_HEADER")
	case a.Status == http.StatusForbidden:
		p = newErrorProblem("live-blocked", "answers 403: the host forbids it, or a firewall blocks programs",
			"let crawlers pass; a firewall may allow Googlebot but not sitewalk: see URL Inspection in Search Console; on storage such as S3, 403 may mean that the file is missing; for a protected preview, set SITEWALK_LIVE_HEADER")
	case a.Status == http.StatusTooManyRequests:
		p = newWarningProblem("live-blocked", "answers 429: the site allows fewer requests", "send requests more slowly: --rate 2 --at-once 1")
	case a.Status >= 500:
		p = newErrorProblem("live-error", "answers "+statusText(a.Status), "crawlers slow down, and remove pages that stay so; look into the log of the server")
	default:
		return nil
	}
	p.isRefusal = true
	return p
}

// statusText formats a status code with its standard name: "404 Not Found".
func statusText(status int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status)))
}

// checkListed checks the answer for a URL that the sitemap lists, and returns nil if the answer is
// right.
func (v *Visit) checkListed(q *Request, a *answer) *problem {
	const remove = "remove it from the sitemap, or let search engines index it"
	forbidding := v.forbiddingLine(q.URL)
	switch {
	case a.Status == http.StatusNotFound || a.Status == http.StatusGone:
		return newErrorProblem("live-missing", "answers "+statusText(a.Status), "deploy the page again, or remove it from the sitemap")
	case a.Location != "":
		return v.newRedirectProblem(q, a)
	case a.Status != http.StatusOK:
		return newErrorProblem("live-error", "answers "+statusText(a.Status), "crawlers index what answers 200")
	case a.Hidden != "":
		return newErrorProblem("live-hidden", "asks not to be indexed: "+a.Hidden, remove)
	case a.Refresh != "":
		return newErrorProblem("live-redirect", "refreshes to another address", "list the address that it redirects to").withDetail("to " + a.Refresh)
	case forbidding != "":
		return newErrorProblem("live-hidden", "is forbidden by robots.txt", remove).withDetail(forbidding)
	case !isOwnCanonical(a.Canonical, q.URL):
		return newErrorProblem("live-hidden", "names another canonical address", "build the site for the address at which it is served, or list the canonical address").withDetail("canonical " + a.Canonical)
	case a.IsEmpty:
		return newErrorProblem("live-empty", "is empty", "deploy the page again")
	}
	return checkContent(q, a)
}

// checkContent checks the Content-Type of the answer, and compares the title and the content with
// the page that was built. It returns nil if all of them are right.
func checkContent(q *Request, a *answer) *problem {
	const hint = "is this deploy live? then is a cache older, or does a rule serve another page there?"
	w := &q.Want
	switch {
	case w.IsBuilt && !a.IsHTML, a.IsHTML && !isHTML(a.Type):
		return newErrorProblem("live-type", "is not served as a web page", `serve it with the header "Content-Type: text/html; charset=utf-8"`).withDetail(fmt.Sprintf("%q", a.Type))
	case w.IsBuilt && w.Title != a.Title:
		titles := fmt.Sprintf("%.100q, built %.100q", a.Title, w.Title)
		return newErrorProblem("live-other-page", "is not the page that was built: it has another title", hint).withDetail(titles)
	case w.Content != "" && a.Content != "" && w.Content != a.Content:
		return newErrorProblem("live-other-page", "is not the page that was built: it has other content", hint)
	}
	return nil
}

// newRedirectProblem returns the problem for a listed URL that redirects. The text of the problem
// names the difference between the URL and its target, such as another host.
func (v *Visit) newRedirectProblem(q *Request, a *answer) *problem {
	detail := fmt.Sprintf("%d to %s", a.Status, a.Location)
	from, err1 := url.Parse(q.URL)
	to, err2 := url.Parse(a.Location)
	target := "another page"
	switch {
	case err1 != nil || err2 != nil:
	case from.Host != to.Host:
		target = "another host"
	case from.Scheme != to.Scheme:
		target = "another scheme"
	case mapping.SpellingKey(from.Path) == mapping.SpellingKey(to.Path):
		if v.o.Host != "" && q.Want.IsBuilt {
			return newErrorProblem("host-differs", "is redirected to another spelling, which "+v.o.Host+" should not do",
				`set "host" in sitemap.yaml to the host that serves the site; if it is right, please report how it answers`).withDetail(detail)
		}
		target = "another spelling"
	}
	return newErrorProblem("live-redirect", "redirects to "+target, "list the address that it redirects to").withDetail(detail)
}

// forbiddingLine returns the line of robots.txt that forbids crawlers to request the URL loc, such
// as "Disallow: /a/". It returns "" if no line does, or if ReadRobots has not read the rules of the
// host.
func (v *Visit) forbiddingLine(loc string) string {
	u, err := url.Parse(loc)
	if err != nil || v.robots[origin(u)] == nil {
		return ""
	}
	line, isForbidden := v.robots[origin(u)].ForbiddingLine(u.RequestURI())
	if !isForbidden {
		return ""
	}
	return line.Text
}

// origin returns the root URL of the host of u: "https://example.com/".
func origin(u *url.URL) string { return u.Scheme + "://" + u.Host + "/" }

// isOwnCanonical reports whether canonical, the canonical URL of a page, names the page itself,
// whose URL is own. It ignores the scheme, the query, and differences in spelling such as a
// trailing slash. It returns true if canonical is "".
func isOwnCanonical(canonical, own string) bool {
	return canonical == "" || isSamePath(canonical, own) && strings.EqualFold(sitemap.HostOf(canonical), sitemap.HostOf(own))
}

// isSamePath reports whether the URLs a and b have the same path. It ignores differences in the
// spelling of the path, such as a trailing slash.
func isSamePath(a, b string) bool {
	x, err1 := url.Parse(a)
	y, err2 := url.Parse(b)
	return err1 == nil && err2 == nil && mapping.SpellingKey(x.Path) == mapping.SpellingKey(y.Path)
}

// checkPredicted compares an answer with q.Want, the answer that follows from the rules of the
// host. It returns nil if they agree, or if the difference does not matter, such as 410 instead of
// 404.
func checkPredicted(q *Request, a *answer) *problem {
	const report = "is this deploy live, with its rules? if so, sitewalk is wrong about the host: please report it with the rule"
	w := &q.Want
	want := cmp.Or(w.Status, http.StatusOK)
	isRedirect := want >= 300 && want < 400
	isPlain := a.Status == http.StatusOK && a.Refresh == "" && a.Hidden == ""
	differs := func(text string) *problem {
		target := ""
		if w.To != "" {
			target = "to " + w.To
		}
		return newWarningProblem("host-differs", text+", and should "+w.String(), report).withDetail(target)
	}
	switch {
	case want == http.StatusOK && (a.Status == http.StatusNotFound || a.Status == http.StatusGone):
		return newWarningProblem("live-missing", "answers "+statusText(a.Status), "deploy the file again")
	case w.IsHidden && isPlain && isOwnCanonical(a.Canonical, q.URL):
		return differs("may be indexed")
	case want == http.StatusOK && w.To != "" && isPlain:
		return differs("does not refresh to another address")
	case isRedirect && a.Location == "":
		return differs("answers " + statusText(a.Status))
	case isRedirect && !matchesURL(a.Location, w.To):
		return differs("redirects elsewhere").withDetail("to " + a.Location + ", not to " + w.To)
	case isRedirect && isPermanent(a.Status) != isPermanent(want):
		return differs(fmt.Sprintf("redirects with status %d", a.Status))
	case want >= 400 && a.Status < 400 && a.Hidden == "":
		return differs("answers " + statusText(a.Status))
	}
	return nil
}

func isPermanent(status int) bool {
	return status == http.StatusMovedPermanently || status == http.StatusPermanentRedirect
}

// String describes the expected answer. The text fits after the word "should", as in "redirect with
// status 301".
func (w *Want) String() string {
	switch status := cmp.Or(w.Status, http.StatusOK); {
	case status >= 300 && status < 400:
		return fmt.Sprintf("redirect with status %d", status)
	case status >= 400:
		return fmt.Sprintf("answer %d", status)
	case w.IsHidden:
		return "ask not to be indexed"
	}
	return "refresh"
}

// checkAbsent checks the answer for a URL that does not exist. It returns nil for an error status
// such as 404, for a noindex, and for a redirect to another spelling of the URL. It returns a
// problem for an error status only if a rule of the host should serve something at the URL.
func checkAbsent(q *Request, a *answer) *problem {
	const hint = "let the host answer 404, with a page 404.html; otherwise search engines index missing pages (a soft 404)"
	switch {
	case a.Location != "" && isSamePath(a.Location, q.URL):
		return nil // some hosts redirect to another spelling before they look up the file
	case a.Location != "":
		return newWarningProblem("live-soft-404", "cannot exist, but redirects", hint).withDetail(fmt.Sprintf("%d to %s", a.Status, a.Location))
	case a.Status >= 400 && q.Want.Status == http.StatusOK:
		return newWarningProblem("host-differs", "answers "+statusText(a.Status)+", and a rule should serve something there", "is this deploy live, with its rules?")
	case a.Status >= 400 || a.Hidden != "":
		return nil
	}
	return newWarningProblem("live-soft-404", "cannot exist, but answers "+statusText(a.Status), hint)
}
