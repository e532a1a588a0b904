package live

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/mapping"
)

// A trouble is what is wrong with one answer. Those with the same code and cause are one
// finding.
type trouble struct {
	code     string
	severity diag.Severity
	text     string // what came, in which {s} is the ending of a verb: "answer{s} 404"
	hint     string
	cause    string
	detail   string // of this address alone
	refusal  bool   // the site may be asking to be left alone, or be down
}

func fault(code, message, hint string) *trouble {
	return &trouble{code: code, severity: diag.Error, text: message, hint: hint, cause: message}
}

func warning(code, message, hint string) *trouble {
	return &trouble{code: code, severity: diag.Warning, text: message, hint: hint, cause: message}
}

// about gives a trouble what it says of its address alone.
func (t *trouble) about(format string, args ...any) *trouble {
	t.detail = fmt.Sprintf(format, args...)
	return t
}

// judge compares an answer with what was expected; nil: it is right.
func (v *Visit) judge(q *Request, s *Seen) *trouble {
	if q.Kind == Known && s.Status >= 400 && s.Status == q.Want.Status && s.Mark == "" {
		return nil // as a rule that wants a login says
	}
	if q.Kind != Gone || s.Status == 0 || s.Status >= 500 {
		if t := refusal(s); t != nil && (q.Kind != Absent || s.Mark != "" || s.Status == 0 || s.Status >= 500) {
			return t
		}
	}
	switch q.Kind {
	case Known:
		return v.judgeKnown(q, s)
	case Absent:
		return v.judgeAbsent(q, s)
	case Gone:
		return judgeGone(q, s)
	}
	return v.judgeListed(q, s)
}

// refusal judges an answer that says nothing of the address: there is none, a firewall or
// a login answers, or the server fails.
func refusal(s *Seen) (t *trouble) {
	const notGoogle = "this says nothing about Googlebot, which such checks usually let pass: look at URL Inspection in Search Console; let sitewalk pass by its User-Agent, or by a header in SITEWALK_LIVE_HEADER"
	switch {
	case s.Status == 0:
		t = fault("live-error", "give{s} no answer: "+s.Error, "is the site up? crawlers see the same, and come back later")
	case s.Mark != "":
		t = warning("live-blocked", "{is} answered by a check for robots of "+s.Mark+", with status "+status(s.Status), notGoogle)
	case s.Status == http.StatusUnauthorized:
		t = fault("live-blocked", "answer{s} 401: the site wants a login", "search engines have none; for a protected preview, set SITEWALK_LIVE_HEADER")
	case s.Status == http.StatusForbidden:
		t = fault("live-blocked", "answer{s} 403: the host forbids it, or a firewall keeps programs out", "let crawlers pass; on storage such as S3, 403 may mean that nothing is there")
	case s.Status == http.StatusTooManyRequests:
		t = warning("live-blocked", "answer{s} 429: the site wants fewer requests", "ask more slowly: --rate 2 --at-once 1")
	case s.Status >= 500:
		t = fault("live-error", "answer{s} "+status(s.Status), "crawlers slow down, and remove pages that stay so; look into the log of the server")
	default:
		return nil
	}
	t.refusal = true
	return t
}

// status is a status with its words.
func status(code int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", code, http.StatusText(code)))
}

// judgeListed judges the answer of an address that the sitemap lists.
func (v *Visit) judgeListed(q *Request, s *Seen) *trouble {
	const remove = "remove it from the sitemap, or let search engines index it"
	switch {
	case s.Status == http.StatusNotFound || s.Status == http.StatusGone:
		return fault("live-missing", "answer{s} "+status(s.Status), "deploy the page again, or remove it from the sitemap")
	case s.To != "":
		return v.redirected(q, s)
	case s.Status != http.StatusOK:
		return fault("live-error", "answer{s} "+status(s.Status), "crawlers index what answers 200")
	case s.Hidden != "":
		return fault("live-hidden", "ask{s} not to be indexed: "+s.Hidden, remove)
	case s.Refresh != "":
		t := fault("live-redirect", "refresh{es} to another address", "list the address that it leads to")
		return t.about("to %s", s.Refresh)
	case v.forbidden(q.URL) != "":
		return fault("live-hidden", "{is} forbidden by robots.txt: "+v.forbidden(q.URL), remove)
	case !samePage(s.Canonical, q.URL):
		t := fault("live-hidden", "name{s} another canonical address", "build the site for the address at which it is served, or list the canonical address")
		return t.about("canonical %s", s.Canonical)
	case s.Empty:
		return fault("live-empty", "{is} empty", "deploy the page again")
	}
	return v.judgeContent(q, s)
}

// judgeContent judges whether what is served is the page that was built.
func (v *Visit) judgeContent(q *Request, s *Seen) *trouble {
	const again = "is this deploy live? then is a cache older, or does a rule serve another page there?"
	w := &q.Want
	switch {
	case w.Built && !s.HTML, s.HTML && !isHTML(s.Type):
		return fault("live-type", fmt.Sprintf("{is} served as %q", s.Type), `serve it with the header "Content-Type: text/html; charset=utf-8"`)
	case w.Built && v.text(w.Title) != s.Title:
		return fault("live-other-page", "{is} not the page that was built: it has another title", again).about("%q, built %q", s.Title, v.text(w.Title))
	case w.Content != "" && s.Content != "" && w.Content != s.Content:
		return fault("live-other-page", "{is} not the page that was built: it has other content", again)
	}
	return nil
}

// redirected judges a redirect of an address that the sitemap lists.
func (v *Visit) redirected(q *Request, s *Seen) *trouble {
	from, _ := url.Parse(q.URL)
	to, err := url.Parse(s.To)
	how := "to another page"
	switch {
	case err != nil || from == nil:
	case from.Host != to.Host:
		how = "to " + to.Scheme + "://" + to.Host
	case from.Scheme != to.Scheme:
		how = "to " + to.Scheme
	case mapping.Spelling(from.Path) == mapping.Spelling(to.Path):
		if v.o.Host != "" && q.Want.Built {
			t := fault("host-differs", "{is} redirected to another spelling, which "+v.o.Host+" should not do",
				`set "host" in sitemap.yaml to the host that serves the site; if it is right, please report how it answers`)
			return t.about("%d to %s", s.Status, s.To)
		}
		how = "to another spelling"
	}
	t := fault("live-redirect", "redirect{s} "+how, "list the address that it leads to")
	return t.about("%d to %s", s.Status, s.To)
}

// forbidden returns the line of robots.txt that forbids an address.
func (v *Visit) forbidden(loc string) string {
	u, err := url.Parse(loc)
	if err != nil {
		return ""
	}
	rules := v.robots[origin(u)]
	if rules == nil {
		return ""
	}
	line, forbids := rules.Forbids(u.RequestURI())
	if !forbids {
		return ""
	}
	return line.Text
}

// origin is the root of the host of an address.
func origin(u *url.URL) string { return u.Scheme + "://" + u.Host + "/" }

// samePage reports whether a canonical address is that of the page itself, in any
// spelling; "" is none.
func samePage(canonical, own string) bool {
	if canonical == "" || sameAddress(canonical, own) {
		return true
	}
	c, err1 := url.Parse(canonical)
	o, err2 := url.Parse(own)
	return err1 == nil && err2 == nil && strings.EqualFold(c.Host, o.Host) && mapping.Spelling(c.Path) == mapping.Spelling(o.Path)
}

// samePath reports whether two addresses differ only in scheme, host and spelling.
func samePath(a, b string) bool {
	x, err1 := url.Parse(a)
	y, err2 := url.Parse(b)
	return err1 == nil && err2 == nil && mapping.Spelling(x.Path) == mapping.Spelling(y.Path)
}

// judgeKnown judges an address that our model of the host has an answer for.
func (v *Visit) judgeKnown(q *Request, s *Seen) *trouble {
	const report = "is this deploy live, with its rules? if so, sitewalk is wrong about the host: please report it with the rule"
	w := &q.Want
	want := cmp.Or(w.Status, http.StatusOK)
	differs := func(came string) *trouble {
		t := warning("host-differs", came+", and should "+w.words(), report)
		t.cause = came + w.kind()
		return t
	}
	switch {
	case want == http.StatusOK && (s.Status == http.StatusNotFound || s.Status == http.StatusGone):
		return warning("live-missing", "answer{s} "+status(s.Status), "deploy the file again")
	case w.Hidden && s.Status == http.StatusOK && s.Hidden == "" && s.Refresh == "" && samePage(s.Canonical, q.URL):
		return differs("may be indexed")
	case want == http.StatusOK && w.To != "" && s.Status == http.StatusOK && s.Refresh == "" && s.Hidden == "":
		return differs("do{es} not refresh to another address")
	case want >= 300 && want < 400 && s.To == "":
		return differs("answer{s} " + status(s.Status))
	case want >= 300 && want < 400 && !sameAddress(s.To, w.To):
		return differs("redirect{s} elsewhere").about("to %s, not to %s", s.To, w.To)
	case want >= 300 && want < 400 && permanent(s.Status) != permanent(want):
		return differs(fmt.Sprintf("redirect{s} with status %d", s.Status))
	case want >= 400 && s.Status < 400 && s.Hidden == "":
		return differs("answer{s} " + status(s.Status))
	}
	return nil
}

func permanent(status int) bool {
	return status == http.StatusMovedPermanently || status == http.StatusPermanentRedirect
}

// words says what an answer should be, behind "should".
func (w *Want) words() string {
	switch status := cmp.Or(w.Status, http.StatusOK); {
	case status >= 300 && status < 400:
		return fmt.Sprintf("redirect to %s with status %d", w.To, status)
	case status >= 400:
		return fmt.Sprintf("answer %d", status)
	case w.Hidden:
		return "ask not to be indexed"
	}
	return "refresh to " + w.To
}

// kind is words without the address.
func (w *Want) kind() string { return fmt.Sprint(w.Status, w.Hidden) }

// judgeAbsent judges the answer of an address at which nothing can be.
func (v *Visit) judgeAbsent(q *Request, s *Seen) *trouble {
	const hint = "let the host answer 404, with a page 404.html: search engines else take missing pages for pages (a soft 404)"
	switch {
	case s.To != "" && samePath(s.To, q.URL):
		return nil // the host spells it in its own way before it looks
	case s.To != "":
		return warning("live-soft-404", "cannot exist, but redirect{s}", hint).about("%d to %s", s.Status, s.To)
	case s.Status >= 400 && q.Want.Status == http.StatusOK:
		return warning("host-differs", "answer{s} "+status(s.Status)+", and a rule should serve something there", "is this deploy live, with its rules?")
	case s.Status >= 400 || s.Hidden != "":
		return nil
	}
	return warning("live-soft-404", "cannot exist, but answer{s} "+status(s.Status), hint)
}

// judgeGone judges the answer of an address whose page was removed.
func judgeGone(q *Request, s *Seen) *trouble {
	if s.Status != http.StatusOK || s.Hidden != "" || s.Refresh != "" || !samePage(s.Canonical, q.URL) {
		return nil
	}
	return fault("live-old-deploy", "{was} removed, and {is} served still", "is the deploy live, without its old files?")
}
