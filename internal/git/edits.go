package git

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/parallel"
)

// An entry is what the index holds of one file. See index-format(5) of git.
type entry struct {
	object       string // the name of its content
	mtime, ctime moment
	size         uint32
	flags        uint64
}

// A moment is seconds and nanoseconds as the index holds them, zero when they are
// unknown.
type moment struct{ sec, nsec uint32 }

func momentOf(t time.Time) moment { return moment{uint32(t.Unix()), uint32(t.Nanosecond())} }

// is reports whether the index means the moment of a file. Some programs write
// whole seconds into it.
func (m moment) is(file moment) bool {
	return m.sec == file.sec && (m.nsec == file.nsec || m.nsec == 0)
}

// before reports whether m certainly comes before the index was written.
func (m moment) before(index moment) bool {
	return m.sec < index.sec || m.sec == index.sec && m.nsec != 0 && m.nsec < index.nsec
}

// assumed is the set of index flags that make git ignore changes of a file.
const assumed = 1<<15 | 1<<30 // assume-unchanged, skip-worktree

// read reads one line of `git ls-files --debug`.
func (e *entry) read(line []byte) {
	if rest, ok := bytes.CutPrefix(line, []byte("  mtime: ")); ok {
		e.mtime = parseMoment(rest)
	} else if rest, ok := bytes.CutPrefix(line, []byte("  ctime: ")); ok {
		e.ctime = parseMoment(rest)
	} else if rest, ok := bytes.CutPrefix(line, []byte("  size: ")); ok {
		size, flags, _ := strings.Cut(string(rest), "\tflags: ")
		e.size = parseUint32(size)
		e.flags, _ = strconv.ParseUint(flags, 16, 64)
	}
}

func parseMoment(b []byte) moment {
	sec, nsec, _ := strings.Cut(string(b), ":")
	return moment{parseUint32(sec), parseUint32(nsec)}
}

func parseUint32(s string) uint32 {
	n, _ := strconv.ParseUint(s, 10, 32)
	return uint32(n)
}

// A state is how a file compares with the index.
type state int

const (
	same    state = iota
	other         // edited, deleted, or not a file any more
	unknown       // its content is another and its stat the same, which a filter explains
)

// compare compares the files that are wanted with the index. Git does it by `git
// status`, which runs the filters that the repository names.
func (g git) compare(ctx context.Context, w *search, list []file) error {
	var index moment // when it was written
	if info, err := os.Stat(filepath.Join(gitDir(g.dir), "index")); err == nil {
		index = momentOf(info.ModTime())
	}
	states := make([]state, len(list))
	parallel.Spread(ctx, len(list), func() func(i int) {
		var content bytes.Buffer
		return func(i int) {
			if t := &w.files[i]; t.tracked && !t.link {
				states[i] = t.entry.compare(filepath.Join(g.dir, filepath.FromSlash(list[i].name)), index, &content)
			}
		}
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var ask []string
	for i, s := range states {
		w.files[i].edited = w.files[i].edited || s != same
		if s == unknown {
			ask = append(ask, list[i].name)
		}
	}
	if len(ask) == 0 {
		return nil
	}
	converted, err := g.converted(ctx, ask)
	for i, s := range states {
		if s == unknown && converted[list[i].name] {
			w.files[i].edited = false
		}
	}
	return err
}

// compare compares one file with what the index holds of it, by way of a buffer for its
// content.
func (e *entry) compare(path string, index moment, content *bytes.Buffer) state {
	if e.flags&assumed != 0 {
		return same
	}
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return other
	}
	like := e.size == uint32(info.Size()) && e.mtime.is(momentOf(info.ModTime()))
	// A file that was written when the index was may have been edited since.
	if like && e.changedThen(info) && e.mtime.before(index) {
		return same
	}
	switch {
	case e.holds(path, content):
		return same
	case like:
		return unknown
	}
	return other
}

// changedThen reports whether a file last changed when the index says, as far as both know it.
func (e *entry) changedThen(info fs.FileInfo) bool {
	at := files.Changed(info)
	return at.IsZero() || e.ctime == (moment{}) || e.ctime.is(momentOf(at))
}

// holds reports whether the content of a file is that of the index, as it is or
// with the line ends that git writes. One that is larger than what git takes into its
// memory at once counts as another.
func (e *entry) holds(path string, content *bytes.Buffer) bool {
	f, err := files.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	content.Reset()
	if _, err := content.ReadFrom(io.LimitReader(f, maxObject)); err != nil {
		return false
	}
	src, ends := content.Bytes(), []byte("\r\n")
	return e.names(src) || bytes.Contains(src, ends) && e.names(bytes.ReplaceAll(src, ends, []byte("\n")))
}

// names reports whether the index names a content. See the chapter on objects of
// the Git book: a name is a hash of kind, size and content.
func (e *entry) names(content []byte) bool {
	sum := sha1.New()
	if len(e.object) == hex.EncodedLen(sha256.Size) {
		sum = sha256.New()
	}
	fmt.Fprintf(sum, "blob %d\x00", len(content))
	sum.Write(content)
	return hex.EncodeToString(sum.Sum(nil)) == e.object
}

// converted returns which of the files git converts by more than their line ends
// when it adds them: only a filter, which is not run, could tell whether they were
// edited. See gitattributes(5).
func (g git) converted(ctx context.Context, names []string) (map[string]bool, error) {
	converted := make(map[string]bool)
	g.stdin = strings.NewReader(strings.Join(names, "\x00") + "\x00")
	out, err := g.output(ctx, "check-attr", "--stdin", "-z", "filter", "ident", "working-tree-encoding")
	said := strings.Split(out, "\x00") // name, attribute, value of each
	for ; len(said) > 3; said = said[3:] {
		if name, value := said[0], said[2]; value != "unspecified" && value != "unset" {
			converted[name] = true
		}
	}
	return converted, err
}
