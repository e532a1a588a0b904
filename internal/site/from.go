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

// A SitemapEntry is an entry of another tool's sitemap, with its position.
type SitemapEntry struct {
	URL sitemap.URL
	Pos diag.Pos
}

// MoveToBase returns u with all addresses on the host of u.Loc moved below another base URL.
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

// entryURL returns the URL of x, or an error if the URL is not absolute as the protocol requires.
func (w *World) entryURL(x *SitemapEntry) (string, error) {
	if !isAbsolute(x.URL.Loc) {
		return "", errors.New("it does not begin with http:// or https://")
	}
	return w.Parts[0].Resolve(x.URL.Loc)
}

// joinSitemapEntries gives pages their entries in another tool's sitemap, by URL in any spelling. It
// returns for each entry whether it has a page.
func joinSitemapEntries(w *World, pages []Page, files *index, report *diag.Report) (taken []bool) {
	taken = make([]bool, len(w.Options.From))
	for i, x := range w.Options.From {
		loc, err := w.entryURL(x)
		if err != nil {
			continue
		}
		r := files.byURL(loc, false)
		taken[i] = r != nil
		switch {
		case r == nil:
		case r.FromSitemap != nil:
			report.Add(listedTwice(x))
		default:
			r.FromSitemap = x
		}
	}
	return taken
}

// listedTwice reports a repeated URL.
func listedTwice(x *SitemapEntry) diag.Diagnostic {
	return diag.Notef(x.Pos, "listed-twice", "", "%s is already listed", x.URL.Loc).About(x.URL.Loc)
}

// addExtra adds URLs without a file, from the configuration and from another tool's sitemap.
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

// An extraAdder adds rows without a file.
type extraAdder struct {
	*fold
	sets   *ruleSets
	byPart []*facts.Page // the facts of a page without a file, by part
}

// addConfigured adds a URL of the configuration.
func (x *extraAdder) addConfigured(e *Extra) {
	said := &facts.Page{LastMod: e.URL.LastMod, Rest: facts.Written(&e.URL, e.Pos)}
	loc, err := x.World.Parts[0].Resolve(e.URL.Loc)
	said.Part = x.World.PartIndex(loc)
	x.addPage(&Page{Facts: said}, e.URL.Loc, loc, err, "write an absolute address, or a path below the base URL")
}

// addEntry adds an entry of another tool's sitemap.
func (x *extraAdder) addEntry(g *SitemapEntry) {
	loc, err := x.World.entryURL(g)
	x.addPage(&Page{Facts: x.byPart[x.World.PartIndex(loc)], FromSitemap: g}, g.URL.Loc, loc, err, "")
}

// addPage adds the page r at loc, unless the page is left out. err, if not nil, reports that text
// is not a valid address, and hint gives a correction.
func (x *extraAdder) addPage(r *Page, text, loc string, err error, hint string) {
	base, pos := x.World.PartOf(r).Base.String(), x.World.Pos(r)
	r.Entry.Loc = loc
	switch {
	case err != nil:
		r.Entry.Loc = text
		x.Findings.Add(diag.Errorf(pos, "invalid-url", hint, "loc %.100q: %v", text, err).About(text))
		r.Excluded = &Verdict{Reason: page.InvalidURL, Pos: pos}
	case !strings.HasPrefix(loc, base):
		x.Findings.Add(diag.Warnf(pos, "out-of-scope", "a sitemap lists URLs below its own folder only; name the other site's sitemap in output.index",
			"loc %s lies outside the base URL %s", loc, base).About(loc))
		r.Excluded = &Verdict{Reason: page.OutOfScope, Pos: pos}
	default:
		r.Rules = x.sets.get("", "", x.World.Path(r))
		r.Excluded, _ = nextVerdict(x.World, r, x.clock, 0)
	}
	if r.Listed() {
		x.List = append(x.List, r)
	} else {
		x.Unmatched = append(x.Unmatched, r)
	}
}
