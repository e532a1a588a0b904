package site

import (
	"errors"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A SitemapEntry is a URL that a sitemap of another tool names, and where.
type SitemapEntry struct {
	URL sitemap.URL
	Pos diag.Pos
}

// Moved returns u as it is below another base URL: its own address, and all that
// it says of the same host.
func Moved(u sitemap.URL, base mapping.Base) sitemap.URL {
	loc, host := base.Move(u.Loc), sitemap.HostOf(u.Loc)
	moves := loc != u.Loc
	u = absolute(u, func(ref string) (string, error) {
		if !isAbsolute(ref) {
			return ref, nil
		}
		if moves && sitemap.HostOf(ref) == host {
			ref = base.Move(ref)
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

// givenAt returns the URL of x, which the protocol wants to be absolute: what
// else stands in a list of URLs is not for us to guess.
func (w *World) givenAt(x *SitemapEntry) (string, error) {
	if !isAbsolute(x.URL.Loc) {
		return "", errors.New("it does not begin with http:// or https://")
	}
	return w.Parts[0].Resolve(x.URL.Loc)
}

// joinGiven tells each page what another tool's sitemap says of it, by its URL in any
// spelling, and returns for each of its URLs whether a file stands for it.
func joinGiven(w *World, pages []Page, files *index, report *diag.Report) (taken []bool) {
	taken = make([]bool, len(w.Options.From))
	for i, x := range w.Options.From {
		loc, err := w.givenAt(x)
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

// listedTwice reports a URL that is listed before, and is listed once.
func listedTwice(x *SitemapEntry) diag.Diagnostic {
	return diag.Notef(x.Pos, "listed-twice", "", "%s is already listed", x.URL.Loc).About(x.URL.Loc)
}
