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

// stageForeignRemovals finds the sitemaps that another tool wrote. It adds the removal of a sitemap
// to the transaction if all of these are true:
//
//   - filesOfReplacedEntry contains the sitemap.
//   - The sitemap is in XML, is not an index, and lists only pages of the site.
//   - No page, robots.txt or option names the sitemap.
//
// It reports sitemaps that are not removed and that search engines may read.
func (j *job) stageForeignRemovals() {
	lines, linesErr := j.sitemapLines()
	rivals := j.rivalsInRobots(lines)
	names := slices.DeleteFunc(slices.Concat([]string{j.o.Name + ".gz"}, j.o.Leftovers, rivals), func(name string) bool {
		return !j.isFile(name) || !isLocal(name) || name == j.o.Name || j.isFromAnyRun(name) || j.o.IsPage != nil && j.o.IsPage(name)
	})
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	replaced := j.filesOfReplacedEntry()
	var left []string // files that no page, robots.txt or option names
	isNamed := false  // a page or robots.txt names one of the sitemaps
	for _, name := range slices.Compact(names) {
		inIndex, twin := slices.Contains(j.o.Index, j.names.loc(name)), name == j.o.Name+".gz"
		free := linesErr == nil && !inIndex && (j.o.IsReferenced == nil || !j.o.IsReferenced(name)) &&
			!slices.ContainsFunc(lines, func(l robots.SitemapLine) bool { return l.Value == j.names.loc(name) })
		switch {
		case free && replaced[name] && j.formatIfOnlySitePages(name) == sitemap.FormatURLSet:
			j.stageRemoval(place{j.dir, name})
		case twin:
			j.reportForeignSitemap(name, ", or let --gzip also write ours in its place",
				"another tool wrote it; a server with gzip_static answers with it in place of %s", path.Base(j.o.Name))
		case free:
			left = append(left, name)
		case !inIndex && (path.Dir(name) == path.Dir(j.o.Name) || slices.Contains(rivals, name)):
			isNamed = true
			j.report.Diags.Notef(diag.Pos{File: name}, "stale-sitemap", cmp.Or(j.o.TurnOff, otherTool)+"; then remove the file, and the link or the line in robots.txt that names it",
				"another tool wrote it, and a page or robots.txt names it; search engines read it beside %s", j.o.Name)
		}
	}
	switch {
	case isNamed:
	case len(left) == 1:
		j.reportForeignSitemap(left[0], "", "another tool wrote it, and %s does not name it", j.o.Name)
	case len(left) > 1:
		j.reportForeignSitemap(left[0], "", "another tool wrote it and %s, and %s does not name them", strings.Join(left[1:], ", "), j.o.Name)
	}
}

// rivalsInRobots returns the names of sitemaps of another tool that search engines read because of
// robots.txt. lines are the Sitemap lines of robots.txt. An index that names no file of sitewalk is
// always included. Any other file is included only if all lines name files below Dir, and no such
// file is a file of sitewalk or names one.
func (j *job) rivalsInRobots(lines []robots.SitemapLine) (rivals []string) {
	var others []string
	leadsToOwn := false
	for _, l := range lines {
		name, ok := j.names.fileAt(l.Value)
		if !ok || j.isFromAnyRun(name) { // a file elsewhere may be an index that names ours
			leadsToOwn = true
			continue
		}
		namesOwn := false
		format := j.forEachItemIn(name, func(item *sitemap.Item) bool {
			child, ok := j.names.fileAt(item.Loc)
			namesOwn = item.Sitemap && ok && j.isFromAnyRun(child)
			return item.Sitemap && !namesOwn
		})
		switch {
		case namesOwn:
			leadsToOwn = true
		case format == sitemap.FormatIndex:
			rivals = append(rivals, name)
		default:
			others = append(others, name)
		}
	}
	if leadsToOwn {
		return rivals
	}
	return append(rivals, others...)
}

// isFromAnyRun reports whether this run writes or removes the file called name, or whether an
// earlier run wrote the file.
func (j *job) isFromAnyRun(name string) bool {
	p := place{j.dir, name}
	return j.changes[p] || isFromEarlierRun(p)
}

// isFile reports whether a regular file called name exists below Dir.
func (j *job) isFile(name string) bool {
	info, err := j.dir.Stat(name)
	return err == nil && info != nil && info.Mode().IsRegular()
}

// reportForeignSitemap reports that another tool wrote the sitemap called name. The sitemap is not
// removed.
func (j *job) reportForeignSitemap(name, hint, format string, args ...any) {
	j.report.Diags.Warnf(diag.Pos{File: name}, "stale-sitemap", "remove it before the site is published"+hint+"; for the next build, "+cmp.Or(j.o.TurnOff, otherTool), format, args...)
}

// otherTool is the advice to the user if Options.TurnOff is "".
const otherTool = "turn the other tool's sitemap off"

// filesOfReplacedEntry returns the names of the other tool's files that become useless because this
// run replaces the other tool's entry file. These are the compressed file beside the entry file,
// and the sitemaps that the entry file names if it is an index. The result is empty if this run
// replaces no entry file of another tool.
//
// If Base has a path, the result contains no sitemaps of an index, because the robots.txt at the
// root of the host may name them. This run cannot read that robots.txt.
func (j *job) filesOfReplacedEntry() map[string]bool {
	names, p := map[string]bool{}, place{j.dir, j.o.Name}
	if !j.changes[p] || !j.isFile(p.name) || isFromEarlierRun(p) {
		return names
	}
	names[j.o.Name+".gz"] = true
	if u, err := url.Parse(j.o.Base); err != nil || u.Path != "/" {
		return names
	}
	j.forEachItemIn(j.o.Name, func(item *sitemap.Item) bool {
		if name, ok := j.names.fileAt(item.Loc); item.Sitemap && ok {
			names[name] = true
		}
		return item.Sitemap
	})
	return names
}
