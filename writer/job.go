package writer

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A job is one Draft of a transaction.
type job struct {
	Options
	names
	entries      Entries
	whole, feeds []string // formats of that kind, each once
	xml          bool     // one of whole is XML
	outlines     bool     // an llms.txt is requested

	dir     *files.Folder
	publish *files.Folder // where robots.txt and the key are
	top     *files.Folder // served at LLMS.Base
	past    *earlier

	children  []child  // the files with all pages
	further   int      // indexes beside the entry
	feedNames []string // files of feeds

	entryPhase int            // of the files that name others
	phase      int            // of the files that are drafted now
	changes    map[place]bool // files that are written or removed
	buf        bytes.Buffer   // of a file at hand
	Report
}

// The phases of a commit. Wherever it is cut short, each index names files that are there.
const (
	named     = iota // files that others name
	naming           // indexes and all else
	namingAll        // the same of the first Draft, whose index may name all others
	goneFirst        // indexes that are not needed any more
	gone             // all else that is not needed any more
	callers          // the files of File
)

// newJob returns a job with the defaults in place of zero options, or an error that names
// what cannot be.
func newJob(entries Entries, o Options) (*job, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	o.Name = cmp.Or(o.Name, DefaultName)
	o.Split = cmp.Or(o.Split, "auto")
	o.MaxURLs = cmp.Or(o.MaxURLs, sitemap.MaxURLs)
	o.MaxBytes = cmp.Or(o.MaxBytes, sitemap.DefaultMaxBytes)
	o.maxChildren = cmp.Or(o.maxChildren, sitemap.MaxChildren)
	o.Feed.Items = cmp.Or(o.Feed.Items, 50)
	if len(o.Formats) == 0 {
		o.Formats = []string{"xml"}
	}
	r := &job{Options: o, names: namesOf(o.Base, o.Name), entries: entries, changes: map[place]bool{}}
	for i, name := range o.Formats {
		switch kind := formats[name].kind; {
		case slices.Contains(o.Formats[:i], name):
		case kind == allPages:
			r.whole = append(r.whole, name)
		case kind == newestPages:
			r.feeds = append(r.feeds, name)
		default:
			r.outlines = true
		}
	}
	r.xml = slices.Contains(r.whole, "xml")
	return r, nil
}

// open opens and locks the folders of this run.
func (r *job) open(ctx context.Context, t *files.Transaction) (err error) {
	if r.Publish != "" {
		if r.publish, err = t.Open(ctx, r.Publish, r.DryRun); err != nil {
			return err
		}
	}
	if !r.DryRun {
		if err := files.MakeFolder(r.Dir, r.Publish); err != nil {
			return err
		}
	}
	if r.dir, err = t.Open(ctx, r.Dir, r.DryRun); err != nil {
		return err
	}
	r.publish = cmp.Or(r.publish, r.dir)
	if r.top = r.dir; files.Within(r.Publish, r.Dir) {
		r.top = r.publish
	}
	return nil
}

// run drafts every file, first the files that others name, and then the removals.
func (r *job) run(ctx context.Context) error {
	if err := r.findCandidates(); err != nil {
		return err
	}
	r.phase = named
	for _, stage := range []struct {
		asked bool
		do    func(*job, context.Context) error
	}{
		{r.Stylesheet && r.xml, (*job).stageStylesheet},
		{len(r.whole) > 0, (*job).stageSitemaps},
		{len(r.feeds) > 0, (*job).stageFeeds},
		{r.Page != "", (*job).stagePeoplePage},
		{r.outlines, (*job).stageLLMSFiles},
		{r.Key != "", (*job).stageKey},
		{r.Robots, (*job).stageRobots},
	} {
		if stage.asked {
			if err := stage.do(r, ctx); err != nil {
				return err
			}
		}
	}
	r.stageStaleRemovals()
	if r.xml {
		r.stageForeignRemovals()
	}
	slices.SortFunc(r.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return nil
}

// plan divides the pages into files: by the format in which they are the largest.
func (r *job) plan(ctx context.Context) error {
	o := splitOptions{
		Base: r.Base, Limit: sitemap.Limits{URLs: r.MaxURLs, Bytes: r.MaxBytes}, Form: formats[r.whole[0]].is, Head: r.head,
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
	plan, err := splitPages(ctx, r.entries, o)
	r.Left, r.Diags = plan.Left, append(r.Diags, plan.Diags...)
	for _, i := range plan.Empty {
		r.Empty = append(r.Empty, r.Groups[i])
	}
	r.children = plan.Files
	for _, f := range plan.Files {
		r.URLs += len(f.Pages)
	}
	return err
}

// stageSitemaps drafts the files with all pages, and their indexes.
func (r *job) stageSitemaps(ctx context.Context) error {
	if err := r.plan(ctx); err != nil {
		return err
	}
	most := 0
	for i := range r.children {
		most = max(most, r.children[i].Bytes)
	}
	r.buf.Grow(most + 1<<10) // for the head
	for i := range r.children {
		c := &r.children[i]
		for _, format := range r.whole {
			if err := ctx.Err(); err != nil {
				return err
			}
			r.buf.Reset()
			if err := r.encode(&r.buf, format, c); err != nil {
				return err
			}
			if err := r.stageVariants(r.file(c.Name, format), r.buf.Bytes(), len(c.Pages), c.Name == ""); err != nil {
				return err
			}
		}
	}
	r.phase = r.entryPhase
	if r.xml && (len(r.children) != 1 || r.children[0].Name != "") {
		return r.stageIndexes()
	}
	return nil
}

// encode writes the file of a child in a format, and finds the newest date of its pages.
func (r *job) encode(out io.Writer, format string, c *child) error {
	w := sitemap.NewWriter(out, formats[format].is, r.head(c.Uses), sitemap.Limits{URLs: r.MaxURLs, Bytes: r.MaxBytes})
	dated := true
	var e sitemap.Entry
	for i := range c.Pages {
		c.Pages[i].fill(r.entries, &e)
		if err := w.Write(&e); err != nil {
			return fmt.Errorf("%s: %w", r.file(c.Name, format), err)
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

// head returns the part of an XML file before the first entry.
func (r *job) head(uses sitemap.Extensions) sitemap.Head {
	h := sitemap.Head{Extensions: uses, Comments: markComments(r.Key, r.Page)}
	if r.Stylesheet {
		h.Stylesheet = url.PathEscape(r.stem + ".css")
	}
	return h
}

// url returns the URL at which crawlers find a file.
func (r *job) url(name string) string {
	if r.Gzip == "only" {
		name += ".gz"
	}
	return r.loc(name)
}

// stageVariants drafts a file in the variants of Options.Gzip, unless a name is taken.
func (r *job) stageVariants(name string, data []byte, urls int, entry bool) error {
	for _, suffix := range suffixes[r.Gzip] {
		out := data
		if suffix != "" {
			out = zip(data)
		}
		if err := r.checkTaken(name+suffix, entry); err != nil {
			return err
		}
		if err := r.stage(place{r.dir, name + suffix}, out, File{URLs: urls}); err != nil {
			return err
		}
	}
	return nil
}

// checkTaken returns an error if the name is that of a file that no earlier run wrote. An entry
// file replaces the file of another tool, with a note unless the generator is known.
func (r *job) checkTaken(name string, entry bool) error {
	if err := r.dir.Check(name); err != nil {
		return err
	}
	protected := r.Protect != nil && r.Protect(name)
	switch {
	case !protected && r.mayReplace(name):
	case entry && protected:
		return fmt.Errorf("output %q would overwrite a page of the site; choose another output name", name)
	case entry && r.TurnOff != "":
	case entry:
		r.Diags.Notef(diag.Pos{File: name}, "replaced-sitemap", "switch the other tool's sitemap off, or give output.name another name",
			"a file that sitewalk did not write is replaced")
	default:
		return fmt.Errorf("output %q is in the way and was not written by sitewalk; remove it, or choose another output name", name)
	}
	return nil
}

// stage drafts a file and adds it to the report.
func (r *job) stage(p place, data []byte, f File) error {
	info, changed, err := p.dir.Draft(r.phase, p.name, data)
	if err != nil {
		return err
	}
	if !changed {
		f.State = Unchanged
	}
	f.Name, f.Bytes, f.Info = r.fromDir(p), int64(len(data)), info
	r.Files = append(r.Files, f)
	r.changes[p] = true
	return nil
}

// stageRemoval drafts the removal of a file and reports it.
func (r *job) stageRemoval(p place, phase int) {
	info, err := p.dir.Stat(p.name)
	if info == nil || err != nil {
		return
	}
	p.dir.Remove(phase, p.name)
	r.Files = append(r.Files, File{Name: r.fromDir(p), State: Removed, Bytes: info.Size()})
	r.changes[p] = true
}

// fromDir returns the name of a file for the report: as seen from Dir.
func (r *job) fromDir(p place) string {
	if p.dir == r.dir {
		return p.name
	}
	if rel, err := filepath.Rel(r.dir.At, filepath.Join(p.dir.At, filepath.FromSlash(p.name))); err == nil {
		return filepath.ToSlash(rel)
	}
	return p.name
}

// gzipLevel gives the size of gzip -6 and pigz -6, or a little less, in about
// their time; BenchmarkGzip holds it beside its neighbours.
const gzipLevel = 7

// noTime is the time in a gzip header without a time (RFC 1952, 2.3.1).
var noTime = time.Unix(0, 0)

func newZipper(w io.Writer) *gzip.Writer {
	z, _ := gzip.NewWriterLevel(w, gzipLevel) // which there is
	z.ModTime = noTime
	return z
}

func zip(data []byte) []byte {
	var b bytes.Buffer
	z := newZipper(&b)
	_, _ = z.Write(data) // to memory
	_ = z.Close()
	return b.Bytes()
}
