package audit

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/page"
)

// maxPlaces is the maximum number of pages that one finding about a link names.
const maxPlaces = 3

// maxLinkProblems is the maximum number of broken targets that are reported one by one. A target is
// a linked URL. More broken targets probably have a common cause, so one finding for each code
// counts the rest.
const maxLinkProblems = 10_000

// reportLinkProblems adds a finding for each broken target, at the first link to the target. It
// reads the pages with these links again to find the positions of the links.
func (l *linkChecker) reportLinkProblems(ctx context.Context) {
	if len(l.problems) == 0 {
		return
	}
	near := newSuggester(l.res)
	l.dropOtherRepositories(near)
	reported, mustReread := l.countLinkingPages()
	var body []byte
	for i, must := range mustReread {
		if must && ctx.Err() == nil {
			body, _ = l.o.Pages.Read(ctx, l.pages[i].file, body)
			l.findLinkPlaces(int32(i), body)
		}
	}
	sortByFirstLink(reported)
	for _, t := range reported {
		l.reportLinkProblem(near, t)
	}
}

// countLinkingPages counts the pages that link to each broken target. reported are the problems to
// report one by one. mustReread[i] is true if reportLinkProblems must read page i again. For
// problems beyond maxLinkProblems, countLinkingPages adds one finding for each code.
func (l *linkChecker) countLinkingPages() (reported []*linkProblem, mustReread []bool) {
	mustReread = make([]bool, len(l.pages))
	more := map[string]*linkProblem{}
	for i, p := range l.pages {
		for _, target := range p.links {
			t := l.problems[target]
			if t == nil {
				continue
			}
			if t.on == 0 && len(reported) == maxLinkProblems {
				delete(l.problems, target)
				if more[t.Code] == nil {
					more[t.Code] = t
				}
				more[t.Code].on++
				continue
			}
			if t.on++; t.on == 1 {
				t.first = int32(i)
				reported = append(reported, t)
			}
			mustReread[i] = mustReread[i] || l.LinkCollector.o.Places || t.on <= maxPlaces
		}
	}
	for _, code := range slices.Sorted(maps.Keys(more)) {
		t := more[code]
		l.found.Add(diag.Diagnostic{
			Pos: diag.Pos{File: l.displayName(".")}, Severity: t.Severity, Code: code, Hint: "fix what is reported, and check again",
			Message: fmt.Sprintf("more links like these lead to %s addresses; the first %s are reported one by one", diag.Number(t.on), diag.Number(maxLinkProblems)),
		})
	}
	return reported, mustReread
}

// findLinkPlaces records the positions of broken links in the page with index i, whose source is body.
func (l *linkChecker) findLinkPlaces(i int32, body []byte) {
	var refs page.Refs
	self := l.pages[i].self
	resolver := newResolver(l.bases, l.locs[self])
	add := func(target string, at int) {
		id, ok := l.ids[target]
		_, isBroken := slices.BinarySearch(l.pages[i].links, id) // a fragment may exist in this page only
		if t := l.problems[id]; ok && isBroken && t != nil && l.needsPlace(t, i) {
			t.places = append(t.places, place{i, refs.Pos(at)})
		}
	}
	refs.Find(body, func(r page.Ref) {
		switch r.Kind {
		case page.RefBase:
			resolver.setBaseHref(r.Value)
			return
		case page.RefPageURL:
			return
		}
		loc, fragment, ok := resolver.resolve(r.Value)
		if !ok {
			return
		}
		add(string(loc), r.At)
		switch {
		case len(fragment) == 0:
		case string(loc) == l.locs[self]:
			add(string(fragment), r.At)
		default:
			add(string(loc)+string(fragment), r.At)
		}
	})
}

// needsPlace reports whether to record the position of another link to the broken target t in the
// given page: always with the option Places, and otherwise one position in each of the first
// maxPlaces pages.
func (l *linkChecker) needsPlace(t *linkProblem, page int32) bool {
	n := len(t.places)
	return l.LinkCollector.o.Places || n < maxPlaces && (n == 0 || t.places[n-1].page != page)
}

// sortByFirstLink sorts problems by the position of their first link. If a page no longer contains
// the link, sortByFirstLink uses the beginning of the page.
func sortByFirstLink(problems []*linkProblem) {
	for _, t := range problems {
		if len(t.places) == 0 { // the page has changed after it was collected
			t.places = []place{{page: t.first}}
		}
	}
	slices.SortFunc(problems, func(a, b *linkProblem) int {
		p, q := a.places[0], b.places[0]
		return cmp.Or(cmp.Compare(p.page, q.page), cmp.Compare(p.pos.Line, q.pos.Line), cmp.Compare(p.pos.Col, q.pos.Col), cmp.Compare(a.Subject, b.Subject))
	})
}

// reportLinkProblem adds the finding about the broken target t. hints finds the URL that a dead
// link probably means.
func (l *linkChecker) reportLinkProblem(hints *suggester, t *linkProblem) {
	d, first := t.Diagnostic, t.places[0]
	if d.Code == "dead-link" && d.Hint == "" {
		d.Hint = "fix the address, or remove the link"
		if to := hints.suggest(d.Subject); to != "" {
			d.Hint = "link to " + to + " if that was meant"
		}
	}
	d.Pos, d.Anywhere = l.displayPos(first), true
	d.Cause = d.Pos.String() // groups the URLs of one srcset, which have the same position
	d.Message = "the link to " + d.Subject + " " + d.Message + l.formatOtherPages(t)
	if p := l.res.Page(l.pages[first.page].file); p != nil {
		d.Source = diag.Pos{File: l.res.World.ContentPos(p).File}
	}
	if l.LinkCollector.o.Places {
		for _, p := range t.places[1:] {
			d.Places = append(d.Places, l.displayPos(p))
		}
	}
	l.found.Add(d)
}

// displayPos returns the position of p, with the file name as the user would type it.
func (l *linkChecker) displayPos(p place) diag.Pos {
	return diag.Pos{File: l.displayName(l.pages[p.page].file), Line: p.pos.Line, Col: p.pos.Col}
}

// formatOtherPages returns text that names further pages with a link to the broken target t, such
// as "; also a.html:1:2, on 5 pages more". It returns "" if there are none.
func (l *linkChecker) formatOtherPages(t *linkProblem) string {
	var names []string
	last := t.places[0].page
	for _, p := range t.places {
		if p.page != last && len(names)+1 < maxPlaces {
			names, last = append(names, l.displayPos(p).String()), p.page
		}
	}
	if more := t.on - len(names) - 1; more > 0 {
		names = append(names, fmt.Sprintf("on %s more", diag.Count(more, "page")))
	}
	if len(names) == 0 {
		return ""
	}
	return "; also " + strings.Join(names, ", ")
}

// A suggester finds the listed URL that a dead link probably means.
type suggester struct {
	list    site.List
	answers *explain.Answers
	tries   int               // number of calls of suggest
	byName  map[string]string // listed URLs by the last name in their path; "" if several have that name
}

const (
	maxTries    = 1000 // maximum number of dead links that get a suggestion
	maxSiblings = 1000 // maximum number of URLs in one folder to compare with a dead link
)

// newSuggester returns a suggester for the pages that the site lists.
func newSuggester(res *site.Result) *suggester {
	s := &suggester{list: res.List, answers: explain.New(res), byName: map[string]string{}}
	for _, r := range res.List {
		loc := r.Entry.Loc
		_, name := splitName(loc)
		if _, taken := s.byName[name]; taken {
			loc = ""
		}
		s.byName[name] = loc
	}
	return s
}

// suggest returns the listed URL that loc probably means, or "". It tries three rules in this
// order: another spelling of loc, the only listed URL with the same last name in its path, and a
// URL in the same folder with a similar name. For the name "index" and for names of less than three
// bytes, it tries only the first rule. After maxTries calls, it always returns "".
func (s *suggester) suggest(loc string) string {
	if s.tries++; s.tries > maxTries {
		return ""
	}
	if near := s.answers.FindRespelled(loc); near != "" {
		return near
	}
	folder, name := splitName(loc)
	if len(name) < 3 || name == "index" {
		return ""
	}
	if to := s.byName[name]; to != "" {
		return to
	}
	var names []string
	urls := map[string]string{}
	for i, _ := s.list.Find(folder); i < len(s.list) && len(names) < maxSiblings; i++ {
		other := s.list[i].Entry.Loc
		if !strings.HasPrefix(other, folder) {
			break
		}
		if in, name := splitName(other); in == folder {
			names, urls[name] = append(names, name), other
		}
	}
	return urls[strict.NearestWord(name, names)]
}

// splitName splits a URL into its folder and its last name: "https://example.com/a/B.html" into
// "https://example.com/a/" and "b". The name is in lower case and has no ".html". splitName ignores
// a slash at the end of the URL.
func splitName(loc string) (folder, name string) {
	loc = strings.TrimSuffix(loc, "/")
	i := strings.LastIndexByte(loc, '/') + 1
	return loc[:i], strings.ToLower(strings.TrimSuffix(loc[i:], ".html"))
}

// dropOtherRepositories removes dead links that probably lead to sites of other repositories, and
// adds a note with their number. It applies only to sites for which isUserSite is true. GitHub and
// GitLab serve the site of each repository in a folder of the user's site, but the publish
// directory of the user's site does not contain these folders. It keeps a link if hints finds a
// similar page at the top of the site.
// See https://docs.github.com/en/pages/getting-started-with-github-pages/what-is-github-pages#types-of-github-pages-sites.
func (l *linkChecker) dropOtherRepositories(hints *suggester) {
	if l.o.Base.Prefix() != "/" || l.o.Pages.Dir == "" || !isUserSite(l.o.Base.Host(), l.o.Pages.Dir) {
		return
	}
	count, absent := 0, map[string]bool{} // absent: whether the site lacks each first folder of dead links
	for _, id := range slices.Sorted(maps.Keys(l.problems)) {
		t := l.problems[id]
		below, ok := strings.CutPrefix(t.Subject, l.o.Base.String())
		folder, _, deep := strings.Cut(below, "/")
		if t.Code != "dead-link" || t.Hint != "" || !ok || !deep && strings.Contains(folder, ".") || strings.Contains(folder, ":") {
			continue
		}
		if _, known := absent[folder]; !known {
			parent, _ := splitName(hints.suggest(l.o.Base.String() + folder + "/"))
			absent[folder] = !l.isPublished(folder) && parent != l.o.Base.String()
		}
		if absent[folder] {
			count++
			delete(l.problems, id)
		}
	}
	maps.DeleteFunc(absent, func(_ string, is bool) bool { return !is })
	if count == 0 {
		return
	}
	first := slices.Sorted(maps.Keys(absent))[0]
	l.found.Add(diag.Notef(diag.Pos{}, "other-repository", "", "%s to %s that the site does not have, as %s, count as links to sites of other repositories",
		diag.Count(count, "link"), diag.Count(len(absent), "folder"), l.o.Base.String()+first+"/"))
}

// isPublished reports whether the publish directory contains a file or folder called name.
func (l *linkChecker) isPublished(name string) bool {
	_, err := os.Lstat(filepath.Join(l.o.Pages.Dir, name))
	return err == nil
}

// isUserSite reports whether a site is the main site of a user or organization on GitHub or GitLab,
// such as "name.github.io". host may be a custom domain, so isUserSite also looks for a folder such
// as "name.github.io" in the path dir: the clone of the repository usually has that name.
func isUserSite(host, dir string) bool {
	name, _, _ := strings.Cut(host, ":")
	if abs, err := filepath.Abs(dir); err == nil {
		for folder := range strings.SplitSeq(filepath.ToSlash(abs), "/") {
			// GitHub Pages used the domain github.com until 2013.
			if strings.HasSuffix(folder, ".github.io") || strings.HasSuffix(folder, ".gitlab.io") || strings.HasSuffix(folder, ".github.com") {
				return true
			}
		}
	}
	return strings.HasSuffix(name, ".github.io") || strings.HasSuffix(name, ".gitlab.io")
}
