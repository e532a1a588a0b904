package audit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/sitemap"
)

// alignLists prepares the two lists of a diff for comparison. It normalizes their URLs, calls
// moveOldToBase, sorts both lists and removes duplicates. newIsSite is true if the new list is a
// built site. Notes in d.Findings count the URLs that are not compared.
func (d *DiffRun) alignLists(newIsSite bool) {
	var base mapping.Base
	if newIsSite {
		base = d.Settings.Site.Base
	} else {
		d.new = d.normalizeURLs(d.new, base)
		base = commonRoot(d.new)
	}
	d.old = d.normalizeURLs(d.old, base)
	d.moveOldToBase(base, newIsSite)
	d.old, d.new = sortUnique(d.old), sortUnique(d.new)
}

// normalizeURLs returns the URLs of a list in normal form, for example with normalized
// percent-encoding. It drops entries that are not absolute URLs, and adds a finding with their
// number. The result reuses the memory of urls.
func (d *DiffRun) normalizeURLs(urls []datedURL, base mapping.Base) []datedURL {
	out := urls[:0]
	var bad int
	var first string
	for _, u := range urls {
		loc, err := base.Resolve(u.Loc, "https://relative.invalid/", "")
		if err != nil || strings.HasPrefix(loc, "https://relative.invalid/") {
			if bad++; bad == 1 {
				first = u.Loc
			}
			continue
		}
		u.Loc = loc
		out = append(out, u)
	}
	if bad > 0 {
		d.noteNotCompared("%d of the URLs in a list are not addresses and are not compared; the first is %.100q", bad, first)
	}
	return out
}

// noteNotCompared adds a finding of severity note about entries that the diff leaves out.
func (d *DiffRun) noteNotCompared(format string, args ...any) {
	d.Findings.Add(diag.Notef(diag.Pos{}, "not-compared", "", format, args...))
}

// moveOldToBase gives old URLs on the host of base the scheme of base. If all old URLs are on one
// other host, such as a development server or a preview, it moves them to the host and path of
// base. Otherwise it removes the URLs outside of the site; if newIsSite is false, these are the
// URLs that do not begin with base. It adds a note about moved or removed URLs. It does nothing if
// base is empty.
func (d *DiffRun) moveOldToBase(base mapping.Base, newIsSite bool) {
	if base.String() == "" || len(d.old) == 0 {
		return
	}
	own := func(loc string) bool { return strings.HasPrefix(loc, base.String()) }
	if newIsSite {
		own = d.Settings.Site.Parts().ContainsURL
	}
	foreign, example := 0, ""
	for i := range d.old {
		u := &d.old[i]
		if u.Loc = base.WithOwnScheme(u.Loc); !own(u.Loc) {
			foreign++
			example = cmp.Or(example, u.Loc)
		}
	}
	if foreign == 0 {
		return
	}
	if foreign < len(d.old) || !haveSameHost(d.old) || base.HasSameHost(example) {
		d.old = slices.DeleteFunc(d.old, func(u datedURL) bool { return !own(u.Loc) })
		if foreign == 1 {
			d.noteNotCompared("1 URL of the old list lies outside %s and is not compared: %s", base, example)
		} else {
			d.noteNotCompared("%d URLs of the old list lie outside %s and are not compared: %s", foreign, base, example)
		}
		return
	}
	for i := range d.old {
		d.old[i].Loc = base.MoveToBase(d.old[i].Loc)
	}
	d.Findings.Add(diag.Notef(diag.Pos{}, "not-compared", "if the site has a new domain, let each old address redirect to its new one",
		"the old list is of %s, and compared with %s by path", sitemap.HostOf(example), base))
}

func haveSameHost(urls []datedURL) bool {
	return !slices.ContainsFunc(urls, func(u datedURL) bool { return sitemap.HostOf(u.Loc) != sitemap.HostOf(urls[0].Loc) })
}

// commonRoot returns the root URL of the host that all URLs share, such as "https://example.com/",
// with the scheme of the first URL. The result is empty if the URLs have several hosts or if there
// are no URLs.
func commonRoot(urls []datedURL) (base mapping.Base) {
	if len(urls) == 0 || !haveSameHost(urls) {
		return base
	}
	scheme, _, _ := strings.Cut(urls[0].Loc, "://")
	base, _ = mapping.ParseBase(scheme + "://" + sitemap.HostOf(urls[0].Loc) + "/")
	return base
}

// pathOf returns the decoded path of loc relative to base without the query, such as "/a b/" for
// "https://example.com/a%20b/?c". An empty base means the root of the URL's host. The result is ""
// if loc is not below base, or if no file can have the path; see mapping.Base.Path.
func pathOf(loc string, base mapping.Base) string {
	loc, _, _ = strings.Cut(loc, "?")
	if base.String() == "" {
		base = commonRoot([]datedURL{{Loc: loc}})
	}
	urlPath, _ := base.Path(loc)
	return urlPath
}

// sortUnique sorts the entries by URL. It keeps the first of several entries with the same URL.
func sortUnique(urls []datedURL) []datedURL {
	slices.SortStableFunc(urls, func(a, b datedURL) int { return strings.Compare(a.Loc, b.Loc) })
	return slices.CompactFunc(urls, func(a, b datedURL) bool { return a.Loc == b.Loc })
}
