package writer

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/robots"
	"github.com/sitewalk/sitewalk/sitemap"
)

// stageForeignRemovals drafts the removal of another tool's sitemaps that the new entry file makes
// stale. A file is removed only if the entry file that is replaced proves that the other tool
// wrote it.
func (r *job) stageForeignRemovals() {
	names := slices.DeleteFunc(append([]string{r.Name + ".gz"}, r.Leftovers...), func(name string) bool {
		return !r.isFile(name) || !isLocal(name) || name == r.Name || r.changes[place{r.dir, name}] || r.Protect != nil && r.Protect(name) || r.isOurs(place{r.dir, name})
	})
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	elsewhere, children := r.namedElsewhere(), r.foreignChildren()
	var left []string // files that nothing names
	named := ""       // a file that a page or robots.txt names
	for _, name := range slices.Compact(names) {
		twin, free := name == r.Name+".gz", !elsewhere(name)
		switch {
		case free && (twin && r.isTwin(name) || children[name] && r.ownPages(name) == sitemap.FormatURLSet):
			r.stageRemoval(place{r.dir, name}, phaseOldFiles)
		case twin:
			r.reportStale(name, ", or let --gzip also write ours in its place",
				"another tool wrote it; a server with gzip_static answers with it in place of %s", path.Base(r.Name))
		case free:
			left = append(left, name)
		case path.Dir(name) == path.Dir(r.Name) && !slices.Contains(r.Index, r.loc(name)):
			named = name
		}
	}
	switch {
	case named != "":
		r.Diags.Notef(diag.Pos{File: named}, "stale-sitemap", cmp.Or(r.TurnOff, otherTool),
			"another tool wrote it, and a page or robots.txt names it; search engines read it beside %s", r.Name)
	case len(left) == 1:
		r.reportStale(left[0], "", "another tool wrote it, and %s does not name it", r.Name)
	case len(left) > 1:
		r.reportStale(left[0], "", "another tool wrote it and %s, and %s does not name them", strings.Join(left[1:], ", "), r.Name)
	}
}

// isFile reports whether a regular file with this name exists.
func (r *job) isFile(name string) bool {
	info, err := r.dir.Stat(name)
	return err == nil && info != nil && info.Mode().IsRegular()
}

// namedElsewhere returns a function that reports whether Options.Index, a page or robots.txt names
// a file. If robots.txt cannot be read, the function returns true for every file.
func (r *job) namedElsewhere() func(name string) bool {
	lines, err := r.sitemapLines()
	return func(name string) bool {
		loc := r.loc(name)
		return err != nil || slices.Contains(r.Index, loc) || r.Names != nil && r.Names(name) ||
			slices.ContainsFunc(lines, func(l robots.SitemapLine) bool { return l.Value == loc })
	}
}

// reportStale reports a sitemap of another tool that stays on disk.
func (r *job) reportStale(name, hint, format string, args ...any) {
	r.Diags.Warnf(diag.Pos{File: name}, "stale-sitemap", "remove it before the site is published"+hint+"; for the next build, "+cmp.Or(r.TurnOff, otherTool), format, args...)
}

const otherTool = "turn the other tool's sitemap off"

// foreignChildren returns the files named by another tool's index that the entry file replaces. It
// returns none for a site below a path: the robots.txt of the host is unknown, so nothing proves
// that the files are unused.
func (r *job) foreignChildren() map[string]bool {
	children := map[string]bool{}
	u, err := url.Parse(r.Base)
	if err != nil || u.Path != "/" || !r.replacesForeign() {
		return children
	}
	r.eachItemOf(r.Name, func(item *sitemap.Item) bool {
		if name, ok := r.fileAt(item.Loc); item.Sitemap && ok {
			children[name] = true
		}
		return item.Sitemap
	})
	return children
}

// replacesForeign reports whether the entry file replaces another tool's sitemap.
func (r *job) replacesForeign() bool {
	p := place{r.dir, r.Name}
	return r.changes[p] && r.isFile(p.name) && !r.isOurs(p)
}

// isTwin reports whether a compressed file contains exactly the bytes of the other tool's sitemap
// that the entry file replaces.
func (r *job) isTwin(name string) bool {
	if !r.replacesForeign() {
		return false
	}
	plain := contentSum(place{r.dir, r.Name})
	return plain != "" && plain == contentSum(place{r.dir, name})
}
