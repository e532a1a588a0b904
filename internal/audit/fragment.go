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
	"github.com/sitewalk/sitewalk/internal/parallel"
	"github.com/sitewalk/sitewalk/page"
)

// state matches a fragment in which a script keeps what it shows, as in "#q=lakes&page=2".
var state = regexp.MustCompile(`(?i)^#[\w.-]+(=|%3d)`)

// isPlace reports whether a fragment names a place in a page: not its top, not a
// route or the state of a script, not a text to look for.
// https://html.spec.whatwg.org/multipage/browsing-the-web.html#find-a-potential-indicated-element
func isPlace(fragment []byte) bool {
	if len(fragment) < 2 || bytes.Contains(fragment, []byte(":~:")) {
		return false
	}
	if bytes.ContainsAny(fragment, "=%") && state.Match(fragment) {
		return false
	}
	return fragment[1] != '/' && fragment[1] != '!' && !strings.EqualFold(string(fragment[1:]), "top")
}

// names reports whether one of the names of places in a page is that of a fragment,
// as it stands there or decoded.
func names(anchors map[string]bool, fragment string) bool {
	name := fragment[1:]
	if anchors[name] {
		return true
	}
	decoded, err := url.PathUnescape(name)
	return err == nil && anchors[decoded]
}

// fragments finds the fragments that name no place in the page that they lead to.
// It reads the pages that are named so once more.
func (j *judge) fragments(ctx context.Context) {
	at := map[int32][]uint32{} // targets with a fragment, by page
	for id := range uint32(len(j.targets.keys)) {
		loc, _, ok := strings.Cut(j.targets.loc(id), "#")
		if !ok {
			continue
		}
		if base := j.targets.named(loc); base != elsewhere && j.ends[base] != noPage {
			at[j.ends[base]] = append(at[j.ends[base]], id)
		}
	}
	pages := slices.Sorted(maps.Keys(at))
	parallel.Spread(ctx, len(pages), func() func(i int) {
		p := places{refs: page.Refs{Anchors: true}, names: map[string]bool{}}
		return func(i int) {
			p.body, _ = j.o.Pages.Read(ctx, j.pages[pages[i]].file, p.body)
			j.compare(&p, at[pages[i]])
		}
	})
}

// places are the names of places in a page.
type places struct {
	refs  page.Refs
	body  []byte
	names map[string]bool
}

// compare compares fragments with the page that was read.
func (j *judge) compare(p *places, targets []uint32) {
	clear(p.names)
	p.refs.Find(p.body, func(r page.Ref) {
		if r.Kind == page.Anchor {
			p.names[string(r.Value)] = true
		}
	})
	dead := slices.DeleteFunc(targets, func(id uint32) bool { return names(p.names, j.fragment(id)) })
	slices.SortFunc(dead, func(a, b uint32) int { return strings.Compare(j.fragment(a), j.fragment(b)) })
	var all []string
	if len(p.names) <= maxSiblings {
		all = slices.Collect(maps.Keys(p.names))
	}
	for i, id := range dead {
		hint, near := "fix the link, or give the place its id back", ""
		if i < maxHints {
			near = closest(j.fragment(id)[1:], all)
		}
		if near != "" {
			hint = "link to #" + near + " if that was meant"
		}
		j.has(id, diag.Warnf(diag.Pos{}, "dead-fragment", hint, "names a place that the page does not have"))
	}
}

// maxHints are as many fragments of one page as are compared with all its names.
const maxHints = 20

// fragment returns the fragment of a target that has one, with the #.
func (j *judge) fragment(id uint32) string {
	key := j.targets.loc(id)
	return key[strings.IndexByte(key, '#'):]
}
