package audit

import (
	"hash/maphash"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/page"
)

// A HeadCollector collects the heads of pages while the pages are read. Its LinkCollector numbers
// the addresses that heads name.
type HeadCollector struct {
	*LinkCollector
	readers []*headReader // by worker number
	seed    maphash.Seed
}

// A pageHead contains the facts of one page's head that the rules need.
type pageHead struct {
	file               string
	title, description uint64   // hashes of the texts; 0 if missing
	ogURL              string   // resolved; "" if it is missing or the URL of the file
	images, data       []uint32 // targets within the site
	badData            string   // error of a JSON-LD script, or ""
	h1                 int      // number of headings of level 1, at most 2
	hasLang            bool
	hasCanonical       bool
}

// newHeadCollector returns a collector for the heads of a site.
func newHeadCollector(o LinkOptions, s *facts.Options) *HeadCollector {
	c := &HeadCollector{LinkCollector: newLinkCollector(o, s), seed: maphash.MakeSeed()}
	for _, targets := range c.LinkCollector.readers {
		c.readers = append(c.readers, &headReader{HeadCollector: c, targets: targets})
	}
	return c
}

// Page collects the head of a page. It has the type of facts.Options.Bodies.
func (c *HeadCollector) Page(worker int, b facts.Body) {
	if b.Loc != "" {
		c.readers[worker].readPage(b)
	}
}

// heads returns the heads of all pages, sorted by file.
func (c *HeadCollector) heads() []*pageHead {
	var all []*pageHead
	for _, r := range c.readers {
		all = append(all, r.pages...)
	}
	slices.SortFunc(all, func(a, b *pageHead) int { return strings.Compare(a.file, b.file) })
	return all
}

// A headReader reads the heads of pages on one goroutine.
type headReader struct {
	*HeadCollector
	heads   page.Heads
	targets *linkReader
	pages   []*pageHead
}

// readPage reads the head of one page.
func (r *headReader) readPage(b facts.Body) {
	p := &pageHead{file: b.File}
	resolver := newResolver(r.bases, b.Loc)
	scope := scopeOf(b.File)
	r.heads.Find(b.Src, func(kind page.HeadKind, value []byte, _ int) {
		switch kind {
		case page.HeadLang:
			p.hasLang = true
			scope += string(value)
		case page.HeadTitle:
			p.title = r.hash("title "+scope, value)
		case page.HeadDescription:
			p.description = r.hash(scope, value)
		case page.HeadCanonical:
			p.hasCanonical = true
		case page.HeadBase:
			resolver.setBase(value)
		case page.HeadURL:
			if p.ogURL == "" {
				p.ogURL = r.resolveURL(string(value), b.Loc)
			}
		case page.HeadImage:
			p.images = r.appendTarget(p.images, resolver, value)
		case page.HeadData:
			r.readData(p, resolver, value)
		case page.HeadH1:
			p.h1 = min(p.h1+1, 2)
		}
	})
	if p.ogURL == b.Loc {
		p.ogURL = ""
	}
	r.pages = append(r.pages, p)
}

// readData reads a JSON-LD script.
func (r *headReader) readData(p *pageHead, resolver *resolver, script []byte) {
	addresses, err := page.LinkedAddresses(script)
	if err != nil && p.badData == "" {
		p.badData = err.Error()
	}
	for _, address := range addresses {
		p.data = r.appendTarget(p.data, resolver, []byte(address))
	}
}

// appendTarget appends the number of an address, if the address is of the site and not of the
// page itself.
func (r *headReader) appendTarget(to []uint32, resolver *resolver, address []byte) []uint32 {
	loc, _, ok := resolver.resolve(address)
	if !ok || string(loc) == resolver.loc {
		return to
	}
	if id := r.targets.targetID(loc); !slices.Contains(to, id) {
		to = append(to, id)
	}
	return to
}

// resolveURL returns the address in an og:url, or "" if it is invalid.
func (c *HeadCollector) resolveURL(address, loc string) string {
	to, err := c.bases[0].Resolve(address, loc, "")
	if err != nil {
		return ""
	}
	for _, b := range c.bases {
		to = b.OwnScheme(to)
	}
	return to
}

// hash returns the hash of a text. It is never 0.
func (c *HeadCollector) hash(scope string, text []byte) uint64 {
	var h maphash.Hash
	h.SetSeed(c.seed)
	_, _ = h.WriteString(scope)
	_, _ = h.Write(text)
	return h.Sum64() | 1
}

// scopeFolder matches the folder of a language, or of a version of documentation.
var scopeFolder = regexp.MustCompile(`(?i)^[a-z]{2}(?:[-_][a-z]{2,4})?/|(?:^|/)(?:v[0-9][^/]*|[0-9]+\.[0-9x][^/]*|release-?[0-9][^/]*|` +
	`stable|latest|dev|devel|main|master|next|current|nightly|pre-release)/`)

// scopeOf returns the folders of the page's language and version. Translations and versions of a
// page may share its title.
func scopeOf(file string) string { return strings.Join(scopeFolder.FindAllString(file, -1), "") }
