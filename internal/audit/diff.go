package audit

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/glob"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/writer"
)

// A DiffRun is one run of the command diff: its options, and its result. If RunDiff returns an
// error, the result is incomplete.
type DiffRun struct {
	*engine.Build // build of the new site; without a Result if the new list is not a site
	Changes       *report.Changes

	o *Options
	// entries of both lists; alignLists sorts them
	old, new []datedURL
	oldList  oldList
	first    bool // the live site has no sitemap yet, so there is nothing to compare
}

// RunDiff compares the list old with the list new. Each argument is the name or URL of a list, or
// the folder of a built site. If new is "", the new list is the configured site. If old is "", the
// old list is the live sitemap. The old list is also the live sitemap if new is "" and old is the
// publish directory of the configured site.
func RunDiff(ctx context.Context, o Options, old, new string) (*DiffRun, error) {
	o.budget = fetch.NewBudget()
	d := &DiffRun{Build: engine.New(o.Build), o: &o}
	site := new == "" || o.isFolder(new)
	var err error
	if site {
		err = d.Resolve(o.inputWithDir(new))
	} else {
		err = o.resolveListSettings(d.Build)
	}
	if err == nil && (old == "" || new == "" && d.isPublishDir(old)) {
		old = d.Settings.SitemapURL(&d.Settings.Writer)
	}
	if err == nil {
		err = d.readLists(ctx, site, old, new)
	}
	if err != nil {
		return d, err
	}
	if d.first {
		d.Changes = &report.Changes{Old: old, New: new, NewCount: len(d.new), List: []report.Change{}}
		return d, nil
	}
	if len(d.old) == 0 {
		return d, diag.Hintedf("is it the list that is published now?", "%s lists no URL, so there is nothing to compare with", old)
	}
	firstLoc := d.old[0].Loc
	d.alignLists(site)
	if len(d.old) == 0 {
		return d, diag.Hintedf("if the site has a new domain, -b with its old address compares the lists", "%s lists no URL of %s; its first is %s", fetch.WithoutPassword(old), d.Settings.Site.Base, firstLoc)
	}
	if site && !o.isFolder(old) && !hasAnyFingerprint(d.old) {
		d.setLedgerFingerprints()
	}
	in := compareOptions{Old: d.old, New: d.new, Max: d.Settings.MaxLoss.Limit(len(d.old), 0), IsGoneOnPurpose: d.isGoneOnPurpose, Foreign: site && d.oldList.isForeign()}
	if site {
		in.Site = d.newSiteAnswers(ctx)
		if o.LivePages && d.oldList.isLive && !hasAnyFingerprint(d.old) {
			in.Site.ReadPages = func(lost, added []*datedURL) { d.readTitlesAndFingerprints(ctx, old, lost, added) }
		}
	}
	d.Changes = compareLists(in)
	d.Changes.Old, d.Changes.New = old, new
	d.Changes.Content = hasAnyFingerprint(d.old) && hasAnyFingerprint(d.new)
	if site {
		d.Changes.Host = d.Settings.Site.Hosting.Name()
	}
	d.addFindings()
	if in.Foreign {
		d.noteForeignPages(old)
	}
	return d, nil
}

// isPublishDir reports whether name is the publish directory of the configured site. It returns
// false if the site has no publish directory.
func (d *DiffRun) isPublishDir(name string) bool {
	pages := d.Settings.Site.Pages
	if pages == nil || !d.o.isFolder(name) {
		return false
	}
	named, err := os.Stat(d.o.filePath(name))
	published, pubErr := os.Stat(pages.Dir)
	return err == nil && pubErr == nil && os.SameFile(named, published)
}

// readLists reads both lists into d.old and d.new. It reads the old list first, because that list
// is more often missing. newIsSite is true if new is a built site. If the live site has no sitemap
// yet and d.o.First permits that, readLists sets d.first and leaves d.old empty.
func (d *DiffRun) readLists(ctx context.Context, newIsSite bool, old, new string) (err error) {
	online, cancel := fetch.WithTimeout(ctx, d.o.Build.Timeout)
	defer cancel()
	folder := d.o.isFolder(old)
	if folder {
		d.old, err = d.readOldBuild(ctx, old)
	} else {
		d.oldList.isLive, d.oldList.isPageURL = fetch.IsURL(old), isPageURL(old)
		d.old, err = d.readOld(online, old)
	}
	if why := d.oldList.whyNothingPublished(err); d.o.First && why != "" && len(d.old) == 0 && ctx.Err() == nil {
		d.first = true
		d.Findings.Add(diag.Notef(diag.Pos{File: fetch.WithoutPassword(old)}, "not-compared", "", "%s, so there is nothing to compare with", why))
		err = nil
	}
	if err != nil {
		return err
	}
	if !newIsSite {
		d.new, err = d.readList(online, new, d.o.listOptions(d.Settings), d.Findings)
		return err
	}
	p := &d.Settings.Site.Page
	p.ContentHash = p.ContentHash || folder || hasAnyFingerprint(d.old)
	p.Titles = p.Titles || slices.ContainsFunc(d.old, func(u datedURL) bool { return u.Title != "" })
	if err := d.readNewSite(ctx); err != nil {
		return err
	}
	d.new = builtURLs(d.Build)
	if hasAnyFingerprint(d.old) {
		d.dropIncomparableFingerprints()
	}
	return nil
}

// readNewSite reads the built site. It keeps only findings with the severity error, because
// sitewalk build reports the others. If reading fails, it keeps all findings.
func (d *DiffRun) readNewSite(ctx context.Context) error {
	found := d.Findings
	d.Findings = &diag.Report{MaxKept: found.MaxKept, Levels: found.Levels}
	err := d.ReadSite(ctx)
	d.Findings.Each(func(f *diag.Diagnostic) {
		if err != nil || f.Severity == diag.Error {
			found.Add(*f)
		}
	})
	d.Findings = found
	return err
}

func hasAnyFingerprint(urls []datedURL) bool {
	return slices.ContainsFunc(urls, func(u datedURL) bool { return u.Fingerprint != "" })
}

// dropIncomparableFingerprints removes the old fingerprints that another version of the hash
// function computed.
func (d *DiffRun) dropIncomparableFingerprints() {
	kind := d.Settings.Site.Page.Fingerprint.Version() + ":"
	for i := range d.old {
		if u := &d.old[i]; !strings.HasPrefix(u.Fingerprint, kind) {
			u.Fingerprint = ""
		}
	}
}

// comparedURLSize is the number of bytes that each compared URL and its change count against the
// memory budget, in addition to their text.
const comparedURLSize = 320

// noteForeignPages adds a note with the number of hidden and badly moved pages. Such pages do not
// count as lost, because another tool wrote the old list: the live sitemap at the URL old.
func (d *DiffRun) noteForeignPages(old string) {
	n := 0
	for _, c := range d.Changes.List {
		if c.Class == Hidden || c.Class == BadlyMoved {
			n++
		}
	}
	if n > 0 {
		d.Findings.Add(diag.Notef(diag.Pos{File: fetch.WithoutPassword(old)}, "not-compared", "",
			"another tool wrote the live sitemap; %s in it do not count as lost", diag.Count(n, "hidden or redirected page")))
	}
}

// readOld reads the old list. If it sends a secret request header, readOld drops the findings,
// because they may quote the protected site.
func (d *DiffRun) readOld(ctx context.Context, name string) (urls []datedURL, err error) {
	o, findings := d.o.listOptions(d.Settings), d.Findings
	o.Head = d.oldList.readHead
	if d.oldList.isLive {
		if o.Fetch.Secret, err = d.o.secretFor(name); err != nil {
			return nil, err
		}
	}
	if o.Fetch.Secret != nil {
		findings = &diag.Report{}
	}
	urls, err = d.readList(ctx, name, o, findings)
	return urls, withHeaderAdvice(err)
}

// readList reads the list called name and returns its entries in the order of the list.
func (d *DiffRun) readList(ctx context.Context, name string, o fetch.ListOptions, findings *diag.Report) (urls []datedURL, err error) {
	o.Overhead = comparedURLSize
	err = fetch.ReadList(ctx, d.o.filePath(name), o, findings, func(e fetch.Entry) {
		_ = o.Budget.Charge(len(e.Loc)) // for the copy of the URL that alignLists normalizes
		urls = append(urls, datedURL{Loc: e.Loc, LastMod: e.LastMod, Title: e.Title, Fingerprint: e.Fingerprint})
	})
	return urls, err
}

// readOldBuild returns the entries of an earlier build of the site in the folder dir. It ignores
// content files, because they may have changed since that build.
func (d *DiffRun) readOldBuild(ctx context.Context, dir string) ([]datedURL, error) {
	b := engine.New(d.o.Build)
	if err := b.Resolve(d.o.inputWithDir(dir)); err != nil {
		return nil, err
	}
	s := b.Settings
	s.Site.LastMod = slices.DeleteFunc(slices.Clone(s.Site.LastMod), func(source string) bool { return source != site.SourceHTML })
	s.Site.Content, s.LedgerFrom = nil, ""
	s.Site.Page.ContentHash, s.Site.Page.Titles, s.Site.Page.EditLinks = true, true, false
	if err := b.ReadSite(ctx); err != nil {
		return nil, err
	}
	return builtURLs(b), nil
}

// builtURLs returns an entry for each page that the build lists.
func builtURLs(b *engine.Build) []datedURL {
	urls := make([]datedURL, len(b.Result.List))
	for i, p := range b.Result.List {
		urls[i] = datedURL{
			Loc: p.Loc, LastMod: p.LastMod, Title: p.Title(), Vague: p.DateBy == site.SourceMTime, Fingerprint: b.Result.Fingerprint(p),
		}
	}
	return urls
}

// setLedgerFingerprints takes the fingerprints of the old entries from the ledger. It takes the
// fingerprints and change dates of the new entries from the updated ledger. If the two ledgers
// cannot be compared, setLedgerFingerprints removes the fingerprints of the new entries.
func (d *DiffRun) setLedgerFingerprints() {
	before, now := d.Ledger, d.Result.Ledger
	comparable := before != nil && now != nil && before.HasComparableFingerprints(now)
	for i := range d.new {
		u := &d.new[i]
		u.Fingerprint = ""
		if key, ok := d.Result.World.LedgerKey(u.Loc); ok && comparable {
			u.Fingerprint = now.Fingerprint(key)
			u.Since, _ = now.Date(key)
		}
	}
	for i := range d.old {
		if key, ok := d.Result.World.LedgerKey(d.old[i].Loc); ok && comparable {
			d.old[i].Fingerprint = before.Fingerprint(key)
		}
	}
}

// newSiteAnswers returns the functions with which compareLists looks up old URLs in the new site.
// It does not set ReadPages.
func (d *DiffRun) newSiteAnswers(ctx context.Context) *siteAnswers {
	a := explain.New(d.Result)
	return &siteAnswers{
		Answer:       func(loc string) explain.Response { return a.PredictResponse(ctx, loc) },
		Aliases:      a.AliasTargets,
		RedirectLine: func(oldLoc, newLoc string) (lines, file string) { return d.redirectLine(ctx, a, oldLoc, newLoc) },
	}
}

// GoneGlobs returns a glob for each URL whose change has the severity error, such as a lost URL. If
// the user adds the globs to diff.gone, the diff accepts these changes.
func (d *DiffRun) GoneGlobs() (globs []string) {
	for i := range d.Changes.List {
		if c := &d.Changes.List[i]; c.Level == diag.Error {
			globs = append(globs, glob.Quote(pathOf(c.URL, d.Settings.Site.Base)))
		}
	}
	return globs
}

// NeedsHost reports whether a lost URL has a replacement, but no redirect line, because the host
// of the site is unknown.
func (d *DiffRun) NeedsHost() bool {
	return !d.Settings.Site.Hosting.IsKnown() && slices.ContainsFunc(d.Changes.List, func(c report.Change) bool {
		return c.Class == Lost && c.To != "" && c.Fix == ""
	})
}

// isGoneOnPurpose reports whether a rule of diff.gone matches the URL loc. It returns the glob of
// the rule and its position in the configuration. If no rule matches, yes is false.
func (d *DiffRun) isGoneOnPurpose(loc string) (glob string, pos diag.Pos, yes bool) {
	i := d.Settings.Gone.FirstMatch(pathOf(loc, d.Settings.Site.Base))
	if i < 0 {
		return "", diag.Pos{}, false
	}
	rule := d.Settings.Gone.At(i)
	return rule.Match, rule.Pos, true
}

// addFindings adds a finding for each change with the severity warning or error.
func (d *DiffRun) addFindings() {
	for i := range d.Changes.List {
		if c := &d.Changes.List[i]; c.Level >= diag.Warning {
			d.Findings.Add(newChangeFinding(c))
		}
	}
}

// newChangeFinding returns the finding about c, the change of an old URL that is lost, hidden or
// badly moved.
func newChangeFinding(c *report.Change) diag.Diagnostic {
	switch c.Class {
	case Lost:
		return newFinding(c, "lost-url", "redirect it to the page that replaces it, or add it to diff.gone", "%s is lost: %s", c.URL, c.Reason)
	case Hidden:
		return newFinding(c, "hidden-url", "let it be indexed, or add it to diff.gone", "%s is still served, but no longer listed: %s", c.URL, c.Reason)
	}
	return newFinding(c, "badly-moved", "redirect it permanently to a listed page in one step", "%s leads to %s: %s", c.URL, c.To, c.Reason)
}

// newFinding returns a finding about the change c, with the severity and the source file of the
// change.
func newFinding(c *report.Change, code, hint, format string, args ...any) diag.Diagnostic {
	d := diag.Warnf(c.Pos, code, hint, format, args...).About(c.URL)
	d.Severity, d.Source = c.Level, c.Source
	return d
}

// An oldList describes the old list of a diff. The facts come from the name of the list and from
// the first bytes of its files.
type oldList struct {
	isLive    bool // the list was read from a URL
	isPageURL bool // the URL of the list probably belongs to a web page
	isEmpty   bool // a file of the list has no content
	isPage    bool // a file of the list is a web page, such as the page of a parked domain
	isOurs    bool // sitewalk wrote a file of the list
	isXML     bool // a file of the list is XML or HTML
}

// isPageURL reports whether name, the URL of a list, probably belongs to a web page: its path is
// empty, or ends in "/", or has the extension of a web page, such as ".html".
func isPageURL(name string) bool {
	u, err := url.Parse(name)
	return err == nil && (u.Path == "" || strings.HasSuffix(u.Path, "/") || page.IsHTML(u.Path))
}

// readHead records the facts about one file of the list. head is the beginning of the file.
func (o *oldList) readHead(head []byte) {
	text := bytes.ToLower(bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff"))))
	o.isEmpty = o.isEmpty || len(text) == 0
	o.isXML = o.isXML || bytes.HasPrefix(text, []byte("<"))
	o.isPage = o.isPage || bytes.HasPrefix(text, []byte("<!doctype html")) || bytes.Contains(text, []byte("<html"))
	o.isOurs = o.isOurs || writer.IsMarked(head)
}

// isForeign reports whether the list is a live XML sitemap that a tool other than sitewalk wrote.
func (o *oldList) isForeign() bool { return o.isLive && o.isXML && !o.isOurs }

// whyNothingPublished returns the reason why the live site has no sitemap yet, as text for the
// user. err is the error of reading the list. The result is "" if the list is not a live sitemap,
// or if the live site may have a sitemap, for example after a server error.
func (o *oldList) whyNothingPublished(err error) string {
	var dns *net.DNSError
	switch {
	case !o.isLive:
	case fetch.IsNotFound(err):
		return "the site has no such file yet"
	case errors.As(err, &dns) && dns.IsNotFound:
		return "no name server knows the host yet"
	case o.isPage && !o.isPageURL:
		return "the site answers with a web page, and not with a sitemap"
	case o.isEmpty:
		return "the site answers with an empty file"
	}
	return ""
}
