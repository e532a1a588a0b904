package writer

import (
	"bufio"
	"bytes"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/llms"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A run recognizes the files of an earlier run in two steps. First, findPastFiles collects names
// from the output folder, from the entry file, and from the Sitemap lines in robots.txt. Then
// isFromEarlierRun reads each file, and reports whether an earlier run wrote it. stageStaleRemovals
// removes only files for which isFromEarlierRun returns true.

// A place is the location of a file: a folder, and the path of the file in the folder.
type place struct {
	dir  *files.Folder
	name string // slash-separated path below dir
}

// findPastFiles sets j.pastFiles and j.pastChildren. The files that an earlier run may have written
// are those that belong to the entry file j.o.Name (such as sitemap.xml), and the llms.txt of the
// site and of each language. If j.o.Robots is set, they also include the files that belong to earlier
// entry files with other names. Those names are in the Sitemap lines that sitewalk added to
// robots.txt.
func (j *job) findPastFiles() error {
	j.pastChildren = map[string]bool{}
	entries := []string{j.o.Name}
	if j.o.Robots {
		former, err := j.formerEntryNames()
		if err != nil {
			return err
		}
		entries = append(entries, former...)
	}
	for _, entry := range entries {
		n := newNames(j.o.Base, entry)
		if err := j.addPastFilesOfEntryFile(&n); err != nil {
			return err
		}
	}
	for _, lang := range append([]Language{{}}, j.o.LLMS.Languages...) {
		j.addPastFile(place{j.llmsDir, path.Join(lang.Dir, llms.Name)})
	}
	return nil
}

// addPastFile adds p to j.pastFiles.
func (j *job) addPastFile(p place) { j.pastFiles = append(j.pastFiles, p) }

// addPastFilesOfEntryFile calls addPastFile for each file that belongs to the entry file of n: the
// entry file in all formats, the stylesheet, the page for people that the entry file names in a
// comment, and the children. The entry file comes first, because an index must be removed before
// the files that it names.
//
// A file with the name of a child is a child if sitewalk wrote the entry file, and the entry file
// lists the child. The file is also a child if a comment in it names the entry file, because a
// killed run may have written the child before the index.
func (j *job) addPastFilesOfEntryFile(n *names) error {
	j.addPastFilesOfChild(n, "")
	j.addPastFile(place{j.dir, n.childFile("", "css")})
	addChild := func(child, loc string) {
		if !slices.Contains(j.o.Index, loc) { // Options.Index names sitemaps that this build does not write
			j.addPastFilesOfChild(n, child)
		}
	}
	entry := n.childFile("", "xml")
	for _, suffix := range gzipSuffixes["also"] {
		head, err := readMarkedHead(place{j.dir, entry + suffix})
		if err != nil {
			return err
		}
		if page := markerValue(head, pageMarker); isLocal(page) && path.Ext(page) == ".html" {
			j.addPastFile(place{j.dir, page})
		}
		if head == nil {
			continue
		}
		j.forEachItemIn(entry+suffix, func(item *sitemap.Item) bool {
			if child, ok := n.childAt(item.Loc); ok && item.Sitemap {
				addChild(child, item.Loc)
			}
			return item.Sitemap
		})
	}
	names, err := j.dir.Names(n.sub, n.stem+"-")
	if err != nil {
		return err
	}
	for _, name := range names {
		name = path.Join(n.sub, name)
		child, ok := n.childAt(n.loc(name))
		if !ok || j.pastChildren[n.childFile(child, "xml")] {
			continue
		}
		head, err := readMarkedHead(place{j.dir, name})
		if err != nil {
			return err
		}
		if markerValue(head, indexMarker) == entry {
			addChild(child, n.loc(name))
		}
	}
	return nil
}

// readMarkedHead returns the first MarkSize bytes of the file p, decompressed. It returns nil if
// the file is missing or sitewalk did not write it.
func readMarkedHead(p place) ([]byte, error) {
	f, err := openContent(p)
	if f == nil || err != nil {
		return nil, err
	}
	defer f.Close()
	if head, _ := f.Peek(MarkSize); IsMarked(head) {
		return head, nil
	}
	return nil, nil
}

// addPastFilesOfChild calls addPastFile for each file that may exist for one child. For the child
// "blog", these are sitemap-blog.xml and sitemap-blog.txt, each also with .gz. The child "" is the
// entry file, which also exists as a feed. The text file comes before the XML file, because
// isFromEarlierRun recognizes the text file by comparing it with the XML file.
func (j *job) addPastFilesOfChild(n *names, child string) {
	for _, suffix := range gzipSuffixes["also"] {
		for _, format := range slices.Backward(Formats) {
			if child == "" || formats[format].kind == allPages {
				name := n.childFile(child, format) + suffix
				j.addPastFile(place{j.dir, name})
				j.pastChildren[name] = child != ""
			}
		}
	}
}

// formatIfOnlySitePages returns the format of the sitemap called name if it lists only pages below
// j.o.Base. It returns 0 if the file lists another URL or a sitemap, or if it cannot be read
// completely.
func (j *job) formatIfOnlySitePages(name string) sitemap.Format {
	return j.forEachItemIn(name, func(item *sitemap.Item) bool { return !item.Sitemap && strings.HasPrefix(item.Loc, j.o.Base) })
}

// forEachItemIn calls visit for the items of the sitemap called name until visit returns false. It
// returns the format of the sitemap. It returns 0 if it stopped early, or if the file is missing or
// broken.
func (j *job) forEachItemIn(name string, visit func(*sitemap.Item) bool) sitemap.Format {
	f, err := openContent(place{j.dir, name})
	if f == nil || err != nil {
		return 0
	}
	defer f.Close()
	return forEachItem(f, visit)
}

// forEachItem calls visit for the items of a sitemap until visit returns false. It returns the
// format of the sitemap. It returns 0 if it stopped early, or if the sitemap is broken.
func forEachItem(r io.Reader, visit func(*sitemap.Item) bool) sitemap.Format {
	items := sitemap.NewReader(r)
	for item, err := range items.All() {
		if err != nil || !visit(&item) {
			return 0
		}
	}
	return items.Format()
}

// mayReplace reports whether this run may write to the path name in j.dir. It returns true if the
// file is missing or Stat fails, if isFromEarlierRun returns true, or if the file is a child that
// an earlier run wrote. It also returns true for a text sitemap with only URLs below j.o.Base,
// because such a file cannot show who wrote it.
func (j *job) mayReplace(name string) bool {
	p := place{j.dir, name}
	if info, err := j.dir.Stat(name); err != nil || info == nil || isFromEarlierRun(p) {
		return true
	}
	return j.pastChildren[name] || hasOneURLPerLine(strings.TrimSuffix(name, ".gz")) && j.formatIfOnlySitePages(name) == sitemap.FormatText
}

// A content reads the decompressed bytes of a file. It must be closed.
type content struct {
	*bufio.Reader
	io.Closer
}

// openContent opens the file p, and decompresses it if the name ends in ".gz". It returns nil
// without an error if the file is missing, is not a regular file, or has the name but not the
// content of a gzip file.
func openContent(p place) (*content, error) {
	f, err := p.dir.Open(p.name)
	if f == nil || err != nil {
		return nil, err
	}
	if path.Ext(p.name) != ".gz" {
		return &content{bufio.NewReader(f), f}, nil
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		_ = f.Close()
		return nil, nil
	}
	return &content{bufio.NewReader(z), f}, nil
}

// stageStaleRemovals adds to the transaction the removal of each file that an earlier run wrote and
// that this run does not write.
func (j *job) stageStaleRemovals() {
	for _, p := range j.pastFiles {
		if !j.changes[p] && isFromEarlierRun(p) {
			j.stageRemoval(p)
		}
	}
}

// isFromEarlierRun reports whether an earlier run wrote the file p. An XML or HTML file must
// contain sitewalk's mark, the comment "written by sitewalk", before its first element. A CSS file
// must begin with markedCSS. A text file cannot contain the mark, so it must list exactly the URLs
// of an XML file by sitewalk with the same name. An llms.txt must contain no text by the user. A
// gzip file must unpack to such a file.
func isFromEarlierRun(p place) bool {
	f, err := openContent(p)
	if f == nil || err != nil {
		return false
	}
	defer f.Close()
	plain := strings.TrimSuffix(p.name, ".gz")
	switch stem := strings.TrimSuffix(plain, path.Ext(plain)); {
	case path.Base(p.name) == llms.Name:
		frame, err := p.readFrame()
		return err == nil && frame.IsGenerated()
	case hasOneURLPerLine(plain):
		return hasSameURLs(f, place{p.dir, stem + ".xml"}) || hasSameURLs(f, place{p.dir, stem + ".xml.gz"})
	}
	head, _ := f.Peek(MarkSize)
	return IsMarked(head) || path.Ext(plain) == ".css" && bytes.HasPrefix(head, []byte(markedCSS))
}

// markedCSS is the beginning of every stylesheet that sitewalk writes.
const markedCSS = "/* written by sitewalk"

// hasSameURLs reports whether sitewalk wrote the file xml, and the lines of text are exactly the
// URLs in xml.
func hasSameURLs(text *content, xml place) bool {
	f, err := openContent(xml)
	if f == nil || err != nil {
		return false
	}
	defer f.Close()
	if head, _ := f.Peek(MarkSize); !IsMarked(head) {
		return false
	}
	lines := bufio.NewScanner(text)
	same := forEachItem(f, func(item *sitemap.Item) bool {
		return lines.Scan() && !item.Sitemap && item.Loc == lines.Text()
	})
	return same != 0 && !lines.Scan() && lines.Err() == nil
}
