package audit

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/llms"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// An LLMS checks one llms.txt of any tool. Findings and Name are required; other fields may be
// zero if they are unknown.
type LLMS struct {
	Findings *diag.Report
	Name     string                // file name as the user would type it
	Loc      string                // URL of the file
	Site     *site.Result          // nil if the file is checked without its site
	Base     mapping.Base          // base URL of the site
	Owns     func(loc string) bool // as facts.Parts.Owns
	Ignored  func(loc string) bool // reports whether a link may lead to a URL without a file; may be nil

	answers *explain.Answers
	where   map[string]llms.Link // list items by URL
	linked  map[string]bool      // listed URLs with a link to the page or to its Markdown copy
	others  []string
}

// Judge checks the file with the content text. It returns the number of links, and the URLs of
// other llms.txt files that the file links to.
func (j *LLMS) Judge(ctx context.Context, text []byte) (links int, others []string) {
	file := llms.Parse(text)
	j.head(file)
	j.where, j.linked = map[string]llms.Link{}, map[string]bool{}
	if j.Site != nil {
		j.answers = explain.New(j.Site)
	}
	for _, s := range file.Sections {
		for _, l := range s.Links {
			if ctx.Err() != nil {
				return links, nil
			}
			links++
			j.link(ctx, l)
		}
	}
	return links, j.others
}

// head checks the title and the summary.
func (j *LLMS) head(file *llms.File) {
	at := diag.Pos{File: j.Name, Line: 1}
	switch {
	case file.Title == "":
		j.Findings.Add(diag.Errorf(at, "llms-untitled", `begin the file with a line such as "# Example"`,
			"the file has no title, a heading of level 1, which the format requires").About(j.Name))
	case file.Summary == "":
		j.Findings.Add(diag.Notef(at, "llms-no-summary", `write a line such as "> What the site is about" below the title; sitewalk build takes it from output.llms.summary or from the description of the home page`,
			"the file has no summary, a block quote below the title").About(j.Name))
	}
}

func (j *LLMS) pos(l llms.Link) diag.Pos {
	return diag.Pos{File: j.Name, Line: l.Line, Col: l.Column}
}

// link checks one link.
func (j *LLMS) link(ctx context.Context, l llms.Link) {
	loc, err := j.resolve(l)
	if err != nil {
		return // for example a mail address
	}
	if l.Item {
		_, place, _ := strings.Cut(l.URL, "#")
		if first, twice := j.where[loc+"#"+place]; twice {
			j.Findings.Add(diag.Warnf(j.pos(l), "llms-doubled-link", "list it once", "%s is already listed at %s", l.URL, j.pos(first)).About(l.URL).Because("doubled"))
			return
		}
		j.where[loc+"#"+place] = l
	}
	switch {
	case j.Ignored != nil && j.Ignored(loc):
	case mapping.LocalHost(loc) && !mapping.LocalHost(j.Base.String()) && j.Loc != "":
		j.Findings.Add(diag.Errorf(j.pos(l), "llms-dead-link", "write the file with the address of the site", "%s is the address of a local server", loc).About(l.URL).Because("local"))
	case j.answers != nil:
		j.own(ctx, l, loc)
	}
}

// resolve returns the URL of a link without its fragment.
func (j *LLMS) resolve(l llms.Link) (string, error) {
	return j.Base.Resolve(l.URL, cmp.Or(j.Loc, "https://relative.invalid/"), "")
}

// own checks a link, which may lead to the site itself.
func (j *LLMS) own(ctx context.Context, l llms.Link, loc string) {
	c := &Checker{Base: j.Base, Owns: j.Owns}
	if to, how := c.own(loc); how != "" {
		end := j.checkLink(ctx, l, to)
		j.reportMisspelling(l, loc, end, how)
		return
	}
	j.checkLink(ctx, l, loc)
}

// reportMisspelling reports a link to a URL at which the page is not listed.
func (j *LLMS) reportMisspelling(l llms.Link, loc, to, how string) {
	j.Findings.Add(diag.Warnf(j.pos(l), "llms-misspelt-link", "link to "+to, "%s is misspelt: %s", loc, how).About(l.URL).Because(how))
}

// checkLink checks a URL of the site against the answer of the host. It returns the URL at
// which the page is listed.
func (j *LLMS) checkLink(ctx context.Context, l llms.Link, loc string) string {
	a := j.answers.Of(ctx, loc)
	switch {
	case a.Status == 0:
	case a.Listed:
		j.linked[loc] = true
	case a.At != "":
		if j.linked[a.At] = true; !a.Either {
			j.reportMisspelling(l, loc, a.At, servedTwice)
		}
		return a.At
	case a.To != "" && a.Verdict.Reason == page.Redirect:
		j.redirected(ctx, l, loc, a)
	case a.Status == http.StatusOK:
		j.sent(l, loc, a)
	default:
		j.reportDeadLink(l, loc, a)
	}
	return loc
}

func (j *LLMS) redirected(ctx context.Context, l llms.Link, loc string, a explain.Answer) {
	end, last := j.answers.End(ctx, a.To)
	if last.Status == http.StatusNotFound || last.Status == http.StatusGone {
		j.reportDeadLink(l, loc, last)
		return
	}
	j.linked[end] = true
	j.Findings.Add(diag.Warnf(j.pos(l), "llms-redirected-link", "link to "+end, "%s redirects to %s%s", loc, a.To, by(a)).About(l.URL).Because("redirects" + by(a)))
}

// sent checks a URL that serves something other than a listed page. Other files, such as the
// Markdown copy of a page, are permitted.
func (j *LLMS) sent(l llms.Link, loc string, a explain.Answer) {
	if a.File == "" || a.Verdict.Reason == page.Excluded || a.Verdict.Reason == page.NotHTML {
		j.linked[j.answers.Respelled(withoutMarkdown(loc))] = true
		if strings.HasSuffix(loc, "/"+llms.Name) && loc != j.Loc {
			j.others = append(j.others, loc)
		}
		return
	}
	if !page.Reasons[a.Verdict.Reason].Meant {
		text := a.Verdict.Reason.String()
		j.Findings.Add(diag.Notef(j.pos(l), "llms-unlisted-link", "remove it, or let the page be listed", "%s is out of the sitemap: %s%s", loc, text, by(a)).About(l.URL).Because(text))
	}
}

// reportDeadLink reports a link to a URL at which nothing is served.
func (j *LLMS) reportDeadLink(l llms.Link, loc string, a explain.Answer) {
	if of := j.answers.Respelled(withoutMarkdown(loc)); of != "" && withoutMarkdown(loc) != loc {
		j.linked[of] = true
		j.Findings.Add(diag.Errorf(j.pos(l), "llms-missing-twin", "let the generator write it, or link to "+of, "the Markdown copy of %s does not exist: %s", of, loc).About(l.URL).Because("copies"))
		return
	}
	hint := "remove the link, or publish the page"
	if near := j.answers.Respelled(loc); near != "" {
		j.linked[near] = true
		hint = "link to " + near
	}
	j.Findings.Add(diag.Errorf(j.pos(l), "llms-dead-link", hint, "%s leads to nothing%s", loc, by(a)).About(l.URL).Because(folder(strings.TrimSuffix(loc, "/"))))
}

// withoutMarkdown returns the URL of a page, given the URL of its Markdown copy. See
// https://llmstxt.org/#proposal.
func withoutMarkdown(loc string) string {
	for _, ext := range []string{".md", ".mdx"} {
		if s, ok := strings.CutSuffix(loc, ext); ok {
			return s
		}
	}
	return loc
}
