package fetch

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/sitemap"
)

// ListOptions say how to read.
type ListOptions struct {
	Stdin   io.Reader
	Network bool          // URLs may be asked for: the one that is named, and the children of an index
	Timeout time.Duration // for one answer; 0 is 30 seconds
	Client  *http.Client  // nil is the default
	Named   []string      // URLs that the user named; see May
	Budget  *Budget       // shared with other lists; nil is one of its own
	Typed   bool          // the user typed the name, which may be that of a FIFO or a device
	Beside  int           // bytes that the caller keeps of each URL beside its texts; 0 is 128
	Dir     string        // paths below it are shown relative to it
	Flag    string        // that named the list, for errors: "--from "
	Carry   bool          // what it says is written again: tell what of it cannot be
	// Intern, if not nil, says that of the entries which sitewalk wrote only loc and
	// lastmod are wanted; see sitemap.Reader.Brief.
	Intern func(loc []byte) string

	// Judge, if not nil, is called with each file before its URLs are given to
	// each. What is wrong with a file is then for it to say: Read tells only of
	// children that are not there, and goes on behind any other mistake.
	Judge func(File)
	Loc   string // where the file that is named is served, for Judge
	// Content, if not nil, is told the fingerprint of a URL's content, as a JSON
	// report of ours has it, before the URL is given to each.
	Content func(loc, fingerprint string)
	// Head, if not nil, is called with the first KiB of each file before its URLs are read.
	Head func(head []byte)
	// Skip, if not nil, reports whether a child of an index in a file is not to be
	// looked for.
	Skip func(pos diag.Pos, loc string) bool
	// Folder, if not nil, returns the folder, below that of an index, in which a child of
	// the index is looked for first; "" is that of the index.
	Folder func(loc string) string
}

// A File is one file of a list.
type File struct {
	Name    string // as findings name it
	Loc     string // where it is served; "" is not known
	Index   string // the file of the index that names it; "" is none
	Content []byte // unpacked
	Err     error  // why there is no more of it
}

// The bounds of what is taken from a site that may belong to anybody.
const (
	maxJudged   = 64 << 20 // bytes of a file that is held whole, of which the protocol allows 50 MiB
	maxChildren = sitemap.MaxChildren
	maxDepth    = 3 // of indexes within each other, of which the protocol allows one
)

// ReadList reads every list that from names: a file, a glob of files, a URL, or "-"
// for standard input; a url set, an index, a feed, a list of lines or a JSON
// report, gzipped or not. It calls each with every URL in order, and holds none.
// What cannot be read of an item is added to findings; what cannot be read at all
// is an error.
func ReadList(ctx context.Context, from string, o ListOptions, findings *diag.Report, each func(sitemap.Entry, diag.Pos)) error {
	r := &reader{ctx: ctx, o: o, findings: findings, each: each, visits: map[string]bool{}}
	if r.o.Budget == nil {
		r.o.Budget = NewBudget()
	}
	defer r.reportObsolete()
	err := r.read(from)
	if spent, ok := errors.AsType[spentError](err); ok && o.Judge != nil {
		findings.Add(diag.Errorf(diag.Pos{File: r.show(from)}, "too-large", "check its parts one by one", "%v", spent))
		return nil
	}
	return err
}

func (r *reader) read(from string) error {
	switch {
	case from == "-":
		return r.stream(source{name: "standard input"}, files.Until(r.ctx, io.NopCloser(r.o.Stdin)))
	case IsURL(from) && r.o.Network:
		return r.url(Place{}, from, source{})
	case IsURL(from):
		return fmt.Errorf("%s%q is an address, and files are read; download it, and name the file", r.o.Flag, r.show(from))
	}
	all, err := matchingFiles(from, r.o.Flag, r.show(from))
	if err != nil {
		return err
	}
	for _, file := range all {
		if err := r.file(file, source{loc: r.o.Loc, typed: r.o.Typed && file == from}); err != nil {
			return err
		}
	}
	return nil
}

// matchingFiles returns the files that a name or a glob matches, sorted.
func matchingFiles(from, flag, shown string) ([]string, error) {
	if info, err := os.Stat(from); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s%q is a folder; name its files, as in %q", flag, shown, path.Join(shown, "*.xml"))
	} else if err == nil {
		return []string{from}, nil
	}
	files, err := doublestar.FilepathGlob(filepath.ToSlash(from), doublestar.WithFilesOnly())
	if err != nil {
		return nil, fmt.Errorf("%s%q is neither a file nor a glob: %w", flag, shown, err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s%q: no such file", flag, shown)
	}
	return files, nil
}

// reportObsolete reports once for all files which elements are dropped.
func (r *reader) reportObsolete() {
	if len(r.obsolete) > 0 {
		r.findings.Add(diag.Notef(r.obsoletePos, "obsolete-field", "", "dropped, because search engines no longer read it: %s", strings.Join(r.obsolete, ", ")))
	}
}

type reader struct {
	ctx      context.Context
	o        ListOptions
	findings *diag.Report
	each     func(sitemap.Entry, diag.Pos)
	visits   map[string]bool // files and URLs, so that an index that names itself ends
	refs     []childRef      // the children of the live index that is being read
	obsolete []string        // elements that search engines no longer read

	obsoletePos diag.Pos // of the first
}

// A childRef is a child that an index names.
type childRef struct {
	pos diag.Pos
	loc string
}

// A source is one file of a list, where it was found.
type source struct {
	name  string // as findings name it
	dir   string // where the children of an index lie; "" is nowhere
	at    Place  // that answered with it; zero for a file
	loc   string // where it is served
	index string // the file that names it
	depth int    // of the indexes that led to it
	typed bool   // see ListOptions
	size  int64  // of the file; 0 is not known
}

// again reports whether a file or a URL was read before.
func (r *reader) again(name string) bool {
	was := r.visits[name]
	r.visits[name] = true
	return was
}

func (r *reader) file(name string, s source) error {
	if r.again(filepath.Clean(name)) {
		return nil
	}
	s.name, s.dir = r.show(name), filepath.Dir(name)
	f, err := r.openFile(name, s.typed)
	if err != nil {
		switch {
		case r.ctx.Err() != nil:
			return err
		case r.o.Judge != nil && s.loc != "": // one of those that a site has
			return r.judge(s, nil, err)
		}
		return &fileError{s.name, diag.Cause(err)}
	}
	defer f.Close()
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
		s.size = info.Size()
	}
	return r.stream(s, f)
}

func (r *reader) openFile(name string, typed bool) (io.ReadCloser, error) {
	if typed {
		return files.Typed(r.ctx, name)
	}
	return files.Open(name)
}

func (r *reader) show(name string) string { return Shown(r.o.Dir, name) }

// url reads a URL that the answer of a place names.
func (r *reader) url(by Place, to string, s source) error {
	if r.again(to) {
		return nil
	}
	body, err := by.Open(r.ctx, to, Options{
		Timeout: r.o.Timeout, Client: r.o.Client, Named: r.o.Named, Accept: "application/xml, text/xml, text/plain, application/json",
	})
	if err != nil {
		return r.wrong(WithoutPassword(to), err)
	}
	s.name, s.at, s.loc = WithoutPassword(to), body.At, body.At.URL.String()
	r.refs = nil
	err = r.stream(s, body)
	body.Close() // before its children are asked for: it has its time, too
	if err != nil {
		return err
	}
	for _, c := range r.refs {
		if err := r.child(s, c.pos, c.loc); err != nil {
			return err
		}
	}
	return nil
}

// judge hands the file to the judge, and reads of it what can be read.
func (r *reader) judge(s source, plain io.Reader, err error) error {
	f := File{Name: s.name, Loc: s.loc, Index: s.index, Err: err}
	if err == nil {
		var all bytes.Buffer // with room for all of a file that is not packed
		all.Grow(int(min(s.size, maxJudged)) + bytes.MinRead)
		_, f.Err = all.ReadFrom(plain)
		f.Content = all.Bytes()
	}
	if r.ctx.Err() != nil {
		return context.Cause(r.ctx)
	}
	if spent, ok := errors.AsType[spentError](f.Err); ok {
		return spent
	}
	r.o.Judge(f)
	err = r.urls(s, bytes.NewReader(f.Content))
	if spent, ok := errors.AsType[spentError](err); ok {
		return spent
	}
	return r.wrong(s.name, nil)
}

// A fileError names the file that an error is about.
type fileError struct {
	name string
	err  error
}

func (e *fileError) Error() string { return e.name + ": " + e.err.Error() }

func (e *fileError) Unwrap() error { return e.err }

// wrong names the file that an error is about, unless it names one.
func (r *reader) wrong(name string, err error) error {
	var named *fileError
	var path *fs.PathError
	switch {
	case r.ctx.Err() != nil:
		return context.Cause(r.ctx)
	case err == nil || errors.As(err, &named) || errors.As(err, &path):
		return err
	}
	return &fileError{name, err}
}

// stream reads one file of the list.
func (r *reader) stream(s source, src io.Reader) error {
	limit, tooLarge := r.o.Budget.read, error(spentError("bytes"))
	if r.o.Judge != nil && limit > maxJudged {
		limit, tooLarge = maxJudged, fmt.Errorf("it is larger than %d MiB, and the protocol allows %d", maxJudged>>20, sitemap.MaxBytes>>20)
	}
	plain, err := Unpack(src, limit, tooLarge)
	plain = spending{plain, r}
	if r.o.Judge != nil {
		return r.judge(s, plain, err)
	}
	if err != nil {
		return r.wrong(s.name, err)
	}
	return r.wrong(s.name, r.urls(s, plain))
}

// urls reads the URLs of a file in any format.
func (r *reader) urls(s source, plain io.Reader) error {
	src := bufio.NewReader(plain)
	head, _ := src.Peek(1 << 10)
	if r.o.Head != nil {
		r.o.Head(head)
	}
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	if len(head) > 0 && (head[0] == '{' || head[0] == '[') {
		return r.json(s, src)
	}
	return r.items(s, src)
}

// items reads a sitemap, an index, a feed or a list of lines.
func (r *reader) items(s source, src io.Reader) error {
	sr := sitemap.NewReader(src)
	if r.o.Intern != nil {
		sr.Brief(r.o.Intern)
	}
	for n := 0; r.ctx.Err() == nil; n++ {
		item, err := sr.Next()
		if errors.Is(err, io.EOF) {
			if r.o.Judge == nil {
				r.namespace(s.name, sr)
			}
			if r.o.Carry {
				r.unknown(s.name, sr)
			}
			return nil
		}
		if err != nil {
			return err
		}
		if r.o.Judge == nil {
			r.problems(s.name, &item)
		}
		pos := diag.Pos{File: s.name, Line: item.Line, Col: item.Col}
		switch {
		case item.Loc == "":
		case !item.Sitemap:
			err = r.add(item.Entry, pos)
		case n == maxChildren:
			return fmt.Errorf("line %d: an index names more than %d sitemaps, which is all that the protocol allows", item.Line, maxChildren)
		default:
			err = r.childOf(s, pos, item.Loc)
		}
		if err != nil {
			return err
		}
	}
	return r.ctx.Err()
}

// childOf reads a child of an index in a file, and notes one of a live index.
func (r *reader) childOf(s source, pos diag.Pos, loc string) error {
	if err := r.keep(len(loc)); err != nil {
		return err
	}
	if s.at.URL == nil {
		return r.child(s, pos, loc)
	}
	r.refs = append(r.refs, childRef{pos, loc})
	return nil
}

func (r *reader) add(e sitemap.Entry, pos diag.Pos) error {
	if err := r.keep(len(e.Loc) + len(e.Title)); err != nil {
		return err
	}
	r.each(e, pos)
	return nil
}

// problems reports what is wrong with an item, and of which URL it is said.
func (r *reader) problems(name string, item *sitemap.Item) {
	for _, p := range item.Problems {
		if item.Loc != "" && !strings.Contains(p.Message, item.Loc) {
			p.Message = item.Loc + ": " + p.Message
		}
		r.findings.Add(diag.Diagnostic{
			Pos: diag.Pos{File: name, Line: p.Line}, Severity: diag.Warning, Code: p.Code, Message: p.Message, Hint: p.Hint, Subject: item.Loc,
		})
	}
}

// namespace reports a url set or an index that crawlers do not take for one.
func (r *reader) namespace(name string, sr *sitemap.Reader) {
	f := sr.Format()
	if got := sr.Namespace(); (f == sitemap.FormatURLSet || f == sitemap.FormatIndex) && got != sitemap.Namespace {
		r.findings.Add(diag.Warnf(diag.Pos{File: name}, "wrong-namespace", "write xmlns="+strconv.Quote(sitemap.Namespace),
			"the %v is in the namespace %q, so crawlers do not read it", f, got))
	}
}

// unknown reports the elements that sitewalk does not know and cannot keep.
func (r *reader) unknown(name string, sr *sitemap.Reader) {
	for _, u := range sr.Unknown() {
		pos := diag.Pos{File: name, Line: u.Line}
		if u.Obsolete {
			if len(r.obsolete) == 0 {
				r.obsoletePos = pos
			}
			if !slices.Contains(r.obsolete, u.Name) {
				r.obsolete = append(r.obsolete, u.Name)
			}
			continue
		}
		r.findings.Add(diag.Warnf(pos, "unknown-extension", "", "element %s is unknown and is dropped", u.Name).About(u.Name))
	}
}
