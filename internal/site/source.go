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

// Needs is a set of facts that a date source needs. sitewalk does not read facts that no configured
// source needs.
type Needs uint8

const (
	NeedsHTML   Needs = 1 << iota // dates in built pages, and which of them are times of builds
	NeedsGit                      // history of the files without a date from an earlier source
	NeedsLedger                   // ledger, and fingerprints of pages
	NeedsMTime                    // modification times of built pages
)

// A Source is a source of dates for pages, such as front matter or git.
type Source struct {
	Name     string // name in the setting lastmod, such as "git"
	Needs    Needs
	IsByHand bool   // a person writes the date, so it is used even if nearly all pages have it
	SameHint string // advice if the source gives nearly all pages the same day
	find     func(*dateFinder, *Page) answer
}

// Sources lists the date sources in their default order.
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
		Name: SourceHTML, find: htmlDate, Needs: NeedsHTML,
		SameHint: "the generator's template seems to print the time of the build; let it print the date of the page, or leave html out of lastmod",
	},
	{
		Name: SourceGit, find: gitDate, Needs: NeedsGit,
		SameHint: "one commit touched all sources (an import or a reformat); a ledger dates by content instead",
	},
	{
		Name: SourceLedger, find: ledgerDate, Needs: NeedsLedger,
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
		Name: SourceMTime, find: mtimeDate, Needs: NeedsMTime,
		SameHint: "a copy or a checkout seems to have written the files; leave mtime out of lastmod",
	},
}

// SourceNames returns the names of all sources in their default order.
func SourceNames() []string {
	names := make([]string, len(Sources))
	for i, s := range Sources {
		names[i] = s.Name
	}
	return names
}

// SourcesNeeding returns the names of those sources that need at least one of the facts in needs.
// It skips unknown names.
func SourcesNeeding(needs Needs, names []string) (out []string) {
	for _, s := range sourcesByName(names) {
		if s.Needs&needs != 0 {
			out = append(out, s.Name)
		}
	}
	return out
}

// AnySourceNeeds reports whether at least one of the named sources needs at least one of the facts
// in needs.
func AnySourceNeeds(needs Needs, names ...string) bool { return firstSourceNeeding(needs, names) >= 0 }

// firstSourceNeeding returns the index of the first element of names whose source needs at least
// one of the facts in needs, or -1.
func firstSourceNeeding(needs Needs, names []string) (index int) {
	return slices.IndexFunc(names, func(name string) bool {
		return slices.ContainsFunc(Sources, func(s Source) bool { return s.Name == name && s.Needs&needs != 0 })
	})
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
	html, mtime := firstSourceNeeding(NeedsHTML, o.LastMod), firstSourceNeeding(NeedsMTime, o.LastMod)
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
