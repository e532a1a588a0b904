package writer

import (
	"context"
	"errors"
	"io"
	"net/url"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/robots"
)

// robotsFile is where the Robots Exclusion Protocol (RFC 9309, 2.3) looks.
const robotsFile = "robots.txt"

// stageRobots drafts robots.txt with a line for each file that crawlers start at.
func (r *job) stageRobots(context.Context) error {
	lines := r.entryURLs()
	if u, err := url.Parse(r.Base); err != nil || u.Path != "/" {
		if len(lines) == 0 {
			return nil // nothing to announce
		}
		r.reportRobots("add \"Sitemap: "+strings.Join(lines, "\", \"Sitemap: ")+"\" to the robots.txt at the root of the host, or submit the sitemap to the search engines by hand",
			"%s is served below a path, and crawlers read robots.txt at the root of a host only; it is not changed", r.Base)
		return nil
	}
	return r.updateRobots(place{r.publish, robotsFile}, lines)
}

// atRobots returns the place of robots.txt, for findings.
func (r *job) atRobots() diag.Pos { return diag.Pos{File: r.fromDir(place{r.publish, robotsFile})} }

// reportRobots reports that no line can be kept, and why.
func (r *job) reportRobots(hint, format string, args ...any) {
	r.Diags.Warnf(r.atRobots(), "robots-unreachable", hint, format, args...)
}

// sitemapLines returns the lines of robots.txt that name sitemaps; none without one.
func (r *job) sitemapLines() ([]robots.SitemapLine, error) {
	f, err := r.publish.Open(robotsFile)
	if f == nil || err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, robots.Max))
	return robots.SitemapLines(text), err
}

// formerEntries returns the XML entries other than that of this run that lines of
// isOurs name: an earlier run wrote them under another name.
func (r *job) formerEntries() (names []string, err error) {
	lines, err := r.sitemapLines()
	for _, l := range lines {
		name, ok := r.fileAt(strings.TrimSuffix(l.Value, ".gz"))
		if l.Ours && ok && name != r.Name && CheckEntry(name) == nil {
			names = append(names, name)
		}
	}
	return names, err
}

func (r *job) updateRobots(p place, lines []string) error {
	if p.dir.Check(p.name) != nil {
		r.reportRobots("rename what stands there", "what stands in the publish directory under that name is not a file; it is left alone")
		return nil
	}
	old, err := p.read(robots.Max)
	switch {
	case errors.Is(err, errIrregular):
		r.reportRobots("replace the link by the file it leads to", "the link leads to no file in the publish directory; it is left alone")
		return nil
	case len(old) > robots.Max: // in the words of who reads its rules, so that it is one finding
		r.Diags.Warnf(r.atRobots(), "oversized", "keep the file shorter", "only the first %d bytes are read", robots.Max)
		return nil
	case err != nil:
		return err
	}
	text := robots.Announce(old, lines)
	if len(text) > robots.Max {
		r.reportRobots("keep the file shorter", "Google reads the first %d bytes of it alone, and with the line for the sitemap it is longer; it is left alone", robots.Max)
		return nil
	}
	return r.stage(p, text, File{})
}

// entryURLs returns the URLs of the files that a crawler has to know: the XML
// entry and further indexes, else each file of the first format.
func (r *job) entryURLs() []string {
	var urls []string
	switch {
	case r.xml:
		for i := range r.further + 1 {
			urls = append(urls, r.url(r.index(i)))
		}
	case len(r.whole) > 0 && r.url(r.file("", r.whole[0])) == r.loc(r.Entry()):
		for i := range r.children {
			urls = append(urls, r.url(r.file(r.children[i].Name, r.whole[0])))
		}
	case len(r.feedNames) > 0:
		urls = append(urls, r.url(r.feedNames[0]))
	}
	return urls
}
