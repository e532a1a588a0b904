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

// stageForeignRemovals adds to the transaction the removal of sitemaps by another tool whose entry
// file this run replaces. It removes a compressed copy of that entry file. It also removes files
// that the entry file names as an index, if they list only pages of the site. It does not remove a
// file that a page, robots.txt or an option names. It reports other sitemaps of the tool.
func (j *job) stageForeignRemovals() {
	names := slices.DeleteFunc(append([]string{j.Name + ".gz"}, j.Leftovers...), func(name string) bool {
		return !j.isFile(name) || !isLocal(name) || name == j.Name || j.changes[place{j.dir, name}] || j.Protect != nil && j.Protect(name) || j.isOurs(place{j.dir, name})
	})
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	elsewhere, children := j.namedElsewhere(), j.foreignChildren()
	var left []string // files that no page, robots.txt or option names
	named := ""       // a file that a page or robots.txt names; "" if there is none
	for _, name := range slices.Compact(names) {
		twin, free := name == j.Name+".gz", !elsewhere(name)
		switch {
		case free && (twin && j.isCopyOfForeignEntry(name) || children[name] && j.formatIfOwnPages(name) == sitemap.FormatURLSet):
			j.stageRemoval(place{j.dir, name}, phaseOldFiles)
		case twin:
			j.reportForeignSitemap(name, ", or let --gzip also write ours in its place",
				"another tool wrote it; a server with gzip_static answers with it in place of %s", path.Base(j.Name))
		case free:
			left = append(left, name)
		case path.Dir(name) == path.Dir(j.Name) && !slices.Contains(j.Index, j.loc(name)):
			named = name
		}
	}
	switch {
	case named != "":
		j.Diags.Notef(diag.Pos{File: named}, "stale-sitemap", cmp.Or(j.TurnOff, otherTool),
			"another tool wrote it, and a page or robots.txt names it; search engines read it beside %s", j.Name)
	case len(left) == 1:
		j.reportForeignSitemap(left[0], "", "another tool wrote it, and %s does not name it", j.Name)
	case len(left) > 1:
		j.reportForeignSitemap(left[0], "", "another tool wrote it and %s, and %s does not name them", strings.Join(left[1:], ", "), j.Name)
	}
}

// isFile reports whether a regular file called name exists below Dir.
func (j *job) isFile(name string) bool {
	info, err := j.dir.Stat(name)
	return err == nil && info != nil && info.Mode().IsRegular()
}

// namedElsewhere returns a function that reports whether Options.Index, a page or robots.txt names
// the file called name. If robots.txt cannot be read, the function always returns true.
func (j *job) namedElsewhere() func(name string) bool {
	lines, err := j.sitemapLines()
	return func(name string) bool {
		loc := j.loc(name)
		return err != nil || slices.Contains(j.Index, loc) || j.Names != nil && j.Names(name) ||
			slices.ContainsFunc(lines, func(l robots.SitemapLine) bool { return l.Value == loc })
	}
}

// reportForeignSitemap reports that another tool wrote the sitemap called name. The sitemap is not
// removed.
func (j *job) reportForeignSitemap(name, hint, format string, args ...any) {
	j.Diags.Warnf(diag.Pos{File: name}, "stale-sitemap", "remove it before the site is published"+hint+"; for the next build, "+cmp.Or(j.TurnOff, otherTool), format, args...)
}

// otherTool is the advice to the user if Options.TurnOff is "".
const otherTool = "turn the other tool's sitemap off"

// foreignChildren returns the names of the files that another tool's index names, if the entry file
// replaces this index. Otherwise, the result is empty. It is also empty if Base has a path: the
// robots.txt at the root of the host, which cannot be read, may name the files.
func (j *job) foreignChildren() map[string]bool {
	children := map[string]bool{}
	u, err := url.Parse(j.Base)
	if err != nil || u.Path != "/" || !j.replacesForeign() {
		return children
	}
	j.forEachItemIn(j.Name, func(item *sitemap.Item) bool {
		if name, ok := j.fileAt(item.Loc); item.Sitemap && ok {
			children[name] = true
		}
		return item.Sitemap
	})
	return children
}

// replacesForeign reports whether the entry file of this run replaces a file of another tool.
func (j *job) replacesForeign() bool {
	p := place{j.dir, j.Name}
	return j.changes[p] && j.isFile(p.name) && !j.isOurs(p)
}

// isCopyOfForeignEntry reports whether the file called name is a copy of the file of another tool
// that this run's entry file replaces. It compares the decompressed contents. It returns false if
// the entry file replaces no such file.
func (j *job) isCopyOfForeignEntry(name string) bool {
	if !j.replacesForeign() {
		return false
	}
	plain := hashContent(place{j.dir, j.Name})
	return plain != "" && plain == hashContent(place{j.dir, name})
}
