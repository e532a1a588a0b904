package check

import (
	"context"
	"net/http"
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/site"
	"github.com/sitewalk/sitewalk/sitemap"
)

// against is a list held against the site that it lists.
type against struct {
	*Checker
	answers *site.Answers
	seen    map[string]bool // URLs that the site lists
	either  map[string]*url // the same, listed at an address that is as good
}

const servedTwice = "the page is served at both addresses"

// listed judges one URL of the sitemap: it has to be that of a page which the
// site lists, as the host spells it.
func (a *against) listed(ctx context.Context, u *url) {
	if loc, how := a.own(u.loc); how != "" {
		if end, listed := a.end(ctx, loc); listed {
			a.misspelt(u, end, how)
			return
		}
		u.loc = loc // which is wrong under its own name, too
	}
	answer := a.answers.Of(ctx, u.loc)
	switch {
	case answer.Status == 0: // of another site, which its scope has told
	case answer.Listed:
		a.seen[u.loc] = true
		if other := a.either[u.loc]; other != nil {
			a.twofold(other, u.loc, servedTwice)
		}
		if u.loc != u.written {
			a.encoded(u)
		}
		a.early(u)
		a.other(u)
	case answer.Either && !a.seen[answer.At]:
		a.seen[answer.At], a.either[answer.At] = true, u
	case answer.At != "":
		a.seen[answer.At] = true
		a.twofold(u, answer.At, servedTwice)
	case answer.To != "" && answer.Verdict.Reason == page.Redirect:
		a.redirected(ctx, u, answer)
	case answer.Status == http.StatusOK:
		a.hidden(u, answer)
	default:
		a.absent(ctx, u, answer)
	}
}

// encoded reports an address that differs from the site's own in what RFC 3986,
// section 6.2.2, takes for equal.
func (a *against) encoded(u *url) {
	if strings.EqualFold(u.loc, u.written) && strings.Contains(u.written, "%") {
		return // %c3 and %C3
	}
	a.twofold(u, u.loc, "it is encoded otherwise")
}

// own returns the site's own address for one that differs in scheme, or in a www
// before the host, and how it differs; "" when it does not.
func (c *Checker) own(loc string) (to, how string) {
	if to = c.Base.OwnScheme(loc); to != loc {
		how = "the site has another scheme"
	} else if host := sitemap.HostOf(loc); !c.Base.SameHost(loc) && strings.TrimPrefix(host, "www.") == strings.TrimPrefix(c.Base.Host(), "www.") {
		scheme, rest, _ := strings.Cut(c.Base.String(), "://")
		_, path, _ := strings.Cut(loc, "://"+host)
		to, how = scheme+"://"+rest[:len(c.Base.Host())]+path, "the site is on "+c.Base.Host()
	}
	if how == "" || c.Result == nil || !c.Result.Owns(to) {
		return "", ""
	}
	return to, how
}

// misspelt reports an address at which the page is not served.
func (a *against) misspelt(u *url, to, how string) {
	var ds diag.List
	ds.Errorf(u.pos, "misspelt-url", "list "+to, "%s is misspelt, %s: the page is at %s", u.written, how, to).Subject = u.written
	a.Found.Add(ds...)
}

// twofold reports an address at which the page is served, too.
func (a *against) twofold(u *url, to, how string) {
	var ds diag.List
	ds.Warnf(u.pos, "misspelt-url", "list "+to, "%s is misspelt, %s: the page is listed at %s", u.written, how, to).Subject = u.written
	a.Found.Add(ds...)
}

// redirected reports an address that leads to another one: in one step of the
// host's own it is misspelt.
func (a *against) redirected(ctx context.Context, u *url, answer site.Answer) {
	end, listed := a.end(ctx, answer.To)
	if listed && end == answer.To && answer.Verdict.Pos.File == "" && !answer.Refresh {
		a.misspelt(u, end, "the host redirects it")
		return
	}
	hint := "take it out of the sitemap"
	if listed {
		hint = "list " + end + " in its place"
	}
	var ds diag.List
	ds.Errorf(u.pos, "listed-redirect", hint, "%s redirects to %s%s", u.written, answer.To, by(answer)).Subject = u.written
	a.Found.Add(ds...)
}

// maxHops is how many redirects are followed, as Google does.
const maxHops = 10

// end returns where redirects lead at last from an address on, and whether the
// site lists that, which is remembered.
func (a *against) end(ctx context.Context, loc string) (end string, listed bool) {
	for range maxHops {
		answer := a.answers.Of(ctx, loc)
		if answer.At != "" {
			loc = answer.At
		}
		if answer.Listed || answer.At != "" {
			a.seen[loc] = true
			return loc, true
		}
		if answer.To == "" || answer.Verdict.Reason != page.Redirect {
			return loc, false
		}
		loc, _, _ = strings.Cut(answer.To, "#")
	}
	return loc, false
}

// by names what decided.
func by(answer site.Answer) string {
	if s := answer.Verdict.Pos.String(); s != "" {
		return " (" + s + ")"
	}
	return ""
}

func (a *against) hidden(u *url, answer site.Answer) {
	v := answer.Verdict
	if v.Reason == page.Excluded && answer.File != "" && v.Pos.File == "" && !strings.HasSuffix(answer.File, ".html") {
		return // a document that is no page, and may be listed all the same
	}
	text := v.Reason.String()
	if v.Text != "" {
		text += ": " + v.Text
	}
	var ds diag.List
	d := ds.Errorf(u.pos, "listed-hidden", "take it out of the sitemap, or let it be indexed",
		"%s may not be listed, it is out: %s%s", u.written, text, by(answer))
	d.Subject, d.Source = u.written, diag.Pos{File: answer.Source}
	a.Found.Add(ds...)
}

// absent reports a URL at which nothing is served, with the page that may have
// been meant.
func (a *against) absent(ctx context.Context, u *url, answer site.Answer) {
	hint := "take it out of the sitemap, or publish the page"
	if near := a.answers.Respelled(u.loc); near != "" {
		a.seen[near] = true
		a.misspelt(u, near, "nothing is served there")
		return
	}
	why := answer.Verdict.Text
	if answer.Verdict.Reason != page.Listed {
		why = strings.TrimSuffix(answer.Verdict.Reason.String()+": "+why, ": ")
	}
	if why != "" {
		why = ": " + why
	}
	var ds diag.List
	d := ds.Errorf(u.pos, "listed-missing", hint, "%s is listed, and the site answers %d%s%s", u.written, answer.Status, why, by(answer))
	d.Subject, d.Source = u.written, diag.Pos{File: answer.Source}
	a.Found.Add(ds...)
}

// missing reports the pages that the sitemap does not list.
func (a *against) missing() {
	l := a.Result.List
	for i := range l.Len() {
		if a.seen[l.Loc(i)] {
			continue
		}
		var ds diag.List
		d := ds.Warnf(diag.Pos{File: l.Name(i)}, "not-listed", "list it, or keep it out for crawlers, too",
			"%s is served and may be indexed, and the sitemap does not list it", l.Loc(i))
		d.Subject, d.Source = l.Loc(i), diag.Pos{File: l.Source(i)}
		a.Found.Add(ds...)
	}
}
