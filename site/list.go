package site

import (
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A List is the pages of a sitemap, sorted by URL, each URL once. It is safe
// for concurrent use.
type List struct {
	view    *view
	records []*record
}

// Len returns how many pages there are.
func (l List) Len() int { return len(l.records) }

// Entry fills *e with page i.
func (l List) Entry(i int, e *sitemap.Entry) {
	l.entry(l.records[i], e, ignore)
}

// File returns the file that stands for page i, in the pages tree or, without
// one, in the content tree; "" for an extra URL.
func (l List) File(i int) string { return l.records[i].File }

// Loc returns the URL of page i.
func (l List) Loc(i int) string { return l.records[i].loc }

// LastMod returns the date of page i.
func (l List) LastMod(i int) sitemap.Date { return l.records[i].date }

// By returns the source of dates that gave page i its date, "" when it has none.
func (l List) By(i int) string {
	if d := l.records[i].dater; d > 0 {
		return l.view.sources()[d-1].Name
	}
	return ""
}

// Born returns the day on which page i was written, as its content file says.
func (l List) Born(i int) sitemap.Date {
	if src := l.records[i].src; src != nil {
		return src.Date
	}
	return sitemap.Date{}
}

// Name returns the file that stands for page i as the user would type it, and
// Source its content file; "" without one.
func (l List) Name(i int) string { return l.view.pos(l.records[i]).File }

// Source returns the content file of page i; see Name.
func (l List) Source(i int) string {
	if l.records[i].src == nil {
		return ""
	}
	return l.view.contentPos(l.records[i]).File
}

// Fingerprint returns that of the content of page i, "" when it is not known.
func (l List) Fingerprint(i int) string {
	if r := l.records[i]; r.Fingerprint != nil {
		return string(r.Fingerprint[:])
	}
	return ""
}

// Title returns that of page i, where page.Options asked for titles.
func (l List) Title(i int) string { return l.records[i].title() }

// Compare returns what changed from an old list to l, sorted: URLs added,
// removed, and with another date.
func (l List) Compare(old List) (added, removed, redated []string) {
	was := old.records
	for _, r := range l.records {
		for len(was) > 0 && was[0].loc < r.loc {
			removed, was = append(removed, was[0].loc), was[1:]
		}
		switch {
		case len(was) == 0 || was[0].loc > r.loc:
			added = append(added, r.loc)
			continue
		case was[0].date != r.date:
			redated = append(redated, r.loc)
		}
		was = was[1:]
	}
	for _, r := range was {
		removed = append(removed, r.loc)
	}
	return added, removed, redated
}

// extras adds the URLs that no file stands for: those of the configuration, and
// those that a sitemap of another tool names.
func (f *fold) extras() {
	for i := range f.o.Extra {
		x := &f.o.Extra[i]
		f.extra(x.URL.Loc, x.Pos, &facts.Page{LastMod: x.URL.LastMod, Rest: facts.Written(&x.URL, x.Pos)})
	}
	f.listed = slices.Grow(f.listed, len(f.o.From))
	for i, x := range f.o.From {
		if f.stands == nil || !f.stands[i] {
			f.other(i, x)
		}
	}
}

// extra adds a URL of the configuration, which stands at pos.
func (f *fold) extra(at string, pos diag.Pos, said *facts.Page) {
	r := &record{Page: said}
	loc, err := f.parts[0].resolve(at)
	if err != nil {
		f.invalid(at, pos, r, "write an absolute address, or a path below the base URL", err)
		return
	}
	said.Part = f.scope(loc)
	f.add(loc, pos, r)
}

// other adds a URL that is given and no file stands for.
func (f *fold) other(i int, x *Given) {
	r := &record{Page: f.nothing[0], from: uint32(i) + 1}
	loc, err := f.givenAt(x)
	if err != nil {
		f.invalid(x.loc, x.pos(), r, "", err)
		return
	}
	r.Page = f.nothing[f.scope(loc)]
	f.add(loc, x.pos(), r)
}

// invalid reports an address that is none, and leaves it out.
func (f *fold) invalid(at string, pos diag.Pos, r *record, hint string, err error) {
	f.report.Add(diag.Errorf(pos, "invalid-url", hint, "loc %.100q: %v", at, err).About(at))
	r.loc, r.reason, r.moved = at, page.InvalidURL, true
	f.strays = append(f.strays, r)
}

// add adds a record without a file at loc, unless something keeps it out.
func (f *fold) add(loc string, pos diag.Pos, r *record) {
	r.loc, r.moved = loc, true
	if base := f.part(r).Base.String(); !strings.HasPrefix(loc, base) {
		f.report.Add(diag.Warnf(pos, "out-of-scope", "a sitemap lists URLs below its own folder only; name the other site's sitemap in output.index",
			"loc %s lies outside the base URL %s", loc, base).About(loc))
		r.reason = page.OutOfScope
	} else {
		r.set = f.sets.of("", "", f.path(r))
		r.reason = f.verdict(r)
	}
	if r.reason == page.Listed {
		f.listed = append(f.listed, r)
	} else {
		f.strays = append(f.strays, r)
	}
}

// pathOf returns the URL path of a URL below the base without its query, "/"
// when it has none that a file could have.
func (p *part) pathOf(loc string) string {
	if i := strings.IndexAny(loc, "?#"); i >= 0 {
		loc = loc[:i]
	}
	if urlPath, ok := p.Base.Path(loc); ok {
		return urlPath
	}
	return "/"
}

// scope returns the part that may list a URL; the site itself when none may.
func (w *World) scope(loc string) uint8 {
	for i := range w.parts {
		if strings.HasPrefix(loc, w.parts[i].Base.String()) {
			return uint8(i)
		}
	}
	return 0
}

// resolve reads a location that the user wrote: absolute, or below the part's
// base URL.
func (p *part) resolve(loc string) (string, error) {
	if strings.Contains(loc, "://") || strings.HasPrefix(loc, "//") {
		return p.Base.Resolve(loc, p.Base.String(), "")
	}
	return p.Base.Resolve("./"+strings.TrimPrefix(loc, "/"), p.Base.String(), "")
}

// result counts what the fold decided.
func (f *fold) result() *Result {
	res := &Result{
		List:       List{f.view, f.listed},
		Findings:   f.report,
		Ledger:     f.ledger,
		Dates:      f.by,
		Next:       f.next,
		Collapses:  f.collapses,
		LinkStyles: f.linkStyles(),
		records:    f.records,
		strays:     f.strays,
	}
	for _, r := range f.strays {
		res.Left[r.reason]++
	}
	for i := range f.records {
		if reason := f.records[i].reason; reason != page.Listed {
			res.Left[reason]++
		}
	}
	res.Left[page.Listed] = len(f.listed)
	for _, r := range f.listed {
		switch {
		case r.src != nil || f.editFile(r.Page) != "":
			res.Paired++
		case r.File != "":
			res.Unpaired++
		}
		if !r.date.IsZero() {
			res.Dated++
		}
	}
	return res
}

// Protect reports whether a file below the publish directory is a page of the
// site, listed or not, so that no output may overwrite it.
func (r *Result) Protect(file string) bool { return r.List.view.exists(file) }
