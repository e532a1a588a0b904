package audit

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// countOtherRepositories removes dead links that probably lead to sites of other repositories,
// and reports their number. GitHub and GitLab serve each repository in a folder of its owner's
// site. See
// https://docs.github.com/en/pages/getting-started-with-github-pages/what-is-github-pages#types-of-github-pages-sites.
func (j *judge) countOtherRepositories(near *suggester) {
	if j.o.Base.Prefix() != "/" || j.o.Pages.Dir == "" || !isUserSite(j.o.Base.Host(), j.o.Pages.Dir) {
		return
	}
	count, absent := 0, map[string]bool{} // by first folder of the URL
	for _, id := range slices.Sorted(maps.Keys(j.troubles)) {
		t := j.troubles[id]
		below, ok := strings.CutPrefix(t.Subject, j.o.Base.String())
		folder, _, deep := strings.Cut(below, "/")
		if t.Code != "dead-link" || t.Hint != "" || !ok || !deep && strings.Contains(folder, ".") || strings.Contains(folder, ":") {
			continue
		}
		if _, known := absent[folder]; !known {
			absent[folder] = !j.hasFolder(folder) && near.suggest(j.o.Base.String()+folder+"/") == ""
		}
		if absent[folder] {
			count++
			delete(j.troubles, id)
		}
	}
	maps.DeleteFunc(absent, func(_ string, is bool) bool { return !is })
	if count == 0 {
		return
	}
	first := slices.Sorted(maps.Keys(absent))[0]
	j.found.Add(diag.Notef(diag.Pos{}, "other-repository", "", "%s to %s that the site does not have, as %s, count as links to sites of other repositories",
		diag.Count(count, "link"), diag.Count(len(absent), "folder"), j.o.Base.String()+first+"/"))
}

func (j *judge) hasFolder(name string) bool {
	_, err := os.Lstat(filepath.Join(j.o.Pages.Dir, name))
	return err == nil
}

// isUserSite reports whether a site is the site of a user or an organization on GitHub or
// GitLab. It checks the host and, because of custom domains, the folder names in dir, one of
// which may be the name of the repository.
func isUserSite(host, dir string) bool {
	name, _, _ := strings.Cut(host, ":")
	if abs, err := filepath.Abs(dir); err == nil {
		for folder := range strings.SplitSeq(filepath.ToSlash(abs), "/") {
			if strings.HasSuffix(folder, ".github.io") || strings.HasSuffix(folder, ".gitlab.io") {
				return true
			}
		}
	}
	return strings.HasSuffix(name, ".github.io") || strings.HasSuffix(name, ".gitlab.io")
}
