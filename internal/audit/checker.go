package audit

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A sitemapChecker checks the files and entries of sitemaps. A sitemap may be an index with further
// files. Call CheckFile before the entries of each file, CheckURL for each entry, and Finish at the
// end. Findings and Now are required; the other exported fields may be zero if they are unknown.
type sitemapChecker struct {
	Findings *diag.Report
	Base     mapping.Base          // base URL of the site
	Owns     func(loc string) bool // reports whether a URL belongs to the site; nil if the sitemap is checked without its site
	// InRobots contains the URLs of the sitemaps that robots.txt names. Such a sitemap may list all
	// URLs of its host.
	InRobots []string
	// Now is the time of the check. It is needed to find dates in the future.
	Now time.Time

	explainer    *explain.Explainer    // predicts what the site serves at each URL; nil if the sitemap is checked without its site
	format       sitemap.Format        // format of the current file
	scope        string                // prefix that all URLs of the current file must have; "" if unknown
	isIncomplete bool                  // a file could not be read completely, is not well-formed, or has too many entries
	urls         []*listedURL          // checked entries in the order of the files
	firstEntries map[string]*listedURL // first entry with each URL; emptied at each file that no index names
	isRepeated   bool                  // the current file was checked before
	file         string                // name of the current file
	entries      int                   // number of entries of the current file so far
	tooMany      bool                  // validate has already reported that the current file has too many entries
	scopes       map[string]string     // scope of each checked file, by file name
}

// checkedURLSize is the number of bytes that each checked URL counts against the memory budget, in
// addition to its text.
const checkedURLSize = 160

// A listedURL is one entry of a checked sitemap.
type listedURL struct {
	loc     string // URL as the site would write it
	text    string // URL as written in the sitemap
	lastmod sitemap.Date
	pos     diag.Pos
}

// CheckFile checks a file against the sitemap protocol, unless the file was checked before. It can
// be used as fetch.ListOptions.OnFile. Pass the entries of the file to CheckURL before the next
// call of CheckFile.
func (s *sitemapChecker) CheckFile(f fetch.File) {
	s.finishFile()
	s.file, s.format, s.scope, s.entries, s.tooMany = f.Name, 0, "", 0, false
	if f.Index == "" {
		s.firstEntries = map[string]*listedURL{} // a separate sitemap may list the same URLs, for example as text
	}
	if s.scopes == nil {
		s.scopes = map[string]string{}
	}
	if s.isRepeated = s.isChecked(f.Name); s.isRepeated {
		return
	}
	if f.Loc != "" {
		s.scope = folderPrefix(s.normalizeURL(f.Loc))
	}
	if slices.Contains(s.InRobots, f.Loc) {
		s.scope = "" // the first entry sets the scheme and the host
	}
	if wide := s.scopes[f.Index]; wide != "" && strings.HasPrefix(s.scope, wide) {
		s.scope = wide // the sitemaps of an index may list all URLs in the scope of the index
	}
	if s.Owns == nil && s.Base != (mapping.Base{}) {
		s.scope = s.Base.String()
	}
	s.scopes[f.Name] = s.scope
	if f.Err != nil {
		s.reportUnreadable(f)
	}
	if len(f.Content) == 0 && f.Err != nil {
		return
	}
	s.validate(f)
}

// isChecked reports whether the file called name was checked before.
func (s *sitemapChecker) isChecked(name string) bool {
	_, ok := s.scopes[name]
	return ok
}

// finishFile ends the check of the current file. It reports too many entries, for example in a
// feed, if validate has not reported them.
func (s *sitemapChecker) finishFile() {
	if s.entries > sitemap.MaxURLs && !s.tooMany && !s.isRepeated {
		s.addErrorf(diag.Pos{File: s.file}, "too-many-entries", "split it into several files, which an index names",
			"the file has %d entries, and the protocol allows %d; only the first are checked", s.entries, sitemap.MaxURLs)
	}
}

// validate checks a file against the sitemap protocol. It also reports an index that another index
// names.
func (s *sitemapChecker) validate(f fetch.File) {
	j := sitemap.NewValidator(func(p sitemap.Problem) { s.reportProblem(f.Name, p) })
	_ = j.Validate(bytes.NewReader(f.Content))
	s.format, s.tooMany = j.Format, j.Entries > sitemap.MaxURLs
	s.isIncomplete = s.isIncomplete || j.Broken && f.Err == nil
	if f.Index != "" && j.Format == sitemap.FormatIndex {
		s.addErrorf(diag.Pos{File: f.Name}, "nested-index", "name the sitemaps themselves in "+f.Index,
			"%s names this file, which is an index itself", f.Index)
	}
}

// reportUnreadable reports a file that cannot be read or decompressed completely.
func (s *sitemapChecker) reportUnreadable(f fetch.File) {
	s.isIncomplete = true
	s.addErrorf(diag.Pos{File: f.Name}, "bad-file", "write it again; crawlers cannot read any of it", "the file cannot be read to the end: %v", diag.Cause(f.Err))
}

// reportProblem adds a finding about a problem that sitemap.Validator found in the file called
// name.
func (s *sitemapChecker) reportProblem(name string, p sitemap.Problem) {
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
		_, d.Cause, _ = strings.Cut(p.Message, "\" ") // the text after the quoted URL
	}
	s.Findings.Add(d)
}

// addErrorf adds a finding with the severity error.
func (s *sitemapChecker) addErrorf(pos diag.Pos, code, hint, format string, args ...any) {
	s.Findings.Add(diag.Errorf(pos, code, hint, format, args...))
}

// folderPrefix returns the URL loc up to the last slash of its path, such as
// "https://example.com/a/" for "https://example.com/a/b?c".
func folderPrefix(loc string) string {
	loc, _, _ = strings.Cut(loc, "?")
	if i := strings.LastIndexByte(loc, '/'); i >= strings.Index(loc, "://")+len("://") {
		return loc[:i+1]
	}
	return loc + "/"
}

// CheckURL checks one entry of the current file. It ignores the entries of a file that was checked
// before, and the entries after the first sitemap.MaxURLs of a file.
func (s *sitemapChecker) CheckURL(e sitemap.Entry, pos diag.Pos) {
	if s.entries++; s.entries > sitemap.MaxURLs {
		s.isIncomplete = true
		return
	}
	if s.isRepeated {
		return
	}
	if e.Extensions() != 0 || e.Title != "" || e.Summary != "" {
		s.checkFields(e, pos)
	}
	if err := sitemap.CheckLoc(e.Loc); err != nil {
		if s.format != sitemap.FormatURLSet && s.format != sitemap.FormatText { // validate reports the invalid URLs of these two formats
			s.addErrorf(pos, "invalid-url", "write an absolute http or https address, percent-encoded", "%v", err)
		}
		if sitemap.CheckLoc(dropNonASCII(e.Loc)) == nil { // an unencoded URL still names a page
			s.addURL(e, pos)
		}
		return
	}
	s.checkScope(s.normalizeURL(e.Loc), pos)
	s.addURL(e, pos)
}

// dropNonASCII returns loc without its non-ASCII characters.
func dropNonASCII(loc string) string {
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII {
			return -1
		}
		return r
	}, loc)
}

// checkFields checks the optional fields of an entry, such as images, news and videos.
func (s *sitemapChecker) checkFields(e sitemap.Entry, pos diag.Pos) {
	e.Check(func(code, message, hint string) {
		s.Findings.Add(diag.Diagnostic{Pos: pos, Severity: diag.Warning, Code: code, Message: message, Hint: hint, Subject: e.Loc})
	})
}

// normalizeURL returns a URL as the site would write it, for example with normalized
// percent-encoding. It returns an invalid URL unchanged.
func (s *sitemapChecker) normalizeURL(written string) string {
	loc, err := s.Base.Resolve(written, written, "")
	if err != nil || loc == written {
		return written // return the same string to store its text once
	}
	return loc
}

// checkScope reports loc if it does not begin with s.scope, such as the folder of the current
// sitemap or of its index. If s.scope is "", for example because robots.txt names the sitemap,
// checkScope first sets it to the root of the host of loc. checkScope accepts the entries of feeds.
// It also accepts URLs that only misspell the scheme or the host of the site, because compareURL
// reports those.
// See https://www.sitemaps.org/protocol.html#location.
func (s *sitemapChecker) checkScope(loc string, pos diag.Pos) {
	if s.scope == "" {
		scheme, _, _ := strings.Cut(loc, "://")
		s.scope = scheme + "://" + sitemap.HostOf(loc) + "/"
	}
	if strings.HasPrefix(loc, s.scope) {
		return
	}
	if _, how := suggestOwnURL(loc, s.Base, s.Owns); how != "" || s.format == sitemap.FormatRSS || s.format == sitemap.FormatAtom {
		return
	}
	s.Findings.Add(diag.Errorf(pos, "out-of-scope", engine.ScopeHint,
		"%s does not lie below %s, where the sitemap is", loc, s.scope).About(loc).Because(s.scope))
}

// reportLocalURLs adds one warning about all URLs of a local server. Call it after Finish.
func (s *sitemapChecker) reportLocalURLs() {
	local := slices.DeleteFunc(slices.Clone(s.urls), func(u *listedURL) bool { return !mapping.IsLocalHost(u.loc) })
	if len(local) == 0 {
		return
	}
	s.Findings.Add(diag.Warnf(local[0].pos, "local-address", "build the site for production before you publish it",
		"the sitemap lists %s of a local server, such as %s", diag.Count(len(local), "URL"), local[0].text).About(local[0].text))
}

// addURL stores an entry for Finish. It reports the entry if the same sitemap, or another file of
// its index, already lists the URL.
func (s *sitemapChecker) addURL(e sitemap.Entry, pos diag.Pos) {
	u := &listedURL{s.normalizeURL(e.Loc), e.Loc, e.LastMod, pos}
	s.urls = append(s.urls, u)
	first := s.firstEntries[u.loc]
	if first == nil {
		s.firstEntries[u.loc] = u
		return
	}
	s.Findings.Add(diag.Warnf(u.pos, "listed-twice", "list it once", "%s is already listed at %s", u.text, first.pos).About(u.loc))
}

// Finish checks the dates of all entries, and compares the entries with the pages of the site res.
// If res is nil, it checks only the dates. Call Finish after the last entry.
func (s *sitemapChecker) Finish(ctx context.Context, res *site.Result) {
	if s.finishFile(); len(s.scopes) == 0 { // no file was checked
		return
	}
	for _, u := range s.urls {
		s.reportImpossibleLastMod(u, res)
	}
	s.checkSameDate()
	if res == nil {
		return
	}
	a := &pageComparer{sitemapChecker: s, world: res.World, list: res.List, isListed: make([]bool, len(res.List)), equivalents: map[int]*listedURL{}}
	for _, u := range s.urls {
		if ctx.Err() != nil {
			return
		}
		a.compareURL(ctx, u)
	}
	if !s.isIncomplete {
		a.reportUnlistedPages()
	}
}
