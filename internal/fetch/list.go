package fetch

import (
	"bufio"
	"bytes"
	"cmp"
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

// ListOptions are the options of ReadList.
type ListOptions struct {
	Stdin         io.Reader
	AllowRequests bool    // permit HTTP requests for a URL that the user named, and for the sitemaps in an index
	Fetch         Options // options of the requests
	Budget        *Budget // limits shared with other lists; nil means a new budget
	Typed         bool    // the user typed the name on the command line, so the file may be a FIFO or a device
	Overhead      int     // bytes of memory that the caller needs for each URL in addition to its text; 0 means 128
	Dir           string  // folder to which the file names in findings are relative
	Flag          string  // command-line flag with a trailing space, as prefix of errors: "--from "
	Rewrites      bool    // the caller writes the entries again, so report elements that will be lost
	Brief         bool    // read faster: the entries of a sitemap that sitewalk wrote have only a loc and a lastmod

	// OnFile, if not nil, is called with each file, before ReadList passes the URLs of the file to
	// its caller. The caller must then report the mistakes in the file: ReadList reports only
	// missing children of an index, and continues after other mistakes.
	OnFile func(File)
	Loc    string // URL of the file to read, copied to File.Loc
	// Head, if not nil, is called with the first 1024 decompressed bytes of each file, before its
	// URLs are read. A shorter file has fewer bytes.
	Head func(head []byte)
	// Skip, if not nil, is called with each entry of an index, before the child sitemap is read. If
	// Skip returns true, ReadList does not read the child sitemap.
	Skip func(pos diag.Pos, loc string) bool
	// Folder, if not nil, returns the folder that probably contains the file of the child sitemap
	// loc, relative to the folder of the index. ReadList looks there first. Folder returns "" if it
	// does not know the folder.
	Folder func(loc string) string
}

// A File is a file that ReadList has read, such as a child sitemap.
type File struct {
	Name    string // display name in findings
	Loc     string // URL of the file; "" if unknown
	Index   string // display name of the index that lists the file; "" if there is none
	Content []byte // content after decompression
	Err     error  // reason why Content is incomplete; nil if it is complete
}

// An Entry is an entry of a list.
type Entry struct {
	sitemap.Entry
	Pos         diag.Pos
	Fingerprint string // fingerprint of the page's content; "" except in JSON reports that sitewalk wrote
}

// The limits for one file of a list. They protect against files from untrusted sites.
const (
	MaxFileBytes = 64 << 20 // bytes of a file that is kept in memory; the sitemap protocol allows 50 MiB
	MaxDepth     = 3        // indexes above a sitemap; the sitemap protocol allows one
)

// ErrTooLarge is the error for a file of more than MaxFileBytes.
var ErrTooLarge = fmt.Errorf("it is larger than %d MiB, and the protocol allows %d", MaxFileBytes>>20, sitemap.MaxBytes>>20)

// ReadList reads a list of URLs, and calls visit for every URL in order. name is a file, a glob, a
// URL, or "-" for standard input. A list is a sitemap, a sitemap index, a feed, a text file or a
// JSON report, which may be compressed with gzip. ReadList adds mistakes in entries to findings. If
// it cannot read a list, it returns an error. With o.OnFile, it passes the error in File.Err
// instead, and adds a finding if the budget is exceeded. ReadList does not keep the URLs in memory.
func ReadList(ctx context.Context, name string, o ListOptions, findings *diag.Report, visit func(Entry)) error {
	r := &reader{ctx: ctx, o: o, findings: findings, visit: visit, alreadyRead: map[string]bool{}}
	if r.o.Budget == nil {
		r.o.Budget = NewBudget()
	}
	defer r.reportObsoleteElements()
	err := r.readList(name)
	if spent, ok := errors.AsType[budgetError](err); ok && o.OnFile != nil {
		findings.Add(diag.Errorf(diag.Pos{File: r.displayName(name)}, "too-large", "check its parts one by one", "%v", spent))
		return nil
	}
	return err
}

func (r *reader) readList(name string) error {
	switch {
	case name == "-":
		return r.readStream(source{name: "standard input"}, files.NewContextReader(r.ctx, io.NopCloser(r.o.Stdin)))
	case IsURL(name) && r.o.AllowRequests:
		return r.readURL(Referrer{}, name, source{})
	case IsURL(name):
		return fmt.Errorf("%s%q is an address, and files are read; download it, and name the file", r.o.Flag, r.displayName(name))
	}
	all, err := matchingFiles(name, r.o.Flag, r.displayName(name))
	if err != nil {
		return err
	}
	for _, file := range all {
		if err := r.readFile(file, source{loc: r.o.Loc, typed: r.o.Typed && file == name}); err != nil {
			return err
		}
	}
	return nil
}

// matchingFiles returns the files that pattern matches. pattern is a glob or the name of a file.
// matchingFiles returns an error if no file matches, or if pattern is a folder. The text of the
// error begins with flag, such as "--from ", and contains displayName instead of pattern.
func matchingFiles(pattern, flag, displayName string) ([]string, error) {
	if info, err := os.Stat(pattern); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s%q is a folder; name its files, as in %q", flag, displayName, path.Join(displayName, "*.xml"))
	} else if err == nil {
		return []string{pattern}, nil
	}
	files, err := doublestar.FilepathGlob(filepath.ToSlash(pattern), doublestar.WithFilesOnly())
	if err != nil {
		return nil, fmt.Errorf("%s%q is neither a file nor a glob: %w", flag, displayName, err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s%q: no such file", flag, displayName)
	}
	return files, nil
}

// reportObsoleteElements adds one finding that names all obsolete elements in the lists. sitewalk
// drops these elements when it writes the entries again.
func (r *reader) reportObsoleteElements() {
	if len(r.obsolete) > 0 {
		r.findings.Add(diag.Notef(r.obsoletePos, "obsolete-field", "", "dropped, because search engines no longer read it: %s", strings.Join(r.obsolete, ", ")))
	}
}

// A reader is the state of one call of ReadList.
type reader struct {
	ctx         context.Context
	o           ListOptions
	findings    *diag.Report
	visit       func(Entry)
	alreadyRead map[string]bool // files and URLs already read; prevents an endless loop if an index lists itself
	refs        []childRef      // children of the index that was read last
	obsolete    []string        // names of the obsolete elements found so far

	obsoletePos diag.Pos // position of the first obsolete element found
}

// A childRef is an entry of a sitemap index: the URL of a child sitemap, and the position of the
// entry.
type childRef struct {
	pos diag.Pos
	loc string
}

// A source is a file to read, with information about the index that lists the file.
type source struct {
	name  string   // display name in findings
	dir   string   // folder in which the children of an index are looked up; "" if there is none
	at    Referrer // the URL from which the file was read; zero for a local file
	loc   string   // URL of the file; "" if unknown
	index string   // display name of the index that lists the file
	depth int      // number of indexes above the file: 0 for the file that the user named
	typed bool     // see ListOptions.Typed
}

// markVisited records that name, a file or a URL, has been read. It returns true if name was
// already recorded.
func (r *reader) markVisited(name string) (wasVisited bool) {
	wasVisited = r.alreadyRead[name]
	r.alreadyRead[name] = true
	return wasVisited
}

// readFile reads the list in a file, unless the file has already been read. If it cannot open the
// file, it returns an error. With OnFile, it passes the error to OnFile instead if the URL of the
// file is known.
func (r *reader) readFile(name string, s source) error {
	if r.markVisited(filepath.Clean(name)) {
		return nil
	}
	s.name, s.dir = r.displayName(name), filepath.Dir(name)
	f, err := r.openFile(name, s.typed)
	if err != nil {
		switch {
		case r.ctx.Err() != nil:
			return err
		case r.o.OnFile != nil && s.loc != "":
			return r.deliverFile(s, nil, err)
		}
		return &fileError{s.name, diag.Cause(err)}
	}
	return r.readStream(s, f)
}

// openFile opens a file for reading. If the user typed the name, the file may be a FIFO or a
// device. Otherwise, a symbolic link to a file outside of the project is an error.
func (r *reader) openFile(name string, typed bool) (io.ReadCloser, error) {
	if typed {
		return files.OpenUserFile(r.ctx, name)
	}
	if !files.IsInProject(filepath.Dir(name), name) {
		return nil, files.ErrOutside
	}
	return files.Open(name)
}

func (r *reader) displayName(name string) string { return DisplayName(r.o.Dir, name) }

// readURL requests the URL target, and reads the list there. referrer is the URL whose content
// names target, or zero if the user named target.
func (r *reader) readURL(referrer Referrer, target string, s source) error {
	if r.markVisited(target) {
		return nil
	}
	r.o.Fetch.Accept = "application/xml, text/xml, text/plain, application/json"
	body, err := referrer.Open(r.ctx, target, r.o.Fetch)
	if err != nil {
		return r.addFileName(WithoutPassword(target), err)
	}
	s.name, s.at, s.loc = WithoutPassword(target), body.At, body.At.URL.String()
	return r.readStream(s, body)
}

// deliverFile passes the file s to OnFile, and then calls r.visit for each URL in the file. plain
// is the decompressed content. If the file cannot be read, err is the reason, and plain is not
// used. deliverFile returns an error only if the context has ended or the budget is exceeded.
func (r *reader) deliverFile(s source, plain io.Reader, err error) error {
	f := File{Name: s.name, Loc: s.loc, Index: s.index, Err: err}
	if err == nil {
		f.Content, f.Err = io.ReadAll(plain)
	}
	if r.ctx.Err() != nil {
		return context.Cause(r.ctx)
	}
	if spent, ok := errors.AsType[budgetError](f.Err); ok {
		return spent
	}
	r.o.OnFile(f)
	err = r.readURLs(s, bytes.NewReader(f.Content))
	if spent, ok := errors.AsType[budgetError](err); ok {
		return spent
	}
	return r.addFileName(s.name, nil)
}

// A fileError is an error about a file. Its text begins with the name of the file.
type fileError struct {
	name string
	err  error
}

func (e *fileError) Error() string { return e.name + ": " + e.err.Error() }

func (e *fileError) Unwrap() error { return e.err }

// addFileName puts the name of the file in front of err, unless err already contains the name of a
// file. If the context has ended, it returns the cause of the context instead.
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

// readStream reads the file s from body, and closes body. If the file is an index, readStream then
// reads its children. It closes body before it reads the children, because an answer has a time
// limit and the children may take longer. If a local index cannot be read to its end, readStream
// still reads the children found so far, to report their mistakes. It then returns the error of the
// index.
func (r *reader) readStream(s source, body io.ReadCloser) error {
	r.refs = nil
	err := r.readContent(s, body)
	body.Close()
	if _, spent := errors.AsType[budgetError](err); err != nil && (spent || s.at.URL != nil || r.ctx.Err() != nil) {
		return err
	}
	for _, c := range r.refs {
		if childErr := r.readChild(s, c.pos, c.loc); childErr != nil {
			return cmp.Or(err, childErr)
		}
	}
	return err
}

// readContent reads the file s from src, within the limits of the budget. src is the content of
// the file, and may be compressed with gzip.
func (r *reader) readContent(s source, src io.Reader) error {
	limit, tooLarge := r.o.Budget.read, error(budgetError("bytes"))
	if r.o.OnFile != nil && limit > MaxFileBytes {
		limit, tooLarge = MaxFileBytes, ErrTooLarge
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

// readURLs detects the format of a file, and calls r.visit for each of its URLs. plain is the
// decompressed content.
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

// readItems calls r.visit for each URL of a sitemap, a feed or a text file. If the file is a
// sitemap index, it adds the child sitemaps to r.refs.
func (r *reader) readItems(s source, src io.Reader) error {
	sr := sitemap.NewReader(src)
	if r.o.Brief {
		sr.ReadBriefly()
	}
	for n := 0; r.ctx.Err() == nil; n++ {
		item, err := sr.Next()
		if errors.Is(err, io.EOF) {
			if r.o.OnFile == nil {
				r.checkNamespace(s.name, sr)
			}
			if r.o.Rewrites {
				r.reportUnknownElements(s.name, sr)
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
			err = r.deliverEntry(Entry{Entry: item.Entry, Pos: pos})
		case n == sitemap.MaxChildren:
			return fmt.Errorf("line %d: an index names more than %d sitemaps, the limit of the protocol", item.Line, sitemap.MaxChildren)
		default:
			r.refs = append(r.refs, childRef{pos, item.Loc})
			err = r.chargeURL(len(item.Loc))
		}
		if err != nil {
			return err
		}
	}
	return r.ctx.Err()
}

func (r *reader) deliverEntry(e Entry) error {
	if err := r.chargeURL(len(e.Loc) + len(e.Title) + len(e.Fingerprint)); err != nil {
		return err
	}
	r.visit(e)
	return nil
}

// reportProblems adds a finding for each mistake in an item of the file called name. Each finding
// contains the URL of the item.
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

// checkNamespace adds a finding if crawlers do not know the XML namespace of a sitemap or an index.
func (r *reader) checkNamespace(name string, sr *sitemap.Reader) {
	f := sr.Format()
	if got := sr.Namespace(); (f == sitemap.FormatURLSet || f == sitemap.FormatIndex) && got != sitemap.Namespace {
		r.findings.Add(diag.Warnf(diag.Pos{File: name}, "wrong-namespace", "write xmlns="+strconv.Quote(sitemap.Namespace),
			"the %v is in the namespace %q, so crawlers do not read it", f, got))
	}
}

// reportUnknownElements adds a finding for each unknown element, because sitewalk drops the element
// when it writes the entries again. It collects the names of obsolete elements for
// reportObsoleteElements instead.
func (r *reader) reportUnknownElements(name string, sr *sitemap.Reader) {
	for _, u := range sr.UnknownElements() {
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
