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

// entryURL returns the normalized URL of the entry x. It returns an error if the URL is not
// absolute, as the sitemap protocol requires.
func (w *World) entryURL(x *SitemapEntry) (string, error) {
	if !isAbsoluteURL(x.URL.Loc) {
		return "", errors.New("it does not begin with http:// or https://")
	}
	return w.Parts[0].ResolveURL(x.URL.Loc)
}

// joinSitemapEntries sets FromSitemap of each page that another tool's sitemap lists. It finds the
// page even if the sitemap spells the URL differently, such as /a.html for /a. It reports a second
// entry for the same page. hasPage[i] reports whether the site has a page file for Options.From[i].
func joinSitemapEntries(w *World, pages []Page, files *index, report *diag.Report) (hasPage []bool) {
	hasPage = make([]bool, len(w.Options.From))
	for i, x := range w.Options.From {
		loc, err := w.entryURL(x)
		if err != nil {
			continue
		}
		r := files.findByURL(loc, false)
		hasPage[i] = r != nil
		switch {
		case r == nil:
		case r.FromSitemap != nil:
			report.Add(newListedTwiceFinding(x))
		default:
			r.FromSitemap = x
		}
	}
	return hasPage
}

// newListedTwiceFinding returns a note that the URL of the entry x is already listed.
func newListedTwiceFinding(x *SitemapEntry) diag.Diagnostic {
	return diag.Notef(x.Pos, "listed-twice", "", "%s is already listed", x.URL.Loc).About(x.URL.Loc)
}

// addURLsWithoutFile adds the URLs that have no file to f.List or f.Unmatched. These are the URLs
// in the setting extra, and the other URLs in another tool's sitemap that have no page file.
func addURLsWithoutFile(f *listing) {
	x := &extraAdder{listing: f, sets: newRuleMatcher(f.World.Options.Rules)}
	for i := range f.World.Parts {
		x.byPart = append(x.byPart, &facts.Page{Part: uint8(i)})
	}
	for i := range f.World.Options.Extra {
		x.addConfiguredURL(&f.World.Options.Extra[i])
	}
	f.List = slices.Grow(f.List, len(f.World.Options.From))
	for i, g := range f.World.Options.From {
		if !f.hasFile[i] {
			x.addSitemapEntry(g)
		}
	}
	for i, n := range x.sets.hits {
		f.Hits[i] += n
	}
}

// An extraAdder adds URLs that have no file to a listing.
type extraAdder struct {
	*listing
	sets   *ruleMatcher
	byPart []*facts.Page // by index in World.Parts: the facts shared by pages without a file
}

// addConfiguredURL adds e, a URL from the setting extra.
func (x *extraAdder) addConfiguredURL(e *Extra) {
	said := &facts.Page{LastMod: e.URL.LastMod, Rest: facts.NewExtraFacts(&e.URL, e.Pos)}
	loc, err := x.World.Parts[0].ResolveURL(e.URL.Loc)
	said.Part = x.World.PartIndex(loc)
	x.addPageWithoutFile(&Page{Facts: said}, e.URL.Loc, loc, err, "write an absolute address, or a path below the base URL")
}

// addSitemapEntry adds the URL of g, an entry in another tool's sitemap.
func (x *extraAdder) addSitemapEntry(g *SitemapEntry) {
	loc, err := x.World.entryURL(g)
	x.addPageWithoutFile(&Page{Facts: x.byPart[x.World.PartIndex(loc)], FromSitemap: g}, g.URL.Loc, loc, err, "")
}

// addPageWithoutFile adds the page r, which has the URL loc and no file, to x.List. It adds r to
// x.Unmatched instead if loc is outside the base URL, or if a check excludes r. If the URL belongs
// to a page file that is left out for noindex or a redirect, it reports r and adds it to neither
// list.
//
// If urlErr is not nil, writtenURL, the URL as written, is invalid. r is then reported with the
// advice hint, and goes to x.Unmatched.
func (x *extraAdder) addPageWithoutFile(r *Page, writtenURL, loc string, urlErr error, hint string) {
	base, pos := x.World.PartOf(r).Base.String(), x.World.Pos(r)
	r.Entry.Loc = loc
	switch {
	case urlErr != nil:
		r.Entry.Loc = writtenURL
		x.Findings.Add(diag.Errorf(pos, "invalid-url", hint, "loc %.100q: %v", writtenURL, urlErr).About(writtenURL))
		r.Excluded = &Exclusion{Reason: page.InvalidURL, Pos: pos}
	case !strings.HasPrefix(loc, base):
		x.Findings.Add(diag.Warnf(pos, "out-of-scope", "a sitemap lists URLs below its own folder only; name the other site's sitemap in output.index",
			"loc %s lies outside the base URL %s", loc, base).About(loc))
		r.Excluded = &Exclusion{Reason: page.OutOfScope, Pos: pos}
	default:
		r.Rules = x.sets.ruleSetOf("", "", x.World.URLPath(r))
		r.Excluded, _ = nextExclusion(x.World, r, x.clock, 0)
		withoutQuery, _, _ := strings.Cut(loc, "?")
		if p := x.urlIndex().findByURL(withoutQuery, false); r.Excluded == nil && p != nil && (p.Reason() == page.NoIndex || p.Reason() == page.Redirect) {
			x.Findings.Add(diag.Warnf(pos, "idle-rule", "remove it; what one source excludes no other brings back",
				"extra URL %s is the page %s, which is left out: %s", loc, p.File(), p.Reason()).About(loc))
			return
		}
	}
	if r.Listed() {
		x.List = append(x.List, r)
	} else {
		x.Unmatched = append(x.Unmatched, r)
	}
}
