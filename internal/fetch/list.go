package fetch

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/sitemap"
)

// ListOptions configure ReadList.
type ListOptions struct {
	Stdin         io.Reader
	AllowRequests bool    // permits requests: for a named URL, and for the children of an index
	Fetch         Options // options of these requests
	Budget        *Budget // shared with other lists; nil means a new budget
	Typed         bool    // the user typed the name, so it may be a FIFO or a device
	Overhead      int     // bytes that the caller keeps for each URL in addition to its text; 0 means 128
	Dir           string  // findings show paths relative to Dir
	Flag          string  // flag that named the list, for errors: "--from "
	Rewrites      bool    // the entries are written again, so report elements that cannot be kept
	// Intern, if not nil, restricts entries written by sitewalk to loc and lastmod; see
	// sitemap.Reader.Brief.
	Intern func(loc []byte) string

	// OnFile, if not nil, is called with each file before the URLs of the file are delivered.
	// OnFile is then responsible for findings about files: ReadList reports only missing
	// children, and continues after any other mistake.
	OnFile func(File)
	Loc    string // URL of the named file, for OnFile
	// Content, if not nil, is called with the content fingerprint of a URL before the URL is
	// delivered. Only JSON reports of sitewalk contain fingerprints.
	Content func(loc, fingerprint string)
	// Head, if not nil, is called with the first 1024 bytes of each file before the URLs are
	// read.
	Head func(head []byte)
	// Skip, if not nil, reports whether to ignore a child of an index. It is called only for an
	// index.
	Skip func(pos diag.Pos, loc string) bool
	// Folder, if not nil, returns the folder in which to look first for a child of an index.
	// The folder is relative to the folder of the index; "" means the folder of the index.
	Folder func(loc string) string
}

// A File is one file of a list.
type File struct {
	Name    string // name in findings
	Loc     string // URL of the file; "" if unknown
	Index   string // name of the index that lists the file; "" if there is none
	Content []byte // after decompression
	Err     error  // why Content is incomplete, or nil
}

// Limits for lists, which may come from untrusted sites.
const (
	maxJudged   = 64 << 20 // bytes of a file kept in memory; the protocol allows 50 MiB
	maxChildren = sitemap.MaxChildren
	maxDepth    = 3 // levels of nested indexes; the protocol allows one
)

// ReadList reads the list that from names: a file, a glob, a URL, or "-" for standard input. A
// list is a URL set, an index, a feed, a text file or a JSON report, optionally compressed with
// gzip. ReadList calls each with every URL in order, and keeps no URL in memory. Mistakes in
// entries are added to findings. ReadList returns an error if a list cannot be read.
func ReadList(ctx context.Context, from string, o ListOptions, findings *diag.Report, each func(sitemap.Entry, diag.Pos)) error {
	r := &reader{ctx: ctx, o: o, findings: findings, each: each, visits: map[string]bool{}}
	if r.o.Budget == nil {
		r.o.Budget = NewBudget()
	}
	defer r.reportObsolete()
	err := r.read(from)
	if spent, ok := errors.AsType[spentError](err); ok && o.OnFile != nil {
		findings.Add(diag.Errorf(diag.Pos{File: r.displayName(from)}, "too-large", "check its parts one by one", "%v", spent))
		return nil
	}
	return err
}

func (r *reader) read(from string) error {
	switch {
	case from == "-":
		return r.readStream(source{name: "standard input"}, files.Until(r.ctx, io.NopCloser(r.o.Stdin)))
	case IsURL(from) && r.o.AllowRequests:
		return r.readURL(Place{}, from, source{})
	case IsURL(from):
		return fmt.Errorf("%s%q is an address, and files are read; download it, and name the file", r.o.Flag, r.displayName(from))
	}
	all, err := matchingFiles(from, r.o.Flag, r.displayName(from))
	if err != nil {
		return err
	}
	for _, file := range all {
		if err := r.readFile(file, source{loc: r.o.Loc, typed: r.o.Typed && file == from}); err != nil {
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

// reportObsolete adds one finding for all dropped obsolete elements.
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
	visits   map[string]bool // read files and URLs, to stop at an index that lists itself
	refs     []childRef      // children of the current live index
	obsolete []string        // names of elements that search engines ignore

	obsoletePos diag.Pos // position of the first obsolete element
}

// A childRef is an entry of an index.
type childRef struct {
	pos diag.Pos
	loc string
}

// A source is one file of a list with its origin.
type source struct {
	name  string // name in findings
	dir   string // folder of the children of an index; "" if there is none
	at    Place  // address that answered; zero for a file
	loc   string // URL of the file
	index string // index that lists the file
	depth int    // number of indexes above the file
	typed bool   // see ListOptions.Typed
	size  int64  // file size in bytes; 0 if unknown
}

// isVisited reports whether a file or URL was read before, and marks it as read.
func (r *reader) isVisited(name string) bool {
	was := r.visits[name]
	r.visits[name] = true
	return was
}

func (r *reader) readFile(name string, s source) error {
	if r.isVisited(filepath.Clean(name)) {
		return nil
	}
	s.name, s.dir = r.displayName(name), filepath.Dir(name)
	f, err := r.openFile(name, s.typed)
	if err != nil {
		switch {
		case r.ctx.Err() != nil:
			return err
		case r.o.OnFile != nil && s.loc != "": // a file of a built site
			return r.deliverFile(s, nil, err)
		}
		return &fileError{s.name, diag.Cause(err)}
	}
	defer f.Close()
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
		s.size = info.Size()
	}
	return r.readStream(s, f)
}

func (r *reader) openFile(name string, typed bool) (io.ReadCloser, error) {
	if typed {
		return files.Typed(r.ctx, name)
	}
	if !files.IsInside(filepath.Dir(name), name) {
		return nil, files.ErrOutside
	}
	return files.Open(name)
}

func (r *reader) displayName(name string) string { return DisplayName(r.o.Dir, name) }

// readURL reads the URL to, which the content of by names.
func (r *reader) readURL(by Place, to string, s source) error {
	if r.isVisited(to) {
		return nil
	}
	r.o.Fetch.Accept = "application/xml, text/xml, text/plain, application/json"
	body, err := by.Open(r.ctx, to, r.o.Fetch)
	if err != nil {
		return r.addFileName(WithoutPassword(to), err)
	}
	s.name, s.at, s.loc = WithoutPassword(to), body.At, body.At.URL.String()
	r.refs = nil
	err = r.readStream(s, body)
	body.Close() // before the children are requested, because the answer has a time limit
	if err != nil {
		return err
	}
	for _, c := range r.refs {
		if err := r.readChild(s, c.pos, c.loc); err != nil {
			return err
		}
	}
	return nil
}

// deliverFile passes the file to OnFile, and delivers the readable URLs of the file.
func (r *reader) deliverFile(s source, plain io.Reader, err error) error {
	f := File{Name: s.name, Loc: s.loc, Index: s.index, Err: err}
	if err == nil {
		var all bytes.Buffer // capacity for a complete uncompressed file
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
	r.o.OnFile(f)
	err = r.readURLs(s, bytes.NewReader(f.Content))
	if spent, ok := errors.AsType[spentError](err); ok {
		return spent
	}
	return r.addFileName(s.name, nil)
}

// A fileError is an error with the name of its file.
type fileError struct {
	name string
	err  error
}

func (e *fileError) Error() string { return e.name + ": " + e.err.Error() }

func (e *fileError) Unwrap() error { return e.err }

// addFileName adds the name of the file to an error that names no file.
func (r *reader) addFileName(name string, err error) error {
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

// readStream reads one file of the list.
func (r *reader) readStream(s source, src io.Reader) error {
	limit, tooLarge := r.o.Budget.read, error(spentError("bytes"))
	if r.o.OnFile != nil && limit > maxJudged {
		limit, tooLarge = maxJudged, fmt.Errorf("it is larger than %d MiB, and the protocol allows %d", maxJudged>>20, sitemap.MaxBytes>>20)
	}
	plain, err := Unpack(src, limit, tooLarge)
	plain = budgetReader{plain, r}
	if r.o.OnFile != nil {
		return r.deliverFile(s, plain, err)
	}
	if err != nil {
		return r.addFileName(s.name, err)
	}
	return r.addFileName(s.name, r.readURLs(s, plain))
}

// readURLs reads the URLs of a file in any format.
func (r *reader) readURLs(s source, plain io.Reader) error {
	src := bufio.NewReader(plain)
	head, _ := src.Peek(1 << 10)
	if r.o.Head != nil {
		r.o.Head(head)
	}
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	if len(head) > 0 && (head[0] == '{' || head[0] == '[') {
		return r.readJSON(s, src)
	}
	return r.readItems(s, src)
}

// readItems reads a sitemap, an index, a feed or a text file.
func (r *reader) readItems(s source, src io.Reader) error {
	sr := sitemap.NewReader(src)
	if r.o.Intern != nil {
		sr.Brief(r.o.Intern)
	}
	for n := 0; r.ctx.Err() == nil; n++ {
		item, err := sr.Next()
		if errors.Is(err, io.EOF) {
			if r.o.OnFile == nil {
				r.checkNamespace(s.name, sr)
			}
			if r.o.Rewrites {
				r.reportUnknown(s.name, sr)
			}
			return nil
		}
		if err != nil {
			return err
		}
		if r.o.OnFile == nil {
			r.reportProblems(s.name, &item)
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

// childOf reads a child of an index file at once. It queues a child of a live index, so that
// the answer can be closed first.
func (r *reader) childOf(s source, pos diag.Pos, loc string) error {
	if err := r.chargeURL(len(loc)); err != nil {
		return err
	}
	if s.at.URL == nil {
		return r.readChild(s, pos, loc)
	}
	r.refs = append(r.refs, childRef{pos, loc})
	return nil
}

func (r *reader) add(e sitemap.Entry, pos diag.Pos) error {
	if err := r.chargeURL(len(e.Loc) + len(e.Title)); err != nil {
		return err
	}
	r.each(e, pos)
	return nil
}

// reportProblems reports the mistakes in an item, with the URL of the item.
func (r *reader) reportProblems(name string, item *sitemap.Item) {
	for _, p := range item.Problems {
		if item.Loc != "" && !strings.Contains(p.Message, item.Loc) {
			p.Message = item.Loc + ": " + p.Message
		}
		r.findings.Add(diag.Diagnostic{
			Pos: diag.Pos{File: name, Line: p.Line}, Severity: diag.Warning, Code: p.Code, Message: p.Message, Hint: p.Hint, Subject: item.Loc,
		})
	}
}

// checkNamespace reports a URL set or an index with a namespace that crawlers do not accept.
func (r *reader) checkNamespace(name string, sr *sitemap.Reader) {
	f := sr.Format()
	if got := sr.Namespace(); (f == sitemap.FormatURLSet || f == sitemap.FormatIndex) && got != sitemap.Namespace {
		r.findings.Add(diag.Warnf(diag.Pos{File: name}, "wrong-namespace", "write xmlns="+strconv.Quote(sitemap.Namespace),
			"the %v is in the namespace %q, so crawlers do not read it", f, got))
	}
}

// reportUnknown reports unknown elements, which are dropped. It collects the names of obsolete
// elements.
func (r *reader) reportUnknown(name string, sr *sitemap.Reader) {
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
