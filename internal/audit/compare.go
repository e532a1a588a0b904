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
	Lost       = "lost"            // was listed, and is neither served nor redirected
	BadlyMoved = "badly moved"     // redirected, but not by one permanent redirect to a listed page
	Hidden     = "hidden"          // still served, but not listed
	Gone       = "gone on purpose" // lost or hidden, and meant to be
	Moved      = "moved"           // permanently redirected to a listed page, or also served at another URL
	Added      = "added"
	Changed    = "changed"  // the content changed
	Redated    = "re-dated" // another date, and the same content
)

// Classes lists all classes in order.
var Classes = []string{Lost, BadlyMoved, Hidden, Gone, Moved, Added, Changed, Redated}

// A datedURL is one URL of a list with the data that shows whether its page changed.
type datedURL struct {
	Loc         string
	LastMod     sitemap.Date
	Title       string
	Fingerprint string // fingerprint of the content; "" if unknown
	Vague       bool   // LastMod is the time of a file, so a later date does not mean other content
	// Since is the day when the content last changed, if the ledger may be newer than the old
	// list.
	Since sitemap.Date
}

// compareOptions configure compareLists. Old and New are sorted by Loc, without duplicates.
type compareOptions struct {
	Old, New []datedURL
	Site     *siteAnswers // the site that lists New; nil if New is only a list
	Max      int          // maximum number of lost URLs
	Foreign  bool         // another tool wrote Old; its hidden and redirected pages are not lost

	// Purpose reports whether a URL is removed on purpose, with the glob and its position in
	// the configuration.
	Purpose func(loc string) (glob string, pos diag.Pos, yes bool)
}

// siteAnswers answers questions about URLs that are no longer listed.
type siteAnswers struct {
	Answer  func(loc string) explain.Answer
	Aliases func(loc string) []string // listed URLs whose content files name loc as an alias
	Fix     func(from, to string) (lines, file string)
	// ReadPages, if not nil, sets the titles and fingerprints of lost and added pages.
	ReadPages func(lost, added []*datedURL)
}

// compareLists returns the changes between the two lists.
func compareLists(o compareOptions) *report.Changes {
	c := &comparison{compareOptions: o, lost: map[string]*datedURL{}, out: &report.Changes{OldCount: len(o.Old), NewCount: len(o.New)}}
	var gone []int // indexes in Old
	i, j := 0, 0
	for i < len(o.Old) || j < len(o.New) {
		switch order := c.compare(i, j); {
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
		c.add(report.Change{Class: Added, URL: o.New[j].Loc, NewDate: o.New[j].LastMod.String()})
	}
	for _, i := range gone {
		change := c.classify(&o.Old[i])
		if c.add(change); change.Class == Lost {
			c.lost[change.URL] = &o.Old[i]
		}
	}
	c.suggestReplacements()
	c.applyMaxLoss()
	slices.SortStableFunc(c.out.List, func(a, b report.Change) int {
		return cmp.Or(cmp.Compare(rank(a.Class), rank(b.Class)), cmp.Compare(a.URL, b.URL))
	})
	return c.out
}

func rank(class string) int { return slices.Index(Classes, class) }

type comparison struct {
	compareOptions
	out   *report.Changes
	lost  map[string]*datedURL // entries of Old
	added []int                // indexes in New
}

// compare compares the URL at index i of the old list with the URL at index j of the new list.
// An index after the end of its list compares last.
func (c *comparison) compare(i, j int) int {
	switch {
	case i == len(c.Old):
		return 1
	case j == len(c.New):
		return -1
	}
	return cmp.Compare(c.Old[i].Loc, c.New[j].Loc)
}

func (c *comparison) add(change report.Change) { c.out.List = append(c.out.List, change) }

// compareEntries compares the two entries of a URL in both lists. The content has changed if the
// fingerprints differ. Without fingerprints, a later date counts as a change. If the ledger was
// written after the old list, its fingerprints are equal, and its day decides.
func (c *comparison) compareEntries(old, now *datedURL) {
	both := old.Fingerprint != "" && now.Fingerprint != ""
	change := report.Change{URL: now.Loc, OldDate: old.LastMod.String(), NewDate: now.LastMod.String()}
	switch {
	case both && old.Fingerprint != now.Fingerprint:
		change.Class, change.Reason, change.Content = Changed, "its visible content is another", now.Fingerprint
	case both && now.changedAfter(old.LastMod):
		change.Class, change.Reason, change.Content = Changed, "its visible content is another since "+now.Since.String(), now.Fingerprint
	case sameDate(old.LastMod, now.LastMod) || old.LastMod.IsZero():
		c.out.Unchanged++
		return
	case !both && !now.Vague && isLater(now.LastMod, old.LastMod):
		change.Class, change.Reason = Changed, "its date is later"
	default:
		change.Class = Redated
	}
	c.add(change)
}

// changedAfter reports whether the ledger recorded a content change after the date in the old
// list. If the old list has no date, the new date must be the ledger's day.
func (u *datedURL) changedAfter(old sitemap.Date) bool {
	if old.IsZero() {
		return !u.Since.IsZero() && sameDate(u.Since, u.LastMod)
	}
	return isLater(u.LastMod, old) && isLater(u.Since, old.DayOnly())
}

// sameDate reports whether two dates may be equal. It compares only the days if one date has no
// time.
func sameDate(a, b sitemap.Date) bool {
	if a.IsZero() || b.IsZero() {
		return a.IsZero() && b.IsZero()
	}
	if a.Precision() == sitemap.Day || b.Precision() == sitemap.Day {
		return a.DayOnly() == b.DayOnly()
	}
	return a.Time().Equal(b.Time())
}

func isLater(a, b sitemap.Date) bool { return !a.IsZero() && a.Compare(b) > 0 }

// classify returns the change for a URL that is no longer listed.
func (c *comparison) classify(old *datedURL) report.Change {
	change := report.Change{URL: old.Loc, OldDate: old.LastMod.String(), Level: diag.Error}
	if c.Site == nil {
		change.Class, change.Reason = Lost, "the new list does not name it"
	} else {
		t := follow(c.Site.Answer, old.Loc)
		t.fillOutcome(&change)
	}
	if c.Foreign && (change.Class == Hidden || change.Class == BadlyMoved) {
		change.Level = diag.Note
	}
	if change.Level != diag.Error || c.Purpose == nil {
		return change
	}
	if glob, pos, yes := c.Purpose(old.Loc); yes {
		change.Reason = strings.TrimSuffix(fmt.Sprintf("%q is in diff.gone; %s", glob, change.Reason), "; ")
		change.Class, change.Level, change.Pos = Gone, diag.Note, pos
	}
	return change
}

// applyMaxLoss counts lost URLs, and turns errors into warnings if their number is permitted.
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
