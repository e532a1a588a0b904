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

// stageForeignRemovals adds to the transaction the removal of sitemaps by another tool that are
// useless once the entry file is replaced. A file is removed only if the replaced entry file proves
// that it belongs to the same tool. Other such sitemaps are reported.
func (r *job) stageForeignRemovals() {
	names := slices.DeleteFunc(append([]string{r.Name + ".gz"}, r.Leftovers...), func(name string) bool {
		return !r.isFile(name) || !isLocal(name) || name == r.Name || r.changes[place{r.dir, name}] || r.Protect != nil && r.Protect(name) || r.isOurs(place{r.dir, name})
	})
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	elsewhere, children := r.namedElsewhere(), r.foreignChildren()
	var left []string // files that no page, robots.txt or option names
	named := ""       // a file that a page or robots.txt names; "" if there is none
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

// isFile reports whether a regular file called name exists below Dir.
func (r *job) isFile(name string) bool {
	info, err := r.dir.Stat(name)
	return err == nil && info != nil && info.Mode().IsRegular()
}

// namedElsewhere returns a function that reports whether Options.Index, a page or robots.txt names
// a file. If robots.txt cannot be read, the function always returns true.
func (r *job) namedElsewhere() func(name string) bool {
	lines, err := r.sitemapLines()
	return func(name string) bool {
		loc := r.loc(name)
		return err != nil || slices.Contains(r.Index, loc) || r.Names != nil && r.Names(name) ||
			slices.ContainsFunc(lines, func(l robots.SitemapLine) bool { return l.Value == loc })
	}
}

// reportStale reports the sitemap called name, which another tool wrote and which is not removed.
func (r *job) reportStale(name, hint, format string, args ...any) {
	r.Diags.Warnf(diag.Pos{File: name}, "stale-sitemap", "remove it before the site is published"+hint+"; for the next build, "+cmp.Or(r.TurnOff, otherTool), format, args...)
}

// otherTool is the hint for the next build if the generator is unknown.
const otherTool = "turn the other tool's sitemap off"

// foreignChildren returns the files that an index of another tool names, if the entry file replaces
// this index. For a site below a path the result is empty: the robots.txt of the host may name the
// files, and cannot be read.
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

// replacesForeign reports whether this run replaces another tool's sitemap by the entry file.
func (r *job) replacesForeign() bool {
	p := place{r.dir, r.Name}
	return r.changes[p] && r.isFile(p.name) && !r.isOurs(p)
}

// isTwin reports whether the file called name has, after decompression, the same content as the
// sitemap of another tool that the entry file replaces.
func (r *job) isTwin(name string) bool {
	if !r.replacesForeign() {
		return false
	}
	plain := contentSum(place{r.dir, r.Name})
	return plain != "" && plain == contentSum(place{r.dir, name})
}
