package site

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/git"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/sitemap"
)

// An Extra is a URL in the setting extra. It has no file.
type Extra struct {
	URL sitemap.URL // Loc as written: absolute, or a path below the base URL
	Pos diag.Pos    // position in the configuration
}

// Options describe the site and the requested result. If Pages is nil, the pages are derived from
// the content tree.
type Options struct {
	facts.Options

	Mapping generator.Mapping // maps content files to the page files that the generator writes

	Overrides    StyleOverrides  // which fields of Style the user set
	Hosting      *hosting.Host   // predicts the answers of the host; nil means hosting.Unknown
	SiteHostings []*hosting.Host // predict the answers of the hosts of Sites, in the same order

	Languages []Language // language folders; pages without alternates get alternates from them

	Rules    *mapping.Rules
	Defaults sitemap.URL
	Extra    []Extra
	From     []*SitemapEntry // entries of another tool's sitemap; if not nil, page files without an entry are left out

	Git          GitOptions
	Ledger       *ledger.Ledger // ledger of the last build; nil means none
	LedgerUpdate ledger.UpdateOptions
	ObeyRobots   bool

	Versions VersionChoice // the versions of the site that are listed

	LastMod   []string          // names of date sources, highest priority first
	WhyUnused map[string]string // reason not to use a source of LastMod, by the name of the source

	Zone *time.Location // time zone of dates without a zone; nil means UTC
	Now  time.Time      // the present time; Relate uses it to find scheduled and expired pages
}

// FactsOptions returns the options for reading the facts of the site. They request modification
// times only for pages that the source mtime may have to date.
func (o *Options) FactsOptions() facts.Options {
	html, mtime := slices.Index(o.LastMod, SourceHTML), slices.Index(o.LastMod, SourceMTime)
	out := o.Options
	switch {
	case o.WhyUnused[SourceMTime] != "" || mtime < 0:
		out.MTimes = facts.NoMTimes
	case 0 <= html && html < mtime:
		out.MTimes = facts.MTimesOfUndated
	default:
		out.MTimes = facts.AllMTimes
	}
	return out
}

// A Language is a folder of pages in one language. Pages with the same path in different language
// folders are translations of each other.
type Language struct {
	Dir      string   // path below the publish directory; "" means the rest of the site
	Code     string   // BCP 47 tag, "pt-BR"
	XDefault bool     // the pages are also the alternates for readers of all other languages (x-default)
	Pos      diag.Pos // position in the configuration; zero if the generator's settings name the folder
}

// GitOptions configure the dates from git.
type GitOptions struct {
	Committer  bool   // use the committer date instead of the author date
	DeepenHint string // advice on fetching the whole history, as in git.Options

	Known *git.Dates // dates that git gave earlier, for unchanged files; may be nil
}

// A MaxLoss is the maximum number, or percentage, of a site's URLs that may be missing from the
// sitemap. The zero MaxLoss means that the user set no maximum; Limit then returns a default.
type MaxLoss struct {
	isSet   bool
	n       int
	percent float64
}

// ParseMaxLoss parses a number of URLs, such as "0" or "25", or a percentage, such as "2.5%". It
// returns an error for other text, for negative numbers, and for more than 100 %.
func ParseMaxLoss(s string) (MaxLoss, error) {
	if number, ok := strings.CutSuffix(s, "%"); ok {
		p, err := strconv.ParseFloat(number, 64)
		if err != nil || !(p >= 0 && p <= 100) {
			return MaxLoss{}, fmt.Errorf("%q is not a percentage from 0%% to 100%%", s)
		}
		return MaxLoss{isSet: true, percent: p}, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return MaxLoss{}, fmt.Errorf("%q is neither a number of URLs nor a percentage such as 5%%", s)
	}
	return MaxLoss{isSet: true, n: n}, nil
}

// Limit returns how many of urlCount URLs may be missing. A percentage is rounded down. Limit
// returns defaultLimit for the zero MaxLoss.
func (m MaxLoss) Limit(urlCount, defaultLimit int) int {
	switch {
	case !m.isSet:
		return defaultLimit
	case m.percent > 0:
		return int(m.percent * float64(urlCount) / 100)
	}
	return m.n
}

// AllowsAll reports whether m is 100 %, so that all URLs of the site may be missing.
func (m MaxLoss) AllowsAll() bool { return m.percent == 100 }
