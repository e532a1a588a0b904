package page

// A level says how surely an element holds a page's content. What stands in
// the highest level that holds any is the content; the rest is forgotten.
type level uint8

const (
	levelBody level = iota
	levelArticle
	levelMain
	levelIncluded // FingerprintOptions.Include
)

// A region is an open element that decides what its text is.
type region struct {
	name   string // in lower case
	flags  uint32
	depth  int // open elements of that name, the region's own included
	lists  int // open lists within a region whose end tag may be left out
	level  level
	kind   regionKind
	header bool // a header within the content
}

// maxRegions bounds what a tag costs: each is compared with all open regions. What
// is nested deeper counts as what is around it.
const maxRegions = 128

type regionKind uint8

const (
	holds   regionKind = iota // raises the level
	ignored                   // is not content
	foreign                   // SVG or MathML
)

// deciding are the attributes by which an element within words may be a region
// when no selector names it.
const deciding = 1<<attrHidden | 1<<attrAriaHidden | 1<<attrRole | 1<<attrClass | 1<<attrID

// enter opens the element whose start tag was read last.
func (r *Reader) enter(flags uint32) {
	if flags&isInline != 0 && !r.inlines && !r.selective && r.tag.has&deciding == 0 {
		return
	}
	name := r.name()
	if len(r.regions) > 0 {
		r.endLoose(flags, name, false)
		for i := range r.regions {
			if g := &r.regions[i]; g.flags == flags && !r.tag.closed && fold(name, g.name) {
				g.depth++
			}
			if flags&isList != 0 {
				r.regions[i].lists++
			}
		}
	}
	if len(r.regions) == maxRegions {
		return
	}
	if g, ok := r.regionOf(flags); ok {
		g.name, g.flags, g.depth = elementName(name), flags, 1
		r.regions = append(r.regions, g)
		r.place()
	}
}

// elementName returns name in lower case, the frequent ones without allocating.
func elementName(name []byte) string {
	for _, s := range regionNames {
		if fold(name, s) {
			return s
		}
	}
	return string(appendLower(nil, name))
}

var regionNames = [...]string{
	"a", "article", "aside", "dialog", "div", "footer", "form", "header", "li", "main", "math", "nav", "ol", "p",
	"section", "span", "svg", "table", "ul",
}

// leave closes the element whose end tag was read last, with those in it.
func (r *Reader) leave(flags uint32) {
	if len(r.regions) == 0 || flags&isInline != 0 && !r.inlines {
		return
	}
	name := r.name()
	r.endLoose(flags, name, true)
	closed := false
	for i := range r.regions {
		g := &r.regions[i]
		if flags&isList != 0 {
			g.lists--
		}
		if g.flags != flags || !fold(name, g.name) {
			continue
		}
		if g.depth--; g.depth == 0 {
			r.regions, closed = r.regions[:i], true
			break
		}
	}
	if flags == 0 && (fold(name, "body") || fold(name, "html")) {
		r.regions, closed = r.regions[:0], true
	}
	if closed {
		r.place()
	}
}

// endLoose closes the innermost region when it is an element whose end tag may
// be left out, as that of p, li or td, and the tag read last ends it: one of
// its kind, the end tag of the list around it, and for a p any block.
func (r *Reader) endLoose(flags uint32, name []byte, end bool) {
	g := &r.regions[len(r.regions)-1]
	if g.flags&isLoose == 0 || g.lists > 0 {
		return
	}
	switch {
	case g.name == "p":
		if flags&(isInline|isVoid) != 0 || end && fold(name, "p") {
			return
		}
	case end && flags&isList == 0, !end && flags&isLoose == 0, fold(name, "p"):
		return
	case end && fold(name, g.name):
		return
	}
	r.regions = r.regions[:len(r.regions)-1]
	r.place()
}

// regionOf returns the region that the element whose start tag was read last opens.
func (r *Reader) regionOf(flags uint32) (g region, ok bool) {
	switch {
	case r.tag.closed && flags&isForeign != 0:
		return g, false
	case r.matches(r.exclude):
		return region{kind: ignored}, true
	case len(r.include) > 0 && r.matches(r.include):
		return region{level: levelIncluded}, true
	case r.ignoring:
		return g, false
	case r.hidden() || flags&isAside != 0 && !r.isCallout():
		return region{kind: ignored}, true
	case flags&isForeign != 0:
		return region{kind: foreign}, true
	case flags&isMain != 0:
		return region{level: levelMain}, true
	case flags&isArticle != 0:
		return region{level: levelArticle}, true
	case flags&isHeader != 0:
		if r.level == levelBody {
			return region{kind: ignored}, true
		}
		return region{header: true}, true
	case flags&isPlain != 0:
		return r.plainRegion()
	}
	return g, false
}

// place sums up the open regions: whether text counts, and where.
func (r *Reader) place() {
	r.level, r.ignoring, r.inForeign, r.inHeader, r.inlines = levelBody, false, false, false, false
	for i := range r.regions {
		g := &r.regions[i]
		r.level = max(r.level, g.level)
		r.inHeader = r.inHeader || g.header
		r.inlines = r.inlines || g.flags&isInline != 0
		switch {
		case g.level == levelIncluded:
			r.ignoring = false
		case g.kind == ignored:
			r.ignoring = true
		case g.kind == foreign:
			r.inForeign = true
		}
	}
}

// hidden reports whether the tag read last hides its element.
func (r *Reader) hidden() bool {
	return r.has(attrHidden) || r.has(attrAriaHidden) && fold(r.attr(attrAriaHidden), "true")
}

// isCallout reports whether an aside is a note within the text: documentation
// generators mark up admonitions so.
func (r *Reader) isCallout() bool {
	if !fold(r.name(), "aside") {
		return false
	}
	if fold(r.attr(attrRole), "note") {
		return true
	}
	for w := range words(r.attr(attrClass)) {
		switch string(w) {
		case "admonition", "alert", "callout", "note", "notice", "starlight-aside", "tip", "warning":
			return true
		}
	}
	return false
}

// plainRegion returns the region that an element of no meaning of its own
// opens by its role, class or id.
func (r *Reader) plainRegion() (g region, ok bool) {
	if r.tag.has&(1<<attrRole|1<<attrClass|1<<attrID) == 0 {
		return g, false
	}
	if r.has(attrRole) {
		switch role := r.attr(attrRole); {
		case fold(role, "main"):
			return region{level: levelMain}, true
		case fold(role, "article"):
			return region{level: levelArticle}, true
		case fold(role, "navigation"), fold(role, "banner"), fold(role, "contentinfo"), fold(role, "search"),
			fold(role, "complementary"), fold(role, "dialog"):
			return region{kind: ignored}, true
		}
	}
	if isChrome(r.attr(attrID), r.level) {
		return region{kind: ignored}, true
	}
	for w := range words(r.attr(attrClass)) {
		if isChrome(w, r.level) {
			return region{kind: ignored}, true
		}
	}
	return g, false
}

// isChrome reports whether a class or an id is one by which themes name what
// stands around the content. Some of the names mean that only outside of it.
func isChrome(word []byte, at level) bool {
	switch string(word) {
	case "breadcrumb", "breadcrumbs", "navbar", "page-footer", "pager", "pagination", "post-nav", "post-navigation",
		"prev-next", "related", "related-posts", "site-footer", "site-header", "site-nav", "skip-link", "toc":
		return true
	case "footer", "header", "masthead", "menu", "nav", "navigation", "sidebar":
		return at == levelBody
	}
	return false
}
