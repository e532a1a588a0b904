package site

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// An Exclusion is a reason to leave a page out, such as page.ByRule, together with its cause, such
// as the rule.
type Exclusion struct {
	Reason page.Reason `json:"reason"`
	Pos    diag.Pos    `json:"pos"`            // position of the cause, such as a rule
	Text   string      `json:"text,omitempty"` // the cause in words or as written; "" if Reason explains it
}

// excludePages sets Exclusion of each page to the result of firstExclusion. If there is none,
// Exclusion stays unchanged. It sets r.List to the pages that remain listed.
func (r *Result) excludePages(c *clock) {
	files.ParallelEach(len(r.pages), func(i int) {
		if v := firstExclusion(r.World, &r.pages[i], c); v != nil {
			r.pages[i].Exclusion = v
		}
	})
	r.List = make([]*Page, 0, len(r.pages))
	for p := range r.FilePages() {
		if p.Listed() {
			r.List = append(r.List, p)
		}
	}
}

// exclusionChecks lists the checks that firstExclusion makes. Each check returns the exclusion of a
// page, or nil. The first check has the highest priority. Canonical links and duplicate URLs are
// checked later, by applyCanonicals and excludeDuplicates.
var exclusionChecks = []func(w *World, p *Page, c *clock) *Exclusion{
	notInInputSitemapExclusion, ownFileExclusion, includedFileExclusion, ruleExclusion, contentExclusion, versionExclusion, copyExclusion,
	expiryExclusion, headerExclusion, hostRuleExclusion, robotsExclusion,
}

// notInInputSitemapExclusion returns the exclusion of a page file that the sitemap of --from does
// not list. It returns nil if the sitemap lists the page, if the page has no file, or if there is
// no such sitemap.
func notInInputSitemapExclusion(w *World, p *Page, _ *clock) *Exclusion {
	if w.Options.From == nil || p.FromSitemap != nil || p.Facts.File == "" {
		return nil
	}
	return &Exclusion{Reason: page.Unlisted, Pos: w.Pos(p)}
}

// ownFileExclusion returns the exclusion of a page that its own file excludes, or nil. For example,
// the file contains noindex, or it is cut off.
func ownFileExclusion(w *World, p *Page, _ *clock) *Exclusion {
	if p.Facts.OwnReason == page.Listed {
		return nil
	}
	return &Exclusion{Reason: p.Facts.OwnReason, Pos: w.Pos(p)}
}

// includedFileExclusion returns the exclusion of a file that another page includes, or nil.
func includedFileExclusion(w *World, p *Page, _ *clock) *Exclusion {
	by := w.Included[p.Facts.File]
	if by == nil {
		return nil
	}
	return &Exclusion{page.Fragment, w.Pos(&Page{Facts: by}), "a page includes it"}
}

// ruleExclusion returns the exclusion of a page that a rule of the configuration excludes, or nil.
func ruleExclusion(_ *World, p *Page, _ *clock) *Exclusion {
	if p.Rules == nil || p.Rules.Exclude == nil {
		return nil
	}
	return &Exclusion{page.ByRule, p.Rules.Exclude.Pos, p.Rules.Exclude.Match}
}

// expiryExclusion returns the exclusion of a page whose unavailable_after date, given in the page
// itself, has passed, or nil.
func expiryExclusion(w *World, p *Page, c *clock) *Exclusion {
	if !c.isPast(p.Facts.Rare().Expiry) {
		return nil
	}
	return &Exclusion{page.Expired, w.Pos(p), p.Facts.Rare().Expiry.String()}
}

// robotsExclusion returns the exclusion of a page that robots.txt disallows. It returns nil for
// other pages, and if Options.ObeyRobots is not set.
func robotsExclusion(w *World, p *Page, _ *clock) *Exclusion {
	if !w.Options.ObeyRobots {
		return nil
	}
	host := w.PartOf(p).Hosting
	v, ok := host.DisallowRule(w.URLPath(p))
	if p.Facts.File == "" {
		v, ok = host.DisallowRuleForURL(p.Loc) // unlike URLPath, the URL may have a query
	}
	if !ok {
		return nil
	}
	return &Exclusion{page.Robots, v.Pos, v.Text}
}

// firstExclusion returns the exclusion from the first of the exclusionChecks that excludes the
// page. It returns nil if no check does.
func firstExclusion(w *World, p *Page, c *clock) *Exclusion {
	for _, find := range exclusionChecks {
		if v := find(w, p, c); v != nil {
			return v
		}
	}
	return nil
}

// FurtherExclusions returns the exclusions of the page other than p.Exclusion. For example, a page
// with noindex may also be disallowed by robots.txt.
func (r *Result) FurtherExclusions(p *Page) (also []Exclusion) {
	c, skipped := &clock{now: r.now}, false
	for _, find := range exclusionChecks {
		switch v := find(r.World, p, c); {
		case v == nil:
		case v.Reason == p.Reason() && !skipped:
			skipped = true
		default:
			also = append(also, *v)
		}
	}
	return also
}

// contentExclusion returns the exclusion that a content file causes for the page p, or nil. It uses
// the content file of p. If p is a further page of a list, such as posts/page/2/, it uses the
// content file of the list.
func contentExclusion(w *World, p *Page, c *clock) *Exclusion {
	if p.Content == nil {
		i, ok := findPageFacts(w.pages, w.Mapping.FirstPageOfList(p.Facts.File))
		if !ok || w.pairs[i] == nil {
			return nil
		}
		p = &Page{Content: w.pairs[i]}
	}
	if p.Content.exclusion != nil {
		return p.Content.exclusion
	}
	f := p.Content.Facts
	switch {
	case c.isPending(p.Content.publishDate):
		return &Exclusion{page.Scheduled, w.ContentPos(p), p.Content.publishDate.String()}
	case f != nil && c.isPast(f.Expiry):
		return &Exclusion{page.Expired, w.ContentPos(p), f.Expiry.String()}
	}
	return nil
}

// headerExclusion returns the exclusion of a page that the host serves with a noindex header, or
// nil. It also checks the other addresses of the page, except those that end in .html. If the host
// chooses headers by file name, it also checks the name of the page's file.
func headerExclusion(w *World, p *Page, _ *clock) *Exclusion {
	host := w.PartOf(p).Hosting
	v, ok := host.NoIndexRule(w.URLPath(p))
	for _, twin := range w.otherAddresses(p) {
		if !ok && !strings.HasSuffix(twin, ".html") {
			v, ok = host.NoIndexRule(twin)
		}
	}
	if file, _ := w.PartOf(p).Below(p.Facts.File); !ok && file != "" && host.SelectsHeadersByFile() {
		v, ok = host.NoIndexRule("/" + file)
	}
	if !ok {
		return nil
	}
	return &Exclusion{page.NoIndex, v.Pos, v.Text}
}

// hostRuleExclusion returns the exclusion of a page if the host ignores its file, or if a rule of
// the host redirects its URL or answers with an error. It returns nil for other pages.
//
// hostRuleExclusion also checks the other addresses of the page. A rule for such an address counts
// only if it serves no file there, and does not redirect to another spelling of the address. An
// example is the usual address of a page for which chooseEnding has chosen another address, because
// a rule redirects the usual address.
func hostRuleExclusion(w *World, p *Page, _ *clock) *Exclusion {
	part := w.PartOf(p)
	if file, _ := part.Below(p.Facts.File); p.Facts.File != "" {
		if v, left := part.Hosting.IgnoreRule(file); left {
			return &Exclusion{page.NotServed, v.Pos, v.Text}
		}
	}
	v, ok := part.Hosting.OverridingRule(w.URLPath(p), part.Exists)
	for _, twin := range w.otherAddresses(p) {
		if !ok {
			v, ok = part.Hosting.OverridingRule(twin, part.Exists)
			ok = ok && v.File == "" && mapping.SpellingKey(v.To) != mapping.SpellingKey(twin)
		}
	}
	if !ok {
		return nil
	}
	return HostExclusion(v)
}

// ContentExclusion returns the exclusion that a content file, for example a draft, causes for its
// page, or nil.
func (r *Result) ContentExclusion(src *ContentFile) *Exclusion {
	return contentExclusion(r.World, &Page{Content: src}, &clock{now: r.now})
}

// HostExclusion converts v, an answer of the host that is a redirect or an error, to an exclusion.
// Its reason is page.Redirect or page.NotServed.
func HostExclusion(v hosting.Answer) *Exclusion {
	if v.To == "" {
		return &Exclusion{page.NotServed, v.Pos, v.Text}
	}
	return &Exclusion{page.Redirect, v.Pos, v.Text}
}

// excludeDuplicates sorts r.List by URL. If several pages have the same URL, it keeps one of them,
// and excludes and reports the others, which stay in r.List until applyCanonicals. It keeps the page that the host serves at the URL, or else
// the first page in the order of comparePreference.
func (r *Result) excludeDuplicates() {
	sortPages(r.List)
	for from, to := 0, 0; from < len(r.List); from = to {
		for to = from + 1; to < len(r.List) && r.List[to].Loc == r.List[from].Loc; to++ {
		}
		same := r.List[from:to]
		if len(same) > 1 {
			moveServedFirst(r.World, same)
		}
		for _, p := range same[1:] {
			p.Exclusion = &Exclusion{Reason: page.Duplicate, Pos: r.World.Pos(p)}
			r.Findings.Add(newDuplicateFinding(r.World, p, same[0]))
		}
	}
}

// moveServedFirst moves one page to the front of same, a list of pages with the same URL: the page
// whose file the host serves at the URL. The order stays unchanged if the host serves none of the
// files there.
func moveServedFirst(w *World, same []*Page) {
	part := w.PartOf(same[0])
	urlPath := w.URLPath(same[0])
	file, _ := part.Hosting.ServedFile(urlPath, part.Exists)
	if file == "" && part.Hosting.Name() == "nginx" && !strings.HasSuffix(urlPath, "/") { // as with the usual try_files $uri $uri.html $uri/index.html
		file = urlPath[1:] + ".html"
	}
	if i := slices.IndexFunc(same, func(p *Page) bool { below, _ := part.Below(p.Facts.File); return file != "" && below == file }); i > 0 {
		sent := same[i]
		copy(same[1:], same[:i])
		same[0] = sent
	}
}

// sortPages sorts pages by URL, and pages with the same URL by comparePreference. It uses a stable
// sort, which is fast here: the pages are sorted by file, and therefore nearly sorted by URL.
func sortPages(pages []*Page) {
	slices.SortStableFunc(pages, func(a, b *Page) int {
		if c := cmp.Compare(a.Loc, b.Loc); c != 0 {
			return c
		}
		return comparePreference(a, b)
	})
}

// comparePreference compares two pages with the same URL for a sort that puts the preferred page
// first. Files called index.html come first, then other files, and then URLs without a file. Files
// of the same kind are in the order of their paths.
func comparePreference(a, b *Page) int {
	rank := func(p *Page) int {
		switch base := path.Base(p.Facts.File); {
		case p.Facts.File == "":
			return 2
		case base == "index.html":
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Facts.File, b.Facts.File))
}

// newDuplicateFinding returns the finding about the page p, which is left out because the listed
// page other has the same URL.
func newDuplicateFinding(w *World, p, other *Page) diag.Diagnostic {
	switch {
	case p.Facts.File == "" && p.FromSitemap != nil:
		return newListedTwiceFinding(p.FromSitemap)
	case p.Facts.File == "" && other.Facts.File == "":
		return diag.Warnf(w.Pos(p), "duplicate-url", "remove one of them", "extra has %s twice", p.Loc).About(p.Loc)
	case p.Facts.File == "":
		return diag.Warnf(w.Pos(p), "duplicate-url", "remove it from extra", "extra URL %s is already the URL of the page %s", p.Loc, fileForFinding(w, other)).About(p.Loc)
	}
	return diag.Warnf(w.Pos(p), "duplicate-url", "remove one of them, or give one a url of its own in a rule",
		"%s and %s are both served at %s; the first is listed", fileForFinding(w, other), fileForFinding(w, p), p.Loc).About(p.Loc)
}

// fileForFinding returns the file that a finding about a duplicate URL names for the page p: the
// page file or, on a site without a pages tree, the content file. Without a pages tree, two content
// files may have the same page file.
func fileForFinding(w *World, p *Page) string {
	if w.Options.Pages == nil {
		return w.Pos(p).File
	}
	return p.Facts.File
}
