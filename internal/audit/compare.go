package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/sitemap"
)

// Classes of changes, the most serious first. docs/guard.md explains the classes.
const (
	Lost       = "lost"            // an old URL that is neither served nor redirected; without a site: any old URL that the new list lacks
	BadlyMoved = "badly moved"     // an old URL that redirects, but not by one permanent redirect to a listed page
	Hidden     = "hidden"          // an old URL that is still served, but is no longer listed
	Gone       = "gone on purpose" // an old URL that is removed intentionally: by diff.gone, status 410 or an expiry date
	Moved      = "moved"           // an old URL that redirects permanently to a listed page or another site, or whose page is listed at another URL
	Added      = "added"           // a URL that only the new list has
	Changed    = "changed"         // a URL in both lists whose content changed
	Redated    = "re-dated"        // a URL in both lists whose date changed, but not its content
)

// Classes lists all classes of changes, the most serious first.
var Classes = []string{Lost, BadlyMoved, Hidden, Gone, Moved, Added, Changed, Redated}

// A datedURL is one entry of a list that a diff compares. The fields after Loc help to find out
// whether the page has changed.
type datedURL struct {
	Loc         string
	LastMod     sitemap.Date
	Title       string
	Fingerprint string // hash of the visible content; "" if unknown
	Vague       bool   // LastMod is the time of a file, so a later date does not mean that the content changed
	// Since is the day of the last content change that the ledger recorded. Only
	// setLedgerFingerprints sets it.
	Since sitemap.Date
}

// compareOptions are the options of compareLists. Old and New must be sorted by URL and have no
// duplicates.
type compareOptions struct {
	Old, New []datedURL
	Site     *siteAnswers // the site that lists New; nil if New is a list without a site
	Max      int          // if there are at most Max errors, such as lost URLs, they become warnings
	Foreign  bool         // another tool wrote Old, so hidden and badly moved URLs are notes

	// IsGoneOnPurpose reports whether a rule of diff.gone matches the URL loc. It returns the glob
	// of the rule and its position in the configuration. If no rule matches, yes is false.
	IsGoneOnPurpose func(loc string) (glob string, pos diag.Pos, yes bool)
}

// A siteAnswers contains the functions with which compareLists looks up old URLs in the new site
// and suggests redirects.
type siteAnswers struct {
	// Answer returns what the site serves at loc.
	Answer  func(loc string) explain.Response
	Aliases func(loc string) []string // listed URLs whose content files name loc as an alias
	// RedirectLine returns text that redirects oldLoc to newLoc, and the file for the text. Both
	// results are "" if it finds no way to redirect oldLoc.
	RedirectLine func(oldLoc, newLoc string) (lines, file string)
	// ReadPages sets the titles and fingerprints of lost and added pages. If ReadPages is nil,
	// compareLists uses the titles and fingerprints in the lists.
	ReadPages func(lost, added []*datedURL)
}

// compareLists returns the changes between the old and the new list, sorted by class and URL.
func compareLists(o compareOptions) *report.Changes {
	c := &comparison{compareOptions: o, lost: map[string]*datedURL{}, out: &report.Changes{OldCount: len(o.Old), NewCount: len(o.New), List: []report.Change{}}}
	var gone []int // indexes in Old
	i, j := 0, 0
	for i < len(o.Old) || j < len(o.New) {
		switch order := c.compareAt(i, j); {
		case order < 0:
			gone = append(gone, i)
			i++
		case order > 0:
			c.added = append(c.added, j)
			j++
		default:
			c.compareEntries(&o.Old[i], &o.New[j])
			i, j = i+1, j+1
		}
	}
	c.out.List = slices.Grow(c.out.List, len(c.added)+len(gone))
	for _, j := range c.added {
		c.out.List = append(c.out.List, report.Change{Class: Added, URL: o.New[j].Loc, NewDate: o.New[j].LastMod.String()})
	}
	for _, i := range gone {
		change := c.classify(&o.Old[i])
		if c.out.List = append(c.out.List, change); change.Class == Lost {
			c.lost[change.URL] = &o.Old[i]
		}
	}
	c.suggestReplacements()
	c.applyMaxLoss()
	slices.SortStableFunc(c.out.List, func(a, b report.Change) int {
		return cmp.Or(cmp.Compare(classRank(a.Class), classRank(b.Class)), cmp.Compare(a.URL, b.URL))
	})
	return c.out
}

// classRank returns the position of a class in Classes: 0 for the most serious class.
func classRank(class string) int { return slices.Index(Classes, class) }

// A comparison is the state of one call of compareLists.
type comparison struct {
	compareOptions
	out   *report.Changes
	lost  map[string]*datedURL // entries of Old with the class Lost, by URL
	added []int                // indexes in New of the URLs that Old lacks
}

// compareAt compares the URL at index i of the old list with the URL at index j of the new list,
// and returns -1, 0 or 1 like cmp.Compare. An index after the end of its list compares as greater.
func (c *comparison) compareAt(i, j int) int {
	switch {
	case i == len(c.Old):
		return 1
	case j == len(c.New):
		return -1
	}
	return cmp.Compare(c.Old[i].Loc, c.New[j].Loc)
}

// compareEntries compares the old and the new entry of one URL, and adds a change with one of these
// classes:
//
//   - Changed, if both entries have fingerprints, and the fingerprints differ or hasChangedSince
//     reports a change.
//   - Changed, if an entry has no fingerprint and the new date is later than the old date, unless
//     the new date is only the time of a file.
//   - Redated, if the dates differ in any other way.
//
// If no fingerprint shows a change, and the old entry has no date or the dates are the same, it
// counts the URL as unchanged; see isSameDate.
func (c *comparison) compareEntries(old, now *datedURL) {
	both := old.Fingerprint != "" && now.Fingerprint != ""
	change := report.Change{URL: now.Loc, OldDate: old.LastMod.String(), NewDate: now.LastMod.String()}
	switch {
	case both && old.Fingerprint != now.Fingerprint:
		change.Class, change.Reason, change.Content = Changed, "its visible content differs", now.Fingerprint
	case both && now.hasChangedSince(old.LastMod):
		change.Class, change.Reason, change.Content = Changed, "its visible content changed since "+now.Since.String(), now.Fingerprint
	case isSameDate(old.LastMod, now.LastMod) || old.LastMod.IsZero():
		c.out.Unchanged++
		return
	case !both && !now.Vague && now.LastMod.Compare(old.LastMod) > 0:
		change.Class, change.Reason = Changed, "its date is later"
	default:
		change.Class = Redated
	}
	c.out.List = append(c.out.List, change)
}

// hasChangedSince reports whether the content has changed after old, the date in the old list. Both
// the new date and the day of the last change in the ledger must be later than old. If old is zero,
// the new date must be the day of the last change.
func (d *datedURL) hasChangedSince(old sitemap.Date) bool {
	if old.IsZero() {
		return !d.Since.IsZero() && isSameDate(d.Since, d.LastMod)
	}
	return d.LastMod.Compare(old) > 0 && d.Since.Compare(old.DayOnly()) > 0
}

// isSameDate reports whether two dates are equal. If one of them has no time, it compares only the
// days. Two zero dates are equal.
func isSameDate(a, b sitemap.Date) bool {
	if a.Precision() == sitemap.Day || b.Precision() == sitemap.Day {
		return a.DayOnly() == b.DayOnly()
	}
	return a.Compare(b) == 0
}

// classify finds out what became of old, an entry whose URL the new list does not contain. It
// returns the change with its class, severity and reason.
func (c *comparison) classify(old *datedURL) report.Change {
	change := report.Change{URL: old.Loc, OldDate: old.LastMod.String(), Level: diag.Error}
	if c.Site == nil {
		change.Class, change.Reason = Lost, "the new list does not name it"
	} else {
		t := newRedirectTrail(c.Site.Answer, old.Loc)
		t.fillOutcome(&change)
	}
	if c.Foreign && (change.Class == Hidden || change.Class == BadlyMoved) {
		change.Level = diag.Note
	}
	if change.Level != diag.Error || c.IsGoneOnPurpose == nil {
		return change
	}
	if glob, pos, yes := c.IsGoneOnPurpose(old.Loc); yes {
		change.Reason = strings.TrimSuffix(fmt.Sprintf("%q is in diff.gone; %s", glob, change.Reason), "; ")
		change.Class, change.Level, change.Pos = Gone, diag.Note, pos
	}
	return change
}

// applyMaxLoss stores the number of changes with the severity error in c.out.Lost. If that number
// is at most c.Max, applyMaxLoss turns these changes into warnings.
func (c *comparison) applyMaxLoss() {
	for i := range c.out.List {
		if c.out.List[i].Level == diag.Error {
			c.out.Lost++
		}
	}
	c.out.MaxLoss = c.Max
	if c.out.Lost > c.out.MaxLoss {
		return
	}
	for i := range c.out.List {
		c.out.List[i].Level = min(c.out.List[i].Level, diag.Warning)
	}
}
