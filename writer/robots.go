package writer

import (
	"bytes"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/files"
)

// robotsMark stands above each line of ours in robots.txt. It has a line of its
// own, as not every crawler reads past a URL on the next one.
const robotsMark = "# sitewalk keeps the next line; remove this one to keep it yourself"

// robotsFile is where the Robots Exclusion Protocol (RFC 9309, 2.3) looks.
const robotsFile = "robots.txt"

// maxRobots is as much as crawlers read at least (RFC 9309, 2.5): a line behind that
// would not be found.
const maxRobots = 500 << 10

// announce drafts robots.txt with a line for each file that crawlers start at.
func (r *job) announce(shards []shard, feeds []string) error {
	if !r.Robots {
		return nil
	}
	lines := r.entrances(shards, feeds)
	if u, err := url.Parse(r.Base); err != nil || u.Path != "/" {
		r.noRobots("add \"Sitemap: "+strings.Join(lines, "\", \"Sitemap: ")+"\" to the robots.txt at the root of the host, or submit the sitemap to the search engines by hand",
			"%s is served below a path, and crawlers read robots.txt at the root of a host only; it is left alone", r.Base)
		return nil
	}
	dir, err := r.robotsFolder()
	if err != nil {
		return err
	}
	return r.draftRobots(dir, lines)
}

// noRobots reports that no line can be kept, and why.
func (r *job) noRobots(hint, format string, args ...any) {
	r.Diags.Warnf(diag.Pos{File: robotsFile}, "robots-unreachable", hint, format, args...)
}

// robotsFolder returns the folder of robots.txt.
func (r *job) robotsFolder() (*folder, error) { return r.publish, r.publishErr }

// robotsLines returns the lines of robots.txt as it is; none without one.
func (r *job) robotsLines() ([][]byte, error) {
	dir, err := r.robotsFolder()
	if err != nil {
		return nil, err
	}
	f, err := dir.open(robotsFile)
	if f == nil || err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := files.ReadAll(f, robotsFile, maxRobots)
	if errors.As(err, new(files.TooLarge)) {
		return nil, nil // draftRobots says so
	}
	return slices.Collect(bytes.Lines(text)), err
}

// formerEntries returns the XML entries other than that of this run that lines of
// ours name: an earlier run wrote them under another name.
func (r *job) formerEntries() (names []string, err error) {
	lines, err := r.robotsLines()
	for i := range lines {
		loc, _ := sitemapLine(lines[i])
		escaped, below := strings.CutPrefix(strings.TrimSuffix(loc, ".gz"), r.Base)
		name, bad := url.PathUnescape(escaped)
		if ownLine(lines, i) && below && bad == nil && name != r.Name && CheckEntry(name) == nil {
			names = append(names, name)
		}
	}
	return names, err
}

func (r *job) draftRobots(dir *folder, lines []string) error {
	if dir.check(robotsFile) != nil {
		r.noRobots("rename what stands there", "what stands in the publish directory under that name is no file; it is left alone")
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
		return r.putPlain(dir, robotsFile, robots(nil, lines))
	}
	defer f.Close()
	old, err := files.ReadAll(f, robotsFile, maxRobots)
	if errors.As(err, new(files.TooLarge)) {
		r.noRobots("make it smaller, so that crawlers read the whole of it", "%v; it is left alone", diag.Cause(err))
		return nil
	}
	if err != nil {
		return err
	}
	return r.putPlain(dir, robotsFile, robots(old, lines))
}

// entrances returns the URLs of the files that a crawler has to know: the XML
// entry and further indexes, else each file of the first format.
func (r *job) entrances(shards []shard, feeds []string) []string {
	var names []string
	switch {
	case r.has("xml"):
		names = append(names, r.Name)
		for i := range r.further {
			names = append(names, r.furtherName(i+1))
		}
	case len(r.whole) > 0 && r.whole[0].name == r.Formats[0]:
		for i := range shards {
			names = append(names, r.file(shards[i].name, r.whole[0].name))
		}
	default:
		names = feeds[:min(1, len(feeds))]
	}
	urls := make([]string, len(names))
	for i, name := range names {
		urls[i] = r.url(r.published(name))
	}
	return urls
}

// robots returns old with exactly one Sitemap line for each of urls. Lines of
// ours that name anything else, or what a line of the user's names too, are
// taken back; every other byte stays.
func robots(old []byte, urls []string) []byte {
	lines := slices.Collect(bytes.Lines(old))
	theirs, ours := map[string]bool{}, map[string]bool{}
	for i := range lines {
		if loc, ok := sitemapLine(lines[i]); ownLine(lines, i) {
			ours[loc] = true
		} else if ok {
			theirs[loc] = true
		}
	}
	want := slices.DeleteFunc(slices.Clone(urls), func(u string) bool { return theirs[u] || ours[u] })
	out := make([]byte, 0, len(old)+256)
	eol := lineEnd(old)
	for i := 0; i < len(lines); i++ {
		if !ownLine(lines, i+1) {
			out = append(out, lines[i]...)
			continue
		}
		loc, _ := sitemapLine(lines[i+1])
		switch {
		case slices.Contains(urls, loc) && !theirs[loc]:
			theirs[loc] = true // a second one goes
			out = append(append(out, lines[i]...), lines[i+1]...)
		case len(want) > 0:
			out = appendOwn(out, want[0], eol)
			want = want[1:]
		}
		i++
	}
	for _, u := range want {
		if len(out) > 0 && out[len(out)-1] != '\n' {
			out = append(out, eol...)
		}
		out = appendOwn(out, u, eol)
	}
	return out
}

func appendOwn(out []byte, loc, eol string) []byte {
	return append(out, robotsMark+eol+"Sitemap: "+loc+eol...)
}

// ownLine reports whether the line at i is a Sitemap line that our mark precedes.
func ownLine(lines [][]byte, i int) bool {
	if i < 1 || i >= len(lines) || string(bytes.TrimSpace(lines[i-1])) != robotsMark {
		return false
	}
	_, ok := sitemapLine(lines[i])
	return ok
}

// sitemapLine returns the URL that a line of robots.txt names as a sitemap: the
// key in any case, blanks where one likes, up to a comment.
func sitemapLine(line []byte) (loc string, ok bool) {
	text, _, _ := strings.Cut(strings.TrimPrefix(string(line), "\ufeff"), "#")
	key, value, ok := strings.Cut(text, ":")
	if !ok || !strings.EqualFold(strings.TrimSpace(key), "sitemap") {
		return "", false
	}
	return strings.TrimSpace(value), true
}

// lineEnd returns how the lines of a file end.
func lineEnd(file []byte) string {
	if i := bytes.IndexByte(file, '\n'); i > 0 && file[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
