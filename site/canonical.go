package site

import (
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// at returns the page that is mapped to a URL, listed or left out by what it
// says itself, or nil.
func (f *fold) at(loc string) *record { return f.byLoc.find(loc) }

// canonicals leaves out every page that names another one that is there.
func (f *fold) canonicals() {
	targets := map[*record]*record{}
	for _, r := range f.listed {
		if to := f.canonicalOf(r); r.reason == page.Listed && to != "" && to != r.loc {
			f.canonical(r, to, targets)
		}
	}
	f.breakCycles(targets)
	for r := range targets {
		f.checkEnd(r, targets)
	}
	for r := range targets {
		r.reason = page.Canonical
	}
	f.otherScheme()
	f.targets = targets
}

// checkEnd reports a page whose canonical leads to one that is left out for another
// reason, so that neither is listed.
func (f *fold) checkEnd(r *record, targets map[*record]*record) {
	end := r
	for targets[end] != nil {
		end = targets[end]
	}
	if end.reason == page.Listed || end.reason == page.Canonical {
		return
	}
	f.reportOut(r, f.canonicalOf(r), f.pos(end).File, end.reason)
}

// reportOut reports that the page which r names as its canonical is out.
func (f *fold) reportOut(r *record, to, file string, why page.Reason) {
	f.report.Add(diag.Warnf(f.pos(r), "canonical-out", "let the page name its own address, or let the other one be indexable",
		"canonical %s leads to %s, which is left out: %s; neither is listed", to, file, why).About(to))
}

// otherScheme reports once a scheme that is not the base URL's.
func (f *fold) otherScheme() {
	if f.schemes == 0 {
		return
	}
	scheme, rest, _ := strings.Cut(f.o.Base.String(), "://")
	scheme = map[string]string{"https": "http", "http": "https"}[scheme]
	f.report.Add(diag.Warnf(diag.Pos{}, "canonical-scheme", "let base_url and the pages' canonical links agree; the base URL that fits is "+scheme+"://"+rest,
		"%d pages name a canonical that begins with %s://, but the base URL is %s; they are listed as the base URL says",
		f.schemes, scheme, f.o.Base))
}

// canonical judges one page's canonical link, which is not its own URL.
func (f *fold) canonical(r *record, to string, targets map[*record]*record) {
	p := f.hosts(to)
	if p == nil {
		r.reason = page.Canonical
		host := sitemap.HostOf(to)
		f.foreign[host] = append(f.foreign[host], r)
		return
	}
	if own := p.Base.OwnScheme(to); own != to {
		f.schemes++
		if to = own; to == r.loc {
			return
		}
	}
	urlPath, below := p.Base.Path(to)
	switch {
	case below:
	case strings.HasPrefix(to, p.Base.String()):
		f.dropCanonical(r, "impossible", "", "no file of the site can have that address")
		return
	default:
		f.astray = append(f.astray, r)
		f.dropCanonical(r, outside, "", "it lies outside the base URL "+p.Base.String())
		return
	}
	loc := to
	if len(p.Base.String())-1+len(urlPath) != len(to) { // something in it is encoded, and maybe otherwise
		loc, _ = p.Base.Loc(urlPath)
	}
	switch target := f.findTarget(r, loc, urlPath); target {
	case nil:
		if f.excludes(p, to) {
			r.reason = page.Canonical
			f.reportOut(r, to, "a page", page.Excluded)
			return
		}
		f.astray = append(f.astray, r)
		f.dropCanonical(r, nowhere, to, "no page of the site has that address")
	case r:
		if loc != r.loc {
			f.dropCanonical(r, "spelling", "", "the page is served at "+r.loc)
		}
	default:
		targets[r] = target
	}
}

// findTarget returns the page that a canonical names: the one with that URL,
// else the one that differs from it only in spelling.
func (f *fold) findTarget(r *record, loc, urlPath string) *record {
	if i, ok := findLoc(f.listed, loc); ok {
		return f.listed[i]
	}
	if t := f.at(loc); t != nil {
		return t
	}
	if mapping.Spelling(urlPath) == mapping.Spelling(f.path(r)) {
		return r
	}
	return f.atSpelling(urlPath)
}

// atSpelling returns the page whose path differs from a URL path only in
// spelling, or nil.
func (f *fold) atSpelling(urlPath string) *record {
	return f.bySpelling.find(mapping.Spelling(urlPath))
}

// breakCycles keeps one page of every ring of canonicals, the one whose URL
// sorts first.
func (f *fold) breakCycles(targets map[*record]*record) {
	done := map[*record]bool{}
	for _, start := range f.listed {
		if targets[start] == nil {
			continue // a million pages need no trail of their own
		}
		trail := map[*record]bool{}
		r := start
		for r != nil && !done[r] && !trail[r] {
			trail[r] = true
			r = targets[r]
		}
		if r != nil && trail[r] {
			f.keepOne(r, targets)
		}
		for t := range trail {
			done[t] = true
		}
	}
}

func (f *fold) keepOne(r *record, targets map[*record]*record) {
	first := r
	for t := targets[r]; t != r; t = targets[t] {
		if t.loc < first.loc {
			first = t
		}
	}
	to := f.canonicalOf(first)
	f.report.Add(diag.Warnf(f.pos(first), "canonical-cycle", "let one of the pages name itself",
		"canonical %s leads back to the page; it is listed, the others of the ring are not", to).About(to))
	delete(targets, first)
}
