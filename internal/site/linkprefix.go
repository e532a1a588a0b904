package site

import (
	"context"
	"net/http"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// A linkPrefix is a folder such as "/project/" with which most links of the home page begin,
// although the site has no such folder. The base URL then probably lacks the folder.
type linkPrefix struct {
	folder    string // "" if there is no such folder
	links, of int    // number of links with the folder, and number of all links of the home page
}

// minPrefixed is the minimum number of links of the home page that reveal a missing folder in the
// base URL.
const minPrefixed = 3

// findLinkPrefix sets w.linkPrefix if most links of the home page begin with a folder that the base
// URL seems to lack. It reads the home page only if the base URL has no path and the home page has
// no canonical link.
func (w *World) findLinkPrefix(ctx context.Context) error {
	part := &w.Parts[0]
	i, ok := findPageFacts(w.pages, "index.html")
	if !ok || part.Base.Prefix() != "/" {
		return nil
	}
	home := w.pages[i]
	if home.OwnReason != page.Listed || home.CanonicalEnding != mapping.AnyEnding || home.Rest != nil && home.Rest.Canonical != "" {
		return nil
	}
	paths, err := w.Facts.LinkPaths(ctx, home)
	if err != nil {
		return err
	}
	counts := map[string]int{}
	for _, urlPath := range paths {
		if folder, _, ok := strings.Cut(urlPath[1:], "/"); ok && part.isServedOnlyWithoutFolder("/"+folder+"/", urlPath) {
			counts["/"+folder+"/"]++
		}
	}
	for folder, n := range counts {
		if n >= minPrefixed && 2*n > len(paths) && !w.hasFolder(folder) {
			w.linkPrefix = linkPrefix{folder, n, len(paths)}
		}
	}
	return nil
}

// isServedOnlyWithoutFolder reports whether the host serves nothing at urlPath, but would serve a
// page if folder were removed from urlPath. An example is urlPath "/project/a/" and folder
// "/project/", if there is only a page /a/. The base URL then probably lacks the folder.
func (part *Part) isServedOnlyWithoutFolder(folder, urlPath string) bool {
	v := part.Host.Answer(urlPath, part.Exists)
	return v.Status == http.StatusNotFound && v.Pos.File == "" && part.FileAt(urlPath, true) == "" && part.FileAt("/"+strings.TrimPrefix(urlPath, folder), false) != ""
}

// hasFolder reports whether a page file is in folder, such as "/project/".
func (w *World) hasFolder(folder string) bool {
	i, _ := findPageFacts(w.pages, folder[1:])
	return i < len(w.pages) && strings.HasPrefix(w.pages[i].File, folder[1:])
}

// addLinkPrefixProblem adds a problem if most links of the home page begin with a folder that the
// base URL lacks; see findLinkPrefix. It adds nothing if m.limit allows all pages to be missing.
func (m *massProblemFinder) addLinkPrefixProblem() {
	l := m.World.linkPrefix
	if l.folder == "" || m.of <= m.limit.Limit(m.of, 0) {
		return
	}
	fit := BaseFit{Base: strings.TrimSuffix(m.o.Base.String(), "/") + l.folder}
	home := m.Page("index.html")
	m.causes = append(m.causes, MassProblem{Pages: m.of, Of: m.of, WrongBase: true, Hint: baseFitHint(fit)})
	m.findings.Add(diag.Warnf(m.World.Pos(home), "canonical-base", baseFitHint(fit),
		"%d of %s begin with %s, a folder that the site lacks, and fit %s, but the base URL is %s",
		l.links, diag.Count(l.of, "link"), l.folder, fit.Base, m.o.Base).About(fit.Base))
}
