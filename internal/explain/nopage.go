package explain

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/sitewalk/sitewalk/walker"
)

// explainExcludedFile explains why a file in the pages tree does not count as a page, for example
// because of pages.exclude. It returns false if the filter of the tree selects the file, or if the
// file does not exist.
func (s *Explainer) explainExcludedFile(ctx context.Context, e *Explanation, file string) (isExcluded bool) {
	in, glob := s.o.Pages.Filter.Decide(file)
	if in || !s.isFile(ctx, s.o.Pages, file) {
		return false
	}
	e.File = s.o.Pages.DisplayName(file)
	html, _ := walker.NewFilter(nil, nil)
	switch {
	case glob != "":
		e.Known, e.Exclusion = true, site.Exclusion{Reason: page.Excluded, Text: glob}
	case html.Match(file):
		e.How = "pages.include does not name it"
	default:
		e.How = "a sitemap lists web pages, and " + path.Base(file) + " is not a web page; pages.include can name it"
	}
	return true
}

// explainUnreadFile explains file, a file in the content tree that sitewalk does not read, because
// it is a program or has an unknown format. If the generator has built a page from the file, it
// explains the page. It returns false if the file does not exist.
func (s *Explainer) explainUnreadFile(ctx context.Context, e *Explanation, file string) (exists bool) {
	if !s.isFile(ctx, s.o.Content, file) {
		return false
	}
	src := s.o.Content.DisplayName(file)
	reason, _, why := s.World.Mapping.GeneratorSkipReason(file, &page.Facts{})
	no := reason == page.NotRendered
	out, note, ok := s.World.Mapping.OutputFile(file, &page.Facts{})
	var made *site.Page
	if ok {
		made = s.pageAtPath(path.Clean(strings.TrimSuffix(out, "index.html")))
	}
	switch {
	case made != nil && made.Content == nil:
		s.explainPage(ctx, e, made)
		e.Source, e.Pairing = src, "sitewalk does not read this format, so the file gives no date"
	case made != nil || ok && !generator.HasPageExt(file):
		e.File, e.How = src, "the generator makes no page from this file alone"
	case !ok && !no:
		e.Known, e.Source, e.How = true, src, note
	case !no && s.o.Pages == nil:
		e.Known, e.Source, e.How = true, src, "sitewalk does not read this format; without a built site, the page of the file is unknown"
	default:
		if !no {
			why = "the generator did not build " + s.o.Pages.DisplayName(out)
		}
		e.Known, e.Source = true, src
		e.Exclusion = site.Exclusion{Reason: page.NotRendered, Pos: diag.Pos{File: src}, Text: why}
	}
	return true
}

// explainUnbuiltContentFile explains why the generator built no page from the content file src.
func (s *Explainer) explainUnbuiltContentFile(e *Explanation, src *site.ContentFile) {
	pos := diag.Pos{File: s.o.Content.DisplayName(src.File)}
	e.Known, e.Source = true, pos.File
	e.Exclusion = site.Exclusion{Reason: page.NotRendered, Pos: pos}
	if v := s.ContentExclusion(src); v != nil {
		e.Exclusion = *v
	}
	if src.Output == "" {
		if e.Exclusion.Text == "" && e.Exclusion.Reason == page.NotRendered {
			e.Exclusion, e.How = site.Exclusion{}, src.Note
		}
		return
	}
	e.Unbuilt = s.o.Pages.DisplayName(src.Output)
	index, below := s.World.Facts.Parts.FindByFile(src.Output)
	_, e.URL, _ = s.World.Parts[index].Base.FileURL(s.World.Parts[index].Style, below)
}

// explainTooNew sets the text of e.Exclusion to "newer than the build …" if the content file src is
// newer than all built pages. e explains that the generator built no page from src. If e already
// contains a more specific reason, explainTooNew does nothing.
func (s *Explainer) explainTooNew(ctx context.Context, e *Explanation, src *site.ContentFile) {
	if s.o.Pages == nil || e.Exclusion.Reason != page.NotRendered || e.Exclusion.Text != "" {
		return
	}
	written := s.o.Content.ModTime(ctx, src.File)
	for p := range s.FilePages() {
		if s.o.Pages.ModTime(ctx, p.File()) >= written {
			return
		}
	}
	e.Exclusion.Text = "newer than the build in " + cmp.Or(s.o.Pages.Name, ".") + ": build again"
}

// explainURLWithoutPage explains e.URL, a URL that no page has. If the URL is not on a host of the
// site, it names the host. If a rule of the host redirects the URL or answers it with an error, it
// names the rule. Otherwise, it suggests similar pages. part and urlPath are the part and the path
// of the URL.
func (s *Explainer) explainURLWithoutPage(e *Explanation, part *site.Part, urlPath string) {
	if s.World.PartOnHost(e.URL) == nil {
		e.How = "it is on " + sitemap.HostOf(e.URL) + ", and the site is on " + part.Base.Host()
		return
	}
	if v, ok := part.Hosting.OverridingRule(urlPath, part.Exists); ok && urlPath != "" {
		e.Exclusion, e.How = *site.HostExclusion(v), "it redirects to another address"
		if v.To == "" {
			e.How = fmt.Sprintf("the host answers it with status %d", v.Status)
		}
		return
	}
	e.Similar, e.Next = s.similarURLs(urlPath), "if another page replaces it, redirect it; sitewalk diff prints the line if it finds the new page"
}

// maxSimilar is the maximum number of pages that similarURLs returns for an unknown URL.
const maxSimilar = 5

// similarURLs returns up to maxSimilar URLs of pages that are below urlPath, or whose last path
// segment is similar to the last segment of urlPath. The most similar URL is first.
func (s *Explainer) similarURLs(urlPath string) (locs []string) {
	type similar struct {
		loc      string
		distance int
	}
	want := mapping.SpellingKey(urlPath)
	var all []similar
	for p := range s.FilePages() {
		have := mapping.SpellingKey(p.Facts.Path)
		isBelow := want != "" && strings.HasPrefix(have, want+"/")
		if p.Loc != "" && (isBelow || isSimilar(path.Base(want), path.Base(have))) {
			all = append(all, similar{p.Loc, strict.EditDistance(want, have, len(want)+len(have))})
		}
	}
	slices.SortStableFunc(all, func(a, b similar) int { return cmp.Compare(a.distance, b.distance) })
	for _, n := range all[:min(len(all), maxSimilar)] {
		locs = append(locs, n.loc)
	}
	return locs
}

// isSimilar reports whether the edit distance of the names a and b is at most a third of the length
// of the longer name.
func isSimilar(a, b string) bool {
	most := max(len(a), len(b)) / 3
	return strict.EditDistance(a, b, most) <= most
}

// MatchesURLLoosely reports whether loc equals the URL of e except for case, slash or ".html".
func (e *Explanation) MatchesURLLoosely(loc string) bool {
	return mapping.SpellingKey(e.URL) == mapping.SpellingKey(loc)
}
