package site

import (
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// An Exclusion is a reason to leave a page out, with its cause.
type Exclusion struct {
	Reason page.Reason `json:"reason"`
	Pos    diag.Pos    `json:"pos"`            // position of the cause, such as a rule
	Text   string      `json:"text,omitempty"` // the cause in words or as written; "" if Reason says all
}

// excludePages sets Excluded of each page that its own facts, a rule, or the host exclude. It does
// not compare pages with each other.
func excludePages(w *World, pages []Page, c *clock) {
	files.ParallelEach(len(pages), func(i int) { pages[i].Excluded, _ = nextExclusion(w, &pages[i], c, 0) })
}

// exclusions lists the checks that may leave a page out, by priority. Each check returns the reason,
// or nil. Canonical links and duplicates depend on other pages, so later passes check them.
var exclusions = []func(w *World, r *Page, c *clock) *Exclusion{
	unlistedExclusion, ownExclusion, fragmentExclusion, ruleExclusion, contentExclusion, versionExclusion, copyExclusion,
	expiryExclusion, headerExclusion, redirectExclusion, robotsExclusion,
}

// unlistedExclusion returns the exclusion of a page that another tool's sitemap does not list. It
// returns nil if no such sitemap is read.
func unlistedExclusion(w *World, r *Page, _ *clock) *Exclusion {
	if w.Options.From == nil || r.FromSitemap != nil || r.Facts.File == "" {
		return nil
	}
	return &Exclusion{Reason: page.Unlisted, Pos: w.Pos(r)}
}

// ownExclusion returns the exclusion of a page that its own file excludes, or nil.
func ownExclusion(w *World, r *Page, _ *clock) *Exclusion {
	if r.Facts.OwnReason == page.Listed {
		return nil
	}
	return &Exclusion{Reason: r.Facts.OwnReason, Pos: w.Pos(r)}
}

// fragmentExclusion returns the exclusion of a file that another page includes, or nil.
func fragmentExclusion(w *World, r *Page, _ *clock) *Exclusion {
	by := w.Included[r.Facts.File]
	if by == nil {
		return nil
	}
	return &Exclusion{page.Fragment, w.Pos(&Page{Facts: by}), "a page includes it"}
}

// ruleExclusion returns the exclusion of a page that a rule of the configuration excludes, or nil.
func ruleExclusion(_ *World, r *Page, _ *clock) *Exclusion {
	if r.Rules == nil || r.Rules.Exclude == nil {
		return nil
	}
	return &Exclusion{page.ByRule, r.Rules.Exclude.Pos, r.Rules.Exclude.Match}
}

// expiryExclusion returns the exclusion of a page whose unavailable_after date, given in the page
// itself, has passed, or nil.
func expiryExclusion(w *World, r *Page, c *clock) *Exclusion {
	if r.Facts.Rest == nil || !c.isPast(r.Facts.Rest.Expiry) {
		return nil
	}
	return &Exclusion{page.Expired, w.Pos(r), r.Facts.Rest.Expiry.String()}
}

// robotsExclusion returns the exclusion of a page that robots.txt disallows, or nil.
func robotsExclusion(w *World, r *Page, _ *clock) *Exclusion {
	if !w.Options.ObeyRobots {
		return nil
	}
	host := w.PartOf(r).Host
	v, ok := host.DisallowRule(w.address(r))
	if r.Facts.File == "" {
		v, ok = host.DisallowRuleForURL(r.Entry.Loc) // with its query
	}
	if !ok {
		return nil
	}
	return &Exclusion{page.Robots, v.Pos, v.Text}
}

// nextExclusion returns the first exclusion of the page among the checks exclusions[from:], and the index
// after the check that returned it. Without an exclusion, it returns nil and len(exclusions).
func nextExclusion(w *World, r *Page, c *clock, from int) (*Exclusion, int) {
	for i, find := range exclusions[from:] {
		if v := find(w, r, c); v != nil {
			return v, from + i + 1
		}
	}
	return nil, len(exclusions)
}

// FurtherReasons returns all reasons to leave the page out, except the one in p.Excluded.
func (r *Result) FurtherReasons(p *Page) (also []Exclusion) {
	c, said := &clock{now: r.now}, false
	for v, next := nextExclusion(r.World, p, c, 0); v != nil; v, next = nextExclusion(r.World, p, c, next) {
		if v.Reason == p.Reason() && !said {
			said = true
			continue
		}
		also = append(also, *v)
	}
	return also
}

func contentExclusion(w *World, r *Page, c *clock) *Exclusion {
	if r.Content == nil {
		return nil
	}
	if r.Content.exclusion != nil {
		return r.Content.exclusion
	}
	f := r.Content.Facts
	switch {
	case c.isPending(r.Content.since):
		return &Exclusion{page.Scheduled, w.ContentPos(r), r.Content.since.String()}
	case f != nil && c.isPast(f.Expiry):
		return &Exclusion{page.Expired, w.ContentPos(r), f.Expiry.String()}
	}
	return nil
}

// headerExclusion returns the exclusion of a page that the host serves with a noindex header, or nil. A
// header at another address of the page counts too, except at an address that ends in .html. If the
// host chooses headers by file name, the name of the page's file counts as well.
func headerExclusion(w *World, r *Page, _ *clock) *Exclusion {
	host := w.PartOf(r).Host
	v, ok := host.NoIndexRule(w.address(r))
	for _, twin := range w.otherAddresses(r) {
		if !ok && !strings.HasSuffix(twin, ".html") {
			v, ok = host.NoIndexRule(twin)
		}
	}
	if file, _ := w.PartOf(r).Below(r.Facts.File); !ok && file != "" && host.HeadersByFile() {
		v, ok = host.NoIndexRule("/" + file)
	}
	if !ok {
		return nil
	}
	return &Exclusion{page.NoIndex, v.Pos, v.Text}
}

func redirectExclusion(w *World, r *Page, _ *clock) *Exclusion {
	p := w.PartOf(r)
	if file, _ := p.Below(r.Facts.File); r.Facts.File != "" {
		if v, left := p.Host.IgnoreRule(file); left {
			return &Exclusion{page.NotServed, v.Pos, v.Text}
		}
	}
	v, ok := p.Host.RuleAnswer(w.address(r), p.Exists)
	for _, twin := range w.otherAddresses(r) {
		if !ok {
			v, ok = p.Host.RuleAnswer(twin, p.Exists)
			ok = ok && v.File == "" && mapping.Spelling(v.To) != mapping.Spelling(twin)
		}
	}
	if !ok {
		return nil
	}
	return HostExclusion(v)
}

// ContentExclusion returns why a content file leaves its page out, or nil.
func (r *Result) ContentExclusion(src *ContentFile) *Exclusion {
	return contentExclusion(r.World, &Page{Content: src}, &clock{now: r.now})
}

// HostExclusion converts the answer of a host to an exclusion. The answer is a redirect or an error.
func HostExclusion(v hosting.Answer) *Exclusion {
	if v.To == "" {
		return &Exclusion{page.NotServed, v.Pos, v.Text}
	}
	return &Exclusion{page.Redirect, v.Pos, v.Text}
}

// otherAddresses returns the URL paths, except the page's own, at which the host serves the page's
// file. It returns nil if a rule sets the page's URL.
func (w *World) otherAddresses(r *Page) []string {
	if r.Rules != nil && r.Rules.URL.Loc != "" {
		return nil
	}
	return w.PartOf(r).OtherAddresses(r.Facts)
}

// address returns the URL path of the page on its host: the path of the URL that a rule sets, or
// that of the page's file.
func (w *World) address(r *Page) string {
	if r.Facts.File == "" || r.Rules == nil || r.Rules.URL.Loc == "" {
		return w.Path(r)
	}
	p := w.PartOf(r)
	loc, err := p.Resolve(r.Rules.URL.Loc)
	if err != nil {
		return w.Path(r)
	}
	return p.PathOf(loc)
}

// Exists reports whether file is a page file of the publish directory.
func (w *World) Exists(file string) bool {
	_, ok := findFact(w.pages, file)
	return ok
}
