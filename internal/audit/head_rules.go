package audit

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// A headChecker checks the heads of the listed pages of a site.
type headChecker struct {
	*HeadCollector
	links     linkChecker // checks the addresses that heads name
	answers   *explain.Answers
	pageLists *mapping.Rules // rules that match the URL paths of lists of other pages, such as tags

	listed []listedHead
	times  map[uint64]int              // number of listed pages with each title or description, by its hash
	shared map[mistakeKey]*headMistake // mistakes of one or more pages, found so far
	order  []*headMistake              // values of shared, in the order in which they were found
	body   []byte
	heads  page.Heads
}

// A listedHead is a page that the site lists, together with its head.
type listedHead struct {
	*pageHead
	page *site.Page
}

// A mistakeKey identifies a mistake that several pages may share, such as a duplicate title.
type mistakeKey struct {
	kind page.HeadKind
	id   uint64 // hash of the title or description; 0 for other kinds
	url  string // wrong URL; "" for a title or description
}

// A headMistake is a mistake in the heads of pages, with the pages that have it.
type headMistake struct {
	mistakeKey
	diag.Diagnostic
	on []int // indexes of the pages in headChecker.listed
}

// Check adds findings about mistakes in the heads of the pages that the site res lists. Rules in
// pageLists match the URL paths of lists of other pages, which need no description of their own.
func (c *HeadCollector) Check(ctx context.Context, res *site.Result, o *site.Options, pageLists *mapping.Rules, found *diag.Report) error {
	j := &headChecker{HeadCollector: c, answers: explain.New(res), pageLists: pageLists, times: map[uint64]int{}, shared: map[mistakeKey]*headMistake{}}
	j.links = linkChecker{LinkCollector: c.LinkCollector, res: res, o: o, found: found, problems: map[uint32]*linkProblem{}, unknown: findUnknownFolders(o.Pages.Dir)}
	for _, h := range c.heads() {
		if r := res.Page(h.file); r != nil && r.Listed() {
			j.listed = append(j.listed, listedHead{h, r})
			j.times[h.title]++
			j.times[h.description]++
		}
	}
	j.links.followTargets(ctx)
	if len(j.links.problems) > 0 {
		j.links.dropOtherRepositories(newSuggester(res))
	}
	usesCanonical := j.usesCanonical()
	for i := range j.listed {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		j.reportPageMistakes(ctx, i, usesCanonical)
		j.recordSharedMistakes(ctx, i)
	}
	j.reportSharedMistakes(ctx)
	return ctx.Err()
}

// usesCanonical reports whether more than half of the listed pages have a canonical link.
func (h *headChecker) usesCanonical() bool {
	n := 0
	for _, p := range h.listed {
		if p.hasCanonical {
			n++
		}
	}
	return 2*n > len(h.listed)
}

// isListOfPages reports whether the page p lists other pages, such as the posts with one tag or of
// one month. Only the rules in h.pageLists decide that.
func (h *headChecker) isListOfPages(p listedHead) bool {
	return h.pageLists.FirstMatch(h.links.res.World.URLPath(p.page)) >= 0
}

// reportPageMistakes reports the mistakes that concern only page i, such as a missing title or
// invalid JSON-LD. If usesCanonical is true, it also reports a missing canonical link.
func (h *headChecker) reportPageMistakes(ctx context.Context, i int, usesCanonical bool) {
	p := h.listed[i]
	if p.title == 0 {
		h.reportAtElement(ctx, i, page.HeadTag, "head-title", "write a title element into the head", "the head has no title")
	}
	if p.description == 0 && !h.isListOfPages(p) {
		h.reportAtElement(ctx, i, page.HeadTag, "head-description", `write <meta name="description" content="…">, which search results show`, "the head has no description")
	}
	if usesCanonical && !p.hasCanonical {
		h.reportAtElement(ctx, i, page.HeadTag, "head-canonical", "write it from the template of the other pages", "the head has no canonical link, and most other pages have one")
	}
	if !p.hasLang {
		h.reportAtElement(ctx, i, page.HeadHTML, "head-lang", `write <html lang="en">, or the page's own language`, "the html element has no lang")
	}
	switch p.h1 {
	case 0:
		h.reportAtElement(ctx, i, page.HeadTag, "head-h1", "write the page's heading as h1", "the page has no h1")
	case 2:
		h.reportAtElement(ctx, i, page.HeadH1, "head-h1", "keep the page's heading, and write the others as h2", "the page has more than one h1")
	}
	if p.badData != "" {
		h.reportAtElement(ctx, i, page.HeadData, "head-json-ld", "write valid JSON; quotes and line breaks within a text need a backslash", "the JSON-LD is not valid: "+p.badData)
	}
}

// reportAtElement adds a finding about page i, at an HTML element of the given kind. It reads the
// page again to find the line, but only if the report keeps the finding.
func (h *headChecker) reportAtElement(ctx context.Context, i int, element page.HeadKind, code, hint, message string) {
	r := h.listed[i].page
	pos := diag.Pos{File: h.links.displayName(h.listed[i].file)}
	d := diag.Warnf(pos, code, hint, "%s", message).About(r.Entry.Loc).Because(message)
	if element == page.HeadData {
		d.Severity = diag.Error
	}
	if h.links.found.CountIfFull(code, message, d.Severity, pos) {
		return
	}
	d.Pos, _ = h.locateMistake(ctx, i, mistakeKey{kind: element})
	d.Source = diag.Pos{File: h.links.res.World.ContentPos(r).File}
	h.links.found.Add(d)
}

// recordSharedMistakes records the mistakes of page i that other pages may have too, such as a
// title that is not unique. reportSharedMistakes reports them.
func (h *headChecker) recordSharedMistakes(ctx context.Context, i int) {
	p := h.listed[i]
	h.recordMistake(i, mistakeKey{page.HeadTitle, p.title, ""}, h.isDuplicate(p, p.title))
	h.recordMistake(i, mistakeKey{page.HeadDescription, p.description, ""}, h.isDuplicate(p, p.description))
	h.recordMistake(i, mistakeKey{page.HeadURL, 0, p.ogURL}, p.ogURL != "" && !h.hasCorrectOGURL(ctx, p))
	for _, id := range p.images {
		t := h.links.problems[id]
		h.recordMistake(i, mistakeKey{page.HeadImage, 0, h.locs[id]}, t != nil && t.Code != "redirected-link")
	}
	for _, id := range p.data {
		h.recordMistake(i, mistakeKey{page.HeadData, 0, h.locs[id]}, h.links.problems[id] != nil)
	}
}

// isDuplicate reports whether several listed pages have the title or description whose hash is
// textHash. It returns false if p is a list of other pages, or if textHash is 0.
func (h *headChecker) isDuplicate(p listedHead, textHash uint64) bool {
	return textHash != 0 && h.times[textHash] > 1 && !h.isListOfPages(p)
}

// recordMistake records that page i has the mistake with the given key. It does nothing if
// hasMistake is false.
func (h *headChecker) recordMistake(i int, key mistakeKey, hasMistake bool) {
	if !hasMistake {
		return
	}
	m := h.shared[key]
	if m == nil {
		m = &headMistake{mistakeKey: key}
		h.shared[key] = m
		h.order = append(h.order, m)
	}
	m.on = append(m.on, i)
}

// hasCorrectOGURL reports whether the og:url of p is a URL of p itself: its listed URL, or another
// URL at which the host serves the page. It accepts a URL of a local server, because sitewalk build
// reports that.
func (h *headChecker) hasCorrectOGURL(ctx context.Context, p listedHead) bool {
	if p.ogURL == p.page.Entry.Loc || mapping.IsLocalHost(p.ogURL) {
		return true
	}
	a := h.links.lenientAnswer(ctx, h.answers, p.ogURL)
	return a.Status == http.StatusOK && a.To == "" && a.File == h.links.displayName(p.file)
}

// reportSharedMistakes adds one finding for each mistake that recordSharedMistakes recorded, at the
// first page that has the mistake. It skips a duplicate title or description that was recorded for
// only one page.
func (h *headChecker) reportSharedMistakes(ctx context.Context) {
	for _, m := range h.order {
		isText := m.kind == page.HeadTitle || m.kind == page.HeadDescription
		if isText && len(m.on) == 1 || ctx.Err() != nil {
			continue
		}
		p := h.listed[m.on[0]]
		pos, text := h.locateMistake(ctx, m.on[0], m.mistakeKey)
		d := h.newSharedFinding(m, p, text)
		d.Pos, d.Anywhere = pos, true
		d.Source = diag.Pos{File: h.links.res.World.ContentPos(p.page).File}
		d.Message += formatMore(m.on[1:], func(i int) string { return h.links.displayName(h.listed[i].file) })
		addWithPlaces(h.links.found, d, m.on[1:], func(i int) diag.Pos { return diag.Pos{File: h.links.displayName(h.listed[i].file)} })
	}
}

// newSharedFinding returns the finding about the mistake m, without a position. p is the first page
// that has the mistake. text is the title or description that several pages share.
func (h *headChecker) newSharedFinding(m *headMistake, p listedHead, text string) diag.Diagnostic {
	var none diag.Pos
	switch m.kind {
	case page.HeadTitle:
		return diag.Warnf(none, "head-title", "give each page a title of its own", "pages share the title %q", text).About(text)
	case page.HeadDescription:
		return diag.Warnf(none, "head-description", "describe what each page alone contains", "pages share the description %q", text).About(text)
	case page.HeadURL:
		return diag.Warnf(none, "head-og-url", "write the page's own address", "og:url is %s, and the page's address is %s", m.url, p.page.Entry.Loc).About(m.url)
	}
	t := h.links.problems[h.ids[m.url]]
	d := diag.Errorf(none, "head-image", "name an image that the site has", "the image %s for previews %s", m.url, t.Message)
	if m.kind == page.HeadData {
		d = diag.Errorf(none, "head-json-ld", "write the address of the page that is served", "the JSON-LD names %s, which %s", m.url, t.Message)
		d.Severity = t.Severity
	}
	return d.About(m.url)
}

// locateMistake reads page i again and looks for the mistake with the given key. at is the position
// of the mistake, and text is the content of its element with single spaces. If the page has
// changed and no longer has the mistake, at is the beginning of the page, and text is "".
func (h *headChecker) locateMistake(ctx context.Context, i int, key mistakeKey) (at diag.Pos, text string) {
	p := h.listed[i]
	h.body, _ = h.links.o.Pages.Read(ctx, p.file, h.body)
	resolver := newResolver(h.bases, p.page.Facts.FileLoc)
	offset, h1s := 0, 0
	h.heads.Find(h.body, func(kind page.HeadKind, value []byte, at int) {
		is := false
		switch {
		case kind == page.HeadBase:
			resolver.setBaseHref(value)
		case kind != key.kind || offset > 0:
		case kind == page.HeadH1:
			h1s++
			is = h1s == 2
		case kind == page.HeadData && key.url == "":
			var syntax *json.SyntaxError
			_, err := page.AddressesInJSONLD(value)
			if is = err != nil; errors.As(err, &syntax) {
				at += min(int(syntax.Offset), len(value)) - 1
			}
		case kind == page.HeadData:
			addresses, _ := page.AddressesInJSONLD(value)
			for _, address := range addresses {
				loc, _, _ := resolver.resolve([]byte(address))
				if is = string(loc) == key.url; is {
					at += max(0, strings.Index(string(value), address))
					break
				}
			}
		case kind == page.HeadImage:
			loc, _, _ := resolver.resolve(value)
			is = string(loc) == key.url
		default:
			is = true
		}
		if is {
			offset, text = at, string(value)
		}
	})
	at = h.heads.Pos(offset)
	at.File = h.links.displayName(p.file)
	return at, strings.Join(strings.Fields(text), " ")
}
