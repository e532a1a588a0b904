package audit

import (
	"bytes"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
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

// anchors contains the names in a page to which fragments may refer. hasIncludes and hasScript tell
// whether the page may have further names.
type anchors struct {
	names       []string // names of elements, sorted
	hasIncludes bool     // the page includes other files
	hasScript   bool
}

// deadFragments returns the fragments that refer to no element of the page, sorted and without
// duplicates. Each fragment begins with "#", as in "#intro". deadFragments sorts the slice
// fragments in place. It returns nil in two cases, even if fragments are missing:
//
//   - The page includes other files, which may contain the elements.
//   - The missing fragments are probably routes: at least minRoutes and at least nine in ten
//     fragments are missing, and the page has a script.
func (a *anchors) deadFragments(fragments []string) (dead []string) {
	slices.Sort(fragments)
	fragments = slices.Compact(fragments)
	for _, f := range fragments {
		decoded, err := url.PathUnescape(f[1:])
		if !a.has(f[1:]) && (err != nil || !a.has(decoded)) {
			dead = append(dead, f)
		}
	}
	if a.hasIncludes || len(dead) >= minRoutes && 10*len(dead) >= 9*len(fragments) && a.hasScript {
		return nil
	}
	return dead
}

func (a *anchors) has(name string) bool {
	_, ok := slices.BinarySearch(a.names, name)
	return ok
}

// addDeadFragments adds a finding to broken for each target whose fragment refers to no element of
// the linked page. For links from a page to itself, CollectPage has already found the missing
// fragments. For endFiles, see followTargets.
func (l *linkCollector) addDeadFragments(broken map[string]diag.Diagnostic, endFiles []string) {
	dead := diag.Warnf(diag.Pos{}, "dead-fragment", "fix the link, or give the place its id back", "names a place that the page does not have")
	byFile := map[string][]string{} // targets with a fragment, by the file of the linked page
	for _, loc := range l.locs {
		pageLoc, _, hasFragment := strings.Cut(loc, "#")
		id, known := l.ids[pageLoc]
		switch {
		case !hasFragment:
		case pageLoc == "":
			broken[loc] = dead
		case known:
			byFile[endFiles[id]] = append(byFile[endFiles[id]], loc)
		}
	}
	for file, locs := range byFile {
		i, ok := l.pageIndex(file)
		if !ok {
			continue
		}
		var fragments []string
		for _, loc := range locs {
			fragments = append(fragments, loc[strings.IndexByte(loc, '#'):])
		}
		missing := l.pages[i].deadFragments(fragments)
		for _, loc := range locs {
			if _, isMissing := slices.BinarySearch(missing, loc[strings.IndexByte(loc, '#'):]); isMissing {
				broken[loc] = dead
			}
		}
	}
}
