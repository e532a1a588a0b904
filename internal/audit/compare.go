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

// The classes of changes, the gravest first. docs/guard.md explains them.
const (
	Lost       = "lost"            // was listed, and is neither served nor redirected
	BadlyMoved = "badly moved"     // redirected, but not as a page moves for good
	Hidden     = "hidden"          // still served, and out of the list
	Gone       = "gone on purpose" // lost or hidden, and meant to be
	Moved      = "moved"           // permanently redirected to a listed page, or served there too
	Added      = "added"
	Changed    = "changed"  // in content
	Redated    = "re-dated" // another date on the same content
)

// Classes are all classes in their order.
var Classes = []string{Lost, BadlyMoved, Hidden, Gone, Moved, Added, Changed, Redated}

// A datedURL is one URL of a list with what tells whether its page changed.
type datedURL struct {
	Loc         string
	LastMod     sitemap.Date
	Title       string
	Fingerprint string // of the content; "" is not known
	Vague       bool   // LastMod does not tell of the content: it is that of a file
	// Since is the day on which the content last changed, where a ledger knows it
	// and may have been written after the old list.
	Since sitemap.Date
}

// compareOptions say what to compare. Old and New are sorted by Loc, each URL once.
type compareOptions struct {
	Old, New []datedURL
	Site     *siteAnswers // that lists New; nil when New is only a list
	Max      int          // how many may be lost
	Foreign  bool         // another tool wrote Old; hidden and redirected pages in it are no loss

	// Purpose reports whether a URL is meant to be gone, by a glob and where that
	// stands.
	Purpose func(loc string) (glob string, pos diag.Pos, yes bool)
}

// siteAnswers answers for URLs that are no longer listed.
type siteAnswers struct {
	Answer  func(loc string) explain.Answer
	Aliases func(loc string) []string // listed URLs whose content names loc as their further address
	Fix     func(from, to string) (lines, file string)
}

// compareLists returns what became of each URL of the two lists.
func compareLists(o compareOptions) *report.Changes {
	c := &comparison{compareOptions: o, lost: map[string]*datedURL{}, out: &report.Changes{Was: len(o.Old), Is: len(o.New)}}
	var gone []int // of Old
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
			c.same(&o.Old[i], &o.New[j])
			i, j = i+1, j+1
		}
	}
	c.out.List = slices.Grow(c.out.List, len(c.added)+len(gone))
	for _, j := range c.added {
		c.add(report.Change{Class: Added, URL: o.New[j].Loc, Is: o.New[j].LastMod.String()})
	}
	for _, i := range gone {
		change := c.judge(&o.Old[i])
		if c.add(change); change.Class == Lost {
			c.lost[change.URL] = &o.Old[i]
		}
	}
	c.offer()
	c.limit()
	slices.SortStableFunc(c.out.List, func(a, b report.Change) int {
		return cmp.Or(cmp.Compare(rank(a.Class), rank(b.Class)), cmp.Compare(a.URL, b.URL))
	})
	return c.out
}

func rank(class string) int { return slices.Index(Classes, class) }

type comparison struct {
	compareOptions
	out   *report.Changes
	lost  map[string]*datedURL // of Old
	added []int                // of New
}

// compare orders URL i of the old list and j of the new one; what is behind the
// end of its list comes last.
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

// same judges a URL that is in both lists. Its content changed when its
// fingerprint did, or, where that is not known, when the page says a later date. A
// build between the two lists makes the ledger's fingerprints equal; then the day
// tells that it remembers.
func (c *comparison) same(old, now *datedURL) {
	both := old.Fingerprint != "" && now.Fingerprint != ""
	change := report.Change{URL: now.Loc, Was: old.LastMod.String(), Is: now.LastMod.String()}
	switch {
	case both && old.Fingerprint != now.Fingerprint:
		change.Class, change.Reason, change.Content = Changed, "its visible content is another", now.Fingerprint
	case both && now.changedAfter(old.LastMod):
		change.Class, change.Reason, change.Content = Changed, "its visible content is another since "+now.Since.String(), now.Fingerprint
	case sameDate(old.LastMod, now.LastMod) || old.LastMod.IsZero():
		c.out.Same++
		return
	case !both && !now.Vague && later(now.LastMod, old.LastMod):
		change.Class, change.Reason = Changed, "its date is later"
	default:
		change.Class = Redated
	}
	c.add(change)
}

// changedAfter reports whether a ledger saw the content change after the day that
// the old list names. Where that names none, the day has to be the ledger's own.
func (u *datedURL) changedAfter(old sitemap.Date) bool {
	if old.IsZero() {
		return !u.Since.IsZero() && sameDate(u.Since, u.LastMod)
	}
	return later(u.LastMod, old) && later(u.Since, old.DayOnly())
}

// sameDate reports whether two dates may be one: the day alone where one of them
// has no more.
func sameDate(a, b sitemap.Date) bool {
	if a.IsZero() || b.IsZero() {
		return a.IsZero() && b.IsZero()
	}
	if a.Precision() == sitemap.Day || b.Precision() == sitemap.Day {
		return a.DayOnly() == b.DayOnly()
	}
	return a.Time().Equal(b.Time())
}

func later(a, b sitemap.Date) bool { return !a.IsZero() && a.Compare(b) > 0 }

// judge says what became of a URL that is not listed any longer.
func (c *comparison) judge(old *datedURL) report.Change {
	change := report.Change{URL: old.Loc, Was: old.LastMod.String(), Level: diag.Error}
	if c.Site == nil {
		change.Class, change.Reason = Lost, "the new list does not name it"
	} else {
		t := c.follow(old.Loc)
		t.tell(&change)
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

// limit counts what is lost, and makes warnings of errors that may be.
func (c *comparison) limit() {
	for i := range c.out.List {
		if c.out.List[i].Level == diag.Error {
			c.out.Lost++
		}
	}
	c.out.Max = c.Max
	if c.out.Lost > c.out.Max {
		return
	}
	for i := range c.out.List {
		c.out.List[i].Level = min(c.out.List[i].Level, diag.Warning)
	}
}
