package watch

import (
	"cmp"
	"context"
	"io/fs"
	"path"
	"time"

	"github.com/sitewalk/sitewalk/internal/files"
)

// A silent look finds changes that make no event, by the times of the files: what is
// written through mmap(2), through a hard link in a folder that is not watched, or
// to a file that a symbolic link leads to.
type silent struct {
	since time.Time            // all that changed before was in a batch
	next  time.Time            // when to look again
	told  map[string]time.Time // until when what happened to a path was in a batch since
}

// A silent look comes every silentEvery, or less often where it would take more
// than about a hundredth of one core: a file takes some 3 µs, and a folder as long as
// eight files. What a look really took counts for nothing: on a busy machine it would
// put off the next one for minutes.
const (
	silentEvery  = 10 * time.Second
	silentFile   = 300 * time.Microsecond
	silentFolder = 8 * silentFile
)

// silentPause is how long after a look at so many files and folders the next one comes.
func silentPause(files, folders int) time.Duration {
	return max(silentEvery, time.Duration(files)*silentFile+time.Duration(folders)*silentFolder)
}

// begin says that all that changed until now is known.
func (s *silent) begin(now time.Time) {
	s.since, s.told = now, map[string]time.Time{}
	s.next = now.Add(silentEvery)
}

// tell notes a batch, whose paths are read from now on. More paths than a queue
// holds are not worth their memory: they are looked at once more.
func (s *silent) tell(b Batch, now time.Time) {
	if b.Rescan {
		s.since, s.told = now, map[string]time.Time{}
	}
	for tree, paths := range b.Paths {
		if len(s.told)+len(paths) > manyEvents {
			return
		}
		for _, p := range paths {
			s.told[path.Join(tree, p)] = now.Round(0).Add(-granularity)
		}
	}
}

// window returns from when to when a file must have changed to be news. What
// changed in the future changed before the clock was set back, and is no news. After
// that the clock says less than the time that has passed.
func (s *silent) window(now time.Time, passed time.Duration) (from, to time.Time) {
	from = s.since.Round(0)
	if earlier := now.Round(0).Add(-passed); earlier.Before(from.Add(-granularity)) {
		from = earlier
		clear(s.told)
	}
	return from.Add(-granularity), now.Round(0).Add(granularity)
}

// lookForSilent looks at all files when it is time to, and notes those that changed
// without an event.
func (n *notifier) lookForSilent(ctx context.Context, now time.Time) (happened bool) {
	s := &n.silent
	if now.Before(s.next) {
		return false
	}
	from, to := s.window(now, now.Sub(s.since))
	looked, folders := 0, 0
	for _, t := range n.trees {
		if t.root == nil {
			continue
		}
		folders++
		_ = look(ctx, &t.Tree, t.dir, true, func(p string, info fs.FileInfo) {
			if info.IsDir() {
				folders++
				return
			}
			looked++
			changed := cmp.Or(files.Changed(info), info.ModTime())
			told, ok := s.told[path.Join(t.name(), p)]
			if changed.Before(from) || changed.After(to) || ok && changed.Before(told) {
				return
			}
			n.changes.add(&t.Tree, p)
			n.changes.linked = n.changes.linked || t.links
			happened = true
		})
	}
	if ctx.Err() != nil {
		return false
	}
	s.begin(now)
	s.next = now.Add(silentPause(looked, folders))
	return happened
}
