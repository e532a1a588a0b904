// Package site folds everything known of a site into the entries of its
// sitemap: which pages are listed, under which URL, with which date, and why.
//
// Relate finds what several files say together, such as the content file of a page. Fold
// is pure: the same world at the same time gives the same result. Lint reports what is
// wrong with the site as a whole.
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

// An Extra is a URL that no file stands for.
type Extra struct {
	URL sitemap.URL // Loc as written: absolute, or a path below the base URL
	Pos diag.Pos
}

// Options say what a site is: what is read of it, and what is made of that. A nil
// Pages makes the content tree the list.
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

// A Language is a folder of pages in one language; the folders of a site hold
// translations of each other under the same names.
type Language struct {
	Dir      string   // below the publish directory; "" is the rest of the site
	Code     string   // BCP 47
	XDefault bool     // its pages are for readers of no listed language
	Pos      diag.Pos // where the user wrote it; that a folder is empty which the generator names is no mistake
}

// GitOptions say how git is asked for dates.
type GitOptions struct {
	Committer bool   // the committer's date instead of the author's
	Deepen    string // as in git.Options

	Known *git.Answers // what git said before of files that did not change; nil: nothing
}

// A MaxLoss is how much of a site may be missing: so many URLs, or so many of a
// hundred. The zero MaxLoss is the default.
type MaxLoss struct {
	said    bool
	n       int
	percent float64
}

// ParseMaxLoss reads "0", "25" or "2.5%".
func ParseMaxLoss(s string) (MaxLoss, error) {
	if number, ok := strings.CutSuffix(s, "%"); ok {
		p, err := strconv.ParseFloat(number, 64)
		if err != nil || !(p >= 0 && p <= 100) {
			return MaxLoss{}, fmt.Errorf("%q is not a percentage from 0%% to 100%%", s)
		}
		return MaxLoss{said: true, percent: p}, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return MaxLoss{}, fmt.Errorf("%q is neither a number of URLs nor a percentage such as 5%%", s)
	}
	return MaxLoss{said: true, n: n}, nil
}

// Of returns how many of so many URLs may be missing; by default, so many as
// usual.
func (m MaxLoss) Of(urls, usual int) int {
	switch {
	case !m.said:
		return usual
	case m.percent > 0:
		return int(m.percent * float64(urls) / 100)
	}
	return m.n
}

// All reports whether the whole site may be missing.
func (m MaxLoss) All() bool { return m.percent == 100 }
