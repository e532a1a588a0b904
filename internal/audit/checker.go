package audit

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"strings"
	"time"
	"unicode"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Checker judges the files of one list. Its zero fields say what is not
// known; Findings must be set. All but [Checker.Finish] may be called before the
// site has been read.
type Checker struct {
	Findings *diag.Report
	Base     mapping.Base          // of the site
	Owns     func(loc string) bool // as facts.Parts has it; nil: the sitemap is judged alone
	Now      time.Time
	// ToolPages are as in config.Settings. Such a page may be listed or not.
	ToolPages []string

	format  sitemap.Format        // of the file that was judged last
	scope   string                // what the URLs of the file begin with; "" is not known yet
	broken  bool                  // a file could not be read to its end
	urls    []*listedURL          // in their order
	where   map[string]*listedURL // each URL of a list, as it was listed first
	again   bool                  // the file was judged before, or one with its content
	file    string                // the file that was judged last
	entries int                   // of the file so far
	tooMany bool                  // its entries are, by the protocol
	cut     bool                  // a file has more entries than are judged
	scopes  map[string]string     // of the files that were judged, by name
	first   string                // the file that was judged first

	contents map[string][sha256.Size]byte // of the file judged last by each name without .gz
}

// checkedURLSize is what a URL takes in memory beside its text.
const checkedURLSize = 160

// A listedURL is one listed URL.
type listedURL struct {
	loc     string // in the site's own spelling
	text    string
	lastmod sitemap.Date
	pos     diag.Pos
}

// Judge judges a file; it is for [fetch.ListOptions]. The URLs that follow are those
// of this file.
func (c *Checker) Judge(f fetch.File) {
	c.end()
	c.file, c.format, c.scope, c.entries, c.tooMany = f.Name, 0, "", 0, false
	if f.Index == "" {
		c.where = map[string]*listedURL{} // another list, which may say the same in another form
		c.first = cmp.Or(c.first, f.Name)
	}
	if c.scopes == nil {
		c.scopes, c.contents = map[string]string{}, map[string][sha256.Size]byte{}
	}
	_, judged := c.scopes[f.Name]
	if c.again = judged || c.packed(f); c.again {
		return
	}
	if f.Loc != "" {
		c.scope = folder(c.ownSpelling(f.Loc))
	}
	if wide := c.scopes[f.Index]; wide != "" && strings.HasPrefix(c.scope, wide) {
		c.scope = wide // crawlers that come by the index take the URLs that it may list
	}
	c.scopes[f.Name] = c.scope
	if f.Err != nil {
		c.unreadable(f)
	}
	if len(f.Content) == 0 && f.Err != nil {
		return
	}
	c.protocol(f)
}

// packed reports whether a file is sitemap.xml.gz for a sitemap.xml that was judged, or the
// other way round, with the same content.
func (c *Checker) packed(f fetch.File) bool {
	if f.Err != nil || len(f.Content) == 0 {
		return false
	}
	name, content := strings.TrimSuffix(f.Name, ".gz"), sha256.Sum256(f.Content)
	other, judged := c.contents[name]
	c.contents[name] = content
	return judged && other == content
}

// end ends the file that was judged last. The judge of the protocol does not count the
// entries of feeds.
func (c *Checker) end() {
	if c.entries > sitemap.MaxURLs && !c.tooMany && !c.again {
		c.errorf(diag.Pos{File: c.file}, "too-many-entries", "split it into several files, which an index names",
			"the file has %d entries, and the protocol allows %d; only the first are checked", c.entries, sitemap.MaxURLs)
	}
}

// protocol checks a file by the protocol.
func (c *Checker) protocol(f fetch.File) {
	j := sitemap.NewJudge(func(p sitemap.Problem) { c.problem(f.Name, p) })
	_ = j.Read(bytes.NewReader(f.Content))
	c.format, c.tooMany = j.Format, j.Entries > sitemap.MaxURLs
	c.broken = c.broken || j.Broken && f.Err == nil
	if f.Index != "" && j.Format == sitemap.FormatIndex {
		c.errorf(diag.Pos{File: f.Name}, "nested-index", "name the sitemaps themselves in "+f.Index,
			"%s names this file, which is an index itself", f.Index)
	}
}

// unreadable reports a file that could not be read, or unpacked, to its end.
func (c *Checker) unreadable(f fetch.File) {
	c.broken = true
	c.errorf(diag.Pos{File: f.Name}, "bad-file", "write it again; crawlers read nothing of it", "the file cannot be read to its end: %v", diag.Cause(f.Err))
}

func (c *Checker) problem(name string, p sitemap.Problem) {
	d := diag.Diagnostic{
		Pos: diag.Pos{File: name, Line: p.Line, Col: p.Col}, Severity: diag.Warning, Code: p.Code, Message: p.Message, Hint: p.Hint,
	}
	if p.Grave {
		d.Severity = diag.Error
	}
	if p.Code == "too-many-entries" {
		d.Message += "; only the first are checked"
	}
	d.Subject = p.Message
	if p.Code == "invalid-url" {
		_, d.Cause, _ = strings.Cut(p.Message, "\" ") // behind the quoted address
	}
	c.Findings.Add(d)
}

func (c *Checker) errorf(pos diag.Pos, code, hint, format string, args ...any) {
	c.Findings.Add(diag.Errorf(pos, code, hint, format, args...))
}

// folder returns a URL up to the last slash of its path.
func folder(loc string) string {
	loc, _, _ = strings.Cut(loc, "?")
	if i := strings.LastIndexByte(loc, '/'); i > len("https://") {
		return loc[:i+1]
	}
	return loc + "/"
}

// CheckURL checks one URL of the file that was judged last, of as many as the protocol allows.
func (c *Checker) CheckURL(e sitemap.Entry, pos diag.Pos) {
	if c.entries++; c.entries > sitemap.MaxURLs {
		c.cut = true
		return
	}
	if c.again {
		return
	}
	if e.Extensions() != 0 || e.Title != "" || e.Summary != "" {
		c.fields(e, pos)
	}
	if err := sitemap.CheckLoc(e.Loc); err != nil {
		if c.format != sitemap.FormatURLSet && c.format != sitemap.FormatText { // whose judge has said so
			c.errorf(pos, "invalid-url", "write an absolute http or https address, percent-encoded", "%v", err)
		}
		if sitemap.CheckLoc(ascii(e.Loc)) == nil { // what is not encoded names a page all the same
			c.keep(e, pos)
		}
		return
	}
	c.inScope(c.ownSpelling(e.Loc), pos)
	c.keep(e, pos)
}

// ascii returns a URL without the letters that have to be encoded.
func ascii(loc string) string {
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII {
			return -1
		}
		return r
	}, loc)
}

// fields judges what else is said of a URL.
func (c *Checker) fields(e sitemap.Entry, pos diag.Pos) {
	e.Check(func(code, message, hint string) {
		c.Findings.Add(diag.Diagnostic{Pos: pos, Severity: diag.Warning, Code: code, Message: message, Hint: hint, Subject: e.Loc})
	})
}

// ownSpelling returns an address in the site's own spelling.
func (c *Checker) ownSpelling(written string) string {
	loc, err := c.Base.Resolve(written, written, "")
	if err != nil || loc == written {
		return written // which needs no memory of its own
	}
	return loc
}

// inScope reports a URL that a sitemap at its place may not list: it must be on
// the same host, by the same scheme, in the same folder or below, which for the
// sitemaps of an index is the folder of the index. Of a file whose place is not
// known the first URL tells the host.
// https://www.sitemaps.org/protocol.html#location
func (c *Checker) inScope(loc string, pos diag.Pos) {
	if c.scope == "" {
		scheme, _, _ := strings.Cut(loc, "://")
		c.scope = scheme + "://" + sitemap.HostOf(loc) + "/"
	}
	if strings.HasPrefix(loc, c.scope) {
		return
	}
	if _, how := c.own(loc); how != "" || c.format == sitemap.FormatRSS || c.format == sitemap.FormatAtom {
		return
	}
	if c.Findings.Counted("out-of-scope", c.scope, diag.Error, pos) {
		return
	}
	c.Findings.Add(diag.Errorf(pos, "out-of-scope", "put the sitemap at the top of the URLs that it lists, or list the other URLs in one of their own",
		"%s does not lie below %s, where the sitemap is", loc, c.scope).About(loc).Because(c.scope))
}

// keep keeps a URL, and reports one that the list has named before.
func (c *Checker) keep(e sitemap.Entry, pos diag.Pos) {
	u := &listedURL{c.ownSpelling(e.Loc), e.Loc, e.LastMod, pos}
	c.urls = append(c.urls, u)
	first := c.where[u.loc]
	if first == nil {
		c.where[u.loc] = u
		return
	}
	if c.Findings.Counted("listed-twice", "", diag.Warning, u.pos) {
		return
	}
	c.Findings.Add(diag.Warnf(u.pos, "listed-twice", "list it once", "%s is already listed at %s", u.text, first.pos).About(u.loc))
}

// Finish judges what can only be said of all URLs together, and compares them
// with the site, if there is one.
func (c *Checker) Finish(ctx context.Context, res *site.Result) {
	if c.end(); c.first == "" {
		return
	}
	for _, u := range c.urls {
		c.date(u, res)
	}
	c.checkSameDate()
	if res == nil {
		return
	}
	a := &against{Checker: c, world: res.World, list: res.List, answers: explain.New(res), seen: make([]bool, len(res.List)), either: map[int]*listedURL{}}
	for _, u := range c.urls {
		if ctx.Err() != nil {
			return
		}
		a.judge(ctx, u)
	}
	a.reportWrongDates()
	if !c.broken && !c.cut {
		a.checkMissing()
	}
}
