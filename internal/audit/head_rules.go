package audit

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// A headChecker checks the heads of the listed pages of a site.
type headChecker struct {
	*CheckRun
	listed []*pageHead
	texts  map[string]int             // number of listed pages with each title or description, by textKey; lists of pages do not count
	broken map[string]diag.Diagnostic // finding about each broken URL in heads, by URL; see followTargets
}

// Report adds findings about mistakes in the heads of the listed pages.
func (c *headCollector) Report(ctx context.Context, run *CheckRun) error {
	h := &headChecker{CheckRun: run, texts: map[string]int{}}
	slices.SortFunc(c.pages, func(a, b *pageHead) int { return strings.Compare(a.file, b.file) })
	urls := map[string]bool{}
	numCanonical := 0
	for _, p := range c.pages {
		if p.page = h.Result.Page(p.file); p.page == nil || !p.page.Listed() {
			continue
		}
		p.isList = h.isListOfPages(p.page)
		h.listed = append(h.listed, p)
		if p.hasCanonical {
			numCanonical++
		}
		for _, e := range p.elements {
			switch {
			case e.kind == page.HeadImage, e.kind == page.HeadJSONLD && !e.isInvalid:
				urls[e.text] = true
			case e.isTitleOrDescription() && !p.isList:
				h.texts[p.textKey(e)]++
			}
		}
	}
	h.broken, _ = h.followTargets(ctx, slices.Collect(maps.Keys(urls)))
	if len(h.broken) > 0 {
		h.dropOtherRepositories(h.broken, h.newSuggester())
	}
	var shared []diag.Diagnostic
	for _, p := range h.listed {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		h.reportMissingElements(p, 2*numCanonical > len(h.listed))
		for _, e := range p.elements {
			switch d := h.withPosition(h.checkElement(ctx, p, e), p, e); {
			case d.Code == "":
			case e.isInvalid:
				h.Findings.Add(d)
			default:
				shared = append(shared, d)
			}
		}
	}
	addShared(h.Findings, shared)
	return ctx.Err()
}

// isTitleOrDescription reports whether e is a title or a description.
func (e *headElement) isTitleOrDescription() bool {
	return e.kind == page.HeadTitle || e.kind == page.HeadDescription
}

// textKey returns a key for e, a title or description of the page p. The key consists of the kind,
// the language, the version and the text. Two listed pages with the same key are a mistake, unless
// one is a list of pages.
func (p *pageHead) textKey(e headElement) string {
	return string(rune(e.kind)) + p.scope + "\n" + e.text
}

// isListOfPages reports whether the page p lists other pages, such as the posts with one tag or of
// one month. Only the URL path of p decides that.
func (c *CheckRun) isListOfPages(p *site.Page) bool {
	return c.Settings.Archives.FirstMatch(c.Result.World.URLPath(p)) >= 0
}

// withPosition returns d, a finding about the element e of the page p, with its position and its
// content file.
func (h *headChecker) withPosition(d diag.Diagnostic, p *pageHead, e headElement) diag.Diagnostic {
	d.Pos = diag.Pos{File: h.pageName(p.file), Line: int(e.line), Col: int(e.col)}
	d.Source = diag.Pos{File: h.Result.World.ContentPos(p.page).File}
	return d
}

// reportMissingElements reports elements that the page p lacks, and a second h1. It reports a
// missing canonical link only if needsCanonical is true.
func (h *headChecker) reportMissingElements(p *pageHead, needsCanonical bool) {
	if p.count(page.HeadTitle) == 0 {
		h.addWarning(p, page.HeadTag, "head-title", "write a title element into the head", "the head has no title")
	}
	if p.count(page.HeadDescription) == 0 && !p.isList {
		h.addWarning(p, page.HeadTag, "head-description", `write <meta name="description" content="…">, which search results show`, "the head has no description")
	}
	if needsCanonical && !p.hasCanonical {
		h.addWarning(p, page.HeadTag, "head-canonical", "write it from the template of the other pages", "the head has no canonical link, and most other pages have one")
	}
	if p.count(page.HeadLang) == 0 {
		h.addWarning(p, page.HeadHTML, "head-lang", `write <html lang="en">, or the page's own language`, "the html element has no lang")
	}
	switch p.count(page.HeadH1) {
	case 0:
		h.addWarning(p, page.HeadTag, "head-h1", "write the page's heading as h1", "the page has no h1")
	case 2:
		h.addWarning(p, page.HeadH1, "head-h1", "keep the page's heading, and write the others as h2", "the page has more than one h1")
	}
}

// addWarning adds a finding about the page p, at the last of its elements of the given kind. If p
// has no such element, the finding has no line.
func (h *headChecker) addWarning(p *pageHead, kind page.HeadKind, code, hint, message string) {
	at := headElement{}
	for _, e := range p.elements {
		if e.kind == kind {
			at = e
		}
	}
	d := diag.Warnf(diag.Pos{}, code, hint, "%s", message).About(p.page.Loc).Because(message)
	h.Findings.Add(h.withPosition(d, p, at))
}

// checkElement returns a finding about a mistake in the element e of the page p, without a
// position. If e is correct, the Code of the finding is "".
func (h *headChecker) checkElement(ctx context.Context, p *pageHead, e headElement) (d diag.Diagnostic) {
	isShared := e.isTitleOrDescription() && !p.isList && h.texts[p.textKey(e)] > 1
	wrong := h.broken[e.text]
	switch {
	case e.kind == page.HeadTitle && isShared:
		d = diag.Warnf(d.Pos, "head-title", "give each page a title of its own", "pages share the title %q", e.text)
	case e.kind == page.HeadDescription && isShared:
		d = diag.Warnf(d.Pos, "head-description", "describe what each page alone contains", "pages share the description %q", e.text)
	case e.kind == page.HeadOGURL && !h.isOwnURL(ctx, p, e.text):
		d = diag.Warnf(d.Pos, "head-og-url", "write the page's own address", "og:url is %s, and the page's address is %s", e.text, p.page.Loc)
	case e.isInvalid:
		d = diag.Errorf(d.Pos, "head-json-ld", "write valid JSON; quotes and line breaks within a text need a backslash", "the JSON-LD is not valid: %s", e.text)
		return d.About(p.page.Loc).Because(d.Message)
	case e.kind == page.HeadJSONLD && wrong.Code != "":
		d = diag.Warnf(d.Pos, "head-json-ld", "write the address of the page that is served", "the JSON-LD names %s, which %s", e.text, wrong.Message)
		d.Severity = wrong.Severity
	case e.kind == page.HeadImage && wrong.Code != "" && wrong.Code != "redirected-link":
		d = diag.Errorf(d.Pos, "head-image", "name an image that the site has", "the image %s for previews %s", e.text, wrong.Message)
	}
	return d.About(e.text)
}

// isOwnURL reports whether loc, the og:url of p, is a URL of p itself: its listed URL, or another
// URL at which the host serves the page. It accepts a URL of a local server, because sitewalk build
// reports that.
func (h *headChecker) isOwnURL(ctx context.Context, p *pageHead, loc string) bool {
	if loc == p.page.Loc || mapping.IsLocalHost(loc) {
		return true
	}
	a := h.lenientAnswer(ctx, loc)
	return a.Status == http.StatusOK && a.To == "" && a.File == h.pageName(p.file)
}
