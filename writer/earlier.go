package writer

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/llms"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A run finds the files of an earlier run in two steps. findCandidates collects candidates from
// the indexes, the Sitemap lines in robots.txt, and the names in the output folder. isOurs reads a
// candidate and checks that an earlier run wrote the file, and that the file is unchanged since
// then. This run replaces such a file, or removes it.

// A place is the location of a file: a folder, and the path in the folder.
type place struct {
	dir  *files.Folder
	name string // slash-separated path below dir
}

// A pastFiles is the set of files that an earlier run may have written.
type pastFiles struct {
	files    []candidate
	children map[string]bool // XML files that indexes of the earlier run name, by path
	keys     map[string]bool // IndexNow keys that these indexes contain
}

// A candidate is a file that an earlier run may have written. phase is the step of the commit in
// which it would be removed. Indexes are removed before the files that they name.
type candidate struct {
	place
	phase int
}

// findCandidates sets j.earlierRun. The candidates are the files that belong to the entry file
// j.Name, and the llms.txt of each language. If j.Robots is set, they also include the files that
// belong to former entry files. It finds the names of former entry files in the Sitemap lines that
// earlier runs wrote into robots.txt.
func (j *job) findCandidates() error {
	j.earlierRun = &pastFiles{children: map[string]bool{}, keys: map[string]bool{}}
	entries := []string{j.Name}
	if j.Robots {
		former, err := j.formerEntryNames()
		if err != nil {
			return err
		}
		entries = append(entries, former...)
	}
	for _, entry := range entries {
		n := newNames(j.Base, entry)
		if err := j.addCandidatesOfEntryFile(&n); err != nil {
			return err
		}
	}
	for _, lang := range append([]Language{{}}, j.LLMS.Languages...) {
		j.addCandidate(place{j.llmsDir, path.Join(lang.Dir, llms.Name)}, phaseOldFiles)
	}
	return nil
}

// addCandidate adds the file p to the candidates. phase is the step of the commit in which the file
// would be removed.
func (j *job) addCandidate(p place, phase int) {
	j.earlierRun.files = append(j.earlierRun.files, candidate{p, phase})
}

// addCandidatesOfEntryFile adds the files with names from n to the candidates: indexes, the files
// that they name, sitemaps that remain from a killed run, the stylesheet, and the files of the
// entry itself.
func (j *job) addCandidatesOfEntryFile(n *names) error {
	for i, there := 0, true; there; i++ {
		there = i == 0
		for _, suffix := range suffixes["also"] {
			p := place{j.dir, n.indexFile(i) + suffix}
			f, err := openContent(p)
			if err != nil {
				return err
			}
			if f != nil {
				there = true
				j.addCandidate(p, phaseOldIndexes)
				j.readIndex(n, f)
			}
		}
	}
	if err := j.addOrphans(n); err != nil {
		return err
	}
	j.addCandidate(place{j.dir, n.childFile("", "css")}, phaseOldFiles)
	j.addChildCandidates(n, "")
	return nil
}

// addOrphans adds sitemaps with a comment that names an index of n, although the index does not
// name them. Such sitemaps remain if an earlier run was killed.
func (j *job) addOrphans(n *names) error {
	files, err := j.dir.Names(n.sub, n.stem+"-")
	if err != nil {
		return err
	}
	for _, file := range files {
		loc := n.loc(path.Join(n.sub, file))
		child, ok := n.childAt(loc)
		if !ok || j.earlierRun.children[n.childFile(child, "xml")] || slices.Contains(j.Index, loc) {
			continue
		}
		f, err := openContent(place{j.dir, path.Join(n.sub, file)})
		if err != nil {
			return err
		}
		if f == nil {
			continue
		}
		head, _ := f.Peek(MarkSize)
		f.Close()
		if IsMarked(head) && markerValue(head, indexMarker) == n.childFile("", "xml") {
			j.earlierRun.children[n.childFile(child, "xml")] = true
			j.addChildCandidates(n, child)
		}
	}
	return nil
}

// readIndex adds to the candidates the files that f names: sitemaps, the page for people and the
// file of the IndexNow key. f is an index of an earlier run, and is closed afterwards.
func (j *job) readIndex(n *names, f *content) {
	defer f.Close()
	head, _ := f.Peek(MarkSize)
	if !IsMarked(head) {
		return
	}
	if page := markerValue(head, pageMarker); isLocal(page) && path.Ext(page) == ".html" {
		j.addCandidate(place{j.dir, page}, phaseOldFiles)
	}
	j.addKeyCandidate(markerValue(head, keyMarker))
	forEachItem(f, func(item *sitemap.Item) bool {
		child, ok := n.childAt(item.Loc)
		if item.Sitemap && ok && !slices.Contains(j.Index, item.Loc) { // Options.Index names sitemaps that this build does not write
			j.earlierRun.children[n.childFile(child, "xml")] = true
			j.addChildCandidates(n, child)
		}
		return item.Sitemap
	})
}

// addChildCandidates adds the files that list the pages of one child to the candidates, in all
// formats. The child "" is the entry file, which every format has; other children exist only in
// formats that list all pages. The XML file is added last, because the others are recognized by
// comparing them with it.
func (j *job) addChildCandidates(n *names, child string) {
	for _, suffix := range suffixes["also"] {
		for _, format := range slices.Backward(Formats) {
			if child == "" || formats[format].kind == allPages {
				j.addCandidate(place{j.dir, n.childFile(child, format) + suffix}, phaseOldFiles)
			}
		}
	}
}

// addKeyCandidate adds the file of an IndexNow key to the candidates, if key is valid.
func (j *job) addKeyCandidate(key string) {
	if CheckKey(key) == nil {
		j.earlierRun.keys[key] = true
		j.addCandidate(place{j.publishDir, keyFileName(key)}, phaseOldFiles)
	}
}

// formatIfOwnPages returns the format of the sitemap called name if the sitemap lists only URLs
// below Base. It returns 0 for any other file, and for a file that cannot be read completely.
func (j *job) formatIfOwnPages(name string) sitemap.Format {
	return j.forEachItemIn(name, func(item *sitemap.Item) bool { return !item.Sitemap && strings.HasPrefix(item.Loc, j.Base) })
}

// forEachItemIn calls each for the items of the sitemap called name, and returns its format; see
// forEachItem. It returns 0 if the file does not exist.
func (j *job) forEachItemIn(name string, each func(*sitemap.Item) bool) sitemap.Format {
	f, err := openContent(place{j.dir, name})
	if f == nil || err != nil {
		return 0
	}
	defer f.Close()
	return forEachItem(f, each)
}

// forEachItem calls each for the items of a sitemap until each returns false. It returns the format
// of the sitemap. The result is 0 if forEachItem stopped early or the sitemap is broken.
func forEachItem(r io.Reader, each func(*sitemap.Item) bool) sitemap.Format {
	items := sitemap.NewReader(r)
	for item, err := range items.All() {
		if err != nil || !each(&item) {
			return 0
		}
	}
	return items.Format()
}

// mayReplace reports whether this run may write a file called name. That is the case if no file has
// the name, or if an earlier run probably wrote the file: isOurs recognizes it, or an index of the
// earlier run names it. A text sitemap cannot contain a mark, so a text file with only URLs below
// Base may also be replaced.
func (j *job) mayReplace(name string) bool {
	p := place{j.dir, name}
	if info, err := j.dir.Stat(name); err != nil || info == nil || j.isOurs(p) {
		return true
	}
	plain := strings.TrimSuffix(name, ".gz")
	if j.earlierRun.children[strings.TrimSuffix(plain, path.Ext(plain))+".xml"] {
		return true
	}
	return hasOneURLPerLine(plain) && j.formatIfOwnPages(name) == sitemap.FormatText
}

// A content reads the decompressed bytes of a file. It must be closed.
type content struct {
	*bufio.Reader
	io.Closer
	isOurGzip bool // not compressed, or compressed with a gzip header like the ones that sitewalk writes
}

// openContent opens the file p and decompresses it if the name ends in ".gz". It returns nil
// without an error if the file is missing or is not valid gzip.
func openContent(p place) (*content, error) {
	f, err := p.dir.Open(p.name)
	if f == nil || err != nil {
		return nil, err
	}
	if path.Ext(p.name) != ".gz" {
		return &content{bufio.NewReader(f), f, true}, nil
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		_ = f.Close()
		return nil, nil
	}
	// If gzip(1) or a similar program compressed the file, its header contains a name, a time or a
	// system.
	return &content{bufio.NewReader(z), f, z.Name == "" && z.OS == 255 && z.ModTime.Unix() == 0}, nil
}

// stageStaleRemovals adds to the transaction the removal of each file that an earlier run wrote and
// this run does not.
func (j *job) stageStaleRemovals() {
	for _, c := range j.earlierRun.files {
		if !j.changes[c.place] && j.isOurs(c.place) {
			j.stageRemoval(c.place, c.phase)
		}
	}
}

// hashContent returns the SHA-256 of the decompressed file p in hexadecimal. It returns "" if the
// file is empty, cannot be read, or is larger than a sitemap may be.
func hashContent(p place) string {
	f, err := openContent(p)
	if f == nil || err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	// A file larger than a sitemap cannot be a copy of a sitemap, and may be a gzip bomb.
	if n, err := io.CopyN(h, f, sitemap.MaxBytes+1); err != io.EOF || n == 0 {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}

// isOurs reports whether an earlier run wrote the file p, and p is unchanged since then. The comment
// at its beginning, called the mark, proves that. A text file has no mark, so its content must be the key,
// or the URLs of the XML file with the same name.
func (j *job) isOurs(p place) bool {
	f, err := openContent(p)
	if f == nil || err != nil {
		return false
	}
	defer f.Close()
	plain := strings.TrimSuffix(p.name, ".gz")
	switch stem := strings.TrimSuffix(plain, path.Ext(plain)); {
	case path.Base(p.name) == llms.Name: // it must have no text by the user
		frame, err := p.readFrame()
		return err == nil && frame.IsGenerated()
	case hasOneURLPerLine(plain): // IndexNow key or text sitemap
		return f.isOurGzip && (j.earlierRun.keys[stem] && p.containsOnlyKey(stem) || hasSameURLs(f, place{p.dir, stem + ".xml"}) || hasSameURLs(f, place{p.dir, stem + ".xml.gz"}))
	}
	head, _ := f.Peek(MarkSize)
	return f.isOurGzip && (IsMarked(head) || path.Ext(plain) == ".css" && bytes.HasPrefix(head, []byte(markedCSS)))
}

// markedCSS is the beginning of every stylesheet that sitewalk writes.
const markedCSS = "/* written by sitewalk"

// hasSameURLs reports whether the lines of text are exactly the URLs in xml, and xml is a file that
// sitewalk wrote.
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
