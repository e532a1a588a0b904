package writer

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/sitewalk/sitewalk/sitemap"
)

// journal names the file that says, while files take their places and others
// are removed, which: texts carry no mark, and children that no index names yet
// or any more would never be found again. A run that is killed leaves it to the
// next one.
const journal = TempPrefix + "journal"

// markedCSS is how a stylesheet of ours begins.
const markedCSS = "/* written by sitewalk"

// headSize is how much of a file is looked at for a mark.
const headSize = 1024

// earlier is what an earlier run left in the folder.
type earlier struct {
	r        *job
	children map[string]bool   // children that an index of ours names
	files    map[string]bool   // files that the journal of a killed run names
	sums     map[string]string // and sitemaps of the generator that were to go, with their sums
	pages    map[string]bool   // for people, that a file of ours names
	keys     map[string]bool   // for IndexNow, likewise
	also     int               // indexes beside the entry

	indexes map[string]bool // the entry and those beside it, plain and compressed
	renamed []*earlier      // what was written when the entry had another name
}

// look reads the indexes of an earlier run, and those that its line in
// robots.txt names.
func (r *job) look() (*earlier, error) {
	p, err := r.lookHere()
	if err != nil || !r.Robots {
		return p, err
	}
	names, err := r.formerEntries()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		o := *r.Options
		o.Name = name
		before, err := (&job{Options: &o, dir: r.dir}).lookHere()
		if err != nil {
			return nil, err
		}
		p.renamed = append(p.renamed, before)
	}
	return p, nil
}

// lookHere reads the indexes under the entry's name.
func (r *job) lookHere() (*earlier, error) {
	p := &earlier{r: r, children: map[string]bool{}, files: map[string]bool{}, sums: map[string]string{}, pages: map[string]bool{}, keys: map[string]bool{}, indexes: map[string]bool{}}
	for _, name := range []string{r.Name, r.Name + ".gz"} {
		p.indexes[name] = true
		if err := p.read(name); err != nil {
			return nil, err
		}
	}
	for p.also = 0; ; p.also++ {
		name := r.furtherName(p.also + 1)
		if !p.exists(name) && !p.exists(name+".gz") {
			break
		}
		p.indexes[name], p.indexes[name+".gz"] = true, true
		if err := errors.Join(p.read(name), p.read(name+".gz")); err != nil {
			return nil, err
		}
	}
	return p, p.recall()
}

func (p *earlier) exists(name string) bool {
	info, err := p.r.dir.stat(name)
	return err == nil && info != nil
}

// read remembers the children that the index name names, if it is one of ours.
// What cannot be read is not ours.
func (p *earlier) read(name string) error {
	f, err := p.open(name)
	if f == nil || err != nil {
		return err
	}
	defer f.Close()
	head, _ := f.Peek(headSize)
	if !sitemap.Marked(head) {
		return nil
	}
	if page := sitemap.MarkedPage(head); local(page) && path.Ext(page) == ".html" {
		p.pages[page] = true
	}
	p.recallKey(sitemap.MarkedKey(head))
	eachItem(f, func(item *sitemap.Item) bool {
		if child, ok := p.r.childOf(item.Loc); item.Sitemap && ok {
			p.children[child] = true
		}
		return item.Sitemap
	})
	return nil
}

// items is eachItem of a file, which may be missing.
func (p *earlier) items(name string, each func(*sitemap.Item) bool) sitemap.Format {
	f, err := p.open(name)
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
	item, err := items.Next()
	for ; err == nil; item, err = items.Next() {
		if !each(&item) {
			return 0
		}
	}
	if err != io.EOF {
		return 0
	}
	return items.Format()
}

// recall reads the journal of a killed run.
func (p *earlier) recall() error {
	f, err := p.r.dir.open(path.Join(p.r.sub(), journal))
	if f == nil || err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		p.recallSum(lines.Text())
		if key, ok := strings.CutSuffix(lines.Text(), keyFile("")); ok {
			p.recallKey(key)
		}
		if name := path.Join(p.r.sub(), lines.Text()); p.r.owns(name) {
			p.files[name] = true
		}
	}
	return nil
}

// note writes the journal; one file that changes needs none.
func (p *earlier) note() error {
	files := append(slices.Clone(p.r.stale), p.r.noteKeys()...)
	for _, d := range p.r.drafts {
		if d.changed && d.dir == p.r.dir && p.r.owns(d.name) {
			files = append(files, d.name)
		}
	}
	if len(files)+len(p.r.theirs) < 2 || p.r.DryRun {
		return nil
	}
	var b []byte
	for _, name := range files {
		b = append(append(b, path.Base(name)...), '\n')
	}
	err := p.r.dir.replace(path.Join(p.r.sub(), journal), append(b, p.r.sums()...))
	return p.r.dir.blame("write", p.r.Name, err)
}

func isText(name string) bool { return path.Ext(strings.TrimSuffix(name, ".gz")) == ".txt" }

// forget removes the journal.
func (p *earlier) forget() error {
	if p.r.DryRun {
		return nil
	}
	return p.r.dir.remove(path.Join(p.r.sub(), journal))
}

// stale returns the files of an earlier run that are not in the plan now, in the
// order in which they go: indexes before what they name.
func (p *earlier) stale(plan map[string]bool) []string {
	names := []string{path.Join(p.r.sub(), p.r.stem()+".css")}
	for _, f := range []string{"rss", "atom", "txt", "xml"} {
		names = append(names, p.r.file("", f))
	}
	for i := range p.also {
		names = append(names, p.r.furtherName(i+1))
	}
	for child := range p.children {
		names = append(names, p.r.file(child, "txt"), p.r.file(child, "xml"))
	}
	var all []string
	for _, name := range names {
		all = append(all, name+".gz", name)
	}
	all = slices.AppendSeq(all, maps.Keys(p.files))
	all = slices.AppendSeq(all, maps.Keys(p.pages))
	all = slices.DeleteFunc(all, func(name string) bool { return plan[name] || !p.ours(name) })
	for _, before := range p.renamed {
		all = append(all, before.stale(plan)...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(p.rank(a), p.rank(b)) })
	return all
}

// rank is 0 of what can name others, an entry or a further index, and else 1.
func (p *earlier) rank(name string) int {
	if p.indexes[name] || slices.ContainsFunc(p.renamed, func(q *earlier) bool { return q.indexes[name] }) {
		return 0
	}
	return 1
}

// mayReplace reports whether name is free, or of an earlier run as far as
// anyone can tell: a text sitemap has no room for a mark, so one that lists
// nothing but pages of this site will do.
func (p *earlier) mayReplace(name string) bool {
	if !p.exists(name) || p.ours(name) {
		return true
	}
	if isText(name) {
		return p.lists(name)
	}
	child, ok := p.r.childOf(p.r.url(name))
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
	head, _ := f.Peek(headSize)
	return f.ours && (sitemap.Marked(head) || path.Ext(plain) == ".css" && bytes.HasPrefix(head, []byte(markedCSS)))
}

// same reports whether the lines of text are the URLs of the file of ours name.
func (p *earlier) same(text *content, name string) bool {
	f, err := p.open(name)
	if f == nil || err != nil {
		return false
	}
	defer f.Close()
	if head, _ := f.Peek(headSize); !sitemap.Marked(head) {
		return false
	}
	items := sitemap.NewReader(f)
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		item, err := items.Next()
		if err != nil || item.Sitemap || item.Loc != lines.Text() {
			return false
		}
	}
	_, err = items.Next()
	return err == io.EOF && lines.Err() == nil
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
		if !strings.HasPrefix(lines.Text(), p.r.Base) {
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
	f, err := p.r.dir.open(name)
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
