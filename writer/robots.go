package writer

import (
	"context"
	"io"
	"net/url"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/robots"
)

// robotsFile is where the Robots Exclusion Protocol (RFC 9309, 2.3) looks.
const robotsFile = "robots.txt"

// announce drafts robots.txt with a line for each file that crawlers start at.
func (r *job) announce(context.Context) error {
	lines := r.entrances()
	if u, err := url.Parse(r.Base); err != nil || u.Path != "/" {
		r.noRobots("add \"Sitemap: "+strings.Join(lines, "\", \"Sitemap: ")+"\" to the robots.txt at the root of the host, or submit the sitemap to the search engines by hand",
			"%s is served below a path, and crawlers read robots.txt at the root of a host only; it is not changed", r.Base)
		return nil
	}
	if r.publishErr != nil {
		return r.publishErr
	}
	return r.draftRobots(r.publish, lines)
}

// noRobots reports that no line can be kept, and why.
func (r *job) noRobots(hint, format string, args ...any) {
	r.Diags.Warnf(diag.Pos{File: robotsFile}, "robots-unreachable", hint, format, args...)
}

// sitemapLines returns the lines of robots.txt that name sitemaps; none without one.
func (r *job) sitemapLines() ([]robots.SitemapLine, error) {
	if r.publishErr != nil {
		return nil, r.publishErr
	}
	f, err := r.publish.open(robotsFile)
	if f == nil || err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, robots.Max))
	return robots.SitemapLines(text), err
}

// formerEntries returns the XML entries other than that of this run that lines of
// ours name: an earlier run wrote them under another name.
func (r *job) formerEntries() (names []string, err error) {
	lines, err := r.sitemapLines()
	for _, l := range lines {
		escaped, below := strings.CutPrefix(strings.TrimSuffix(l.Value, ".gz"), r.Base)
		name, bad := url.PathUnescape(escaped)
		if l.Ours && below && bad == nil && name != r.Name && CheckEntry(name) == nil {
			names = append(names, name)
		}
	}
	return names, err
}

func (r *job) draftRobots(dir *folder, lines []string) error {
	if dir.check(robotsFile) != nil {
		r.noRobots("rename what stands there", "what stands in the publish directory under that name is not a file; it is left alone")
		return nil
	}
	f, err := dir.open(robotsFile)
	if err != nil {
		return err
	}
	if f == nil {
		if info, _ := dir.stat(robotsFile); info != nil {
			r.noRobots("replace the link by the file it leads to", "the link leads to no file in the publish directory; it is left alone")
			return nil
		}
		return r.putPlain(dir, robotsFile, robots.Announce(nil, lines), 0)
	}
	defer f.Close()
	old, err := io.ReadAll(io.LimitReader(f, robots.Max+1))
	if err != nil {
		return err
	}
	if len(old) > robots.Max { // in the words of who reads its rules, so that it is one finding
		r.Diags.Warnf(diag.Pos{File: robotsFile}, "oversized", "keep the file shorter", "only the first %d bytes are read", robots.Max)
		return nil
	}
	text := robots.Announce(old, lines)
	if len(text) > robots.Max {
		r.noRobots("keep the file shorter", "Google reads the first %d bytes of it alone, and with the line for the sitemap it is longer; it is left alone", robots.Max)
		return nil
	}
	return r.putPlain(dir, robotsFile, text, 0)
}

// entrances returns the URLs of the files that a crawler has to know: the XML
// entry and further indexes, else each file of the first format.
func (r *job) entrances() []string {
	var names []string
	switch {
	case r.xml:
		for i := range r.further + 1 {
			names = append(names, r.indexName(i))
		}
	case len(r.whole) > 0 && r.whole[0].name == r.lists()[0]:
		for i := range r.children {
			names = append(names, r.file(r.children[i].Name, r.whole[0].name))
		}
	default:
		names = r.feedNames[:min(1, len(r.feedNames))]
	}
	urls := make([]string, len(names))
	for i, name := range names {
		urls[i] = r.url(r.published(name))
	}
	return urls
}
