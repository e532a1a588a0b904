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

// A SitemapEntry is an entry of a sitemap that another tool wrote, with its position in that file.
type SitemapEntry struct {
	URL sitemap.URL
	Pos diag.Pos
}

// MoveToBase returns u with Loc moved below base. If this changes the host of Loc, the other
// absolute addresses of u on that host, such as images, move as well.
func MoveToBase(u sitemap.URL, base mapping.Base) sitemap.URL {
	loc, host := base.MoveToBase(u.Loc), sitemap.HostOf(u.Loc)
	moves := loc != u.Loc
	u = resolveAddresses(u, func(ref string) (string, error) {
		if !isAbsolute(ref) {
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

// isAbsolute reports whether loc begins with http:// or https://.
func isAbsolute(loc string) bool {
	scheme, _, ok := strings.Cut(loc, "://")
	return ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// entryURL returns the normalized URL of the entry x. It returns an error if the URL is not
// absolute, as the sitemap protocol requires.
func (w *World) entryURL(x *SitemapEntry) (string, error) {
	if !isAbsolute(x.URL.Loc) {
		return "", errors.New("it does not begin with http:// or https://")
	}
	return w.Parts[0].Resolve(x.URL.Loc)
}

// joinSitemapEntries sets FromSitemap of each page that another tool's sitemap lists, in any
// spelling of the URL. It returns, for each entry of Options.From, whether a page was found.
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

// newListedTwiceFinding returns the finding that the URL of x is already listed.
func newListedTwiceFinding(x *SitemapEntry) diag.Diagnostic {
	return diag.Notef(x.Pos, "listed-twice", "", "%s is already listed", x.URL.Loc).About(x.URL.Loc)
}

// addExtra adds the URLs that have no file: those of the setting extra, and those that only another
// tool's sitemap lists.
func addExtra(f *fold) {
	x := &extraAdder{fold: f, sets: newRuleSets(f.World.Options.Rules)}
	for i := range f.World.Parts {
		x.byPart = append(x.byPart, &facts.Page{Part: uint8(i)})
	}
	for i := range f.World.Options.Extra {
		x.addConfigured(&f.World.Options.Extra[i])
	}
	f.List = slices.Grow(f.List, len(f.World.Options.From))
	for i, g := range f.World.Options.From {
		if !f.hasFile[i] {
			x.addEntry(g)
		}
	}
	for i, n := range x.sets.hits {
		f.Hits[i] += n
	}
}

// An extraAdder adds pages for URLs that have no file.
type extraAdder struct {
	*fold
	sets   *ruleSets
	byPart []*facts.Page // by index in World.Parts: the facts shared by pages without a file
}

// addConfigured adds a URL of the setting extra.
func (x *extraAdder) addConfigured(e *Extra) {
	said := &facts.Page{LastMod: e.URL.LastMod, Rest: facts.NewRest(&e.URL, e.Pos)}
	loc, err := x.World.Parts[0].Resolve(e.URL.Loc)
	said.Part = x.World.PartIndex(loc)
	x.addPage(&Page{Facts: said}, e.URL.Loc, loc, err, "write an absolute address, or a path below the base URL")
}

// addEntry adds the URL of an entry in another tool's sitemap.
func (x *extraAdder) addEntry(g *SitemapEntry) {
	loc, err := x.World.entryURL(g)
	x.addPage(&Page{Facts: x.byPart[x.World.PartIndex(loc)], FromSitemap: g}, g.URL.Loc, loc, err, "")
}

// addPage adds the page r with the URL loc. The page is listed unless its URL is invalid or outside
// the base URL, or another check leaves it out. If err is not nil, it reports err as the reason why
// text, the URL as written, is invalid. hint is the advice for this finding.
func (x *extraAdder) addPage(r *Page, text, loc string, err error, hint string) {
	base, pos := x.World.PartOf(r).Base.String(), x.World.Pos(r)
	r.Entry.Loc = loc
	switch {
	case err != nil:
		r.Entry.Loc = text
		x.Findings.Add(diag.Errorf(pos, "invalid-url", hint, "loc %.100q: %v", text, err).About(text))
		r.Excluded = &Exclusion{Reason: page.InvalidURL, Pos: pos}
	case !strings.HasPrefix(loc, base):
		x.Findings.Add(diag.Warnf(pos, "out-of-scope", "a sitemap lists URLs below its own folder only; name the other site's sitemap in output.index",
			"loc %s lies outside the base URL %s", loc, base).About(loc))
		r.Excluded = &Exclusion{Reason: page.OutOfScope, Pos: pos}
	default:
		r.Rules = x.sets.get("", "", x.World.Path(r))
		r.Excluded, _ = nextExclusion(x.World, r, x.clock, 0)
	}
	if r.Listed() {
		x.List = append(x.List, r)
	} else {
		x.Unmatched = append(x.Unmatched, r)
	}
}
