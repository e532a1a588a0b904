package audit

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/internal/strict"
)

// brokenLinks returns a finding about each URL in broken to which pages link, in the order of the
// first links. broken contains findings without positions. brokenLinks adds the positions of the
// links. The message of a finding, such as "is answered 404", continues the text "the link to URL",
// which addBrokenLink adds.
func (l *linkCollector) brokenLinks(c *CheckRun, broken map[string]diag.Diagnostic) (found []*sharedFinding) {
	byTarget := make([]*sharedFinding, len(l.locs))
	for loc, d := range broken {
		byTarget[l.ids[loc]] = &sharedFinding{Diagnostic: d.About(loc)}
	}
	for _, p := range l.pages {
		for _, k := range p.links {
			b := byTarget[k.target]
			if b == nil {
				continue
			}
			if b.pages == 0 {
				found = append(found, b)
			}
			b.addPlace(diag.Pos{File: c.pageName(p.file), Line: int(k.line), Col: int(k.col)}, c.Findings.KeepsPlaces())
		}
	}
	return found
}

// addBrokenLink adds b, a finding about all links to one broken URL, to c.Findings. hints suggests
// the URL that a dead link probably means.
func (c *CheckRun) addBrokenLink(b *sharedFinding, hints *suggester) {
	if b.Code == "dead-link" && b.Hint == "" {
		b.Hint = "fix the address, or remove the link"
		if to := hints.suggest(b.Subject); to != "" {
			b.Hint = "link to " + to + " if that was meant"
		}
	}
	first := b.places[0]
	b.Cause = first.String() // groups the URLs of one srcset, which have the same position
	b.Message = "the link to " + b.Subject + " " + b.Message
	if p := c.Result.Page(strings.TrimPrefix(first.File, c.pageName("")+"/")); p != nil {
		b.Source = diag.Pos{File: c.Result.World.ContentPos(p).File}
	}
	b.addTo(c.Findings)
}

// A suggester finds the listed URL that a dead link probably means.
type suggester struct {
	list      site.List
	explainer *explain.Explainer
	tries     int               // number of calls of suggest so far
	byName    map[string]string // listed URLs by the last element of their path, as splitAndNormalizeName returns it; "" if several have that element
}

const (
	maxTries    = 1000 // maximum number of calls of suggest that look for a URL
	maxSiblings = 1000 // maximum number of URLs in one folder to compare with a dead link
)

// newSuggester returns a suggester that suggests listed URLs in place of dead links.
func (c *CheckRun) newSuggester() *suggester {
	s := &suggester{list: c.Result.List, explainer: c.explainer, byName: map[string]string{}}
	for _, p := range s.list {
		loc := p.Loc
		_, name := splitAndNormalizeName(loc)
		if _, taken := s.byName[name]; taken {
			loc = ""
		}
		s.byName[name] = loc
	}
	return s
}

// suggest returns the listed URL that loc probably means, or "". It tries three rules in this
// order: another spelling of loc, the only listed URL with the same last path element, and a URL in
// the same folder with a similar last element. For the element "index", and for elements of less
// than three bytes, it tries only the first rule. After maxTries calls, it always returns "".
func (s *suggester) suggest(loc string) string {
	if s.tries++; s.tries > maxTries {
		return ""
	}
	if near := s.explainer.FindRespelled(loc); near != "" {
		return near
	}
	folder, name := splitAndNormalizeName(loc)
	if len(name) < 3 || name == "index" {
		return ""
	}
	if to := s.byName[name]; to != "" {
		return to
	}
	var names []string
	urls := map[string]string{}
	for i, _ := s.list.Find(folder); i < len(s.list) && len(names) < maxSiblings; i++ {
		other := s.list[i].Loc
		if !strings.HasPrefix(other, folder) {
			break
		}
		if in, name := splitAndNormalizeName(other); in == folder {
			names, urls[name] = append(names, name), other
		}
	}
	return urls[strict.NearestWord(name, names)]
}

// splitAndNormalizeName splits a URL or a URL path into its folder and its last element, the name:
// "https://example.com/a/B.html" into "https://example.com/a/" and "b". The name is in lower case
// and has no ".html" or ".htm". A slash at the end of the URL is ignored.
func splitAndNormalizeName(loc string) (folder, name string) {
	loc = strings.TrimSuffix(loc, "/")
	i := strings.LastIndexByte(loc, '/') + 1
	name = strings.ToLower(loc[i:])
	return loc[:i], strings.TrimSuffix(strings.TrimSuffix(name, ".html"), ".htm")
}

// dropOtherRepositories removes dead URLs from broken that are probably on sites of other
// repositories, and adds a note with their number. It applies only to sites for which isUserSite is
// true. GitHub and GitLab serve the site of each repository in a folder of the user's site, but the
// publish directory of the user's site does not contain these folders. dropOtherRepositories keeps
// a URL if hints finds a similar page at the top of the site.
// See https://docs.github.com/en/pages/getting-started-with-github-pages/what-is-github-pages#types-of-github-pages-sites.
func (c *CheckRun) dropOtherRepositories(broken map[string]diag.Diagnostic, hints *suggester) {
	base, pages := c.Settings.Site.Base, c.Settings.Site.Pages
	if base.Prefix() != "/" || pages.Dir == "" || !isUserSite(base.Host(), pages.Dir) {
		return
	}
	count, folders := 0, map[string]bool{} // folders: by first folder of a dead URL, whether another repository probably serves it
	for _, loc := range slices.Sorted(maps.Keys(broken)) {
		below, ok := strings.CutPrefix(loc, base.String())
		folder, _, deep := strings.Cut(below, "/")
		if d := broken[loc]; d.Code != "dead-link" || d.Hint != "" || !ok || !deep && strings.Contains(folder, ".") || strings.Contains(folder, ":") {
			continue
		}
		if _, known := folders[folder]; !known {
			parent, _ := splitAndNormalizeName(hints.suggest(base.String() + folder + "/"))
			folders[folder] = !c.isPublished(folder) && parent != base.String()
		}
		if folders[folder] {
			count++
			delete(broken, loc)
		}
	}
	if count == 0 {
		return
	}
	maps.DeleteFunc(folders, func(_ string, isMissing bool) bool { return !isMissing })
	c.Findings.Add(diag.Notef(diag.Pos{}, "other-repository", "", "%s to %s that the site does not have, as %s, count as links to sites of other repositories",
		diag.Count(count, "link"), diag.Count(len(folders), "folder"), base.String()+slices.Min(slices.Collect(maps.Keys(folders)))+"/"))
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
