package page

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/sitemap"
)

// linkedData collects the dateModified of the JSON-LD entities that may describe the page. It looks
// at the entities at the top, in lists, in @graph, in mainEntity and in mainEntityOfPage. It uses
// an entity only if it is marked as the main entity, or if its type is an article or a page; see
// rank. It ignores all other entities, such as an author.
// See https://schema.org/docs/datamodel.html
type linkedData struct {
	best [numRanks]struct { // by rank
		date         sitemap.Date
		contradicted bool // another entity of this rank has another date
	}
	hasDate bool
}

// A rank orders JSON-LD entities by the probability that they describe the page itself. The lowest
// rank is the most probable.
type rank uint8

const (
	rankMain    rank = iota // mainEntity or mainEntityOfPage marks the entity as the main one
	rankArticle             // the type is a kind of article
	rankPage                // the type is a kind of page
	numRanks
	rankNone = numRanks
)

// maxJSONScript is the maximum length of a JSON-LD script in bytes. Longer scripts are ignored.
const maxJSONScript = 4 << 20

// bestDate returns the date of the entities with the lowest rank that have a date; see rank. It
// skips a rank whose entities have different dates. In a list of articles, for example, no date
// belongs to the page. bestDate returns the zero date if no rank is left.
func (l *linkedData) bestDate() sitemap.Date {
	for _, b := range l.best {
		if !b.contradicted && !b.date.IsZero() {
			return b.date
		}
	}
	return sitemap.Date{}
}

// readJSONLD reads the dates of a JSON-LD script. text is the range of the script in the buffer.
// readJSONLD ignores invalid JSON, and reports invalid dates.
func (r *Reader) readJSONLD(text span) {
	script := r.bytes(text)
	if bytes.IndexByte(script, 0) >= 0 {
		script = replaceNUL(script)
	}
	if len(script) > maxJSONScript || !bytes.Contains(script, []byte("dateModified")) {
		return
	}
	r.entity = entity{}
	if bytes.HasPrefix(trimSpace(script), []byte("[")) {
		_ = json.Unmarshal(script, &r.entity.Graph)
	} else {
		_ = json.Unmarshal(script, &r.entity) // a property of another type stays empty
	}
	r.readEntity(&r.entity, false, text)
}

// An entity contains those properties of a JSON-LD entity that this package reads.
type entity struct {
	Type             any      `json:"@type"`
	DateModified     string   `json:"dateModified"`
	Graph            []entity `json:"@graph"`
	MainEntity       any      `json:"mainEntity"`       // an entity, a list of entities, or a URL
	MainEntityOfPage any      `json:"mainEntityOfPage"` // an entity, a list of entities, or a URL
}

// replaceNUL returns script with U+FFFD in place of each NUL byte, as the HTML standard requires.
func replaceNUL(script []byte) []byte { return bytes.ReplaceAll(script, []byte{0}, []byte("\uFFFD")) }

// readEntities reads the dates in v, an entity or a list of entities of the script in the range
// text. isMain is true if v is the value of mainEntity. An entity in a list is not the main entity.
func (r *Reader) readEntities(v any, isMain bool, text span) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			r.readEntities(item, false, text)
		}
	case map[string]any:
		date, _ := v["dateModified"].(string)
		r.readEntity(&entity{v["@type"], date, nil, v["mainEntity"], v["mainEntityOfPage"]}, isMain, text)
	}
}

// readEntity reads the date of the entity e, and the dates of the entities in its @graph,
// mainEntity and mainEntityOfPage. isMain is true if e is the mainEntity of another entity. e is
// also the main entity if it has a mainEntityOfPage. readEntity ignores the date of an entity with
// rankNone, even if the date is invalid. It reports any other invalid date at its position in the
// script, whose range is text.
func (r *Reader) readEntity(e *entity, isMain bool, text span) {
	for i := range e.Graph {
		r.readEntity(&e.Graph[i], false, text)
	}
	r.readEntities(e.MainEntity, true, text)
	r.readEntities(e.MainEntityOfPage, false, text)
	rank := rankOfType(e.Type)
	if isMain || e.MainEntityOfPage != nil {
		rank = rankMain
	}
	if e.DateModified == "" || rank == rankNone {
		return
	}
	date, err := sitemap.ParseDate(e.DateModified, r.o.Zone)
	if err != nil {
		offset := text.lo + max(0, bytes.Index(r.bytes(text), []byte(e.DateModified)))
		r.reportBadDate(offset, DateKeys[keyDateModified], e.DateModified)
		return
	}
	r.ld.recordDate(date, rank)
}

// recordDate records the date of an entity with the given rank. It also records whether another
// entity of the same rank has a different date.
func (l *linkedData) recordDate(date sitemap.Date, rank rank) {
	l.hasDate = true
	b := &l.best[rank]
	b.contradicted = b.contradicted || !b.date.IsZero() && b.date != date
	b.date = date
}

// articleTypes lists schema.org types of articles whose names end neither in Article nor in
// Posting.
var articleTypes = []string{
	"APIReference", "Book", "Chapter", "Course", "Dataset", "HowTo", "LearningResource", "Legislation", "Recipe",
	"Report", "Review", "SoftwareSourceCode", "Thesis",
}

// rankOfType returns the rank that a JSON-LD entity has because of its type. v is the value of its
// @type: a type such as "schema:NewsArticle", or a list of types. In a list, the best rank counts.
// rankOfType returns rankNone if no type is known.
func rankOfType(v any) rank {
	switch v := v.(type) {
	case []any:
		best := rankNone
		for _, item := range v {
			if name, ok := item.(string); ok {
				best = min(best, rankOfType(name))
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

// AddressesInJSONLD returns the addresses of pages, images and list items in a JSON-LD script: http
// and https URLs, and paths that begin with a slash. The properties of each object are in the order
// of their names. AddressesInJSONLD reads an @id only in item and mainEntityOfPage, because other
// identifiers need not be addresses. It returns an error if script is not valid JSON.
func AddressesInJSONLD(script []byte) ([]string, error) {
	var doc any
	if err := json.Unmarshal(script, &doc); err != nil {
		return nil, err
	}
	return appendAddresses(nil, "", doc), nil
}

// appendAddresses appends the addresses in the JSON-LD value v to dst. key is the key of v in its
// object; for the value of the whole script, key is "".
func appendAddresses(dst []string, key string, v any) []string {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			dst = appendAddresses(dst, key, item)
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			inner := k
			if k == "@id" && (key == "item" || key == "mainEntityOfPage") {
				inner = key
			}
			dst = appendAddresses(dst, inner, v[k])
		}
	case string:
		switch key {
		case "url", "image", "logo", "contentUrl", "thumbnailUrl", "item", "mainEntityOfPage":
			if strings.HasPrefix(v, "/") || strings.HasPrefix(v, "https://") || strings.HasPrefix(v, "http://") {
				dst = append(dst, v)
			}
		}
	}
	return dst
}
