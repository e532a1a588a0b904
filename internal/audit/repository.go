package audit

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// repositories takes the dead links to sites of other repositories out of the troubles and
// tells their number: GitHub and GitLab serve each below the folder of its name on the site
// of their owner.
// See https://docs.github.com/en/pages/getting-started-with-github-pages/what-is-github-pages#types-of-github-pages-sites.
func (j *judge) repositories(n *nearest) {
	if j.o.Base.Prefix() != "/" || j.o.Pages.Dir == "" || !isUserSite(j.o.Base.Host(), j.o.Pages.Dir) {
		return
	}
	count, seen := 0, map[string]bool{}
	for _, id := range slices.Sorted(maps.Keys(j.troubles)) {
		t := j.troubles[id]
		below, ok := strings.CutPrefix(t.Subject, j.o.Base.String())
		folder, _, deep := strings.Cut(below, "/")
		if t.Code != "dead-link" || t.Hint != "" || !ok || !deep && strings.Contains(folder, ".") || strings.Contains(folder, ":") {
			continue
		}
		if there, asked := seen[folder]; !asked {
			_, err := os.Lstat(filepath.Join(j.o.Pages.Dir, folder))
			seen[folder] = err == nil || n.to(j.o.Base.String()+folder+"/") != ""
		} else if there {
			continue
		}
		if !seen[folder] {
			count++
			delete(j.troubles, id)
		}
	}
	maps.DeleteFunc(seen, func(_ string, here bool) bool { return here })
	if count == 0 {
		return
	}
	first := slices.Sorted(maps.Keys(seen))[0]
	j.found.Add(diag.Notef(diag.Pos{}, "other-repository", "", "%s to %s that the site does not have, as %s, count as links to sites of other repositories",
		diag.Count(count, "link"), diag.Count(len(seen), "folder"), j.o.Base.String()+first+"/"))
}

// isUserSite reports whether a site with the host is that of a user or an organization. With
// a domain of its own the folder of the repository tells, which has the name of the site.
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
