package audit

import (
	"bytes"
	"context"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/page"
)

// scriptState matches a fragment that scripts interpret: parameters as in "#q=lakes&page=2", or
// lines of source code as in "#12-34" and "#L12-L34".
var scriptState = regexp.MustCompile(`(?i)^#([\w.-]+(=|%3d)|L?\d+-L?\d+$)`)

// namesElement reports whether a fragment such as "#intro" refers to an element of the page. It
// returns false for text fragments, for "#top", and for fragments that scripts interpret, such as
// "#!/about".
// See https://html.spec.whatwg.org/multipage/browsing-the-web.html#find-a-potential-indicated-element.
func namesElement(fragment []byte) bool {
	if len(fragment) < 2 || bytes.Contains(fragment, []byte(":~:")) || scriptState.Match(fragment) {
		return false
	}
	return !strings.ContainsRune("/!?", rune(fragment[1])) && !strings.EqualFold(string(fragment[1:]), "top")
}

// minRoutes is the minimum number of missing fragments on a page for which deadFragments assumes
// that a script interprets them. Such fragments are called routes.
const minRoutes = 5

// deadFragments returns those of the fragments, such as "#intro", that refer to no element of a
// page. The result is sorted. anchors contains the names of the page's elements, and src is its
// HTML. Even if fragments are missing, deadFragments returns nil in two cases:
//
//   - The page includes other files, which may contain the elements.
//   - The missing fragments are probably routes: at least minRoutes and at least nine in ten
//     fragments are missing, and the page has a script.
func deadFragments(fragments []string, anchors map[string]bool, src []byte) []string {
	slices.Sort(fragments)
	fragments = slices.Compact(fragments)
	var dead []string
	for _, f := range fragments {
		decoded, err := url.PathUnescape(f[1:])
		if !anchors[f[1:]] && (err != nil || !anchors[decoded]) {
			dead = append(dead, f)
		}
	}
	if bytes.Contains(src, []byte("<!--#include")) || len(dead) >= minRoutes && 10*len(dead) >= 9*len(fragments) && bytes.Contains(src, []byte("<script")) {
		return nil
	}
	return dead
}

// checkFragments records a problem for each target whose fragment refers to no element of the
// linked page. It reads the linked pages again. For links from a page to itself, readPage has
// already found the missing fragments.
func (l *linkChecker) checkFragments(ctx context.Context) {
	byPage := map[int32][]string{}
	for id, loc := range l.locs {
		pageLoc, _, ok := strings.Cut(loc, "#")
		if !ok {
			continue
		}
		if pageLoc == "" {
			l.addLinkProblem(uint32(id), newDeadFragment())
		} else if base, ok := l.ids[pageLoc]; ok && l.endPages[base] != noPage {
			byPage[l.endPages[base]] = append(byPage[l.endPages[base]], loc)
		}
	}
	pages := slices.Sorted(maps.Keys(byPage))
	files.ParallelWorkers(ctx, len(pages), func() func(i int) {
		refs := page.Refs{Anchors: true}
		var body []byte
		return func(i int) {
			body, _ = l.o.Pages.Read(ctx, l.pages[pages[i]].file, body)
			anchors := map[string]bool{}
			refs.Find(body, func(r page.Ref) {
				if r.Kind == page.RefAnchor {
					anchors[string(r.Value)] = true
				}
			})
			l.checkFragmentsOf(byPage[pages[i]], anchors, body)
		}
	})
}

// newDeadFragment returns the finding about a link whose fragment does not exist in the linked
// page.
func newDeadFragment() diag.Diagnostic {
	return diag.Warnf(diag.Pos{}, "dead-fragment", "fix the link, or give the place its id back", "names a place that the page does not have")
}

// checkFragmentsOf records a problem for each URL in locs whose fragment is missing. locs are
// linked URLs with a fragment that lead to one page. anchors contains the names of the page's
// elements, and body is its HTML.
func (l *linkChecker) checkFragmentsOf(locs []string, anchors map[string]bool, body []byte) {
	var fragments []string
	for _, loc := range locs {
		fragments = append(fragments, loc[strings.IndexByte(loc, '#'):])
	}
	dead := deadFragments(fragments, anchors, body)
	for _, loc := range locs {
		if _, ok := slices.BinarySearch(dead, loc[strings.IndexByte(loc, '#'):]); ok {
			l.addLinkProblem(l.ids[loc], newDeadFragment())
		}
	}
}
