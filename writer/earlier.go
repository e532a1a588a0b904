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

// Files of an earlier run are found in two steps. Method findCandidates collects candidates from the
// stageIndexes and from our line in robots.txt. Method isOurs reads a candidate for the proof that
// an earlier run wrote the file and nobody edited it. Such a file is replaced, or removed
// if this run does not write it.

// A place is where a file is.
type place struct {
	dir  *files.Folder
	name string // slash-separated
}

// earlier lists the files of an earlier run.
type earlier struct {
	files    []candidate
	children map[string]bool // sitemaps that its indexes name
	keys     map[string]bool // for IndexNow, that they name
}

// A candidate is a file that an earlier run may have written, and the phase in which it
// goes: indexes before what they name.
type candidate struct {
	place
	phase int
}

// findCandidates finds files of earlier runs, by the name of the entry and by our lines in
// robots.txt.
func (r *job) findCandidates() error {
	r.past = &earlier{children: map[string]bool{}, keys: map[string]bool{}}
	entries := []string{r.Name}
	if r.Robots {
		former, err := r.formerEntries()
		if err != nil {
			return err
		}
		entries = append(entries, former...)
	}
	for _, entry := range entries {
		n := namesOf(r.Base, entry)
		if err := r.addCandidates(&n); err != nil {
			return err
		}
	}
	for _, lang := range append([]Language{{}}, r.LLMS.Languages...) {
		r.addCandidate(place{r.top, path.Join(lang.Dir, llms.Name)}, gone)
	}
	return nil
}

// addCandidate adds a file that an earlier run may have written.
func (r *job) addCandidate(p place, phase int) {
	r.past.files = append(r.past.files, candidate{p, phase})
}

// addCandidates reads the indexes of some names.
func (r *job) addCandidates(n *names) error {
	for i, there := 0, true; there; i++ {
		there = i == 0
		for _, suffix := range suffixes["also"] {
			p := place{r.dir, n.index(i) + suffix}
			f, err := openContent(p)
			if err != nil {
				return err
			}
			if f != nil {
				there = true
				r.addCandidate(p, goneFirst)
				r.readIndex(n, f)
			}
		}
	}
	r.addCandidate(place{r.dir, n.file("", "css")}, gone)
	r.addChildCandidates(n, "")
	return nil
}

// readIndex reads which files an index names, if it is one of ours: children, the page
// for people and the key for IndexNow. It closes the file.
func (r *job) readIndex(n *names, f *content) {
	defer f.Close()
	head, _ := f.Peek(MarkSize)
	if !IsMarked(head) {
		return
	}
	if page := markerValue(head, pageMarker); local(page) && path.Ext(page) == ".html" {
		r.addCandidate(place{r.dir, page}, gone)
	}
	r.addKeyCandidate(markerValue(head, keyMarker))
	eachItem(f, func(item *sitemap.Item) bool {
		child, ok := n.childOf(item.Loc)
		if item.Sitemap && ok && !slices.Contains(r.Index, item.Loc) { // the settings name sitemaps of others
			r.past.children[n.file(child, "xml")] = true
			r.addChildCandidates(n, child)
		}
		return item.Sitemap
	})
}

// addChildCandidates adds the files of a child in all formats; only the nameless one, the
// entry, is there in those that have no children.
func (r *job) addChildCandidates(n *names, child string) {
	for _, suffix := range suffixes["also"] {
		for _, format := range Formats {
			if child == "" || formats[format].kind == allPages {
				r.addCandidate(place{r.dir, n.file(child, format) + suffix}, gone)
			}
		}
	}
}

// addKeyCandidate adds the file of a key, if it is one.
func (r *job) addKeyCandidate(key string) {
	if CheckKey(key) == nil {
		r.past.keys[key] = true
		r.addCandidate(place{r.publish, keyFile(key)}, gone)
	}
}

// ownPages returns the format of a file that lists, to its end, pages of this site alone;
// 0 of any other.
func (r *job) ownPages(name string) sitemap.Format {
	return r.eachItemOf(name, func(item *sitemap.Item) bool { return !item.Sitemap && strings.HasPrefix(item.Loc, r.Base) })
}

// eachItemOf is eachItem of a file, which may be missing.
func (r *job) eachItemOf(name string, each func(*sitemap.Item) bool) sitemap.Format {
	f, err := openContent(place{r.dir, name})
	if f == nil || err != nil {
		return 0
	}
	defer f.Close()
	return eachItem(f, each)
}

// eachItem calls each for the items of a sitemap while it returns true. It returns the format
// of the sitemap, or 0 if it was not read to its end.
func eachItem(r io.Reader, each func(*sitemap.Item) bool) sitemap.Format {
	items := sitemap.NewReader(r)
	for item, err := range items.All() {
		if err != nil || !each(&item) {
			return 0
		}
	}
	return items.Format()
}

// mayReplace reports whether name is free, or of an earlier run as far as
// anyone can tell: lines of URLs have no room for a mark, so a file that lists
// nothing but pages of this site will do.
func (r *job) mayReplace(name string) bool {
	p := place{r.dir, name}
	if info, err := r.dir.Stat(name); err != nil || info == nil || r.isOurs(p) {
		return true
	}
	plain := strings.TrimSuffix(name, ".gz")
	if isLines(plain) {
		return r.ownPages(name) == sitemap.FormatText
	}
	return r.past.children[plain]
}

// A content is the content of a file, decompressed.
type content struct {
	*bufio.Reader
	io.Closer
	ours bool // compressed, if at all, as we do it
}

// openContent opens the content of a file, or returns nil if there is none that can be
// read.
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
	// gzip(1) and its like leave a name, a time or their system in the header.
	return &content{bufio.NewReader(z), f, z.Name == "" && z.OS == 255 && z.ModTime.Unix() == 0}, nil
}

// stageStaleRemovals drafts the removal of files of an earlier run that this run does not write.
func (r *job) stageStaleRemovals() {
	for _, c := range r.past.files {
		if !r.changes[c.place] && r.isOurs(c.place) {
			r.stageRemoval(c.place, c.phase)
		}
	}
}

// sum returns the checksum of the decompressed content of a file, or "" if the file is empty or
// cannot be read.
func sum(p place) string {
	f, err := openContent(p)
	if f == nil || err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	// More than a sitemap may have is no twin of one, and may be a bomb.
	if n, err := io.CopyN(h, f, sitemap.MaxBytes+1); err != io.EOF || n == 0 {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}

// isOurs reports whether an earlier run wrote a file, and nobody has edited it. The mark is the
// proof, or the content of a file without room for the mark.
func (r *job) isOurs(p place) bool {
	f, err := openContent(p)
	if f == nil || err != nil {
		return false
	}
	defer f.Close()
	plain := strings.TrimSuffix(p.name, ".gz")
	switch stem := strings.TrimSuffix(plain, path.Ext(plain)); {
	case path.Base(p.name) == llms.Name: // no part of it is written by hand
		frame, err := p.readFrame()
		return err == nil && frame.Generated()
	case isLines(plain): // the file has nothing but a key, or the same URLs as the XML of its name
		return f.ours && (r.past.keys[stem] && p.isKeyFile(stem) || same(f, place{p.dir, stem + ".xml"}) || same(f, place{p.dir, stem + ".xml.gz"}))
	}
	head, _ := f.Peek(MarkSize)
	return f.ours && (IsMarked(head) || path.Ext(plain) == ".css" && bytes.HasPrefix(head, []byte(markedCSS)))
}

// markedCSS is how a stylesheet of ours begins.
const markedCSS = "/* written by sitewalk"

// same reports whether the lines of text are the URLs of a file of ours.
func same(text *content, xml place) bool {
	f, err := openContent(xml)
	if f == nil || err != nil {
		return false
	}
	defer f.Close()
	if head, _ := f.Peek(MarkSize); !IsMarked(head) {
		return false
	}
	lines := bufio.NewScanner(text)
	same := eachItem(f, func(item *sitemap.Item) bool {
		return lines.Scan() && !item.Sitemap && item.Loc == lines.Text()
	})
	return same != 0 && !lines.Scan() && lines.Err() == nil
}
