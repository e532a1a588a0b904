package audit

import (
	"encoding/json"
	"errors"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// A headCollector collects titles, descriptions and other elements from the heads of pages, while
// the pages are read.
type headCollector struct {
	bases []mapping.Base // base URLs of all parts, the site itself first

	mu    sync.Mutex
	pages []*pageHead
}

// A pageHead contains the elements of one page that Report checks.
type pageHead struct {
	file         string // path in the publish directory
	scope        string // language and version of the page; pages with different scopes may have the same title
	hasCanonical bool   // the page has a canonical link
	elements     []headElement

	page   *site.Page // set by Report
	isList bool       // the page lists other pages; set by Report
}

// A headElement is an element that Report checks: the html or head element, an element in the head,
// an address in JSON-LD, or an h1.
type headElement struct {
	kind      page.HeadKind
	line, col int32
	isInvalid bool // the element is JSON-LD with a syntax error
	// text is the text of a title or description, the URL in og:url, og:image, twitter:image or
	// JSON-LD, or the message of a syntax error. It is "" for the other kinds.
	text string
}

// CollectPage stores the elements of one page that Report checks, most of them from the head.
func (c *headCollector) CollectPage(b facts.Body) {
	var heads page.Heads
	p := &pageHead{file: b.File, scope: languageAndVersionFolders(b.File)}
	resolver := newResolver(c.bases, b.Loc)
	add := func(kind page.HeadKind, offset int, text string) {
		pos := heads.Pos(offset)
		p.elements = append(p.elements, headElement{kind: kind, line: int32(pos.Line), col: int32(pos.Col), text: text})
	}
	addURL := func(kind page.HeadKind, offset int, address string) {
		loc, _, ok := resolver.resolve([]byte(address))
		if ok && string(loc) != b.Loc && !slices.ContainsFunc(p.elements, func(e headElement) bool { return e.kind == kind && e.text == string(loc) }) {
			add(kind, offset, string(loc))
		}
	}
	heads.Find(b.Src, func(kind page.HeadKind, value []byte, offset int) {
		switch kind {
		case page.HeadLang:
			p.scope += string(value)
			add(kind, offset, "")
		case page.HeadCanonical:
			p.hasCanonical = true
		case page.HeadBase:
			resolver.setBaseHref(value)
		case page.HeadHTML, page.HeadTag, page.HeadTitle, page.HeadDescription, page.HeadH1:
			if kind == page.HeadH1 && p.count(kind) < 2 || p.count(kind) == 0 {
				add(kind, offset, strings.Join(strings.Fields(string(value)), " "))
			}
		case page.HeadOGURL:
			if to, err := c.bases[0].Resolve(string(value), b.Loc, ""); err == nil && p.count(kind) == 0 {
				for _, base := range c.bases {
					to = base.WithOwnScheme(to)
				}
				add(kind, offset, to)
			}
		case page.HeadImage:
			addURL(kind, offset, string(value))
		case page.HeadJSONLD:
			addresses, err := page.AddressesInJSONLD(value)
			if err != nil {
				var syntax *json.SyntaxError
				if errors.As(err, &syntax) {
					offset += min(int(syntax.Offset), len(value)) - 1
				}
				add(kind, offset, err.Error())
				p.elements[len(p.elements)-1].isInvalid = true
			}
			for _, address := range addresses {
				addURL(kind, offset+max(0, strings.Index(string(value), address)), address)
			}
		}
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pages = append(c.pages, p)
}

// count returns the number of elements of the given kind.
func (p *pageHead) count(kind page.HeadKind) (n int) {
	for i := range p.elements {
		if p.elements[i].kind == kind {
			n++
		}
	}
	return n
}

// languageFolder matches the folder of a language at the beginning of a path, such as "de/" or
// "pt-br/".
var languageFolder = regexp.MustCompile(`(?i)^[a-z]{2}(?:[-_][a-z]{2,4})?/`)

// languageAndVersionFolders returns the folders of a language or version in the path of a file,
// joined to one string: "de//v2/" for "de/docs/v2/a.html". Pages with different results may have
// the same title, because they are translations or versions of one page.
func languageAndVersionFolders(file string) string {
	folders := languageFolder.FindString(file)
	for name := range strings.SplitSeq(path.Dir(file), "/") {
		if site.IsVersionName(name) {
			folders += "/" + name + "/"
		}
	}
	return folders
}
