package writer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/mark"
	"github.com/sitewalk/sitewalk/internal/split"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A job is one Draft of a transaction.
type job struct {
	*Options
	entries      Entries
	whole, feeds []*format
	xml          bool // one of whole is XML
	outlines     bool // an llms.txt is asked for
	dir          *folder
	publish      *folder  // where robots.txt is
	publishErr   error    // why there is none
	past         *earlier // what an earlier run left
	children     []child  // the files that hold all pages
	further      int      // indexes beside the entry
	feedNames    []string // files of feeds

	drafts  []*draft        // in the order in which they take their places
	planned map[string]bool // their names, of those in dir
	barrier int             // drafts before it take their places before the rest does
	stale   []string        // of an earlier run, to be removed
	theirs  []string        // sitemaps of the generator, to be removed
	oldKeys []string        // files of keys that are no longer the site's, to be removed
	removed []*step         // all that is to be removed
	noted   bool            // there is a journal
	buf     bytes.Buffer    // of a file at hand
	Report
}

func newJob(o *Options, entries Entries) *job {
	r := &job{Options: o, entries: entries, planned: map[string]bool{}}
	for _, f := range o.formats {
		switch f.kind {
		case allPages:
			r.whole = append(r.whole, f)
			r.xml = r.xml || f.is == sitemap.FormatURLSet
		case newestPages:
			r.feeds = append(r.feeds, f)
		case outlines:
			r.outlines = true
		}
	}
	return r
}

// open opens and locks the folders of this run, and clears them of what a killed
// run left.
func (r *job) open(ctx context.Context, t *Transaction) (err error) {
	if r.Publish != "" {
		r.publish, r.publishErr = t.folder(ctx, r.Publish, r.DryRun, maxWait)
		if r.publishErr != nil && !errors.Is(r.publishErr, fs.ErrNotExist) {
			return r.publishErr
		}
	}
	if r.dir, err = t.folder(ctx, r.Dir, r.DryRun, maxWait); errors.Is(err, fs.ErrNotExist) {
		if err := MakeFolder(r.Dir, r.Publish); err != nil {
			return err
		}
		r.dir, err = t.folder(ctx, r.Dir, r.DryRun, maxWait)
	}
	if err != nil {
		return err
	}
	subs := []string{".", r.sub}
	if r.Page != "" && local(r.Page) {
		subs = append(subs, path.Dir(r.Page))
	}
	slices.Sort(subs)
	for _, sub := range slices.Compact(subs) {
		if err := r.dir.clear(sub); err != nil {
			return err
		}
	}
	if r.Publish == "" {
		r.publish = r.dir
	}
	if r.publish == nil || r.publish == r.dir {
		return nil
	}
	return r.publish.clear(".")
}

// run drafts every file, those first that others name, and finds what is to be
// removed.
func (r *job) run(ctx context.Context) (err error) {
	if r.past, err = r.look(); err != nil {
		return err
	}
	for name := range r.past.pages { // of settings that may have changed since the kill
		if err := r.dir.clear(path.Dir(name)); err != nil {
			return err
		}
	}
	for _, pass := range []struct {
		asked bool
		do    func(*job, context.Context) error
	}{
		{r.Stylesheet && r.xml, (*job).style},
		{len(r.whole) > 0, (*job).list},
		{len(r.feeds) > 0, (*job).syndicate},
		{r.Page != "", (*job).people},
		{r.outlines, (*job).llmsFiles},
		{r.Key != "", (*job).key},
		{r.Robots, (*job).announce},
		{true, (*job).findStale},
		{r.xml, (*job).findForeign},
		{len(r.past.keys) > 0, (*job).findStaleKeys},
		{true, (*job).findStaleLLMS},
	} {
		if pass.asked {
			if err := pass.do(r, ctx); err != nil {
				return err
			}
		}
	}
	for _, name := range slices.Concat(r.stale, r.theirs) {
		r.remove(r.dir, name)
	}
	for _, name := range r.oldKeys {
		r.remove(r.publish, name)
	}
	for _, d := range r.drafts {
		f := File{Name: r.fromDir(d.dir, d.name), State: Unchanged, URLs: d.urls, Words: d.words, Bytes: d.size, Info: d.info}
		if d.changed {
			f.State = Written
		}
		r.Files = append(r.Files, f)
	}
	slices.SortFunc(r.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return nil
}

// A child is the pages of one file.
type child struct {
	split.File
	lastmod sitemap.Date // the newest, if each page has a date; known once it is encoded
}

// plan divides the pages into files: by the format in which they are the largest.
func (r *job) plan(ctx context.Context) ([]child, error) {
	o := split.Options{
		Base: r.Base, Limit: sitemap.Limits{URLs: r.MaxURLs, Bytes: r.MaxBytes}, Form: r.whole[0].is, Head: r.head,
		By: r.Split, Group: r.Group, Index: len(r.Index) > 0,
	}
	if r.xml {
		o.Form = sitemap.FormatURLSet
	}
	for _, g := range r.Groups {
		o.Groups = append(o.Groups, g.Name)
	}
	for _, loc := range r.Index {
		if name, ok := r.childOf(loc); ok {
			o.Taken = append(o.Taken, name)
		}
	}
	plan, err := split.Divide(ctx, r.entries, o)
	r.Left, r.Diags = plan.Left, append(r.Diags, plan.Diags...)
	for _, i := range plan.Empty {
		r.Empty = append(r.Empty, r.Groups[i])
	}
	children := make([]child, len(plan.Files))
	for i, f := range plan.Files {
		children[i].File = f
	}
	return children, err
}

// list drafts the files that hold all pages, and the indexes over them.
func (r *job) list(ctx context.Context) (err error) {
	if r.children, err = r.plan(ctx); err != nil {
		return err
	}
	for _, c := range r.children {
		for _, f := range r.whole {
			if err := r.claim(r.variants(r.file(c.Name, f.name)), c.Name == ""); err != nil {
				return err
			}
		}
	}
	for i := range r.children {
		c := &r.children[i]
		for _, f := range r.whole {
			if err := ctx.Err(); err != nil {
				return err
			}
			r.buf.Reset()
			if err := r.encode(&r.buf, f, c); err != nil {
				return err
			}
			if err := r.put(r.file(c.Name, f.name), r.buf.Bytes(), len(c.Pages)); err != nil {
				return err
			}
		}
		r.URLs += len(c.Pages)
	}
	r.barrier = len(r.drafts)
	if r.xml && (len(r.children) != 1 || r.children[0].Name != "") {
		return r.index()
	}
	return nil
}

// encode writes the file of a child in a format, and finds the newest date of its pages.
func (r *job) encode(out io.Writer, f *format, c *child) error {
	w := sitemap.NewWriter(out, f.is, r.head(c.Uses), sitemap.Limits{URLs: r.MaxURLs, Bytes: r.MaxBytes})
	dated := true
	var e sitemap.Entry
	for i := range c.Pages {
		c.Pages[i].Fill(r.entries, &e)
		if err := w.Write(&e); err != nil {
			return fmt.Errorf("%s: %w", r.file(c.Name, f.name), err)
		}
		dated = dated && !e.LastMod.IsZero()
		if c.lastmod.Compare(e.LastMod) < 0 {
			c.lastmod = e.LastMod
		}
	}
	if !dated {
		c.lastmod = sitemap.Date{}
	}
	return w.Close()
}

// variants returns the files that name stands for: plain, compressed or both.
func (r *job) variants(name string) []string {
	switch r.Gzip {
	case "also":
		return []string{name, name + ".gz"}
	case "only":
		return []string{name + ".gz"}
	}
	return []string{name}
}

// put drafts a file of its own: name, or name.gz, or both.
func (r *job) put(name string, data []byte, urls int) error {
	for _, v := range r.variants(name) {
		out := data
		if v != name {
			var err error
			if out, err = zip(data); err != nil {
				return err
			}
		}
		if err := r.putPlain(r.dir, v, out, urls); err != nil {
			return err
		}
	}
	return nil
}

// putPlain drafts a file that is never compressed.
func (r *job) putPlain(dir *folder, name string, data []byte, urls int) error {
	d, err := dir.draft(name, data)
	if err != nil {
		return err
	}
	d.urls = urls
	r.drafts = append(r.drafts, d)
	if dir == r.dir {
		r.planned[name] = true
	}
	return nil
}

// gzipLevel gives the size of gzip -6 and pigz -6, or a little less, in about
// their time; BenchmarkGzip holds it beside its neighbours.
const gzipLevel = 7

// noTime is the time in a gzip header that stands for none (RFC 1952, 2.3.1),
// which the zero time does not become.
var noTime = time.Unix(0, 0)

func newZipper(w io.Writer) (*gzip.Writer, error) {
	z, err := gzip.NewWriterLevel(w, gzipLevel)
	if err == nil {
		z.ModTime = noTime
	}
	return z, err
}

func zip(data []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := newZipper(&b)
	if err == nil {
		_, err = z.Write(data)
	}
	if err == nil {
		err = z.Close()
	}
	return b.Bytes(), err
}

// fromDir returns the name of a file for the report: as seen from Dir.
func (r *job) fromDir(dir *folder, name string) string {
	if dir == r.dir {
		return name
	}
	if rel, err := filepath.Rel(r.Dir, filepath.Join(r.Publish, name)); err == nil {
		return filepath.ToSlash(rel)
	}
	return name
}

// remove plans to remove a file, if it is there.
func (r *job) remove(dir *folder, name string) {
	info, err := dir.stat(name)
	if info == nil || err != nil {
		return
	}
	r.removed = append(r.removed, &step{dir: dir, name: name})
	r.Files = append(r.Files, File{Name: r.fromDir(dir, name), State: Removed, Bytes: info.Size()})
}

// claim returns an error when one of names stands there and is not of an earlier run.
// An entry file replaces what another tool left. That is noted where no generator is
// known, which would write the file again.
func (r *job) claim(names []string, entry bool) error {
	for _, name := range names {
		if err := r.dir.check(name); err != nil {
			return err
		}
		protected := r.Protect != nil && r.Protect(name)
		switch {
		case !protected && r.past.mayReplace(name):
		case entry && protected:
			return fmt.Errorf("output %q would overwrite a page of the site; choose another output name", name)
		case entry && r.TurnOff != "":
		case entry:
			r.Diags.Notef(diag.Pos{File: name}, "replaced-sitemap", "switch the other tool's sitemap off, or give output.name another name",
				"a file that sitewalk did not write is replaced")
		default:
			return fmt.Errorf("output %q is in the way and was not written by sitewalk; remove it, or choose another output name", name)
		}
	}
	return nil
}

// head says what stands before the first entry of an XML file.
func (r *job) head(uses sitemap.Extensions) sitemap.Head {
	h := sitemap.Head{Extensions: uses, Comments: mark.Comments(r.Key, r.Page)}
	if r.Stylesheet {
		h.Stylesheet = url.PathEscape(r.stem + ".css")
	}
	return h
}
