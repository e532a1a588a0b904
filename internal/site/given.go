package site

import (
	"errors"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Given is a URL that a sitemap of another tool names, and where. There may be a
// million of them, so what few have lives in more.
type Given struct {
	loc      string
	file     string
	lastmod  sitemap.Date
	more     *sitemap.URL // the extensions; nil without any
	line     int32
	priority sitemap.Priority
	freq     sitemap.ChangeFreq
}

// Moved returns u as it is below another base URL: its own address, and all that
// it says of the same host.
func Moved(u sitemap.URL, base mapping.Base) sitemap.URL {
	loc := base.Move(u.Loc)
	if loc == u.Loc {
		return u
	}
	host := sitemap.HostOf(u.Loc)
	u = absolute(u, func(ref string) (string, error) {
		if sitemap.HostOf(ref) == host {
			return base.Move(ref), nil
		}
		return ref, nil
	})
	u.Loc = loc
	return u
}

// NewGiven returns what is given as u at pos.
func NewGiven(u sitemap.URL, pos diag.Pos) *Given {
	x := &Given{loc: u.Loc, file: pos.File, line: int32(pos.Line), lastmod: u.LastMod, priority: u.Priority, freq: u.ChangeFreq}
	if u.Extensions() != 0 {
		x.more = &u
	}
	return x
}

// url returns what is listed.
func (x *Given) url() sitemap.URL {
	if x.more != nil {
		return *x.more
	}
	return sitemap.URL{Loc: x.loc, LastMod: x.lastmod, ChangeFreq: x.freq, Priority: x.priority}
}

func (x *Given) pos() diag.Pos { return diag.Pos{File: x.file, Line: int(x.line)} }

// givenAt returns the URL of x, which the protocol wants to be absolute: what
// else stands in a list of URLs is not for us to guess.
func (w *World) givenAt(x *Given) (string, error) {
	scheme, _, ok := strings.Cut(x.loc, "://")
	if !ok || !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return "", errors.New("it does not begin with http:// or https://")
	}
	return w.Parts[0].Resolve(x.loc)
}

// joinGiven tells each page what another tool's sitemap says of it, by its URL, and
// returns for each of its URLs whether a file stands for it.
func joinGiven(w *World, pages *index, report *diag.Report) (taken []bool) {
	taken = make([]bool, len(w.Options.From))
	for i, x := range w.Options.From {
		loc, err := w.givenAt(x)
		if err != nil {
			continue
		}
		r := pages.byLoc()[loc]
		taken[i] = r != nil
		switch {
		case r == nil:
		case r.Given != nil:
			report.Add(listedTwice(x))
		default:
			r.Given = x
		}
	}
	return taken
}

// listedTwice reports a URL that is listed before, and is listed once.
func listedTwice(x *Given) diag.Diagnostic {
	return diag.Notef(x.pos(), "listed-twice", "", "%s is already listed", x.loc).About(x.loc)
}
