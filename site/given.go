package site

import (
	"errors"
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
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
	return w.parts[0].resolve(x.loc)
}

// givenAs returns what another tool's sitemap says of a page that it says something
// of.
func (w *World) givenAs(r *record) *Given { return w.o.From[r.from-1] }

// join tells each page what another tool's sitemap says of it, by its URL.
func (f *fold) join() {
	if f.o.From == nil || len(f.records) == 0 {
		return
	}
	f.stands = make([]bool, len(f.o.From))
	for i, x := range f.o.From {
		loc, err := f.givenAt(x)
		if err != nil {
			continue
		}
		r := f.at(loc)
		f.stands[i] = r != nil
		switch {
		case r == nil:
		case r.from != 0:
			f.repeat(x)
		default:
			r.from = uint32(i) + 1
		}
	}
}

// repeat reports a URL that is listed before, and is listed once.
func (f *fold) repeat(x *Given) {
	f.report.Add(diag.Notef(x.pos(), "listed-twice", "", "%s is listed before", x.loc).About(x.loc))
}
