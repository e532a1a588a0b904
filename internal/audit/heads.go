package audit

import (
	"hash/maphash"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/page"
)

// A HeadCollector collects the titles, descriptions and other facts from the heads of pages, while
// the pages are read. Its LinkCollector assigns a number to each URL in these heads.
type HeadCollector struct {
	*LinkCollector
	readers []*headReader // one for each goroutine that reads pages
	seed    maphash.Seed
}

// A pageHead contains the facts about the head of one page that headChecker needs.
type pageHead struct {
	file               string // path in the publish directory
	title, description uint64 // hashes of the texts; 0 if the page has none
	ogURL              string // absolute URL in og:url; "" if it is missing, invalid or the URL of the page's file
	// images and data are the numbers that the LinkCollector assigned to the URLs in og:image and
	// in JSON-LD. URLs of other sites are left out.
	images, data []uint32
	badData      string // first error in a JSON-LD script; "" if all scripts are valid
	h1           int    // number of h1 elements; 2 means two or more
	hasLang      bool   // the html element has a lang attribute
	hasCanonical bool   // the page has a canonical link
}

// newHeadCollector returns a collector for the pages of the site with the options s.
func newHeadCollector(o LinkOptions, s *facts.Options) *HeadCollector {
	c := &HeadCollector{LinkCollector: newLinkCollector(o, s), seed: maphash.MakeSeed()}
	for _, targets := range c.LinkCollector.readers {
		c.readers = append(c.readers, &headReader{HeadCollector: c, targets: targets})
	}
	return c
}

// CollectPage stores facts about the head of one page. worker is the number of the calling
// goroutine. CollectPage can be used as facts.Options.Bodies.
func (c *HeadCollector) CollectPage(worker int, b facts.Body) {
	if b.Loc != "" {
		c.readers[worker].readPage(b)
	}
}

// heads returns the heads of all pages, sorted by file. Call heads after the last page.
func (c *HeadCollector) heads() []*pageHead {
	var all []*pageHead
	for _, r := range c.readers {
		all = append(all, r.pages...)
	}
	slices.SortFunc(all, func(a, b *pageHead) int { return strings.Compare(a.file, b.file) })
	return all
}

// A headReader reads the heads of pages. Each goroutine has its own headReader.
type headReader struct {
	*HeadCollector
	heads   page.Heads
	targets *linkReader
	pages   []*pageHead
}

// readPage appends the head of one page to h.pages.
func (h *headReader) readPage(b facts.Body) {
	p := &pageHead{file: b.File}
	resolver := newResolver(h.bases, b.Loc)
	scope := languageAndVersionFolders(b.File)
	h.heads.Find(b.Src, func(kind page.HeadKind, value []byte, _ int) {
		switch kind {
		case page.HeadLang:
			p.hasLang = true
			scope += string(value)
		case page.HeadTitle:
			p.title = h.hashText("title "+scope, value)
		case page.HeadDescription:
			p.description = h.hashText(scope, value)
		case page.HeadCanonical:
			p.hasCanonical = true
		case page.HeadBase:
			resolver.setBaseHref(value)
		case page.HeadURL:
			if p.ogURL == "" {
				p.ogURL = h.resolveOGURL(string(value), b.Loc)
			}
		case page.HeadImage:
			p.images = h.appendTarget(p.images, resolver, value)
		case page.HeadData:
			h.readJSONLD(p, resolver, value)
		case page.HeadH1:
			p.h1 = min(p.h1+1, 2)
		}
	})
	if p.ogURL == b.Loc {
		p.ogURL = ""
	}
	h.pages = append(h.pages, p)
}

// readJSONLD adds the numbers of the URLs in a JSON-LD script to p.data. For invalid JSON it sets
// p.badData.
func (h *headReader) readJSONLD(p *pageHead, resolver *resolver, script []byte) {
	addresses, err := page.AddressesInJSONLD(script)
	if err != nil && p.badData == "" {
		p.badData = err.Error()
	}
	for _, address := range addresses {
		p.data = h.appendTarget(p.data, resolver, []byte(address))
	}
}

// appendTarget resolves address, the text of a URL in the head, and appends the number of the URL
// to ids. It skips URLs of other sites, the URL of the page itself, and URLs whose number is
// already in ids.
func (h *headReader) appendTarget(ids []uint32, resolver *resolver, address []byte) []uint32 {
	loc, _, ok := resolver.resolve(address)
	if !ok || string(loc) == resolver.loc {
		return ids
	}
	if id := h.targets.targetID(loc); !slices.Contains(ids, id) {
		ids = append(ids, id)
	}
	return ids
}

// resolveOGURL resolves address, the og:url of the page at loc, to an absolute URL. A URL of the
// site gets the scheme of the site. The result is "" if address is invalid.
func (c *HeadCollector) resolveOGURL(address, loc string) string {
	to, err := c.bases[0].Resolve(address, loc, "")
	if err != nil {
		return ""
	}
	for _, b := range c.bases {
		to = b.WithOwnScheme(to)
	}
	return to
}

// hashText returns a hash of text and scope. Two texts count as duplicates only if their scopes are
// equal. The scope contains the language and version of the page, and for titles the word "title".
// The result is never 0.
func (c *HeadCollector) hashText(scope string, text []byte) uint64 {
	var h maphash.Hash
	h.SetSeed(c.seed)
	_, _ = h.WriteString(scope)
	_, _ = h.Write(text)
	return h.Sum64() | 1
}

// languageFolder matches the folder of a language at the beginning of a path, such as "de/" or
// "pt-br/".
var languageFolder = regexp.MustCompile(`(?i)^[a-z]{2}(?:[-_][a-z]{2,4})?/`)

// versionFolder matches the folder of a version of documentation, such as "/v2/", "/1.4/" or
// "/latest/".
var versionFolder = regexp.MustCompile(`(?i)/(?:v[0-9][^/]*|[0-9]+\.[0-9x][^/]*|release-?[0-9][^/]*|` +
	`stable|latest|dev|devel|main|master|next|current|nightly|pre-release)/`)

// languageAndVersionFolders returns the folders of a language or version in the path of a file,
// joined to one string: "de//v2/" for "de/docs/v2/a.html". Pages with different results may have
// the same title, because they are translations or versions of one page.
func languageAndVersionFolders(file string) string {
	return languageFolder.FindString(file) + strings.Join(versionFolder.FindAllString("/"+file, -1), "")
}
