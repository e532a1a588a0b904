package hosting

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
)

// MaxFile is the maximum number of bytes that are read of a host's file.
const MaxFile = 4 << 20

// A loader reads the files of one site.
type loader struct {
	Input
	trees [3]tree // the root, the repository's root and the publish directory
	site  *Site
	diags diag.List // findings of a file repeat if it is read again
}

// newLoader returns a loader. Its missing trees are empty.
func newLoader(in Input) *loader {
	for _, tree := range []*fs.FS{&in.Root, &in.Above, &in.Publish} {
		if *tree == nil {
			*tree = embed.FS{}
		}
	}
	if in.Getenv == nil {
		in.Getenv = func(string) string { return "" }
	}
	trees := [3]tree{{in.Root, in.RootName}, {in.Above, in.AboveName}, {in.Publish, in.PublishName}}
	return &loader{Input: in, trees: trees, site: &Site{base: in.Base}}
}

// A file is a file of a host.
type file struct {
	name string // as the user would type it
	src  []byte
}

func (f file) pos(line int) diag.Pos { return diag.Pos{File: f.name, Line: line} }

// lines yields the lines of a file that has a rule in each, without comments. It reports
// lines beyond max.
func (l *loader) lines(f file, max int) iter.Seq2[diag.Pos, string] {
	return func(yield func(diag.Pos, string) bool) {
		n, rules := 0, 0
		for line := range strings.Lines(string(f.src)) {
			n++
			if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
				continue
			}
			if rules++; rules > max {
				l.reportTooMany(f.pos(n), fmt.Sprintf("%d rules", max))
				return
			}
			if !yield(f.pos(n), line) {
				return
			}
		}
	}
}

// reportTooMany reports that the rules from a place on are not read.
func (l *loader) reportTooMany(pos diag.Pos, read string) {
	l.diags.Warnf(pos, "oversized", "remove rules, or join them by wildcards", "only the first %s are read", read)
}

// readFirst decodes the first of the files that exists into v.
func (l *loader) readFirst(v any, names ...string) file {
	f, ok := l.openInRoots(names...)
	if ok {
		l.decode(f, v)
	}
	return f
}

// commented lists the JSON files that may contain comments.
var commented = []string{"firebase.json", "wrangler.json", "wrangler.jsonc"}

// decode decodes a file into v, in the notation of its name, and reports mistakes.
func (l *loader) decode(f file, v any) {
	if slices.Contains(commented, path.Base(f.name)) {
		f.src = plainJSON(f.src)
	}
	n, ds := strict.Read(f.name, f.src)
	l.diags = append(append(l.diags, ds...), strict.Options{Lenient: true}.Decode(f.name, n, v)...)
}

// firstPlace returns the first of the places that is set, else the file.
func firstPlace(f file, places ...diag.Pos) diag.Pos {
	return cmp.Or(cmp.Or(places...), f.pos(0))
}

// openInRoots reads the first of the files that exists: in the root, in the repository's root, or
// in the publish directory.
func (l *loader) openInRoots(names ...string) (file, bool) {
	for _, name := range names {
		for _, t := range l.trees {
			if f, ok := l.openFile(t.files, t.name, name, MaxFile); ok {
				return f, true
			}
		}
	}
	return file{}, false
}

// A tree is searched for a host's files.
type tree struct {
	files fs.FS
	name  string // as the user would type it
}

func (l *loader) openInPublish(name string) (file, bool) {
	return l.openFile(l.Publish, l.PublishName, name, MaxFile)
}

// openFile reads a regular file. It cuts the file at a limit, with a finding, and drops a byte
// order mark.
func (l *loader) openFile(tree fs.FS, dir, name string, limit int) (file, bool) {
	if info, err := fs.Stat(tree, name); err != nil || info.IsDir() {
		return file{}, false
	}
	f := file{name: path.Join(dir, name)}
	src, err := readUpTo(tree, name, limit+1)
	if err != nil {
		l.diags.Errorf(f.pos(0), "unreadable", "let the user who runs sitewalk read it", "not read: %v", diag.Cause(err))
		return f, false
	}
	if len(src) > limit {
		src = src[:limit]
		l.diags.Warnf(f.pos(0), "oversized", "keep the file shorter", "only the first %d bytes are read", limit)
	}
	f.src = bytes.TrimPrefix(src, []byte("\ufeff"))
	return f, true
}

// isFile reports whether a tree has a regular file of that name.
func isFile(tree fs.FS, name string) bool {
	info, err := fs.Stat(tree, name)
	return err == nil && info.Mode().IsRegular()
}

// exists reports whether a tree has a file or a folder of that name.
func exists(tree fs.FS, name string) bool {
	_, err := fs.Stat(tree, name)
	return err == nil
}

func readUpTo(tree fs.FS, name string, limit int) ([]byte, error) {
	f, err := tree.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, int64(limit)))
}
