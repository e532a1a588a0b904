package page

import (
	"bytes"
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/sitemap"
)

// linkedData collects the dateModified of the entities that a page's JSON-LD
// describes. Only those at the top count, in a list or in @graph, and what they
// name as mainEntity or mainEntityOfPage; not the author, a comment, or a page
// that is listed or linked. https://schema.org/docs/datamodel.html
type linkedData struct {
	zone *time.Location
	best [numRanks]struct {
		date sitemap.Date
		torn bool // two entities of this rank disagree
	}
	said bool                       // some entity has a date
	from int                        // where the script at hand begins
	bad  func(at int, value string) // is told each dateModified that is no date, and where it stands
}

// A rank says how likely an entity is what its page is about.
type rank uint8

const (
	rankMain    rank = iota // it says so, by mainEntityOfPage, or the page does, by mainEntity
	rankArticle             // a kind of writing
	rankPage                // the page itself
	numRanks
	rankNone = numRanks
)

const (
	maxJSONDepth  = 64
	maxJSONScript = 4 << 20
)

// date returns the date of the best entity. Where two equally good ones
// disagree, neither counts: a list of articles has no date of its own.
func (l *linkedData) date() sitemap.Date {
	for _, b := range l.best {
		if !b.torn && !b.date.IsZero() {
			return b.date
		}
	}
	return sitemap.Date{}
}

var dateModified = []byte(`dateModified`)

// read takes in one script, which begins at an offset. What is not JSON is read as far as
// it is.
func (l *linkedData) read(script []byte, from int) {
	if l.from = from; len(script) <= maxJSONScript && bytes.Contains(script, dateModified) {
		l.top(&jsonWalker{b: script}, rankNone, 0)
	}
}

// top reads an entity, or a list of them. An entity ranks at least as high as
// atLeast.
func (l *linkedData) top(w *jsonWalker, atLeast rank, depth int) {
	switch {
	case depth > maxJSONDepth:
		w.fail()
	case w.peek() == '[':
		for w.element() {
			l.top(w, rankNone, depth+1) // of several none is the main one by its place
		}
	case w.peek() == '{':
		l.entity(w, atLeast, depth)
	default:
		w.skip()
	}
}

// entity reads one entity with those it names as the page's main one.
func (l *linkedData) entity(w *jsonWalker, rank rank, depth int) {
	var modified span
	for {
		key, ok := w.member()
		if !ok {
			break
		}
		switch string(key) {
		case "dateModified":
			if s, ok := w.str(); ok {
				modified = s
			}
		case "@type":
			rank = min(rank, rankOf(w))
		case "@graph":
			l.top(w, rankNone, depth+1)
		case "mainEntity":
			l.top(w, rankMain, depth+1)
		case "mainEntityOfPage":
			rank = rankMain
			l.top(w, rankNone, depth+1)
		default:
			w.skip()
		}
	}
	if rank < numRanks && modified.hi > modified.lo {
		l.take(w, rank, modified)
	}
}

// take takes in the date of an entity.
func (l *linkedData) take(w *jsonWalker, rank rank, s span) {
	d, err := sitemap.ParseDate(string(w.bytes(s)), l.zone)
	if err != nil {
		l.bad(l.from+s.lo, w.unescape(s))
		return
	}
	l.said = true
	b := &l.best[rank]
	b.torn = b.torn || !b.date.IsZero() && b.date != d
	b.date = d
}

// rankOf reads the value of @type: a name or a list of names.
func rankOf(w *jsonWalker) rank {
	if w.peek() != '[' {
		s, _ := w.str()
		return rankOfType(w.b[s.lo:s.hi])
	}
	best := rankNone
	for w.element() {
		s, _ := w.str()
		best = min(best, rankOfType(w.b[s.lo:s.hi]))
	}
	return best
}

// writings are the types of writing whose names end neither with Article nor
// with Posting.
var writings = []string{
	"APIReference", "Book", "Chapter", "Course", "Dataset", "HowTo", "LearningResource", "Legislation", "Recipe",
	"Report", "Review", "SoftwareSourceCode", "Thesis",
}

// rankOfType returns the rank of a schema.org type, with or without a prefix.
func rankOfType(name []byte) rank {
	name = name[bytes.LastIndexAny(name, "/#:")+1:]
	switch {
	case bytes.HasSuffix(name, []byte("Article")), bytes.HasSuffix(name, []byte("Posting")),
		slices.Contains(writings, string(name)):
		return rankArticle
	case bytes.HasSuffix(name, []byte("Page")):
		return rankPage
	}
	return rankNone
}
