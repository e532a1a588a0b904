package engine

import (
	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/site"
)

// Enough returns an error if no page is listed, or if one cause excludes most of the site.
func (b *Build) Enough() error {
	none := b.noPage()
	switch cs := b.Collapses; {
	case none && (b.o.AllowEmpty || b.Settings.MaxLoss.All()):
		return nil
	case none:
		return b.errNoPages()
	case len(cs) > 0:
		return collapseError(cs[0])
	}
	return nil
}

// noPage reports whether no page of the site is listed. URLs without a file count only if the
// configuration has no pages and no content.
func (b *Build) noPage() bool {
	if s := b.Settings; s.From != "" || s.Site.Pages == nil && s.Site.Content == nil {
		return len(b.Result.List) == 0
	}
	return b.Result.Paired+b.Result.Unpaired == 0
}

// mayEmpty reports whether AllowEmpty permits an empty sitemap for a part that lists no page.
// part is an index as in site.Result.Part.
func (b *Build) mayEmpty(part int) bool {
	return b.o.AllowEmpty && (b.noPage() || len(b.Result.Part(part)) == 0)
}

// errNoPages reports that no page is listed, with the most likely cause.
func (b *Build) errNoPages() error {
	left, allow := LeftOut(b.Result), "--allow-empty"
	if b.o.Watch {
		allow = "--max-loss 100%"
	}
	switch {
	case left != "":
		hint := "sitewalk explain FILE says why a page is out"
		if cs := b.Collapses; len(cs) > 0 {
			hint = cs[0].Hint
		}
		return diag.Hintedf(hint+"; "+allow+" writes a sitemap without pages",
			"no page is in, so the old sitemap stays; %s", left)
	case b.Settings.From != "":
		return diag.Hintedf(allow+" writes a sitemap without URLs",
			"the sitemaps that --from names list no URL, so the old sitemap stays")
	}
	return diag.Hintedf("is the site built, and is this its publish directory? --include selects other files, "+allow+" writes a sitemap without pages",
		"no page was found, so the old sitemap stays")
}

// collapseError returns the error for one cause that affects most of the site. A finding
// contains the details.
func collapseError(c site.Collapse) error {
	what := "would be missing from the sitemap"
	if c.Wrong {
		what = "would be listed at addresses that are not theirs"
	}
	return diag.Hintedf(c.Hint+"; if it is intended, --max-loss 100% writes the sitemap",
		"%d of %s %s, so the old sitemap stays", c.Pages, diag.Count(c.Of, "page"), what)
}
