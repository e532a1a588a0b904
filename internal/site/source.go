package site

import (
	"slices"

	"github.com/sitewalk/sitewalk/internal/facts"
)

// Names of the date sources in the setting lastmod. Some of these sources also set other fields of
// sitemap entries.
const (
	SourceRule        = "rule"
	SourceFrontMatter = "frontmatter"
	SourceHTML        = "html"
	SourceGit         = "git"
	SourceLedger      = "ledger"
	SourceSitemap     = "sitemap"
	SourceCreated     = "date"
	SourceMTime       = "mtime"
)

// A Source is a source of dates for pages, such as front matter or git.
type Source struct {
	Name     string // name in the setting lastmod, such as "git"
	IsByHand bool   // a person writes the date, so it is used even if nearly all pages have it
	SameHint string // advice if the source gives nearly all pages the same day
	find     func(*dater, *Page) sourceDate
}

// Sources lists all date sources in their usual order. Without the setting lastmod, sitewalk asks
// all of them in this order, unless the generator's configuration defines another order.
var Sources = []Source{
	{
		Name: SourceRule, find: ruleDate, IsByHand: true,
		SameHint: "one rule dates the whole site; give it a narrower match",
	},
	{
		Name: SourceFrontMatter, find: frontMatterDate, IsByHand: true,
		SameHint: "a template or an import seems to have written it; remove it from the files that did not change",
	},
	{
		Name: SourceHTML, find: htmlDate,
		SameHint: "the generator's template seems to print the time of the build; let it print the date of the page, or leave html out of lastmod",
	},
	{
		Name: SourceGit, find: gitDate,
		SameHint: "one commit touched all sources (an import or a reformat); a ledger dates by content instead",
	},
	{
		Name: SourceLedger, find: ledgerDate,
		SameHint: "the pages changed together, by a new template perhaps; add what changed to fingerprint.exclude",
	},
	{
		Name: SourceSitemap, find: sitemapDate,
		SameHint: "the sitemap that was read seems to print the time of its build; leave sitemap out of lastmod",
	},
	{
		Name: SourceCreated, find: creationDate, IsByHand: true,
		SameHint: "a template or an import seems to have written it; remove it from the files that did not change",
	},
	{
		Name: SourceMTime, find: mtimeDate,
		SameHint: "a copy or a checkout seems to have written the files; leave mtime out of lastmod",
	},
}

// SourceNames returns the names of all sources in the order of Sources.
func SourceNames() []string {
	names := make([]string, len(Sources))
	for i, s := range Sources {
		names[i] = s.Name
	}
	return names
}

// sourcesByName returns the sources with the given names, in the order of names. It skips unknown
// names.
func sourcesByName(names []string) []Source {
	var out []Source
	for _, name := range names {
		if i := slices.IndexFunc(Sources, func(s Source) bool { return s.Name == name }); i >= 0 {
			out = append(out, Sources[i])
		}
	}
	return out
}

// FactsOptions returns the options for reading the facts of the site. They request modification
// times only for pages that the source mtime may have to date.
func (o *Options) FactsOptions() facts.Options {
	html, mtime := slices.Index(o.LastMod, SourceHTML), slices.Index(o.LastMod, SourceMTime)
	out := o.Options
	switch {
	case o.QuietMTime != "" || mtime < 0:
		out.MTimes = facts.NoMTimes
	case 0 <= html && html < mtime:
		out.MTimes = facts.MTimesOfUndated
	default:
		out.MTimes = facts.AllMTimes
	}
	return out
}
