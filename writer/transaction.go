package writer

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/internal/lock"
)

// A Transaction is what one build writes. Until Commit, each file that changes
// stands beside its place, and what was there stays. From the first draft to Close
// its folders are locked: another transaction waits for a minute, then it fails.
// The zero value is ready; it is for one goroutine, and Close has to follow.
type Transaction struct {
	token   string // in the names of its temporary files
	folders []*folder
	locks   []*os.File // those of Lock; nil where there are no locks
	jobs    []*job
	files   job // those of File
}

// Draft drafts the sitemaps, feeds and pages that o asks for, and finds what an
// earlier run left and this one does not need. The report says what Commit will do.
func (t *Transaction) Draft(ctx context.Context, entries Entries, o Options) (Report, error) {
	opts, err := o.normal()
	if err != nil {
		return Report{}, err
	}
	r := &job{Options: opts}
	t.jobs = append(t.jobs, r)
	for _, f := range opts.formats {
		if f.feed {
			r.feeds = append(r.feeds, f)
		} else {
			r.whole = append(r.whole, f)
		}
	}
	err = below(opts.Dir, r.run(ctx, t, entries))
	return r.Report, err
}

// File drafts the file at path with data as its content. The file keeps its mode; a
// new one gets 0644 less the umask. A symbolic link stays, and its target is
// made or replaced. The folder must exist. A folder that stays locked is written into all
// the same.
func (t *Transaction) File(ctx context.Context, path string, data []byte) error {
	path = lock.Target(path)
	d, err := t.folder(ctx, filepath.Dir(path), false, shortWait)
	if err != nil {
		return err
	}
	if err := d.clear("."); err != nil {
		return err
	}
	w, err := d.whole(filepath.Base(path), data)
	if err != nil {
		return below(d.at, err)
	}
	t.files.drafts = append(t.files.drafts, w)
	return nil
}

// Replace makes data the content of the file at path, whole or not at all, as
// [Transaction.File] and [Transaction.Commit] do.
func Replace(path string, data []byte) error {
	var t Transaction
	defer t.Close()
	if err := t.File(context.Background(), path, data); err != nil {
		return err
	}
	return t.Commit()
}

// folder returns the folder at dir, locked unless the run is dry.
func (t *Transaction) folder(ctx context.Context, dir string, dry bool, patience time.Duration) (*folder, error) {
	d, err := openFolder(dir, dry)
	if err != nil || d.Root == nil {
		return d, err
	}
	for _, known := range t.folders {
		if sameFolder(known, d) {
			_ = d.Close()
			return known, nil
		}
	}
	if t.token == "" {
		t.token = TempPrefix + strings.ToLower(rand.Text())
	}
	d.token = t.token
	t.folders = append(t.folders, d)
	if dry {
		return d, nil
	}
	err = d.lock(ctx, patience)
	if errors.Is(err, errBusy) && patience < maxWait {
		err = nil
	}
	return d, err
}

func sameFolder(a, b *folder) bool {
	x, err := a.Stat(".")
	y, bad := b.Stat(".")
	return err == nil && bad == nil && os.SameFile(x, y)
}

// Close removes what was drafted and not committed, and unlocks the folders.
func (t *Transaction) Close() {
	for _, r := range append(slices.Clone(t.jobs), &t.files) {
		for _, d := range r.drafts {
			d.discard()
		}
	}
	for _, d := range t.folders {
		_ = d.Close()
	}
	for _, l := range t.locks {
		_ = l.Close()
	}
	*t = Transaction{}
}

// Commit puts every file in its place: of each Draft what others name first, what
// names them next, and only then it removes what nothing names any more; the files
// of File come last. So whenever it is cut short, each file is whole, and no index
// names a file that is not there. If it fails, it puts back what was there; where
// it cannot, the error is a [Partial].
func (t *Transaction) Commit() error {
	phases := t.phases()
	for _, s := range slices.Concat(phases...) {
		if err := s.dir.replaceable(s.name); err != nil {
			return err
		}
	}
	for _, r := range t.jobs {
		if err := r.past.note(); err != nil {
			return errors.Join(err, t.forget())
		}
	}
	var done undoLog
	defer func() { done.discard() }()
	for i, steps := range phases {
		if err := done.take(steps, i == len(phases)-1); err != nil {
			if left := done.run(); len(left) > 0 {
				return &Partial{New: left, Err: err}
			}
			return errors.Join(err, t.forget())
		}
	}
	return t.forget()
}

func (t *Transaction) forget() error {
	var errs []error
	for _, r := range t.jobs {
		errs = append(errs, r.past.forget())
	}
	return errors.Join(errs...)
}

// A step is one file that gets another content or, without a draft, goes.
type step struct {
	dir   *folder
	name  string
	draft *draft
}

// phases returns the steps of a commit. Those of one phase are on disk for good
// before the next one begins.
func (t *Transaction) phases() (all [][]step) {
	for _, r := range append(slices.Clone(t.jobs), &t.files) {
		for _, steps := range [][]step{stepsOf(r.drafts[:r.barrier]), stepsOf(r.drafts[r.barrier:]), r.removed} {
			if len(steps) > 0 {
				all = append(all, steps)
			}
		}
	}
	return all
}

func stepsOf(drafts []*draft) (steps []step) {
	for _, d := range drafts {
		if d.tempName != "" {
			steps = append(steps, step{d.dir, d.name, d})
		}
	}
	return steps
}

// An undo is how to take back a step that was taken.
type undo struct {
	step
	old string // a temporary name of what was there before; "": it has none
	new bool   // nothing was there before
}

type undoLog []undo

// take takes steps, and makes them last. What stood there keeps a second name, but
// for the last step of all, which is never undone.
func (c *undoLog) take(steps []step, last bool) error {
	for i, s := range steps {
		next := undo{step: s}
		if !last || i < len(steps)-1 {
			next.keep()
		}
		*c = append(*c, next)
		if err := s.take(); err != nil {
			next.forget()
			*c = (*c)[:len(*c)-1]
			return err
		}
	}
	synced := map[string]bool{}
	for _, s := range steps {
		sub := path.Dir(s.name)
		if key := filepath.Join(s.dir.at, sub); !synced[key] {
			synced[key] = true
			s.dir.sync(sub)
		}
	}
	return nil
}

func (s *step) take() error {
	if s.draft != nil {
		return s.draft.commit()
	}
	return s.dir.remove(s.name)
}

// keep gives what stands in the place of a step a second name, as far as the file
// system can.
func (c *undo) keep() {
	info, err := c.dir.stat(c.name)
	if c.new = err == nil && info == nil; c.new {
		return
	}
	if old := c.dir.tempName(c.name); c.dir.Link(filepath.FromSlash(c.name), old) == nil {
		c.old = old
	}
}

func (c *undo) forget() {
	if c.old != "" {
		_ = c.dir.Remove(c.old)
	}
}

// discard lets the second names go.
func (c undoLog) discard() {
	for i := range c {
		c[i].forget()
	}
}

// run puts back what was there, the last change first, and returns the files that
// stay changed. Behind one that it cannot put back it stops, as an index that stays
// new may name each file that came before it.
func (c *undoLog) run() (left []string) {
	rest := *c
	for len(rest) > 0 && rest[len(rest)-1].run() {
		rest = rest[:len(rest)-1]
	}
	for _, s := range rest {
		left = append(left, filepath.Join(s.dir.at, filepath.FromSlash(s.name)))
	}
	*c = rest
	return left
}

func (c *undo) run() (ok bool) {
	if c.new {
		return c.dir.remove(c.name) == nil
	}
	return c.old != "" && c.dir.Rename(c.old, filepath.FromSlash(c.name)) == nil
}

// A Partial is the error of a commit that could neither be completed nor undone.
type Partial struct {
	New []string // paths of the files that are as the commit makes them, or gone; all others are as they were
	Err error    // why it was not completed
}

// Error names the files.
func (p *Partial) Error() string {
	return fmt.Sprintf("%v; all files are as they were but for %s; the next build completes the change", p.Err, strings.Join(p.New, ", "))
}

// Unwrap returns the cause.
func (p *Partial) Unwrap() error { return p.Err }

// The reasons why a file cannot be replaced.
var (
	errMounted   = errors.New("it is mounted on its own, as into a container, and cannot be replaced; mount the folder that it is in")
	errImmutable = errors.New("the file system keeps it from being replaced; see chattr(1), and take its attribute i or a away")
)
