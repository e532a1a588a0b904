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
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
)

// maxFile is the maximum number of bytes that Load reads from a configuration file of a host.
// robots.txt, CNAME and workflows of GitHub have other limits.
const maxFile = 4 << 20

// A loader reads the configuration files of a site's host.
type loader struct {
	Input
	trees [3]tree   // the project root, the repository root and the publish directory
	host  *Host     // the result
	diags diag.List // findings; a file that is read twice adds its findings twice
}

// newLoader returns a loader for in. A nil file system counts as an empty one, and with a nil
// Getenv, no environment variable is set.
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
	return &loader{Input: in, trees: trees, host: &Host{base: in.Base}}
}

// A file is a configuration file of a host.
type file struct {
	name string // path as the user would type it
	src  []byte
}

// pos returns the position of a line in f. Lines are counted from 1; line 0 means the whole file.
func (f file) pos(line int) diag.Pos { return diag.Pos{File: f.name, Line: line} }

// ruleLines returns an iterator over the lines of f with their positions. It removes spaces around
// a line, and leaves out empty lines and lines that begin with "#". After max lines, it stops. If
// more lines follow, it adds a finding.
func (l *loader) ruleLines(f file, max int) iter.Seq2[diag.Pos, string] {
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

// reportTooMany adds the finding that sitewalk ignores all rules of a file from pos on. numRead
// describes the rules before pos, such as "2048 rules".
func (l *loader) reportTooMany(pos diag.Pos, numRead string) {
	l.diags.Warnf(pos, "oversized", "remove rules, or join them by wildcards", "only the first %s are read", numRead)
}

// decodeFirst finds the first of the named files that exists, decodes the file into v, and returns
// the file. See openFirst for the folders. If none of the files exists, decodeFirst returns an
// empty file.
func (l *loader) decodeFirst(v any, names ...string) file {
	f, ok := l.openFirst(names...)
	if ok {
		l.decode(f, v)
	}
	return f
}

// commentedJSON lists the names of JSON files that may contain comments, and commas before closing
// brackets.
var commentedJSON = []string{"firebase.json", "wrangler.json", "wrangler.jsonc"}

// decode decodes f into v, and adds a finding for each mistake in f. The extension of f determines
// the format.
func (l *loader) decode(f file, v any) {
	if slices.Contains(commentedJSON, path.Base(f.name)) {
		f.src = blankJSONComments(f.src)
	}
	n, ds := strict.Read(f.name, f.src)
	l.diags = append(append(l.diags, ds...), strict.Options{Lenient: true}.Decode(f.name, n, v)...)
}

// jsonComments matches comments in JSON, and jsonCommas matches commas before a closing bracket.
// The two expressions also match whole strings, so that they do not find a "//" or a comma inside a
// string.
var (
	jsonComments = regexp.MustCompile(`"(?:\\.|[^"\\\n])*"?|//[^\n]*|(?s:/\*.*?(?:\*/|$))`)
	jsonCommas   = regexp.MustCompile(`"(?:\\.|[^"\\\n])*"?|,\s*[\]}]`)
)

// blankJSONComments returns a copy of src in which spaces replace the comments, and also the commas
// before closing brackets. All values keep their line and column.
func blankJSONComments(src []byte) []byte {
	out := bytes.Clone(src)
	for _, m := range jsonComments.FindAll(out, -1) {
		if m[0] == '"' {
			continue
		}
		for i := range m {
			if m[i] != '\n' {
				m[i] = ' '
			}
		}
	}
	for _, m := range jsonCommas.FindAll(out, -1) {
		if m[0] == ',' {
			m[0] = ' '
		}
	}
	return out
}

// firstPos returns the first of positions that is not zero. If all are zero, it returns the
// position of the whole file f.
func firstPos(f file, positions ...diag.Pos) diag.Pos {
	return cmp.Or(cmp.Or(positions...), f.pos(0))
}

// openFirst reads the first of the named files that exists. It looks for each name in the project
// root, the repository root and the publish directory, in this order. ok is false if none of the
// files exists and can be read.
func (l *loader) openFirst(names ...string) (f file, ok bool) {
	for _, name := range names {
		for _, t := range l.trees {
			if f, ok := l.openFile(t.files, t.name, name, maxFile); ok {
				return f, true
			}
		}
	}
	return file{}, false
}

// A tree is a folder that may contain configuration files of a host.
type tree struct {
	files fs.FS
	name  string // path of the folder as the user would type it
}

// openInPublish reads the file called name in the publish directory. ok is false if the file does
// not exist or cannot be read.
func (l *loader) openInPublish(name string) (f file, ok bool) {
	return l.openFile(l.Publish, l.PublishName, name, maxFile)
}

// openFile returns the first limit bytes of the file called name in tree, without a byte order
// mark. dir is the path of tree in findings. openFile adds a finding if the file is longer than
// limit or cannot be read. ok is false if the file does not exist or cannot be read.
func (l *loader) openFile(tree fs.FS, dir, name string, limit int) (f file, ok bool) {
	if info, err := fs.Stat(tree, name); err != nil || info.IsDir() {
		return file{}, false
	}
	f = file{name: path.Join(dir, name)}
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

// isFile reports whether tree contains a regular file called name.
func isFile(tree fs.FS, name string) bool {
	info, err := fs.Stat(tree, name)
	return err == nil && info.Mode().IsRegular()
}

// exists reports whether tree contains a file or folder called name.
func exists(tree fs.FS, name string) bool {
	_, err := fs.Stat(tree, name)
	return err == nil
}

// readUpTo returns the first limit bytes of the file called name in tree.
func readUpTo(tree fs.FS, name string, limit int) ([]byte, error) {
	f, err := tree.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, int64(limit)))
}
