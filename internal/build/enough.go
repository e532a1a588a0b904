package build

import (
	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/lint"
)

// Enough refuses to publish a sitemap of nothing, and one from which a single
// cause keeps most of the site.
func (b *Build) Enough() error {
	// URLs without a file count only where the configuration asks for nothing else.
	pages := b.Result.Paired + b.Result.Unpaired
	if s := b.Settings; s.From != "" || s.Site.Pages == nil && s.Site.Content == nil {
		pages = len(b.Result.List)
	}
	if pages == 0 && !b.o.AllowEmpty && !b.Settings.MaxLoss.All() {
		return b.nothing()
	}
	if cs := b.Collapses; len(cs) > 0 {
		return collapseError(cs[0])
	}
	return nil
}

// nothing returns the error about a site without a page.
func (b *Build) nothing() error {
	left := LeftOut(b.Result)
	switch {
	case left != "":
		hint := "sitewalk explain FILE says why a page is out"
		if cs := b.Collapses; len(cs) > 0 {
			hint = cs[0].Hint
		}
		return diag.Hintedf(hint+"; --allow-empty writes a sitemap without pages",
			"no page is in, so the old sitemap stays; %s", left)
	case b.Settings.From != "":
		return diag.Hintedf("--allow-empty writes a sitemap without URLs",
			"the sitemaps that --from names list no URL, so the old sitemap stays")
	}
	return diag.Hintedf("is the site built, and is this its publish directory? --include selects other files, --allow-empty writes a sitemap without pages",
		"no page was found, so the old sitemap stays")
}

// collapseError returns the error about one cause that holds for most of the
// site. A finding tells the details.
func collapseError(c lint.Collapse) error {
	what := "would be missing from the sitemap"
	if c.Wrong {
		what = "would be listed at addresses that are not theirs"
	}
	return diag.Hintedf(c.Hint+"; if it is intended, --max-loss 100% writes the sitemap",
		"%d of %s %s, so the old sitemap stays", c.Pages, diag.Count(c.Of, "page"), what)
}
