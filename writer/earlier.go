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

// Files of an earlier run are found in two steps. Method look collects candidates from the
// indexes and from our line in robots.txt. Method ours reads a candidate for the proof that
// an earlier run wrote the file and nobody edited it. Such a file is replaced, or removed
// if this run does not write it.

// A place is where a file is.
type place struct {
	dir  *files.Folder
	name string // slash-separated
}

// earlier is what an earlier run may have left.
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

// look finds what an earlier run may have left under the entry's name, and under those
// that lines of ours in robots.txt name.
func (r *job) look() error {
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
		if err := r.lookFor(&n); err != nil {
			return err
		}
	}
	for _, lang := range append([]Language{{}}, r.LLMS.Languages...) {
		r.mayHave(place{r.top, path.Join(lang.Dir, llms.Name)}, gone)
	}
	return nil
}

// mayHave adds a file to those that an earlier run may have written.
func (r *job) mayHave(p place, phase int) {
	r.past.files = append(r.past.files, candidate{p, phase})
}

// lookFor reads the indexes of some names.
func (r *job) lookFor(n *names) error {
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
				r.mayHave(p, goneFirst)
				r.readIndex(n, f)
			}
		}
	}
	r.mayHave(place{r.dir, n.file("", "css")}, gone)
	r.mayHaveChild(n, "")
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
		r.mayHave(place{r.dir, page}, gone)
	}
	r.hadKey(markerValue(head, keyMarker))
	eachItem(f, func(item *sitemap.Item) bool {
		child, ok := n.childOf(item.Loc)
		if item.Sitemap && ok && !slices.Contains(r.Index, item.Loc) { // what the settings name is of others
			r.past.children[n.file(child, "xml")] = true
			r.mayHaveChild(n, child)
		}
		return item.Sitemap
	})
}

// mayHaveChild adds the files of a child in all formats; only the nameless one, the
// entry, is there in those that have no children.
func (r *job) mayHaveChild(n *names, child string) {
	for _, suffix := range suffixes["also"] {
		for _, format := range Formats {
			if child == "" || formats[format].kind == allPages {
				r.mayHave(place{r.dir, n.file(child, format) + suffix}, gone)
			}
		}
	}
}

// hadKey adds the file of a key, if it is one.
func (r *job) hadKey(key string) {
	if CheckKey(key) == nil {
		r.past.keys[key] = true
		r.mayHave(place{r.publish, keyFile(key)}, gone)
	}
}

// ownPages returns the format of a file that lists, to its end, pages of this site alone;
// 0 of any other.
func (r *job) ownPages(name string) sitemap.Format {
	return r.items(name, func(item *sitemap.Item) bool { return !item.Sitemap && strings.HasPrefix(item.Loc, r.Base) })
}

// items is eachItem of a file, which may be missing.
func (r *job) items(name string, each func(*sitemap.Item) bool) sitemap.Format {
	f, err := openContent(place{r.dir, name})
	if f == nil || err != nil {
		return 0
	}
	defer f.Close()
	return eachItem(f, each)
}

// eachItem calls each with what a sitemap holds, as long as that returns true. It
// returns the format of one that was read to its end, else 0.
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
	if info, err := r.dir.Stat(name); err != nil || info == nil || r.ours(p) {
		return true
	}
	plain := strings.TrimSuffix(name, ".gz")
	if isLines(plain) {
		return r.ownPages(name) == sitemap.FormatText
	}
	return r.past.children[plain]
}

// A content is what a file holds, decompressed.
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

// removeStale removes what an earlier run left and this one does not write.
func (r *job) removeStale() {
	for _, c := range r.past.files {
		if !r.changes[c.place] && r.ours(c.place) {
			r.remove(c.place, c.phase)
		}
	}
}

// sum returns what tells the content of a file, decompressed, from any other; ""
// when it cannot be read or is empty.
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

// ours reports whether an earlier run wrote a file, which was not edited since: by our
// mark, or for lack of room by what else the file says.
func (r *job) ours(p place) bool {
	f, err := openContent(p)
	if f == nil || err != nil {
		return false
	}
	defer f.Close()
	plain := strings.TrimSuffix(p.name, ".gz")
	switch stem := strings.TrimSuffix(plain, path.Ext(plain)); {
	case path.Base(p.name) == llms.Name: // no part of it is written by hand
		frame, err := p.frame()
		return err == nil && frame.Generated()
	case isLines(plain): // the file has nothing but a key, or the same URLs as the XML of its name
		return f.ours && (r.past.keys[stem] && p.holds(stem) || same(f, place{p.dir, stem + ".xml"}) || same(f, place{p.dir, stem + ".xml.gz"}))
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
