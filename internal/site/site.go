// Package site decides which pages a sitemap lists, under which URL, with which date, and why.
//
// Relate finds relations between files, such as the content file of a page. Fold is pure: the same
// world at the same time gives the same result. Lint reports problems of the site as a whole.
package site

import (
	"fmt"
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

// An Extra is a configured URL without a file.
type Extra struct {
	URL sitemap.URL // Loc as written: absolute, or a path below the base URL
	Pos diag.Pos
}

// Options describe the site and the requested result. Without Pages, the content tree determines
// the pages.
type Options struct {
	facts.Options

	Mapping generator.Content // where the generator writes the page of a content file

	Overrides StyleOverrides  // what of the styles the user decided
	Host      *hosting.Site   // nil: hosting.Unknown
	Hosts     []*hosting.Site // of each of Sites

	Languages []Language // of a site that has no hreflang of its own

	Rules    *mapping.Rules
	Defaults sitemap.URL
	Extra    []Extra
	From     []*SitemapEntry // URLs that a sitemap of another tool names; if not nil, no others are pages

	Git          GitOptions
	Ledger       *ledger.Ledger // nil: no memory
	LedgerUpdate ledger.UpdateOptions
	ObeyRobots   bool

	Versions VersionChoice // which of the versions beside each other are listed

	Zone *time.Location // of dates without a zone; nil is UTC
	Now  time.Time
}

// A Language is a folder of pages in one language. Pages with the same path in different language
// folders are translations of each other.
type Language struct {
	Dir      string   // below the publish directory; "" is the rest of the site
	Code     string   // BCP 47
	XDefault bool     // its pages are for readers of no listed language
	Pos      diag.Pos // where the user wrote it; that a folder is empty which the generator names is no mistake
}

// GitOptions configure the dates from git.
type GitOptions struct {
	Committer bool   // the committer's date instead of the author's
	Deepen    string // as in git.Options

	Known *git.Answers // what git said before of files that did not change; nil: nothing
}

// A MaxLoss is the maximum number, or percentage, of a site's URLs that may be missing. The zero
// MaxLoss is the default.
type MaxLoss struct {
	isSet   bool
	n       int
	percent float64
}

// ParseMaxLoss parses "0", "25" or "2.5%".
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

// Limit returns the number of URLs that may be missing out of urls. usual is the default limit.
func (m MaxLoss) Limit(urls, usual int) int {
	switch {
	case !m.isSet:
		return usual
	case m.percent > 0:
		return int(m.percent * float64(urls) / 100)
	}
	return m.n
}

// All reports whether the whole site may be missing.
func (m MaxLoss) All() bool { return m.percent == 100 }
