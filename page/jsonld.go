package page

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/sitemap"
)

// linkedData collects dateModified from the JSON-LD entities of a page. It reads top-level
// entities, also in lists and in @graph, and the entities in mainEntity and mainEntityOfPage. It
// ignores other nested entities, such as an author or a comment.
// See https://schema.org/docs/datamodel.html
type linkedData struct {
	best [numRanks]struct {
		date         sitemap.Date
		contradicted bool // another entity of this rank has another date
	}
	hasDate bool
}

// A rank orders entities by the probability that they describe the page. The lowest value is the
// most probable.
type rank uint8

const (
	rankMain    rank = iota // mainEntity or mainEntityOfPage marks the entity as the main one
	rankArticle             // the type is a kind of article
	rankPage                // the type is a kind of page
	numRanks
	rankNone = numRanks
)

const maxJSONScript = 4 << 20

// date returns the date of the entity that most probably describes the page. If entities of one
// rank have different dates, they are ignored, because a list of articles has no date of its own.
func (l *linkedData) date() sitemap.Date {
	for _, b := range l.best {
		if !b.contradicted && !b.date.IsZero() {
			return b.date
		}
	}
	return sitemap.Date{}
}

// readJSONLD reads a JSON-LD script at a range of the buffer. It ignores invalid JSON.
func (r *Reader) readJSONLD(at span) {
	script := r.bytes(at)
	if bytes.IndexByte(script, 0) >= 0 {
		script = withoutNUL(script)
	}
	if len(script) > maxJSONScript || !bytes.Contains(script, []byte("dateModified")) {
		return
	}
	var e entity
	if bytes.HasPrefix(trim(script), []byte("[")) {
		_ = json.Unmarshal(script, &e.Graph)
	} else {
		_ = json.Unmarshal(script, &e) // a property of another type stays empty
	}
	for _, bad := range r.ld.readEntity(e, rankNone, r.parseDate) {
		r.reportBadDate(at.lo+max(0, bytes.Index(script, []byte(bad))), DateKeys[keyDateModified], bad)
	}
}

// An entity contains the known properties of a JSON-LD entity.
type entity struct {
	Type             any    `json:"@type"`
	DateModified     string `json:"dateModified"`
	Graph            any    `json:"@graph"`
	MainEntity       any    `json:"mainEntity"`
	MainEntityOfPage any    `json:"mainEntityOfPage"`
}

// withoutNUL returns script with U+FFFD instead of each NUL byte, as the HTML standard requires.
func withoutNUL(script []byte) []byte { return bytes.ReplaceAll(script, []byte{0}, []byte("\uFFFD")) }

// readEntities reads v, the value of a property: an entity or a list of entities. An entity has at
// least the rank atLeast; entities in a list have their own rank only. readEntities returns the
// dates that parse rejects.
func (l *linkedData) readEntities(v any, atLeast rank, parse func(string) (sitemap.Date, error)) (bad []string) {
	switch v := v.(type) {
	case []any:
		for _, item := range v { // an entity in a list is not the main entity
			bad = append(bad, l.readEntities(item, rankNone, parse)...)
		}
	case map[string]any:
		date, _ := v["dateModified"].(string)
		return l.readEntity(entity{v["@type"], date, v["@graph"], v["mainEntity"], v["mainEntityOfPage"]}, atLeast, parse)
	}
	return bad
}

// readEntity reads the entity e and the entities that its properties contain. e has at least the
// rank atLeast. readEntity returns the dates that parse rejects.
func (l *linkedData) readEntity(e entity, atLeast rank, parse func(string) (sitemap.Date, error)) (bad []string) {
	bad = append(bad, l.readEntities(e.Graph, rankNone, parse)...)
	bad = append(bad, l.readEntities(e.MainEntity, rankMain, parse)...)
	bad = append(bad, l.readEntities(e.MainEntityOfPage, rankNone, parse)...)
	rank := min(atLeast, findRank(e.Type))
	if e.MainEntityOfPage != nil {
		rank = rankMain
	}
	if e.DateModified == "" || rank == rankNone {
		return bad
	}
	date, err := parse(e.DateModified)
	if err != nil {
		return append(bad, e.DateModified)
	}
	l.recordDate(date, rank)
	return bad
}

// recordDate stores the date of an entity. It also notes whether an earlier entity of the same rank
// has another date.
func (l *linkedData) recordDate(date sitemap.Date, rank rank) {
	l.hasDate = true
	b := &l.best[rank]
	b.contradicted = b.contradicted || !b.date.IsZero() && b.date != date
	b.date = date
}

// articleTypes lists the schema.org types that rank as articles and whose names end in neither
// Article nor Posting.
var articleTypes = []string{
	"APIReference", "Book", "Chapter", "Course", "Dataset", "HowTo", "LearningResource", "Legislation", "Recipe",
	"Report", "Review", "SoftwareSourceCode", "Thesis",
}

// findRank returns the rank of an entity by v, the value of @type: a type such as
// "schema:NewsArticle", or a list of types, whose best rank counts.
func findRank(v any) rank {
	switch v := v.(type) {
	case []any:
		best := rankNone
		for _, item := range v {
			if name, ok := item.(string); ok {
				best = min(best, findRank(name))
			}
		}
		return best
	case string:
		name := v[strings.LastIndexAny(v, "/#:")+1:]
		switch {
		case strings.HasSuffix(name, "Article"), strings.HasSuffix(name, "Posting"), slices.Contains(articleTypes, name):
			return rankArticle
		case strings.HasSuffix(name, "Page"):
			return rankPage
		}
	}
	return rankNone
}

// addressKeys contains a part of each JSON-LD key whose value is an address.
var addressKeys = []string{"url", "Url", "image", "logo", "item", "mainEntityOfPage"}

// LinkedAddresses returns the addresses of pages, images and list items in a JSON-LD script. They
// are absolute URLs, or paths that begin with a slash. An @id counts only inside item and
// mainEntityOfPage, because other identifiers need not be addresses.
func LinkedAddresses(script []byte) ([]string, error) {
	if json.Valid(script) && !slices.ContainsFunc(addressKeys, func(key string) bool { return bytes.Contains(script, []byte(key)) }) {
		return nil, nil
	}
	var doc any
	if err := json.Unmarshal(script, &doc); err != nil {
		return nil, err
	}
	return appendAddresses(nil, "", doc), nil
}

// appendAddresses appends the addresses in v, the value of key, to the list to.
func appendAddresses(to []string, key string, v any) []string {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			to = appendAddresses(to, key, item)
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			inner := k
			if k == "@id" && (key == "item" || key == "mainEntityOfPage") {
				inner = key
			}
			to = appendAddresses(to, inner, v[k])
		}
	case string:
		switch key {
		case "url", "image", "logo", "contentUrl", "thumbnailUrl", "item", "mainEntityOfPage":
			if strings.HasPrefix(v, "/") || strings.HasPrefix(v, "https://") || strings.HasPrefix(v, "http://") {
				to = append(to, v)
			}
		}
	}
	return to
}
