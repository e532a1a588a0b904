package writer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
)

// A job is one Draft of a transaction.
type job struct {
	*Options
	dir          *folder
	whole, feeds []*format
	past         *earlier
	drafts       []*draft // in the order in which they take their places
	barrier      int      // drafts before it take their places before the rest does
	stale        []string // of an earlier run, to be removed
	theirs       []string // sitemaps of the generator, to be removed
	oldKeys      []string // files of keys that are no longer the site's, to be removed
	removed      []step   // all that is to be removed
	further      int      // indexes beside the entry
	publish      *folder  // where robots.txt is
	publishErr   error    // why there is none
	sink         *sink    // of put
	Report
}

// run drafts everything, and finds what is to be removed.
func (r *job) run(ctx context.Context, t *Transaction, entries Entries) error {
	if err := r.open(ctx, t); err != nil {
		return err
	}
	if err := r.draft(ctx, entries); err != nil {
		return err
	}
	r.stale = r.past.stale(r.plan())
	r.foreign()
	var err error
	if r.oldKeys, err = r.staleKeys(); err != nil {
		return err
	}
	for _, name := range slices.Concat(r.stale, r.theirs) {
		r.remove(r.dir, name)
	}
	for _, name := range r.oldKeys {
		r.remove(r.publish, name)
	}
	r.report()
	return nil
}

// open opens and locks the folders of this run, and clears them of what a killed
// run left.
func (r *job) open(ctx context.Context, t *Transaction) error {
	if r.Publish != "" {
		r.publish, r.publishErr = t.folder(ctx, r.Publish, r.DryRun, maxWait)
		if r.publishErr != nil && !errors.Is(r.publishErr, fs.ErrNotExist) {
			return r.publishErr
		}
	}
	var err error
	if r.dir, err = t.folder(ctx, r.Dir, r.DryRun, maxWait); errors.Is(err, fs.ErrNotExist) {
		if err := MakeFolder(r.Dir, r.Publish); err != nil {
			return err
		}
		r.dir, err = t.folder(ctx, r.Dir, r.DryRun, maxWait)
	}
	if err != nil {
		return err
	}
	if r.Publish == "" {
		r.publish = r.dir
	}
	return r.clear()
}

// clear removes what a killed run left behind in the folders of this one.
func (r *job) clear() error {
	subs := []string{".", r.sub()}
	if r.Page != "" && local(r.Page) {
		subs = append(subs, path.Dir(r.Page))
	}
	for _, sub := range subs {
		if err := r.dir.clear(sub); err != nil {
			return err
		}
	}
	if r.publish == nil {
		return nil
	}
	return r.publish.clear(".")
}

// draft drafts every file, those first that others name.
func (r *job) draft(ctx context.Context, entries Entries) (err error) {
	if r.past, err = r.look(); err != nil {
		return err
	}
	if err := r.style(); err != nil {
		return err
	}
	var shards []shard
	if len(r.whole) > 0 {
		if shards, err = r.list(ctx, entries); err != nil {
			return err
		}
	}
	feeds, err := r.syndicate(ctx, entries)
	if err != nil {
		return err
	}
	if err := r.people(ctx, entries); err != nil {
		return err
	}
	if err := r.key(); err != nil {
		return err
	}
	return r.announce(shards, feeds)
}

// list drafts the files that hold all pages, and the indexes over them.
func (r *job) list(ctx context.Context, entries Entries) ([]shard, error) {
	m, err := r.measure(ctx, entries)
	if err != nil {
		return nil, err
	}
	r.Empty = m.empty(r.Groups)
	if r.Left = m.left(); r.Left > 0 && r.Left == entries.Len() {
		return nil, m.nothing()
	}
	children, err := m.children(r.Options)
	if err != nil {
		return nil, err
	}
	for _, c := range children {
		for _, f := range r.whole {
			if err := r.claim(r.file(c.name, f.name), c.name == ""); err != nil {
				return nil, err
			}
		}
	}
	shards, err := r.shards(ctx, m, children)
	if err != nil {
		return nil, err
	}
	for i := range shards {
		r.URLs += shards[i].urls
	}
	r.barrier = len(r.drafts)
	if r.has("xml") {
		err = r.index(shards)
	}
	return shards, err
}

// measure measures every page for the format in which it is the largest.
func (r *job) measure(ctx context.Context, entries Entries) (*measures, error) {
	f := r.whole[0]
	if r.has("xml") {
		f = &formats[0]
	}
	m, diags := measure(ctx, entries, f, newSections(r.Options), newLimits(f, r.Options))
	r.Diags = append(r.Diags, diags...)
	return m, ctx.Err()
}

// has reports whether the format of that name lists all pages.
func (r *job) has(name string) bool {
	return slices.ContainsFunc(r.whole, func(f *format) bool { return f.name == name })
}

// put drafts a file of its own: name, or name.gz, or both.
func (r *job) put(name string, data []byte, urls int) error {
	if r.sink == nil {
		r.sink = newSink(r.dir, r.Options)
	}
	return r.putIn(r.sink, name, data, urls)
}

// putPlain drafts a file that is never compressed.
func (r *job) putPlain(dir *folder, name string, data []byte) error {
	return r.putIn(&sink{dir: dir, plain: true}, name, data, 0)
}

func (r *job) putIn(s *sink, name string, data []byte, urls int) error {
	defer s.discard()
	if err := s.begin(name); err != nil {
		return err
	}
	s.buf = data
	drafts, err := s.end(max(len(data), r.MaxBytes))
	for _, d := range drafts {
		d.urls = urls
	}
	r.drafts = append(r.drafts, drafts...)
	return err
}

// plan returns the names of the files of this run.
func (r *job) plan() map[string]bool {
	plan := map[string]bool{}
	for _, d := range r.drafts {
		if d.dir == r.dir {
			plan[d.name] = true
		}
	}
	return plan
}

// report says what becomes of each file.
func (r *job) report() {
	for _, d := range r.drafts {
		r.Files = append(r.Files, File{Name: r.fromDir(d.dir, d.name), State: d.state(), URLs: d.urls, Bytes: d.size, Info: d.info})
	}
	slices.SortFunc(r.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
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
	r.removed = append(r.removed, step{dir: dir, name: name})
	r.Files = append(r.Files, File{Name: r.fromDir(dir, name), State: Removed, Bytes: info.Size()})
}

// claim makes sure that the files may be written that name stands for.
func (r *job) claim(name string, entry bool) error {
	for _, v := range r.variants(name) {
		if err := r.take(v, entry); err != nil {
			return err
		}
	}
	return nil
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

// take returns an error when name stands there and is not of an earlier run. An
// entry file replaces what another tool left, and that is noted.
func (r *job) take(name string, entry bool) error {
	if err := r.dir.check(name); err != nil {
		return err
	}
	protected := r.protects(name)
	switch free := !protected && r.past.mayReplace(name); {
	case free:
	case entry && protected:
		return fmt.Errorf("output %q would overwrite a page of the site; choose another output name", name)
	case entry:
		r.Diags.Notef(diag.Pos{File: name}, "replaced-sitemap", "switch the other tool's sitemap off, or give output.name another name",
			"a file that sitewalk did not write is replaced")
	default:
		return fmt.Errorf("output %q is in the way and was not written by sitewalk; remove it, or choose another output name", name)
	}
	return nil
}

func (r *job) protects(name string) bool { return r.Protect != nil && r.Protect(name) }
