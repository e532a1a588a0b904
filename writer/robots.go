package writer

import (
	"bytes"
	"context"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/robots"
)

// robotsMark stands above each line of ours in robots.txt. It has a line of its
// own, as not every crawler reads past a URL on the next one.
const robotsMark = "# sitewalk keeps the next line; remove this one to keep it yourself"

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
func (r *job) sitemapLines() ([]sitemapLine, error) {
	if r.publishErr != nil {
		return nil, r.publishErr
	}
	f, err := r.publish.open(robotsFile)
	if f == nil || err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, robots.Max))
	return sitemapLines(text), err
}

// formerEntries returns the XML entries other than that of this run that lines of
// ours name: an earlier run wrote them under another name.
func (r *job) formerEntries() (names []string, err error) {
	lines, err := r.sitemapLines()
	for _, l := range lines {
		escaped, below := strings.CutPrefix(strings.TrimSuffix(l.Value, ".gz"), r.Base)
		name, bad := url.PathUnescape(escaped)
		if l.ours && below && bad == nil && name != r.Name && CheckEntry(name) == nil {
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
		return r.putPlain(dir, robotsFile, announced(nil, lines), 0)
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
	text := announced(old, lines)
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
	case r.has("xml"):
		for i := range r.further + 1 {
			names = append(names, r.indexName(i))
		}
	case len(r.whole) > 0 && r.whole[0].name == r.lists()[0]:
		for i := range r.children {
			names = append(names, r.file(r.children[i].name, r.whole[0].name))
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

// announced returns old with exactly one Sitemap line for each of urls. Lines of
// ours that name anything else, or what a line of the user's names too, are
// removed, and so are those of a generator that name its development server; every
// other byte stays.
func announced(old []byte, urls []string) []byte {
	lines := sitemapLines(old)
	local := len(urls) > 0 && (&robots.Line{Value: urls[0]}).Local()
	for i := range lines {
		lines[i].ours = lines[i].ours || !local && lines[i].Local()
	}
	theirs, ours := map[string]bool{}, map[string]bool{}
	for _, l := range lines {
		if l.ours {
			ours[l.Value] = true
		} else {
			theirs[l.Value] = true
		}
	}
	want := slices.DeleteFunc(slices.Clone(urls), func(u string) bool { return theirs[u] || ours[u] })
	out, from, eol := make([]byte, 0, len(old)+256), 0, lineEnd(old)
	for _, l := range lines {
		if !l.ours {
			continue
		}
		out = append(out, old[from:l.from]...)
		from = l.End
		switch {
		case slices.Contains(urls, l.Value) && !theirs[l.Value]:
			theirs[l.Value] = true // a second one goes
			out = append(out, old[l.from:l.End]...)
		case len(want) > 0:
			out = appendOwn(out, want[0], eol)
			want = want[1:]
		}
	}
	out = append(out, old[from:]...)
	for _, u := range want {
		if len(out) > 0 && out[len(out)-1] != eol[len(eol)-1] {
			out = append(out, eol...)
		}
		out = appendOwn(out, u, eol)
	}
	return out
}

func appendOwn(out []byte, loc, eol string) []byte {
	return append(out, robotsMark+eol+"Sitemap: "+loc+eol...)
}

// A sitemapLine is a line of robots.txt that names a sitemap.
type sitemapLine struct {
	robots.Line
	ours bool // our mark precedes it
	from int  // where it begins, with our mark
}

func sitemapLines(text []byte) (all []sitemapLine) {
	mark := -1 // where the line before begins, when it is our mark
	for l := range robots.Lines(text) {
		if l.Key == robots.Sitemap && mark >= 0 {
			all = append(all, sitemapLine{l, true, mark})
		} else if l.Key == robots.Sitemap {
			all = append(all, sitemapLine{l, false, l.Start})
		}
		mark = -1
		if string(bytes.TrimSpace(text[l.Start:l.End])) == robotsMark {
			mark = l.Start
		}
	}
	return all
}

// lineEnd returns how the lines of a file end.
func lineEnd(file []byte) string {
	i := bytes.IndexAny(file, "\r\n")
	switch {
	case i < 0 || file[i] == '\n':
		return "\n"
	case bytes.HasPrefix(file[i:], []byte("\r\n")):
		return "\r\n"
	}
	return "\r"
}
