package writer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/robots"
)

// robotsFile is the name of the robots.txt file (RFC 9309, section 2.3).
const robotsFile = "robots.txt"

// stageRobots adds robots.txt to the transaction, with one Sitemap line for each file at which
// crawlers start. If Base has a path, it reports the lines instead, which the user must add to the
// robots.txt at the root of the host.
func (j *job) stageRobots(context.Context) error {
	lines := j.entryURLs()
	if u, err := url.Parse(j.o.Base); err != nil || u.Path != "/" {
		if len(lines) == 0 {
			return nil // there is no sitemap for crawlers
		}
		j.reportRobots("add \"Sitemap: "+strings.Join(lines, "\", \"Sitemap: ")+"\" to the robots.txt at the root of the host, or submit the sitemap to the search engines by hand",
			"%s is served below a path, and crawlers read robots.txt at the root of a host only; it is not changed", j.o.Base)
		return nil
	}
	return j.updateRobots(place{j.publishDir, robotsFile}, lines)
}

// robotsPos returns the position for findings about robots.txt.
func (j *job) robotsPos() diag.Pos {
	return diag.Pos{File: j.reportedName(place{j.publishDir, robotsFile})}
}

// reportRobots reports why no Sitemap line can be written into robots.txt.
func (j *job) reportRobots(hint, format string, args ...any) {
	j.report.Diags.Warnf(j.robotsPos(), "robots-unreachable", hint, format, args...)
}

// sitemapLines returns the Sitemap lines of the existing robots.txt. If robots.txt is missing or is
// not a regular file, both results are nil. sitemapLines reads at most robots.MaxBytes of the file.
func (j *job) sitemapLines() ([]robots.SitemapLine, error) {
	f, err := j.publishDir.Open(robotsFile)
	if f == nil || err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, robots.MaxBytes))
	return robots.SitemapLines(text), err
}

// formerEntryNames returns the names of XML entry files other than j.o.Name that earlier runs wrote.
// It finds the names in the Sitemap lines that sitewalk added to robots.txt.
func (j *job) formerEntryNames() (names []string, err error) {
	lines, err := j.sitemapLines()
	for _, l := range lines {
		name, ok := j.names.fileAt(strings.TrimSuffix(l.Value, ".gz"))
		if l.IsOwn && ok && name != j.o.Name && CheckEntry(name) == nil {
			names = append(names, name)
		}
	}
	return names, err
}

// updateRobots adds the robots.txt p to the transaction, with a Sitemap line for each of urls. It
// keeps the user's other lines; see robots.UpdateSitemapLines. If p is not a regular file or is too
// long, updateRobots adds a finding and does not change p.
func (j *job) updateRobots(p place, urls []string) error {
	if p.dir.CheckReplaceable(p.name) != nil {
		j.reportRobots("rename what stands there", "what stands in the publish directory under that name is not a file; it is left alone")
		return nil
	}
	old, err := p.read(robots.MaxBytes)
	switch {
	case errors.Is(err, errNotRegular):
		j.reportRobots("replace the link by the file it leads to", "the link leads to no file in the publish directory; it is left alone")
		return nil
	case len(old) > robots.MaxBytes: // the same words as the finding of the robots package, so that both are one finding
		j.report.Diags.Warnf(j.robotsPos(), "oversized", "keep the file shorter", "only the first %d bytes are read", robots.MaxBytes)
		return nil
	case err != nil:
		return err
	}
	text := robots.UpdateSitemapLines(old, urls)
	if len(text) > robots.MaxBytes {
		j.reportRobots("keep the file shorter", "Google reads the first %d bytes of it alone, and with the line for the sitemap it is longer; it is left alone", robots.MaxBytes)
		return nil
	}
	return j.stage(p, text, File{})
}

// entryURLs returns the URLs of the files at which crawlers start. With XML, this is the entry
// file. Without XML, these are all files of the first requested format other than "llms": the files
// of a text sitemap, or one feed. The result is empty if only "llms" is requested, or if that feed
// is not written.
func (j *job) entryURLs() []string {
	var urls []string
	switch {
	case j.hasXML:
		urls = append(urls, j.urlOfWrittenFile(j.o.Name))
	case len(j.pageFormats) > 0 && j.urlOfWrittenFile(j.names.childFile("", j.pageFormats[0])) == j.names.loc(j.o.EntryFile()):
		for i := range j.children {
			urls = append(urls, j.urlOfWrittenFile(j.names.childFile(j.children[i].name, j.pageFormats[0])))
		}
	case len(j.feedNames) > 0:
		urls = append(urls, j.urlOfWrittenFile(j.feedNames[0]))
	}
	return urls
}

// stageKey adds the file of the IndexNow key to the transaction. The file is in the root folder of
// the published site, because a key is valid only for URLs below the folder of its file. stageKey
// does not change an existing file that contains the key and white space. It returns an error if
// the file has other content, or if another file of this run has the same name.
func (j *job) stageKey(context.Context) error {
	p := place{j.publishDir, keyFileName(j.o.IndexNowKey)}
	if j.changes[p] {
		return fmt.Errorf("key %q would give its file the name of a sitemap; choose another key", j.o.IndexNowKey)
	}
	if err := p.dir.CheckReplaceable(p.name); err != nil {
		return err
	}
	old, err := p.read(maxKey + MarkSize)
	switch {
	case old == nil && err == nil, string(old) == j.o.IndexNowKey:
		return j.stage(p, []byte(j.o.IndexNowKey), File{})
	case string(bytes.TrimSpace(old)) == j.o.IndexNowKey:
		return nil // the user maintains the file
	}
	return fmt.Errorf("output %q is in the way and does not hold the key; remove it, or choose another key", p.name)
}
