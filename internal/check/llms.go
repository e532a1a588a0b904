package check

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/llms"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// An LLMS judges one llms.txt, whichever tool wrote it. Findings and Name must be set;
// other zero fields say what is not known.
type LLMS struct {
	Findings *diag.Report
	Name     string                // of the file, as the user would type it
	Loc      string                // at which it is served
	Site     *site.Result          // nil: the file is judged alone
	Base     mapping.Base          // of the site
	Owns     func(loc string) bool // as facts.Parts has it
	Ignored  func(loc string) bool // a link may lead there without a file; nil: none may
}

// Judge judges the file, whose content is text. It returns how many links it holds, and
// the addresses of other files called llms.txt that it names.
func (c *LLMS) Judge(ctx context.Context, text []byte) (links int, others []string) {
	file := llms.Parse(text)
	c.head(file)
	j := &llmsJudge{LLMS: c, where: map[string]llms.Link{}, linked: map[string]bool{}}
	if c.Site != nil {
		j.answers = explain.New(c.Site)
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
	if _, err := llms.Cut(text); err != nil && c.Site != nil { // sitewalk makes its own list again with each build
		j.drift(file)
	}
	return links, j.others
}

// head judges title and summary.
func (c *LLMS) head(file *llms.File) {
	at := diag.Pos{File: c.Name, Line: 1}
	switch {
	case file.Title == "":
		c.Findings.Add(diag.Errorf(at, "llms-untitled", `begin the file with a line such as "# Example"`,
			"the file has no title, a heading of level 1, which the format requires").About(c.Name))
	case file.Summary == "":
		c.Findings.Add(diag.Notef(at, "llms-no-summary", `write a line such as "> What the site is about" below the title; sitewalk build takes it from output.llms.summary or from the description of the home page`,
			"the file has no summary, a block quote below the title").About(c.Name))
	}
}

// An llmsJudge is one judgement.
type llmsJudge struct {
	*LLMS
	answers *explain.Answers
	where   map[string]llms.Link // list items, by address
	linked  map[string]bool      // URLs of listed pages that are linked, or whose copies are
	others  []string
}

func (j *llmsJudge) fault(code, message, hint, cause string, l llms.Link) {
	d := diag.Errorf(j.pos(l), code, hint, "%s", message)
	d.Subject, d.Cause = l.URL, cause
	j.Findings.Add(d)
}

func (j *llmsJudge) warning(code, message, hint, cause string, l llms.Link) {
	d := diag.Warnf(j.pos(l), code, hint, "%s", message)
	d.Subject, d.Cause = l.URL, cause
	j.Findings.Add(d)
}

func (j *llmsJudge) pos(l llms.Link) diag.Pos {
	return diag.Pos{File: j.Name, Line: l.Line, Col: l.Column}
}

// link judges one link.
func (j *llmsJudge) link(ctx context.Context, l llms.Link) {
	loc, err := j.resolve(l)
	if err != nil {
		return // of a mail address
	}
	if l.Item {
		_, place, _ := strings.Cut(l.URL, "#")
		if first, twice := j.where[loc+"#"+place]; twice {
			j.warning("llms-doubled-link", l.URL+" is already listed at "+j.pos(first).String(), "list it once", "doubled", l)
			return
		}
		j.where[loc+"#"+place] = l
	}
	switch {
	case j.Ignored != nil && j.Ignored(loc):
	case mapping.LocalHost(loc) && !mapping.LocalHost(j.Base.String()) && j.Loc != "":
		j.fault("llms-dead-link", loc+" is the address of a local server", "write the file with the address of the site", "local", l)
	case j.answers != nil:
		j.own(ctx, l, loc)
	}
}

// resolve returns the address that a link means, without its fragment.
func (j *llmsJudge) resolve(l llms.Link) (string, error) {
	return j.Base.Resolve(l.URL, cmp.Or(j.Loc, "https://relative.invalid/"), "")
}

// own judges a link that may lead to the site itself.
func (j *llmsJudge) own(ctx context.Context, l llms.Link, loc string) {
	c := &Checker{Base: j.Base, Owns: j.Owns}
	if to, how := c.own(loc); how != "" {
		end := j.answer(ctx, l, to)
		j.warning("llms-misspelt-link", loc+" is misspelt: "+how, "link to "+end, how, l)
		return
	}
	j.answer(ctx, l, loc)
}

// answer judges an address of the site by what the host answers, and returns where the
// page is listed.
func (j *llmsJudge) answer(ctx context.Context, l llms.Link, loc string) string {
	a := j.answers.Of(ctx, loc)
	switch {
	case a.Status == 0:
	case a.Listed:
		j.linked[loc] = true
	case a.At != "":
		if j.linked[a.At] = true; !a.Either {
			j.warning("llms-misspelt-link", loc+" is misspelt: "+servedTwice, "link to "+a.At, servedTwice, l)
		}
		return a.At
	case a.To != "" && a.Verdict.Reason == page.Redirect:
		j.redirected(ctx, l, loc, a)
	case a.Status == http.StatusOK:
		j.sent(l, loc, a)
	default:
		j.dead(l, loc, a)
	}
	return loc
}

func (j *llmsJudge) redirected(ctx context.Context, l llms.Link, loc string, a explain.Answer) {
	end, last := j.answers.End(ctx, a.To)
	if last.Status == http.StatusNotFound || last.Status == http.StatusGone {
		j.dead(l, loc, last)
		return
	}
	j.linked[end] = true
	j.warning("llms-redirected-link", loc+" redirects to "+a.To+by(a), "link to "+end, "redirects"+by(a), l)
}

// sent judges an address at which something is sent that is no listed page: another
// file is what it is, such as the Markdown copy of a page.
func (j *llmsJudge) sent(l llms.Link, loc string, a explain.Answer) {
	if a.File == "" || a.Verdict.Reason == page.Excluded || a.Verdict.Reason == page.NotHTML {
		j.linked[j.answers.Respelled(withoutMarkdown(loc))] = true
		if strings.HasSuffix(loc, "/"+llms.Name) && loc != j.Loc {
			j.others = append(j.others, loc)
		}
		return
	}
	if !page.Reasons[a.Verdict.Reason].Meant {
		text := a.Verdict.Reason.String()
		d := diag.Notef(j.pos(l), "llms-unlisted-link", "remove it, or let the page be listed", "%s is out of the sitemap: %s%s", loc, text, by(a))
		d.Subject, d.Cause = l.URL, text
		j.Findings.Add(d)
	}
}

// dead judges an address at which nothing is served.
func (j *llmsJudge) dead(l llms.Link, loc string, a explain.Answer) {
	if of := j.answers.Respelled(withoutMarkdown(loc)); of != "" && withoutMarkdown(loc) != loc {
		j.linked[of] = true
		j.fault("llms-missing-twin", "the Markdown copy of "+of+" does not exist: "+loc, "let the generator write it, or link to "+of, "copies", l)
		return
	}
	hint := "remove the link, or publish the page"
	if near := j.answers.Respelled(loc); near != "" {
		j.linked[near] = true
		hint = "link to " + near
	}
	j.fault("llms-dead-link", loc+" leads to nothing"+by(a), hint, j.deadFolder(loc), l)
}

// withoutMarkdown returns the address of the page of which a file is the Markdown copy.
// https://llmstxt.org/#proposal
func withoutMarkdown(loc string) string {
	for _, ext := range []string{".md", ".mdx"} {
		if s, ok := strings.CutSuffix(loc, ext); ok {
			return s
		}
	}
	return loc
}

// deadFolder returns the folder in which the address of a dead link is to be sought: the
// first that has no page, or that of the address. Links with one cause have one.
func (j *llmsJudge) deadFolder(loc string) string {
	pages := j.Site.List
	for at := len(j.Base.String()); strings.HasPrefix(loc, j.Base.String()); {
		n := strings.IndexByte(loc[at:], '/')
		if n < 0 {
			return loc[:at]
		}
		at += n + 1
		i, _ := pages.Find(loc[:at])
		if i == len(pages) || !strings.HasPrefix(pages[i].Entry.Loc, loc[:at]) {
			return loc[:at]
		}
	}
	return loc
}

// A file that lists so many of the pages of a folder means to list them all; one that
// lists fewer is a choice.
const (
	fewestInFolder = 8
	mostMissing    = 4 // one of so many
)

// drift reports the pages that are missing in sections whose folders the file lists
// nearly whole.
func (j *llmsJudge) drift(file *llms.File) {
	told := map[string]bool{}
	for _, s := range file.Sections {
		folder := j.commonFolder(s.Links)
		if folder == "" || told[folder] {
			continue
		}
		told[folder] = true
		pages, missing := j.inFolder(folder)
		if pages < fewestInFolder || len(missing) == 0 || len(missing)*mostMissing > pages {
			continue
		}
		at := diag.Pos{File: j.Name, Line: s.Links[0].Line}
		j.Findings.Add(diag.Notef(at, "llms-missing-page", "write the file again with each build, or ignore what is left out on purpose",
			"%d of %d pages below %s are not in this section, such as %s", len(missing), pages, folder, missing[0]).About(folder))
	}
}

// commonFolder returns the deepest folder of the site that holds all pages of its own
// that links lead to, "" for the top of the site and for none.
func (j *llmsJudge) commonFolder(links []llms.Link) (folder string) {
	for _, l := range links {
		loc, err := j.resolve(l)
		if err != nil || !j.Owns(loc) {
			continue
		}
		dir := loc[:strings.LastIndexByte(loc, '/')+1]
		if folder == "" {
			folder = dir
		}
		for !strings.HasPrefix(dir, folder) {
			folder = folder[:strings.LastIndexByte(folder[:len(folder)-1], '/')+1]
		}
	}
	if !strings.HasPrefix(folder, j.Base.String()) || folder == j.Base.String() {
		return ""
	}
	return folder
}

// inFolder returns how many listed pages lie below a folder, other than its own, and
// those that no link leads to.
func (j *llmsJudge) inFolder(folder string) (pages int, missing []string) {
	all := j.Site.List
	i, _ := all.Find(folder)
	for _, p := range all[i:] {
		switch loc := p.Entry.Loc; {
		case !strings.HasPrefix(loc, folder):
			return pages, missing
		case loc == folder:
		default:
			if pages++; !j.linked[loc] {
				missing = append(missing, loc)
			}
		}
	}
	return pages, slices.Clip(missing)
}
