// Package existing reads the sitemaps that another tool has written, so that
// their URLs can go the way of pages.
//
// It refuses to go to the network: the children of an index are looked for
// beside it.
package existing

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// Read reads every sitemap that from names: a file, a glob of files, or "-" for
// stdin; a url set, an index, a feed or a list of URLs, gzipped or not. It calls
// list with each URL in order, and holds none. What cannot be read of an item
// is added to found; what cannot be read at all is an error.
func Read(ctx context.Context, from string, stdin io.Reader, found *diag.Report, list func(sitemap.URL, diag.Pos)) error {
	r := &reader{ctx: ctx, found: found, list: list, files: map[string]bool{}}
	if from == "-" {
		return r.stream("standard input", "", stdin)
	}
	files, err := names(from)
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := r.file(file); err != nil {
			return err
		}
	}
	return nil
}

// names returns the files that a name or a glob stands for, sorted.
func names(from string) ([]string, error) {
	if info, err := os.Stat(from); err == nil && info.IsDir() {
		return nil, fmt.Errorf("--from %q is a folder; name its files, as in %q", from, path.Join(filepath.ToSlash(from), "*.xml"))
	} else if err == nil {
		return []string{from}, nil
	}
	files, err := doublestar.FilepathGlob(filepath.ToSlash(from), doublestar.WithFilesOnly())
	if err != nil {
		return nil, fmt.Errorf("--from %q is no file and no glob: %w", from, err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("--from %q: no such file", from)
	}
	return files, nil
}

type reader struct {
	ctx   context.Context
	found *diag.Report
	list  func(sitemap.URL, diag.Pos)
	files map[string]bool // read, so that an index that names itself ends
}

func (r *reader) file(name string) error {
	if clean := filepath.Clean(name); r.files[clean] {
		return nil
	} else {
		r.files[clean] = true
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return r.stream(filepath.ToSlash(name), filepath.Dir(name), f)
}

// stream reads one sitemap; dir is where the children of an index lie.
func (r *reader) stream(name, dir string, src io.Reader) error {
	plain, err := unzipped(src)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	sr := sitemap.NewReader(plain)
	for r.ctx.Err() == nil {
		item, err := sr.Next()
		if errors.Is(err, io.EOF) {
			r.namespace(name, sr)
			r.unknown(name, sr)
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := r.item(name, dir, item); err != nil {
			return err
		}
	}
	return r.ctx.Err()
}

// unzipped returns src decompressed if it begins like gzip.
func unzipped(src io.Reader) (io.Reader, error) {
	b := bufio.NewReader(src)
	if head, _ := b.Peek(2); len(head) == 2 && head[0] == 0x1f && head[1] == 0x8b {
		return gzip.NewReader(b)
	}
	return b, nil
}

func (r *reader) item(name, dir string, item sitemap.Item) error {
	pos := diag.Pos{File: name, Line: item.Line}
	for _, p := range item.Problems {
		r.found.Add(diag.Diagnostic{
			Pos: diag.Pos{File: name, Line: p.Line}, Severity: diag.Warning, Code: p.Code, Message: p.Message, Hint: p.Hint,
		})
	}
	switch {
	case item.Loc == "":
		return nil
	case item.Sitemap:
		return r.child(pos, dir, item.Loc)
	}
	r.list(item.URL, pos)
	return nil
}

// child reads a sitemap that an index names, from the folder of the index.
func (r *reader) child(pos diag.Pos, dir, loc string) error {
	file := ""
	if u, err := url.Parse(loc); err == nil && dir != "" {
		file = nearest(dir, u.Path)
	}
	var ds diag.List
	const hint = "download it beside the index; sitewalk does not go to the network"
	switch {
	case file == "":
		ds.Errorf(pos, "missing-sitemap", hint, "the index names %s, which is not there", loc).Subject = loc
	case filepath.ToSlash(filepath.Clean(file)) == path.Clean(pos.File):
		ds.Errorf(pos, "missing-sitemap", hint, "the index names %s, which is not there, or the index itself", loc).Subject = loc
	default:
		return r.file(file)
	}
	r.found.Add(ds...)
	return nil
}

// nearest returns the file below dir that a URL path names: the path itself, or
// what remains of it without its first folders, compressed or not.
func nearest(dir, urlPath string) string {
	rest := strings.TrimPrefix(path.Clean("/"+urlPath), "/")
	for rest != "" {
		file := filepath.Join(dir, filepath.FromSlash(rest))
		for _, name := range []string{file, strings.TrimSuffix(file, ".gz"), file + ".gz"} {
			if regular(name) {
				return name
			}
		}
		_, rest, _ = strings.Cut(rest, "/")
	}
	return ""
}

func regular(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Mode().IsRegular()
}

// namespace reports a url set or an index that crawlers do not take for one.
func (r *reader) namespace(name string, sr *sitemap.Reader) {
	f := sr.Format()
	if got := sr.Namespace(); (f == sitemap.FormatURLSet || f == sitemap.FormatIndex) && got != sitemap.Namespace {
		var ds diag.List
		ds.Warnf(diag.Pos{File: name}, "wrong-namespace", "write xmlns="+strconv.Quote(sitemap.Namespace),
			"the %v is in the namespace %q, so crawlers do not read it", f, got)
		r.found.Add(ds...)
	}
}

// unknown reports the elements that sitewalk does not know and cannot keep.
func (r *reader) unknown(name string, sr *sitemap.Reader) {
	var ds diag.List
	for _, u := range sr.Unknown() {
		ds.Warnf(diag.Pos{File: name, Line: u.Line}, "unknown-extension", "",
			"element %s is not known and is not carried over", u.Name).Subject = u.Name
	}
	r.found.Add(ds...)
}
