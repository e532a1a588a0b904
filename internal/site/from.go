package site

import (
	"errors"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A SitemapEntry is an entry of a sitemap that another tool wrote, with its position in the sitemap
// file.
type SitemapEntry struct {
	URL sitemap.URL
	Pos diag.Pos
}

// MoveToBase returns u with Loc moved below base; see mapping.Base.MoveToBase. If Loc changes, the
// other addresses of u on the same host, such as images, move too. Absolute addresses are
// normalized, and relative addresses stay unchanged.
func MoveToBase(u sitemap.URL, base mapping.Base) sitemap.URL {
	loc, host := base.MoveToBase(u.Loc), sitemap.HostOf(u.Loc)
	moves := loc != u.Loc
	u = resolveAddresses(u, func(ref string) (string, error) {
		if !isAbsoluteURL(ref) {
			return ref, nil
		}
		if moves && sitemap.HostOf(ref) == host {
			ref = base.MoveToBase(ref)
		}
		return base.Resolve(ref, ref, "")
	})
	u.Loc = loc
	return u
}

// isAbsoluteURL reports whether loc begins with http:// or https://.
func isAbsoluteURL(loc string) bool {
	scheme, _, ok := strings.Cut(loc, "://")
	return ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// entryURL returns the normalized URL of the entry x. The sitemap protocol requires an absolute
// URL, so entryURL returns an error for any other URL.
func (w *World) entryURL(x *SitemapEntry) (string, error) {
	if !isAbsoluteURL(x.URL.Loc) {
		return "", errors.New("it does not begin with http:// or https://")
	}
	return w.Parts[0].ResolveURL(x.URL.Loc)
}

// matchSitemapEntries sets FromSitemap of each page that another tool's sitemap lists. It finds the
// page even if the sitemap spells the URL differently, such as /a.html for /a. It reports a second
// entry for the same page. hasFile[i] reports whether the site has a page file for Options.From[i].
func (r *Result) matchSitemapEntries() (hasFile []bool) {
	hasFile = make([]bool, len(r.World.Options.From))
	for i, x := range r.World.Options.From {
		loc, err := r.World.entryURL(x)
		if err != nil {
			continue
		}
		p := r.findByURL(loc, false)
		hasFile[i] = p != nil
		switch {
		case p == nil:
		case p.FromSitemap != nil:
			r.Findings.Add(newListedTwiceFinding(x))
		default:
			p.FromSitemap = x
		}
	}
	return hasFile
}

// newListedTwiceFinding returns a note that the URL of the entry x is already listed.
func newListedTwiceFinding(x *SitemapEntry) diag.Diagnostic {
	return diag.Notef(x.Pos, "listed-twice", "", "%s is already listed", x.URL.Loc).About(x.URL.Loc)
}

// addURLsWithoutFile adds the URLs that have no file to r.List or r.Unmatched. These are the URLs
// in the setting extra, and the entries of another tool's sitemap without a page file. hasFile is
// the result of matchSitemapEntries.
func (r *Result) addURLsWithoutFile(hasFile []bool, c *clock) {
	x := &extraAdder{Result: r, clock: c, matcher: newRuleMatcher(r.World.Options.Rules)}
	for i := range r.World.Parts {
		x.byPart = append(x.byPart, &facts.Page{Part: uint8(i)})
	}
	for i := range r.World.Options.Extra {
		e := &r.World.Options.Extra[i]
		loc, err := r.World.Parts[0].ResolveURL(e.URL.Loc)
		x.addPageWithoutFile(&Page{Extra: e}, e.URL.Loc, loc, err, "write an absolute address, or a path below the base URL")
	}
	r.List = slices.Grow(r.List, len(r.World.Options.From))
	for i, e := range r.World.Options.From {
		if !hasFile[i] {
			loc, err := r.World.entryURL(e)
			x.addPageWithoutFile(&Page{FromSitemap: e}, e.URL.Loc, loc, err, "")
		}
	}
	for i, n := range x.matcher.hits {
		r.Hits[i] += n
	}
}

// An extraAdder adds URLs that have no file to a Result.
type extraAdder struct {
	*Result
	clock   *clock
	matcher *ruleMatcher
	byPart  []*facts.Page // by index in World.Parts: the facts shared by pages without a file
}

// addPageWithoutFile adds the page p, which has the URL loc and no file, to x.List. It sets the
// facts of p. It adds p to x.Unmatched instead if loc is outside the base URL, or if a check
// excludes p. If the URL belongs to a page file that is left out for noindex or a redirect, it
// reports p and adds it to neither list.
//
// writtenURL is the URL as written. If urlErr is not nil, this URL is invalid. addPageWithoutFile
// then reports p with the advice hint, and adds it to x.Unmatched.
func (x *extraAdder) addPageWithoutFile(p *Page, writtenURL, loc string, urlErr error, hint string) {
	index, _ := x.World.Facts.Parts.FindByURL(loc)
	p.Facts, p.Loc = x.byPart[index], loc
	base, pos := x.World.PartOf(p).Base.String(), x.World.Pos(p)
	switch {
	case urlErr != nil:
		p.Loc = writtenURL
		x.Findings.Add(diag.Errorf(pos, "invalid-url", hint, "loc %.100q: %v", writtenURL, urlErr).About(writtenURL))
		p.Exclusion = &Exclusion{Reason: page.InvalidURL, Pos: pos}
	case !strings.HasPrefix(loc, base):
		x.Findings.Add(diag.Warnf(pos, "out-of-scope", "a sitemap lists URLs below its own folder only; name the other site's sitemap in output.index",
			"loc %s lies outside the base URL %s", loc, base).About(loc))
		p.Exclusion = &Exclusion{Reason: page.OutOfScope, Pos: pos}
	default:
		p.Rules = x.matcher.ruleSetOf("", "", x.World.URLPath(p))
		p.Exclusion = firstExclusion(x.World, p, x.clock)
		withoutQuery, _, _ := strings.Cut(loc, "?")
		if same := x.findByURL(withoutQuery, false); p.Exclusion == nil && same != nil && (same.Reason() == page.NoIndex || same.Reason() == page.Redirect) {
			x.Findings.Add(diag.Warnf(pos, "idle-rule", "remove it; no other source can list a page that one source excludes",
				"extra URL %s belongs to the page %s, which is left out: %s", loc, same.File(), same.Reason()).About(loc))
			return
		}
	}
	if p.Listed() {
		x.List = append(x.List, p)
	} else {
		x.Unmatched = append(x.Unmatched, p)
	}
}
