package writer

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/sitewalk/sitewalk/internal/mark"
	"github.com/sitewalk/sitewalk/sitemap"
)

// journal names the file that says, while files take their places and others
// are removed, which: texts carry no mark, and children that no index names yet
// or any more would never be found again. A run that is killed leaves it to the
// next one.
const journal = TempPrefix + "journal"

// markedCSS is how a stylesheet of ours begins.
const markedCSS = "/* written by sitewalk"

// earlier is what an earlier run left in the folder.
type earlier struct {
	*Options // of the run at hand, with the entry's name at that time
	dir      *folder
	children map[string]bool   // children that an index of ours names
	files    map[string]bool   // files that the journal of a killed run names
	sums     map[string]string // and sitemaps of the generator that were to go, with their sums
	pages    map[string]bool   // for people, that a file of ours names
	keys     map[string]bool   // for IndexNow, the same
	indexes  map[string]bool   // the entry and those beside it, plain and compressed
	further  int               // how many there are beside the entry
	journal  bool              // there is one
	renamed  []*earlier        // what was written when the entry had another name
}

// look reads what an earlier run left under the entry's name, and under those that its
// line in robots.txt names.
func (r *job) look() (*earlier, error) {
	p, err := lookFor(r.Options, r.dir)
	if err != nil {
		return p, err
	}
	r.noted = p.journal
	if !r.Robots {
		return p, nil
	}
	names, err := r.formerEntries()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		o := *r.Options
		o.Name = name
		o.place()
		before, err := lookFor(&o, r.dir)
		if err != nil {
			return nil, err
		}
		maps.Copy(p.keys, before.keys)
		p.renamed = append(p.renamed, before)
	}
	return p, nil
}

// lookFor reads the indexes under the entry's name, and the journal.
func lookFor(o *Options, dir *folder) (*earlier, error) {
	p := &earlier{Options: o, dir: dir, children: map[string]bool{}, files: map[string]bool{}, sums: map[string]string{}, pages: map[string]bool{}, keys: map[string]bool{}, indexes: map[string]bool{}}
	for i := 0; ; i++ {
		there := i == 0
		for _, name := range []string{o.indexName(i), o.indexName(i) + ".gz"} {
			info, err := dir.stat(name)
			if err == nil && info != nil {
				there = true
				err = p.read(name)
			}
			if err != nil {
				return nil, err
			}
		}
		if !there {
			break
		}
		p.further = i
		p.indexes[o.indexName(i)], p.indexes[o.indexName(i)+".gz"] = true, true
	}
	f, err := dir.open(path.Join(o.sub, journal))
	if f == nil || err != nil {
		return p, err
	}
	defer f.Close()
	p.recall(f)
	return p, nil
}

// read remembers the children that the index name names, if it is one of ours.
// What cannot be read is not ours.
func (p *earlier) read(name string) error {
	f, err := p.open(name)
	if f == nil || err != nil {
		return err
	}
	defer f.Close()
	head, _ := f.Peek(mark.HeadSize)
	if !mark.In(head) {
		return nil
	}
	if page := mark.PageIn(head); local(page) && path.Ext(page) == ".html" {
		p.pages[page] = true
	}
	if key := mark.KeyIn(head); CheckKey(key) == nil {
		p.keys[key] = true
	}
	eachItem(f, func(item *sitemap.Item) bool {
		if child, ok := p.childOf(item.Loc); item.Sitemap && ok {
			p.children[child] = true
		}
		return item.Sitemap
	})
	return nil
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

// recall reads the journal of a killed run.
func (p *earlier) recall(f io.Reader) {
	p.journal = true
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := lines.Text()
		if rest, ok := strings.CutPrefix(line, sumMark); ok {
			if sum, name, _ := strings.Cut(rest, " "); len(sum) == hex.EncodedLen(sha256.Size) && local(name) {
				p.sums[name] = sum
			}
		}
		if key, ok := strings.CutSuffix(line, keyFile("")); ok && CheckKey(key) == nil {
			p.keys[key] = true
		}
		if name := path.Join(p.sub, line); p.owns(name) {
			p.files[name] = true
		}
	}
}

// note writes the journal of a commit; one file that changes needs none. What a
// killed run's journal names stays in it, as nothing else may name that yet.
func (r *job) note() error {
	lines := slices.Concat(r.stale, r.oldKeys, slices.Sorted(maps.Keys(r.past.files)))
	if r.Key != "" && len(r.oldKeys) > 0 {
		lines = append(lines, keyFile(r.Key))
	}
	for _, d := range r.drafts {
		if d.changed && d.dir == r.dir && r.owns(d.name) {
			lines = append(lines, d.name)
		}
	}
	for i := range lines {
		lines[i] = path.Base(lines[i])
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	for _, name := range r.theirs {
		lines = append(lines, sumMark+r.past.sum(name)+" "+name)
	}
	if len(lines) < 2 || r.DryRun {
		return nil
	}
	w, err := r.dir.draft(path.Join(r.sub, journal), []byte(strings.Join(lines, "\n")+"\n"))
	if err == nil && w.changed {
		defer w.discard()
		s := &step{dir: w.dir, name: w.name, draft: w}
		if err = s.take(); err == nil {
			syncFolders([]*step{s})
		}
	}
	if err != nil {
		return r.dir.blame("write", r.Name, err)
	}
	r.noted = true
	return nil
}

// findStale finds the files of an earlier run that are not needed any more, in the
// order in which they go: indexes before what they name.
func (r *job) findStale(context.Context) error {
	indexes := maps.Clone(r.past.indexes)
	for _, p := range append([]*earlier{r.past}, r.past.renamed...) {
		r.stale = append(r.stale, p.stale(r.planned)...)
		maps.Copy(indexes, p.indexes)
	}
	slices.Sort(r.stale)
	r.stale = slices.Compact(r.stale)
	slices.SortStableFunc(r.stale, func(a, b string) int {
		switch {
		case indexes[a] == indexes[b]:
			return 0
		case indexes[a]:
			return -1
		}
		return 1
	})
	return nil
}

// stale returns the files that are not planned now.
func (p *earlier) stale(planned map[string]bool) []string {
	names := []string{path.Join(p.sub, p.stem+".css")}
	for i := range formats {
		names = append(names, p.file("", formats[i].name))
	}
	for i := range p.further {
		names = append(names, p.indexName(i+1))
	}
	for child := range p.children {
		names = append(names, p.file(child, "txt"), p.file(child, "xml"))
	}
	for _, name := range slices.Clone(names) {
		names = append(names, name+".gz")
	}
	names = slices.AppendSeq(names, maps.Keys(p.files))
	names = slices.AppendSeq(names, maps.Keys(p.pages))
	return slices.DeleteFunc(names, func(name string) bool { return planned[name] || !p.ours(name) })
}

// mayReplace reports whether name is free, or of an earlier run as far as
// anyone can tell: a text sitemap has no room for a mark, so one that lists
// nothing but pages of this site will do.
func (p *earlier) mayReplace(name string) bool {
	if info, err := p.dir.stat(name); err != nil || info == nil || p.ours(name) {
		return true
	}
	if path.Ext(strings.TrimSuffix(name, ".gz")) == ".txt" {
		return p.lists(name)
	}
	child, ok := p.childOf(p.url(name))
	return ok && p.children[child]
}

// ours reports whether an earlier run wrote the file name, by its mark; a text
// sitemap when it says what the XML of its name says, or a journal names it.
func (p *earlier) ours(name string) bool {
	f, err := p.open(name)
	if f == nil || err != nil {
		return false
	}
	defer f.Close()
	plain := strings.TrimSuffix(name, ".gz")
	if stem, ok := strings.CutSuffix(plain, ".txt"); ok {
		return f.ours && (p.files[name] || p.same(f, stem+".xml") || p.same(f, stem+".xml.gz"))
	}
	head, _ := f.Peek(mark.HeadSize)
	return f.ours && (mark.In(head) || path.Ext(plain) == ".css" && bytes.HasPrefix(head, []byte(markedCSS)))
}

// same reports whether the lines of text are the URLs of the file of ours name.
func (p *earlier) same(text *content, name string) bool {
	f, err := p.open(name)
	if f == nil || err != nil {
		return false
	}
	defer f.Close()
	if head, _ := f.Peek(mark.HeadSize); !mark.In(head) {
		return false
	}
	lines := bufio.NewScanner(text)
	same := eachItem(f, func(item *sitemap.Item) bool {
		return lines.Scan() && !item.Sitemap && item.Loc == lines.Text()
	})
	return same != 0 && !lines.Scan() && lines.Err() == nil
}

// lists reports whether each line of the file name is a URL below the base.
func (p *earlier) lists(name string) bool {
	f, err := p.open(name)
	if f == nil || err != nil {
		return false
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if !strings.HasPrefix(lines.Text(), p.Base) {
			return false
		}
	}
	return lines.Err() == nil
}

// A content is what a file holds, decompressed.
type content struct {
	*bufio.Reader
	io.Closer
	ours bool // compressed, if at all, as we do it
}

// open opens the content of the file name, or returns nil when there is no such
// file that can be read.
func (p *earlier) open(name string) (*content, error) {
	f, err := p.dir.open(name)
	if f == nil || err != nil {
		return nil, err
	}
	if path.Ext(name) != ".gz" {
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
