package writer

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
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
	files   []*draft // those of File
}

// Draft drafts the sitemaps, feeds and pages that o asks for, and finds what an
// earlier run left and this one does not need. The report says what Commit will do.
func (t *Transaction) Draft(ctx context.Context, entries Entries, o Options) (Report, error) {
	opts, err := o.normal()
	if err != nil {
		return Report{}, err
	}
	r := newJob(opts, entries)
	t.jobs = append(t.jobs, r)
	if err := r.open(ctx, t); err != nil {
		return Report{}, below(opts.Dir, err)
	}
	if err := r.run(ctx); err != nil {
		return r.Report, below(opts.Dir, err)
	}
	return r.Report, nil
}

// Clear removes what a killed run left half-written in the folders of a Draft that
// is left out this time.
func (t *Transaction) Clear(ctx context.Context, o Options) error {
	opts, err := o.normal()
	if err != nil {
		return err
	}
	if info, err := os.Stat(opts.Dir); err != nil || !info.IsDir() {
		return nil // nothing was written there
	}
	return below(opts.Dir, newJob(opts, nil).open(ctx, t))
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
	w, err := d.draft(filepath.Base(path), data)
	if err != nil {
		return below(d.at, err)
	}
	t.files = append(t.files, w)
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

// Lock keeps other transactions that lock the file at path from writing it, until
// Close. The file need not exist.
func (t *Transaction) Lock(ctx context.Context, path string) error {
	held, err := lock.Path(ctx, path, maxWait)
	if errors.Is(err, lock.ErrHeld) {
		return &fs.PathError{Op: "lock", Path: path, Err: errBusyFile}
	}
	t.locks = append(t.locks, held)
	return err
}

// folder returns the folder at dir, locked unless the run is dry.
func (t *Transaction) folder(ctx context.Context, dir string, dry bool, patience time.Duration) (*folder, error) {
	d, err := openFolder(dir, dry)
	if err != nil || d.Root == nil {
		return d, err
	}
	is, err := d.Stat(".")
	for _, known := range t.folders {
		if at, bad := known.Stat("."); err == nil && bad == nil && os.SameFile(at, is) {
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

// Close removes what was drafted and not committed, and unlocks the folders.
func (t *Transaction) Close() {
	for _, r := range t.jobs {
		t.files = append(t.files, r.drafts...)
	}
	for _, d := range t.files {
		d.discard()
	}
	for _, d := range t.folders {
		_ = d.Close()
	}
	for _, l := range t.locks {
		_ = l.Close()
	}
	*t = Transaction{}
}

// Commit puts every file in its place: what others name first, what names them
// next, the first Draft's last as its index may name all others, and only then it
// removes what nothing names any more; the files of File come last. So whenever it is cut short, each file is whole, and no index
// names a file that is not there. If it fails, it puts back what was there; where
// it cannot, the error is a [Partial].
func (t *Transaction) Commit() error {
	phases := t.phases()
	steps := slices.Concat(phases...)
	for _, s := range steps {
		if err := s.dir.replaceable(s.name); err != nil {
			return err
		}
	}
	for _, r := range t.jobs {
		if err := r.note(); err != nil {
			return errors.Join(err, t.removeJournals(true))
		}
	}
	defer func() {
		for _, s := range steps {
			s.forget()
		}
	}()
	done := 0
	for _, phase := range phases {
		for _, s := range phase {
			if done++; done < len(steps) { // the last step is never undone
				s.keep()
			}
			if err := s.take(); err != nil {
				s.forget()
				if left := undo(steps[:done-1]); len(left) > 0 {
					return &Partial{New: left, Err: err}
				}
				return errors.Join(err, t.removeJournals(true))
			}
		}
		syncFolders(phase)
	}
	if err := t.removeJournals(false); err != nil {
		return fmt.Errorf("all files are written, but one that is not needed any more stays: %w", err)
	}
	return nil
}

// removeJournals removes the journals, but after an undone commit not those that tell of a
// killed run, too.
func (t *Transaction) removeJournals(undone bool) error {
	var errs []error
	for _, r := range t.jobs {
		if r.noted && !r.DryRun && !(undone && r.past.journal) {
			errs = append(errs, r.dir.remove(path.Join(r.sub, journal)))
		}
	}
	return errors.Join(errs...)
}

// phases returns the steps of a commit. Those of one phase are on disk for good
// before the next one begins.
func (t *Transaction) phases() (phases [][]*step) {
	add := func(drafts []*draft) {
		var steps []*step
		for _, d := range drafts {
			if d.temp != "" {
				steps = append(steps, &step{dir: d.dir, name: d.name, draft: d})
			}
		}
		phases = append(phases, steps)
	}
	for _, r := range t.jobs {
		add(r.drafts[:r.barrier])
	}
	for _, r := range slices.Backward(t.jobs) {
		add(r.drafts[r.barrier:])
	}
	for _, r := range t.jobs {
		if !r.DryRun {
			phases = append(phases, r.removed)
		}
	}
	add(t.files)
	return phases
}

// A step is one file that gets another content or, without a draft, goes.
type step struct {
	dir   *folder
	name  string
	draft *draft

	old string // once kept: a temporary name of what was there before; "": it has none
	new bool   // nothing was there before
}

func (s *step) take() error {
	if s.draft == nil {
		return s.dir.remove(s.name)
	}
	err := s.dir.Rename(s.draft.temp, filepath.FromSlash(s.name))
	if err != nil {
		return s.dir.blame("replace", s.name, err)
	}
	s.draft.temp = ""
	return nil
}

// keep gives what stands in the place of a step a second name, as far as the file
// system can.
func (s *step) keep() {
	info, err := s.dir.stat(s.name)
	if s.new = err == nil && info == nil; s.new {
		return
	}
	if old := s.dir.tempName(s.name); s.dir.Link(filepath.FromSlash(s.name), old) == nil {
		s.old = old
	}
}

// forget lets the second name go.
func (s *step) forget() {
	if s.old != "" {
		_ = s.dir.Remove(s.old)
		s.old = ""
	}
}

// undo puts back what was there, the last change first, and returns the files that
// stay changed. Behind one that it cannot put back it stops, as an index that stays
// new may name each file that came before it.
func undo(done []*step) (left []string) {
	for len(done) > 0 && done[len(done)-1].undo() {
		done = done[:len(done)-1]
	}
	for _, s := range done {
		left = append(left, filepath.Join(s.dir.at, filepath.FromSlash(s.name)))
	}
	return left
}

func (s *step) undo() (ok bool) {
	if s.new {
		return s.dir.remove(s.name) == nil
	}
	ok = s.old != "" && s.dir.Rename(s.old, filepath.FromSlash(s.name)) == nil
	if ok {
		s.old = ""
	}
	return ok
}

// syncFolders makes steps outlast a power cut, as far as the system lets a directory be
// synced: some refuse, and then nothing is lost but that promise.
func syncFolders(steps []*step) {
	synced := map[string]bool{}
	for _, s := range steps {
		sub := filepath.Dir(filepath.FromSlash(s.name))
		if key := filepath.Join(s.dir.at, sub); !synced[key] {
			synced[key] = true
			if f, err := s.dir.Open(sub); err == nil {
				_ = f.Sync()
				_ = f.Close()
			}
		}
	}
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
	errImmutable = errors.New("the file system keeps it from being replaced; see chattr(1), and remove its attribute i or a")
)
